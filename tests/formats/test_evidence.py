"""Files of evidence: each kind becomes judged spans."""

import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import SegR, formats
from ir_segmeasures.formats.evidence import read_evidence

TEXTS = {'a': 'In the hive, bees dance. Wasps do not.', 'b': 'Ants walk. Yes. Yes.'}
SQUAD = {'version': '2.0', 'data': [{'title': 'The hive', 'paragraphs': [
    {'context': 'Bees dance.', 'qas': []},
    {'context': 'In the hive, bees dance.', 'qas': [
        {'id': 'q1', 'question': 'Where?', 'answers': [{'text': 'hive', 'answer_start': 7}] * 2},
        {'id': 'q2', 'question': 'Why?', 'answers': [], 'is_impossible': True}]}]}]}


def written(path: Path, value: Any, as_lines: bool = False) -> Path:
    path.write_text('\n'.join(map(json.dumps, value)) if as_lines else json.dumps(value), encoding='utf-8')
    return path


def spans(*arguments: Any, **options: Any) -> list[tuple[str, str]]:
    return [(row.query_id, row.doc_id) for row in formats.read_qrels(*arguments, **options) if row.relevance == 1]


class TestSquad:
    def test_its_own_file(self, tmp_path: Path) -> None:
        path = written(tmp_path / 'file', SQUAD)
        with pytest.warns(UserWarning, match="1 questions have no quotes, .*'q2'"):
            rows = list(formats.read_qrels(path, 'squad', segments=True))
        assert [tuple(row[:3]) for row in rows] == [('q1', 'The%20hive/1#char=7,11', 1),
                                                    ('q2', 'The%20hive/1#char=0,0', 0)]
        assert [SegR(silence=True).calc_aggregate(rows, {'q2': items}) for items in ({}, {'a#char=0,1': 1})] == [.5, 0]
        file = read_evidence(path, 'squad')
        assert file.questions == {'q1': 'Where?', 'q2': 'Why?'} and file.texts['The hive/0'] == 'Bees dance.'


class TestQuotes:
    LINES = ({'question': 'Who dances?', 'document': 'a', 'quotes': ['bees  dance', {'start': 0, 'end': 7}]},
             {'user_input': 'Who walks?', 'reference_contexts': ['Ants walk.']},
             {'question': 'Who dances?', 'document': 'a', 'quotes': 'Wasps do not'})
    SPANS = (('0', 'a#char=13,23'), ('0', 'a#char=0,7'), ('0', 'a#char=25,37'), ('1', 'b#char=0,10'))

    def test_json_and_json_lines(self, tmp_path: Path) -> None:
        for as_lines in (True, False):
            path = written(tmp_path / 'file', list(self.LINES), as_lines)
            assert spans(path, 'evidence', texts=TEXTS) == list(self.SPANS)

    def test_csv(self, tmp_path: Path) -> None:
        path = tmp_path / 'file.csv'
        path.write_text('\ufeffid,question,document,quotes\nq7,Who?,a,bees dance\nq7,Who?,b.md,"[\'Ants walk.\']"\n'
                        'q8,What?,a,"[""Wasps"", ""dance""]"\n', encoding='utf-8')
        folder = tmp_path / 'texts'
        (folder / 'sub').mkdir(parents=True)
        for name, text in (('a.txt', TEXTS['a']), ('b.md', TEXTS['b']), ('sub/c.txt', 'Nothing.')):
            (folder / name).write_text(text)
        assert spans(path, 'evidence', texts=folder) == [
            ('q7', 'a#char=13,23'), ('q7', 'b.md#char=0,10'), ('q8', 'a#char=25,30'), ('q8', 'a#char=18,23')]

    def test_hops_of_ragas(self, tmp_path: Path) -> None:
        path = written(tmp_path / 'file', [{'user_input': 'Who?', 'reference_contexts': [
            '<1-hop>\n\nbees dance', '<2-hop>\n\nAnts walk.']}])
        assert spans(path, 'evidence', texts=TEXTS) == [('0', 'a#char=13,23'), ('0', 'b#char=0,10')]

    def test_texts_in_json_lines(self, tmp_path: Path) -> None:
        corpus = written(tmp_path / 'corpus.jsonl', [{'_id': name, 'text': TEXTS[name]} for name in TEXTS], True)
        path = written(tmp_path / 'file', self.LINES, True)
        assert spans(path, 'evidence', texts=corpus) == list(self.SPANS)
        written(corpus, [{'_id': 'a', 'text': 'x'}] * 2, True)
        with pytest.raises(formats.FormatError, match=r"line 2: the document 'a' is already in line 1"):
            spans(path, 'evidence', texts=corpus)
        written(corpus, [{'_id': 'a'}], True)
        with pytest.raises(formats.FormatError, match="line 1: the line has no 'text'"):
            spans(path, 'evidence', texts=corpus)

    def test_what_has_no_place(self, tmp_path: Path) -> None:
        path = written(tmp_path / 'file', [{'question': 'Who?', 'quotes': ['Ants fly.', 'Yes.', 'Ants walk.']}])
        said = (r"of 3 quotes without offsets, 1 stand nowhere in the texts and 1 at several places "
                r"\(query '0', quote 1 has 'Ants fly.'; query '0', quote 2 has 'Yes.', at 11–15 of 'b', 16–20 of 'b'\)")
        with pytest.raises(formats.FormatError, match=said):
            spans(path, 'evidence', texts=TEXTS)
        with pytest.warns(UserWarning, match=said):
            assert spans(path, 'evidence', texts=TEXTS, unlocated='warn') == [('0', 'b#char=0,10')]
        with pytest.raises(formats.FormatError, match='give their texts with --docs'):
            spans(path, 'evidence')

    def test_other_formats_have_no_texts(self, tmp_path: Path) -> None:
        path = written(tmp_path / 'file', [])
        with pytest.raises(ValueError, match="qrels of format 'trec' have no option 'texts'"):
            formats.read_qrels(path, texts=TEXTS)


@pytest.mark.data
def test_all_spans_of_the_benchmarks_of_chunks(shared_data: Path) -> None:
    for name, format, n in (('chunking-evaluation/questions_df.csv', 'chunking-evaluation', 790),
                            ('legalbench-rag/privacy_qa.json.gz', 'legalbench-rag', 453)):
        assert len(spans(shared_data / 'chunks' / name, format, segments=True)) == n


class TestChunks:
    CHUNKS = ({'page_content': 'bees dance.', 'metadata': {'source': 'a', 'start_index': 13}}, {'text': 'Ants'})
    ROWS = (('q1', 'a#char=13,24', -1, None), ('q1', 'b#char=0,4', -2, None))

    @pytest.mark.parametrize('value', [
        [{'query_id': 'q1', **chunk} for chunk in CHUNKS], [{'qid': 'q1', 'documents': [*CHUNKS]}],
        [{'q1': [*CHUNKS]}], [{'q1': {'matches': [*CHUNKS]}}]])
    def test_of_queries(self, tmp_path: Path, value: Any) -> None:
        assert formats.read_run(written(tmp_path / 'run', value, as_lines=True), 'chunks', texts=TEXTS) == [*self.ROWS]

    @pytest.mark.parametrize('value, keyword', [
        ([CHUNKS[0]], "has no 'query_id'"), ([3], '3 is not an object'), ([{'source_nodes': []}], "no 'query_id'"),
        ([{'qid': 1, 'documents': []}] * 2, 'query 1 has an answer before'), ([{'qid': 1}], 'names no document')])
    def test_errors(self, tmp_path: Path, value: Any, keyword: str) -> None:
        with pytest.raises(formats.FormatError, match=keyword):
            formats.read_run(written(tmp_path / 'run', value), 'chunks', texts=TEXTS)

    def test_beside_evidence_of_other_offsets(self, tmp_path: Path, run: Any) -> None:
        (tmp_path / 'texts').mkdir()
        (tmp_path / 'texts' / 'a').write_text('🐝🐝 bees dance.', encoding='utf-8')
        truth = written(tmp_path / 'truth', [{'id': 'q1', 'quotes': [{'doc_id': 'a', 'start': 9, 'text': 'bees'}]}])
        path = written(tmp_path / 'run', [{'query_id': 'q1', 'text': 'bees dance.'}])
        result = run('evaluate', truth, path, 'SegP', '--from', 'chunks', '--docs', tmp_path / 'texts')
        assert result.out.split() == ['SegP', '0.3636'] and '1 count bytes' in result.err


def test_chunks_leave_out_the_ending_of_their_text(tmp_path: Path) -> None:
    (tmp_path / 'texts').mkdir()
    (tmp_path / 'texts' / 'leave.md').write_text('Ask first. Then leave.')
    (tmp_path / 'found.jsonl').write_text('{"query_id": "q", "doc_id": "leave", "text": "Then leave."}')
    chunk, = formats.read_run(tmp_path / 'found.jsonl', 'chunks', texts=tmp_path / 'texts')
    assert chunk.doc_id == 'leave#char=11,22'
    (tmp_path / 'found.jsonl').write_text('{"query_id": "q", "doc_id": "leave", "chunk": "Then leave."}')
    with pytest.raises(formats.FormatError, match='has neither a text'):
        formats.read_run(tmp_path / 'found.jsonl', 'chunks', texts=tmp_path / 'texts')
