"""Files of benchmarks and tools of text retrieval: BEIR and MTEB, ranx, and MS MARCO.

Ids of documents may be those of segments, or become such by a pattern or a table.

Sources: BEIR, https://github.com/beir-cellar/beir; MTEB, https://github.com/embeddings-benchmark/mteb; ranx,
https://github.com/AmenRa/ranx; MS MARCO, https://microsoft.github.io/msmarco/.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ir_segmeasures.formats import trec
from ir_segmeasures.formats.files.fields import converter, interned, positions
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_text, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows, Number, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    lost_decimals,
    word,
    write_text,
    written_id,
)
from ir_segmeasures.formats.json_files import converted, json_lines, json_value, record_of
from ir_segmeasures.formats.moment_windows import Id
from ir_segmeasures.segments.json_objects import shown_value
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.adapters import VALUE

__all__ = ['BEIR', 'MSMARCO', 'RANX', 'BenchmarkText', 'read_json_qrels', 'read_json_run', 'read_run', 'read_texts',
           'write_json_qrels', 'write_json_run']

_META = 'mteb_model_meta'


class BenchmarkText(NamedTuple):
    """A query or a document of ``queries.jsonl`` or ``corpus.jsonl``; queries have no title."""
    id: str
    text: str
    title: str = ''


class _TextLine(msgspec.Struct, rename={'id': '_id'}):
    id: Id
    text: str
    title: str | None = None


def read_texts(path: StrPath) -> list[BenchmarkText]:
    """Reads queries or documents of BEIR, one object a line with ``_id``, ``text`` and maybe ``title``.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.text_benchmarks import read_texts
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'queries.jsonl'
        >>> _ = path.write_text('{"_id": "q1", "text": "swarming", "metadata": {}}')
        >>> read_texts(path)
        [BenchmarkText(id='q1', text='swarming', title='')]

    Raises:
        FormatError: a line is no such object, or an id is there twice
        OSError: the file cannot be opened
    """
    found = json_lines(path, lambda line: record_of(line, _TextLine))
    refuse_twice(path, (number for number, _ in found), (line.id for _, line in found), 'id')
    return [BenchmarkText(line.id, line.text, line.title or '') for _, line in found]


def read_run(path: StrPath) -> Sequence[TrecScoredDoc]:
    """Reads a run of BEIR: one JSON object, as :func:`read_json_run` does, or the lines of TREC."""
    text = read_text(path)
    return _read_json(path, 'run', text) if text.lstrip().startswith('{') else trec.read_run(path)


def read_json_run(path: StrPath) -> Sequence[TrecScoredDoc]:
    """Reads a run in JSON, ``{query: {document: score}}``, in file order; or the predictions of MTEB for one subset and
    split, where such an object is the value of these two.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.text_benchmarks import read_json_run
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'run.json'
        >>> _ = path.write_text('{"q1": {"talk#t=60,90": 2.5}}')
        >>> list(read_json_run(path))
        [ScoredDoc(query_id='q1', doc_id='talk#t=60,90', score=2.5)]

    Raises:
        FormatError: the file is no such object; MTEB's has several subsets or splits
        OSError: the file cannot be opened
    """
    return _read_json(path, 'run', read_text(path))


def read_json_qrels(path: StrPath) -> Sequence[TrecQrel]:
    """Reads judgements in JSON, ``{query: {document: grade}}``, as :func:`read_json_run` does a run."""
    return _read_json(path, 'qrels', read_text(path))


def _read_json(path: StrPath, kind: str, text: str) -> Sequence[Any]:
    if not text.strip():
        return []
    form = f'one object {{query: {{document: {VALUE[kind]}}}}}'
    content = json_value(text, f'it is {form}: correct it', path)
    if isinstance(content, dict) and _META in content:
        content = _predictions(content, path)
    with errors_in(path):
        found: dict[str, dict[str, Number]] = converted(content, dict[Id, dict[Id, Number]], f'the file ({form})')
        for query, documents in found.items():
            for document, value in documents.items():
                if not -1e300 <= value <= 1e300:
                    raise ValueError(f'query {quoted(query)}, document {quoted(document)} has {shown_value(value)}, '
                                     'which is not a finite number: correct it')
    row_type, value_of = (TrecScoredDoc, float) if kind == 'run' else (TrecQrel, plain_number)
    more = () if kind == 'run' else ('0',)
    return FileRows.of(row_type, ((query, document, value_of(value), *more) for query, documents in found.items()
                                  for document, value in documents.items()))


def _predictions(found: dict[str, Any], path: StrPath) -> Any:
    """The predictions of MTEB for their only subset and split."""
    parts = {f'{subset}/{split}': value for subset, splits in found.items() if subset != _META and isinstance(splits,
    dict) for split, value in splits.items()}
    if len(parts) != 1:
        raise FormatError(f'the predictions are of {len(parts)} subsets and splits ({joined(parts)}), but a run is of '
                          'one: take the others out', path)
    return parts.popitem()[1]


def write_json_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a run in JSON, queries as they first appear.

    Args:
        rows: of any reader; those with ``start`` and ``end`` get segment ids
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: an item is there twice for a query
    """
    return _write_json(rows, path, unit, 'run')


def write_json_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements in JSON, as :func:`write_json_run` does a run."""
    return _write_json(rows, path, unit, 'qrels')


def _write_json(rows: Sequence[Any], path: StrPath, unit: str | None, kind: str) -> list[str]:
    rows, found = list(rows), dict[str, dict[str, Any]]()

    def add(row: Any) -> None:
        documents, id = found.setdefault(row.query_id, {}), written_id(row, unit)
        if id in documents:
            raise ValueError('it is there twice for its query, but an object has each key once: take one out')
        documents[id] = json.loads(decimal(getattr(row, VALUE[kind]), VALUE[kind]))
    judged_lines(rows, add)
    write_text([json.dumps(found, indent=1)], path)
    return left_out(rows, (), paths=True) + lost_decimals(rows)


def _qrel(query: Any, document: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(query), document, trec.grades(relevance), '0')  # type: ignore[arg-type]


def _scored_doc(query: Any, document: Any, rank: Any) -> TrecScoredDoc:
    return TrecScoredDoc(interned(query), document, -1.0 * np.asarray(_ranks(rank)))  # type: ignore[arg-type]


def _qrel_line(row: Any, unit: str | None) -> list[str]:
    return [word(row.query_id, 'query'), written_id(row, unit), decimal(row.relevance, 'relevance')]


def _rank_line(row: Any, unit: str | None, rank: int) -> list[str]:
    return [word(row.query_id, 'query'), written_id(row, unit), str(rank)]


def _from_1(texts: list[str]) -> Any:
    ranks = np.asarray(positions(texts))
    if (ranks < 1).any():
        raise ValueError
    return ranks


_ranks = converter(_from_1, 'rank {} is not a number from 1 up: number the items of a query 1, 2, 3 and so on')
_BEIR_QRELS = Lines("BEIR's qrels", 'query-id corpus-id score', _qrel, _qrel_line, paths=True, separator='\t',
                    header=True)
_MSMARCO_RUN = Lines('a run of MS MARCO', 'query document rank', _scored_doc, _rank_line, paths=True, ranked='rank',
                     beside=('rank',), between='\t')
BEIR = Format('beir', "BEIR and MTEB: qrels as TSV with a header, runs in JSON, MTEB's predictions, or as TREC's", None,
              _BEIR_QRELS.files(), Files(read_run, write_json_run, rules=trec.SCORED),
              lists=trec.TREC.lists)
RANX = Format('ranx', 'ranx: JSON of qrels and runs, {query: {document: grade or score}}', None,
              Files(read_json_qrels, write_json_qrels), Files(read_json_run, write_json_run, rules=trec.SCORED),
              lists=trec.TREC.lists)
MSMARCO = Format('msmarco', 'MS MARCO: qrels as in trec, 3-column runs of queries, documents and ranks', None,
                 trec.TREC.qrels, _MSMARCO_RUN.files(), lists=trec.TREC.lists)
