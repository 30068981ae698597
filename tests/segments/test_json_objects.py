"""The items of a list in a JSON object come as they are read."""

import io
import json

import pytest

from ir_segmeasures.segments import json_objects
from ir_segmeasures.segments.json_objects import list_items

ITEMS = [{'query': 'Was heißt das?', 'spans': [[1, 2], []]}, 'a, b]}', 3, None, {}]


@pytest.fixture(params=[20, 33, 1 << 14])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(json_objects, '_BLOCK', request.param)
    return int(request.param)


@pytest.mark.parametrize('indent', [None, 1, 4])
def test_items(block: int, indent: int | None) -> None:
    text = json.dumps({'tests': ITEMS}, indent=indent, ensure_ascii=False)
    assert list(list_items(io.StringIO(f'{text}\n'), 'tests')) == ITEMS


@pytest.mark.parametrize(('text', 'count'), [
    ('{"others": [1]}', 0), ('{"tests": []}', 0), ('[1, 2]', 0), ('', 0), ('{"tests": {"a": 1}}', 0),
    ('{"tests": ["a", "b"', 1), ('{"tests": ["a", "b"], "c": 1}', 2), ('{"tests": ["a", {"b": 1, "b": 2}]}', 1),
    ('{"tests": ["a" "b"]}', 0), ('{"tests": ["a", "b"]} x', 2)])
def test_what_has_to_be_read_at_once(text: str, count: int) -> None:
    found = []
    with pytest.raises(ValueError):
        for item in list_items(io.StringIO(text), 'tests'):
            found.append(item)
    assert len(found) == count
