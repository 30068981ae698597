"""
Spoken search from end to end: transcripts are cut, indexed and searched, the results compared, a parameter tuned.

    python examples/spoken_search.py

It takes PyTerrier and PISA, an engine without Java: pip install '.[pyterrier]' pyterrier-pisa

What the first table shows, on the small sample collection (`*`: differs from whole recordings, by a paired t-test with
Holm's correction; 10 queries show large differences only):

- Whole recordings have a T2I_MAP near 0: only 1 of 27 that are relevant to a query has anything relevant in its first
  15 seconds, after which the user gives up. MAgP does not tell them from windows: in these short recordings, of 2 to 3
  minutes, 30 % of the content is relevant, and a whole one has all of it.
- Windows that begin every 30 seconds rather than every 60 lead to more of the relevant starts, so that T2I_MAP and
  ESLRF rise. Every 10 seconds is too often: most results repeat better ones, and T2I_MAP and MAiSP fall again.
- no_overlap() keeps the best of windows that overlap. MAiSP, the share of the time spent that is relevant and new, and
  MAgP rise; but the windows that go were also ways into the recording, as T2I_MAP and ESLRF@5 show.
- Sentences begin where speech does, and are too short to cover what is relevant: a good T2I_MAP, the lowest MAgP.

The second table mixes the score of the whole recording into that of its sentences. The third starts the sentences
earlier: MAiSP falls slowly, since more time is spent; T2I_MAP stays until the user, who waits for less than 15 seconds,
has gone just before the sentence comes. Settings that are chosen on the queries of a test, as here, look better than
they are.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyterrier as pt
from pyterrier_pisa import PisaIndex

from ir_segmeasures import ESLRF, T2I_MAP, MAgP, MAiSP, sample

DURATIONS = {recording.doc_id: recording.duration for recording in sample.recordings()}
MEASURES = {'T2I_MAP': T2I_MAP, 'MAgP': MAgP, 'MAiSP': MAiSP, 'ESLRF@5': ESLRF(D=sum(DURATIONS.values()))@5}
BASELINE = 'whole recordings'


@contextmanager
def quiet() -> Iterator[None]:
    """PISA reports its progress to the file descriptors themselves, so that sys.stdout cannot be used to silence it."""
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    with open(os.devnull, 'w') as nowhere:
        for descriptor in (1, 2):
            os.dup2(nowhere.fileno(), descriptor)
    try:
        yield
    finally:
        for descriptor, before in zip((1, 2), kept):
            os.dup2(before, descriptor)
            os.close(before)


def bm25(folder: str, name: str, documents: list[dict[str, Any]]) -> pt.Transformer:
    index = PisaIndex(os.path.join(folder, name), text_field='text')
    index.index(documents)
    # PISA's indexer prints errors and goes on; this is how one finds out.
    assert index.num_docs() == len(documents)
    return index.bm25(num_results=500)


def main() -> None:
    topics = pt.segments.read_topics(sample.path('queries.tsv'))
    qrels = pt.segments.read_qrels(sample.path('qrels.txt'))
    documents = list(pt.segments.transcript_documents(sample.transcripts()))

    with TemporaryDirectory() as folder, quiet():
        recordings = bm25(folder, 'recordings', documents)
        every_60 = bm25(folder, 'every-60', pt.segments.sliding(60, 60)(documents))
        every_30 = bm25(folder, 'every-30', pt.segments.sliding(60, 30)(documents))
        every_10 = bm25(folder, 'every-10', pt.segments.sliding(60, 10)(documents))
        sentences = bm25(folder, 'sentences', pt.segments.by_boundaries(pt.segments.lines)(documents))
        systems = {
            # A whole recording is a segment too, once its end is known.
            BASELINE: recordings >> pt.segments.resolve({id: (id, 0, end) for id, end in DURATIONS.items()}),
            '60 s': every_60,
            '60 s, every 30 s': every_30,
            '60 s, every 30 s, no_overlap()': every_30 >> pt.segments.no_overlap(),
            '60 s, every 10 s': every_10,
            'sentences': sentences,
        }
        comparison = pt.Experiment(systems, topics, qrels, list(MEASURES.values()), baseline=BASELINE,
                                   correction='holm')

        mixed = pt.segments.with_document_score(recordings, normalise='min-max')
        weights = pt.GridScan(sentences >> mixed, {mixed: {'weight': [0.0, 0.2, 0.4, 0.6, 0.8]}}, topics, qrels,
                              list(MEASURES.values()))

        earlier = pt.segments.expand()
        starts = pt.GridScan(sentences % 20 >> earlier >> pt.segments.no_overlap('trim'),
                             {earlier: {'before': [0, 5, 10, 15, 20]}}, topics, qrels, list(MEASURES.values()))

    show(comparison, 'name', 'system')
    print()
    show(weights, 'tran_0_weight', 'weight of the recording')
    print()
    show(starts, 'tran_0_before', 'seconds before the sentence')


def show(table: pd.DataFrame, key: str, title: str) -> None:
    print(f'{title:31}' + ''.join(f'{name:>11}' for name in MEASURES))
    for row in table.to_dict('records'):
        print(f'{row[key]!s:32}' + ''.join(
            f'{row[str(measure)]:10.3f}{"*" if row.get(f"{measure} p-value corrected", 1) < 0.05 else " "}'
            for measure in MEASURES.values()).rstrip())


if __name__ == '__main__':
    main()
