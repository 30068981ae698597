"""Aligned runs, runs of documents, and ids for bare columns: what document measures say on them, by hand."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from ir_measures import AP, RR, Qrel, ScoredDoc, nDCG
from strategies import Qrels, Run, cases

from ir_segmeasures.formats import read_qrels, read_run
from ir_segmeasures.ids.documents import align, to_documents
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError


class Span(NamedTuple):
    """A retrieved segment in bare columns."""
    query_id: Any
    doc_id: Any
    start: Any
    end: Any
    score: Any
    note: str = ''


class Length(NamedTuple):
    """A judged segment with the fields of ir_datasets' HighwireQrel."""
    query_id: Any
    doc_id: Any
    start: Any
    length: Any
    relevance: Any


MEASURES = [nDCG @ 10, RR, AP]


def run_of(*ids: Any) -> list[ScoredDoc]:
    """A run of one query, with these ids in rank order."""
    return [ScoredDoc('q', id, -rank) for rank, id in enumerate(ids)]


def qrels_of(*ids: Any) -> list[Qrel]:
    """Relevant judgements of one query."""
    return [Qrel('q', id, 1) for id in ids]


def aligned(run: Iterable[Any], qrels: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
    """The ids after alignment."""
    return [row.doc_id for row in align(run, qrels, *args, **kwargs)]


def figures(qrels: Any, run: Any) -> dict[str, float]:
    """The three document measures."""
    return {str(measure): value for measure, value in ir_measures.calc_aggregate(MEASURES, qrels, run).items()}


def listed(rows: Any) -> list[tuple[Any, ...]]:
    """Query, id and value of each row, whatever the shape."""
    if isinstance(rows, pd.DataFrame):
        rows = rows.itertuples(index=False)
    return [(row.query_id, row.doc_id, getattr(row, 'score', getattr(row, 'relevance', None))) for row in rows]


IOU, SAME = {'by': 'iou', 'threshold': 0.5}, {'by': 'iou', 'threshold': 1}
XPATH = 'a#xpath=/sec[1]&char=5,10', 'a#xpath=/sec[1]/p[1]&char=5,10'


@pytest.mark.parametrize('run, qrels, expected, by', [
    # the largest overlap; each judged segment once, and the next best for the next
    ('v#t=5,12', 'v#t=0,10 v#t=8,30 w#t=0,100', 'v#t=0,10', {}),
    ('v#t=5,12 v#t=6,11 v#t=7,11', 'v#t=0,10 v#t=8,30', 'v#t=0,10 v#t=8,30 v#t=7,11', {}),
    # what touches, entry points and other documents meet nothing
    ('v#t=10,20 v#t=5,5 v#t=0,0 w#t=0,10', 'v#t=0,10', 'v#t=10,20 v#t=5,5 v#t=0,0 w#t=0,10', {}),
    # ids stay as they are written
    ('v#t=1:00,2:00 v#t=0:00,0:10', 'v#t=npt:50,70.0', 'v#t=npt:50,70.0 v#t=0:00,0:10', {}),
    ('d#char=5,9', 'd#char=0,6 d#char=6,9', 'd#char=6,9', {}),
    # equal overlap: the higher IoU, then the item's own id, then the first of the qrels
    ('v#t=5,10', 'v#t=0,50 v#t=0,20 v#t=4,30', 'v#t=0,20', {}),
    (f'{XPATH[1]} a#char=5,10', ' '.join(XPATH), f'{XPATH[1]} {XPATH[0]}', {}),
    # 0.3 - 0.1 and 1.2 - 1 differ in floats
    ('v#t=0,2', 'v#t=0.1,0.3 v#t=1,1.2', 'v#t=0.1,0.3', {}), ('v#t=0,2', 'v#t=1,1.2 v#t=0.1,0.3', 'v#t=1,1.2', {}),
    # equal IoU: the greater overlap, then the first
    ('v#t=0,4', 'v#t=3,4 v#t=2,8', 'v#t=2,8', {'by': 'iou', 'threshold': 0.25}),
    ('v#t=0,10', 'v#t=0,100 v#t=2,10', 'v#t=2,10', IOU),
    ('v#t=0,1', 'v#t=0.2,1', 'v#t=0.2,1', {'by': 'iou', 'threshold': np.float64(0.8)}),
    ('v#t=0,1', 'v#t=0.2,1', 'v#t=0,1', {'by': 'iou', 'threshold': 0.8001}),
    ('v#t=0.1,0.3', 'v#t=0.1,1.1', 'v#t=0.1,1.1', {'by': 'iou', 'threshold': Fraction(1, 5)}),
    ('v#t=1.0,2 v#t=1,3', 'v#t=1,2', 'v#t=1,2 v#t=1,3', SAME),
    # no id stands twice in a query
    ('v#t=0,9 v#t=0,10', 'v#t=0,10', 'v#t=0,10 v#xpath=/repeat[2]&t=0,10', {}),
    ('w#t=0,1 v#t=0,10 w#t=0,1 v#t=0,10 w#t=0,1', 'v#t=0,10', 'w#t=0,1 v#t=0,10 w#xpath=/repeat[2]&t=0,1 '
     'v#xpath=/repeat[2]&t=0,10 w#xpath=/repeat[3]&t=0,1', {}),
    ('a#xpath=/p[1]&char=0,1 a#xpath=/p[1]&char=0,1 b b', '', 'a#xpath=/p[1]&char=0,1 '
     'a#xpath=/p[1]/repeat[2]&char=0,1 b b#xpath=/repeat[2]&t=0', {}),
    ('v#t=0,9 v#t=0,8', 'v#t=0,10 v#t=0,10', 'v#t=0,10 v#t=0,8', {}),
    # open ends share what the other one has
    ('v#t=5 v', 'v#t=0,8 v#t=7,11', 'v#t=7,11 v#t=0,8', {}), ('v#t=5,9', 'v#t=0 v#t=2 v#t=1', 'v#t=2', {}),
    ('v w#t=1,2 w', 'v w', 'v w w#xpath=/repeat[2]&t=0', {}),
])
def test_choices(run: str, qrels: str, expected: str, by: dict[str, Any]) -> None:
    assert aligned(run_of(*run.split()), qrels_of(*qrels.split()), **by) == expected.split()


def test_choices_go_by_score_and_query_and_not_by_grade() -> None:
    run = [ScoredDoc('q', 'v#t=1,2', 1), ScoredDoc('q', 'v#t=3,4', 2), ScoredDoc('q', 'v#t=5,6', 2),
           ScoredDoc('p', 'v#t=1,2', 0)]
    assert aligned(run, [Qrel('q', 'v#t=0,10', 0), Qrel('p', 'v#t=0,11', 2)]) == [
        'v#t=1,2', 'v#t=0,10', 'v#t=5,6', 'v#t=0,11']
    run = run_of('v#t=1,1', 'v#t=1,1', 'v#xpath=/repeat[2]&t=1,1')  # the new id is of no other item
    assert aligned(run, [Qrel('q', 'v#xpath=/repeat[3]&t=1,1', 0)]) == [
        'v#t=1,1', 'v#xpath=/repeat[4]&t=1,1', 'v#xpath=/repeat[2]&t=1,1']


@pytest.mark.parametrize('run, qrels, by', [('v#t=5', 'v', {}), ('v', 'v#t=5,9', IOU), ('v#t=5,9', 'v', IOU)])
def test_what_hangs_on_an_open_end_is_refused(run: str, qrels: str, by: dict[str, Any]) -> None:
    with pytest.raises(RowError, match=r'row 0 of the run: .* depends on the end of the document.*resolve\(\)'):
        align(run_of(run), qrels_of(qrels), **by)


class TestAlignedShapes:
    """What comes back has the shape of what was given."""

    QRELS = (Qrel('q', 'v#t=0,10', 1), Qrel('p', 'w#t=0,10', 1))

    @pytest.mark.parametrize('dtype', [object, 'str', 'string', 'category'], ids=str)
    def test_a_frame_keeps_its_index_and_columns(self, dtype: Any) -> None:
        rows = pd.DataFrame({'query_id': 'q', 'note': ['a', 'b'], 'doc_id': ['v', 'v'], 'start': [1, 20.5],
                             'end': [2, 30], 'score': [1, 2], 'length': 0}, index=[7, 7]).astype({'doc_id': dtype})
        before = rows.copy(deep=True)
        result = align(rows, self.QRELS)
        assert list(result.columns) == ['query_id', 'note', 'doc_id', 'score']
        assert result['doc_id'].tolist() == ['v#t=0,10', 'v#t=20.5,30']
        assert result[['query_id', 'note', 'score']].equals(rows[['query_id', 'note', 'score']])
        pd.testing.assert_frame_equal(rows, before)


class TestUnits:
    """Bare columns have no unit of their own."""

    def test_the_unit_of_the_qrels(self) -> None:
        rows = [Span('q', 'd', 1, 3, 2), Span('q', 'e', 0, 1, 1)]
        assert aligned(rows, qrels_of('d#char=2,5')) == ['d#char=2,5', 'e#char=0,1']
        assert aligned(rows, []) == ['d#t=1,3', 'e#t=0,1']
        assert aligned(rows, [], unit='word') == ['d#word=1,3', 'e#word=0,1']
        assert aligned(rows, qrels_of('d')) == ['d', 'e#t=0,1']


class TestAlignErrors:
    """One sentence for what cannot be aligned."""

    @pytest.mark.parametrize('kwargs, sentence', [
        ({'by': 'IoU'}, "by='IoU': .* is 'overlap' or 'iou'"),
        ({'by': 'overlap', 'threshold': 0.5}, "threshold=0.5 has no meaning for by='overlap'"),
        ({'threshold': 0}, "threshold=0 has no meaning for by='overlap'"),
        *[({'by': 'iou', 'threshold': wrong}, 'a number above 0 and at most 1')
          for wrong in (None, 0, -1, 1.01, nan, inf, True, '0.5')],
        ({'unit': 'frames'}, "unit='frames': the unit of start and end is 't'"),
    ], ids=str)
    def test_arguments(self, kwargs: dict[str, Any], sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            align([], [], **kwargs)

    @pytest.mark.parametrize('shape', [list, pd.DataFrame], ids=['list', 'frame'])
    def test_bare_qrels(self, shape: Any) -> None:
        with pytest.raises(ValueError, match=r'qrels = with_ids\(qrels\), and measure with these'):
            align(run_of('v#t=1,2'), shape([Length('q', 'v', 0, 10, 1)]))

    def test_a_relevant_entry_point(self) -> None:
        assert aligned(run_of('v#t=1,2'), [Qrel('q', 'v#t=1,1', 0)]) == ['v#t=1,2']
        with pytest.raises(RowError, match=r'row 1 of the qrels: .* a relevant judgement has no content'):
            align(run_of('v#t=1,2'), qrels_of('v#t=0,2', 'v#t=1,1'))


def reference(run: list[tuple[str, str, Segment, int]], qrels: list[tuple[str, str, Segment]],
              threshold: float | None) -> list[str | None]:
    """Who takes which id, with fractions and a look at every judgement. Rows: query, id, segment (and score)."""
    taken: set[tuple[str, str]] = set()
    result: list[str | None] = [None] * len(run)
    for i in sorted(range(len(run)), key=lambda i: -run[i][3]):
        query, own, item, _ = run[i]
        best: tuple[Any, ...] | None = None
        for row, (judged_query, id, judged) in enumerate(qrels):
            if judged_query != query or judged.document != item.document or (query, id) in taken:
                continue
            starts = [Fraction(str(item.start)), Fraction(str(judged.start))]
            ends = [Fraction(str(item.end)), Fraction(str(judged.end))]
            overlap = min(ends) - max(starts)
            if overlap <= 0:
                continue
            iou = overlap / (max(ends) - min(starts))
            if threshold is not None and iou < Fraction(str(threshold)):
                continue
            value = (overlap, iou) if threshold is None else (iou, overlap)
            candidate = (*value, id == own, -row, id)
            if best is None or candidate > best:
                best = candidate
        if best is not None:
            taken.add((query, best[-1]))
            result[i] = best[-1]
    return result


class TestReference:
    """Against the slow and obvious way."""

    @given(st.lists(cases, min_size=1, max_size=2), st.data())
    def test_every_choice(self, drawn: list[tuple[Qrels, Run]], data: st.DataObject) -> None:
        threshold = data.draw(st.sampled_from((None, None, 0.1, 0.25, 0.5, 0.8, 1)))
        judged = [(f'q{i}', format_segment(segment), segment, relevance) for i, (qrels, _) in enumerate(drawn)
                  for *times, relevance in qrels for segment in [Segment(*times, 't')]]
        items = [(f'q{i}', format_segment(segment), segment, data.draw(st.integers(0, 5))) for i, (_, run) in
                 enumerate(drawn) for times in run for segment in [Segment(*times, 't')]]
        items, judged = data.draw(st.permutations(items)), data.draw(st.permutations(judged))
        expected = reference(items, [row[:3] for row in judged], threshold)
        qrels = [Qrel(query, id, relevance) for query, id, _, relevance in judged]
        by = {} if threshold is None else {'by': 'iou', 'threshold': threshold}
        result = align([ScoredDoc(query, id, score) for query, id, _, score in items], qrels, **by)
        bare = align(pd.DataFrame([Span(query, segment.document, segment.start, segment.end, score)
                                   for query, _, segment, score in items],
                                  columns=Span._fields), qrels, **by)
        assert bare['doc_id'].tolist() == [row.doc_id for row in result]
        judged_ids = {row[:2] for row in judged}
        used = {(query, id) for (query, *_), id in zip(items, expected)}
        own: set[tuple[str, str]] = set()
        for i in sorted(range(len(items)), key=lambda i: -items[i][3]):
            query, id, segment, score = items[i]
            assert (result[i].query_id, result[i].score) == (query, score)
            if expected[i] is not None:
                assert result[i].doc_id == expected[i]
            elif (query, id) in used | own:
                assert (query, result[i].doc_id) not in judged_ids
                assert parse_segment(result[i].doc_id)[:4] == segment[:4]
            else:
                assert result[i].doc_id == id
            own.add((query, id))
        assert len({row[:2] for row in result}) == len(result)


class TestToDocuments:
    """Segments become documents."""

    def test_scores_that_cannot_be_added(self) -> None:
        with pytest.raises(RowError, match=r"row 1 of the run: .* agg='sum' would punish"):
            to_documents(run_of('v', 'w'), 'sum')
        for agg in ('sum', 'mean'):
            with pytest.raises(RowError, match=r'row 0 of the run: .* infinite'):
                to_documents([ScoredDoc('q', 'v', inf)], agg)
        assert listed(to_documents(run_of('v', 'w#t=0,1', 'w#t=1,2'), 'mean')) == [('q', 'v', 0), ('q', 'w', -1.5)]

    @given(cases)
    def test_the_slow_way(self, case: tuple[Qrels, Run]) -> None:
        scored = [(document, start, (i * 7) % 5) for i, (document, start, _) in enumerate(case[1])]
        ranked = sorted(scored, key=lambda item: -item[2])
        documents = list(dict.fromkeys(document for document, *_ in ranked))
        scores = {document: [score for other, _, score in ranked if other == document] for document in documents}
        first = {document: min((item for item in ranked if item[0] == document), key=lambda item: item[1])[2]
                 for document in documents}
        run = [ScoredDoc('q', format_segment(Segment(*times, 't')), score)
               for times, (*_, score) in zip(case[1], scored)]
        for agg, value in (('max', lambda d: max(scores[d])), ('sum', lambda d: sum(scores[d])),
                           ('mean', lambda d: sum(scores[d]) / len(scores[d])), ('first', lambda d: first[d])):
            expected = sorted(((document, value(document)) for document in documents), key=lambda pair: -pair[1])
            assert [row[1:] for row in listed(to_documents(run, agg))] == expected


class TestJudgedDocuments:
    """to_documents on qrels."""
    ROWS = [Length('q', 'w', 0, 5, 0), Length('p', 'v', 0, 5, -1), Length('q', 'v', 0, 5, 1), Length('q', 'v', 9, 5, 2)]

    @pytest.mark.parametrize('agg', ['max', 'sum', 'first'])
    def test_the_highest_relevance(self, agg: str) -> None:
        assert to_documents(iter(self.ROWS), agg) == [
            Length('q', 'w', 0, inf, 0), Length('q', 'v', 0, inf, 2), Length('p', 'v', 0, inf, -1)]
        assert to_documents(pd.DataFrame(self.ROWS).assign(rank=7), agg).values.tolist() == [
            ['q', 'w', 0, 7], ['q', 'v', 2, 7], ['p', 'v', -1, 7]]
        assert to_documents([Qrel('q', 'v#t=1,2', 1), Qrel('q', 'v#t=3,4', 0)], agg) == [Qrel('q', 'v', 1)]


class TestWithIds:
    """Bare columns become ids."""

    def test_qrels(self) -> None:
        rows = [Length('q', 'v', 0.5, 10, 1), Length('q', 'v', 7, 0, 0)]
        assert [row.doc_id for row in with_ids(rows)] == ['v#t=0.5,10.5', 'v#t=7,7']
        result = with_ids(pd.DataFrame(rows, index=[3, 3]))
        assert result.to_dict('list') == {'query_id': ['q'] * 2, 'doc_id': ['v#t=0.5,10.5', 'v#t=7,7'],
                                          'relevance': [1, 0]}
        assert list(result.index) == [3, 3]

    def test_units(self) -> None:
        assert with_ids([Span('q', 'd', 1, 2, 0)], unit='char')[0].doc_id == 'd#char=1,2'
        with pytest.raises(ValueError, match="unit=None: the unit of start and end is 't'"):
            with_ids([], unit=None)  # type: ignore[arg-type]
        with pytest.raises(RowError, match=r"row 0 of the run: .*'0.5' as a position"):
            with_ids([Span('q', 'd', 0.5, 2, 0)], unit='word')

    @pytest.mark.parametrize('shape', [
        pd.DataFrame, lambda rows: pytest.importorskip('polars').DataFrame(rows), list,
        lambda rows: pd.DataFrame(rows).to_dict('list')])
    def test_names_of_pyterrier(self, shape: Callable[[Any], Any]) -> None:
        rows = [{'qid': 'q', 'docno': 'v', 'start': 0, 'end': 9.5, 'label': 1}]
        found = with_ids(shape(rows))
        assert type(found) is type(shape(rows))
        assert pd.DataFrame(found.to_dict(as_series=False) if hasattr(found, 'to_arrow') else found).to_dict(
            'records') == [{'qid': 'q', 'docno': 'v#t=0,9.5', 'label': 1}]

    def test_an_end_that_is_not_start_and_length(self) -> None:
        rows = pd.DataFrame([Length('q', 'v', 1, 2, 1)])
        assert with_ids(rows.assign(end=3.0000009))['doc_id'].tolist() == ['v#t=1,3.000001']
        with pytest.raises(RowError, match=r'start 1 and length 2 do not end at 3\.00001: correct one'):
            with_ids(rows.assign(end=3.00001))

    @pytest.mark.parametrize('shape', [list, pd.DataFrame])
    def test_ids_beside_bare_documents(self, shape: Callable[[list[Any]], Any]) -> None:
        rows = [Span('q', 'v#char=3,4', nan, nan, 2), Span('q', 'w', 1, 2, 1), Span('p', 'v#t=5,6', 0, 0, 1)]
        found = [(row[0], row[1]) for row in listed(with_ids(shape(rows), 'char'))]
        assert found == [('q', 'v#char=3,4'), ('q', 'w#char=1,2'), ('p', 'v#t=5,6')]
        assert with_ids(rows, 'char')[0][2:4] == (3, 4)
        with pytest.raises(RowError, match=r"^row 1 of the run: .*'1.5' as a position"):
            with_ids(shape([rows[0], rows[1]._replace(start=1.5)]), 'char')


def test_optimal_matching() -> None:
    """As many pairs as SciPy finds, those of the highest grades first, each with the IoU that is asked for."""
    sparse = pytest.importorskip('scipy.sparse')
    matching = pytest.importorskip('scipy.sparse.csgraph').maximum_bipartite_matching
    draw = random.Random(25)
    for _ in range(60):
        items, judged = ([(start, start + draw.randrange(1, 12)) for start in draw.sample(range(40), draw.randrange(
            1, 12))] for _ in range(2))
        grades = [draw.randrange(3) for _ in judged]
        qrels = {f'v#t={start},{end}': grade for (start, end), grade in zip(judged, grades)}
        run = {f'v#t={start},{end}': -float(rank) for rank, (start, end) in enumerate(items)}
        found = list(align({'q': run}, {'q': qrels}, 'iou', .4, matching='optimal')['q'])
        pairs = np.array([[10 * (min(e, f) - max(s, t)) >= 4 * (max(e, f) - min(s, t)) for t, f in judged]
                          for s, e in items])
        assert all(id not in qrels or pairs[row][list(qrels).index(id)] for row, id in enumerate(found))
        for least in range(max(grades) + 1):
            best = matching(sparse.csr_matrix(pairs[:, [grade >= least for grade in grades]].astype(int)))
            assert sum(qrels.get(id, -1) >= least for id in found) == (best >= 0).sum()
    for arguments in ({'by': 'overlap', 'matching': 'optimal'}, {'by': 'iou', 'threshold': 1, 'matching': 'best'}):
        with pytest.raises(ValueError, match='matching='):
            align(run, qrels, **arguments)  # type: ignore[arg-type]


class TestRealRun:
    """The Search & Hyperlinking run of 2014: what document measures say on it, three ways."""

    @pytest.fixture
    def qrels(self, shared_data: Path) -> Any:
        return read_qrels(shared_data / 'mediaeval-sh-2014' / 'me14sh_search_testSet.qrel', 'sh-search')

    # Raw and bare: as hosts.md has them (0.000 and 0.212 for nDCG@10). Aligned: this module's own figures, pinned.
    @pytest.mark.parametrize('name, bare, overlap, iou', [
        ('over', (0.2118, 0.4346, 0.1284), (0.5290, 0.7382, 0.1499), (0.4518, 0.7020, 0.0732)),
    ])
    def test_document_measures(self, shared_data: Path, qrels: Any, name: str, bare: Any, overlap: Any,
                               iou: Any) -> None:
        run = read_run(shared_data / 'mediaeval-sh-2014' / f'run-180-60-{name}.txt.gz', 'sh-search')
        judged = with_ids(qrels)
        names = ('nDCG@10', 'RR', 'AP')

        def check(qrels: Any, run: Any, expected: Any) -> None:
            assert figures(qrels, run) == pytest.approx(dict(zip(names, expected)), abs=6e-5)

        raw = figures(judged, with_ids(run))
        assert raw['nDCG@10'] == 0
        assert max(raw.values()) < 0.001
        check(list(qrels), list(run), bare)
        check(judged, align(run, judged), overlap)
        check(judged, align(run, judged, by='iou', threshold=0.5), iou)


def test_pandas_is_not_imported() -> None:
    code = "import sys; sys.modules['pandas'] = None; import ir_segmeasures.ids.documents as d; " \
           "d.align([], []); d.to_documents({'q': {'v#t=1,2': 1}})"
    subprocess.run([sys.executable, '-c', code], check=True)
