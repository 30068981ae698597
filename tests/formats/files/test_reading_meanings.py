"""Entities that nothing declares are refused in attributes, too, in every encoding."""

from pathlib import Path

import pytest

from ir_segmeasures.formats import FORMATS
from ir_segmeasures.formats.files.reading import FormatError

ASSESSED = ('<assessments topic="1"><file name="caf{}1"><element {} exhaustivity="1" size="9" rsize="3"/></file>'
            '</assessments>')
PATH = 'path="/a[1]"'


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
