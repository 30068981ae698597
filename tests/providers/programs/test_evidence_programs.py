"""The figures of evidence of four programs, beside what the programs themselves print of generated files."""

from math import nan
from random import Random
from typing import Any

import pytest

from ir_segmeasures import official
from ir_segmeasures.study.official_figures import official_by_query


def generated() -> dict[str, tuple[Any, Any]]:
    """Truth and predictions of 400 questions for each program, with empty, repeated and missing predictions."""
    random = Random(26)

    def some(values: list[Any], most: int) -> list[Any]:
        return [random.choice(values) for _ in range(random.randrange(most + 1))]
    facts = [[title, number] for title in ('A', 'B b', 'Ç') for number in range(3)]
    ids = [f'q{number}' for number in range(400)]
    hotpotqa = ([{'_id': id, 'answer': 'yes', 'supporting_facts': some(facts, 4)} for id in ids],
                {'answer': dict.fromkeys(ids, 'no'), 'sp': {id: some(facts, 6) for id in ids if random.random() < .95}})
    paragraphs = ['one', 'two', 'three', 'FLOAT SELECTED: Table 1', 'FLOAT SELECTED: Figure 2']
    papers = {f'paper{number}': {'qas': [{'question_id': id, 'answers': [
        {'answer': {'unanswerable': random.random() < .2, 'extractive_spans': [], 'free_form_answer': 'x',
                    'yes_no': None, 'evidence': some(paragraphs, 4)}} for _ in range(random.randrange(1, 4))]}
        for id in ids[number::8]]} for number in range(8)}
    qasper = papers, [{'question_id': id, 'predicted_answer': 'x', 'predicted_evidence': some(paragraphs, 4)}
                      for id in ids if random.random() < .9]
    pages = [str(number) for number in range(9)]

    def output(most: int) -> dict[str, Any]:
        return {'provenance': [{'wikipedia_id': f' {page}' if random.random() < .1 else page, 'title': f'Page {page}'}
                               for page in some(pages, most)]}
    kilt = ([{'id': number, 'input': 'who?', 'output': [
        {'answer': 'x'} if random.random() < .1 else output(3) for _ in range(random.randrange(1, 4))]}
        for number in range(400)],
        [{'id': str(number), 'output': [{'answer': 'y'}, output(25)]} for number in reversed(range(400))])
    assigned = ['support', 'partial_support', 'not_support']
    nuggetizer = None, [{'qid': id, 'nuggets': [
        {'text': 'x', 'importance': random.choice(['vital', 'okay']), 'assignment': random.choice(assigned)}
        for _ in range(random.randrange(1, 9))]} for id in ids]
    return {'hotpotqa': hotpotqa, 'qasper': qasper, 'kilt': kilt, 'nuggetizer': nuggetizer}


# Printed by hotpot_evaluate_v1.py, evaluator.py (without and with its option), eval_retrieval.py and nuggetizer's
# metrics.py of these files.
PRINTED = {
    'hotpotqa': {'sp_em': 0.0225, 'sp_f1': 0.16601785714285708, 'sp_prec': 0.1639583333333335,
                 'sp_recall': 0.20791666666666664},
    'qasper': {'Evidence F1': 0.3294702380952383, '--text_evidence_only Evidence F1': 0.30860714285714314,
               'Missing predictions': 51},
    'kilt': {'Rprec': 0.21291666666666662, 'precision@1': 0.06, 'precision@5': 0.09900000000000002,
             'precision@10': 0.07150000000000009, 'precision@20': 0.035750000000000046, 'recall@5': 0.25958333333333333,
             'recall@10': 0.3704166666666666, 'recall@20': 0.3704166666666666, 'success_rate@5': 0.4025,
             'success_rate@10': 0.5, 'success_rate@20': 0.5},
    'nuggetizer': {'strict_vital_score': 0.3010833333333333, 'strict_all_score': 0.3639880952380952,
                   'vital_score': 0.42052083333333334, 'all_score': 0.5163690476190477},
}


@pytest.mark.parametrize('name', PRINTED)
def test_the_last_digit(name: str) -> None:
    truth, predictions = generated()[name]
    found = official(name, truth, predictions)
    assert list(found) == list(PRINTED[name])
    assert found == pytest.approx(PRINTED[name], abs=1e-15 if name == 'qasper' else 0)  # sum() depends on the Python
    queries = official_by_query(name, truth, predictions)
    figure = next(iter(found))
    assert sum(values[figure] for values in queries.values()) / len(queries) == pytest.approx(found[figure])


def test_a_set_of_pages_counts_at_its_last_page() -> None:
    truth = [{'id': 1, 'output': [{'provenance': [{'wikipedia_id': page} for page in 'ab']}]}]
    for pages, precision in (('ab', 1), ('axb', 0), ('xab', 0)):
        predicted = [{'id': 1, 'output': [{'provenance': [{'wikipedia_id': page} for page in pages]}]}]
        assert official('kilt', truth, predicted)['precision@1'] == precision
        assert official('kilt', truth, predicted)['recall@5'] == 1


@pytest.mark.parametrize('name, truth, predictions, sentence', [
    ('hotpotqa', [], {'sp': {}}, 'the file of truth is no list'),
    ('hotpotqa', [{'_id': 'q', 'supporting_facts': []}] * 2, {'sp': {}}, "has the question 'q', which has one before"),
    ('hotpotqa', [{'_id': 'q', 'supporting_facts': ['A']}], {'sp': {}}, r'supporting facts are \[title, sentence\]'),
    ('hotpotqa', [{'_id': 'q', 'supporting_facts': []}], {}, "has no 'sp'"),
    ('qasper', [], [{'question_id': 'q', 'predicted_evidence': []}], 'no object of papers'),
    ('qasper', {'p': {'qas': [{'question_id': 'q', 'answers': []}]}},
     [{'question_id': 'q', 'predicted_evidence': []}], 'has no answers'),
    ('kilt', [{'id': 1, 'output': []}], [{'id': 2, 'output': [{'provenance': []}]}], 'is not in the predictions'),
    ('kilt', [{'id': 1, 'output': []}], [{'id': 1, 'output': []}], 'has 0 outputs with provenance'),
    ('hotpotqa', [{'_id': 'q', 'supporting_facts': [[[], 1]]}], {'sp': {}}, r'supporting facts are \[title, '),
    ('qasper', {}, [{'question_id': 'q', 'predicted_evidence': [[]]}], 'but paragraphs are texts: correct it'),
    *(('castella', [{'qid': 1, 'relevant_windows': [], 'duration': duration, 'relevant_clip_ids': [],
                     'saliency_scores': []}], [{'qid': 1, 'pred_relevant_windows': [], 'pred_saliency_scores': [1]}],
       sentence) for duration, sentence in ((nan, "'duration' of query 1 of the truth is NaN"),
                                            (1e15, 'as duration, which is from 0 to 1,000,000'))),
    *((name, None, {f'v>>>a>>>{truth}': '1 to 2 s'}, sentence) for name in ('charades_sta', 'timelens')
      for truth, sentence in (('[' * 5000, 'does not end in a list'),
                              ('[[0, 1' + '0' * 400 + ']]', 'finite numbers there: correct it'))),
])
def test_what_is_no_such_file(name: str, truth: Any, predictions: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        official(name, truth, predictions)
