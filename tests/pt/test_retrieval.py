"""Segments and their documents retrieved together: by hand, and against slow references."""

import os
from itertools import pairwise
from math import inf
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures.segments.tables.columns import RowError

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # no warnings that tests pass

Scored = list[tuple[str, str, float]]  # query, id, score


def frame(rows: Scored, **columns: Any) -> pd.DataFrame:
    found = pd.DataFrame(rows, columns=['qid', 'docno', 'score']).astype({'score': float}).assign(**columns)
    found.insert(1, 'query', 'about ' + found['qid'].astype(str))
    return pt.model.add_ranks(found)


def retriever(rows: Scored, **columns: Any) -> Any:
    """A retriever of these rows, which takes queries alone, each once."""
    found = frame(rows, **columns).drop(columns='query')

    def retrieve(queries: pd.DataFrame) -> pd.DataFrame:
        pt.validate.query_frame(queries, ['query'])
        assert not queries['qid'].duplicated().any()
        return queries.merge(found, on='qid')
    return pt.apply.generic(retrieve, transform_outputs=lambda columns: [
        *columns, *(name for name in found.columns if name != 'qid')])


SEGMENTS = [('q', 'a#t=0,5', 4), ('q', 'b#t=0,5', 3), ('q', 'a#t=5,9', 2), ('q', 'c#t=1,2', 1), ('p', 'b#t=0,5', 7)]
DOCUMENTS = [('q', 'b', 10), ('q', 'a', 2), ('q', 'z', 1), ('p', 'a', 5)]


def scores(result: pd.DataFrame) -> Scored:
    return list(result[['qid', 'docno', 'score']].itertuples(index=False, name=None))


SOURCES = {'segments': retriever(SEGMENTS, text='said'), 'documents': retriever(DOCUMENTS)}

ids = st.sampled_from(('a', 'b', 'c', 'd'))
values = st.sampled_from((-1, 0, 0.5, 1, 2.25, 8))
weights = st.sampled_from((0, 0.25, 0.5, 1))
documents = st.dictionaries(st.tuples(st.sampled_from('qp'), ids), values, max_size=6)
segments = st.dictionaries(st.tuples(st.sampled_from('qp'), ids, st.integers(0, 3)), values, max_size=9)


def scaled(given: dict[Any, float], normalise: str | None) -> dict[Any, float]:
    """Scores brought to 0 to 1 in each query, which the keys begin with."""
    if normalise is None:
        return given
    found = {}
    for key, score in given.items():
        of = [other for (query, *_), other in given.items() if query == key[0]]
        found[key] = 1.0 if min(of) == max(of) else (score - min(of)) / (max(of) - min(of))
    return found


def check(result: pd.DataFrame, expected: dict[tuple[str, str], float], before: pd.DataFrame) -> None:
    """The expected scores, in order, ties in the order that they had before, ranks, query by query."""
    found = {(qid, docno): score for qid, docno, score in scores(result)}
    assert found == pytest.approx(expected)
    assert not result.duplicated(['qid', 'docno']).any()
    assert list(result.index) == list(range(len(result)))
    assert (result['query'] == 'about ' + result['qid'].astype(str)).all()
    place = {(qid, docno): at for at, (qid, docno, _) in enumerate(scores(before.sort_values(
        'score', ascending=False, kind='stable')))}
    assert len([1 for one, other in pairwise(result['qid']) if one != other]) == max(0, result['qid'].nunique() - 1)
    for qid, rows in result.groupby('qid'):
        assert rows['rank'].tolist() == list(range(len(rows)))
        keys = [(-score, place[qid, docno]) for _, docno, score in scores(rows)]
        assert keys == sorted(keys)


class TestWithDocumentScore:

    @given(segments, documents, weights, st.sampled_from((None, 'min-max')), st.sampled_from(('least', 'drop', 0.5)))
    def test_by_definition(self, segments: Any, documents: Any, weight: float, normalise: str | None,
                           missing: Any) -> None:
        kept = {key: score for key, score in segments.items() if missing != 'drop' or key[:2] in documents}
        kept, of_documents = scaled(kept, normalise), scaled(documents, normalise)
        expected = {}
        for (query, document, at), score in kept.items():
            found = [value for (other, _), value in of_documents.items() if other == query]
            least = missing if missing != 'least' else 0 if normalise or not found else min(found)
            whole = of_documents.get((query, document), least)
            expected[query, f'{document}#char={at},{at + 2}'] = (1 - weight) * score + weight * whole
        run = frame([(query, f'{document}#char={at},{at + 2}', score)
                     for (query, document, at), score in segments.items()])
        source = retriever([(query, document, score) for (query, document), score in documents.items()])
        check(S.with_document_score(source, weight, normalise, missing)(run), expected, run)

class TestWithin:
    @given(segments, documents, weights, st.sampled_from((None, 'min-max')), st.booleans())
    def test_by_definition(self, segments: Any, documents: Any, weight: float, normalise: str | None,
                           backwards: bool) -> None:
        kept = scaled({key: score for key, score in segments.items() if key[:2] in documents}, normalise)
        whole = scaled(documents, normalise)
        expected = {(query, f'{document}#t={at},{at + 2}'): (1 - weight) * score + weight * whole[query, document]
                    for (query, document, at), score in kept.items()}
        rows = [(query, f'{document}#t={at},{at + 2}', score) for (query, document, at), score in segments.items()]
        run = frame([(query, document, score) for (query, document), score in documents.items()])
        source = retriever(rows)
        if backwards:  # pipelines need not keep the order of queries
            source = source >> pt.apply.generic(lambda found: found.sort_values('qid', kind='stable'))
        result = S.within(source, weight, normalise)(run)
        check(result, expected, frame(rows))
        order = [qid for qid in dict.fromkeys(run['qid']) if qid in set(result['qid'])]
        assert list(dict.fromkeys(result['qid'])) == order

    def test_of_the_documents_themselves(self) -> None:
        texts = frame([('q', 'd1', 2), ('q', 'd2', 1)], text=['x y y', 'y x x x'], title='t')
        cut = S.sliding(2, 2, 'word') >> pt.apply.doc_score(lambda row: float(row['text'].split().count('x')))
        assert scores(S.within(cut, takes='documents')(texts)) == scores(
            cut(texts).sort_values('rank')) == [('q', 'd2#word=2,4', 2), ('q', 'd1#word=0,2', 1),
                                                ('q', 'd2#word=0,2', 1), ('q', 'd1#word=2,3', 0)]
        result = S.within(cut, 0.5, takes='documents')(texts)
        assert scores(result) == [('q', 'd2#word=2,4', 1.5), ('q', 'd1#word=0,2', 1.5), ('q', 'd2#word=0,2', 1),
                                  ('q', 'd1#word=2,3', 1)]  # ties as they were
        assert (result['title'] == 't').all() and result['text'].tolist() == ['x x', 'x y', 'y x', 'y']


class TestBoth:
    def test_what_a_pipeline_gives_is_checked(self) -> None:
        queries = pt.apply.generic(lambda queries: queries)
        for transformer in (S.within(queries), S.with_document_score(queries)):
            with pytest.raises(pt.validate.InputValidationError, match=r'results of the pipeline of with.*docno'):
                transformer(frame(DOCUMENTS))
        infinite = retriever([('q', 'a', inf)])
        with pytest.raises(RowError, match="row 0 of the run: query 'q', document 'a': the score is infinite"):
            S.with_document_score(infinite)(frame(SEGMENTS))
        assert S.with_document_score(infinite, 0)(frame(SEGMENTS))['score'].tolist() == [4, 3, 2, 1, 7]
