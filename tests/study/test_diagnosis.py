"""Means over groups of queries: which queries are alike, and the means as tables and as a plot."""


import pytest

from ir_segmeasures.study.explanations import diagnose, query_groups

pytest.importorskip('scipy')

WINDOWS = {'a': [[0, 10]], 'b': [[10.3, 20.3], [30, 60]], 'c': [[50, 60], [0, 5], [7, 8]], 'd': [[0, 31]]}
QRELS = {query: {f'v#t={start},{end}': 1 for start, end in windows} for query, windows in WINDOWS.items()}


def test_queries_are_grouped_by_their_longest_moment_its_place_and_how_many_there_are() -> None:
    assert query_groups({**QRELS, 'none': {'v#t=0,5': 0}}, {'v': 60}) == [
        ('length', 'up to 10 s', ['a', 'c']), ('length', '10 to 30 s', ['b']),
        ('length', 'above 30 s', ['d']), ('place', 'first third', ['a', 'd']),
        ('place', 'last third', ['b', 'c']), ('number', '1', ['a', 'd']),
        ('number', '2', ['b']), ('number', '3 and more', ['c'])]
    assert {group[0] for group in query_groups(QRELS)} == {'length', 'number'}  # no durations
    with pytest.raises(ValueError, match='up to an end that is not known'):
        query_groups({'q': {'v#t=5,': 1}})
    with pytest.raises(ValueError, match='no query of the qrels'):
        query_groups({'q': {'v#t=5,9': 0}})


def test_means_are_those_of_the_queries() -> None:
    from ir_segmeasures.study import compare
    runs = {'one': {query: {f'v#t={windows[0][0]},{windows[0][1]}': 1} for query, windows in WINDOWS.items()},
            'two': {'a': {'v#t=0,5': 1}}}
    found = diagnose(compare(['mIoU@1', 'IoU_R(iou=0.5)@1'], QRELS, runs), QRELS, {'v': 60})
    means = {(row.measure.NAME, row.group, row.system): (row.queries, row.mean) for row in found.rows}
    assert len(means) == 2 * 8 * 2
    assert means['mIoU', 'up to 10 s', 'two'] == (2, .25)
    assert means['IoU_R', '1', 'one'] == (2, 1)
    assert means['IoU_R', '1', 'two'] == (2, .5)
    assert found.records()[0] == {
        'by': 'length', 'group': 'up to 10 s', 'queries': 2, 'measure': 'mIoU@1', 'system': 'one', 'mean': 1}
