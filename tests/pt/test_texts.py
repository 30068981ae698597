"""Texts for segments that were retrieved by id: against what they were cut from, from every kind of source."""

import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import sample

pt = pytest.importorskip('pyterrier')
pytest.importorskip('ir_segmeasures.pt.base')
S = pt.segments

os.environ['PT_TEST_TRANSFORMER_REPORTS'] = '0'  # no warnings that tests pass

TEXTS = {'a': 'One two\nthree.', 'b': '', 'c#2': 'Ünï 😀 x'}
SPEECH = {'v': [(4, 9, 'z'), (0, 4, 'x y')], 'w': [(2.5, 2.5, 'blip')]}


def frame(*ids: str, **columns: Any) -> pd.DataFrame:
    return pd.DataFrame({'qid': 'q', 'query': 'x', 'docno': list(ids), **columns})


def texts(source: Any, *ids: str, **options: Any) -> list[str]:
    """The text of each segment; each in a query of its own, where units may differ."""
    return S.get_text(source, **options)(frame(*ids).assign(qid=list(map(str, range(len(ids))))))['text'].tolist()


signs = st.text(st.sampled_from('abA .!\n\r\t\u3000é文😀'), max_size=40)
spans = st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)).map(sorted), min_size=1, max_size=6)


class TestSlices:
    @given(signs, spans)
    def test_characters(self, text: str, spans: list[list[int]]) -> None:
        within = [(start, min(end, len(text))) for start, end in spans if start <= len(text)]
        assert texts({'d': text}, *(f'd#char={start},{end}' for start, end in within)) == [
            text[start:end] for start, end in within]
        assert texts({'d': text}, *(f'd#char={start},' for start, _ in within)) == [text[at:] for at, _ in within]
        for _, end in spans:
            if end > len(text):
                with pytest.raises(ValueError, match=f'but the text has {len(text)} characters'):
                    texts({'d': text}, f'd#char={end},{end}')

    @pytest.mark.parametrize('make', [
        lambda: S.sliding(60, 30), lambda: S.sliding(20, 20, by='overlap'), lambda: S.by_boundaries(S.lines),
        lambda: S.sliding(40, 20, 'word'), lambda: S.sliding(99, 33, 'char'), lambda: S.by_boundaries(S.sentences),
    ])
    def test_what_was_cut_is_found_again(self, make: Any) -> None:
        documents = list(S.transcript_documents(sample.transcripts()))
        cutter = make()
        segments = pd.DataFrame(cutter(documents)).sample(frac=1, random_state=1)
        assert len(segments) > 80
        found = S.get_text(documents, by=getattr(cutter, 'by', 'start'))(segments[['docno']])
        pd.testing.assert_frame_equal(found, segments[['docno', 'text']], check_dtype=False)

class Stored:
    """A store of texts, as an index is."""

    def text_loader(self, fields: Any = '*', *, verbose: bool = False) -> Any:
        assert fields == 'body'
        return pt.apply.generic(lambda frame: frame.assign(body=[TEXTS[id] for id in frame['docno']]))


class TestSources:
    IDS = ('a#char=4,7', 'a', 'c#2#word=1,2', 'a#char=0,3')
    EXPECTED = ('two', TEXTS['a'], '😀', 'One')

    @pytest.mark.parametrize('source, column', [
        (TEXTS, None),
        (pd.DataFrame({'docno': list(TEXTS), 'text': TEXTS.values(), 'title': 'x'}), None),
        (pd.DataFrame({'docno': list(TEXTS), 'text': 'x', 'body': TEXTS.values()}), 'body'),
        ([{'docno': id, 'text': text} for id, text in TEXTS.items()], None),
        (Stored(), 'body'),
        (pt.apply.text(lambda row: TEXTS[row['docno']]), None),
        (pt.apply.body(lambda row: TEXTS[row['docno']]), 'body'),
    ])
    def test_kinds(self, source: Any, column: str | None) -> None:
        assert tuple(texts(source, *self.IDS, column=column)) == self.EXPECTED

    def test_datasets(self, home: Path, tmp_path: Path) -> None:
        from ir_segmeasures.datasets import local
        (tmp_path / 'docs').write_text('a\tOne two three.\nb\tX\n')
        dataset = local.add('texts/small', docs=tmp_path / 'docs')
        ids, expected = ['a#char=4,7', 'b', 'a#word=2,3'], ['two', 'X', 'three.']
        try:
            named = pt.get_dataset('irds:texts/small')
            for source in (dataset, named, pt.get_dataset('segments:texts/small'), pt.text.get_text(named),
                           named.text_loader('text'), named.get_corpus_iter(verbose=False)):
                assert texts(source, *ids) == expected
            assert texts(dataset, *ids, column='text') == expected
            again = pt.get_dataset('irds:texts/small')
            assert S.get_text(named) == S.get_text(again) == S.get_text(dataset)
            assert hash(S.get_text(named)) == hash(S.get_text(again))
            for source in (named, pt.text.get_text(named)):
                with pytest.raises(ValueError, match='documents have no text in the source'):
                    texts(source, 'a', 'z#char=0,1')
            with pytest.raises(ValueError, match="has the columns doc_id, text, but not 'transcript', which"):
                texts(named, 'a#t=0,1')
        finally:
            local.remove('texts/small')

class TestFrames:
    def test_rows_stay_as_they_are(self) -> None:
        given = frame('a#char=0,3', 'b', 'a#char=4,7', score=[1.0, 9.0, 5.0], rank=[2, 0, 1], text='old',
                      more=[1, 2, 3])
        given['qid'] = ['q2', 'q1', 'q2']
        given.index = [7, 7, 1]
        before = given.copy()
        result = S.get_text(TEXTS)(given)
        pd.testing.assert_frame_equal(given, before)
        pd.testing.assert_frame_equal(result, given.assign(text=['One', '', 'two']), check_dtype=False)
        documents = given[['docno', 'more']]
        assert S.get_text(TEXTS)(documents)['text'].tolist() == ['One', '', 'two']
        rows = given.to_dict('records')
        assert S.get_text(TEXTS)(rows) == result.to_dict('records')
        assert S.get_text(TEXTS)([]) == []

class TestErrors:
    @pytest.mark.parametrize('source, ids, sentence', [
        (TEXTS, ['a', 'x#char=0,1', 'y', 'x', 'z', 'u'],
         "4 of 5 documents have no text in the source, such as 'x', 'y', 'z': add them to it"),
        (pd.DataFrame({'docno': ['a', 'b'], 'text': ['x', float('nan')]}), ['a', 'b'], "such as 'b'"),
        (TEXTS, ['a#char=3,99'], "document 'a': 'a#char=3,99' ends at 99, but the text has 14 characters: give the "),
        (TEXTS, ['a#word=4,'], "'a#word=4,' starts at 4, but the text has 3 words"),
        (TEXTS, ['a#t=0,1'], "document 'a': 'a#t=0,1' counts seconds, but the source has plain text: give the "),
        (SPEECH, ['v', 'v#char=0,1'], "'v#char=0,1' counts characters, but the source has a transcript, which counts"),
        ({'v': b'x'}, ['v'], "document 'v': the source has bytes: give the function"),
        (iter(()), ['v'], 'the source has no documents: give them again'),
    ])
    def test_at_work(self, source: Any, ids: list[str], sentence: str) -> None:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            texts(source, *ids)
