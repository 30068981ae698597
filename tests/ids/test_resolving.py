"""Ids that are no segments yet are resolved with a table. The shapes of the rows are in tests/segments."""

from math import nan
from typing import Any, NamedTuple

import pytest

from ir_segmeasures import Segment, SegmentTable, resolve

TABLE: dict[str, Any] = {
    'v': ('v', 0, 100.5), 'shot1_2': ('v', 10, 12.5), 'd': Segment('d', 0, 999, 'char'), 'p': ['d', 3, 4],
    'a#xpath=/article[1]': Segment('a', 5, 60, 'char', '/article[1]'), 'alias': Segment('w'),
    'word': Segment('v', 1, 2, 'word'), '7': ('v', 1, 2),
}


class Timed(NamedTuple):
    query_id: str
    doc_id: str
    score: float
    start: float
    end: float


@pytest.mark.parametrize('id, resolved', [
    ('v', 'v#t=0,100.5'), ('shot1_2', 'v#t=10,12.5'), ('a#xpath=/article[1]', 'a#xpath=/article[1]&char=5,60'),
    ('d', 'd#char=0,999'), ('p', 'd#t=3,4'), ('alias', 'w'), ('word', 'v#word=1,2'),
    ('v#t=30', 'v#t=30,100.5'), ('v#t=30,', 'v#t=30,100.5'), ('v#t=100.5', 'v#t=100.5,100.5'),
    ('d#char=30,', 'd#char=30,999'), ('d#xpath=/b&char=30,', 'd#xpath=/b&char=30,999'),
    *((id, id) for id in ('v#t=01.50,2.0', 'v#t=1:00,2:00', 'w#t=1,2', 'v#t=100,200', 'd#char=30', 'v#t=,30')),
])
def test_ids(id: str, resolved: str) -> None:
    rows = {'query_id': ['q'], 'doc_id': [id], 'score': [1]}
    assert resolve(rows, TABLE) == {**rows, 'doc_id': [resolved]}


@pytest.mark.parametrize('unit', ['t', 'char', 'word'])
def test_the_unit_of_the_table(unit: str) -> None:
    assert resolve({'q': {'x': 1}}, {'x': ('v', 1, 2)}, unit=unit) == {'q': {f'v#{unit}=1,2': 1}}
    assert resolve({'q': {'word': 1}}, TABLE, unit=unit) == {'q': {'v#word=1,2': 1}}


def test_numbers_and_columns_that_stay() -> None:
    assert resolve({'q': {7: 1}}, {7: ('v', 1, 2)}) == {'q': {'v#t=1,2': 1}}
    rows = resolve([Timed('q', 'shot1_2', 1, nan, nan)], TABLE)
    assert SegmentTable.from_run(rows).end.tolist() == [12.5]


def test_missing_ids() -> None:
    rows = {'q': dict.fromkeys(('v', 'x1', 'x2', 'x#t=5', 'y#t=oops'), 1), 'p': {'x1': 1}}
    with pytest.raises(ValueError, match=r"^4 of 5 ids are not in the table, such as 'x1', 'x2', .*missing='keep'$"):
        resolve(rows, TABLE)
    assert list(resolve(rows, TABLE, missing='keep')['q']) == ['v#t=0,100.5', 'x1', 'x2', 'x#t=5', 'y#t=oops']
    with pytest.raises(ValueError, match="'error', 'keep' or 'warn'"):
        resolve([], {}, missing='drop')


@pytest.mark.parametrize('id, table, sentence', [
    *((id, {id: ('link', 0, 60), 'link': ('link', 0, 60)}, f"'{id}' is ambiguous")
      for id in ('link#t=30', 'link#t=30,40', 'link#char=3')),
    ('x', {'x': ('v', 5, 4)}, 'ends at or after its start'),
    ('v#t=200', TABLE, "'v#t=200' starts at 200, after the end of its document at 100.5"),
    ('v#char=10,', {'v': ('v', 0, 60)}, 'v#'),
    ('v#char=10,', {'v': Segment('v', 0, 60, 't')}, 'v#'),
    ('v#t=10', {'v': Segment('v', 0, 60, 'char')}, 'v#'),
    ('shot1_2#t=1', TABLE, 'shot1_2'),  # what begins 1 second into a shot of 2.5 cannot end at 12.5 of the shot
])
def test_refused(id: str, table: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        resolve({'q': {id: 1}}, table)
    assert sentence in str(caught.value)
