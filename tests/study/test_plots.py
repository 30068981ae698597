"""Pictures, compared by what they show: lines, limits, labels, bars."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from element_cases import FRB, REVERSED, article, as_qrels, as_run
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import I3_P, T2I_AP, MAiSP, formats, sample

matplotlib = pytest.importorskip('matplotlib', reason='matplotlib, which draws, is not installed')
matplotlib.use('Agg')
pytest.importorskip('scipy', reason='SciPy, which the studies need, is not installed')

from ir_segmeasures.study import plots  # noqa: E402
from ir_segmeasures.study.view.timelines import LEGEND  # noqa: E402

QRELS = [Qrel('q1', 'rec#t=20,40', 1), Qrel('q1', 'rec#t=60,80', 1), Qrel('q2', 'rec#t=0,10', 1)]
RUN = [ScoredDoc('q1', f'rec#t={start},{end}', -rank)
       for rank, (start, end) in enumerate([(20, 36), (21, 38), (50, 76), (90, 90)])]


@pytest.fixture(scope='module')
def qrels() -> Any:
    return list(formats.read_qrels(sample.path('qrels.txt')))


@pytest.fixture(scope='module')
def runs() -> dict[str, Any]:
    return {name: list(formats.read_run(sample.path(f'{name}.run'))) for name in ('good', 'poor')}


@pytest.fixture(autouse=True)
def close() -> Any:
    yield
    matplotlib.pyplot.close('all')


class TestParameter:
    def test_a_line_a_system(self, qrels: Any, runs: dict[str, Any]) -> None:
        ax = plots.parameter('T2I_MAP', 'tau', [5, 15, 60], qrels, runs)
        assert ax.lines[1].get_ydata()[2] == pytest.approx(T2I_AP(tau=60).calc_aggregate(qrels, runs['poor']))
        assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_ylim()[0]) == ('tau (seconds)', 'T2I_MAP', 0)

    @pytest.mark.parametrize(('measure', 'name', 'label'), [
        ('T2I_MAP', 'tau', 'tau (characters)'), ('T2I_MAP', 'cutoff', 'cutoff'), ('AP_bin', 'bin', 'bin (characters)')])
    def test_the_unit_is_that_of_the_judgements(self, measure: str, name: str, label: str) -> None:
        qrels, run = [Qrel('q', 'd#char=0,9', 1)], [ScoredDoc('q', 'd#char=0,9', 1.)]
        assert plots.parameter(measure, name, [5, 10], qrels, {'a': run}).get_xlabel() == label


def test_precision_of_elements_at_levels_of_recall() -> None:
    """Kazai 2005, Figure 3: inex-2003 as a curve, which falls in steps."""
    qrels = [row._replace(relevance=1) for row in as_qrels(article([]))]
    runs = {name: as_run(article(ranking)) for name, ranking in (('frb', FRB), ('reversed', REVERSED))}
    ax = plots.precision_recall('I3_P@9', qrels, runs)
    assert [list(line.get_ydata()) for line in ax.lines] == [
        [I3_P(recall=i / 10, cutoff=9).calc_aggregate(qrels, run) for i in range(11)] for run in runs.values()]
    assert ax.get_ylabel() == 'I3_P@9' and ax.lines[0].get_ydata()[1] == 1 and ax.lines[1].get_ydata()[10] == 0


class TestQueries:
    def test_bars_in_order(self, qrels: Any, runs: dict[str, Any]) -> None:
        ax = plots.query_differences('MAiSP', qrels, runs)
        heights = [bar.get_height() for bar in ax.patches]
        values = [{m.query_id: m.value for m in MAiSP.iter_calc(qrels, run)} for run in runs.values()]
        assert heights == sorted((values[1][query] - values[0][query] for query in values[0]), reverse=True)
        assert (ax.get_ylabel(), ax.get_title()) == ('gain in MAiSP', 'poor over good')


def lanes(ax: Any) -> dict[str, list[list[float]]]:
    """Kind of bar → lane, start and end of each of its bars."""
    found: dict[str, list[list[float]]] = {}
    kinds = {entry.colour: kind for kind, entry in LEGEND.items()}
    for bars in ax.collections:
        for path in bars.get_paths():
            (left, low), (right, high) = path.get_extents().get_points()
            kind = kinds.get(matplotlib.colors.to_hex(bars.get_facecolor()[0]), 'ground')
            found.setdefault(kind, []).append([round((low + high) / 2), left, right])
    return found


class TestTimeline:
    def test_lanes(self) -> None:
        ax = plots.timeline(QRELS, RUN, 'q1')
        assert [label.get_text() for label in ax.get_yticklabels()] == ['rec']
        assert lanes(ax) == {
            'ground': [[0, 0, 90]],
            'relevant': [[0, 20, 40], [0, 60, 80]],
            'rest': [[1, 20, 36], [2, 21, 38], [1, 50, 76], [1, 90, 90]],
            'new': [[1, 20, 36], [1, 60, 76]], 'continued': [[2, 36, 38]],
            'repeated': [[2, 21, 36]],
        }
        assert [(text.get_text(), int(text.get_position()[1])) for text in ax.texts[:4]] == [
            ('1', 1), ('2', 2), ('3', 1), ('4', 1)]
        assert [text.get_text() for text in ax.get_legend().get_texts()] == [
            entry.label for kind, entry in LEGEND.items() if kind != 'irrelevant']  # nothing is
        assert (ax.get_xlabel(), ax.get_title()) == ('seconds', 'query q1, ranks 1–4 of 4')

    def test_runs_stand_one_below_the_other(self) -> None:
        runs = {'ours': RUN, 'theirs': RUN[2:3], 'nobody': [ScoredDoc('q2', 'rec#t=1,2', 1.)]}
        ax = plots.timeline(QRELS, runs, 'q1')
        assert [(place, label.get_text()) for place, label in zip(ax.get_yticks(), ax.get_yticklabels())] == [
            (0, 'rec'), (1, 'ours'), (3, 'theirs'), (4, 'nobody')]
        assert [text.get_position() for text in ax.texts if text.get_text() == 'no results'] == [(0, 4.35)]
        assert [(text.get_text(), text.get_ha()) for text in ax.texts][-2:] == [('75', 'center'), ('90', 'center')]
        assert lanes(ax)['rest'] == [[1, 20, 36], [2, 21, 38], [1, 50, 76], [1, 90, 90], [3, 50, 76]]
        assert ax.get_title() == 'query q1, ranks 1–4'
        assert plots.timeline(QRELS, {'ours': RUN}, 'q1', items=2).get_title() == 'ours, query q1, ranks 1–2 of 4'
        assert plots.timeline(QRELS, [], 'q1').get_title() == 'query q1, nothing retrieved'
        as_ir_measures = {'q1': {row.doc_id: row.score for row in RUN}}
        assert plots.timeline(QRELS, as_ir_measures, 'q1').get_title() == 'query q1, ranks 1–4 of 4'
        with pytest.raises(ValueError, match='no run to draw'):
            plots.timeline(QRELS, {}, 'q1')

    @pytest.mark.parametrize(('length', 'label', 'ticks'), [
        (119, 'seconds', None), (120, 'time (minutes:seconds)', ['0:00', '0:30', '1:00', '1:30', '2:00']),
        (7300, 'time (hours:minutes:seconds)', ['0:00', '1:00', '2:00', '2:01:40'])])
    def test_the_length_of_the_recording(self, length: float, label: str, ticks: list[str] | None) -> None:
        ax = plots.timeline(QRELS, RUN, 'q1', lengths={'rec': length, 'other': 1e6})
        assert lanes(ax)['ground'][0] == [0, 0, min(length, 163)] and ax.get_xlabel() == label  # and a margin
        assert ticks is None or set(ticks) <= {text.get_text() for text in ax.texts}
        shorter = plots.timeline(QRELS, RUN, 'q1', lengths={'rec': 10})  # than what is known of it
        assert lanes(shorter)['ground'] == [[0, 0, 90]]

    def test_what_is_empty_is_cut_out(self) -> None:
        run = RUN + [ScoredDoc('q1', f'Ep%201#t={at},{at + 100}', -at) for at in (100, 5000)]
        ax = plots.timeline(QRELS, run, 'q1', lengths={'Ep%201': 5400})
        names, found = [label.get_text() for label in ax.get_yticklabels()], lanes(ax)
        assert names == ['rec', 'Ep 1'] and '//' in [text.get_text() for text in ax.texts]
        margin = 54  # and a gap of .03 · 416
        assert [bar[1:] for bar in found['ground'][1:]] == [
            pytest.approx(at) for at in ([0, 0], [12.48, 220.48], [232.96, 440.96], [453.44, 453.44])]
        assert [bar[1] for bar in found['rest'][-2:]] == [pytest.approx(12.48 + margin), pytest.approx(232.96 + margin)]

    def test_a_stretch_that_is_asked_for(self) -> None:
        ax = plots.timeline(QRELS, [*RUN, ScoredDoc('q1', 'short#t=0,9', -9)], 'q1', start=30, end=60)
        assert lanes(ax)['ground'] == [[0, 0, 30]] and lanes(ax)['relevant'] == [[0, 0, 10]]
        assert ax.get_title() == 'query q1, ranks 1–5 of 5\nin 1 of 2 documents'
        with pytest.raises(ValueError, match='nothing lies from 30 to 20: give an end after the start'):
            plots.timeline(QRELS, RUN, 'q1', start=30, end=20)

    def test_items_that_overlap_a_little_have_a_row_each(self) -> None:
        places = (0, 900.01), (900, 1800), (1800, 3000)
        run = [ScoredDoc('q1', f'rec#t={start},{end}', -start) for start, end in places]
        assert [bar[0] for bar in lanes(plots.timeline(QRELS, run, 'q1'))['rest']] == [1, 2, 1]

    def test_a_query_without_relevant_judgements(self) -> None:
        ax = plots.timeline([Qrel('q3', 'rec#t=2,9', 0)], RUN[:1], 'q3')
        assert 'judged relevant' not in [text.get_text() for text in ax.get_legend().get_texts()]
        assert lanes(plots.timeline([Qrel('q3', 'rec#t=2,9', 0)], RUN, 'q3', lengths={'rec': 90})) == {}
        with pytest.raises(ValueError, match=r"^the qrels have no judgement of query 'q4': give the id"):
            plots.timeline(QRELS, RUN, 'q4')

    def test_an_end_that_is_not_known_is_that_of_the_document(self) -> None:
        ax = plots.timeline(QRELS, [ScoredDoc('q2', 'rec#t=5', 1.)], 'q2')
        assert lanes(ax)['rest'] == [[1, 5, 10]]


class TestFiles:
    @pytest.fixture
    def ax(self) -> Any:
        return plots.timeline(QRELS, {'a_50%': RUN}, 'q1')

    def test_pdf_has_truetype_fonts(self, tmp_path: Path, ax: Any) -> None:
        plots.save(ax, tmp_path / 'figure.pdf')
        content = (tmp_path / 'figure.pdf').read_bytes()
        fonts = set(re.findall(rb'/Subtype /(Type\d|TrueType|CIDFontType\d)', content))
        assert fonts == {b'Type0', b'CIDFontType2'} and b'/FontFile2' in content  # TrueType, as matplotlib embeds it
        assert b'/Type3' not in content

    def test_pgf_without_latex(self, ax: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv('PATH', '')
        with pytest.raises(ValueError, match=r'LaTeX, by which matplotlib measures the text of a .pgf, cannot be run'):
            plots.save(ax, io.BytesIO(), 'pgf')
