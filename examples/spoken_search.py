"""Spoken search from end to end: transcripts are cut, indexed and searched, the results compared, a parameter tuned.

    python examples/spoken_search.py
    python examples/spoken_search.py TOPICS QRELS TRANSCRIPT...

Without arguments it takes the sample collection. Your own are a file of topics, judgements (a spreadsheet in CSV, or
TREC's form with segments such as talk#t=30,90) and transcripts (.vtt, .srt, .json of speech recognisers ...), named as
the documents. The page "Your recordings and a spreadsheet" of the documentation goes step by step.

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

import sys
from tempfile import TemporaryDirectory

import pandas as pd
import pyterrier as pt
from ir_measures import Measure
from pisa import bm25, quiet

from ir_segmeasures import ESLRF, T2I_MAP, MAgP, MAiSP, sample

BASELINE = 'whole recordings'


def main() -> None:
    if len(sys.argv) > 1:
        if len(sys.argv) < 4:
            sys.exit('usage: python examples/spoken_search.py [TOPICS QRELS TRANSCRIPT...]')
        topics_file, qrels_file, *transcripts = sys.argv[1:]
        documents = list(pt.segments.read_transcripts(transcripts))
        durations = {document['docno']: document['transcript'][-1].end for document in documents}
    else:
        topics_file, qrels_file = sample.path('queries.tsv'), sample.path('qrels.txt')
        documents = list(pt.segments.transcript_documents(sample.transcripts()))
        durations = {recording.doc_id: recording.duration for recording in sample.recordings()}
    topics, qrels = pt.segments.read_topics(topics_file), pt.segments.read_qrels(qrels_file)
    measures = {'T2I_MAP': T2I_MAP, 'MAgP': MAgP, 'MAiSP': MAiSP, 'ESLRF@5': ESLRF(D=sum(durations.values()))@5}

    with TemporaryDirectory() as folder, quiet():
        recordings = bm25(folder, 'recordings', documents)
        every_60 = bm25(folder, 'every-60', pt.segments.sliding(60, 60)(documents))
        every_30 = bm25(folder, 'every-30', pt.segments.sliding(60, 30)(documents))
        every_10 = bm25(folder, 'every-10', pt.segments.sliding(60, 10)(documents))
        sentences = bm25(folder, 'sentences', pt.segments.by_boundaries(pt.segments.lines)(documents))
        systems = {
            # A whole recording is a segment too, once its end is known.
            BASELINE: recordings >> pt.segments.resolve({id: (id, 0, end) for id, end in durations.items()}),
            '60 s': every_60,
            '60 s, every 30 s': every_30,
            '60 s, every 30 s, no_overlap()': every_30 >> pt.segments.no_overlap(),
            '60 s, every 10 s': every_10,
            'sentences': sentences,
        }
        comparison = pt.Experiment(systems, topics, qrels, list(measures.values()), baseline=BASELINE,
                                   correction='holm')

        mixed = pt.segments.with_document_score(recordings, normalise='min-max')
        weights = pt.GridScan(sentences >> mixed, {mixed: {'weight': [0.0, 0.2, 0.4, 0.6, 0.8]}}, topics, qrels,
                              list(measures.values()))

        earlier = pt.segments.expand()
        starts = pt.GridScan(sentences % 20 >> earlier >> pt.segments.no_overlap('trim'),
                             {earlier: {'before': [0, 5, 10, 15, 20]}}, topics, qrels, list(measures.values()))

    show(comparison, measures, 'name', 'system')
    print()
    show(weights, measures, 'tran_0_weight', 'weight of the recording')
    print()
    show(starts, measures, 'tran_0_before', 'seconds before the sentence')


def show(table: pd.DataFrame, measures: dict[str, Measure], key: str, title: str) -> None:
    print(f'{title:31}' + ''.join(f'{name:>11}' for name in measures))
    for row in table.to_dict('records'):
        print(f'{row[key]!s:32}' + ''.join(
            f'{row[str(measure)]:10.3f}{"*" if row.get(f"{measure} p-value corrected", 1) < 0.05 else " "}'
            for measure in measures.values()).rstrip())


if __name__ == '__main__':
    main()
