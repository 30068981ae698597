"""Files of pools: CSV for people and spreadsheets, qrels of TREC with -1, JSON lines, and tasks of Label Studio."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath, open_bytes, read_utf8
from ir_segmeasures.formats.files.sheets import read_sheets
from ir_segmeasures.segments.json_objects import loads
from ir_segmeasures.segments.quoting import bare_cell, cell_of, quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.study.campaign.judging_tasks import label_studio_text, tasks_of_units
from ir_segmeasures.study.campaign.pools import JudgingUnit, Pool

__all__ = ['POOL_FORMATS', 'is_pool', 'pool_text', 'read_pool']

_COLUMNS = JudgingUnit._fields[:-1]
_BEGIN = 1 << 12  # bytes in which a pool shows that it is one


def pool_text(pool: Pool, format: str = 'csv', queries: Mapping[str, str] | None = None, docs: Any = None,
              media: str | None = None) -> str:
    """The text of a file with a pool, a line for each unit, in the order in which units are judged.

    Args:
        pool: from :func:`~ir_segmeasures.study.pool`
        format: ``'csv'``, with the fields of :class:`~ir_segmeasures.study.JudgingUnit` as columns, and in the column
            ``runs`` each run with its ranks, such as ``good:1,4 poor:2``; ``'trec'``, qrels whose relevance is -1;
            ``'jsonl'``, the fields as an object of JSON; ``'label-studio'``, tasks without runs and ranks
        queries, docs, media: of tasks (:func:`~ir_segmeasures.study.campaign.judging_tasks.tasks_of_units`)

    Raises:
        ValueError: another format, or a task lacks its query, its text or its recording

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool, pool_text
        >>> run = [ScoredDoc('q1', 'talk#t=10,30', 2), ScoredDoc('q1', 'talk#t=20,60', 1)]
        >>> units = pool({'a': run}, depth=2, margin=5)
        >>> print(pool_text(units), end='')
        query_id,doc_id,start,end,context_start,context_end,runs
        q1,"talk#t=10,60",10,60,5,65,"a:1,2"
        >>> print(pool_text(units, 'trec'), end='')
        q1 0 talk#t=10,60 -1
    """
    if format == 'label-studio':
        return label_studio_text(tasks_of_units(pool, queries or {}, docs, media))
    if format not in _TEXTS:
        raise ValueError(f'format={format!r} is not a format of pools: take {" or ".join(map(repr, POOL_FORMATS))}')
    return _TEXTS[format](pool)


def read_pool(path: StrPath) -> list[JudgingUnit]:
    """The units of a pool in a file that :func:`pool_text` made, CSV (also as a spreadsheet program saved it, with
    semicolons and decimal commas) or JSON lines, by its ending ``.jsonl``. Their runs and ranks are not read.

    Raises:
        FormatError: the file is no such pool
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool, pool_text, read_pool
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'pool.csv'
        >>> _ = path.write_text(pool_text(pool({'a': [ScoredDoc('q1', 'talk#t=10,30', 2)]}, depth=1)))
        >>> read_pool(path)[0].doc_id
        'talk#t=10,30'
    """
    units = []
    try:
        for row in _records(path):
            query_id, doc_id, *positions = (row[name] for name in _COLUMNS)
            start, end, low, high = map(_position, positions)
            if not (isinstance(query_id, str) and isinstance(doc_id, str) and 0 <= low <= start < end <= high < inf):
                raise ValueError(f'{quoted(doc_id)} is no unit with a start, an end and a context around them')
            units.append(JudgingUnit._make([query_id, doc_id, start, end, low, high, {}]))
    except FormatError:
        raise
    except (ArithmeticError, KeyError, TypeError, ValueError) as error:
        what = f'there is no column {error}' if isinstance(error, KeyError) else str(error)
        raise FormatError(f'behind {len(units)} units, this is no pool in csv or JSON lines ({what}): write it once '
                          'more with pool', path) from None
    return units


def is_pool(path: StrPath) -> bool:
    """Tells whether a file is a pool in CSV or JSON lines, by the columns or keys of its first line."""
    with open_bytes(path) as file:
        return b'context_start' in file.read(_BEGIN).split(b'\n')[0]


def _records(path: StrPath) -> Iterator[Mapping[str, Any]]:
    if os.fspath(path).removesuffix('.gz').endswith('.jsonl'):
        yield from map(loads, filter(str.strip, read_utf8(path).removeprefix('\ufeff').split('\n')))
    else:
        lines = read_sheets(path, lambda cells: _COLUMNS[0] in cells, such_as=','.join(_COLUMNS))[0].lines
        for _, cells in lines[1:]:
            yield dict(zip(lines[0][1], map(bare_cell, cells)))


def _position(value: Any) -> float:
    return plain_number(float(value.replace(',', '.') if isinstance(value, str) else value))


def _csv(pool: Pool) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator='\n')
    writer.writerow([*_COLUMNS, 'runs'])
    for unit in pool:
        runs = ' '.join(f'{name}:{",".join(map(str, ranks))}' for name, ranks in unit.ranks.items())
        writer.writerow([*map(cell_of, unit[:2]), *unit[2:-1], cell_of(runs)])
    return lines.getvalue()


_TEXTS: dict[str, Callable[[Pool], str]] = {
    'csv': _csv,
    'trec': lambda pool: ''.join(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in pool.judgements()),
    'jsonl': lambda pool: ''.join(json.dumps(unit._asdict(), ensure_ascii=False) + '\n' for unit in pool),
}
POOL_FORMATS = (*_TEXTS, 'label-studio')
