"""How an input of the table ``malformed.jsonl`` is tried: as a file, as an expression of Python, or as a command."""

import re
from collections.abc import Callable
from decimal import Decimal
from math import inf, nan
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures import Qrel, ScoredDoc
from readers import READERS

import ir_segmeasures
from ir_segmeasures import SegmentTable
from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files.reading import FormatError

QRELS, RUN = (Qrel('q', 'v#t=0,10', 1),), (ScoredDoc('q', 'v#t=0,5', 1),)
VALUES = {'nan': nan, 'inf': inf, 'BIG': 10 ** 400, 'LONG': 'x' * 10 ** 6, 'Qrel': Qrel, 'ScoredDoc': ScoredDoc,
          'qrels': SegmentTable.from_qrels, 'run': SegmentTable.from_run, 'Decimal': Decimal}
KINDS: dict[str, tuple[Callable[..., Any], str]] = READERS | {
    f'{name}-{kind}': (files.read, 'file') for name, format in FORMATS.items()
    for kind in ('qrels', 'run') if (files := format.files(kind)) is not None}


def said(kind: str, text: str, folder: Path, run: Callable[..., Any]) -> str:
    """What is said about an input, without the folder; '' if nothing is."""
    if kind == 'python':
        names = {name: getattr(ir_segmeasures, name) for name in ir_segmeasures.__all__}
        try:
            eval(text, {**names, **VALUES, 'evaluate': evaluate})
        except (TypeError, ValueError) as error:
            return f'{type(error).__name__}: {error}'
        return ''
    if kind == 'command':
        result = run(*[re.sub('^FOLDER', str(folder), word) for word in text.split(' ')])
        assert result.out == ''
        return f'{result.code}: {result.err.rstrip()}'.replace(f'{folder}/', '')
    read, name = KINDS[kind]
    path = folder / name
    path.write_bytes(text.encode('utf-8', 'surrogateescape'))
    try:
        read(path)
    except FormatError as error:
        return str(error).replace(f'{folder}/', '')
    return ''


def evaluate(measure: Any, qrels: Any = QRELS, run: Any = RUN) -> Any:
    """The values of one measure."""
    return list(ir_measures.iter_calc([measure], qrels, run))
