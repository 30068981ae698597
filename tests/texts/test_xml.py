"""XML that is long, or that names what must not be opened."""

import os
from pathlib import Path
from threading import Timer

import pytest

from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.files.xml import read_xml
from ir_segmeasures.texts.xml import Element, read_elements


@pytest.mark.parametrize('any_doctype', [False, True])
def test_a_tag_of_megabytes(any_doctype: bool, tmp_path: Path) -> None:
    path = tmp_path / 'long.xml'
    path.write_text(f'<a><b c="{"x" * 4_000_000}"/></a>')
    sizes = [len(element.attributes.get('c', '')) for element in read_xml(path, any_doctype=any_doctype).iter()]
    assert sizes == [0, 4_000_000]


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='there are no named pipes here')
@pytest.mark.parametrize('doctype', ['SYSTEM "{}"', 'PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "{}"'])
def test_no_dtd_is_opened(doctype: str, tmp_path: Path) -> None:
    pipe = tmp_path / 'x.dtd'
    os.mkfifo(pipe)
    opened = []

    def let_go() -> None:  # of whoever opened it
        opened.append(True)
        os.close(os.open(pipe, os.O_RDWR))
    watch = Timer(20, let_go)
    watch.start()
    source = f'<!DOCTYPE a {doctype.format(pipe)}><a id="1">x<b id="1">y</b></a>'
    assert read_elements(source) == ('xy', [Element('/a[1]', 0, 2), Element('/a[1]/b[1]', 1, 2)])
    (tmp_path / 'x.xml').write_text(source)
    read_xml(tmp_path / 'x.xml')
    watch.cancel()
    assert not opened


@pytest.mark.parametrize('subset', ['', ' []'])
def test_entities_of_a_dtd_that_nobody_reads(subset: str, tmp_path: Path) -> None:
    path = tmp_path / 'file.xml'
    for source in (f'<!DOCTYPE a SYSTEM "x.dtd"{subset}>\n<a>\n<b c="caf&eacute;1"/></a>',
                   f'<!DOCTYPE a SYSTEM "x.dtd"{subset}>\n<a>\n<b>caf&eacute;1</b></a>'):
        path.write_text(source)
        with pytest.raises(FormatError, match="line 3: the entity 'eacute' is not one of XML's own"):
            read_xml(path)
        with pytest.raises(ValueError, match='line 3: the entity &eacute; stands for text that only a DTD knows'):
            read_elements(source)
