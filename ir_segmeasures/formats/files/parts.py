"""Large files in parts, each of which has its queries whole: what is read takes the memory of a part.

Whatever is not plain, or wrong, is left to those who read the file whole, who find the line and the sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.blocks import BLOCK, buffer_of, columns_of, joined_blocks
from ir_segmeasures.formats.files.columns import ColumnFile
from ir_segmeasures.formats.files.reading import Rows, StrPath, open_bytes

__all__ = ['NotByQuery', 'is_large', 'rows_by_query']

_LARGE = 4_000_000  # bytes, packed ones counting four times


class NotByQuery(ValueError):
    """The lines of a query do not stand together."""


def is_large(path: StrPath) -> bool:
    """Whether a file, or a folder of files, is worth reading in parts."""
    files = [entry.path for entry in os.scandir(path)] if os.path.isdir(path) else [os.fspath(path)]
    return sum(os.path.getsize(file) * (4 if file.endswith('.gz') else 1) for file in files
               if os.path.isfile(file)) >= _LARGE


def rows_by_query(path: StrPath, file: ColumnFile) -> Iterator[Rows[Any]]:
    """The rows of a file, whose first field is the query, some queries at a time.

    Raises:
        NotByQuery: a query comes back after another
        ValueError: a line is wrong or not plain, or there is none
    """
    seen: set[str] = set()
    rest, more = b'', True  # lines of the last query until now, and what is there of the next line
    with open_bytes(path) as source:
        while more:
            block = source.read(max(BLOCK, len(rest)))
            more = bool(block)
            data = rest + block
            end = data.rfind(b'\n') + 1 if more else len(data)
            if not end:
                if not more:
                    raise ValueError
                rest = data
                continue
            buffer = buffer_of(data[:end])
            columns = columns_of(buffer)
            queries = columns[0].coded()
            changes = np.flatnonzero(np.diff(queries.code)) + 1
            if len(changes) + 1 > len(queries.distinct) or not seen.isdisjoint(queries.distinct):
                raise NotByQuery
            count = len(queries)
            if more:  # the last query may go on
                count = int(changes[-1]) if len(changes) else 0
                rest = buffer[int(columns[0].start[count]):] + data[end:]
            seen.update(queries.distinct[:-1])
            if count:
                yield joined_blocks([file.parse_fields([column[:count] for column in columns])], [count])
