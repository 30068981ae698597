"""A transformer that adds texts to segments, which were retrieved by their ids, so that rerankers can read them; and
documents made of transcripts, in files or in rows, for pipelines that cut and index them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd
import pyterrier as pt

from ir_segmeasures.formats.transcripts import read_transcripts
from ir_segmeasures.pt.base import SegmentTransformer, is_missing, read_items, with_queries, with_times
from ir_segmeasures.pt.cutters import check_rule
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Line, Segment, parse_segment, unquote_id
from ir_segmeasures.texts.cutting import segment_texts, transcript_lines

__all__ = ['get_text', 'read_transcripts', 'transcript_documents']

# The column that is cut where a source has several, as for pt.segments.sliding; for whole documents, the
# columns that they are read from.
_COLUMNS = {'t': ('transcript',), 'char': ('text',), 'word': ('text',), 'line': ('text',), 'page': ('text',),
            None: ('text', 'transcript')}


class get_text(SegmentTransformer):
    """Adds a column ``text`` with the words that are written or spoken in each segment. Rows, and their order, stay as
    they are, but for the gaps that ``+`` leaves (:mod:`ir_segmeasures.pt.base`).

    Args:
        source: the documents, one of

            - a mapping, document → its text, or its transcript: a list of lines ``(start, end, text)``, as
              :class:`~ir_segmeasures.pt.cutters.sliding` takes it
            - a frame, or dicts, with ``docno`` and ``text`` or ``transcript``, such as the corpus that was indexed
            - a dataset of PyTerrier (``irds:…``, ``segments:…``) or of ir_datasets, with these fields
            - an index that stores texts (``pt.text.get_text`` takes it, too), or a transformer that adds texts to
              documents. A PISA index stores none.

        column: the column that is cut; if it is not given, ``transcript`` for segments in seconds, ``text`` for the
            others. A mapping has none.
        by: for segments in seconds alone: ``'start'``, the lines that start in them, or ``'overlap'``, all with which
            they share a moment; as for :class:`~ir_segmeasures.pt.cutters.sliding`
        read: a function that makes the text or the transcript of a value of the source, such as
            :func:`ir_segmeasures.texts.xml.plain_text` for elements of XML, or ``json.loads``

    A segment in characters has exactly ``text[start:end]``, a segment in words or lines the text from the beginning of
    its first to the end of its last, a segment in seconds its lines, joined by blanks. A whole document has all of the
    text. Entry points, and times in which nobody speaks, have the text ``''``. Where a mapping or a frame has the id of
    a segment itself, such as that of a segment which was cut for an index, or of a page, its text is taken from there.
    A document that the source lacks is looked for by the name behind its percent-encoded id,
    ``Terms: v 2.txt`` for ``Terms%3A%20v%202.txt#char=0,80``.

    Raises:
        TypeError: another source
        ValueError: at work: documents that the source lacks, a segment whose unit does not fit the source, or that
            ends after the text (one of seconds may end after the last line)

    Examples:
        >>> import pyterrier as pt
        >>> transcripts = {'v1': [(0, 4.5, 'Good evening.'), (4.5, 9, 'Tonight: bees.')]}
        >>> results = pt.new.ranked_documents([[2, 1]], docno=[['v1#t=4,9', 'v1#t=0,9']])
        >>> pt.segments.get_text(transcripts)(results)['text'].tolist()
        ['Tonight: bees.', 'Good evening. Tonight: bees.']
        >>> results = pt.new.ranked_documents([[1]], docno=[['d1#char=5,10']])
        >>> pt.segments.get_text({'d1': 'Bees dance.'})(results)['text'].tolist()
        ['dance']
    """
    LABEL = 'Text of segments'
    FRAMES = (('result', ()), ('document', ()))

    def __init__(self, source: Any, column: str | None = None, by: str = 'start',
                 read: Callable[[Any], Any] | None = None):
        if isinstance(source, Iterable) and not isinstance(source, Mapping | pd.DataFrame | str | pt.Transformer):
            source = pd.DataFrame(list(source))
        self.source, self.column, self.by, self.read = source, column, by, read
        self.check_parameters()

    def check_parameters(self) -> None:
        _loader(self.source)
        check_rule(self.by, 't')
        if self.read is not None and not callable(self.read):
            raise ValueError(f'read={quoted(self.read)}: give a function that makes a text, or a transcript, of what '
                             'the source has')

    def _parameters(self) -> dict[str, Any]:
        # PyTerrier makes a new object of a dataset each time, but ir_datasets has one.
        return {**super()._parameters(), 'source': _dataset(self.source)}

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        read_items(frame.drop(columns=[name for name in ('score',) if name in frame.columns]))  # for its errors
        frame = with_times(with_queries(frame))
        ids = [str(id) for id in frame['docno']]
        texts = self._texts(dict.fromkeys(ids))
        return frame.assign(text=pd.Series([texts[id] for id in ids], frame.index, object))

    def _texts(self, ids: Iterable[str]) -> dict[str, str]:
        """The text of each segment, every document loaded once."""
        known: Collection[str] = self.source if isinstance(self.source, Mapping) else set(
            map(str, self.source['docno'] if isinstance(self.source, pd.DataFrame) else ()))
        segments = {id: Segment(id) if id in known else parse_segment(id) for id in ids}
        groups: dict[tuple[str, ...], dict[str, list[str]]] = {}
        for id, segment in segments.items():
            names = (self.column,) if self.column is not None else _COLUMNS[segment.unit]
            names = () if isinstance(self.source, Mapping) else names  # it has no columns
            groups.setdefault(names, {}).setdefault(segment.document, []).append(id)
        texts: dict[str, str] = {}
        for names, documents in groups.items():
            values = _by_name(_loader(self.source), list(documents), names)
            missing = [document for document in documents if is_missing(values.get(document))]
            if missing:
                raise ValueError(f'{len(missing)} of {len(documents)} documents have no text in the source, such as '
                                 f'{", ".join(map(repr, missing[:3]))}: add them to it, or give the source of the '
                                 'collection that was indexed')
            for document, wanted in documents.items():
                try:
                    value = values[document] if self.read is None else self.read(values[document])
                    texts.update(zip(wanted, segment_texts(value, {id: segments[id] for id in wanted}, self.by)))
                except ValueError as error:
                    raise ValueError(f'document {quoted(document)}: {error}') from error
        return texts


def _by_name(load: _Loader, documents: list[str], names: Sequence[str]) -> Mapping[str, Any]:
    """The values of documents in the source, under their ids or the names that were percent-encoded to be ids."""
    values = dict(load(documents, names))
    encoded = {document: unquote_id(document) for document in documents
               if '%' in document and is_missing(values.get(document))}
    if encoded:
        found = load(list(encoded.values()), names)
        values |= {document: found.get(name) for document, name in encoded.items()}
    return values


_Loader = Callable[[list[str], Sequence[str]], Mapping[str, Any]]


def _loader(source: Any) -> _Loader:
    """A function that loads the texts, or the transcripts, of documents: ids and columns by preference → id → value."""
    if isinstance(source, Mapping):
        return lambda ids, names: {id: source.get(id) for id in ids}
    if isinstance(source, pd.DataFrame):
        if 'docno' not in source.columns:
            raise ValueError('the source has no documents: give them again if an index has used them up, or a list'
                             if source.empty else f'the source has the columns {", ".join(map(str, source.columns))}: '
                             "name the one with the ids of documents 'docno'")
        twice = source['docno'].duplicated()
        if twice.any():
            raise ValueError(f'the source has {quoted(source["docno"][twice].iloc[0])} twice: give each document once')
        return lambda ids, names: _column_of(source, names)
    dataset = _dataset(source)
    if hasattr(dataset, 'docs_store'):
        return partial(_of_dataset, dataset)
    if hasattr(source, 'text_loader'):
        return lambda ids, names: _loaded(source.text_loader(names[0]), ids, names)
    if isinstance(source, pt.Transformer) and not isinstance(source, pt.Indexer):
        return partial(_loaded, source)
    raise TypeError(f'source={quoted(source)} has no texts of documents: give a mapping from documents to texts or to '
                    'transcripts, what read_transcripts gives, a frame with docno and text, a dataset with documents, '
                    'or an index that stores texts')


def _dataset(source: Any) -> Any:
    return source.irds_ref() if hasattr(source, 'irds_ref') else source


def _of_dataset(dataset: Any, ids: list[str], names: Sequence[str]) -> dict[str, Any]:
    name = _one_of(names, dataset.docs_cls()._fields)
    return {document.doc_id: getattr(document, name) for document in dataset.docs_store().get_many_iter(ids)}


def _loaded(loader: pt.Transformer, ids: list[str], names: Sequence[str]) -> dict[str, Any]:
    try:
        loaded = loader(pd.DataFrame({'docno': ids}))
    except KeyError as error:
        raise ValueError(f'some of {len(ids)} documents have no text in the source ({error}): give that of the '
                         'collection that was indexed') from error
    return _column_of(loaded, names)


def _column_of(frame: pd.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    return dict(zip(map(str, frame['docno']), frame[_one_of(names, frame.columns)]))


def _one_of(names: Sequence[str], there: Collection[str]) -> str:
    if found := [name for name in names if name in there]:
        return found[0]
    raise ValueError(f'the source has the columns {", ".join(map(str, there))}, but not '
                     f'{" or ".join(map(repr, names))}, which the segments are cut from: say which it is with column=…')


def transcript_documents(rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Joins rows of transcripts to documents, one for each recording, for an indexing pipeline such as
    ``(pt.segments.sliding(60, 30) >> index).index(documents)``.

    Args:
        rows: tuples ``(document, start, end, text)`` or ``(document, start, end, text, speaker)``, times in seconds,
            those of a document together

    Returns:
        for each document ``docno``, ``transcript`` (its lines) and ``text`` (all of them, joined by blanks)

    Raises:
        ValueError: a row of another shape, or rows of a document in two places (the sentence names the row, from 0)

    Examples:
        >>> import pyterrier as pt
        >>> rows = [('v1', 0, 4.5, 'Good evening.'), ('v1', 4.5, 9, 'Tonight: bees.')]
        >>> document, = pt.segments.transcript_documents(rows)
        >>> document['docno'], document['text']
        ('v1', 'Good evening. Tonight: bees.')
    """
    seen: set[str] = set()
    for document, group in groupby(_named_lines(rows), key=itemgetter(1)):
        numbers, _, lines = zip(*group)
        if document in seen:
            raise ValueError(f'row {numbers[0]} of the transcript is of {quoted(document)}, whose rows stand further '
                             'up: sort the rows by document')
        seen.add(document)
        yield {'docno': document, 'transcript': list(lines), 'text': ' '.join(line.text for line in lines)}


def _named_lines(rows: Iterable[Any]) -> Iterator[tuple[int, str, Line]]:
    """The number, the document and the line of each row."""
    for count, row in enumerate(rows):
        fields = tuple(row) if isinstance(row, tuple | list) else ()
        if not (4 <= len(fields) <= 5 and isinstance(fields[0], str) and isinstance(fields[3], str)):
            raise ValueError(f'row {count} of the transcript is {quoted(row)}: give (document, start, end, text), or '
                             "(document, start, end, text, speaker), with the text '' where there is none; "
                             'documents that read_transcripts gives do without transcript_documents')
        try:
            line, = transcript_lines([(*fields[1:3], '', *fields[4:])])
        except ValueError as error:
            raise ValueError(f'row {count}: {error}'.replace(': line 1 of', ' of', 1)) from None
        yield count, fields[0], line._replace(text=fields[3])
