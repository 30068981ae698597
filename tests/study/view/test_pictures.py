"""The picture of one query: what it draws, as text and as SVG."""

import re
from xml.etree import ElementTree

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import show

SVG = '{http://www.w3.org/2000/svg}'
QRELS = [Qrel('other', 'x#t=0,1', 1), Qrel('q', 'a#t=20,60', 1), Qrel('q', 'b#t=0,10', 1), Qrel('q', 'c#t=0,10', 0)]
RUN = [ScoredDoc('q', id, -i) for i, id in enumerate(('c#t=0,30', 'a#t=0,40', 'a#t=30,80', 'd#t=5,9'))]


def test_text() -> None:
    assert repr(show(QRELS, RUN, 'q', ['AiSP', 'AgP'])) == '\n'.join((
        'query q: AiSP 0.3564, AgP 0.1667',  # 81/101 · 40/90, and (2/3) / 2 / 2
        '2 relevant spans, 4 items',
        '      relevant  a 20–60',
        '      relevant  b 0–10',
        '     1  item      c 0–30',
        '     2  item      a 0–40  20 new',
        '     3  item      a 30–80  20 new, 10 seen before',
        '     4  item      d 5–9'))


def test_a_notebook_shows_the_picture_of_matplotlib() -> None:
    pytest.importorskip('matplotlib').use('Agg')
    from matplotlib import pyplot
    before = pyplot.get_fignums()  # of other tests
    hostile = '</text><script>alert(1)</script>'
    id = f'{hostile}#t=0,9'
    html = show([Qrel(hostile, id, 1)], [ScoredDoc(hostile, id, 1)], hostile)._repr_html_()
    assert html is not None and '<script' not in html and not re.search(r'(src|href)="(?!#)|url\((?!#)', html)
    assert ElementTree.fromstring(html).find(f'{SVG}svg') is not None
    assert pyplot.get_fignums() == before


def test_documents_that_are_left_out_are_counted_above_the_picture() -> None:
    pytest.importorskip('matplotlib').use('Agg')
    assert '>in 1 of 4 documents<' in show(QRELS, RUN, 'q', documents=1)._repr_html_()


def test_a_query_that_is_not_judged() -> None:
    with pytest.raises(ValueError, match="the qrels have no judgement of query 'nothing'"):
        show(QRELS, RUN, 'nothing')
