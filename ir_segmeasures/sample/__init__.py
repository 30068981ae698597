"""Two small sample collections, of spoken segments and of text, for trying things out, documentation and tests.

All text was written for this project and comes under the project's licence.

The spoken collection holds 20 invented radio features, lectures, interviews and podcasts (in English; 49 minutes, 308
transcribed sentences, 6,851 words) on five subjects -- beekeeping, bicycle repair, bread baking, the seashore, the
night sky -- 10 queries, 95 judged segments (40 relevant, 55 not) and two runs. The recordings do not exist as audio,
and the times follow from the number of words.

The files:

 - ``recordings.tsv``, ``transcripts.tsv``, ``queries.tsv``: see :func:`recordings`, :func:`transcripts` and
   :func:`queries`
 - ``qrels.txt``: TREC qrels; a segment is named ``{recording}#t={start},{end}``, and relevance is 0, 1 or 2
 - ``good.run``: BM25 over windows of three sentences plus BM25 over whole recordings, overlapping results removed
   (at most 20 results a query)
 - ``poor.run``: counts of the query's words in windows of 90 seconds that start every 30 seconds, overlapping results
   kept (at most 20 results a query). Scores that were equal are lowered by 0.0001, so that no two of a query are.

The collection of text holds 12 invented articles (in English, 84 paragraphs, 9,284 words) on old crafts, food, nature
and how people did things before there were machines, 16 questions, and 38 evidence spans, the passages that answer
them. Places, people and many of the facts are made up. Characters beyond ASCII, one of them beyond 16 bits, are there
on purpose: positions count the characters of a Python string, neither bytes nor UTF-16 units.

The files:

 - ``articles.tsv`` (a row for each paragraph), ``questions.tsv``: see :func:`articles` and :func:`questions`
 - ``evidence.txt``: TREC qrels; a span is named ``{article}#char={start},{end}``, consists of whole sentences that
   stand together, and has the relevance 1. The spans were marked as the articles were written, by one person.

The qrels and the runs are read by the package's TREC reader, given their :func:`path`. Both collections are far too
small to conclude anything about retrieval systems from them, and the settings of ``good.run`` were chosen on its own.
"""
import csv
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

__all__ = ['FILES', 'Recording', 'TranscriptLine', 'SampleQuery', 'Article', 'path', 'recordings', 'transcripts',
           'queries', 'articles', 'questions']

FILES = ('recordings.tsv', 'transcripts.tsv', 'queries.tsv', 'qrels.txt', 'articles.tsv', 'questions.tsv',
         'evidence.txt', 'good.run', 'poor.run')


class Recording(NamedTuple):
    """A recording; its duration is in seconds."""
    doc_id: str
    duration: float
    title: str


class TranscriptLine(NamedTuple):
    """One spoken sentence of a recording; start and end are in seconds."""
    doc_id: str
    start: float
    end: float
    text: str


class SampleQuery(NamedTuple):
    """A query, or a question."""
    query_id: str
    text: str


class Article(NamedTuple):
    """A text; there is a blank line between its paragraphs."""
    doc_id: str
    title: str
    text: str


def path(name: str) -> str:
    """The path of a file of the collections.

    Args:
        name: one of ``FILES``, such as ``'qrels.txt'``

    Raises:
        ValueError: there is no such file; the sentence names the files that there are

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> qrels[0]
        Qrel(query_id='q1', doc_id='bees-01#t=0,22.7', relevance=0, iteration='0')
    """
    if name not in FILES:
        raise ValueError(f'no file {name!r} in the sample collection; available: {", ".join(FILES)}')
    return str(resources.files(__name__).joinpath(name))


def recordings() -> list[Recording]:
    """The recordings, in order of their ids.

    Examples:
        >>> from ir_segmeasures import sample
        >>> sample.recordings()[0]
        Recording(doc_id='bees-01', duration=127.1, title='Allotment Hour: The Crowded Hive')
    """
    return [Recording(doc_id, float(duration), title)
            for doc_id, duration, title in _rows('recordings.tsv', header=True)]


def transcripts() -> list[TranscriptLine]:
    """The sentences of all recordings, in the order of the recordings, and of time within each.

    Examples:
        >>> from ir_segmeasures import sample
        >>> line = sample.transcripts()[0]
        >>> line.doc_id, line.start, line.end
        ('bees-01', 0.0, 7.8)
    """
    return [TranscriptLine(doc_id, float(start), float(end), text)
            for doc_id, start, end, text in _rows('transcripts.tsv', header=True)]


def queries() -> list[SampleQuery]:
    """The queries of the spoken collection.

    Examples:
        >>> from ir_segmeasures import sample
        >>> sample.queries()[0]
        SampleQuery(query_id='q1', text='how to stop bees from swarming')
    """
    return [SampleQuery(query_id, text) for query_id, text in _rows('queries.tsv')]


def articles() -> list[Article]:
    """The articles. Positions of the evidence count the characters of their ``text``, without the title.

    Examples:
        >>> from ir_segmeasures import sample
        >>> article = sample.articles()[0]
        >>> article.doc_id, article.title, len(article.text)
        ('canal-locks', 'Climbing the Hill: The Locks of the Brennick Canal', 3859)
    """
    paragraphs: dict[tuple[str, str], list[str]] = {}
    for doc_id, title, paragraph in _rows('articles.tsv', header=True):
        paragraphs.setdefault((doc_id, title), []).append(paragraph)
    return [Article(doc_id, title, '\n\n'.join(texts)) for (doc_id, title), texts in paragraphs.items()]


def questions() -> list[SampleQuery]:
    """The questions about the articles.

    Examples:
        >>> from ir_segmeasures import sample
        >>> sample.questions()[0]
        SampleQuery(query_id='a1', text='how do canal locks get by with little water in a dry summer')
    """
    return [SampleQuery(query_id, text) for query_id, text in _rows('questions.tsv')]


def _rows(name: str, header: bool = False) -> Iterator[list[str]]:
    with open(path(name), encoding='utf-8', newline='') as f:
        rows = csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE)
        if header:
            next(rows)
        yield from rows
