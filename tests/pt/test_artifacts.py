"""A table of segments, saved, shared and loaded as PyTerrier's artifacts are."""

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ir_segmeasures.segments.segment import Segment

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

SHOTS = {'shot1_1': ('v1', 0, 4.2), 'shot1_2': ('v1', 4.2, 9.8)}
CORPUS = [{'docid': 'msmarco_v2.1_doc_00_0#0_0', 'start_char': 0, 'end_char': 500, 'segment': 'x'},
          {'docid': 'msmarco_v2.1_doc_00_0#1_7', 'start_char': 300, 'end_char': 800}]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point, also where the package is not installed with it."""
    point = SimpleNamespace(name='segment_table.ir_segmeasures', value='ir_segmeasures.pt.artifacts:SegmentTable',
                            load=lambda: S.SegmentTable)
    others = pt.utils.entry_points
    monkeypatch.setattr(pt.utils, 'entry_points', lambda group: [
        *others(group), *[point] * (group == 'pyterrier.artifact')])


@pytest.mark.parametrize(('source', 'unit', 'segments'), [
    (SHOTS, None, ['v1#t=0,4.2', 'v1#t=4.2,9.8']), ([(id, *shot) for id, shot in SHOTS.items()], None,
                                                   ['v1#t=0,4.2', 'v1#t=4.2,9.8']),
    ({'shot1_1': Segment('v1', 0, 9, 'line')}, None, ['v1#line=0,9']), ({'d': 90}, 'char', ['d#char=0,90']),
    (CORPUS, None, ['msmarco_v2.1_doc_00_0#char=0,500', 'msmarco_v2.1_doc_00_0#char=300,800'])])
def test_a_table_is_what_resolve_takes(source: Any, unit: Any, segments: list[str], tmp_path: Path,
                                       registered: None) -> None:
    table = S.SegmentTable(source, unit)
    table.save(tmp_path / 'table')
    loaded = pt.Artifact.load(str(tmp_path / 'table'))
    assert type(loaded) is S.SegmentTable and dict(loaded) == dict(table) and repr(loaded) == repr(table)
    results = pt.new.ranked_documents([[*range(len(table), 0, -1)]], docno=[list(table)])
    for one in (table, loaded, S.SegmentTable.load(tmp_path / 'table')):
        assert (pt.Transformer.from_df(results) >> S.resolve(one))(pt.new.queries(['x']))['docno'].tolist() == segments
    assert json.loads((tmp_path / 'table' / 'pt_meta.json').read_text()) == {
        'type': 'segment_table', 'format': 'ir_segmeasures', 'package_hint': 'ir_segmeasures'}


def test_a_file_of_lines(tmp_path: Path) -> None:
    (tmp_path / 'shots.txt').write_text('shot1_1 v1 0 4.2\n')
    assert S.SegmentTable(tmp_path / 'shots.txt')['shot1_1'] == ('v1', 0, 4.2, 't', None)


def test_it_is_shared_by_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registered: None) -> None:
    hub, uploaded = ModuleType('huggingface_hub'), tmp_path / 'uploaded'
    vars(hub).update(create_repo=lambda *args, **_: None, create_branch=lambda *args, **_: None,
                     upload_folder=lambda folder_path, **_: Path(folder_path).rename(uploaded) and '',
                     utils=SimpleNamespace(HfHubHTTPError=OSError))
    monkeypatch.setitem(sys.modules, 'huggingface_hub', hub)
    monkeypatch.setattr('tempfile.TemporaryDirectory.__exit__', lambda *_: None)
    monkeypatch.setattr(pt.io, 'pyterrier_home', lambda: str(tmp_path / 'home'))
    table = S.SegmentTable(SHOTS)
    table.save(tmp_path / 'table')
    table.to_hf('me/shots')
    assert 'pyterrier-artifact.segment_table.ir_segmeasures' in (uploaded / 'README.md').read_text()
    monkeypatch.setattr(pt.io, 'open_or_download_stream', lambda url, **_: (uploaded / Path(url).name).open('rb'))
    assert dict(pt.Artifact.from_hf('me/shots')) == dict(table)


@pytest.mark.parametrize(('source', 'sentence'), [
    ([('a', 'd', 0, 1), ('a', 'd', 0, 2)], "'a' has two extents, d#t=0,1 and d#t=0,2"), ([{'id': 'a'}], 'a row of the'),
    ({'a': ('d', 2, 1)}, 'the table has'), ({'d#t=0,1': ('d', 0, 1)}, 'is ambiguous')])
def test_errors(source: Any, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        S.SegmentTable(source)


def test_errors_of_saving(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a b' has white space"):
        S.SegmentTable({'a b': ('d', 0, 1)}).save(tmp_path / 'new')
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileExistsError, match='is there already'):
        S.SegmentTable(SHOTS).save(tmp_path)
