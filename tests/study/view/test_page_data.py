"""What a page shows: the parts of items, how values come about, and the data on the page, against plain references."""

import json
import re
import tracemalloc
import zlib
from itertools import accumulate, islice, pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Qrels, Run, qrels, runs

from ir_segmeasures import T2I_AP, explain, formats, sample
from ir_segmeasures.formats import InexQrel
from ir_segmeasures.formats.texts import FolderTexts
from ir_segmeasures.measures.base import DECLARED, SpanMeasure
from ir_segmeasures.study.explanations import has_steps
from ir_segmeasures.study.view import DatasetTexts, html_page, page, text_of
from ir_segmeasures.study.view.blocks import embedded, packed_block, readable_block
from ir_segmeasures.study.view.html_page import TITLES
from ir_segmeasures.study.view.page_data import PageData, read_page_data

MEASURES = ('T2I_AP', 'T2I_AP(tau=5,keepviewing=True)@4', 'P_tol(tau=30)@3', 'AiSP',
            'AiSP(user="ret",points=11)@5', 'AgP', 'AgP(score="P",recall="length")@2', 'SegIoU', 'iSP@0.2',
            'ESL(D=5000)', 'AiP', 'AP_over', 'AP_bin(bin=20)', "T2I_AP(tau='5:15:5')")
HOSTILE = ('</script><script>alert(1)</script>', '<!--<script>', 'a\u2028b\u2029c', '<img src=x onerror=alert(1)>',
           "';alert(1)//",
           '\ud800lone', '__proto__', '{{ 7*7 }}', '&lt;b&gt;')


def seen(judged: Qrels, ranking: Run) -> PageData:
    return read_page_data(as_qrels(judged), {'a': as_run(ranking)}, MEASURES)


def spans_of(judged: Qrels) -> dict[str, list[list[float]]]:
    """The relevant spans of each document, merged one by one."""
    spans: dict[str, list[list[float]]] = {}
    for document, start, end, relevance in sorted(judged):
        if relevance > 0:
            known = spans.setdefault(document, [])
            if known and known[-1][1] >= start:
                known[-1][1] = max(known[-1][1], end)
            else:
                known.append([start, end])
    return spans


@given(qrels(), runs())
def test_judged_spans_are_merged_as_the_measures_count_them(judged: Qrels, ranking: Run) -> None:
    data = seen(judged, ranking)
    found = [(data.documents[span.document], span.start, span.end) for span in data.queries[0].judged if span.relevant]
    expected = [(document, *span) for document, spans in spans_of(judged).items() for span in spans]
    assert sorted(found) == sorted(expected)
    assert data.queries[0].R == len(expected)


@given(qrels(), runs())
def test_parts_are_what_each_instant_says(judged: Qrels, ranking: Run) -> None:
    data = seen(judged, ranking)
    ranked = data.queries[0].ranked[0]
    bounds = sorted({time for _, start, end, *_ in [*judged, *ranking] for time in (start, end)})
    spans, before = spans_of(judged), set[tuple[str, float]]()
    for rank, (document, start, end) in enumerate(ranking, 1):
        for left, right in pairwise(bounds):
            parts = [part for part in ranked.parts if part.rank == rank and part.start <= left and part.end >= right]
            relevant = any(a <= left and right <= b for a, b in spans.get(document, ()))
            if not (start <= left and right <= end and relevant):
                assert not parts
            else:
                assert [part.new for part in parts] == [(document, left) not in before]
                before.add((document, left))


@given(qrels(), runs())
def test_new_content_of_a_span_seen_before_is_told_apart(judged: Qrels, ranking: Run) -> None:
    spans = spans_of(judged)
    for part in seen(judged, ranking).queries[0].ranked[0].parts:
        document = ranking[part.rank - 1][0]
        left, right = next(span for span in spans[document] if span[0] <= part.start and part.end <= span[1])
        met = any(other == document and max(start, left) < min(end, right)
                  for other, start, end in ranking[:part.rank - 1])
        assert part.kind == ('repeated' if not part.new else 'continued' if met else 'new')


def test_new_by_content_and_no_hit() -> None:
    data = read_page_data(formats.read_qrels(sample.path('qrels.txt')),
                          {'good': formats.read_run(sample.path('good.run'))}, 'T2I_MAP')
    assert [(part.rank, part.kind) for part in data.queries[0].ranked[0].parts] == [
        (1, 'new'), (2, 'continued'), (3, 'continued'), (5, 'new')]
    (steps, _), = data.queries[0].ranked[0].explanations.values()
    assert [step.rank for step in steps] == [1, 5]


@given(qrels(min_size=1), runs())
def test_explanations_are_the_steps_of_the_measures(judged: Qrels, ranking: Run) -> None:
    data = seen(judged, ranking)
    query = data.queries[0]
    explanations = query.ranked[0].explanations
    assert bool(explanations) == bool(query.R)
    assert all(measure.NAME != 'SegIoU' for measure in explanations)
    for measure, (rows, sentence) in explanations.items():
        explanation, = explain(measure, as_qrels(judged), as_run(ranking))
        assert (rows, sentence, data.values[measure][0][0]) == (explanation.steps, explanation.sentence,
                                                                explanation.value)


def test_documents_of_an_explanation_are_those_of_the_page() -> None:
    pytest.importorskip('jinja2')
    ids = ('a#t=0,5', 'a#t=5,9', 'c#t=0,5', 'b#t=2,12')
    html = page([Qrel('q', 'b#t=0,10', 1), Qrel('q', 'c#t=0,10', 1)],
                {'a': [ScoredDoc('q', id, -i) for i, id in enumerate(ids)]}, ['AgP'])
    data = blocks(html)
    columns = data['query-0']['runs'][0]['explained']['0']['columns']
    items = items_of(data['query-0'], 0)
    assert columns['document'] is None
    assert [data['head']['documents'][items[rank - 1][0]] for rank in columns['rank']] == ['c', 'b']
    assert (columns['rank'], columns['document_rank']) == ([3, 4], [2, 3])
    assert columns.keys() - {'end'} <= data['head']['titles'].keys()


@given(qrels(), runs())
def test_parts_have_the_bounds_that_the_page_makes_of_what_it_holds(judged: Qrels, ranking: Run) -> None:
    query = seen(judged, ranking).queries[0]
    ranked, = query.ranked
    items, rank, place = list(ranked.rows()), 0, 0.0
    for part, start, end in zip(ranked.parts, *html_page._part_bounds(ranked, query.judged).tolist()):
        _, document, first, stop = items[part.rank - 1]
        place = place if part.rank == rank else first
        span = next((span for span in query.judged if span.relevant and (span.document, span.end > place) == (
            document, True)), None)
        assert round(part.start, 3) == (max(place, span.start) if span and start == inf else start)
        assert round(part.end, 3) == (min(stop, span.end) if span and end == inf else end)
        rank, place = part.rank, part.end


REQUIRED = {'iou': .1, 'halflife': 30, 'cutoff': 2, 'T': 30, 'D': 1000, 'recall': 0.5, 'level': 0.5, 'A': 1, 'L': 100}


@pytest.mark.parametrize('measure', [measure for measure in DECLARED
                                     if isinstance(measure, SpanMeasure) and has_steps(measure)], ids=str)
def test_every_column_of_steps_has_a_title(measure: Any) -> None:
    asked = measure(**{name: REQUIRED[name] for name, info in measure.SUPPORTED_PARAMS.items()
                       if info.required or name == 'iou'})
    explanation, = explain(asked, [InexQrel('q', 'd', 0, 50, 1, 'Q0', 500, 0)], [ScoredDoc('q', 'd#char=0,9', 1)])
    assert explanation.steps
    assert {name for step in explanation.steps for name in step._fields} - {'end'} <= TITLES.keys()


def test_numbers_of_official_programs_are_not_explained() -> None:
    judged, run = [Qrel('q', 'b#t=0,10', 1)], [ScoredDoc('q', 'b#t=0,10', 1)]
    data = read_page_data(judged, {'a': run}, ['T2I_AP', T2I_AP(tool='sh_eval')])
    assert [str(measure) for measure in data.queries[0].ranked[0].explanations] == ['T2I_AP']


def test_queries_without_relevant_content_and_without_results() -> None:
    data = read_page_data([Qrel('none', 'b#t=0,10', 0), Qrel('missed', 'b#t=0,10', 1)],
                          {'a': [ScoredDoc('none', 'b#t=0,10', 1), ScoredDoc('unjudged', 'b#t=0,10', 1)]})
    none, missed = data.queries
    assert (none.R, len(none.ranked[0].document), none.ranked[0].explanations) == (0, 1, {})
    assert (missed.R, len(missed.ranked[0].document)) == (1, 0)
    assert all(values == [[0, 0]] for values in data.values.values())


@pytest.mark.parametrize('measures, runs, sentence', [
    (['AP'], {'a': []}, 'AP is a measure of documents'),
    ([], {'a': []}, 'there is no measure'),
    (['AiSP'], {}, 'there is no run'),
    (['AiSP(user="x")'], {'a': []}, "AiSP has user='x'"),
])
def test_what_cannot_be_shown(measures: list[str], runs: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_page_data([Qrel('q', 'b#t=0,10', 1)], runs, measures)


def test_an_error_names_the_run() -> None:
    runs = {'first': [ScoredDoc('q', 'b#t=0,10', 1)], 'second': [ScoredDoc('q', 'b#t=5', 1)]}
    with pytest.raises(ValueError, match=r"run 'second': .*runs to the document's end"):
        read_page_data([Qrel('q', 'b#t=0,10', 1)], runs)


def blocks(html: str) -> dict[str, Any]:
    """The data of a page, as a browser's parser delimits it."""
    found = {name: json.loads(text) if kind == 'json' else unpacked(text) for kind, name, text in
             re.findall(r'<script type="application/(json|zlib)" id="([^"]*)">(.*?)</script', html, re.S)}
    queries = [query for first in range(0, len(found['head']['queries']), found['head']['together'])
               for query in found.pop(f'queries-{first}')]
    return found | {f'query-{place}': query for place, query in enumerate(queries)}


def unpacked(text: str) -> Any:
    """A packed block, read number by number."""
    bits = ''.join(f'{ord(sign) & 127:07b}' for sign in text)
    content = zlib.decompress(bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8)))
    at = 4 + int.from_bytes(content[:4], 'little')
    found = json.loads(content[4:at])
    columns = []
    for bases, scale, least, step, length, holes, grows in found['columns']:
        codes, unit = [0] * length, 1
        for base in bases:
            width = len(f'{max(1, base - 1):b}')
            room = 8 // width
            for i in range(length):
                codes[i] += (content[at + i // room] >> i % room * width) % 2 ** width * unit
            at += -(-length // room)
            unit *= base
        numbers = [(code - holes) * step + least if code >= holes else None for code in codes]
        columns.append((iter(numbers), scale, grows))
    assert at == len(content)

    def array(part: dict[str, Any]) -> Any:
        if part.keys() != {'column'}:
            return part
        numbers, scale, grows = columns[part['column'][0]]
        values = list(islice(numbers, part['column'][1]))
        return [None if value is None else value / scale for value in (accumulate(values) if grows else values)]
    value = json.loads(json.dumps(found['value']), object_hook=array)
    assert not any(list(numbers) for numbers, _, _ in columns)
    return value


def items_of(block: dict[str, Any], run: int) -> list[tuple[int, float, float]]:
    """The document, start and end of the items of a run, from the block of a query."""
    seen, items = list[int](), []
    for each in block['runs'][:run + 1]:
        items = []
        places = iter(each['place'])
        for before in each['seen']:
            seen.append(seen.pop(next(places)) if before else max(seen, default=-1) + 1)
            document, start, length = (column[seen[-1]] for column in block['segments'].values())
            items.append((document, start, start + length))
    return items


class TestPage:
    @pytest.mark.parametrize('hostile', HOSTILE)
    def test_hostile_ids_queries_and_texts(self, hostile: str) -> None:
        pytest.importorskip('jinja2')
        query = re.sub('[\u2028\u2029\ud800]', '', hostile)  # which no id may have, and any text
        document = ''.join(query.split()).replace('"', '')
        html = page([Qrel(query, f'{document}#char=0,4', 1)],
                    {hostile: [ScoredDoc(query, f'{document}#char=2,6', 1)]}, queries={query: hostile},
                    docs={document: hostile}, title=hostile)
        data = blocks(html)
        assert data['head']['queries'] == [query]
        assert data['head']['texts'] == data['head']['runs'] == [hostile]
        assert data['head']['documents'] == [document]
        assert data['text-0'] == hostile
        assert html.count('<script') == html.count('</script>') == 4  # three blocks, and the page's own
        for text in re.findall(r'<script type="application/json" id="[^"]*">(.*?)</script', html, re.S):
            assert not re.search('[<>&\u2028\u2029]', text)
        html.encode()  # a lone surrogate stays out of the file

    def test_what_is_embedded_reads_the_same(self) -> None:
        assert json.loads(embedded(list(HOSTILE))) == list(HOSTILE)

    @given(st.lists(st.one_of(st.integers(-5, 5), st.floats(-1e9, 1e9).map(lambda value: round(value, 4)),
                              st.just(inf)), max_size=40), st.integers(1, 900))
    def test_columns_of_both_kinds_read_the_same(self, values: list[float], factor: int) -> None:
        arrays = {'text': 'as it is', 'both': [np.array(values, float), np.arange(9) * factor]}
        expected = {'text': 'as it is', 'both': [[None if value == inf else value for value in values],
                                                 [i * factor for i in range(9)]]}
        packed = packed_block(arrays).text
        assert json.loads(readable_block(arrays).text) == unpacked(packed) == expected
        assert not re.search('\0|\r|</|<!', packed)

    def test_a_large_page_is_the_small_one_in_fewer_bytes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip('jinja2')
        qrels = formats.read_qrels(sample.path('qrels.txt'))
        runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        small = page(qrels, runs)
        monkeypatch.setattr(html_page, '_READABLE', blocks(small)['head']['items'] - 1)
        large = page(qrels, runs)
        assert blocks(large) == blocks(small)
        assert '<script type="application/json"' not in large
        script = len(small) - sum(map(len, re.findall(r'<script type="application/json".*', small)))
        assert len(large) - script < .6 * (len(small) - script)

    def test_items_are_those_of_the_runs(self) -> None:
        pytest.importorskip('jinja2')
        rows = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        data = blocks(page(formats.read_qrels(sample.path('qrels.txt')), {**rows, 'again': rows['good']}))
        for place, query in enumerate(data['head']['queries']):
            for run, name in enumerate(('good', 'poor', 'good')):
                ranked = sorted((row for row in rows[name] if row.query_id == query), key=lambda row: -row.score)
                assert [f'{data["head"]["documents"][document]}#t={start:g},{round(end, 3):g}'
                        for document, start, end in items_of(data[f'query-{place}'], run)] == [
                            row.doc_id for row in ranked]
            segments = list(zip(*data[f'query-{place}']['segments'].values()))
            assert len(segments) == len(set(segments)) <= 40

    def test_each_run_is_asked_for_once_and_in_order(self) -> None:
        pytest.importorskip('jinja2')
        asked: list[str] = []

        class Runs(dict[str, Any]):
            def __getitem__(self, name: str) -> Any:
                asked.append(name)
                return [ScoredDoc('q', 'b#t=0,10', 1)]
        page([Qrel('q', 'b#t=0,10', 1)], Runs.fromkeys('ab'))
        assert asked == ['a', 'b']

    def test_a_run_needs_little_memory_once_it_was_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip('jinja2')
        monkeypatch.setattr(html_page, '_READABLE', 0)
        monkeypatch.setattr(html_page, '_TOGETHER', 1)  # so that few items are many blocks
        items = 4 * 200

        class Runs(dict[str, Any]):
            def __getitem__(self, name: str) -> Any:
                place = np.random.default_rng(int(name)).permutation(items)
                return [ScoredDoc(f'q{i % 4}', f'd{at % 97}#t={10 * at},{10 * at + 30}', -i)
                        for i, at in enumerate(place.tolist())]

        def peak(runs: int) -> int:
            tracemalloc.start()
            page([Qrel(f'q{i}', 'd3#t=30,90', 1) for i in range(4)], Runs.fromkeys(map(str, range(runs))), 'T2I_MAP')
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return most
        peak(1)  # imports
        assert peak(6) - peak(2) < 4 * items * 100

    def test_lengths_of_documents(self) -> None:
        pytest.importorskip('jinja2')
        qrels = [Qrel('q', f'{name}#t=0,10', 1) for name in 'abc'] + [Qrel('q', 'd#char=0,4', 1)]
        data = blocks(page(qrels, {'a': []}, lengths={'a': 60.5, 'b': 5, 'x': 9},
                           docs={'c': [(0, 2, 'one'), (2, 31.25, 'two')], 'd': 'eight ch'}))
        assert data['head']['lengths'] == {'0': 60.5, '1': 5, '2': 31.25, '3': 8}

    def test_nothing_is_fetched(self) -> None:
        pytest.importorskip('jinja2')
        html = page([Qrel('q', 'b#t=0,10', 1)], {'a': [ScoredDoc('q', 'b#t=0,10', 1)]})
        assert not re.search(r'(src|href)="(?!\?all")|url\(|@import|https?://', html)
        assert "default-src 'none'" in html

    @pytest.mark.parametrize('media, reason', [
        ('javascript:alert({document})', 'is no link to a file'), ('data:text/html,{document}', 'is no link to a file'),
        ('videos/x.mp4', 'does not hold'), ('\xa0javascript:alert({document})', 'begins or ends with a blank'),
        ('java\u200bscript:{document}', 'a character that nobody sees'), ('https://[bad/{document}', 'a broken host'),
        ('http://a b/{document}', 'a broken host'), ('http://a:99999/{document}', 'a broken host'),
        ('http:///{document}', 'names no host'), ('//evil/{document}', 'begins with //'),
        ('/\\evil/{document}', 'begins with //'),
        ('C:\\my videos\\{document}.mp4', 'with a drive.*write .file:///C:/my videos/{document}.mp4')])
    def test_links_that_are_none(self, media: str, reason: str) -> None:
        pytest.importorskip('jinja2')
        with pytest.raises(ValueError, match=f'the address .*{reason}'):
            page([Qrel('q', 'b#t=0,10', 1)], {'a': []}, media=media)

    def test_texts_of_relevant_documents_and_of_the_best_items(self) -> None:
        pytest.importorskip('jinja2')
        run = [ScoredDoc('q', f'd{i}#char=0,5', -i) for i in range(30)]
        html = page([Qrel('q', 'd29#char=0,4', 1), Qrel('q', 'd28#char=0,4', 0)], {'a': run},
                    docs={f'd{i}': f'text {i}' for i in range(30)})
        data = blocks(html)
        texts = {text for name, text in data.items() if name.startswith('text-')}
        assert texts == {f'text {i}' for i in (*range(20), 29)}

    def test_frames(self) -> None:
        pytest.importorskip('jinja2')
        pd = pytest.importorskip('pandas')
        qrels = pd.DataFrame([('q', 'b', 0, 10, 1)], columns=['query_id', 'doc_id', 'start', 'end', 'relevance'])
        run = pd.DataFrame([('q', 'b', 5, 15, 1.)], columns=['query_id', 'doc_id', 'start', 'end', 'score'])
        data = blocks(page(qrels, {'a': run}, unit='t'))
        assert data['head']['units'] == 't'
        assert data['query-0']['runs'][0]['parts'] == {'rank': [1], 'start': [None], 'end': [None], 'kind': [0]}
        names = {'query_id': 'qid', 'doc_id': 'docno', 'relevance': 'label'}
        assert blocks(page(qrels.rename(columns=names), {'a': run.rename(columns=names)}, unit='t')) == data


class TestTexts:
    def test_transcripts(self, tmp_path: Any) -> None:
        pytest.importorskip('jinja2')
        (tmp_path / 'news 1.vtt').write_text('WEBVTT\n\n00:00.000 --> 00:05.000\n<b>Good</b> evening.\n')
        said = [{'word': word, 'start': i, 'end': i + .5} for i, word in enumerate(['one', 'two', 'three'])]
        (tmp_path / 'talk.json').write_text(json.dumps({'segments': [
            {'start': 0, 'end': 3, 'text': 'one two three', 'words': said}]}))
        texts = FolderTexts(str(tmp_path))
        assert [line.text for line in texts.get('news%201')] == [line.text for line in texts.get('news 1')]
        ids = ('news%201#t=0,4', 'talk#t=0,4', 'other#t=0,4')
        html = page([Qrel('q', ids[0], 1)], {'a': [ScoredDoc('q', id, -i) for i, id in enumerate(ids)]}, docs=texts)
        data = blocks(html)
        documents = data['head']['documents']
        assert data[f'lines-{documents.index("news%201")}'] == {'start': [0], 'end': [5], 'text': ['Good evening.']}
        assert data[f'lines-{documents.index("talk")}'] == {'start': [0], 'end': [2.5], 'text': ['one two three']}
        assert sum(name.startswith(('lines-', 'text-')) for name in data) == 2
        # Texts have no times, and lines no characters.
        for id, docs in (('b#t=0,4', {'b': 'text'}), ('b#char=0,4', {'b': [(0, 1, 'text')]})):
            assert blocks(page([Qrel('q', id, 1)], {'a': []}, docs=docs)).keys() == {'head', 'query-0'}

    def test_a_dataset(self) -> None:
        class Store:
            def get(self, id: str) -> Any:
                return {'a': sample.articles()[0]}[id]

        class Dataset:
            def docs_store(self) -> Store:
                return Store()

        texts = DatasetTexts(Dataset())
        assert texts.get('a') == sample.articles()[0].text
        assert texts.get('b') is None

    def test_rows_with_and_without_a_text(self) -> None:
        assert text_of(sample.queries()[0]) == 'how to stop bees from swarming'
        assert text_of(ScoredDoc('q', 'd', 1.)) is None  # as an anchor or a video


def test_the_only_measure_needs_no_list() -> None:
    judged, run = [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=0,9', 1.)]
    assert read_page_data(judged, {'a': run}, 'MAiSP').asked == read_page_data(judged, {'a': run}, ['MAiSP']).asked
    assert list(read_page_data(judged, {'a': run}, T2I_AP).values) == [T2I_AP]


class TestCommand:
    QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))

    def test_a_page(self, run: Any, tmp_path: Any) -> None:
        pytest.importorskip('jinja2')
        out = tmp_path / 'page.html'
        result = run('view', self.QRELS, self.GOOD, self.POOR, '--out', out, '--queries', sample.path('queries.tsv'),
                     '-m', 'T2I_MAP(tau=30)', '-m', 'SegIoU', '--title', 'A <page>')
        assert result.code == 0
        assert '<title>A &lt;page&gt;</title>' in out.read_text()
        head = blocks(out.read_text())['head']
        assert head['runs'] == ['good', 'poor']
        assert head['units'] == 't'
        assert head['texts'] == [query.text for query in sample.queries()]
        means = run('evaluate', self.QRELS, self.GOOD, 'T2I_MAP(tau=30)', 'SegIoU').out
        values = [f'{sum(runs[0]) / 10:.4f}' for runs in head['values']]
        assert values == [line.split('\t')[1] for line in means.splitlines()]
        assert [path.name for path in tmp_path.iterdir() if path.suffix != ''] == ['page.html']

    def test_lengths_of_recordings(self, run: Any, tmp_path: Path) -> None:
        pytest.importorskip('jinja2')
        out, sizes = tmp_path / 'page.html', tmp_path / 'sizes.txt'
        sizes.write_text('bees-01 0:10:00\nnobody 5\n')
        assert run('view', self.QRELS, self.GOOD, '--out', out, '--sizes', sizes).code == 0
        head = blocks(out.read_text())['head']
        assert head['lengths'] == {str(head['documents'].index('bees-01')): 600}
        assert run('view', self.QRELS, self.GOOD, '--out', out, '--sizes', tmp_path / 'none').code != 0

    def test_standard_output_and_names_of_runs(self, run: Any, tmp_path: Any) -> None:
        pytest.importorskip('jinja2')
        (tmp_path / 'good.run').write_text(Path(self.GOOD).read_text())
        html = run('view', self.QRELS, self.GOOD, tmp_path / 'good.run', '--out', '-').out
        assert blocks(html)['head']['runs'] == [self.GOOD, str(tmp_path / 'good.run')]

    def test_errors(self, run: Any, tmp_path: Any) -> None:
        pytest.importorskip('jinja2')
        out = tmp_path / 'page.html'
        bad = tmp_path / 'bad.run'
        bad.write_text('q1 Q0 bees-01#t=5,2 1 1 x\n')
        latin = tmp_path / 'latin.tsv'
        latin.write_bytes(b'q1\tdo bees sting\nq2\tcaf\xe9\n')
        for arguments, code, words in (
            ([self.QRELS, bad, '--out', out], 1, f'{bad}, line 1: '),
            ([self.QRELS, self.GOOD, '--out', out, '-m', 'Nothing'], 2, 'unknown measure: Nothing'),
            ([self.QRELS, self.GOOD, '--out', out, '-m', 'AP'], 1, 'AP is a measure of documents'),
            ([self.QRELS, self.GOOD, '--out', tmp_path / 'none' / 'x.html'], 1, 'there is no folder'),
            ([self.QRELS, self.GOOD, '--out', out, '--queries', bad], 1, f'{bad}, line 1: the line has no tab'),
            ([self.QRELS, self.GOOD, '--out', out, '--queries', latin], 1, f'{latin}, line 2: byte 0xE9 is not UTF-8'),
            ([tmp_path / 'no', self.GOOD, '--out', out], 1, 'is no file, and'),
        ):
            result = run('view', *arguments)
            assert (result.code, words in result.err) == (code, True), result.err
        assert not out.exists()

    def test_what_is_doubtful_or_wrong_about_a_run_names_it(self, run: Any, tmp_path: Path) -> None:
        pytest.importorskip('jinja2')
        path, out = tmp_path / 'other.run', tmp_path / 'page.html'
        path.write_text('q1 Q0 bees-01#t=1,9 1 2 x\nq1 Q0 bees-01 2 1 x\n')
        assert run('view', self.QRELS, self.GOOD, path, '--out', out).err.splitlines()[-1].startswith(
            f"ir_segmeasures: {path}, line 2: query 'q1', document 'bees-01': it runs to the document's end")
        path.write_text('q1 Q0 Bees-01#t=1,9 1 2 x\n')
        few, none = run('view', self.QRELS, self.GOOD, path, '--out', out).err.splitlines()
        assert few.startswith("ir_segmeasures: warning: run 'other': the run has 1 of the 10 judged queries")
        assert none.startswith("ir_segmeasures: warning: run 'other': none of the 1 documents of the run is among")

    def test_a_real_run(self, shared_data: Any) -> None:
        pytest.importorskip('jinja2')
        folder = shared_data / 'mediaeval-sh-2014'
        qrels = formats.read_qrels(str(folder / 'me14sh_search_testSet.qrel'), 'sh-search')
        run = formats.read_run(str(folder / 'run-180-60-noover.txt.gz'), 'sh-search')
        html = page(qrels, {'noover': run}, unit='t')
        assert len(html) < 2e6
        assert len(blocks(html)) == 31
