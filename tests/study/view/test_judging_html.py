"""The judging page: what stands in it, what does not, and what cannot be made a page of."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from ir_measures import ScoredDoc

from ir_segmeasures.formats import FormatError
from ir_segmeasures.segments.segment import Line
from ir_segmeasures.study import JudgingUnit, pool, pool_text, read_pool
from ir_segmeasures.study.view import judging_page

pytest.importorskip('jinja2')
TEXT = 'Bees swarm\nin May. 🐝\n'
HOSTILE = '</script><script>alert(1)</script>&amp;\u2028'


def data(doc_id: str, docs: Any = None, margin: float = 0, **settings: Any) -> Any:
    units = pool({'secret-run': [ScoredDoc('q', doc_id, 1)]}, depth=1, margin=margin)
    html = judging_page(units, {'q': 'bees'}, docs, **settings)
    assert 'secret' not in html and 'rank' not in html
    found = re.search('<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize(('doc_id', 'parts'), [
    ('d#char=0,10', [[0, 5, 'Bees '], [5, 10, 'swarm']]),
    ('d#word=1,4', [[1, 2, 'swarm '], [2, 3, 'in '], [3, 4, 'May. ']]),
    ('d#line=1,2', [[1, 2, 'in May. 🐝\n']])])
def test_parts_of_texts(doc_id: str, parts: Any) -> None:
    task, = data(doc_id, {'d': TEXT})['tasks']
    assert task['parts'] == parts


def test_lines_of_a_transcript() -> None:
    lines = [Line(0, 4, 'Hello.'), Line(4, 9, 'Bees'), Line(9, 9, 'Hm.'), Line(12, 20, 'Bye.')]
    task, = data('d#t=5,8', {'d': lines}, margin=2, media='talks/{document}.mp3')['tasks']
    assert task == {'query_id': 'q', 'query': 'bees', 'unit': 'd#t=5,8', 'document': 'd', 'counted': 't', 'start': 5,
                    'end': 8, 'from': 3, 'to': 10, 'media': 'talks/d.mp3',
                    'parts': [[0, 4, 'Hello.'], [4, 9, 'Bees'], [9, 9, 'Hm.']]}


def test_hostile_texts() -> None:
    units = [JudgingUnit('q', 'd#char=0,5', 0, 5, 0, 5, {})]
    html = judging_page(units, {'q': HOSTILE}, {'d': HOSTILE}, grades=['no', HOSTILE], title=HOSTILE)
    assert html.count('</script>') == 2 and 'alert(1)<' not in html


@pytest.mark.parametrize(('settings', 'sentence'), [
    ({'grades': ['one']}, 'there are 1 grades, but each has a key from 0 to 9: name 2 to 10'),
    ({'media': 'talks/'}, "the address 'talks/' does not hold '{document}'"),
    ({'units': []}, 'there is no unit to judge: give a pool with units'),
    ({'queries': {}}, "query 'q' has no text, which the assessor needs: add it to the queries")])
def test_refusals(settings: Any, sentence: str) -> None:
    units = [JudgingUnit('q', 'd#t=0,5', 0, 5, 0, 5, {})]
    with pytest.raises(ValueError) as found:
        judging_page(**{'units': units, 'queries': {'q': 'bees'}, **settings})
    assert str(found.value).startswith(sentence)


runs = st.lists(st.tuples(st.sampled_from('pq'), st.integers(0, 50), st.integers(1, 20)), min_size=1, max_size=6,
                unique=True)


@given(runs, st.sampled_from(['csv', 'jsonl']), st.sampled_from([0, 2.5]))
def test_pools_are_read_as_they_were_written(tmp_path_factory: Any, run: Any, format: str, margin: float) -> None:
    found = pool({'a b': [ScoredDoc(query, f'd#t={start},{start + length}', -place)
                          for place, (query, start, length) in enumerate(run)]}, depth=9, margin=margin)
    path = tmp_path_factory.getbasetemp() / f'pool.{format}'
    path.write_text(pool_text(found, format))
    assert read_pool(path) == [unit._replace(ranks={}) for unit in found]


def test_a_pool_that_a_spreadsheet_program_saved(tmp_path: Path) -> None:
    (tmp_path / 'pool.csv').write_text('\ufeffquery_id;doc_id;start;end;context_start;context_end;runs\r\n'
                                       'q 1;a,b#t=1.5,9;1,5;9;0;10,25;good:1,2\r\n')
    assert read_pool(tmp_path / 'pool.csv') == [JudgingUnit('q 1', 'a,b#t=1.5,9', 1.5, 9, 0, 10.25, {})]


HEADER = 'query_id,doc_id,start,end,context_start,context_end\n'


@pytest.mark.parametrize('text', ['query_id,doc_id\nq,d\n', f'{HEADER}q,"d#t=0,5",0,5,1,5\n',
                                  f'{HEADER}q,"d#t=0,5",0,x,0,5\n', f'{HEADER}q,d,0\n'])
def test_files_that_are_no_pools(tmp_path: Path, text: str) -> None:
    (tmp_path / 'pool.csv').write_text(text)
    with pytest.raises(FormatError, match='behind 0 units, this is not a pool in csv or JSON lines'):
        read_pool(tmp_path / 'pool.csv')
    (tmp_path / 'pool.csv').write_text('q1 0 d#t=0,1 -1\nq2')
    with pytest.raises(FormatError, match=r'line 1: the first line does not name columns .* such as query_id,doc_id'):
        read_pool(tmp_path / 'pool.csv')
    (tmp_path / 'pool.jsonl').write_text('[]\n')
    with pytest.raises(FormatError, match='behind 0 units, this is not a pool'):
        read_pool(tmp_path / 'pool.jsonl')
