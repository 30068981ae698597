"""TREC's qrels and run files, read and written: the formats that ir-measures reads, with errors that name the line.

Relevance is an integer or a decimal number; whole ones become ``int``, the only kind that trec_eval's family takes.
A run is ranked by score; its rank column is not read, as in trec_eval, but ranks that contradict the scores are warned
of. Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").

Files of benchmarks and tools of text retrieval are here, too: BEIR and MTEB, ranx, and MS MARCO. Ids of documents may
be those of segments, or become such by a pattern or a table.
Sources: BEIR, https://github.com/beir-cellar/beir; MTEB, https://github.com/embeddings-benchmark/mteb; ranx,
https://github.com/AmenRa/ranx; MS MARCO, https://microsoft.github.io/msmarco/.
"""

import json
import os
from collections.abc import Sequence
from functools import partial
from math import nan
from typing import Any

import numpy as np

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import RETRIEVED, Files, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_text
from ir_segmeasures.formats.files.row_types import FileRows, Number, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.json_files import converted, json_value
from ir_segmeasures.formats.moment_windows import Id, Score
from ir_segmeasures.segments.basics import joined, plain_number
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.table import rank_warning
from ir_segmeasures.segments.user_warnings import warn

# The rules of runs that are ranked by score, and by nothing else.
SCORED = Rules(RETRIEVED.violations, ('tied_scores', *RETRIEVED.warnings))


def _qrel(query_id: Any, iteration: Any, doc_id: Any, relevance: Any) -> TrecQrel:
    return TrecQrel._make((fields.interned(query_id), doc_id, grades(relevance), fields.interned(iteration)))


def _scored_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> TrecScoredDoc:
    return TrecScoredDoc._make((fields.interned(query_id), doc_id, fields.scores(score)))


def _judged(row: Any, unit: str | None) -> list[str]:
    return [row.query_id, row.iteration, writing.written_id(row, unit), writing.decimal(row.relevance, 'relevance')]


def _retrieved(row: Any, unit: str | None, rank: int) -> list[str]:
    return [row.query_id, 'Q0', writing.written_id(row, unit), str(rank), writing.decimal(row.score, 'score'),
            writing.run_of(row)]


def _held_against_ranks(path: StrPath, rows: FileRows[TrecScoredDoc]) -> FileRows[TrecScoredDoc]:
    texts = rows.beside['rank'].tolist()
    try:
        ranks = fields.finite_numbers(texts)
    except ValueError:  # nothing reads ranks, so that some may be none
        ranks = np.array([nan if (rank := fields.finite_number(text)) is None else rank for text in texts])
    query_ids = rows.columns['query_id']
    warn([rank_warning(list(dict.fromkeys(query_ids)), fields.codes_of_column(query_ids), ranks, rows.columns['score'],
                       f'{os.fspath(path)}: the ranks')])
    return rows


grades = fields.converter(fields.numbers, 'relevance {} is not a number, but it has to be an integer or a finite '
                                          'decimal number: write it as 0, 1 or 0.5')
_QRELS = Lines('TREC qrels', 'query iteration doc relevance', _qrel, _judged, held=('iteration',), paths=True)
_RUN = Lines('a TREC run', 'query Q0 doc rank score run', _scored_doc, _retrieved, beside=('rank', 'run'),
             held=('run',), paths=True, ranked='rows', finish=_held_against_ranks)
read_qrels, write_qrels, read_run, write_run = _QRELS.read, _QRELS.write, _RUN.read, _RUN.write
TREC = Format(
    'trec', 'TREC: 4-column qrels, 6-column runs, ids of any kind', None,
    _QRELS.files(mended={'score': 'relevance'}),
    _RUN.files(rules=SCORED, mended={'score': 'score', 'rank': 'rank'}), lists=('queries', 'anchors', 'videos'))

_META = 'mteb_model_meta'


def _read_beir(path: StrPath) -> Sequence[TrecScoredDoc]:
    """Reads a run of BEIR: one JSON object, as :func:`read_json` does, or the lines of TREC."""
    text = read_text(path)
    return read_json(path, text=text) if text.lstrip().startswith('{') else read_run(path)


def read_json(path: StrPath, kind: str = 'run', text: str | None = None) -> Sequence[Any]:
    """Reads a run in JSON, ``{query: {document: score}}``, in file order; or the predictions of MTEB for one subset and
    split, where such an object is the value of these two.

    Args:
        path: of the file
        kind: ``'run'`` or ``'qrels'``, whose values are grades
        text: of the file, if it has been read already

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.trec import read_json
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'run.json'
        >>> _ = path.write_text('{"q1": {"talk#t=60,90": 2.5}}')
        >>> list(read_json(path))
        [ScoredDoc(query_id='q1', doc_id='talk#t=60,90', score=2.5)]

    Raises:
        FormatError: the file is not such an object; MTEB's has several subsets or splits
        OSError: the file cannot be opened
    """
    text = read_text(path) if text is None else text
    if not text.strip():
        return []
    form = f'one object {{query: {{document: {VALUE[kind]}}}}}'
    content = json_value(text, f'it is {form}: correct it', path)
    if isinstance(content, dict) and _META in content:
        parts = {f'{subset}/{split}': value for subset, splits in content.items()
                 if subset != _META and isinstance(splits, dict) for split, value in splits.items()}
        if len(parts) != 1:
            raise FormatError(f'the predictions are of {len(parts)} subsets and splits ({joined(parts)}), but a run is '
                              'of one: take the others out', path)
        content = parts.popitem()[1]
    with errors_in(path):
        found: dict[str, dict[str, Number]] = converted(content, dict[Id, dict[Id, Score]], f'the file ({form})')
    values = ((query, document, value) for query, documents in found.items() for document, value in documents.items())
    if kind == 'run':
        return FileRows.of(TrecScoredDoc, ((query, document, float(score)) for query, document, score in values))
    return FileRows.of(TrecQrel, ((query, document, plain_number(grade), '0') for query, document, grade in values))


def write_json(rows: Sequence[Any], path: StrPath, unit: str | None = None, kind: str = 'run') -> list[str]:
    """Writes a run, or judgements (``kind='qrels'``), in JSON, queries as they first appear.

    Args:
        rows: of any reader; those with ``start`` and ``end`` get segment ids
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: an item is there twice for a query
    """
    rows, found = list(rows), dict[str, dict[str, Any]]()

    def add(row: Any) -> None:
        documents, id = found.setdefault(row.query_id, {}), writing.written_id(row, unit)
        if id in documents:
            raise ValueError('it is there twice for its query, but an object has each key once: take one out')
        documents[id] = json.loads(writing.decimal(getattr(row, VALUE[kind]), VALUE[kind]))
    writing.judged_lines(rows, add)
    writing.write_text([json.dumps(found, indent=1)], path)
    return writing.left_out(rows, (), paths=True) + writing.lost_decimals(rows)


def _beir_qrel(query: Any, document: Any, relevance: Any) -> TrecQrel:
    return TrecQrel._make((fields.interned(query), document, grades(relevance), '0'))


def _ranked_doc(query: Any, document: Any, rank: Any) -> TrecScoredDoc:
    return TrecScoredDoc._make((fields.interned(query), document, -1.0 * _ranks(rank)))


def _line(row: Any, unit: str | None, rank: int | None = None) -> list[str]:
    value = writing.decimal(row.relevance, 'relevance') if rank is None else str(rank)
    return [row.query_id, writing.written_id(row, unit), value]


_ranks = fields.whole_numbers('rank', 'number the items of a query 1, 2, 3 and so on', least=1)
_BEIR_QRELS = Lines("BEIR's qrels", 'query-id corpus-id score', _beir_qrel, _line, paths=True, separator='\t',
                    header=True)
_MSMARCO_RUN = Lines('a run of MS MARCO', 'query document rank', _ranked_doc, _line, paths=True, ranked='rank',
                     beside=('rank',), between='\t')
BEIR = Format('beir', "BEIR and MTEB: qrels as TSV with a header, runs in JSON, MTEB's predictions, or as TREC's", None,
              _BEIR_QRELS.files(), Files(_read_beir, write_json, rules=SCORED), lists=TREC.lists)
RANX = Format('ranx', 'ranx: JSON of qrels and runs, {query: {document: grade or score}}', None,
              Files(partial(read_json, kind='qrels'), partial(write_json, kind='qrels')),
              Files(read_json, write_json, rules=SCORED), lists=TREC.lists)
MSMARCO = Format('msmarco', 'MS MARCO: qrels as in trec, 3-column runs of queries, documents and ranks', None,
                 TREC.qrels, _MSMARCO_RUN.files(), lists=TREC.lists)
