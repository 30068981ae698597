"""A small sample collection of spoken segments, for trying things out, documentation and tests.

It holds 20 invented radio features, lectures, interviews and podcasts (in English; 49 minutes, 308 transcribed
sentences, 6,851 words) on five subjects -- beekeeping, bicycle repair, bread baking, the seashore, the night sky --
10 queries, 95 judged segments (40 relevant, 55 not) and two runs. All text was written for this project and comes
under the project's licence; the recordings do not exist as audio, and the times follow from the number of words.

The files:

 - ``recordings.tsv``, ``transcripts.tsv``, ``queries.tsv``: see :func:`recordings`, :func:`transcripts` and
   :func:`queries`
 - ``qrels.txt``: TREC qrels; a segment is named ``{recording}#t={start},{end}``, and relevance is 0, 1 or 2
 - ``good.run``: BM25 over windows of three sentences plus BM25 over whole recordings, overlapping results removed
   (at most 20 results a query)
 - ``poor.run``: counts of the query's words in windows of 90 seconds that start every 30 seconds, overlapping results
   kept (at most 20 results a query)

The qrels and the runs are read by the package's TREC reader, given their :func:`path`. The collection is far too
small to conclude anything about retrieval systems from it, and the settings of ``good.run`` were chosen on it.
"""
import csv
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

__all__ = ['FILES', 'Recording', 'Line', 'Query', 'path', 'recordings', 'transcripts', 'queries']

FILES = ('recordings.tsv', 'transcripts.tsv', 'queries.tsv', 'qrels.txt', 'good.run', 'poor.run')


class Recording(NamedTuple):
    """A recording; its duration is in seconds."""
    doc_id: str
    duration: float
    title: str


class Line(NamedTuple):
    """One spoken sentence of a recording; start and end are in seconds."""
    doc_id: str
    start: float
    end: float
    text: str


class Query(NamedTuple):
    """A query."""
    query_id: str
    text: str


def path(name: str) -> str:
    """Returns the file system path of a file of the collection, e.g., ``path('qrels.txt')``.

    Raises a ValueError, which names the files there are, if there is no such file.
    """
    if name not in FILES:
        raise ValueError(f'no file {name!r} in the sample collection; available: {", ".join(FILES)}')
    return str(resources.files(__name__).joinpath(name))


def recordings() -> list[Recording]:
    """Returns the recordings, in order of their ids."""
    return [Recording(doc_id, float(duration), title)
            for doc_id, duration, title in _rows('recordings.tsv', header=True)]


def transcripts() -> list[Line]:
    """Returns the sentences of all recordings, in the order of the recordings, and of time within each."""
    return [Line(doc_id, float(start), float(end), text)
            for doc_id, start, end, text in _rows('transcripts.tsv', header=True)]


def queries() -> list[Query]:
    """Returns the queries."""
    return [Query(query_id, text) for query_id, text in _rows('queries.tsv')]


def _rows(name: str, header: bool = False) -> Iterator[list[str]]:
    with open(path(name), encoding='utf-8', newline='') as f:
        rows = csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE)
        if header:
            next(rows)
        yield from rows
