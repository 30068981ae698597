"""Segment ids for ids of other kinds (those of whole documents, shots, element paths, passage numbers), by a table or
by a segmented corpus, such as that of MS MARCO v2.1, which TREC RAG uses: lines of JSON with a segment's id, and its
start and end in its document.
"""

import os
import zlib
from collections.abc import Collection, Hashable, Iterable, Mapping
from glob import glob
from gzip import BadGzipFile, open as gzip_open
from math import inf
from numbers import Real
from typing import Annotated, Any

import msgspec

from ir_segmeasures.ids.patterns import IdPattern
from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import UNIT_NAMES, UNITS, Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.user_warnings import RowError, warn_user

Extent = Segment | tuple[str, float, float]

ADD_OR_KEEP = "add them to it, or keep them with missing='keep'"


def resolve(rows: Any, table: Mapping[str, Extent] | None = None, unit: str | None = None, missing: str = 'error',
            repair: str = ADD_OR_KEEP, *, ids: str | None = None,
            corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None, id: str = 'docid',
            start: str = 'start_char', end: str = 'end_char', doc: str | None = None, kind: str | None = None) -> Any:
    """Replaces document ids of other kinds in a run or in qrels by segment ids: by a table of extents, by a pattern, or
    by a segmented corpus, such as ``corpus='msmarco_v2.1_doc_segmented/*.json.gz'`` for TREC RAG. One of ``table``,
    ``ids`` and ``corpus`` is given.

    Args:
        rows: a run or qrels in any of the shapes that :meth:`SegmentTable.from_run
            <ir_segmeasures.SegmentTable.from_run>` takes, with whole documents, shots, element paths, passage numbers …
            as document ids
        table: id → (document, start, end) in ``unit``, or → :class:`~ir_segmeasures.segments.segment.Segment` with its
            own; or document → its length in ``unit``; or a dataset of ir_datasets whose documents have their
            ``duration`` (seconds) or ``length`` (characters)
        unit: ``'t'`` (seconds), ``'char'``, ``'word'``, ``'line'`` or ``'page'``; not given: seconds
            for a table, characters for the others
        missing: ``'error'`` refuses ids that the table or the corpus lacks, or that the pattern does not fit,
            ``'keep'`` leaves them as they are, and ``'warn'`` does so with a warning that has their number and examples
        repair: the end of the error's sentence about such ids, which says what to do
        ids: a pattern of :class:`~ir_segmeasures.ids.patterns.IdPattern`: ``{doc}``, ``{start}``, and ``{end}`` or
            ``{length}``, once each; ``{}`` is anything
        corpus: a pattern of files, or files, with lines of JSON, one for each segment; ``.gz`` by suffix. They are read
            once, until all ids are found (:func:`~ir_segmeasures.ids.resolving.offsets_of`). Or a mapping or a dataset,
            as ``table`` takes it
        id, start, end, doc: the fields of these lines. Without ``doc``, the document is the segment's id up to ``#``.
        kind: ``'run'`` or ``'qrels'``, which names the rows in errors; not given: qrels where rows have ``relevance``
            and no ``score``, else a run

    Where the table has an attribute ``skipped``, id → the reason why the table lacks it, errors have these reasons.

    Segment ids stay as they are, but for one with an open end, which takes the end of its document from the table. A
    range of elements, ``a#xpath=/bdy[1]/p[2],/bdy[1]/p[4]``, is looked up by its first and its last.

    Returns:
        The shape it was given (a list for any iterable of rows), with other document ids.

    Raises:
        RowError: an id that is neither text nor a number
        ValueError: a table that is not a mapping, or holds something else than segments; ids that it lacks (with their
            number and examples), an id that is in the table and reads as a segment, too, or two ids of one query in a
            dict that are the same segment

    Examples:
        >>> from ir_segmeasures import resolve
        >>> resolve({'q1': {'shot1_1': 1.5}}, {'shot1_1': ('v1', 0, 4.2)})
        {'q1': {'v1#t=0,4.2': 1.5}}
        >>> resolve({'q1': {'822086267_6698-7277-0-579': 1.5}}, ids='{doc}_{start}-{end}-{}-{}')  # MTRAG
        {'q1': {'822086267#char=6698,7277': 1.5}}
    """
    if missing not in ('error', 'keep', 'warn'):
        raise ValueError(f"missing={quoted(missing)}: what to do with ids that it lacks is 'error', 'keep' or 'warn'")
    if sum(source is not None for source in (table, ids, corpus)) != 1:
        raise ValueError('offsets come from one place: give a table, ids=… (a pattern) or corpus=… (files)')
    source = table if corpus is None else corpus
    if hasattr(source, 'docs_iter') or hasattr(source, 'irds_ref'):
        table, corpus = document_extents(source), None
    elif isinstance(corpus, Mapping):
        table, corpus = corpus, None
    if table is not None and not isinstance(table, Mapping):
        read = isinstance(table, str | os.PathLike)
        raise ValueError(f'the table is a {type(table).__name__}: give a mapping from ids to (document, start, end)'
                         + (', such as formats.extents.read_extents() of this file' if read else ''))
    unit = ('char' if table is None else 't') if unit is None else unit
    if unit not in UNITS:
        raise ValueError(f'unit={quoted(unit)} is not a unit of segments: there are {UNIT_NAMES}')
    given = adapter_of(rows, kind)
    old = given.values('doc_id')
    distinct = _distinct(old, given.kind)
    texts = [id for id in distinct if isinstance(id, str) and ('#' not in id or not is_segment(id))]
    where = 'not in the table'
    if ids is not None:
        pattern = IdPattern(ids, unit)
        table = {id: segment for id in texts if (segment := pattern.segment(id)) is not None}
        where, repair = f'not of the form {quoted(ids)}', _or_keep('give the pattern of all ids', repair)
    elif corpus is not None:
        table = offsets_of(texts, corpus, {'id': id, 'start': start, 'end': end, 'doc': doc})
        where, repair = 'not in the corpus', _or_keep('give all of its files', repair)
    assert table is not None
    resolved = {id: segment_id(id, table, unit) for id in distinct}
    unknown = [id for id, segment in resolved.items() if segment is None]
    if unknown and missing != 'keep':
        why: Mapping[str, str] = getattr(table, 'skipped', {})
        examples = ', '.join(f'{quoted(id)} ({why[id]})' if id in why else quoted(id) for id in unknown[:3])
        sentence = f'{len(unknown)} of {len(resolved)} ids are {where}, such as {examples}'
        if missing == 'error':
            raise ValueError(f'{sentence}: {repair}')
        warn_user(f'{sentence}: they stay as they are')
    new = {id: segment or id for id, segment in resolved.items()}
    return given.assign({'doc_id': [*map(new.__getitem__, old)]}).rows


def _distinct(ids: list[Any], kind: str) -> dict[Any, None]:
    try:
        return dict.fromkeys(ids)
    except TypeError:
        row = next((row for row, id in enumerate(ids) if not isinstance(id, Hashable)), 0)
        raise RowError(kind, row, f'the doc_id {quoted(ids[row])} is not a string: give every row an id') from None


def is_segment(id: Any) -> bool:
    """Tells whether an id has offsets."""
    read = _segment_or_none(id)
    return read is not None and read.unit is not None


def _or_keep(repair: str, given: str) -> str:
    return f"{repair}, or keep them with missing='keep'" if given is ADD_OR_KEEP else given


def segment_id(id: str, table: Mapping[str, Extent], unit: str) -> str | None:
    """The segment id for one id by a table, as :func:`resolve` has it, or None if the table lacks the id.

    Raises:
        ValueError: as :func:`resolve`
    """
    extent = table.get(id)
    read = None if extent is not None and isinstance(id, str) and '#' not in id else _segment_or_none(id)
    if extent is not None:
        segment = _segment(id, extent, unit)
        if read is not None and read.unit is not None:
            raise ValueError(f'{quoted(id)} is ambiguous, an id of the table, or a part of {quoted(read.document)}: '
                             'rename it in the table, or percent-encode its last #')
        if read is not None and segment.path is None and segment.unit is not None and not _is_range(read):
            segment = segment._replace(path=read.path)  # of an element, which the table only gives offsets
        try:
            return format_segment(segment)
        except ValueError as error:
            raise ValueError(f'the table has {quoted(extent)} for {quoted(id)}: {error}') from None
    if read is None or read.unit is None:
        return None if read is None or not _is_range(read) else _range(id, read, table, unit)
    if read.end < inf:
        return id
    whole = table.get(read.document)
    if whole is None:
        return None
    extent = _segment(read.document, whole, unit)
    if (extent.document, extent.unit) != (read.document, read.unit):
        raise ValueError(f'{quoted(id)} runs to the end of its document, but the table has {quoted(extent.document)} '
                         f'in {quoted(extent.unit)}: give the end of {quoted(read.document)} in {quoted(read.unit)}')
    if extent.end < read.start:
        raise ValueError(f'{quoted(id)} starts at {format_number(read.start)}, after the end of its document at '
                         f'{format_number(extent.end)}: correct one of them')
    return format_segment(read._replace(end=extent.end))


def _is_range(segment: Segment) -> bool:
    """Tells whether a segment is a range from one place to another, as in ``a#xpath=/bdy[1]/p[2],/bdy[1]/p[4]``."""
    return segment.path is not None and ',' in segment.path


def _range(id: str, read: Segment, table: Mapping[str, Extent], unit: str) -> str | None:
    """The segment id of a range, from the start of the first element to the end of the last; either may be a place in a
    text node, ``/bdy[1]/p[2]/text()[1].15``. None if the table lacks one.
    """
    wrong = ValueError(f'{quoted(id)} is not a range from one place to a later one of the same document, by the '
                       'offsets that the table has for them: correct it')
    places = (read.path or '').split(',')
    if len(places) != 2 or not all(places):
        raise wrong
    ends = []
    for place in places:
        path, dot, offset = place.rpartition('.')
        within = bool(dot) and offset.isdecimal()
        element = format_segment(Segment(read.document, 0, 0, 'char', path if within else place)).rpartition('&')[0]
        found = table.get(element)
        if found is None:
            return None
        extent = _segment(element, found, unit)
        at = extent.start + int(offset) if within else None
        ends.append(extent if at is None else extent._replace(start=at, end=at))
    first, last = ends
    if (first.document, first.unit) != (last.document, last.unit) or last.end < first.start:
        raise wrong
    return format_segment(first._replace(end=last.end, path=None))


def _segment(id: str, extent: Any, unit: str) -> Segment:
    """The extent that the table has for an id, as a segment; its numbers are checked where they become an id."""
    if isinstance(extent, Segment):
        return extent
    if isinstance(extent, Real) and not isinstance(extent, bool):  # the length of a document
        return Segment(id, 0, extent, unit)  # type: ignore[arg-type]
    if not isinstance(extent, str | Mapping) and isinstance(extent, Iterable):
        values = list(extent)
        if (len(values) == 3 and isinstance(values[0], str)
                and all(isinstance(value, Real) and not isinstance(value, bool) for value in values[1:])):
            return Segment(values[0], values[1], values[2], unit)
    raise ValueError(f'the table has {quoted(extent)} for {quoted(id)}: give (document, start, end), Segment or length')


def _segment_or_none(id: Any) -> Segment | None:
    try:
        return parse_segment(id, elements=True)
    except (AttributeError, TypeError, ValueError):  # passage numbers may be no text
        return None


Offsets = tuple[str, int, int]

# The fields in which documents have their length, and its unit.
_LENGTHS = {'duration': 't', 'length': 'char'}


def lengths_and_unit(dataset: Any) -> tuple[dict[str, float], str] | None:
    """Document → its length, and the unit of the lengths; None where the documents tell none.

    Args:
        dataset: of ir_datasets, or one of PyTerrier that is made of such a one

    Raises:
        OSError: the documents are not here and cannot be downloaded
    """
    dataset = dataset.irds_ref() if hasattr(dataset, 'irds_ref') else dataset
    fields = dataset.docs_cls()._fields if dataset.has_docs() else ()
    field = next((field for field in _LENGTHS if field in fields), None)
    if field is None:
        return None
    return {row.doc_id: getattr(row, field) for row in dataset.docs_iter()}, _LENGTHS[field]


def document_extents(dataset: Any) -> dict[str, Segment]:
    """Document → the whole of it, as a segment, for a dataset as :func:`lengths_and_unit` takes it.

    Raises:
        ValueError: the documents do not tell their length
        OSError: the documents are not here and cannot be downloaded
    """
    found = lengths_and_unit(dataset)
    if found is None:
        raise ValueError('the documents of the dataset do not tell their length, as duration or length: give a table')
    lengths, unit = found
    return {document: Segment(document, 0, length, unit) for document, length in lengths.items()}


def offsets_of(needed: Collection[str], corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
               fields: Mapping[str, str | None]) -> dict[str, Offsets]:
    """The offsets of segments in their documents: id → (document, start, end), without ids that the corpus lacks. The
    files are read once, from front to back, and only until all are found.

    Args:
        needed: the ids
        corpus: a pattern such as ``'segments/*.json.gz'``, or files; each has lines of JSON, ``.gz`` by suffix
        fields: ``id``, ``start``, ``end`` and maybe ``doc`` → the names of these fields in a line

    Raises:
        ValueError: a line that is not of this form, or an id that stands twice with other offsets
        FileNotFoundError: a pattern that no file has
    """
    names = {field: name for field, name in fields.items() if name is not None}
    place = Annotated[int, msgspec.Meta(ge=0)]
    types = {'id': str | int, 'start': place, 'end': place, 'doc': str | int}
    decode = msgspec.json.Decoder(msgspec.defstruct('Line', [(field, types[field]) for field in names],
                                                    rename=names)).decode
    missing, found = set(needed), dict[str, Offsets]()
    for file in _files(corpus):
        if len(found) == len(missing):
            break
        with (gzip_open if file.endswith('.gz') else open)(file, 'rb') as opened:
            try:
                for number, line in enumerate(opened, 1):
                    try:
                        row: Any = None if line.isspace() else decode(line)
                        if row and (id := str(row.id)) in missing:
                            offsets = _document(row, id), row.start, row.end
                            if found.setdefault(id, offsets) != offsets:
                                raise ValueError(f'segment {quoted(id)} stands twice, with the offsets {found[id]} and '
                                                 f'{offsets}: correct the corpus')
                    except (RecursionError, ValueError) as error:
                        repair = ': give lines of JSON, one for each segment, and name the fields with id=…, start=…, '\
                            'end=… and doc=…' if isinstance(error, msgspec.MsgspecError | RecursionError) else ''
                        raise ValueError(f'{file}, line {number}: {error}{repair}') from None
            except (BadGzipFile, EOFError, zlib.error) as error:
                raise ValueError(f'{file}: it is not a whole gzip file ({error}): get it once more') from None
    return found


def _document(row: Any, id: str) -> str:
    """The document of a segment. Raises a ValueError with a sentence."""
    if row.end < row.start:
        raise ValueError(f'segment {quoted(id)} goes from {row.start} to {row.end}, but offsets rise: correct the line')
    document, mark, _ = id.partition('#')
    if hasattr(row, 'doc'):
        return str(row.doc)
    if not mark:
        raise ValueError(f"the id {quoted(id)} has no '#' behind its document: name the document's field with doc=…")
    return document


def _files(corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    if not isinstance(corpus, str | os.PathLike):
        return [os.fspath(file) for file in corpus]
    name = os.fspath(corpus)
    files = [name] if os.path.isfile(name) else sorted(filter(os.path.isfile, glob(name, recursive=True)))
    if not files:
        raise FileNotFoundError(f'no file is named as {quoted(name)}: give the corpus, such as segments/*.json.gz')
    return files
