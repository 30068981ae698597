"""Chunks without offsets located in their documents: worked examples, and real texts changed in many ways."""

import pickle
import warnings
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import changed_chunks
import pytest
from changed_chunks import WAYS

from ir_segmeasures import chunks
from ir_segmeasures.segments.warnings import SegmentWarning
from ir_segmeasures.texts.locating.collection import ChunkText, located_rankings, located_together
from ir_segmeasures.texts.locating.index import QuoteIndex

TEXTS = {'a': 'One. Yes. Two. Yes. Three.', 'b': 'Two or three bees.', 'c: 1.txt': 'Intro. Yes.'}


def stretches(chunks: list[str], text: str, **options: Any) -> list[list[str]]:
    """What stands at the places of chunks."""
    return [[text[start:end] for start, end in chunk.places]
            for chunk in located_together(chunks, QuoteIndex(text), **options)]


class TestTogether:
    TEXT = ('# The dance\n\nA bee that **found** [flowers](https://bees.org/f_1) dances for the others; they follow it '
            'closely in the dark.\n\n| kind | days |\n|---|---|\n| round | 3 |\n\nThe end of the dance.')

    def test_markdown_that_was_stripped(self) -> None:
        chunk = 'A bee that found flowers dances for the others; they follow it closely in the dark.'
        assert stretches([chunk], self.TEXT) == [[self.TEXT.split('\n\n')[1]]]
        assert stretches(['kind days round 3'], self.TEXT) == [['kind | days |\n|---|---|\n| round | 3']]

    def test_additions_are_reported(self) -> None:
        chunk = 'This is about bees.\n\nThey dance for the others; they follow it closely in the dark. And so on.'
        found, = located_together([chunk], QuoteIndex(self.TEXT))
        (start, end), = found.places
        assert self.TEXT[start:end] == 'for the others; they follow it closely in the dark.'
        assert found.added == ('This is about bees.\n\nThey dance', 'And so on.')

    def test_neighbours_tell_apart_what_stands_twice(self) -> None:
        text = 'Yes. First part of it. Yes. Second part of it. Yes.'
        assert [chunk.places for chunk in located_together(['Second part of it.', 'Yes.'], QuoteIndex(text))] == [
            [(28, 46)], [(47, 51)]]
        assert stretches(['Second part of it.', 'Yes.'], text, in_order=False) == [
            ['Second part of it.'], ['Yes.', 'Yes.', 'Yes.']]

    def test_small_parts_are_none(self) -> None:
        assert stretches(['A bee that found nothing at all, anywhere, ever, and went home.'], self.TEXT) == [[]]
        assert stretches(['', ' ', '—'], self.TEXT) == [[], [], []]

    LONG = ('The scouts come home at noon and dance on the comb for those that follow them in the dark. The others '
            'count the turns of the dance, leave the hive one by one, and fly as far as the dance has told them.')

    @pytest.mark.parametrize('change', [
        lambda text: text.replace('. The others', '.\n\nThe Hive, Annual Report    Page 7 of 99\n\nThe others'),
        lambda text: 'Bees > Dances\n' + text.replace('dark', 'dark\n\nPage 12, in confidence\n\n'),
        lambda text: text.replace('. ', '.\\n\\n').replace('home', 'ho\\u006de'),
        lambda text: text.replace('hive', 'hive (Frisch et al., 1967)')])
    def test_what_stands_in_the_middle(self, change: Any) -> None:
        for chunk, text in ((change(self.LONG), self.LONG), (self.LONG, change(self.LONG))):
            found, = located_together([chunk], QuoteIndex(f'Before. {text} Behind.')).pop().places
            assert abs(found[0] - 8) <= 14 and abs(found[1] - 8 - len(text)) <= 1

    def test_a_ranking_tells_that_two_places_are_as_good(self) -> None:
        noted, other = self.LONG.replace('noon', 'noon [12, 13]'), self.LONG.replace('comb', 'comb (see 4)')
        index = QuoteIndex(f'{noted}\n\nIn other words:\n\n{other}')
        assert len(located_together([self.LONG], index, in_order=False)[0].places) == 2


@pytest.fixture(scope='module')
def real_texts(shared_data: Path) -> dict[str, str]:
    found = changed_chunks.texts(shared_data / 'chunks')
    return {name: found[name][:5000] for name in sorted(found, key=lambda name: ('/' in name, name))[:9]}


class TestRealTexts:
    """The beginnings of nine real texts."""

    @pytest.mark.parametrize('way', WAYS)
    def test_nearly_all_chunks_are_located_none_at_a_wrong_place(self, way: str, real_texts: dict[str, str]) -> None:
        result = changed_chunks.total(row[3] for row in changed_chunks.outcomes(real_texts, {way: WAYS[way]}))
        assert result.chunks > 300
        assert result.located >= 0.995 * result.chunks
        assert not result.wrong

    def test_no_shuffled_quote_is_found(self, real_texts: dict[str, str]) -> None:
        random = Random(1)
        count = 0
        for text in real_texts.values():
            spans = [span for size in (60, 200, 1000) for span in changed_chunks.cut(text, size)]
            quotes = [text[slice(*span)] for span in random.sample(spans, min(150, len(spans)))]
            shuffled = [changed_chunks.shuffled(quote, random) for quote in quotes if len(set(quote.split())) > 6]
            count += len(shuffled)
            index = QuoteIndex(text)
            assert not any(index.locate(quote, case=False) for quote in shuffled)
            assert not any(chunk.places for chunk in located_together(shuffled, index, in_order=False))
        assert count >= 500


class TestCollection:
    def test_a_ranking_is_no_document(self) -> None:
        """Two chunks follow each other by chance, also where a third one stands twice."""
        found, = located_rankings([[ChunkText('a', 'Two.'), ChunkText('a', 'Yes.')]], TEXTS)
        assert [len(chunk.places) for chunk in found] == [1, 2]
        found, = located_rankings([[ChunkText('a', text) for text in ('Three.', 'Yes.', 'One.')]], TEXTS)
        assert [len(chunk.places) for chunk in found] == [1, 2, 1]

    def test_chunks_in_order(self) -> None:
        ranking = [ChunkText('a', text) for text in ('One.', 'Yes.', 'Two.', 'Yes.', 'Three.')]
        found, other = located_rankings([ranking, ranking[3:]], TEXTS)
        assert [chunk.places for chunk in found] == [
            [('a', 0, 4)], [('a', 5, 9)], [('a', 10, 14)], [('a', 15, 19)], [('a', 20, 26)]]
        assert [len(chunk.places) for chunk in other] == [2, 1]


class TestRows:
    @pytest.mark.parametrize('chunk', [
        {'doc_id': 'b', 'text': 'three  bees'}, {'text': 'three  bees'}, 'three  bees',
        {'page_content': 'three  bees', 'metadata': {'source': 'b', 'start_index': -1}},
        {'page_content': 'three  bees', 'metadata': {}},
        {'text': 'three  bees', 'start_char_idx': None, 'end_char_idx': None, 'ref_doc_id': 'b'},
        {'content': 'three  bees', 'meta': {'source_id': 'b'}},
        SimpleNamespace(page_content='three  bees', metadata={'source': 'b'}),
        SimpleNamespace(node=SimpleNamespace(text='three  bees', start_char_idx=None, end_char_idx=None,
                                             ref_doc_id=None, metadata={}), score=None),
        SimpleNamespace(content='three  bees', meta={}, score=None),
    ])
    def test_without_offsets(self, chunk: Any) -> None:
        assert chunks.rows({'q': [chunk, (chunk, 0.5)]}, TEXTS) == [
            ('q', 'b#char=7,17', -1, None), ('q', 'b#char=7,17', -2, 0.5)]

    def test_contexts_of_ragas(self) -> None:
        contexts = ['Intro.', 'Two or three']
        wanted = [('q', 'c%3A%201.txt#char=0,6', -1, None), ('q', 'b#char=0,12', -2, None)]
        for sample in ({'user_input': '?', 'retrieved_contexts': contexts}, contexts,
                       SimpleNamespace(retrieved_contexts=contexts)):
            assert chunks.rows({'q': sample}, TEXTS) == wanted

    def test_additions_stay_with_the_row(self) -> None:
        text = 'A bee that found flowers dances for the others; they follow it closely in the dark.'
        row, = chunks.rows({'q': [{'text': f'Title: Insects\n\n{text}'}]}, {'d': text})
        assert row == ('q', f'd#char=0,{len(text)}', -1, None)
        assert row.added == ('Title: Insects',)
        assert pickle.loads(pickle.dumps(row)).added == row.added

    def test_missing_and_ambiguous_chunks_are_counted_and_listed(self) -> None:
        results = {'q': ['nowhere', {'doc_id': 'a', 'text': 'Yes.'}, 'Yes.', 'bees']}
        sentence = (r"of 4 chunks without offsets, 1 stand nowhere in the texts and 2 at several places \(query 'q', "
                    r"rank 1 has 'nowhere'; query 'q', rank 2 has 'Yes\.', at 5–9 of 'a', 15–19 of 'a'; query 'q', "
                    r"rank 3 has 'Yes\.', at 5–9 of 'a', 15–19 of 'a', 7–11 of 'c: 1.txt'\): ")
        with pytest.raises(ValueError, match=sentence + 'give their offsets'):
            chunks.rows(results, TEXTS)
        with pytest.warns(SegmentWarning, match=sentence + 'they are left out'):
            assert chunks.rows(results, TEXTS, unlocated='warn') == [('q', 'b#char=13,17', -4, None)]
        with pytest.warns(SegmentWarning, match=sentence + 'the former are left out, and the latter have the first'):
            assert chunks.rows(results, TEXTS, unlocated='first') == [
                ('q', 'a#char=5,9', -2, None), ('q', 'a#char=5,9', -3, None), ('q', 'b#char=13,17', -4, None)]
        with pytest.raises(ValueError, match='; and 20 more'):
            chunks.rows({'q': [f'nowhere {number}' for number in range(30)]}, TEXTS)
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            chunks.rows({'q': ['bees']}, TEXTS, unlocated='warn')


class TestTransformer:
    def test_chunks_of_a_pipeline(self) -> None:
        pt = pytest.importorskip('pyterrier')
        results = pt.new.ranked_documents([[4, 3, 2, 1]], docno=[['c: 1.txt', 'c%3A%201.txt', 'b#char=0,3', 'b']],
                                          text=[['Intro.', 'Yes.', 'x', 'bees']])
        found = pt.segments.locate(TEXTS)(results)
        assert found['docno'].tolist() == [
            'c%3A%201.txt#char=0,6', 'c%3A%201.txt#char=7,11', 'b#char=0,3', 'b#char=13,17']
        assert found['text'].tolist() == ['Intro.', 'Yes.', 'x', 'bees']
        chunked = results.assign(docno=list('wxyz'), source=results['docno'], text=['Intro.', 'Yes', 'Two or', 'bees'])
        assert pt.segments.locate(TEXTS, 'source')(chunked.iloc[[0, 3]])['docno'].tolist() == [
            'c%3A%201.txt#char=0,6', 'b#char=13,17']
        assert pt.segments.locate(TEXTS, None)(chunked.iloc[[0, 2]])['docno'].tolist() == [
            'c%3A%201.txt#char=0,6', 'b#char=0,6']
        assert list(pt.segments.locate(TEXTS)(results.iloc[:0]).columns) == list(results.columns)

    def test_chunks_that_are_indexed(self) -> None:
        pt = pytest.importorskip('pyterrier')
        documents = [{'docno': 'a', 'text': text} for text in ('One.', 'Yes.', 'Two.', 'Yes.', 'Three.')]
        assert [row['docno'] for row in pt.segments.locate(TEXTS)(documents)] == [
            'a#char=0,4', 'a#char=5,9', 'a#char=10,14', 'a#char=15,19', 'a#char=20,26']
