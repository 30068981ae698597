"""Blocks of data on a page: JSON that people can read, or, on large pages, columns of numbers in few bytes."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['Block', 'embedded', 'packed_block', 'readable_block']

# A data block ends where the parser of HTML says, and a script where the one of JavaScript does.
_UNSAFE = re.compile('[<>&\u2028\u2029\ud800-\udfff]')
_DECIMALS = 6  # of a number at most
_EXACT = 2 ** 53  # the integers that a number of JavaScript holds
_LEVEL, _WINDOW, _MEMORY = 9, 15, 5  # little memory of zlib: a code of its own for every few thousand bytes


class Block(NamedTuple):
    """A block of data: its media type, and its text, which can stand in a page wherever the data come from."""
    type: str
    text: str


def readable_block(value: Any) -> Block:
    """A block of JSON.

    Args:
        value: as :func:`json.dumps` takes it, and arrays of numbers in it. Infinite numbers of arrays become null.
    """
    return Block('application/json', embedded(value))


def packed_block(value: Any) -> Block:
    """A block that the script of the page unpacks: the compressed bytes of JSON and of the arrays in it, as base64.

    Four bytes tell the length of the JSON, which follows. An array stands in it as ``{"column": [size, scale, least,
    step, length]}``, and its bytes follow the JSON, array after array. A number takes ``size`` bytes. They hold 0 for
    an infinite number, else ``(number * scale - least) / step + 1``. The lowest bytes of all numbers come first, then
    the next ones, so that similar bytes stand side by side.

    Args:
        value: see :func:`readable_block`
    """
    columns: list[bytes] = []

    def add(array: NDArray[Any]) -> dict[str, list[int]]:
        described, column = _column(array)
        columns.append(column)
        return {'column': described}
    text = json.dumps(value, separators=(',', ':'), allow_nan=False, default=add).encode()
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY)
    content = b''.join([len(text).to_bytes(4, 'little'), text, *columns])
    return Block('application/zlib', base64.b64encode(compressor.compress(content) + compressor.flush()).decode())


def embedded(value: Any) -> str:
    """The value as JSON that can stand in a page wherever it comes from."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False, default=_listed)
    return _UNSAFE.sub(lambda sign: f'\\u{ord(sign[0]):04x}', text)


def _listed(array: NDArray[Any]) -> list[float | None]:
    """The numbers of an array: whole ones as integers, None for an infinite one."""
    return [None if not np.isfinite(value) else int(value) if value == int(value) else value
            for value in array.tolist()]


def _column(array: NDArray[Any]) -> tuple[list[int], bytes]:
    """The size, scale, least number, step and length of an array, and its bytes."""
    known = np.isfinite(array)
    numbers = array[known].astype(float)
    most = float(np.abs(numbers).max(initial=0))
    scale = next((scale for scale in (10 ** digits for digits in range(_DECIMALS)) if np.array_equal(
        np.round(numbers * scale) / scale, numbers)), 10 ** _DECIMALS)
    while most * scale >= _EXACT:
        scale //= 10
    integers = np.round(numbers * scale).astype(np.int64)
    least = int(integers.min()) if len(integers) else 0
    step = int(np.gcd.reduce(integers - least)) or 1
    codes = np.zeros(len(array), '<i8')
    codes[known] = (integers - least) // step + 1
    size = -(-int(codes.max(initial=0)).bit_length() // 8)
    return [size, scale, least, step, len(array)], codes.view(np.uint8).reshape(-1, 8).T[:size].tobytes()
