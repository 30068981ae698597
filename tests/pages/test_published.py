"""The tables of the page "published": names that parse, and figures that come out."""

import csv
import re
from itertools import combinations
from pathlib import Path

import ir_measures
import pytest
from element_cases import FRB, IRB, LO, REVERSED, TREES, article, as_qrels, figure_2, values
from ir_measures import AP, Qrel, ScoredDoc

from ir_segmeasures import MAgP, P_cov, R_cov, SegR, formats, ideal_recall_base

PAGES = Path(__file__).resolve().parents[2] / 'ir_segmeasures' / 'pt_docs'
PAGE = (PAGES / 'published.rst').read_text(encoding='utf-8')


def table(begin: str) -> list[list[str]]:
    """The rows of the first table behind some words."""
    lines = PAGE[PAGE.index(begin):].partition('.. csv-table::')[2].partition('\n\n')[2].partition('\n\n')[0]
    return list(csv.reader((line.strip() for line in lines.splitlines()), skipinitialspace=True))


def measures_in(cell: str) -> list[str]:
    """The names in a cell that ir-measures reads as measures."""
    return [name for name in re.findall(r'``([^`]+)``', cell)
            if not re.match(r'plot|study|quant|ideal|init$|keepviewing|apart', name)]


PAPERS = table('The five papers\n')


@pytest.mark.parametrize('name', sorted({name for row in PAPERS for name in measures_in(row[1])}))
def test_the_measures_of_the_papers_are_here(name: str) -> None:
    assert str(ir_measures.parse_measure(name)).partition('(')[0].partition('@')[0] == re.match(r'\w+', name)[0]  # type: ignore[index]


def test_the_worked_values_of_elements() -> None:
    computed, case = 0, article(IRB)
    leaves = [('F', f'/a[1]/bdy[1]/sec[1]/p[{i}]') for i in (4, 5, 2)]
    begins = {'section 4.1': figure_2('c')._replace(ranking=leaves), 'Table 4': article(IRB),
              'Table 5': article(REVERSED), 'Table 6': article(FRB), 'section 6.2': article(LO),
              'PRUM of one relevant unit: ideal': article(IRB), 'PRUM of one relevant unit: r': article(REVERSED)}
    for what, here, _, shown, *_ in (row for row in PAPERS if len(row) > 3):
        case = next((one for begin, one in begins.items() if what.startswith(begin)), case)
        if re.search(r'nXCG|XCG|I\d_P|PRUM\(', here) and shown[0].isdigit():
            found = values([ir_measures.parse_measure(name) for name in measures_in(here)], case)
            assert [f'{value:.4f}' for value in found] == shown.split(', '), what
            computed += 1
    assert computed == 1 + 2 + 2 + 10 + 1 + 2


def shown_for(*begins: str) -> list[str]:
    """The computed values of the rows that begin so."""
    return [next(row[3] for row in PAPERS if row[0].startswith(begin)) for begin in begins]


def test_the_ideal_nodes_of_table_1() -> None:
    for method, shown in zip(('kazai', 'piwowarski'), shown_for('Table 1, ideal', 'the same: P')):
        bases = [{row.doc_id for row in ideal_recall_base(as_qrels(figure_2(name)), ideal=method)} for name in TREES]
        found = [[number for number, path in paths.items() if f'F#xpath={path}' in base]
                 for base, (paths, _) in zip(bases, TREES.values())]
        assert shown == '; '.join(' '.join(map(str, numbers)) for numbers in found)


def test_two_systems_that_return_a_segment_twice() -> None:
    """De Vries et al., section 3.2. The example of section 3.3 of Kazai is computed in test_element_judgements."""
    qrels = [Qrel('q', f'v#t={i}0,{i}9', 1) for i in range(3)]
    runs = [[ScoredDoc('q', f'v#t={i}0,{i}9', -rank) for rank, i in enumerate(system)]
            for system in ((0, 0, 1), (0, 1, 5))]
    found = [f'{P_cov.calc_aggregate(qrels, run):.4f}, {R_cov.calc_aggregate(qrels, run):.4f}' for run in runs]
    assert shown_for('section 3.2', 'system B') == found


def test_the_averages_of_the_lecture() -> None:
    pytest.importorskip('scipy')
    from ir_segmeasures.study import micro
    shown = [row[3] for row in PAPERS[-4:]]
    lengths = list(zip((100, 5, 30, 10, 40), (10, 5, 20, 1, 30)))
    qrels = [Qrel(f'q{i}', f'd#char=0,{all}', 1) for i, (all, _) in enumerate(lengths)]
    run = [ScoredDoc(f'q{i}', f'd#char=0,{found}', 1.) for i, (_, found) in enumerate(lengths)]
    found = [SegR.calc_aggregate(qrels, run), micro(SegR, qrels, run)[SegR]]
    first = SegR.calc_aggregate(qrels[:2], run[:2]), micro(SegR, qrels[:2], run[:2])[SegR]
    recalls = [metric.value for metric in SegR.iter_calc(qrels, run)]
    assert shown == [', '.join(f'{value:.4f}' for value in recalls), *(f'{value:.4f}' for value in found),
                     ', '.join(f'{value:.4f}' for value in first)]


def test_the_means_of_the_simulated_runs(shared_data: Path) -> None:
    pytest.importorskip('scipy')
    from ir_segmeasures.study import fidelity
    measures = AP, MAgP(recall='length'), MAgP
    report = fidelity(measures, formats.read_qrels(shared_data / 'inex-2010' / 'inex2010.qrels.gz', 'inex-fol'))
    for run, *figures in table('has the means of Table 1'):
        parts, ranking = run.strip('`').split()
        means = report.means[parts, ranking]
        assert figures[1::2] == [f'{means[measure]:.4f}' for measure in measures]
    assert [report.significant(measure)[0] for measure in measures] == [16, 25, 24]
    assert [[len(report.by_measure(measure, verdict)) for verdict in ('kept', 'level', 'broken')]
            for measure in measures] == [[4, 8, 0], [9, 1, 2], [10, 2, 0]]


@pytest.mark.parametrize(('names', 'begin'), [
    (['noover'], 'csv-table:: Table 1'), (['noover', 'over'], 'csv-table:: Table 2')])
def test_the_correlations(shared_data: Path, names: list[str], begin: str) -> None:
    pytest.importorskip('scipy')
    from ir_segmeasures.study import agreement
    folder = shared_data / 'mediaeval-sh-2014'
    qrels = formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search')
    runs = {name: formats.read_run(folder / f'run-180-60-{name}.txt.gz', 'sh-search') for name in names}
    rows = agreement(['MAiSP', "MAiSP(user='ret')", 'MAP_tol', 'MAP_bin', 'MAP_over'], qrels, runs)
    shown = [cell.split()[0] for _, *cells in table(f'.. {begin}') for cell in cells if cell]
    assert len(rows) == len(list(combinations(range(5), 2)))
    assert shown == [f'{row.pearson or 0:.2f}' for row in rows]
