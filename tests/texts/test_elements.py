"""Elements of XML documents, looked up by their ids."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from ir_measures import ScoredDoc

from ir_segmeasures import resolve
from ir_segmeasures.segments.segment import Segment, parse_segment
from ir_segmeasures.texts.elements import Elements
from ir_segmeasures.texts.xml import read_elements

lxml = pytest.importorskip('lxml')

trees = st.recursive(st.just(''), lambda inside: st.lists(st.tuples(
    st.sampled_from('ab'), st.text('xé \n', max_size=3), inside, st.text('yß', max_size=2)), max_size=3).map(
        lambda children: ''.join(f'<{name}>{text}{inner}</{name}><!-- - -->{tail}'
                                 for name, text, inner, tail in children)), max_leaves=8)


def folder_of(tmp_path: Path, **documents: str) -> Path:
    for name, content in documents.items():
        path = tmp_path / f'{name.replace("__", "/")}.xml'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding='utf-8')
    return tmp_path


@given(trees)
def test_text_nodes_are_those_of_xpath(tree: str) -> None:
    from lxml import etree
    source = f'<r>{tree}</r>'
    text, found = read_elements(source, texts=True)
    assert [element for element in found if 'text()' not in element.path] == read_elements(source)[1]
    nodes = {element.path: text[element.start:element.end] for element in found if 'text()' in element.path}
    root = etree.fromstring(source)
    assert ''.join(nodes.values()) == text == ''.join(root.itertext(with_tail=True, tag=None)).replace(' - ', '')
    for path, content in nodes.items():
        assert content and root.xpath(path) == [content]


def test_elements_and_documents(tmp_path: Path) -> None:
    table = Elements(folder_of(tmp_path, co__1='<a>0<b>12</b><b/>3</a>', part__2='<a>x</a>', deep__2='<a/>',
                               deep__3='<a>yz</a>'))
    assert table['co/1#xpath=/a[1]/b[1]'] == Segment('co/1', 1, 3, 'char', '/a[1]/b[1]')
    assert table['co/1#xpath=/a[1]/b[2]'][1:3] == (3, 3)
    assert table['co/1#xpath=/a[1]/text()[2]'][1:3] == (3, 4)
    assert table['co/1'] == Segment('co/1', 0, 4, 'char')
    assert table['3#xpath=/a[1]'] == Segment('3', 0, 2, 'char', '/a[1]')  # the only file of that name
    for lacking in ('2', '1#xpath=/b[1]', 'co/1#char=0,2', 'co/9', '../co/1', 'a b', 'co/1#xpath=/a[2]', 'x' * 5000,
                    'a\0'):
        assert lacking not in table
    assert table.skipped == {'1#xpath=/b[1]': '1 has no such element', 'co/1#xpath=/a[2]': 'co/1 has no such element'}
    assert len(table) == len(list(table)) == 7 + 2 + 3 + 3
    assert all(table[id] for id in table)


def test_ranges_of_elements(tmp_path: Path) -> None:
    table = Elements(folder_of(tmp_path, d='<a>0<b>12</b>3<b>45</b>6</a>'))
    ids = ['/a[1]/b[1],/a[1]/b[2]', '/a[1]/b[1]/text()[1].1,/a[1]/text()[2]', '/a[1]/b[1],/a[1]/text()[2].0']
    rows = [ScoredDoc('q', f'd#xpath={id}', 1) for id in ids]
    assert [row.doc_id for row in resolve(rows, table)] == ['d#char=1,6', 'd#char=2,4', 'd#char=1,3']
    # Any table of elements will do.
    extents = {id: table[id] for id in table}
    assert resolve(rows, extents) == resolve(rows, table)
    assert resolve([rows[0]], {**extents, rows[0].doc_id: ('e', 7, 8)}, 'char')[0].doc_id == 'e#char=7,8'
    lacking = [ScoredDoc('q', f'd#xpath={id}', 1) for id in ('/a[1]/b[1],/a[1]/b[3]', '/a[1]/b[1],x.1')]
    assert resolve(lacking, table, missing='keep') == lacking
    for wrong in ('/a[1]/b[2],/a[1]/b[1]', '/a[1],/a[1],/a[1]', '/a[1]/text()[3].1,/a[1]/b[1]', '/a[1]/b[1],'):
        with pytest.raises(ValueError, match=r'is not a range from one place to a later one of the same document,'):
            resolve([ScoredDoc('q', f'd#xpath={wrong}', 1)], table)


def test_documents_are_read_when_they_are_asked_for(tmp_path: Path, monkeypatch: Any) -> None:
    table = Elements(folder_of(tmp_path, good='<a>1</a>', bad='<a>'))
    assert parse_segment(resolve([ScoredDoc('q', 'good', 1)], table)[0].doc_id).end == 1
    with pytest.raises(ValueError, match=r'bad\.xml: line 1: this is not well-formed XML'):
        assert table['bad']
    read: list[str] = []
    monkeypatch.setattr('ir_segmeasures.texts.elements.read_elements',
                        lambda source, **_: (read.append(source), read_elements(source, texts=True))[1])
    table = Elements(tmp_path)
    assert table == Elements(tmp_path) != Elements(tmp_path / 'x') and len({table, Elements(tmp_path)}) == 1
    assert repr(table) == f'Elements({str(tmp_path)!r})' and not read
    assert [table['good'], table['good']] and len(read) == 1
