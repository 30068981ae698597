"""Values in the files of programs, looked up with a sentence for what is missing or of another kind."""

from collections.abc import Iterable, Iterator, Sequence
from types import UnionType
from typing import Any

from ir_segmeasures.segments.json_objects import is_number, shown_value
from ir_segmeasures.segments.quoting import joined, quoted, truncated

__all__ = ['lookup', 'numbers', 'records_by_query', 'reversed_windows', 'same_queries', 'window']

_KINDS: dict[type | UnionType, str] = {
    list: 'a list', dict: 'an object', bool: 'true or false', str: 'text', int: 'a whole number',
    int | float: 'a number', int | str: 'a number or text'}


def lookup(record: Any, key: str, kind: type | UnionType, where: str) -> Any:
    """The value of a key of a JSON object. Raises a ValueError if it is not there, or not of this kind."""
    if not isinstance(record, dict) or key not in record:
        there = truncated(', '.join(map(repr, record)) or 'no key at all') if isinstance(record, dict) else (
            shown_value(record))
        raise ValueError(f'{where} has no {quoted(key)} (there is {there}), but it has to be there, as {_KINDS[kind]}: '
                         'add it, or check that the file is of the kind that is being read')
    value = record[key]
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, int | float) and not is_number(value)):
        raise ValueError(f'{quoted(key)} of {where} is {shown_value(value)}, but it has to be {_KINDS[kind]}: correct '
                         'it')
    return value


def numbers(values: Any, where: str, least: int = 0) -> list[float]:
    """A list of at least so many finite numbers.

    Raises:
        ValueError: it is another value
    """
    if not (isinstance(values, Sequence) and len(values) >= least and all(map(is_number, values))):
        many = f'at least {least} ' if least else ''
        raise ValueError(f'{where} has {quoted(values)}, but the program computes with {many}finite numbers there: '
                         'correct it')
    return list(values)


def window(values: Any, where: str) -> tuple[float, float]:
    """The start and the end of ``[start, end]`` or ``[start, end, score]``, in either order, as floats.

    Raises:
        ValueError: it is another value
    """
    start, end = numbers(values, where, 2)[:2]
    return float(start), float(end)


def reversed_windows(predicted: Iterable[tuple[float, float]]) -> Iterator[str]:
    """The warning of predicted windows whose end stands first, if there are any."""
    found = [f'[{start}, {end}]' for start, end in predicted if start > end]
    if found:
        yield (f'{len(found)} predicted windows have their end first (such as {found[0]}), and the program does not '
               'put them in order: put the start first')


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
            there = {str(query): query for query in (true | predicted) - queries}
            examples = [f'{query!r}, there {there[name]!r}' if name in there else name
                        for query in queries for name in [str(query)]]
            raise ValueError(f'{len(queries)} queries of the {has} are not in the {lacks} (such as '
                             f'{joined(sorted(examples)[:3])}), but the program takes both for the same queries: add '
                             'them (with [] where there is no window), take them out, or write them as there')
