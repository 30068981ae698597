"""The figures of the page "studies" are those of the judgements and runs that it names."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import ir_segmeasures
from ir_segmeasures import formats
from ir_segmeasures.study import agreement, without_overlap

pytest.importorskip('scipy')

PAGE = (Path(ir_segmeasures.__file__).parent / 'pt_docs' / 'studies.rst').read_text(encoding='utf-8')
MEASURES = ('AiSP', "AiSP(user='ret')", 'AP_tol', 'AP_bin', 'AP_over')


def table(begin: str) -> list[list[str]]:
    """The cells of the first table behind a sentence, without its head."""
    text = PAGE[PAGE.index(begin):]
    text = re.split(r'\n\n(?=\S)', text[text.index('.. list-table::'):])[0]
    rows = re.split(r'^   \* -', text, flags=re.M)[1:]
    return [[cell.strip() for cell in re.split(r'^     -', row, flags=re.M)] for row in rows][1:]


@pytest.fixture(scope='module')
def two_tables(shared_data: Path) -> list[dict[frozenset[int], float]]:
    """Pearson's r by the two measures' places, without and with overlapping segments."""
    folder = shared_data / 'mediaeval-sh-2014'
    qrels = formats.read_qrels(folder / 'me14sh_search_testSet.qrel', 'sh-search')
    runs = {name: formats.read_run(folder / f'run-180-60-{name}.txt.gz', 'sh-search') for name in ('over', 'noover')}
    assert without_overlap(runs['noover']) == list(runs['noover'])
    found = [agreement(MEASURES, qrels, chosen) for chosen in ({'noover': runs['noover']}, runs)]
    assert [rows[0].n for rows in found] == [30, 60]
    return [dict(zip(map(frozenset, combinations(range(5), 2)), (row.pearson or 0 for row in rows))) for rows in found]


@pytest.mark.parametrize(('number', 'begin'), [
    (0, 'Without overlapping segments (Table 1'), (1, 'With overlapping segments (Table 2')])
def test_racca_and_jones(two_tables: list[dict[frozenset[int], float]], number: int, begin: str) -> None:
    shown = {frozenset((row, column)): cell.split()[0] for row, (_, *cells) in enumerate(table(begin))
             for column, cell in enumerate(cells, 1) if cell}
    assert shown == {pair: f'{value:.2f}' for pair, value in two_tables[number].items()}
