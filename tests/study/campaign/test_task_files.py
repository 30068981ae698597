"""Tasks of a pool: what models and assessors are given, without runs and ranks."""

import json
from typing import Any

import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import formats
from ir_segmeasures.segments.segment import Line
from ir_segmeasures.study import Pool, pool, pool_text

QUERIES = {'q': 'how bees swarm'}
TEXT = 'Bees swarm in May. 🐝 They hang from trees, and leave soon.'
LINES = [Line(0, 4, 'Hello.'), Line(4, 9, 'Bees swarm'), Line(9, 14, 'in May.'), Line(30, 40, 'Goodbye.')]


def of_text(margin: float = 6) -> Pool:
    return pool({'secret-run': [ScoredDoc('q', 'd#char=21,41', 1)]}, depth=1, margin=margin)


def of_talk(margin: float = 5) -> Pool:
    return pool({'secret-run': [ScoredDoc('q', 'day 1%2Ftalk#t=6,12'.replace(' ', '%20'), 1)]}, depth=1, margin=margin)


TALKS = {'day%201%2Ftalk': LINES}


class TestLabelStudio:
    @pytest.mark.parametrize(('ending', 'name'), [('mp3', 'audio'), ('mp4', 'video'), ('what', 'audio')])
    def test_of_recordings(self, ending: str, name: str) -> None:
        task, = json.loads(pool_text(of_talk(), 'label-studio', QUERIES, None, f'https://host/{{document}}.{ending}'))
        assert task['data'] == {'query_id': 'q', 'query': 'how bees swarm', 'unit': 'day%201%2Ftalk#t=6,12',
                                'offset': 1, name: f'https://host/day%201/talk.{ending}'}
        assert task['predictions'] == [{'model_version': 'pool', 'result': [
            {'id': 'unit-1', 'from_name': 'grade', 'to_name': 'audio', 'type': 'labels',
             'value': {'start': 6, 'end': 12, 'labels': ['unjudged']}}]}]

    def test_of_texts(self) -> None:
        task, = json.loads(pool_text(of_text(), 'label-studio', QUERIES, {'d': TEXT}))
        value = task['predictions'][0]['result'][0]['value']
        assert task['data']['text'][value['start']:value['end']] == value['text'] == TEXT[21:41]

    def test_what_is_exported_unchanged_is_unjudged(self, tmp_path: Any) -> None:
        task, = json.loads(pool_text(of_text(), 'label-studio', QUERIES, {'d': TEXT}))
        path = tmp_path / 'export.json'
        path.write_text(json.dumps([{**task, 'annotations': [{'result': task['predictions'][0]['result']}]}]))
        assert formats.read_qrels(path, 'label-studio') == []


@pytest.mark.parametrize(('units', 'format', 'given', 'sentence'), [
    (of_text, 'label-studio', ({},), "query 'q' has no text, which the assessor needs: add it to the queries"),
    (of_text, 'label-studio', (QUERIES,), "the unit 'd#char=21,41' has no text: give the texts or transcripts of"),
    (of_text, 'label-studio', (QUERIES, {}), "document 'd' has no text: add it, or leave the texts out"),
    (of_talk, 'label-studio', (QUERIES,), "the unit 'day%201%2Ftalk#t=6,12' is a part of a recording: say where re"),
    (lambda: pool({'a': [ScoredDoc('q', 'd#word=0,1', 1)]}, 1), 'label-studio', (QUERIES, {'d': TEXT}),
     "the unit 'd#word=0,1' does not count characters, as annotat"),
    (lambda: pool({'a': [{'query_id': 'q', 'doc_id': 'd', 'score': 1, 'start': 0, 'end': 5}]}, depth=1), 'label-studio',
     (QUERIES, {'d': TEXT}), "the unit 'd' of query 'q' is not a segment: pool runs with segment ids")])
def test_refusals(units: Any, format: str, given: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as found:
        pool_text(units(), format, *given)
    assert str(found.value).startswith(sentence)
