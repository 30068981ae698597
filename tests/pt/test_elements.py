"""XML elements as segments: extents and paths against a tree that knows its own, and what XML must not do."""

import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import parse_segment

pytest.importorskip('lxml')
pt = pytest.importorskip('pyterrier')
elements = pytest.importorskip('ir_segmeasures.pt.cutters')
from ir_segmeasures.texts.xml import Element, plain_text, read_elements  # noqa: E402

xml_elements = elements.xml_elements

ARTICLE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<article><fm><ti>Bees &amp; hives</ti></fm>
<bdy><sec><p>One <it>two</it>.</p><p/><p>Three</p></sec><!-- <p>no</p> --><sec id="s2"> <p>é&#8212;</p></sec></bdy>
</article>
"""


class Node(NamedTuple):
    """An element; its children are nodes, texts, and ready pieces of XML that are no text."""
    name: str
    children: tuple[Any, ...]


class Markup(NamedTuple):
    source: str


signs = st.text(st.sampled_from('ab \n&<>]é文😀'), max_size=5)
leaves = st.one_of(signs, signs, st.sampled_from((Markup('<!-- a<b>c</b> -->'), Markup('<?pi x?>'), Markup('<p/>'))))
trees = st.recursive(
    st.builds(Node, st.sampled_from(('sec', 'p')), st.just(())),
    lambda inner: st.builds(Node, st.sampled_from(('sec', 'p', 'x:p')), st.lists(st.one_of(leaves, inner), max_size=4)
                            .map(tuple)),
    max_leaves=8)


def source_of(node: Any, cdata: bool) -> str:
    if isinstance(node, Markup):
        return node.source
    if isinstance(node, str):
        # A text that would end the section goes into two.
        return f'<![CDATA[{node.replace("]]>", "]]]]><![CDATA[>")}]]>' if cdata and node else escape(node)
    inner = ''.join(source_of(child, cdata) for child in node.children)
    return f'<{node.name}>{inner}</{node.name}>'


def extents_of(node: Node, path: str, start: int) -> tuple[str, list[Element]]:
    """The text of a node, and the elements in it, by the definition."""
    text, found = '', []
    counts: dict[str, int] = {}
    for child in node.children:
        if child == Markup('<p/>'):
            child = Node('p', ())
        if isinstance(child, Node):
            name = child.name.removeprefix('x:')
            counts[name] = counts.get(name, 0) + 1
            inner, deeper = extents_of(child, f'{path}/{name}[{counts[name]}]', start + len(text))
            text += inner
            found += deeper
        elif isinstance(child, str):
            text += child
    return text, [Element(path, start, start + len(text)), *found]


def cut(transformer: Any, source: Any) -> list[tuple[str, str]]:
    return [(row['docno'], row['text']) for row in transformer([{'docno': 'd', 'text': source}])]


class TestExtents:
    @given(trees, st.booleans())
    def test_by_definition(self, tree: Node, cdata: bool) -> None:
        source = f'<!DOCTYPE a>\n<!-- before -->\n<a xmlns:x="urn:x">{source_of(tree, cdata)}</a>\n<!-- after -->'
        text, expected = extents_of(Node('a', (tree,)), '/a[1]', 0)
        assert plain_text(source) == plain_text(source.encode()) == text
        assert read_elements(source) == (text, expected)
        some = [element for element in expected if element.path.rpartition('/')[2].startswith('p[')]
        assert read_elements(source, ['p'])[1] == some
        assert read_elements(source, xpath="//*[local-name()='p']")[1] == some
        segments = [(parse_segment(id), piece) for id, piece in cut(xml_elements('p'), source)]
        assert [(found.path, found.start, found.end) for found, _ in segments] == [
            element for element in some if text[element.start:element.end].strip()]
        for found, piece in segments:
            blanks = getattr(piece, 'blanks', ())
            assert text[int(found.start):int(found.end)] == ''.join(
                sign for at, sign in enumerate(piece) if at not in blanks)
            assert all(piece[at] == ' ' and piece[at - 1].strip() and piece[at + 1].strip() for at in blanks)
        assert {found.document for found, _ in segments} <= {'d'}

    @pytest.mark.parametrize('options, expected', [
        ({'tags': 'sec'}, ['sec[1]', 'sec[2]']),
        ({'tags': 'abs'}, []),
        ({'xpath': '//sec[@id]'}, ['sec[2]']),
        ({'xpath': '//it/.. | //ti'}, ['ti[1]', 'p[1]']),
        ({'tags': 'p', 'xpath': '//sec[2]//*'}, ['p[1]']),
    ])
    def test_which_elements(self, options: dict[str, Any], expected: list[str]) -> None:
        paths = [parse_segment(id).path or '' for id, _ in cut(xml_elements(**options), ARTICLE)]
        assert [path.rpartition('/')[2] for path in paths] == expected


GLUED = '<a><s><p>hive</p><p>win<b>ter</b></p></s><s><t>Bees</t> <p>sleep.</p></s></a>'


@pytest.mark.parametrize('as_frame', [False, True])
def test_words_of_neighbours_are_apart_and_offsets_are_those_of_the_text(as_frame: bool) -> None:
    document = {'docno': 'd', 'text': GLUED}
    given = pt.new.queries(['x']).assign(score=1.0, **document) if as_frame else [document]

    def rows(transformer: Any) -> list[tuple[str, str]]:
        found = transformer(given)
        found = found.to_dict('records') if as_frame else found
        return [(row['docno'].rpartition('&')[2], str(row['text'])) for row in found]

    assert plain_text(GLUED) == 'hivewinterBees sleep.'
    assert rows(xml_elements('s')) == [('char=0,10', 'hive winter'), ('char=10,21', 'Bees sleep.')]
    assert rows(xml_elements('a')) == [('char=0,21', 'hive winter Bees sleep.')]
    assert rows(xml_elements('s') >> pt.segments.sliding(1, 1, 'word', offsets='char')) == [
        ('d#char=0,4', 'hive'), ('d#char=4,10', 'winter'), ('d#char=10,14', 'Bees'), ('d#char=15,21', 'sleep.')]


def test_an_index_has_the_words_apart(tmp_path: Path) -> None:
    pisa = pytest.importorskip('pyterrier_pisa')
    index = pisa.PisaIndex(str(tmp_path / 'index'), text_field='text')
    (xml_elements(['s', 'p']) >> index).index([{'docno': 'd', 'text': GLUED}, {'docno': 'e', 'text': '<p>ants</p>'}])

    def found(word: str) -> list[str]:
        return sorted(id.partition('#xpath=')[2] for id in index.bm25().search(word)['docno'])

    assert index.num_docs() == 6
    assert found('hive') == ['/a[1]/s[1]&char=0,10', '/a[1]/s[1]/p[1]&char=0,4']
    assert found('winter') == ['/a[1]/s[1]&char=0,10', '/a[1]/s[1]/p[2]&char=4,10']
    assert found('bees') == ['/a[1]/s[2]&char=10,21'] and not found('hivewinter')


class TestErrors:
    @pytest.mark.parametrize('source, sentence', [
        ('<a>\n<b>\n</a>', 'line 3: this is not well-formed XML (Opening and ending tag mismatch: b line 2 and a)'),
        ('<a>\n&mdash;</a>', "line 2: this is not well-formed XML (Entity 'mdash' not defined)"),
        ('<!DOCTYPE a [<!ENTITY e "x">]>\n<a>\n&e;</a>', 'line 3: the entity &e; stands for text'),
        ('<a>\ud800</a>', 'character 3 is half of a surrogate pair'),
        (None, 'the document is a NoneType: give XML as text or bytes'),
    ])
    def test_documents(self, source: Any, sentence: str) -> None:
        with pytest.raises(ValueError, match=re.escape(f"document 'd': {sentence}")):
            cut(xml_elements(), source)
