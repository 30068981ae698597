"""Files of transcripts in PyTerrier's pipelines."""

import json
from pathlib import Path

import pytest

pt = pytest.importorskip('pyterrier')
S = pt.segments


def test_files_to_segments(tmp_path: Path) -> None:
    for name, start in (('a', 0), ('b', 40)):
        (tmp_path / f'{name}.json').write_text(json.dumps({'segments': [
            {'text': f'one {name}', 'start': start, 'end': start + 4},
            {'text': f'two {name}', 'start': start + 14, 'end': start + 16}]}))
    pattern = str(tmp_path / '*.json')
    cut = list(S.sliding(10, 10).transform_iter(S.read_transcripts(pattern)))
    assert [(row['docno'], row['text']) for row in cut] == [
        ('a#t=0,10', 'one a'), ('a#t=10,16', 'two a'), ('b#t=40,50', 'one b'), ('b#t=50,56', 'two b')]
    lines = S.by_boundaries(S.lines)(list(S.read_transcripts(pattern)))
    assert [row['docno'] for row in lines] == ['a#t=0,4', 'a#t=14,16', 'b#t=40,44', 'b#t=54,56']
