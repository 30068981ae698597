"""Documents cut into windows, shots, turns, sentences, paragraphs, against slow references."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import format_segment, parse_segment
from ir_segmeasures.segments.segment import Line, Segment
from ir_segmeasures.texts.cutting import windows
from ir_segmeasures.texts.splitters import lines, paragraphs, sentences, turns
from tests.strategies import decimals

pt = pytest.importorskip('pyterrier')
cutting = pytest.importorskip('ir_segmeasures.pt.cutters')
by_boundaries, sliding = cutting.by_boundaries, cutting.sliding
transcript_documents = pt.segments.transcript_documents

# White space of several kinds, signs that end sentences, and characters of one, two, three and four bytes.
texts = st.text(st.sampled_from('abA .!?…"\n\n\r\t\u3000é文。😀'), max_size=60)
steps = st.integers(1, 25)
speech = st.lists(st.tuples(decimals(0, 40), st.one_of(st.just(0), decimals(0, 15)), st.sampled_from('xyz'))).map(
    lambda drawn: [Line(start, round(start + length, 2), f'{word}{number}')
                   for number, (start, length, word) in enumerate(drawn)])


def cut(transformer: Any, **document: Any) -> list[tuple[str, str]]:
    """Ids and texts of the segments of one document, d, at indexing time."""
    return [(row['docno'], row['text']) for row in transformer([{'docno': 'd', **document}])]


def spans_of(segments: list[tuple[str, str]]) -> list[tuple[float, float]]:
    return [parse_segment(id)[1:3] for id, _ in segments]


class TestSlidingOverText:
    @given(texts, steps, steps)
    def test_characters(self, text: str, length: int, stride: int) -> None:
        segments = cut(sliding(length, stride, 'char'), text=text)
        expected = [(f'd#char={start},{end}', text[start:end]) for start, end in windows(len(text), length, stride)]
        assert segments == [(id, piece) for id, piece in expected if piece.strip()]

    @given(texts, steps, steps)
    def test_words(self, text: str, length: int, stride: int) -> None:
        words = text.split()
        segments = cut(sliding(length, stride, 'word'), text=text)
        assert spans_of(segments) == list(windows(len(words), length, stride))
        for (start, end), (_, piece) in zip(spans_of(segments), segments):
            assert piece.split() == words[int(start):int(end)]
            assert piece == piece.strip() and piece in text

    def test_a_segment_is_cut_within_its_document(self) -> None:
        text = 'One two three. Four five.\n\nSix seven.'
        parts = by_boundaries(paragraphs)([{'docno': 'd', 'text': text}])
        nested = by_boundaries(sentences)(parts)
        assert nested == by_boundaries(sentences)([{'docno': 'd', 'text': text}])
        halves = sliding(2, 2, 'word')([{'docno': 'd#word=5,7', 'text': 'Six seven.'}])
        assert [row['docno'] for row in halves] == ['d#word=5,7']


class TestSlidingOverTranscripts:
    @staticmethod
    def expected(transcript: list[Line], size: Any, step: Any, by: str) -> list[tuple[str, str]]:
        """By the definition, in fractions, each window against each line."""
        extent: Any = max((Fraction(str(line.end)) for line in transcript), default=Fraction(0))
        length, stride = Fraction(str(size)), Fraction(str(step))
        found = []
        for number in range(1000):
            start = number * stride
            end = min(start + length, extent)
            if start >= extent:
                break
            said = []
            for line in sorted(transcript, key=lambda line: line.start):
                first, last = Fraction(str(line.start)), Fraction(str(line.end))
                starts_here = start <= first < end or first == end == extent
                shares = by == 'overlap' and max(first, start) < min(last, end)
                said += [line.text] if starts_here or shares else []
            if said:
                found.append((format_segment(Segment('d', float(start), float(end), 't')), ' '.join(said)))
            if start + length >= extent:
                break
        return found

    @given(speech.filter(lambda drawn: not drawn or max(line.end for line in drawn) > 0),
           decimals(0.5, 20), decimals(0.5, 20), st.sampled_from(('start', 'overlap')))
    def test_by_definition(self, transcript: list[Line], length: Any, stride: Any, by: str) -> None:
        segments = cut(sliding(length, stride, by=by), transcript=transcript)
        assert segments == self.expected(transcript, length, stride, by)
        if stride <= length:
            said = {word for _, text in segments for word in text.split()}
            assert said == {line.text for line in transcript}

class TestBoundaries:
    TRANSCRIPT = [(0, 4, 'Hello.', 'Ann'), (4, 6, 'How are you?', 'Ann'), (5.5, 9, 'Fine.', 'Ben'),
                  (9, 12, 'Good.', 'Ann')]

    def test_turns_and_lines(self) -> None:
        assert cut(by_boundaries(turns), transcript=self.TRANSCRIPT) == [
            ('d#t=0,6', 'Hello. How are you?'), ('d#t=5.5,9', 'Fine.'), ('d#t=9,12', 'Good.')]
        assert cut(by_boundaries(lines), transcript=self.TRANSCRIPT)[1] == ('d#t=4,6', 'How are you?')
        chorus = [(0, 2, 'Yes.', 'Ann'), (0, 2, 'No.', 'Ben')]
        assert cut(by_boundaries(turns), transcript=chorus) == [('d#t=0,2', 'Yes. No.')]

    @pytest.mark.parametrize('shots, expected', [
        ([(0, 5), (5, 9), (9, 20)], ['d#t=0,5', 'd#t=5,9', 'd#t=9,20']),
        ([5, 9], ['d#t=0,5', 'd#t=5,9', 'd#t=9,12']),
        (np.array([0.0, 5.0, 9.0, 12.0]), ['d#t=0,5', 'd#t=5,9', 'd#t=9,12']),
        ([{'start': 9, 'end': 20}, {'start': 0, 'end': 5}, {'start': 0, 'end': 5}], ['d#t=0,5', 'd#t=9,20']),
        ([(0, 5), (1, 2), (30, 40)], ['d#t=0,5']),  # where nobody speaks, nothing
        ([], []),
    ])
    def test_shots(self, shots: Any, expected: list[str]) -> None:
        segments = cut(by_boundaries('shots', unit='t'), transcript=self.TRANSCRIPT, shots=shots)
        assert [id for id, _ in segments] == expected
        assert dict(segments).get('d#t=0,5') in ('Hello. How are you?', None)

class TestSplitters:
    @given(texts)
    def test_nothing_but_white_space_is_left_out(self, text: str) -> None:
        for splitter in (paragraphs, sentences):
            spans = splitter(text)
            assert spans == sorted(spans)
            assert all(start < end and text[start:end].strip() == text[start:end] for start, end in spans)
            covered = [place for span in spans for place in range(*span)]
            assert len(covered) == len(set(covered))  # disjoint
            assert {place for place, sign in enumerate(text) if not sign.isspace()} <= set(covered)

    @pytest.mark.parametrize('text, expected', [
        ('One. Two!  Three?', ['One.', 'Two!', 'Three?']),
        ('He said "No." She left.', ['He said "No."', 'She left.']),
        ('A title\n\nand a text\nof two lines.', ['A title', 'and a text\nof two lines.']),
        ('你好。再见！好', ['你好。', '再见！', '好']),
        ('文。' * 20_000, ['文。'] * 20_000),
    ])
    def test_sentences(self, text: str, expected: list[str]) -> None:
        assert [text[start:end] for start, end in sentences(text)] == expected

TRANSCRIPTS = [{'docno': 'a', 'title': 'A', 'transcript': [(0, 4, 'x y'), (4, 9, 'z')]},
               {'docno': 'b', 'title': 'B', 'transcript': []},
               {'docno': 'c', 'title': 'C', 'transcript': [(1, 2, 'w')]}]
TEXTS = [{'docno': 'a', 'title': 'A', 'text': 'x y. Z u v'}, {'docno': 'b', 'title': 'B', 'text': ''},
         {'docno': 'c', 'title': 'C', 'text': 'w'}]
CUTTERS = [
    (lambda: sliding(4, 2), TRANSCRIPTS),
    (lambda: sliding(2, 1, 'word'), TEXTS),
    (lambda: sliding(3, 2, 'char'), TEXTS),
    (lambda: by_boundaries(sentences), TEXTS),
    (lambda: by_boundaries(lines), TRANSCRIPTS),
]


class TestFrames:
    @pytest.mark.parametrize('make, documents', CUTTERS)
    def test_at_query_time_as_at_indexing_time(self, make: Any, documents: list[dict[str, Any]]) -> None:
        cutter = make()
        segments = list(cutter.transform_iter(iter(documents)))
        assert len(segments) >= 3 and {row['title'] for row in segments} == {'A', 'C'}
        assert cutter(documents) == segments
        assert cutter(pd.DataFrame(documents)).to_dict('records') == segments
        # Results in an order of their own, for two queries.
        run = pd.DataFrame([{'qid': qid, 'query': 'w', **documents[row], 'score': score, 'rank': rank, 'docid': row}
                            for qid, row, score, rank in (('q2', 0, 1.0, 1), ('q1', 1, 2.0, 0), ('q2', 2, 3.0, 0),
                                                          ('q1', 0, 1.0, 1))])
        before = run.copy()
        results = cutter(run)
        pd.testing.assert_frame_equal(run, before)
        assert set(results.columns) == {'qid', 'query', 'docno', 'title', 'text', 'score', 'rank'}
        expected = [('q2', row, 3.0) for row in segments if row['title'] == 'C']
        expected += [('q2', row, 1.0) for row in segments if row['title'] == 'A']
        expected += [('q1', row, 1.0) for row in segments if row['title'] == 'A']
        assert list(zip(results.qid, results[['docno', 'title', 'text']].to_dict('records'), results.score)) == [
            (qid, {name: row[name] for name in ('docno', 'title', 'text')}, score) for qid, row, score in expected]
        for _, group in results.groupby('qid'):
            assert group['rank'].tolist() == list(range(len(group)))
        assert cutter(run.to_dict('records')) == results.to_dict('records')

    def test_collections_are_streamed(self) -> None:
        taken = 0

        def endless() -> Iterator[dict[str, Any]]:
            nonlocal taken
            for taken in count(1):
                yield {'docno': f'd{taken}', 'text': 'a b c'}
        assert [row['docno'] for row in islice(sliding(2, 2, 'word').transform_iter(endless()), 3)] == [
            'd1#word=0,2', 'd1#word=2,3', 'd2#word=0,2']
        assert taken == 2

    def test_times_of_documents_are_kept_under_another_name(self) -> None:
        document = {'docno': 'd', 'text': 'ab cd', 'start': 3, 'end': 8.5}
        rows = sliding(1, 1, 'word')([document])
        assert rows == sliding(1, 1, 'word')(pd.DataFrame([document])).to_dict('records') == [
            {'docno': 'd#word=0,1', 'text': 'ab', 'start': 0, 'end': 1, 'document_start': 3, 'document_end': 8.5},
            {'docno': 'd#word=1,2', 'text': 'cd', 'start': 1, 'end': 2, 'document_start': 3, 'document_end': 8.5}]
        # A length alone is not a time; one beside a start is.
        assert sliding(5, 5, 'char')([{'docno': 'd', 'text': 'ab', 'length': 9}]) == [
            {'docno': 'd#char=0,2', 'text': 'ab', 'length': 9}]
        assert sliding(5, 5, 'char')([{'docno': 'd', 'text': 'ab', 'start': 1, 'length': 9}]) == [
            {'docno': 'd#char=0,2', 'text': 'ab', 'start': 0, 'length': 2, 'document_start': 1, 'document_length': 9}]

class TestErrors:
    @pytest.mark.parametrize('make, columns, sentence', [
        (lambda: sliding(1, 1), {'transcript': 'Hello'}, "the transcript is 'Hello': give a list of lines"),
        (lambda: sliding(1, 1), {'transcript': [(0, 1)]}, 'line 1 of the transcript is (0, 1): give (start, end,'),
        (lambda: sliding(1, 1), {'transcript': [(0, 1, 'a'), (2, 1, 'b')]},
         'line 2 of the transcript ends before it starts (1 < 2)'),
        (lambda: sliding(1, 1, 'char'), {'text': None}, "the text is None: give text, '' where there is none"),
        (lambda: by_boundaries(turns), {'transcript': [(0, 1, 'a', 'Ann'), (1, 2, 'b')]},
         'line 2 of the transcript has no speaker'),
        (lambda: by_boundaries('at', 'char'), {'text': 'abc', 'at': [(0, 4)]},
         'span 1 ends at 4, but the document has 3 characters'),
        (lambda: by_boundaries('at', 'char'), {'text': 'abc', 'at': [2, 1]},
         'position 2 (1) is smaller than the one before it (2)'),
        (lambda: by_boundaries('at', 'char'), {'text': 'abc', 'at': [1, (1, 2)]},
         'the boundaries mix positions and spans'),
    ])
    def test_documents(self, make: Any, columns: dict[str, Any], sentence: str) -> None:
        for run in (lambda: cut(make(), **columns), lambda: make()(pd.DataFrame({'docno': ['d']} | {
                name: pd.Series([value], dtype=object) for name, value in columns.items()}))):
            with pytest.raises(ValueError, match=re.escape(f"document 'd': {sentence}")):
                run()

    def test_documents_that_come_twice(self) -> None:
        documents = [{'docno': 'a', 'text': 'x y'}, {'docno': 'b', 'text': ''}, {'docno': 'c', 'text': 'z'},
                     {'docno': 'b', 'text': 'x'}]
        cutter = sliding(2, 2, 'char')
        for run in (lambda: cutter(documents), lambda: cutter(pd.DataFrame(documents)),
                    lambda: list(cutter.transform_iter(iter(documents)))):
            with pytest.raises(ValueError, match=r"document 'b' comes twice, .* give each docno once"):
                run()

    @pytest.mark.parametrize('rows, sentence', [
        ([('a', 0, 1, 'x'), ('b', 0, 1, 'x'), ('a', 1, 2, 'x')],
         "row 2 of the transcript is of 'a', whose rows stand further up"),
        (['abcd'], "row 0 of the transcript is 'abcd'"),
        ([('a', 0, 1, 'x'), ('a', 1, 2, None)], "row 1 of the transcript is ('a', 1, 2, None)"),
        ([('a', '0', 1, 'x')], "row 0 of the transcript starts at '0': give a number"),
        ([(None, 0, 1, 'x')], "row 0 of the transcript is (None, 0, 1, 'x')"),
    ])
    def test_rows_of_transcripts(self, rows: list[Any], sentence: str) -> None:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            list(transcript_documents(rows))
