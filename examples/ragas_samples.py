"""Score what samples of ragas retrieved by the evidence in it: how much of it do 60 characters hold?

    python examples/ragas_samples.py

A sample of ragas has the contexts that were retrieved, the best first, or their ids. Ids that are segments are a run as
they are; contexts are looked for in their texts. The texts, the questions and the samples are made up.
"""

import sys

from ragas import EvaluationDataset, SingleTurnSample

from ir_segmeasures import SegP, SegR, chunks

TEXTS = {'hives': 'Bees live in hives. A hive has one queen. Workers gather nectar and pollen.',
         'honey': 'Honey keeps for years. Bees make it of nectar, which they dry with their wings.'}
EVIDENCE = {'who lives in a hive?': {'hives': ['A hive has one queen.', 'Workers']},
            'what is honey made of?': {'honey': ['Bees make it of nectar']}}
SAMPLES = EvaluationDataset([
    SingleTurnSample(user_input='who lives in a hive?',
                     retrieved_context_ids=['hives#char=0,41', 'honey#char=0,22'],
                     retrieved_contexts=['Bees live in hives. A hive has one queen.', 'Honey keeps for years.']),
    SingleTurnSample(user_input='what is honey made of?',
                     retrieved_context_ids=['hives#char=42,75', 'honey#char=23,79'],
                     retrieved_contexts=['Workers gather nectar and pollen.',
                                         'Bees make it of nectar, which they dry with their wings.'])])
MEASURES = [SegR(budget=60), SegP(budget=60)]


def main() -> None:
    if len(sys.argv) > 1:
        sys.exit('usage: python examples/ragas_samples.py')
    qrels = {question: {f'{name}#char={TEXTS[name].index(quote)},{TEXTS[name].index(quote) + len(quote)}': 1
                        for name, quotes in texts.items() for quote in quotes} for question, texts in EVIDENCE.items()}
    by_ids = {sample.user_input: {id: -rank for rank, id in enumerate(sample.retrieved_context_ids)}
              for sample in SAMPLES}
    by_contexts = chunks.rows({sample.user_input: {'retrieved_contexts': sample.retrieved_contexts}
                               for sample in SAMPLES}, TEXTS)
    for name, run in (('ids', by_ids), ('contexts', by_contexts)):
        print(f'{name:10}' + '   '.join(f'{measure} {measure.calc_aggregate(qrels, run):.4f}' for measure in MEASURES))


if __name__ == '__main__':
    main()
