"""Chunks of LangChain, LlamaIndex and Haystack, by the packages themselves, as rows of a run and as boundaries."""

import json
import re
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ir_segmeasures import SegmentWarning, sample
from ir_segmeasures.segments.segment import parse_segment, unquote_id
from ir_segmeasures.texts import chunks

TEXTS = {f'{article.doc_id}: v 2.txt': article.text for article in sample.articles()}
TEXT = next(iter(TEXTS.values()))


def langchain(**options: Any) -> Any:
    splitters = pytest.importorskip('langchain_text_splitters', reason='LangChain is not installed')
    return splitters.RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=50, **options)


def llama_index() -> Any:
    parsers = pytest.importorskip('llama_index.core.node_parser', reason='LlamaIndex is not installed')
    return parsers.SentenceSplitter(chunk_size=64, chunk_overlap=8)


def haystack() -> Any:
    preprocessors = pytest.importorskip('haystack.components.preprocessors', reason='Haystack is not installed')
    return preprocessors.DocumentSplitter(split_by='word', split_length=40, split_overlap=10)


def of_langchain() -> list[Any]:
    return langchain(add_start_index=True).create_documents(list(TEXTS.values()), [{'source': name} for name in TEXTS])


def of_llama_index() -> list[Any]:
    parser = llama_index()
    from llama_index.core import Document
    from llama_index.core.schema import NodeWithScore
    nodes = parser.get_nodes_from_documents([Document(text=text, id_=name) for name, text in TEXTS.items()])
    return [NodeWithScore(node=node, score=1 / rank) for rank, node in enumerate(nodes, 1)]


def of_haystack() -> list[Any]:
    splitter = haystack()
    from haystack import Document
    return splitter.run(documents=[Document(id=name, content=text) for name, text in TEXTS.items()])['documents']


def text_of(chunk: Any) -> str:
    return getattr(chunk, 'page_content', None) or getattr(chunk, 'content', None) or chunk.node.text

META = {'source': 'a', 'start_index': 2}


class TestRows:
    @pytest.mark.parametrize('make', [of_langchain, of_llama_index, of_haystack])
    def test_of_a_framework(self, make: Any) -> None:
        found = make()
        assert len(found) > 100
        rows = chunks.rows({'q': found}, TEXTS)
        assert [row.score for row in rows] == [-rank for rank in range(1, len(found) + 1)]
        for row, chunk in zip(rows, found):
            segment = parse_segment(row.doc_id)
            assert segment.unit == 'char'
            assert TEXTS[unquote_id(segment.document)][int(segment.start):int(segment.end)] == text_of(chunk)
        assert {parse_segment(row.doc_id).document for row in rows} == {
            name.replace(': v 2', '%3A%20v%202') for name in TEXTS}

    def test_scores_and_answers(self) -> None:
        nodes = of_llama_index()[:2]
        assert [row.run_score for row in chunks.rows({'q': nodes})] == [1, 0.5]
        from llama_index.core.base.response.schema import Response
        assert chunks.rows({'q': Response('x', source_nodes=nodes)}) == chunks.rows({'q': nodes})
        documents = of_langchain()[:2]
        pairs = chunks.rows({'q': [(documents[0], 0.1), (documents[1], 0.4)]})  # distances: the smallest is the best
        assert [(row.score, row.run_score) for row in pairs] == [(-1, 0.1), (-2, 0.4)]
        found = of_haystack()[:2]
        assert chunks.rows({'q': {'documents': found}}) == chunks.rows({'q': found})

    def test_plain_dicts(self) -> None:
        assert chunks.rows({'q': [{'doc_id': 'a b', 'start': 3, 'end': 5, 'score': 2},
                                  {'doc_id': 'c', 'start': 3, 'text': 'xyz'}]}) == [
            ('q', 'a%20b#char=3,5', -1, 2), ('q', 'c#char=3,6', -2, None)]

    @pytest.mark.parametrize('source', ['texts/a.md', '/home/me/texts/a.md', 'texts\\a.md', 'texts/en/a.md'])
    def test_documents_by_their_paths(self, source: str) -> None:
        texts = {'a.md': 'One.', 'en/a.md': 'Two.'}
        there = 'en/a.md' if '/en/' in source else 'a.md'
        row, = chunks.rows({'q': [{'page_content': texts[there], 'metadata': {'source': source}}]}, texts)
        assert row.doc_id == f'{there}#char=0,4'

    def test_answers_of_chains_and_pipelines(self) -> None:
        found = [{'doc_id': 7, 'start': 3, 'end': 5}]
        for answer in ({'input': 'x', 'context': found, 'answer': 'y'}, {'query': 'x', 'source_documents': found},
                       {'embedder': {'embedding': []}, 'retriever': {'documents': found}}):
            assert chunks.rows({'q': answer}) == [('q', '7#char=3,5', -1, None)]

    @pytest.mark.parametrize('answer', [  # as their libraries dump them
        [{'lc': 1, 'type': 'constructor', 'kwargs': {'page_content': 'is', 'metadata': META}}],
        [{'content': 'is', 'source_id': '5c01', 'file_path': 'a', 'split_idx_start': 2}],
        {'result': [{'id': 1, 'score': .9, 'payload': {'text': 'is', **META}}], 'status': 'ok'},
        {'ids': ['1'], 'documents': ['is'], 'metadatas': [META], 'embeddings': None},
        {'ids': [['1']], 'documents': [['is']], 'metadatas': [[META]], 'distances': [[.5]]},
        [{'_id': '1', '_score': 1, 'fields': {'text': ['is'], 'source': ['a'], 'start_index': [2]}}],
        {'matches': [{'id': 'x', 'score': .9, 'metadata': {'text': 'is', 'source': 'a', 'start_index': 2.0}}]},
        {'result': {'hits': [{'_id': 'x', '_score': .9, 'fields': {'chunk_text': 'is', **META}}]}},
        {'content': [{'type': 'text', 'text': 'So'}, {'type': 'text', 'citations': [
            {'cited_text': 'is', 'document_title': 'a', 'start_char_index': 2, 'end_char_index': 4}]}]},
        {'id': 'a', 'chunks': [{'text': 'is', 'start_index': 2, 'end_index': 4, 'token_count': 1}]}])
    def test_answers_of_frameworks_and_stores(self, answer: Any) -> None:
        assert [row.doc_id for row in chunks.rows({'q': answer}, {'a': 'thisis', 'b': '-'})] == ['a#char=2,4']

    def test_answers_of_several_queries(self) -> None:
        with pytest.raises(TypeError, match='has the chunks of 2 queries of Chroma: give each query its own'):
            chunks.rows({'q': {'ids': [['1'], ['2']], 'documents': [['is'], ['is']], 'metadatas': None}})

    @pytest.mark.parametrize('answer', [
        'text', 3, None, {'doc_id': 'a', 'start': 3, 'end': 5}, {'a': {'documents': []}, 'b': {'documents': []}}])
    def test_no_list_of_chunks(self, answer: Any) -> None:
        with pytest.raises(TypeError, match=r"query 'q' has .*, and not its chunks: give a list of them"):
            chunks.rows({'q': answer})

    @pytest.mark.parametrize('chunk, texts, sentence', [
        ({'doc_id': 'a', 'start': -1, 'end': 3}, None, "the chunk of a dict of 'a' starts at -1, which is not a place"),
        ({'doc_id': 'a', 'start': 1.5, 'end': 3}, None, 'starts at 1.5, which is not a place'),
        ({'doc_id': 'a', 'start': 1}, None, "has no text and no end: give it 'doc_id', 'start', and 'end' or 'text'"),
        ({'doc_id': 'a', 'start': 3, 'end': 1}, None, 'goes from 3 to 1, but it ends at or after its start'),
        ({'doc_id': 'a', 'start': 1, 'end': 3, 'text': 'x'}, None, 'goes from 1 to 3, but its text has 1 characters'),
        ({'start': 1, 'end': 3}, None, 'names no document (None)'), ({'doc_id': '', 'text': 'x'}, None, 'no document'),
        ({'doc_id': 'b', 'start': 1, 'end': 3}, {}, "is of 'b', which the texts lack"),
        ({'doc_id': 'a', 'start': 1, 'text': 'xy'}, {'a': 'abcd'}, "has 'xy', but 'a' has 'bc' from 1 to 3"),
        ({'doc_id': 'a', 'start': 1, 'end': 9}, {'a': 'ab🐝'}, "'a' has 3 characters, 4 UTF-16 units and 6 bytes"),
    ])
    def test_places_that_are_none(self, chunk: Any, texts: Any, sentence: str) -> None:
        with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
            chunks.rows({'q1': [{'doc_id': 'a', 'start': 0, 'end': 0}, chunk]},
                        {'a': '', **texts} if texts is not None else None)
        assert str(caught.value).startswith("query 'q1', rank 2: the chunk ")

    def test_what_is_no_chunk(self) -> None:
        with pytest.raises(TypeError, match="'text' is not a chunk that is known here"):
            chunks.rows({'q': ['text']})
        with pytest.raises(TypeError, match='the results are a list: give a mapping'):
            chunks.rows([])  # type: ignore[arg-type]


class TestBoundaries:
    @pytest.mark.parametrize('make', [langchain, llama_index, haystack])
    def test_splitters_as_they_are(self, make: Any) -> None:
        pt = pytest.importorskip('pyterrier')
        splitter = make()
        cut = pt.segments.by_boundaries(splitter)
        documents = [{'docno': str(number), 'text': text} for number, text in enumerate(TEXTS.values())]
        segments = cut([*documents, {'docno': 'empty', 'text': ''}])
        assert len(segments) > 100
        texts = {row['docno']: row['text'] for row in documents}
        for row in segments:
            segment = parse_segment(row['docno'])
            assert texts[segment.document][int(segment.start):int(segment.end)] == row['text']
        if make is langchain:
            assert [row['text'] for row in segments if row['docno'].startswith('0#')] == splitter.split_text(TEXT)
            assert not splitter._add_start_index  # it stays as it was
        with pytest.raises(ValueError, match="these boundaries count in 'char'"):
            pt.segments.by_boundaries(splitter, unit='word')

    def test_text_that_repeats_itself(self) -> None:
        parsers = pytest.importorskip('llama_index.core.node_parser', reason='LlamaIndex is not installed')
        pt = pytest.importorskip('pyterrier')
        text = 'aa bb. ' * 16 + 'cc. ' + 'aa bb. ' * 16
        cut = pt.segments.by_boundaries(parsers.SentenceSplitter(chunk_size=60, chunk_overlap=0))
        places = [parse_segment(row['docno'])[1:3] for row in cut([{'docno': 'd', 'text': text}])]
        assert len(places) > 1
        ends = [0, *(int(end) for _, end in places)]
        starts = [*(int(start) for start, _ in places), len(text)]
        assert all(text[end:start].isspace() or end == start for end, start in zip(ends, starts))  # all of it, once

    def test_strings_of_a_function(self) -> None:
        pt = pytest.importorskip('pyterrier')
        text = '# Bees\n\nYes. They *dance* in the dark.\n\nYes. They sleep.'
        cut = pt.segments.by_boundaries(lambda text: text.replace('*', '').split('\n\n'), unit='char')
        assert [row['docno'] for row in cut([{'docno': 'd', 'text': text}])] == [
            'd#char=0,6', 'd#char=8,38', 'd#char=40,56']
        wrong = pt.segments.by_boundaries(lambda text: ['Bees', 'No, they do not dance.'], unit='char')
        with pytest.raises(ValueError, match=r"document 'd': chunk 2 of .*, 'No, they do not dance\.', stands"):
            wrong([{'docno': 'd', 'text': text}])


def test_texts_of_ids_that_were_percent_encoded() -> None:
    pt = pytest.importorskip('pyterrier')
    pd = pytest.importorskip('pandas')
    for source in ({'Terms: v 2.txt': 'One two.', 'plain': 'x'},
                   [{'docno': 'Terms: v 2.txt', 'text': 'One two.'}, {'docno': 'plain', 'text': 'x'}]):
        frame = pd.DataFrame({'qid': 'q', 'query': 'x', 'docno': ['Terms%3A%20v%202.txt#char=4,7', 'plain']})
        assert pt.segments.get_text(source)(frame)['text'].tolist() == ['two', 'x']
    frame = pd.DataFrame({'qid': 'q', 'query': 'x', 'docno': ['a%20b#char=0,1']})
    assert pt.segments.get_text({'a%20b': 'as it is'})(frame)['text'].tolist() == ['a']
    with pytest.raises(ValueError, match="have no text in the source, such as 'a%20b'"):
        pt.segments.get_text({'c': 'x'})(frame)


OFFERS = {'a.txt': 'rate: 5 % for savers. See note. rate: 5 % for savers. See annex. End.'}
NOTE = ('q', 'a.txt#char=22,31', -1)


@pytest.mark.parametrize('results', [
    [{'type': 'char_location', 'cited_text': 'See note.', 'document_index': 0, 'document_title': 'a.txt',
      'start_char_index': 22, 'end_char_index': 31}],
    [{'type': 'page_location', 'cited_text': 'See note.', 'document_title': 'a.txt', 'start_page_number': 1}],
    {'ids': [['c1']], 'documents': [['See note.']], 'metadatas': [[{'source': 'a.txt', 'start_index': 22}]],
     'distances': [[.1]]},
    {'matches': [{'id': 'c1', 'score': .9, 'metadata': {'source': 'a.txt', 'start_index': 22, 'text': 'See note.'}}]},
    [{'id': 1, 'payload': {'page_content': 'See note.', 'metadata': {'source': 'a.txt', 'start_index': 22}}}],
    {'hits': {'hits': [{'_score': 3.2, '_source': {'text': 'See note.', 'source': 'a.txt', 'start_index': 22}}]}},
    [{'node': {'text': 'See note.', 'start_char_idx': 22, 'end_char_idx': 31, 'relationships': {
        '1': {'node_id': 'a.txt'}}}, 'score': .7}],
    [{'source': 'a.txt', 'char_start': 22, 'char_end': 31}], [{'doc_id': 'a.txt', 'offset': 22, 'length': 9}],
    [{'text': 'See note.', 'start_index': 22, 'end_index': 31, 'token_count': 3}],
    [SimpleNamespace(text='See note.', start_index=22, end_index=31, token_count=3)]])
def test_what_stores_and_apis_write(results: Any) -> None:
    row, = chunks.rows({'q': results}, OFFERS)
    assert row[:3] == NOTE


@pytest.mark.data
def test_what_frameworks_wrote(shared_data: Path) -> None:
    folder = shared_data / 'field' / '06-chunk-offsets'
    texts = {'a.txt': (folder / 'a.txt').read_text(encoding='utf-8')}
    for found in json.loads((folder / 'real.json').read_text(encoding='utf-8')).values():
        rows = chunks.rows({'q': found}, texts)
        segments = [parse_segment(row.doc_id) for row in rows]
        assert [texts['a.txt'][int(segment.start):int(segment.end)] for segment in segments] == [
            one.get('page_content', one.get('node', one).get('text')) for one in found]


TEXT_OF_BEES = 'Café 🐝🐝 bees dance. Then they sleep.'
THEN = TEXT_OF_BEES.index('Then')


@pytest.mark.parametrize(('start', 'kind'), [
    (len(TEXT_OF_BEES[:THEN].encode('utf-16-le')) // 2, 'UTF-16 units'), (len(TEXT_OF_BEES[:THEN].encode()), 'bytes'),
    (THEN + 1, 'another place')])
def test_offsets_of_something_else_are_put_right(start: int, kind: str) -> None:
    with pytest.warns(SegmentWarning, match=rf"of 1 chunks, 1 have offsets .* \(query 'q', rank 1; 1 .*{kind}\)"):
        row, = chunks.rows({'q': [{'doc_id': 'd', 'start': start, 'text': 'Then they sleep.'}]}, {'d': TEXT_OF_BEES})
    assert row.doc_id == f'd#char={THEN},{THEN + 16}'


def test_offsets_of_the_first_of_two_equal_texts() -> None:
    def chunk(start: int) -> Any:
        return {'page_content': 'rate: 5 % for savers.', 'metadata': {'source': 'a.txt', 'start_index': start}}
    with pytest.warns(SegmentWarning, match='the first of several places'):
        rows = chunks.rows({'q': [chunk(0), chunk(0)]}, OFFERS)
    assert [row.doc_id for row in rows] == ['a.txt#char=0,21', 'a.txt#char=32,53']
    with pytest.warns(SegmentWarning, match='all of their offsets are the first ones'):
        chunks.rows({'q': [chunk(0)]}, OFFERS)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        chunks.rows({'q': [chunk(0), chunk(32)]}, OFFERS)


@pytest.mark.filterwarnings('error')
def test_scores_of_numpy() -> None:
    row, = chunks.rows({'q': [{'doc_id': 'a', 'start': 2, 'end': 5, 'score': np.float32(.5)}]})
    assert (row.doc_id, row.run_score) == ('a#char=2,5', .5)


def test_boilerplate_of_another_document_is_not_taken() -> None:
    boilerplate = 'All rights are reserved, and no part of this may be copied without leave of the publisher. '
    own = 'The wolves of the north hunt in packs of six or more, and follow the herds on their way to the south.'
    with pytest.raises(ValueError, match='1 stand nowhere'):
        chunks.rows({'q': [boilerplate + own]}, {'bees': boilerplate + 'Bees dance.'})
