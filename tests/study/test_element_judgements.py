"""Elements judged by highlighted passages: the example of the paper, nested elements, real highlights."""


import pytest

from ir_segmeasures import T2I_AP, XCG, ideal_recall_base
from ir_segmeasures.study import element_judgements

SECTIONS = [f'a#xpath=/sec[{i + 1}]&word={100 * i},{100 * i + 100}' for i in range(3)]
PARAGRAPHS = [f'a#xpath=/sec[{i // 10 + 1}]/p[{i % 10 + 1}]&word={10 * i},{10 * i + 10}' for i in range(30)]


def test_the_example_of_section_3_3() -> None:
    """Sections of ten paragraphs of ten words: the last paragraph of one and the first two of the next one."""
    rows = element_judgements({'q': {'a#word=90,120': 1, 'b#word=0,5': 0}, 'p': {'a#word=0,5': 0}},
                              [*SECTIONS, *PARAGRAPHS])
    assert [row.specificity for row in rows if row.doc_id in SECTIONS] == [.1, .2]
    assert [row.doc_id for row in rows if row.specificity == 1] == PARAGRAPHS[9:12]
    assert [(row.query_id, row.relevance) for row in rows] == [*[('q', 1)] * 5, ('p', 0)]
    measure = XCG(quant='product', specificity='share')
    assert measure.calc_aggregate(rows, {'q': {PARAGRAPHS[9]: 2, SECTIONS[1]: 1}}) == pytest.approx((1 + .2) / 3 / 2)


def test_the_ideal_recall_base_is_qrels_for_measures_of_spans() -> None:
    rows = element_judgements({'q': {'a#word=90,120': 1}}, [*SECTIONS, *PARAGRAPHS])
    base = ideal_recall_base(rows, 'product', specificity='share')
    assert T2I_AP(tau=5).calc_aggregate(base, {'q': {'a#word=88,99': 1}}) == 1
    assert {row.doc_id for row in base} == set(PARAGRAPHS[9:12])


def test_elements_without_offsets() -> None:
    with pytest.raises(ValueError, match=r"'/sec\[1\]' of 'a' has no offsets"):
        element_judgements({'q': {'a#word=90,120': 1}}, ['a#xpath=/sec[1]'])
