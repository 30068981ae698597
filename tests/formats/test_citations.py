"""Answers with citations as runs."""

import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from ir_segmeasures import SegP, SegR, formats
from ir_segmeasures.formats.citations import read_citations
from ir_segmeasures.texts.locating.collection import UnlocatedWarning

TEXTS = {'Bees': 'Bees fly. Bees dance in the hive. They sleep.', '7': 'Wasps do not dance.'}
ALCE = {'args': {}, 'data': [{
    'question': 'Who?', 'sample_id': 'q1', 'output': 'Bees dance [2][1]. They do. So it is.[1] Yes.',
    'docs': [{'title': 'Bees', 'text': 'Bees  dance in the hive.'},
             {'title': 'Wasps', 'id': 7, 'text': 'Wasps do not'}]}]}
LONGBENCH = [{'idx': 3, 'statements': [{'statement': 'x', 'citation': [
    {'st_sent': 1, 'ed_sent': 2, 'start_char': 10, 'end_char': 45, 'cite': '…'}]}, {'statement': 'y', 'citation': []}]}]
RAG = [{'topic_id': '2024-1', 'references': ['s#1', 's#2'], 'answer': [{'text': 'x', 'citations': [1, 0]},
                                                                       {'text': 'y', 'citations': [1]}]},
       {'metadata': {'narrative_id': 9}, 'references': ['s#3'], 'answer': [{'text': 'z', 'citations': ['s#3']}]}]


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding='utf-8')
    return path


def items(path: Path, format: str, **options: Any) -> list[tuple[str, str]]:
    return [(row.query_id, row.doc_id) for row in read_citations(path, format, **options)]


def test_alce(tmp_path: Path) -> None:
    path = written(tmp_path / 'file', ALCE)
    assert items(path, 'alce') == [('q1', '7'), ('q1', 'Bees')]
    assert items(path, 'alce', texts=TEXTS) == [('q1', '7#char=0,12'), ('q1', 'Bees#char=10,33')]
    assert items(path, 'alce', texts=TEXTS, by_sentence=True) == [
        ('q1/0', '7#char=0,12'), ('q1/0', 'Bees#char=10,33'), ('q1/2', 'Bees#char=10,33')]
    ALCE['data'][0]['output'] += ' [3]'  # type: ignore[index]
    with pytest.raises(formats.FormatError, match=r'cites \[3\], but there are 2 docs'):
        items(written(path, ALCE), 'alce')
    with pytest.warns(UnlocatedWarning, match=r"1 citations are of what .* \(query 'q1': .* cites \[3\]"):
        assert items(path, 'alce', unlocated='warn') == [('q1', '7'), ('q1', 'Bees')]


def test_alce_reads_the_first_line(tmp_path: Path) -> None:
    answer = {'question': 'Who?', 'output': '\n So [1].\n\nQuestion: Which? [2]', 'docs': ALCE['data'][0]['docs']}
    assert items(written(tmp_path / 'file', [answer]), 'alce') == [('0', 'Bees')]


def test_longbench_cite_against_evidence(tmp_path: Path) -> None:
    means = {'scores': {'hotpotqa': {'citation_f1': 0.5}}, 'finish': True}  # as its program ends its file
    run = formats.read_run(written(tmp_path / 'file', [*LONGBENCH, means]), 'longbench-cite')
    judged = written(tmp_path / 'judged', [{'id': 3, 'document': '3', 'quotes': ['Bees dance in the hive.']}])
    qrels = formats.read_qrels(judged, 'evidence', texts={'3': TEXTS['Bees']})
    assert ir_measures.calc_aggregate([SegP, SegR], qrels, run) == {SegP: pytest.approx(23 / 35), SegR: 1}


def test_trec_rag(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text('\n'.join(map(json.dumps, RAG)))
    assert items(path, 'trec-rag') == [('2024-1', 's#2'), ('2024-1', 's#1'), ('9', 's#3')]
    assert items(path, 'trec-rag', by_sentence=True)[-2:] == [('2024-1/1', 's#2'), ('9/0', 's#3')]
    RAG[0]['answer'][0]['citations'] = [2]  # type: ignore[index]
    with pytest.raises(formats.FormatError, match='the citation 2 is no place among the 2 references'):
        items(written(path, RAG), 'trec-rag')


@pytest.mark.parametrize('format', ['alce', 'longbench-cite', 'trec-rag'])
@pytest.mark.parametrize('content', ['', '[]', '{}', '[1]', '[[]]', '{"data": [{}]}', 'x', '[{"idx": 1}]', '\0'])
def test_no_traceback(format: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text(content)
    try:
        assert items(path, format) == []
    except formats.FormatError as error:
        assert 'has no answers of' in str(error)
