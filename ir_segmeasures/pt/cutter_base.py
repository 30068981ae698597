"""The base of all transformers that cut documents. :mod:`ir_segmeasures.pt.cutters` says what they take and give."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import pandas as pd

from ir_segmeasures.pt.base import STALE, SegmentTransformer, emit, read_items
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import parse_segment


class Cutter(SegmentTransformer):
    """A transformer that cuts documents. A subclass implements :meth:`sources`, :meth:`segments` and
    :meth:`check_parameters`.
    """
    @property
    def FRAMES(self) -> tuple[tuple[str, tuple[str, ...]], ...]:  # type: ignore[override]
        sources = self.sources()
        return ('document', sources), ('result', sources)

    def sources(self) -> tuple[str, ...]:
        """The columns that are cut, and left out of what comes out."""
        raise NotImplementedError(f'{type(self).__name__} does not say what it cuts')

    def segments(self, document: str, *sources: Any) -> list[tuple[str, str]]:
        """Ids and texts of the segments of a document, from the columns that are cut. A document that cannot be cut is
        a ValueError."""
        raise NotImplementedError(f'{type(self).__name__} does not say how it cuts')

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame) if 'qid' in frame.columns else None
        whole = items.frame if items else frame
        columns = list(dict.fromkeys([*self._kept(dict.fromkeys(whole.columns)), 'text']))
        # A document may be a result of several queries.
        rows = list(self._cut(whole.to_dict(orient='records'), once=not items))
        cut = pd.DataFrame(rows, columns=columns)
        cut['text'] = pd.Series([row['text'] for row in rows], dtype=object)  # spaced texts know their blanks
        return emit(cut, range(len(cut)), changed=False) if items else cut

    def transform_iter(self, inp: Any) -> Any:
        """The segments, as dicts, of dicts that are results, or that are a batch of a stream of documents."""
        records = iter(inp)
        first = next(records, None)
        if first is None:
            return iter(())
        records = chain([first], records)
        self.check_parameters()
        self.check(list(first))
        # The order of results can only be told from all of them; a collection may not fit in memory.
        return super().transform_iter(records) if 'qid' in first else self._cut(records, once=True)

    def _kept(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A document without what was cut. Its own times have other names, since its segments have theirs."""
        kept = {name: value for name, value in record.items() if name not in self.sources() and name not in STALE}
        for name in _times(kept):
            kept.setdefault(f'document_{name}', kept[name])
        return kept

    def _cut(self, records: Iterable[Mapping[str, Any]], once: bool) -> Iterator[dict[str, Any]]:
        """The rows of the segments. With ``once``, no document may come twice, and of the parts of a document, which
        come together, each segment comes once."""
        documents, ids, origin = set(), set[str](), ''
        for record in records:
            document = record.get('docno')
            missing = [name for name in ('docno', *self.sources()) if name not in record]
            if missing:
                raise ValueError(f"document {quoted(document)} lacks {', '.join(map(repr, missing))}, which the "
                                 'documents before it have: give it to all of them')
            if once and document in documents:
                raise ValueError(f'document {quoted(document)} comes twice, and its segments would do so too: give '
                                 'each docno once')
            documents.add(document)
            kept = self._kept(record)
            try:
                found = self.segments(str(document), *(record[name] for name in self.sources()))
                whole = parse_segment(str(document)).document if found else origin
            except ValueError as error:
                raise ValueError(f'document {quoted(document)}: {error}') from error
            if whole != origin:
                origin, ids = whole, set()
            for id, text in found:
                if not (once and id in ids):
                    ids.add(id)
                    yield {**kept, **_times_of(id, _times(kept)), 'docno': id, 'text': text}


def _times(columns: Collection[str]) -> list[str]:
    """The columns with times; a length alone is none."""
    return [name for name in ('start', 'end', 'length')
            if name in columns and (name != 'length' or 'start' in columns)]


def _times_of(id: str, names: list[str]) -> dict[str, float]:
    _, start, end, *_ = parse_segment(id)
    times = {'start': start, 'end': end, 'length': round(end - start, 9)}
    return {name: times[name] for name in names}
