"""Blocks of data on a page: JSON that people can read, or, on large pages, columns of numbers in few bytes."""

import json
import re
import zlib
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Ints

__all__ = ['Block', 'embedded', 'packed_block', 'readable_block']

# A data block ends where the parser of HTML says, and a script where the one of JavaScript does.
_UNSAFE = re.compile('[<>&\u2028\u2029\ud800-\udfff]')
_DECIMALS = 6  # of a number at most
_EXACT = 2 ** 53  # the integers that a number of JavaScript holds
_HEAD, _END = b'\x78\xda', b'\x03\x00'  # of a stream of zlib: window and level, and an empty last block


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
    """A block that the script of the page unpacks: the compressed bytes of JSON and of the arrays in it, as text.

    Four bytes tell the length of the JSON, which follows: ``{"columns": [[bases, scale, least, step, length, holes,
    grows], …], "value": value}``. Arrays of one name, the key of the dictionary that they stand in, are one column, in
    their order. An array stands in the value as ``{"column": [number, length]}``: the number of its column, and its own
    length. The bytes of the columns follow the JSON, column after column. The code of a number is
    ``(number * scale - least) / step``. Where infinite numbers are holes in the column, the codes of others are larger
    by 1, and those of holes 0. Of a column that ``grows``, in each of its arrays, the codes are those of how much a
    number is larger than the one before in its array. ``bases`` are those of the digits of the codes, lowest first.
    The lowest digits of all codes come first, then the next ones, so that similar bytes stand side by side. A byte
    holds as many digits as have room in its bits, the first in the lowest bits.

    Args:
        value: see :func:`readable_block`
    """
    arrays: dict[str, list[Array[Any]]] = {}
    value = _referring(value, arrays)
    columns = [_column(found) for found in arrays.values()]
    text = json.dumps({'columns': [described for described, _ in columns], 'value': value}, separators=(',', ':'),
                      allow_nan=False).encode()
    return Block('application/zlib', _text(_compressed([len(text).to_bytes(4, 'little') + text, *(
        plane for _, planes in columns for plane in planes)])))


def embedded(value: Any) -> str:
    """The value as JSON that can stand in a page wherever it comes from."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False, default=_listed)
    return _UNSAFE.sub(lambda sign: f'\\u{ord(sign[0]):04x}', text)


def _listed(array: Array[Any]) -> list[float | None]:
    """The numbers of an array: whole ones as integers, None for an infinite one."""
    return [None if not np.isfinite(value) else int(value) if value == int(value) else value
            for value in array.tolist()]


def _column(arrays: list[Array[Any]]) -> tuple[list[Any], list[bytes]]:
    """The description of a column, as :func:`packed_block` has it, and its bytes: those of each digit of the codes."""
    array = np.concatenate(arrays)
    known = np.isfinite(array)
    numbers = array[known].astype(float)
    most = float(np.abs(numbers).max(initial=0))
    scale = next((scale for scale in (10 ** digits for digits in range(_DECIMALS)) if np.array_equal(
        np.round(numbers * scale) / scale, numbers)), 10 ** _DECIMALS)
    while most * scale >= _EXACT:
        scale //= 10
    integers = np.round(numbers * scale).astype(np.int64)
    first = np.cumsum([0, *map(len, arrays)])[:-1][[len(part) > 0 for part in arrays]]
    growth = np.diff(integers, prepend=0)
    if grows := bool(known.all()):
        growth[first] = integers[first]
        grows = bool((growth >= 0).all())
    integers = growth if grows else integers
    least = int(integers.min()) if len(integers) else 0
    step = int(np.gcd.reduce(integers - least)) or 1
    codes, holes = np.zeros(len(array), np.int64), int(not known.all())
    codes[known] = (integers - least) // step + holes
    bases, planes = _bases(int(codes.max(initial=0))), []
    for base in bases:
        codes, digits = np.divmod(codes, base)
        planes.append(_filled(digits, max(1, (base - 1).bit_length())))
    return [bases, scale, least, step, len(array), holes, int(grows)], planes


def _bases(most: int) -> list[int]:
    """The bases of the digits of codes, lowest digit first: the fewest digits below 256, the highest as small as it can
    be, and of two the lowest, too. Few digits of one kind take fewer bits."""
    digits = 1
    while most >= 256 ** digits:
        digits += 1
    highest = most // 256 ** (digits - 1) + 1
    return [most // highest + 1, highest] if digits == 2 else [*[256] * (digits - 1), highest]


def _filled(digits: Ints, bits: int) -> bytes:
    """Bytes that hold as many digits of some bits as have room."""
    room = 8 // bits
    return (np.pad(digits, (0, -len(digits) % room)).reshape(-1, room) << np.arange(room) * bits).sum(axis=1).astype(
        np.uint8).tobytes()


def _compressed(parts: list[bytes]) -> bytes:
    """The stream of zlib for parts one after the other. Each has codes of its own, and the shorter of two ways: with
    what stood before, or without."""
    def blocks(part: bytes, strategy: int) -> bytes:
        compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, strategy)
        return compressor.compress(part) + compressor.flush(zlib.Z_SYNC_FLUSH)
    found = [min((blocks(part, strategy) for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_HUFFMAN_ONLY)), key=len)
             for part in parts]
    return b''.join([_HEAD, *found, _END, zlib.adler32(b''.join(parts)).to_bytes(4, 'big')])


def _referring(value: Any, arrays: dict[str, list[Array[Any]]], name: str = '') -> Any:
    """The value with a reference to a column in the place of each array, which is added to those of its name."""
    if isinstance(value, dict):
        return {key: _referring(part, arrays, str(key)) for key, part in value.items()}
    if isinstance(value, list):
        return [_referring(part, arrays, name) for part in value]
    if not isinstance(value, np.ndarray):
        return value
    arrays.setdefault(name, []).append(value)
    return {'column': [list(arrays).index(name), len(value)]}


def _text(content: bytes) -> str:
    """Bytes as text: a sign holds seven bits, of which it is the number in ASCII. Two signs do not stay what they are
    in HTML, and ``</`` or ``<!`` end or hide a block, so those signs stand 128 places later.
    """
    bits = np.unpackbits(np.frombuffer(content, np.uint8))
    bits.resize(-(-len(bits) // 7), 7)
    signs = np.packbits(bits, axis=1) >> 1
    text = signs.tobytes().decode('ascii').translate({ord(sign): ord(sign) + 128 for sign in '\0\r'})
    return re.sub('<(?=[/!])', chr(ord('<') + 128), text)
