"""What was read with another meaning than is meant: keys twice, entities."""

from pathlib import Path

import pytest

from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.transcripts import read_transcript
from ir_segmeasures.formats.trecvid.vbs import read_vbs_tasks

TWICE = 'is there twice in one JSON object, but only one value can be meant: take one of the two out'
ASSESSED = ('<assessments topic="1"><file name="caf{}1"><element {} exhaustivity="1" size="9" rsize="3"/></file>'
            '</assessments>')
PATH = 'path="/a[1]"'


@pytest.mark.parametrize('format, kind, text, start', [
    ('moments', 'qrels', '{"qid":1,"vid":"v","relevant_windows":[[1,2]],"relevant_windows":[[3,4]]}',
     f"the key 'relevant_windows' {TWICE}"),
    ('moments', 'run', '{"qid":1,"qid":2,"vid":"v","pred_relevant_windows":[[1,2,0.5]]}', f"the key 'qid' {TWICE}"),
    ('inex-xml', 'qrels', ASSESSED.format('', ''), "<element> is assessed and has no attribute 'path', but an "),
    ('trecvid-2001', 'qrels', '<x><y/></x>', "there is neither a <knownItem> nor an element with the attribute 'num'"),
])
def test_what_was_read_with_another_meaning(format: str, kind: str, text: str, start: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_text(text, encoding='utf-8')
    with pytest.raises(FormatError) as caught:
        FORMATS[format].files(kind).read(path)
    assert caught.value.sentence.startswith(start)


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16', 'utf-16-le', 'utf-16-be'])
@pytest.mark.parametrize('doctype', ['<!DOCTYPE x SYSTEM "x.dtd">', '<!DOCTYPE x PUBLIC "x" "x.dtd">', ''])
def test_undeclared_entities_in_attributes(doctype: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / 'file'
    declared = f'<?xml version="1.0" encoding="{encoding[:6].rstrip("-")}"?>\n{doctype}\n'
    path.write_bytes((declared + ASSESSED.format('&eacute;', PATH)).encode(encoding))
    with pytest.raises(FormatError, match=r"the entity 'eacute' is not one of XML's own|undefined entity") as caught:
        FORMATS['inex-xml'].qrels.read(path)
    assert caught.value.line == 3
    path.write_bytes((declared + ASSESSED.format('é', PATH)).encode(encoding))
    row, = FORMATS['inex-xml'].qrels.read(path)
    assert row.doc_id == 'café1#xpath=/a[1]'


def test_transcripts_and_tasks_with_a_key_twice(tmp_path: Path) -> None:
    path = tmp_path / 'talk.json'
    path.write_text('{"segments": [{"start": 1, "start": 2, "end": 3, "text": "x"}]}')
    with pytest.raises(FormatError, match="the key 'start' is there twice"):
        read_transcript(path)
    path.write_text('[{"name": "a", "name": "b"}]')
    with pytest.raises(FormatError, match="the key 'name' is there twice"):
        read_vbs_tasks(path)
