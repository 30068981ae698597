"""Values in the files of programs, looked up with a sentence for what is missing or of another kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from types import UnionType
from typing import Any

from ir_segmeasures.segments.quoting import joined, quoted

__all__ = ['lookup', 'numbers', 'records_by_query', 'same_queries', 'window']

_KINDS: dict[type | UnionType, str] = {
    list: 'a list', dict: 'an object', bool: 'true or false', str: 'text', int: 'a whole number',
    int | float: 'a number', int | str: 'a number or text'}


def lookup(record: Any, key: str, kind: type | UnionType, where: str) -> Any:
    """The value of a key of a JSON object.

    Raises:
        ValueError: it is not there, or not of this kind
    """
    if not isinstance(record, dict) or key not in record:
        raise ValueError(f'{where} has no {key!r}, but the program reads it: add it, or check that this is the right '
                         'file')
    if not isinstance(record[key], kind):
        raise ValueError(f'{where} has {quoted(record[key])} as {key!r}, but the program reads {_KINDS[kind]} there: '
                         'correct it')
    return record[key]


def numbers(values: Any, where: str, least: int = 0) -> list[float]:
    """A list of at least so many finite numbers.

    Raises:
        ValueError: it is another value
    """
    if not (isinstance(values, Sequence) and len(values) >= least and all(
            isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) for value in values)):
        raise ValueError(f'{where} has {quoted(values)}, but the program computes with at least {least} finite numbers '
                         'there: correct it')
    return list(values)


def window(values: Any, where: str) -> tuple[float, float]:
    """The start and the end of ``[start, end]`` or ``[start, end, score]``, in either order, as floats.

    Raises:
        ValueError: it is another value
    """
    start, end = numbers(values, where, 2)[:2]
    return float(start), float(end)


def records_by_query(records: Any, name: str) -> dict[Any, dict[str, Any]]:
    """The objects of a file of JSON lines by their ``qid``, in the order of the file.

    Raises:
        ValueError: an object has none, or has that of an object before
    """
    found: dict[Any, dict[str, Any]] = {}
    for place, record in enumerate(records, 1):
        qid = lookup(record, 'qid', (int | str), f'object {place} of the {name}')
        if qid in found:
            raise ValueError(f'object {place} of the {name} has the query {quoted(qid)}, which has one before, but a '
                             'query has one object: take one of the two out')
        found[qid] = record
    return found


def same_queries(truth: Iterable[Any], predictions: Iterable[Any]) -> None:
    """Refuses predictions for other queries than those of the truth.

    Raises:
        ValueError: a query is in one of the two alone
    """
    true, predicted = set(truth), set(predictions)
    for queries, has, lacks in ((true - predicted, 'truth', 'predictions'), (predicted - true, 'predictions', 'truth')):
        if queries:
            raise ValueError(f'{len(queries)} queries of the {has} are not in the {lacks} (such as '
                             f'{joined(sorted(map(str, queries))[:3])}), but the program takes both for the same '
                             'queries: add them, or take them out')
