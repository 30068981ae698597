"""Does the order of two runs change once overlapping text is paid for? The segments of a made-up collection have ids as
TREC RAG's: neighbours overlap by half of their text, and nDCG credits both.
"""

import sys

import pyterrier as pt

if len(sys.argv) > 1:
    sys.exit('usage: python examples/paid_overlap.py')

DOC = 'msmarco_v2.1_doc_00_{}'
corpus = [{'docid': f'{DOC.format(doc)}#{number}_{doc}', 'start_char': 500 * number, 'end_char': 500 * number + 1000}
          for doc in range(6) for number in range(8)]
table = pt.segments.SegmentTable(corpus)  # table.save('msmarco.table'), pt.Artifact.load('msmarco.table')
ids = list(table)
judged = [8 * doc + number for doc in range(6) for number in (2, 3, 4)]
qrels = pt.new.ranked_documents([[1] * len(judged)], docno=[[ids[at] for at in judged]])
qrels = qrels[['qid', 'docno']].assign(label=1)
runs = {'neighbours': [2, 3, 4, 10, 11, 12], 'spread': [2, 10, 18, 26, 34, 8]}  # places in the list of ids
systems = [pt.Transformer.from_df(pt.new.ranked_documents([[*range(6, 0, -1)]], docno=[[ids[at] for at in found]]))
           for found in runs.values()]

topics, resolve = pt.new.queries(['how bees dance']), pt.segments.resolve(table)
print('As they are judged, segment by segment:')
print(pt.Experiment(systems, topics, qrels, [pt.measures.nDCG @ 6], names=list(runs)).round(3))
print('\nBy their text, which a reader pays for once:')
print(pt.Experiment([system >> resolve for system in systems], topics, resolve(qrels),
                    [pt.segments.SegR, pt.segments.MAiSP], names=list(runs)).round(3))
