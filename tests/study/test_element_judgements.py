"""Elements judged by highlighted passages: the example of the paper, nested elements, real highlights."""

from pathlib import Path

import ir_measures
import pytest

from ir_segmeasures import T2I_AP, XCG, I2_Precall, formats, ideal_recall_base, nXCG
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


@pytest.mark.data
def test_highlights_of_inex_2010(shared_data: Path) -> None:
    """The real passages, on documents that are cut into elements of 500 characters, in sections of 2,500."""
    path = shared_data / 'inex-2010' / 'inex2010.qrels.gz'
    qrels = [row for row in formats.read_qrels(path, 'inex-fol') if row.relevance > 0]
    ends = {row.doc_id: max(other.end for other in qrels if other.doc_id == row.doc_id) for row in qrels[:200]}
    elements = [f'{document}#xpath=/a[1]/s[{start // 2500 + 1}]{f"/p[{start // 500 + 1}]" * (size < 2500)}'
                f'&char={start},{start + size}' for document, end in ends.items() for size in (2500, 500)
                for start in range(0, int(end) // 2500 * 2500 + 2500, size)]
    rows = element_judgements([row for row in qrels if row.doc_id in ends], elements)
    ideal = ideal_recall_base(rows, 'product', specificity='share')
    measures = [nXCG(quant='product', specificity='share'), I2_Precall(quant='product', specificity='share')]
    run = [(row.query_id, row.doc_id, row.worth) for row in ideal]
    values = ir_measures.calc_aggregate(measures[:1], rows, [ir_measures.ScoredDoc(*row) for row in run])
    assert values[measures[0]] == pytest.approx(1)
