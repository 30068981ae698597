"""Answers with citations as runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats
from ir_segmeasures.formats.citations import read_citations
from ir_segmeasures.texts.locating.collection import UnlocatedWarning

ANSWERS: list[dict[str, Any]] = [
    {'topic_id': '2024-1', 'references': ['s#1', 's#2'],
     'answer': [{'text': 'x', 'citations': [1, 0]}, {'text': 'y', 'citations': [1]}]},
    {'metadata': {'narrative_id': 9}, 'references': ['s#3'], 'answer': [{'text': 'z', 'citations': ['s#3']}]}]


def items(path: Path, **options: Any) -> list[tuple[str, str]]:
    return [(row.query_id, row.doc_id) for row in read_citations(path, **options)]


def test_answers_of_trec_rag(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text('\n'.join(map(json.dumps, ANSWERS)))
    assert items(path) == [('2024-1', 's#2'), ('2024-1', 's#1'), ('9', 's#3')]
    path.write_text(json.dumps([{**ANSWERS[0], 'answer': [{'citations': [2, 0]}]}]))
    with pytest.raises(formats.FormatError, match='the citation 2 is no place among the 2 references'):
        formats.read_run(path, 'trec-rag')
    with pytest.warns(UnlocatedWarning, match=r"1 citations are of what .* \(query '2024-1': the citation 2"):
        assert items(path, unlocated='warn') == [('2024-1', 's#1')]


@pytest.mark.parametrize('content', ['[1]', '[[]]', '{"data": [{}]}', 'x', '[{"idx": 1}]', '\0'])
def test_refusals(content: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text(content)
    with pytest.raises(formats.FormatError, match='has no answers of trec-rag'):
        items(path)
