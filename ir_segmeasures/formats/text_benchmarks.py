"""Files of benchmarks and tools of text retrieval: BEIR and MTEB, ranx, and MS MARCO.

Ids of documents may be those of segments, or become such by a pattern or a table.

Sources: BEIR, https://github.com/beir-cellar/beir; MTEB, https://github.com/embeddings-benchmark/mteb; ranx,
https://github.com/AmenRa/ranx; MS MARCO, https://microsoft.github.io/msmarco/.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats import trec
from ir_segmeasures.formats.files.blocks import taken_column
from ir_segmeasures.formats.files.columns import ColumnFile, header_first
from ir_segmeasures.formats.files.fields import anywhere, column_of, interned, position
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, numbered_rows, read_text, refuse_twice
from ir_segmeasures.formats.files.row_types import Rows, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, word, write_text
from ir_segmeasures.formats.json_files import NOT_PLAIN, json_value, plain_floats, refuse_other_types
from ir_segmeasures.formats.moment_lines import whole_line
from ir_segmeasures.segments.json_objects import TwiceError, is_number, loads
from ir_segmeasures.segments.quoting import joined, quoted, truncated
from ir_segmeasures.segments.spans import plain_number, plain_numbers
from ir_segmeasures.segments.tables.adapters import VALUE

__all__ = ['BEIR', 'MSMARCO', 'RANX', 'BenchmarkText', 'read_json_qrels', 'read_json_run', 'read_run', 'read_texts',
           'write_json_qrels', 'write_json_run']

_META = 'mteb_model_meta'


class BenchmarkText(NamedTuple):
    """A query or a document of ``queries.jsonl`` or ``corpus.jsonl``; queries have no title."""
    id: str
    text: str
    title: str = ''


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
    numbers, rows = numbered_rows(path, _text, whole_line)
    refuse_twice(path, numbers, (row.id for row in rows), 'id')
    return rows


def _text(fields: list[str]) -> BenchmarkText:
    try:
        found = loads(fields[0])
        id, text, title = found['_id'], found['text'], found.get('title') or ''
        if not (isinstance(id, str) and id and isinstance(text, str) and isinstance(title, str)):
            raise TypeError
    except TwiceError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError):
        raise ValueError('the line is no object {"_id": …, "text": …} with an id and a text, but each line of queries '
                         'and documents is one: correct it') from None
    return BenchmarkText(id, text, title)


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
    found = json_value(text, f'it is one object {{query: {{document: {VALUE[kind]}}}}}: correct it', path)
    if isinstance(found, dict) and _META in found:
        found = _predictions(found, path)
    with suppress(*NOT_PLAIN):
        return _plain_rows(found, kind)
    with errors_in(path):
        return list(_rows(found, kind))


def _predictions(found: Mapping[str, Any], path: StrPath) -> Any:
    """The predictions of MTEB for their only subset and split."""
    subsets = {name: splits for name, splits in found.items() if name != _META}
    parts = {f'{subset}/{split}': value for subset, splits in subsets.items() if isinstance(splits, dict)
             for split, value in splits.items()}
    if len(parts) != 1:
        raise FormatError(f'the predictions are of {len(parts)} subsets and splits ({joined(parts)}), but a run is of '
                          'one: take the others out', path)
    return parts.popitem()[1]


def _plain_rows(found: Any, kind: str) -> Rows[Any]:
    """The rows of :func:`_rows`, by columns. Raises an error of ``NOT_PLAIN`` where something is wrong."""
    refuse_other_types(found.values(), dict)
    queries, documents = list(found), list(chain.from_iterable(found.values()))
    values = plain_floats(list(chain.from_iterable(map(dict.values, found.values()))))
    if '' in found or '' in documents:
        raise ValueError
    query = taken_column(column_of(queries), np.repeat(np.arange(len(found)), list(map(len, found.values()))))
    return Rows(TrecScoredDoc, (query, documents, values)) if kind == 'run' else Rows(
        TrecQrel, (query, documents, column_of(plain_numbers(values)), ['0'] * len(documents)))


def _rows(found: Any, kind: str) -> Iterator[Any]:
    wanted = f'but the file is one object {{query: {{document: {VALUE[kind]}}}}}: correct it'
    if not isinstance(found, dict):
        raise ValueError(f'there is {_shown(found)}, {wanted}')
    for query, documents in found.items():
        if not isinstance(documents, dict):
            raise ValueError(f'query {quoted(query)} has {_shown(documents)}, {wanted}')
        for document, value in documents.items():
            if not (query and document and is_number(value)):
                raise ValueError(f'query {quoted(query)}, document {quoted(document)} has {_shown(value)}, {wanted}')
            yield TrecScoredDoc(query, document, float(value)) if kind == 'run' else TrecQrel(
                query, document, plain_number(value), '0')  # type: ignore[arg-type]  # as in trec


def _shown(value: Any) -> str:
    return truncated(json.dumps(value))


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
        documents, id = found.setdefault(row.query_id, {}), trec.written_id(row, unit)
        if id in documents:
            raise ValueError('it is there twice for its query, but an object has each key once: take one out')
        documents[id] = json.loads(decimal(getattr(row, VALUE[kind]), VALUE[kind]))
    judged_lines(rows, add)
    write_text([json.dumps(found, indent=1)], path)
    return left_out(rows, (), paths=True) + trec.lost_decimals(rows)


def _qrel(query: Any, document: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(query), document, trec.parse_relevance(relevance), '0')


def _qrel_line(row: Any, unit: str | None) -> str:
    return f'{word(row.query_id, "query")}\t{trec.written_id(row, unit)}\t{decimal(row.relevance, "relevance")}'


def _scored_doc(query: Any, document: Any, rank: Any) -> TrecScoredDoc:
    number = position(rank)
    if number is None or anywhere(number < 1):
        raise ValueError(f'rank {quoted(rank)} is not a number from 1 up: number the items of a query 1, 2, 3 and so '
                         'on')
    return TrecScoredDoc(interned(query), document, -1.0 * number)


def _write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    return _BEIR_QRELS.write(rows, path, unit) + trec.lost_decimals(rows)


def _write_ranks(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    return _MSMARCO_RUN.write(rows, path, unit) + trec.lost_decimals(rows)


def _rank_line(row: Any, unit: str | None, rank: int) -> str:
    return f'{word(row.query_id, "query")}\t{trec.written_id(row, unit)}\t{rank}'


_HEADER = 'query-id corpus-id score'
_BEIR_QRELS = ColumnFile("BEIR's qrels", _HEADER, (3,), _qrel, _qrel_line, paths=True, separator='\t',
                         header=_HEADER, refuse=header_first(_HEADER, "BEIR's qrels"))
_MSMARCO_RUN = ColumnFile('a run of MS MARCO', 'query document rank', (3,), _scored_doc, _rank_line, paths=True,
                          ranked=True, columns={'rank': 2})
_JSON_RUN = Files(read_json_run, write_json_run)
BEIR = Format('beir', "BEIR and MTEB: qrels as TSV with a header, runs in JSON, MTEB's predictions, or as TREC's", None,
              _BEIR_QRELS.files(write=_write_qrels), _JSON_RUN._replace(read=read_run), lists=trec.TREC.lists)
RANX = Format('ranx', 'ranx: JSON of qrels and runs, {query: {document: grade or score}}', None,
              Files(read_json_qrels, write_json_qrels), _JSON_RUN, lists=trec.TREC.lists)
MSMARCO = Format('msmarco', 'MS MARCO: qrels as in trec, 3-column runs of queries, documents and ranks', None,
                 trec.TREC.qrels, _MSMARCO_RUN.files(write=_write_ranks), lists=trec.TREC.lists)
