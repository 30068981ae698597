"""A folder of texts: by the names of its files, whatever they end in."""

import gzip
from pathlib import Path

import pytest

from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.texts import FolderTexts, read_tabs


def test_folders_below_and_recordings_beside(tmp_path: Path) -> None:
    (tmp_path / 'handbook').mkdir()
    (tmp_path / 'handbook' / 'leave.md').write_text('Ask first.')
    (tmp_path / 'talk.vtt').write_text('WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n')
    (tmp_path / 'talk.mp3').write_bytes(b'\xff\xfb')
    texts = FolderTexts(str(tmp_path))
    assert (texts.get('handbook/leave.md'), texts.get('handbook/leave')) == ('Ask first.', 'Ask first.')
    assert texts.lengths()['talk'] == 2


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / 'a.txt').write_bytes('é\r\n😀'.encode())
    (tmp_path / 'b').write_text('b')
    (tmp_path / 'd.txt.gz').write_bytes(gzip.compress(b'd\n'))
    (tmp_path.parent / 'secret').write_text('secret')
    texts = FolderTexts(str(tmp_path))
    assert texts.get('a') == texts.get('a.txt') == 'é\r\n😀'
    assert texts.get('b') == 'b'
    assert texts.get('d') == texts.get('d.txt') == texts.get('d.txt.gz') == 'd\n'
    assert texts.get('../secret') is texts.get('') is texts.get('c') is None


def test_two_files_of_one_name_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / 'a.txt').write_bytes(b'\xff')
    with pytest.raises(ValueError, match=r'a\.txt, line 1: byte 0xFF is not UTF-8, but files are read as UTF-8: conv'):
        FolderTexts(str(tmp_path)).get('a')
    (tmp_path / 'a.xml').write_text('a')
    with pytest.raises(ValueError, match=r"has a\.txt and a\.xml, so that the text of 'a' is not clear"):
        FolderTexts(str(tmp_path))


def test_a_short_line_of_a_sheet_of_queries(tmp_path: Path) -> None:
    path = tmp_path / 'topics.csv'
    path.write_text('query,qid\nBees,q1\nAnts\n')
    with pytest.raises(FormatError, match="line 3: the query '' is empty or holds white space"):
        read_tabs(path, 'query')
