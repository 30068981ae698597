"""The input of commands: judgements and runs as rows, errors with file and line of a row, texts, and lengths."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures import formats
from ir_segmeasures.commands.parser import UsageError
from ir_segmeasures.commands.streams import file_of, note, with_its_name
from ir_segmeasures.formats.files.reading import FormatError, read_bytes
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.requests import ReadRequest, files_of_kind
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import quote_id
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import warn, warn_user

_TRIED = 1 << 25  # bytes of a file that is read in all formats, which takes seconds


class Source(NamedTuple):
    """Rows, and where they are from.

    Attributes:
        rows: judgements or a run
        request: by which they were read
        run_format: of judgements: the format of the runs of their dataset
        dataset: of judgements: their dataset, None for a file
    """

    rows: Sequence[Any]
    request: ReadRequest
    run_format: str = 'trec'
    dataset: Any = None

    def in_file(self, error: RowError) -> Exception:
        """The error about a row, with its file and its line."""
        return self.request.in_file(error, self.rows)


def read_qrels(request: ReadRequest, repair: str = 'add --from') -> Source:
    """The judgements of a file, of standard input or of a dataset, whichever the path of the request names; ``repair``
    as for :func:`likeness`."""
    path = os.fspath(request.path)
    # A file has priority over ir_datasets, as in the command ir_measures.
    is_taken = formats.FORMATS[request.true_format].folders or not os.path.isdir(path)
    if path == '-' or (os.path.exists(path) and is_taken):
        request = replace(request, path=file_of(path))
        return Source(as_asked(read_rows(request, repair), request), request)
    dataset = dataset_of(path, 'not a file')
    if request.format != 'trec':
        raise UsageError(f'--from and --qrels-format are for files, but {path} is a dataset: leave them out')
    if not dataset.has_qrels():
        raise ValueError(f'the dataset {path} has no qrels: name one that has')
    run_format = getattr(dataset.qrels_handler(), 'run_format', 'trec')  # datasets of ir_datasets itself do not tell
    return Source(as_asked(list(dataset.qrels_iter()), request), request, run_format, dataset)


def read_run(request: ReadRequest, qrels: Source) -> Source:
    """A run of a file or of standard input, beside its judgements."""
    request = replace(request, path=file_of(os.fspath(request.path)))
    options = files_of_kind(request.true_format, 'run').options
    if 'videos' in options:
        request = replace(request, videos={row.query_id: row.doc_id.partition('#')[0] for row in qrels.rows})
    rows = read_rows(request, 'add --run-format')  # --from would be that of the qrels, too
    if isinstance(rows, FileRows):
        _call_as_judged(rows, qrels.rows)
    if 'clip' in options:
        rows = within_videos(rows, request, durations_of(qrels))
    if request.task == 'SVMR':
        from ir_segmeasures.measures.moments import items_of_judged_videos
        rows = items_of_judged_videos(rows, qrels.rows)
    return Source(as_asked(rows, request), request)


def _call_as_judged(rows: FileRows[Any], judged: Sequence[Any]) -> None:
    """Calls the documents of a run as the judgements do, where either is a sheet whose files lost their extensions."""
    files, judged_files = rows.beside.get('file'), getattr(judged, 'beside', {}).get('file')
    if files is None and judged_files is None:
        return
    documents, judged_documents = ([row.doc_id.partition('#')[0] for row in some] for some in (rows, judged))
    known = dict(zip(judged_documents if judged_files is None else judged_files.tolist(), judged_documents))
    ids = rows.columns['doc_id']
    for row, (name, document) in enumerate(zip(documents if files is None else files.tolist(), documents)):
        ids[row] = known.get(name, document) + ids[row][len(document):]


def read_rows(request: ReadRequest, repair: str = 'add --from', swapped: str = '', named: bool = False) -> Any:
    """The rows of a request; an error says what the file looks like, and the repair."""
    try:
        return request.read(named)
    except formats.FormatError as error:
        raise formats.FormatError(likeness(request, repair, error.sentence, swapped), error.path, error.line) from None


def likeness(request: ReadRequest, repair: str, sentence: str, swapped: str = '') -> str:
    """The sentence about a file that cannot be read, with the formats that it looks like and the repair, which the name
    of a format completes, or that it is a run in the place of judgements, or the reverse."""
    unnamed = request.true_format == 'trec' and read_bytes(request.path, 1 << 10).lstrip()[:1] in (b'{', b'[')
    if unnamed:
        sentence = 'the file is JSON, and the name of its format is missing'
    if like := _formats_of(request, request.kind):
        return f'{sentence}; it looks like {" or ".join(like)}: {repair} {like[0]}'
    here, other = ('judgements', 'run') if request.kind == 'qrels' else ('a run', 'qrels')
    if like := _formats_of(request, other):
        of = '' if request.true_format in like else f' of {like[0]}'
        return (f'{here} should be here, but this looks like {"a run" if other == "run" else "judgements"}{of}: '
                + (swapped or 'are the two swapped? Name the judgements first, and runs behind them'))
    return f'{sentence}: {repair}, with one that ir_segmeasures formats lists' if unnamed else sentence


def _formats_of(request: ReadRequest, kind: str) -> list[str]:
    """The formats in which the file of a request can be read; of those that read the same rows, the first;
    judgements have something relevant."""
    like: dict[str, Any] = {}
    tried = (request.format, request.true_format) if kind == request.kind else ()
    others = [name for name in formats.FORMATS if name not in tried]
    for name in others if os.path.getsize(request.path) <= _TRIED else ():
        takes_texts = 'texts' in getattr(formats.FORMATS[name].files(kind), 'options', ())
        trial = ReadRequest(request.path, kind, name, texts=request.texts if takes_texts else None)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')
                rows = list(trial.read())
        except (OSError, ValueError, ImportError):
            continue
        if rows not in like.values() and (rows if kind == 'run' else any(row.relevance > 0 for row in rows)):
            like[trial.true_format] = rows
    return list(like)


def holds(kind: str, format: str = 'trec', pool: bool = False) -> Callable[[str], bool]:
    """The test whether a file holds a run, judgements, or a pool, whose judgements are below 0, in a format, for
    :func:`~ir_segmeasures.commands.streams.refuse_to_replace`. What can be read as a run, too, is not judgements."""
    def test(path: str) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter('error', UserWarning)  # such as that of columns that lack
            rows = ReadRequest(path, kind, format).read()
            if kind == 'qrels':
                with suppress(ValueError):
                    return not ReadRequest(path, 'run', format).read()
            return kind == 'run' or pool == all(row.relevance < 0 for row in rows)
    return test


def as_asked(rows: Sequence[Any], request: ReadRequest) -> Sequence[Any]:
    """The rows with segment ids, or as those of whole videos where the task is to rank these (VR), with ties broken
    where the request says how."""
    rows = request.with_segment_ids(rows)
    if request.ties is not None and request.kind == 'run':
        from ir_segmeasures.ids.ties import break_ties
        rows = break_ties(rows, *request.ties)
    if request.task == 'VR':
        from ir_segmeasures.ids.documents import to_documents
        rows = to_documents(rows)
    return rows


def within_videos(rows: Sequence[Any], request: ReadRequest, durations: Mapping[str, float]) -> Sequence[Any]:
    """The rows of a request with times in seconds, within their videos where it asks for that. A message says how many
    were cut off, a warning how many go beyond the end of their video."""
    from ir_segmeasures.formats.extents import clipped
    if request.normalised:
        rows, whole = request.in_seconds(rows, durations)
        note(f'times of {request.path} are taken as parts of the duration, from 0 to {whole}')
    if not request.clip and not durations:
        return rows
    cut, count = clipped(rows, durations)
    counted = f'{count} of {len(rows)} windows of {request.path}'
    if request.clip:
        end = 'or at the end of their video' if durations else '(no durations are known)'
        note(f'{counted} are cut off at 0 {end}')
    elif count:
        warn([with_its_name(f'{counted} go beyond the end of their video: cut them off with --clip, or correct them')])
    return cut if request.clip else rows


def durations_of(qrels: Source) -> dict[str, float]:
    """Video → its duration, as far as the judgements or their dataset tell."""
    durations = {row.doc_id: row.duration for row in qrels.rows if getattr(row, 'duration', None) is not None}
    if not durations and (dataset := qrels.dataset) and dataset.has_docs() and 'duration' in dataset.docs_cls()._fields:
        with suppress(FileNotFoundError):  # of a list that people make themselves, and judgements do without
            durations = {document.doc_id: document.duration for document in dataset.docs_iter()}
    return durations


def unit_of(qrels: Source, run_format: str) -> str | None:
    """The unit of bare columns, where a format tells: for what people read, it changes no value."""
    named = (qrels.request.format, run_format, qrels.run_format)  # the last is TREC's, where there is no dataset
    return next(filter(None, (formats.FORMATS[name].unit for name in named)), None)


def dataset_of(id: str, what: str) -> Any:
    """The dataset of an id; ``what`` says what else the id could have been, and is not."""
    try:
        from ir_segmeasures import datasets
        return datasets.load(id.removeprefix('irds:').removeprefix('segments:'))  # as PyTerrier calls them
    except (ImportError, ValueError) as error:
        raise ValueError(f'{id} is {what}, and {error}; if it is a path, correct it') from None


def texts_of(source: str) -> Any:
    """The texts of documents: those of a folder, of JSON lines, or of the dataset of an id."""
    if os.path.isdir(source):
        from ir_segmeasures.formats.texts import FolderTexts  # imported when it is needed
        return FolderTexts(source)
    if os.path.exists(source):
        from ir_segmeasures.formats.texts import read_collection
        try:
            found = read_collection(source)
        except FormatError as error:
            raise FormatError(f'{error.sentence}; documents are a folder of texts or transcripts, JSON lines, or a '
                              'dataset', error.path, error.line) from None
        found |= {name.rpartition('.')[0]: text for name, text in found.items() if '.' in name}
        return {quote_id(name): text for name, text in found.items()}
    from ir_segmeasures.study.view.html import DatasetTexts
    return DatasetTexts(dataset_of(source, 'not a folder'))


def page_texts(judgements: Source, queries: str | None, docs: str | None) -> tuple[dict[str, str], Any]:
    """The texts of the queries and of the documents of a page: those of the files that are named, or those that the
    dataset of the judgements or their own file has."""
    found: dict[str, str] = {}
    texts = None if docs is None else texts_of(docs)
    dataset, request = judgements.dataset, judgements.request
    if dataset is not None and dataset.has_queries() and not queries:
        from ir_segmeasures.study.view import text_of
        try:
            found = {query.query_id: text_of(query) or '' for query in dataset.queries_iter()}
        except (OSError, RuntimeError) as error:
            warn_user(f'the page shows no texts of queries: {error}')
    elif dataset is None and 'unlocated' in formats.FORMATS[request.true_format].qrels.options:
        from ir_segmeasures.formats.evidence import read_evidence
        evidence = read_evidence(request.path, request.true_format)
        found = evidence.questions
        texts = texts or {quote_id(name): text for name, text in (evidence.texts or {}).items()} or None
    elif dataset is None and (read := formats.FORMATS[request.true_format].qrels.texts) is not None:
        with suppress(FormatError):  # of lines without texts
            found = dict(read(request.path))
    return query_texts(queries) if queries else found, texts


def query_texts(path: str) -> dict[str, str]:
    """The texts of the queries in a file, as read_tabs reads it."""
    from ir_segmeasures.formats.texts import read_tabs
    return dict(read_tabs(path, 'query'))


def lengths_of(path: str | None, qrels: Source) -> dict[str, float]:
    """Document → its length, of a file, a folder of transcripts or a dataset, or of the dataset of the judgements if
    there is no path. A document that is judged beyond its listed end is as long as that, with a warning.
    """
    lengths: dict[str, float] = {}
    if path and os.path.exists(path):
        from ir_segmeasures.formats.texts import read_sizes
        lengths = read_sizes(path)
    elif dataset := dataset_of(path, 'not a file') if path else qrels.dataset:
        from ir_segmeasures.ids.resolving import lengths_and_unit
        try:
            lengths, _ = lengths_and_unit(dataset) or ({}, '')
        except (OSError, RuntimeError) as error:
            if path is not None:
                raise
            if not isinstance(error, FileNotFoundError):  # a list that people make themselves, and nobody asked for
                warn_user(f'documents end with their last segment: {error}')
    if path is not None and not lengths:
        raise UsageError(f'--lengths: {path} has no transcript (.vtt, .srt, .json …) and no lengths: name another')
    table = SegmentTable.from_qrels(qrels.rows if lengths else [])
    ids = table.document_ids if path else []
    if ids and lengths.keys().isdisjoint(ids):
        warn([f'{path} has none of the {len(ids)} judged documents, such as {quoted(ids[0])}, but '
              f'{quoted(next(iter(lengths)))}: give both the same names'])
    judged = zip((table.document_ids[place] for place in table.document), table.end.tolist())
    beyond = {name: end for name, end in sorted(judged) if lengths.get(name, inf) < end < inf}
    warn(f'{len(beyond)} documents are judged beyond their listed end, such as {quoted(name)}: they are taken to end '
         'with what is judged' for name in [*beyond][:1])
    return {**lengths, **beyond}
