"""Give a retrieval task of MTEB the measures of segments: chunks of videos, judged by the moments in them.

    python examples/mteb_moments.py

MTEB's tasks of moments cut videos into chunks of 30 seconds and judge whole chunks. Its hook for the scores of a task,
``task_specific_scores``, is given what was retrieved; where the ids of chunks are segments, measures take it as it is,
beside the true moments. The collection is made up: captions stand for what is seen in each chunk, and the model counts
words that a caption and a query share.
"""

import sys
from typing import Any

import ir_measures
import mteb
from datasets import Dataset
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models.model_meta import ModelMeta

from ir_segmeasures import MAiSP, SegR, mIoU

CAPTIONS = {
    'kitchen': ['a man cuts onions', 'onions fry in a pan', 'a dog waits for food', 'two people eat'],
    'garden': ['a dog digs a hole', 'a woman plants a rose', 'rain falls', 'the dog sleeps in the rain'],
}
CHUNKS = {f'{video}#t={30 * place},{30 * place + 30}': caption
          for video, captions in CAPTIONS.items() for place, caption in enumerate(captions)}
QUERIES = {'q1': 'onions are cut and fry', 'q2': 'a dog digs', 'q3': 'a dog in the rain'}
MOMENTS = {'q1': {'kitchen#t=12,50': 1}, 'q2': {'garden#t=0,9': 1}, 'q3': {'garden#t=95,120': 1}}
CHUNKS_WITH_MOMENTS = {'q1': {'kitchen#t=0,30': 1, 'kitchen#t=30,60': 1}, 'q2': {'garden#t=0,30': 1},
                       'q3': {'garden#t=90,120': 1}}
MEASURES = [SegR(budget=60), MAiSP, mIoU @ 1]


class MadeUpMoments(AbsTaskRetrieval):
    """A task whose chunks are relevant if they share content with a moment; its own scores look at the moments."""
    metadata = TaskMetadata(
        name='MadeUpMoments', description='Made-up chunks of videos.', dataset={'path': 'made/up', 'revision': '1'},
        type='Retrieval', category='t2t', modalities=['text'], eval_splits=['test'], eval_langs=['eng-Latn'],
        main_score='ndcg_at_10', reference=None, date=None, domains=None, task_subtypes=None, license=None,
        annotations_creators=None, dialect=None, sample_creation=None, bibtex_citation='')

    def load_data(self, **_: Any) -> None:
        self.dataset = {'default': {'test': {
            'corpus': Dataset.from_list([{'id': id, 'text': text} for id, text in CHUNKS.items()]),
            'queries': Dataset.from_list([{'id': id, 'text': text} for id, text in QUERIES.items()]),
            'relevant_docs': CHUNKS_WITH_MOMENTS, 'top_ranked': None}}}
        self.data_loaded = True

    def task_specific_scores(self, scores: Any, qrels: Any, results: dict[str, dict[str, float]], hf_split: str,
                             hf_subset: str) -> dict[str, float]:
        values = ir_measures.calc_aggregate(MEASURES, MOMENTS, results)
        return {str(measure): value for measure, value in values.items()}


class CommonWords:
    """A model that scores a caption by the words that it shares with the query."""
    mteb_model_meta = ModelMeta.create_empty({'name': 'made/common-words', 'revision': '1'})

    def index(self, corpus: Any, **_: Any) -> None:
        self.corpus = {row['id']: set(row['text'].split()) for row in corpus}

    def search(self, queries: Any, *, top_k: int, **_: Any) -> dict[str, dict[str, float]]:
        found = {}
        for row in queries:
            words = set(row['text'].split())
            scores = {id: float(len(words & caption)) for id, caption in self.corpus.items()}
            found[row['id']] = dict(sorted(scores.items(), key=lambda pair: -pair[1])[:top_k])
        return found


def main() -> None:
    if len(sys.argv) > 1:
        sys.exit('usage: python examples/mteb_moments.py')
    result, = mteb.evaluate(CommonWords(), MadeUpMoments(), cache=None, show_progress_bar=False).task_results
    scores = result.scores['test'][0]
    for name in ('ndcg_at_10', *map(str, MEASURES)):
        print(f'{name:16}{scores[name]:.4f}')


if __name__ == '__main__':
    main()
