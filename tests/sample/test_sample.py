"""The sample collections: consistent, the two runs of the spoken one of clearly different quality, the evidence of the
other whole sentences that say what they should.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, formats, parse_segment, sample, segmeasures
from ir_segmeasures.texts.splitters import paragraphs, sentences


def test_counts() -> None:
    assert len(sample.recordings()) == 20
    assert len(sample.queries()) == 10
    assert len(sample.transcripts()) == 308


def test_transcripts_are_in_order_and_within_their_recordings() -> None:
    durations = {recording.doc_id: recording.duration for recording in sample.recordings()}
    lines = defaultdict(list)
    for line in sample.transcripts():
        assert line.start < line.end <= durations[line.doc_id]
        assert line.text
        assert not lines[line.doc_id] or lines[line.doc_id][-1].end <= line.start
        lines[line.doc_id].append(line)
    assert set(lines) == set(durations)


def test_judgements_are_whole_sentences() -> None:
    starts = {(line.doc_id, line.start) for line in sample.transcripts()}
    ends = {(line.doc_id, line.end) for line in sample.transcripts()}
    judged = formats.read_qrels(sample.path('qrels.txt'))
    for qrel in judged:
        segment = parse_segment(qrel.doc_id)
        assert (segment.document, segment.start) in starts
        assert (segment.document, segment.end) in ends
    assert {qrel.query_id for qrel in judged if qrel.relevance > 0} == {query.query_id for query in sample.queries()}
    assert {qrel.relevance for qrel in judged} == {0, 1, 2}


@pytest.mark.parametrize('measure', [T2I_MAP(tau=15), MAgP, MAiSP], ids=str)
def test_the_good_run_is_better(measure: object) -> None:
    qrels = formats.read_qrels(sample.path('qrels.txt'))
    good, poor = (segmeasures.calc_aggregate([measure], qrels, formats.read_run(sample.path(f'{name}.run')))[measure]
                  for name in ('good', 'poor'))
    assert poor * 1.5 < good < 1


def test_an_unknown_file() -> None:
    with pytest.raises(ValueError, match='no file'):
        sample.path('bad.run')


# What each evidence span says, in the order of the file.
QUOTES = {
    'a1': ('a hundred and thirty thousand litres', 'little more than half of what it did'),
    'a2': ('has to wait until the sea has dropped', 'about fifty minutes later every day', 'the half moons',
           'the date is set by the tide', 'in the hour around low water', 'in whatever hour of the night'),
    'a3': ('a brown paper of great strength', 'into oakum'),
    'a4': ('by about a millimetre a year', 'Pollen falls on it', 'by half in 5,730 years'),
    'a5': ('called lignin', 'neutralises the acid'),
    'a6': ('thicker near the boss', 'longer than the age of the universe'),
    'a7': ('half of the brain', 'did not come down for a minute in ten months'),
    'a8': ('1,350 thrushes', 'a wire screen with perches', 'goes dark from the tenth of July'),
    'a9': ('has lost so much of its water', 'no mould can get in'),
    'a10': ('breathes out gas', 'dust of hay'),
    'a11': ('should show the time of its head office', 'from the first of January 1880'),
    'a12': ('a boat with an iron bow', 'a boom of tarred logs', 'the pans are flooded with sea water'),
    'a13': ('kills the ferment', '75 or 80 °C'),
    'a14': ('rings of glass prisms', 'stirred the melt for fourteen hours'),
    'a15': ('A plug of wet peat',),
    'a16': ('sinks down a tube', 'fall eleven metres in a week'),
}


class TestArticles:
    def test_counts(self) -> None:
        articles = sample.articles()
        assert len(articles) == len({article.doc_id for article in articles}) == 12
        assert all(600 <= len(article.text.split()) <= 1000 and article.title for article in articles)
        assert sum(len(article.text.split()) for article in articles) == 9284
        assert sum(len(paragraphs(article.text)) for article in articles) == 84
        assert [question.query_id for question in sample.questions()] == list(QUOTES)
        assert sum(len(quotes) for quotes in QUOTES.values()) == 38

    def test_the_evidence_is_what_it_should_be(self) -> None:
        texts = {article.doc_id: article.text for article in sample.articles()}
        borders = {document: tuple(map(set, zip(*sentences(text)))) for document, text in texts.items()}
        found = defaultdict(list)
        seen: set[tuple[str, str, int]] = set()
        for qrel in formats.read_qrels(sample.path('evidence.txt')):
            span = parse_segment(qrel.doc_id)
            start, end = int(span.start), int(span.end)
            starts, ends = borders[span.document]
            assert start in starts and end in ends and span.unit == 'char', qrel
            assert '\n' not in texts[span.document][start:end]
            assert qrel.relevance == 1
            content = {(qrel.query_id, span.document, place) for place in range(start, end)}
            assert not seen & content
            seen |= content
            found[qrel.query_id].append(texts[span.document][start:end])
        assert list(found) == list(QUOTES)
        for query_id, quotes in QUOTES.items():
            assert [quote in text for quote, text in zip(quotes, found[query_id], strict=True)] == [True] * len(quotes)

    def test_characters_are_neither_bytes_nor_utf_16_units(self) -> None:
        text = next(article.text for article in sample.articles() if article.doc_id == 'salt-pans')
        last = max(int(parse_segment(qrel.doc_id).start) for qrel in formats.read_qrels(sample.path('evidence.txt'))
                   if qrel.doc_id.startswith('salt-pans#'))
        assert len({last, len(text[:last].encode()), len(text[:last].encode('utf-16-le')) // 2}) == 3

    def test_size(self) -> None:
        assert sum(Path(sample.path(name)).stat().st_size for name in sample.FILES) < 150_000
