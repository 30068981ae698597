"""The base of all transformers that cut documents. :mod:`ir_segmeasures.pt.cutters` says what they take and give."""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd

from ir_segmeasures.pt.base import STALE, SegmentTransformer, emit, read_items, with_times
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import parse_segment

__all__ = ['Cutter']

_REMEMBERED = 100_000  # documents of a stream, which may be endless


class _Memory:
    """The documents of a stream that were cut so far.

    Attributes:
        first: the document that the stream began with; None where it is one frame or list
        documents: the documents that came last
        origin: the whole document that the last one is part of
        ids: the ids of the segments of ``origin``
    """

    def __init__(self, first: str | None = None):
        self.first, self.origin = first, ''
        self.documents: OrderedDict[str, None] = OrderedDict()
        self.ids: set[str] = set()


def _of_documents(columns: Collection[str]) -> dict[str, str]:
    """The new names of columns with the times of documents, which become those of their segments."""
    times = [name for name in ('start', 'end') if name in columns]
    if 'start' in times and 'length' in columns:
        times.append('length')
    return {f'document_{name}': name for name in times if f'document_{name}' not in columns}


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
        # A document may be a result of several queries.
        cut_one = self._segments if items else partial(self._once, _Memory())
        rows: list[int] = []
        ids: list[str] = []
        texts: list[str] = []
        for row, (document, *sources) in enumerate(zip(whole['docno'], *(whole[name] for name in self.sources()))):
            for id, text in cut_one(document, *sources):
                rows.append(row)
                ids.append(id)
                texts.append(text)
        cut = whole.drop(columns=[name for name in whole.columns if name in self._left_out()]).iloc[rows]
        if not items:
            cut = cut.assign(**{name: cut[old] for name, old in _of_documents(cut.columns).items()})
        cut = cut.reset_index(drop=True).assign(docno=pd.Series(ids, dtype=object), text=pd.Series(texts, dtype=object))
        if items:
            return emit(cut, range(len(cut)), ids, changed=False)
        return with_times(cut)

    def __call__(self, inp: Any) -> Any:
        if isinstance(inp, pd.DataFrame):
            return super().__call__(inp)
        out = self._iter(inp, _Memory())
        return list(out) if isinstance(inp, list) else out

    def transform_iter(self, inp: Any) -> Any:
        """The segments, as dicts, of dicts that are results, or that are a batch of a stream of documents."""
        return self._iter(inp)

    def _iter(self, inp: Any, memory: _Memory | None = None) -> Any:
        records = iter(inp)
        first = next(records, None)
        if first is None:
            return iter(())
        records = chain([first], records)
        self.check_parameters()
        self.check(list(first))
        if 'qid' in first:  # the order of results can only be told from all of them; a collection may not fit in memory
            return super().transform_iter(list(records))
        if memory is None:
            memory = self.__dict__.get('_memory')
            if memory is None or memory.first == str(first['docno']):
                memory = self.__dict__['_memory'] = _Memory(str(first['docno']))
        return self._stream(records, memory)

    def _stream(self, documents: Iterator[Mapping[str, Any]], memory: _Memory) -> Iterator[dict[str, Any]]:
        sources, left_out = self.sources(), self._left_out()
        for record in documents:
            missing = [name for name in ('docno', *sources) if name not in record]
            if missing:
                raise ValueError(f"document {quoted(record.get('docno'))} lacks {', '.join(map(repr, missing))}, which "
                                 'the documents before it have: give it to all of them')
            kept = {name: value for name, value in record.items() if name not in left_out}
            kept.update({name: kept[old] for name, old in _of_documents(kept).items()})
            rows = [{**kept, 'docno': id, 'text': text}
                    for id, text in self._once(memory, record['docno'], *(record[name] for name in sources))]
            if rows and {'start', 'end'} & kept.keys():
                rows = with_times(pd.DataFrame(rows)).to_dict(orient='records')
            yield from rows

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != '_memory'}

    def _left_out(self) -> set[str]:
        return {*self.sources(), *STALE}

    def _once(self, memory: _Memory, document: Any, *sources: Any) -> list[tuple[str, str]]:
        """Cuts documents as they come: no document twice, and of the parts of a document each segment once."""
        if str(document) in memory.documents:
            raise ValueError(f'document {quoted(document)} comes twice, and its segments would do so too: give each '
                             'docno once, or, if this is another collection, cut it with another transformer')
        found = self._segments(document, *sources)
        memory.documents[str(document)] = None
        if len(memory.documents) > _REMEMBERED:
            memory.documents.popitem(last=False)
        if found:
            if (whole := parse_segment(str(document)).document) != memory.origin:
                memory.origin = whole
                memory.ids.clear()
            found = [segment for segment in found if segment[0] not in memory.ids]
            memory.ids.update(id for id, _ in found)
        return found

    def _segments(self, document: Any, *sources: Any) -> list[tuple[str, str]]:
        try:
            return self.segments(str(document), *sources)
        except ValueError as error:
            raise ValueError(f'document {quoted(document)}: {error}') from error
