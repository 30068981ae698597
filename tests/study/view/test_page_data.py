"""What a page holds: judged spans, the parts of items, how values come about, against plain references."""

import base64
import gzip
import json
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Qrels, Run, qrels, runs

from ir_segmeasures import explain, sample
from ir_segmeasures.formats.texts import FolderTexts
from ir_segmeasures.study.view import page

pytest.importorskip('jinja2')

MEASURES = ('T2I_AP', 'AiSP', 'AgP', 'SegIoU', 'AP_over', "T2I_AP(tau='5:15:5')")
HOSTILE = ('</script><script>alert(1)</script>', '<!--<script>', 'a\u2028b\u2029c', '<img src=x onerror=alert(1)>',
           "';alert(1)//", '\ud800lone', '__proto__', '{{ 7*7 }}', '&lt;b&gt;')


def content(html: str) -> Any:
    """The data of a page, as a browser's parser delimits them."""
    packed, = re.findall(r'<script type="application/gzip" id="data">([^<]*)</script>', html)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def items_of(data: Any, place: int, run: int) -> list[tuple[int, float, float]]:
    """The document, start and end of the items of a run, for the query at a place."""
    found, scale = data['queries'][place]['runs'][run], data['queries'][place]['scale']
    return [(document, start / scale, (start + length) / scale) for document, start, length in zip(
        found['document'], found['start'], found['length'])]


def parts_of(query: dict[str, Any], run: int = 0) -> list[tuple[int, float, float, str]]:
    """The rank, start, end and kind of each part of an item."""
    parts, scale = query['runs'][run]['parts'], query['scale']
    return [(rank, start / scale, (start + length) / scale, kind) for rank, start, length, kind in zip(
        parts['rank'], parts['start'], parts['length'], parts['kind'])]


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


@given(qrels(min_size=1), runs())
def test_spans_and_parts_are_what_each_instant_says(judged: Qrels, ranking: Run) -> None:
    data = content(page(as_qrels(judged), {'a': as_run(ranking)}, 'T2I_AP'))
    query, documents, spans = data['queries'][0], data['head']['documents'], spans_of(judged)
    assert sorted((documents[document], start / query['scale'], end / query['scale'])
                  for document, start, end, relevant in query['judged'] if relevant) == sorted(
        (document, *span) for document, found in spans.items() for span in found)
    items = [(documents[document], *bounds) for document, *bounds in items_of(data, 0, 0)]
    assert items == [(document, start, end) for document, start, end in ranking]
    parts = parts_of(query)
    bounds = sorted({time for _, start, end, *_ in [*judged, *ranking] for time in (start, end)})
    before, met = set[tuple[str, float]](), set[tuple[str, float]]()
    for rank, (document, start, end) in enumerate(ranking, 1):
        mine = set[tuple[str, float]]()
        for left, right in pairwise(bounds):
            kinds = [kind for at, low, high, kind in parts if at == rank and low <= left and high >= right]
            span = next((low for low, high in spans.get(document, ()) if low <= left and right <= high), None)
            if not (start <= left and right <= end) or span is None:
                assert not kinds
                continue
            assert kinds == ['r' if (document, left) in before else 'c' if (document, span) in met else 'n']
            before.add((document, left))
            mine.add((document, span))
        met |= mine


@given(qrels(min_size=1), runs())
def test_explanations_are_the_steps_of_the_measures(judged: Qrels, ranking: Run) -> None:
    data = content(page(as_qrels(judged), {'a': as_run(ranking)}, MEASURES))
    explained = data['queries'][0]['runs'][0]['explained']
    for number, found in explained.items():
        expected = explain(MEASURES[int(number)], as_qrels(judged), as_run(ranking))[0]
        assert (found['sentence'], found['number']) == (expected.sentence, len(expected.steps))
        assert data['head']['values'][int(number)][0][0] == pytest.approx(expected.value, abs=1e-6)
        for name, column in found['columns'].items():
            if name == 'document':
                column = [data['head']['documents'][place] for place in column]
            values = [getattr(step, name) for step in expected.steps]
            assert column == (values if name == 'document' else pytest.approx(values, abs=1e-3))


@pytest.mark.parametrize('measures, runs, sentence', [
    (['AP'], {'a': []}, 'AP is a measure of documents'),
    ([], {'a': []}, 'there is no measure'),
    (['AiSP'], {}, 'there is no run'),
    (['AiSP(user="x")'], {'a': []}, "AiSP has user='x'"),
    ('MAiSP', {'first': [ScoredDoc('q', 'b#t=0,10', 1)], 'second': [ScoredDoc('q', 'b#t=5', 1)]},
     "run 'second': query 'q', document 'b': it runs to the document's end"),
])
def test_what_cannot_be_shown(measures: Any, runs: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        page([Qrel('q', 'b#t=0,10', 1)], runs, measures or [])


@pytest.mark.filterwarnings('ignore')
def test_large_pages_are_bounded() -> None:
    """Items that span very many spans are cut, and 10 systems × 200 queries × 1,000 items stay below 12 MB."""
    def size(items: int) -> tuple[int, Any]:
        start = np.arange(items) * 10.
        judged = pd.DataFrame({'query_id': 'q', 'doc_id': 'd', 'start': start, 'end': start + 5, 'relevance': 1})
        run = pd.DataFrame({'query_id': 'q', 'doc_id': 'd', 'start': 0., 'end': start + 10, 'score': -start})
        html = page(judged, {'a': run}, ['T2I_MAP', 'MAiSP'])
        return len(html), content(html)['queries'][0]['runs'][0]
    small, whole = size(100)
    large, cut = size(3000)
    assert whole['known'] == 100 and 100 < cut['known'] < 300 and large < 4 * small
    random = np.random.default_rng(0)
    rows, queries = 1000, 4

    def run() -> Any:
        start = np.round(random.random(rows * queries) * 3600, 1)
        return pd.DataFrame({'query_id': np.repeat([f'q{query}' for query in range(queries)], rows),
                             'doc_id': [f'd{document}' for document in random.integers(0, 1000, rows * queries)],
                             'start': start, 'end': np.round(start + 30, 1),
                             'score': np.tile(-np.arange(rows), queries)})
    judged = [Qrel(f'q{query}', f'd{place}#t=5,60', 1) for query in range(queries) for place in range(20)]
    one, two = (len(page(judged, {str(name): run() for name in range(number)}, 'MAiSP')) for number in (1, 2))
    assert (two - one) * 10 * 200 / queries < 12e6


class TestPage:
    @pytest.mark.parametrize('hostile', HOSTILE)
    def test_hostile_ids_queries_and_texts(self, hostile: str) -> None:
        query = re.sub('[\u2028\u2029\ud800]', '', hostile)  # which no id may have, and any text
        document = ''.join(query.split()).replace('"', '')
        html = page([Qrel(query, f'{document}#char=0,4', 1)],
                    {hostile: [ScoredDoc(query, f'{document}#char=2,6', 1)]}, queries={query: hostile},
                    docs={document: hostile}, title=hostile)
        data = content(html)
        assert data['head']['queries'] == [query]
        assert data['head']['texts'] == data['head']['runs'] == [hostile]
        assert data['head']['documents'] == [document]
        assert data['texts'] == {'0': hostile}
        assert html.count('<script') == html.count('</script>') == 2  # the data, and the page's own
        html.encode()  # a lone surrogate stays out of the file

    @pytest.mark.parametrize('media, reason', [
        ('videos/x.mp4', 'does not hold'), ('C:\\my videos\\{document}.mp4', 'file:///C:/ for a drive'),
        *((media, 'is not a link') for media in (
            'javascript:alert({document})', 'data:text/html,{document}', '\xa0javascript:alert({document})',
            'java\u200bscript:{document}', 'https://[bad/{document}', 'http://a b/{document}', 'http:///{document}',
            '/\\evil/{document}'))])
    def test_links_that_are_none(self, media: str, reason: str) -> None:
        with pytest.raises(ValueError, match=f'the address .*{reason}'):
            page([Qrel('q', 'b#t=0,10', 1)], {'a': []}, media=media)

    def test_texts_of_relevant_documents_and_of_the_best_items(self) -> None:
        run = [ScoredDoc('q', f'd{i}#char=0,5', -i) for i in range(30)]
        html = page([Qrel('q', 'd29#char=0,4', 1), Qrel('q', 'd28#char=0,4', 0)], {'a': run},
                    docs={f'd{i}': f'text {i}' for i in range(30)})
        data = content(html)
        assert set(data['texts'].values()) == {f'text {i}' for i in (*range(20), 29)}


class TestTexts:
    def test_transcripts(self, tmp_path: Any) -> None:
        (tmp_path / 'news 1.vtt').write_text('WEBVTT\n\n00:00.000 --> 00:05.000\n<b>Good</b> evening.\n')
        said = [{'word': word, 'start': i, 'end': i + .5} for i, word in enumerate(['one', 'two', 'three'])]
        (tmp_path / 'talk.json').write_text(json.dumps({'segments': [
            {'start': 0, 'end': 3, 'text': 'one two three', 'words': said}]}))
        texts = FolderTexts(str(tmp_path))
        assert [line.text for line in texts.get('news%201')] == [line.text for line in texts.get('news 1')]
        ids = ('news%201#t=0,4', 'talk#t=0,4', 'other#t=0,4')
        html = page([Qrel('q', ids[0], 1)], {'a': [ScoredDoc('q', id, -i) for i, id in enumerate(ids)]}, docs=texts)
        data = content(html)
        documents = data['head']['documents']
        assert data['texts'] == {str(documents.index('news%201')): [[0, 5, 'Good evening.']],
                                 str(documents.index('talk')): [[0, 2.5, 'one two three']]}
        # Texts have no times, and lines no characters.
        for id, docs in (('b#t=0,4', {'b': 'text'}), ('b#char=0,4', {'b': [(0, 1, 'text')]})):
            assert content(page([Qrel('q', id, 1)], {'a': []}, docs=docs))['texts'] == {}


class TestCommand:
    QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))

    def test_a_page(self, run: Any, tmp_path: Any) -> None:
        out = tmp_path / 'page.html'
        result = run('view', self.QRELS, self.GOOD, self.POOR, '--out', out, '--queries', sample.path('queries.tsv'),
                     '-m', 'T2I_MAP(tau=30)', '-m', 'SegIoU', '--title', 'A <page>', '--names', 'our run', 'theirs')
        assert result.code == 0
        assert '<title>A &lt;page&gt;</title>' in out.read_text()
        head = content(out.read_text())['head']
        assert head['runs'] == ['our run', 'theirs']
        assert set(head['units']) == {'t'}
        assert head['texts'] == [query.text for query in sample.queries()]
        means = run('evaluate', self.QRELS, self.GOOD, 'T2I_MAP(tau=30)', 'SegIoU').out
        values = [f'{sum(runs[0]) / 10:.4f}' for runs in head['values']]
        assert values == [line.split('\t')[1] for line in means.splitlines()]
        assert [path.name for path in tmp_path.iterdir() if path.suffix != ''] == ['page.html']

    def test_texts_of_documents(self, run: Any, tmp_path: Any) -> None:
        (tmp_path / 'talks').mkdir()
        (tmp_path / 'talks' / 'bees-01.vtt').write_text('WEBVTT\n\n00:01.000 --> 00:04.000\nThe hive hums.\n')
        result = run('view', self.QRELS, self.GOOD, '--docs', tmp_path / 'talks', '--out', tmp_path / 'page.html')
        assert result.code == 0 and 'the page has no texts for 19 of its documents, such as' in result.err
        assert 'The hive hums.' in str(content((tmp_path / 'page.html').read_text()))
