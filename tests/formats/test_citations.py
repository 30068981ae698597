"""Answers with citations as runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import SegmentWarning, formats
from ir_segmeasures.formats.answers import read_citations

ANSWERS: list[dict[str, Any]] = [
    {'topic_id': '2024-1', 'references': ['s#1', 's#2'],
     'answer': [{'text': 'x', 'citations': [1, 0]}, {'text': 'y', 'citations': [1]}]},
    {'metadata': {'narrative_id': 9}, 'references': ['s#3'], 'answer': [{'text': 'z', 'citations': ['s#3']}]}]


def items(path: Path) -> list[tuple[str, str]]:
    return [(row.query_id, row.doc_id) for row in read_citations(path)]


def test_answers_of_trec_rag(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text('\n'.join(map(json.dumps, ANSWERS)))
    assert items(path) == [('2024-1', 's#2'), ('2024-1', 's#1'), ('9', 's#3')]
    path.write_text(json.dumps([{**ANSWERS[0], 'answer': [{'citations': [2, 0]}]}]))
    with pytest.warns(SegmentWarning, match=r"1 citations are not places .* left out \(such as 2 in query '2024-1'"):
        assert items(path) == [('2024-1', 's#1')]


@pytest.mark.parametrize('content', ['[1]', '[[]]', '{"data": [{}]}', 'x', '[{"idx": 1}]', '\0'])
def test_refusals(content: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text(content)
    with pytest.raises(formats.FormatError, match=r'answer 1 (is|has no .references.)|the line is not JSON'):
        items(path)
