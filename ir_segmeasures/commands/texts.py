"""Texts of queries and documents, and lengths of documents, that commands are given."""

import os
from math import inf
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.inputs import Source, dataset_of
from ir_segmeasures.commands.parser import UsageError
from ir_segmeasures.formats.files.reading import FormatError, read_text
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import quote_id
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import warn

__all__ = ['dataset_queries', 'evidence_of', 'lengths_of', 'query_texts', 'texts_of']


def texts_of(source: str) -> Any:
    """The texts of documents: those of a folder, of JSON lines, or of the dataset of an id."""
    if os.path.isdir(source):
        from ir_segmeasures.formats.texts import FolderTexts  # imported when it is needed
        return FolderTexts(source)
    if os.path.exists(source):
        return _collection(source)
    from ir_segmeasures.study.view.texts import DatasetTexts
    return DatasetTexts(dataset_of(source, 'not a folder'))


def _collection(source: str) -> dict[str, str]:
    from ir_segmeasures.formats.texts import read_collection
    found = dict(read_collection(source))
    found |= {name.rpartition('.')[0]: text for name, text in found.items() if '.' in name}
    return {quote_id(name): text for name, text in found.items()}


def evidence_of(judgements: Source, docs: str | None) -> tuple[dict[str, str], Any]:
    """The texts of the queries and of the documents of a page: those of ``docs``, or those that a file of evidence has
    itself."""
    files = formats.FORMATS[judgements.request.true_format].qrels
    if judgements.dataset is not None or 'unlocated' not in files.options:
        return {}, None if docs is None else texts_of(docs)
    from ir_segmeasures.formats.evidence import read_evidence
    evidence = read_evidence(judgements.request.path, judgements.request.true_format)
    if docs is not None:
        return evidence.questions, texts_of(docs)
    return evidence.questions, {quote_id(name): text for name, text in (evidence.texts or {}).items()} or None


def query_texts(path: str) -> dict[str, str]:
    """The texts of the queries in a file with lines of an id, a tab and a text."""
    queries = {}
    for number, line in enumerate(read_text(path).split('\n'), 1):
        query_id, tab, text = line.partition('\t')
        if not line.strip():
            continue
        if not tab or not query_id:
            raise FormatError(f"the line has no {'tab, which stands' if query_id else 'id before the tab, which is'} "
                              "between a query's id and its text: put one there", path, number)
        if query_id in queries:
            raise FormatError(f'query {quoted(query_id)} has a text above: take one of the two out', path, number)
        queries[query_id] = text
    return queries


def dataset_queries(dataset: Any) -> dict[str, str]:
    """The texts of the queries of a dataset; none, with a warning, where they cannot be read."""
    from ir_segmeasures.study.view import text_of
    try:
        return {query.query_id: text_of(query) or '' for query in dataset.queries_iter()}
    except (OSError, RuntimeError) as error:
        warn_user(f'the page shows no texts of queries: {error}')
        return {}


def lengths_of(path: str | None, qrels: Source) -> dict[str, float]:
    """Document → its length, of a file, a folder of transcripts or a dataset, or of the dataset of the judgements if
    there is no path. A document that is judged beyond its listed end is as long as that, with a warning.
    """
    lengths: dict[str, float] = {}
    if path is not None and os.path.isfile(path):
        from ir_segmeasures.formats.extents import read_sizes
        lengths = read_sizes(path)
    elif path is not None and os.path.isdir(path):
        from ir_segmeasures.formats.texts import FolderTexts
        lengths = FolderTexts(path).lengths()
    elif path is not None or qrels.dataset is not None:
        from ir_segmeasures.datasets.lengths import document_lengths
        try:
            lengths = document_lengths(qrels.dataset if path is None else dataset_of(path, 'not a file')) or {}
        except (OSError, RuntimeError) as error:
            if path is not None:
                raise
            if not isinstance(error, FileNotFoundError):  # a list that people make themselves, and nobody asked for
                warn_user(f'documents end with their last segment: {error}')
    if path is not None and not lengths:
        raise UsageError(f'--lengths: {path} has no transcript (.vtt, .srt, .json …), and no document that tells its '
                         'length: name another')
    table = SegmentTable.from_qrels(qrels.rows)
    judged = zip((table.document_ids[place] for place in table.document), table.end.tolist())
    beyond = {name: end for name, end in sorted(judged) if lengths.get(name, inf) < end < inf}
    warn([f'{len(beyond)} documents are judged beyond their listed end, such as {quoted(next(iter(beyond)))}: they are '
          'taken to end with what is judged'] if beyond else [])
    return {**lengths, **beyond}
