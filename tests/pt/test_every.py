"""All transformers have in common: columns, empty frames, dicts, equality, drawings, and refused parameters."""

import os
import pickle
import re
import unittest
import warnings
from collections.abc import Callable
from math import inf
from typing import Any, ClassVar, NamedTuple

import pandas as pd
import pytest

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # no warnings that tests pass

SPEECH = {'v': [(0, 5, 'x y'), (5, 60, 'z')], 'w': [(0, 9, 'u')]}
RESULTS = pt.model.add_ranks(pd.DataFrame({
    'qid': ['q', 'q', 'p'], 'query': ['x', 'x', 'y'], 'docno': ['v#t=1,9', 'v#t=5,20', 'w#t=1,2'],
    'score': [2., 1., 1.], 'title': ['a', 'b', 'c']}))
BARE = RESULTS.assign(docno=['v', 'u', 'w'], start=[1, 5, 1], end=[9, 20, 2])
SPOKEN = BARE.drop(columns=['start', 'end']).assign(transcript=[SPEECH['v'], [], SPEECH['w']])
TEXTS = SPOKEN.drop(columns='transcript').assign(text=['One two. Three.', '', 'Four.'])
XML = TEXTS.assign(text=['<a><p>One</p><p>two</p></a>', '<a/>', '<a><sec>x</sec></a>'])
QRELS = pd.DataFrame([('q', 'v#t=3,6', 1), ('p', 'w#t=0,2', 2)], columns=['qid', 'docno', 'label'])
LONG = 'very ' * 99


class Found(pt.Transformer):
    """A retriever of the documents v and w for each query."""
    schematic: ClassVar[Any] = {'label': 'Found', 'help_url': None}

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        pt.validate.query_frame(inp, ['query'], context=self)
        return inp.merge(pd.DataFrame({'docno': ['v', 'w'], 'score': [2., 1.]}), how='cross')

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Found)

    def __hash__(self) -> int:
        return 1


class Case(NamedTuple):
    """A transformer, what it takes, and a parameter of it that is refused."""
    make: Callable[[], Any]
    frame: pd.DataFrame
    wrong: tuple[str, Any] | None = None


CASES = {
    'break_ties': Case(lambda: S.break_ties(), RESULTS, ('by', 'x')),
    'no_overlap': Case(lambda: S.no_overlap(), RESULTS, ('policy', 'x')),
    'no_overlap_trim': Case(lambda: S.no_overlap('trim'), RESULTS),
    'merge': Case(lambda: S.merge(2), RESULTS, ('gap', -3)),
    'in_context': Case(lambda: S.in_context(), RESULTS),
    'cut_effort': Case(lambda: S.cut_effort(15), RESULTS, ('budget', 0)),
    'cut_effort_drop': Case(lambda: S.cut_effort(15, last='drop'), RESULTS, ('last', 'x')),
    'expand': Case(lambda: S.expand(1, 2.5), RESULTS, ('after', None)),
    'expand_within': Case(lambda: S.expand(before=1, durations={'v': 100, 'w': 50}), RESULTS, ('durations', [3])),
    'snap': Case(lambda: S.snap({'v': (0, 10, 20), 'w': (5, 15)}), RESULTS, ('boundaries', None)),
    'entry_points': Case(lambda: S.entry_points(), RESULTS),
    'encode': Case(lambda: S.encode(), BARE, ('unit', 's')),
    'decode': Case(lambda: S.decode(), RESULTS),
    'resolve': Case(lambda: S.resolve({'v': ('v', 0, 100)}, missing='keep'), RESULTS, ('unit', 's')),
    'align': Case(lambda: S.align(QRELS), RESULTS, ('by', 'dice')),
    'to_documents': Case(lambda: S.to_documents(), RESULTS, ('agg', 'best')),
    'locate': Case(lambda: S.locate({'v': 'One two. Three.', 'u': '', 'w': 'Four.'}), TEXTS[::2], ('texts', 3)),
    'get_text': Case(lambda: S.get_text(SPEECH), RESULTS, ('by', 'middle')),
    'get_text_long': Case(lambda: S.get_text({'v': [(0, 9, LONG)], 'w': [(0, 9, 'x')]}), RESULTS, ('read', 'json')),
    'within': Case(lambda: S.within(S.no_overlap(), 0.5, takes='documents'), RESULTS, ('weight', 2)),
    'with_document_score': Case(lambda: S.with_document_score(Found()), RESULTS, ('normalise', 'z')),
    'sliding': Case(lambda: S.sliding(4, 2), SPOKEN, ('stride', 0)),
    'sliding_words': Case(lambda: S.sliding(2, 1, 'word'), TEXTS, ('unit', 's')),
    'by_sentences': Case(lambda: S.by_boundaries(S.sentences), TEXTS, ('unit', 't')),
    'by_lines': Case(lambda: S.by_boundaries(S.lines), SPOKEN, ('boundaries', 3)),
    'xml_elements': Case(lambda: S.xml_elements(['sec', 'p']), XML, ('xpath', '//sec[')),
}
every = pytest.mark.parametrize('make, frame, wrong', CASES.values(), ids=CASES)


@every
class TestEvery:
    def test_rows(self, make: Any, frame: pd.DataFrame, wrong: Any) -> None:
        """No rows have the columns of rows, dicts are frames, and the frame that came in stays as it is."""
        before, transformer = frame.copy(), make()
        found = transformer(frame)
        pd.testing.assert_frame_equal(frame, before)
        assert len(found) > 0 and 'title' in found
        for columns in (list(frame), list(frame)[::-1]):
            empty = transformer(frame.iloc[:0][columns])
            assert len(empty) == 0
            assert list(empty) == list(transformer(frame[columns])) == transformer.transform_outputs(columns)
        assert transformer(frame.to_dict('records')) == found.to_dict('records') == list(
            transformer.transform_iter(iter(frame.to_dict('records'))))
        assert transformer([]) == []

    def test_missing_columns_are_named(self, make: Any, frame: pd.DataFrame, wrong: Any) -> None:
        for call in (make(), lambda frame: make().transform_outputs(list(frame))):
            with pytest.raises(pt.validate.InputValidationError, match='docno'):
                call(frame[['qid', 'query']])

    def test_told_apart_by_parameters(self, make: Any, frame: pd.DataFrame, wrong: Any) -> None:
        one, copy = make(), pickle.loads(pickle.dumps(make()))
        assert one == make() == copy == pt.inspect.transformer_apply_attributes(one)
        assert hash(one) == hash(make()) == hash(copy)
        assert [case.make for case in CASES.values() if case.make() == one] == [make]
        assert one != 'x' and copy(frame).equals(one(frame))

    def test_drawn_without_the_network(self, make: Any, frame: pd.DataFrame, wrong: Any,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*args: Any) -> None:
            raise AssertionError('drawing looked for a page of documentation')

        monkeypatch.setattr(pt.documentation, 'url_for_class', refuse)
        schematic = pt.schematic.transformer_schematic(make())
        assert len(schematic['label']) <= 20 and schematic['label'] in pt.schematic.draw(make())
        assert all(len(str(value)) < 80 for value in schematic['settings'].values())
        assert LONG not in repr(make())

    def test_of_pyterrier(self, make: Any, frame: pd.DataFrame, wrong: Any) -> None:
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(pt.testing.transformer_test_class(make))
        result = unittest.TestResult()
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # its reports are warnings
            suite.run(result)
        assert result.testsRun == 2 and not result.errors and not result.failures, result

    def test_parameters_that_are_set_are_checked(self, make: Any, frame: pd.DataFrame, wrong: Any) -> None:
        if wrong is None:
            return
        transformer, (name, value) = make(), wrong
        transformer.set_parameter(name, value)
        assert transformer != make()
        for rows in (frame, frame[:0]):
            with pytest.raises((ValueError, TypeError), match=re.escape(str(value)) if name != 'boundaries' else name):
                transformer(rows)


@pytest.mark.parametrize('make, sentence', [
    (lambda: S.align(QRELS.assign(docno='v', start=1, end=2)), 'qrels = with_ids(qrels)'),
    (lambda: S.align(QRELS, 'iou'), 'threshold=None'),
    (lambda: S.resolve({}, missing='drop'), "missing='drop'"),
    (lambda: S.resolve(), 'give a table'),
    (lambda: S.expand(inf), 'before=inf'),
    (lambda: S.expand(0, '3'), "after='3'"),
    (lambda: S.snap([1, 2]), 'boundaries are a list'),
    (lambda: S.sliding(1e-9, 1), 'length=1e-09'),
    (lambda: S.sliding('60', 30), "length='60'"),
    (lambda: S.sliding(1.5, 1, 'word'), "length=1.5: windows in 'word' take whole numbers"),
    (lambda: S.sliding(1, 1, 'char', by='overlap'), "by='overlap' has no meaning for unit='char'"),
    (lambda: S.sliding(1, 1, 'char', offsets='word'), "offsets='word' has no meaning for unit='char'"),
    (lambda: S.by_boundaries('shots'), 'unit=None'),
    (lambda: S.by_boundaries(3, unit='t'), 'boundaries=3'),
    (lambda: S.within(RESULTS), 'give a transformer'),
    (lambda: S.with_document_score(S.merge(), True), 'weight=True'),
    (lambda: S.within(S.merge(), takes='texts'), "takes='texts'"),
    (lambda: S.with_document_score(S.merge(), missing=inf), 'missing=inf'),
    (lambda: S.get_text(pd.DataFrame({'doc': ['a']})), 'the source has the columns doc'),
    (lambda: S.get_text(pd.DataFrame({'docno': ['a', 'a'], 'text': 'x'})), "has 'a' twice"),
    (lambda: S.xml_elements(tags=['sec', 3]), "tags=('sec', 3)"),
    (lambda: S.xml_elements(xpath=''), "'' is not an XPath"),
])
def test_parameters_are_refused_before_anything_runs(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        make()


def test_repr_is_the_call() -> None:
    assert repr(S.expand(1, durations={'v': 3})) == "expand(before=1, durations={'v': 3})"
    assert repr(S.expand(durations=dict.fromkeys('abcdefghij', 1))) == 'expand(durations=<dict of 10>)'
    assert repr(S.align(QRELS, 'iou', 0.5)) == "align(qrels=<frame of 2 rows>, by='iou', threshold=0.5)"
    assert repr(S.within(S.no_overlap() >> S.merge(1))) == 'within(pipeline=(no_overlap() >> merge(gap=1)))'


@pytest.mark.parametrize('name', ['expand', 'snap', 'entry_points', 'decode', 'resolve', 'get_text'])
def test_results_without_scores(name: str) -> None:
    case = CASES[name]
    bare = case.frame.drop(columns=['score', 'rank'])  # as | leaves them
    pd.testing.assert_frame_equal(case.make()(bare), case.make()(case.frame).drop(columns=['score', 'rank']))


def test_names_are_no_measures() -> None:
    import ir_measures

    from ir_segmeasures import measures, pt as module
    assert not set(module._TRANSFORMERS) & {*measures.__all__, *vars(ir_measures)}
    assert set(module._TRANSFORMERS) <= {*module.__all__} & {*dir(module)}
    with pytest.raises(AttributeError, match=r"'ir_segmeasures\.pt' has no attribute 'no_such'"):
        S.no_such  # noqa: B018
