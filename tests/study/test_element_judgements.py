"""Elements judged by highlighted passages: the example of the paper, nested elements, real highlights."""

from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import T2I_AP, XCG, formats, ideal_recall_base
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


def test_passages_of_inex_2010(run: Any, shared_data: Path, tmp_path: Path) -> None:
    """By the command: an article is as specific as the judgements say, and its halves together are what it is."""
    pytest.importorskip('pyarrow')
    file, table, out = shared_data / 'inex-2010' / 'inex2010.qrels.gz', tmp_path / 'elements', tmp_path / 'out.parquet'
    sizes = {row.doc_id: row.doc_size for row in formats.read_qrels(file, 'inex-fol') if row.relevance}
    table.write_text(''.join(f'{d}#xpath={path} {d} {size * i // 2} {size * j // 2}\n' for d, size in sizes.items()
                             for path, i, j in (('/a[1]', 0, 2), ('/a[1]/s[1]', 0, 1), ('/a[1]/s[2]', 1, 2))))
    assert run('convert', file, out, '--from', 'inex-fol', '--kind', 'qrels', '--elements', table).code == 0
    found = {(row.query_id, row.doc_id.partition('&')[0]): row.specificity
             for row in formats.read_qrels(out, 'parquet')}
    relevant = dict[tuple[str, str], float]()
    for row in formats.read_qrels(file, 'inex-fol'):
        if row.relevance:
            relevant[row.query_id, row.doc_id] = relevant.get((row.query_id, row.doc_id), 0) + row.end - row.start
    for (query, document), length in relevant.items():
        whole, first, last = (found.get((query, f'{document}#xpath=/a[1]{part}'), 0) for part in ('', '/s[1]', '/s[2]'))
        size = sizes[document]
        assert whole == pytest.approx(length / size)
        assert whole * size == pytest.approx(first * (size // 2) + last * (size - size // 2))
    assert len(relevant) == 5471
