"""The figures of evidence of programs for question answering: HotpotQA's, QASPER's and KILT's, and AutoNuggetizer's.

Figures of answers are left out. Sources: hotpot_evaluate_v1.py, https://github.com/hotpotqa/hotpot (Yang et al. 2018);
scripts/evaluator.py, https://github.com/allenai/qasper-led-baseline (Dasigi et al. 2021); kilt/eval_retrieval.py,
https://github.com/facebookresearch/KILT (Petroni et al. 2021); nuggetizer/core/metrics.py,
https://github.com/castorini/nuggetizer (Pradeep et al. 2024).
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any

from ir_segmeasures.providers.programs.campaigns.measured import means
from ir_segmeasures.providers.programs.program import JSON, JSON_LINES, FigureValues, Program
from ir_segmeasures.providers.programs.records import lookup
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.warnings import warn

__all__ = ['HOTPOTQA', 'KILT', 'NUGGETIZER', 'QASPER', 'hotpotqa_by_query', 'kilt_by_query', 'nuggetizer_by_query',
           'qasper_by_query']

_RANKS = (1, 5, 10, 20)
_TEXT_ONLY = '--text_evidence_only '


def hotpotqa_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """``sp_em``, ``sp_f1``, ``sp_prec`` and ``sp_recall`` of each question; 0 for one without a prediction.

    Args:
        truth: ``[{'_id', 'supporting_facts': [[title, sentence], …]}, …]``
        predictions: ``{'sp': {id: [[title, sentence], …]}}``
    """
    predicted = lookup(predictions, 'sp', dict, 'the file of predictions')
    found = {}
    for place, record in enumerate(_list(truth, 'truth'), 1):
        where = f'object {place} of the truth'
        id, facts = lookup(record, '_id', str, where), lookup(record, 'supporting_facts', list, where)
        if id in found:
            raise ValueError(f'{where} has the question {quoted(id)}, which has one before: take one of the two out')
        gold, mine = _facts(facts, where), _facts(predicted.get(id, []), f'the prediction of {quoted(id)}')
        same = len(gold & mine)
        precision, recall = same / len(mine) if mine else 0.0, same / len(gold) if gold else 0.0
        found[id] = {'sp_em': float(gold == mine and id in predicted), 'sp_f1': _f1(precision, recall),
                     'sp_prec': precision, 'sp_recall': recall}
    missing = [id for id in found if id not in predicted]
    warn([f'{len(missing)} of the {len(found)} questions have no prediction (such as {quoted(missing[0])}), and count '
          'as 0: check that this is meant' if missing else None])
    return found


def _facts(values: Any, where: str) -> set[tuple[Any, ...]]:
    if not (isinstance(values, list) and all(
            isinstance(fact, list) and not any(isinstance(part, list | dict) for part in fact) for fact in values)):
        raise ValueError(f'{where} has {quoted(values)}, but supporting facts are [title, sentence]: correct it')
    return set(map(tuple, values))


def qasper_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """``Evidence F1`` of each question, the best over its annotators; and the program's figure with the option
    ``--text_evidence_only``, which leaves figures and tables out of the truth. Both are 0 without a prediction.

    Args:
        truth: ``{paper: {'qas': [{'question_id', 'answers': [{'answer': {'unanswerable', 'evidence'}}]}]}}``
        predictions: ``[{'question_id', 'predicted_evidence': [paragraph, …]}, …]``
    """
    predicted = {}
    for place, record in enumerate(_list(predictions, 'predictions'), 1):
        where = f'object {place} of the predictions'
        predicted[lookup(record, 'question_id', str, where)] = _texts(record, 'predicted_evidence', where)
    if not isinstance(truth, dict):
        raise ValueError('the truth is no object of papers: check that this is the right file')
    found = {}
    for name, paper in truth.items():
        for asked in lookup(paper, 'qas', list, f'the paper {quoted(name)}'):
            id = lookup(asked, 'question_id', str, f'a question of the paper {quoted(name)}')
            where = f'the question {quoted(id)}'
            references = [_evidence(answer, where) for answer in lookup(asked, 'answers', list, where)]
            if not references:
                raise ValueError(f'{where} has no answers, but its figure is the best over these: take it out')
            found[id] = {f'{option}Evidence F1': max(_paragraph_f1(predicted[id], [
                text for text in evidence if not (option and 'FLOAT SELECTED' in text)]) for evidence in references)
                if id in predicted else 0.0 for option in ('', _TEXT_ONLY)}
    return found


def _evidence(annotated: Any, where: str) -> list[str]:
    answer = lookup(annotated, 'answer', dict, where)
    evidence = _texts(answer, 'evidence', where)
    return [] if lookup(answer, 'unanswerable', bool, where) else evidence


def _texts(record: Any, key: str, where: str) -> list[str]:
    texts: list[str] = lookup(record, key, list, where)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f'{where} has {quoted(texts)} as {key!r}, but paragraphs are texts: correct it')
    return texts


def _paragraph_f1(prediction: Sequence[str], truth: Sequence[str]) -> float:
    if not prediction and not truth:
        return 1.0
    same = len(set(truth) & set(prediction))
    return _f1(same / len(prediction), same / len(truth)) if same else 0.0  # a paragraph counts as often as it is there


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def kilt_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """``Rprec``, and ``precision``, ``recall`` and ``success_rate`` at ranks, of pages of Wikipedia for each question.

    The pages of one answer are one set of evidence, which counts at the rank where the last of them is found.

    Args:
        truth: ``[{'id', 'output': [{'provenance': [{'wikipedia_id'}, …]}, …]}, …]``
        predictions: with one such output each
    """
    guesses: dict[str, list[str]] = {}
    for place, record in enumerate(_list(predictions, 'predictions'), 1):
        id, pages = _kilt_pages(record, f'object {place} of the predictions')
        if len(pages) != 1 or id in guesses:
            raise ValueError(f'object {place} of the predictions has {len(pages)} outputs with provenance for '
                             f'{quoted(id)}, but each question has one object with one output: correct it')
        guesses[id] = pages[0]
    found = {}
    for place, record in enumerate(_list(truth, 'truth'), 1):
        id, gold = _kilt_pages(record, f'object {place} of the truth')
        if id in found or id not in guesses:
            raise ValueError(f'{quoted(id)} is {"twice in the truth" if id in found else "not in the predictions"}, '
                             'but each question of the truth is there once, and predicted: correct it')
        found[id] = _kilt_figures(gold, guesses[id])
    return found


def _kilt_pages(record: Any, where: str) -> tuple[str, list[list[str]]]:
    """The id, and for each output with provenance its pages, each once."""
    outputs = lookup(record, 'output', list, where)
    return str(lookup(record, 'id', (int | str), where)).strip(), [
        list(dict.fromkeys(str(lookup(page, 'wikipedia_id', (int | str), where)).strip()
                           for page in lookup(output, 'provenance', list, where)))
        for output in outputs if 'provenance' in output]


def _kilt_figures(gold: list[list[str]], pages: list[str]) -> FigureValues:
    sets: list[set[str]] = []
    for evidence in map(set, gold):
        if evidence not in sets:
            sets.append(evidence)
    n = len(sets)
    ranking: list[bool | str] = []  # whether it is the last page of a set; or the number of a set that is not complete
    for page in pages:
        having = [number for number, evidence in enumerate(sets) if page in evidence]
        for number in having:
            if str(number) in ranking:
                ranking.remove(str(number))
            sets[number] = sets[number] - {page}
            ranking.append(str(number) if sets[number] else True)
        if not having:
            ranking.append(False)
    hits = {k: sum(item is True for item in ranking[:k]) for k in _RANKS} if pages else dict.fromkeys(_RANKS, 0)
    best = max((sum(page in evidence for page in pages[:len(evidence)]) / len(evidence) if evidence else 0.0
                for evidence in gold), default=0.0)
    return {'Rprec': best, **{f'precision@{k}': hits[k] / k for k in _RANKS},
            **{f'recall@{k}': hits[k] / n if n else 0.0 for k in _RANKS[1:]},
            **{f'success_rate@{k}': float(hits[k] > 0) for k in _RANKS[1:]}}


def nuggetizer_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """The shares of the vital nuggets, and of all, that an answer supports. One that is supported in part counts 0.5,
    or strictly nothing.

    Args:
        truth: not read
        predictions: ``[{'qid', 'nuggets': [{'importance', 'assignment'}, …]}, …]``
    """
    found = {}
    for place, record in enumerate(_list(predictions, 'predictions'), 1):
        where = f'object {place} of the predictions'
        nuggets = [(lookup(nugget, 'importance', str, where) == 'vital', lookup(nugget, 'assignment', str, where))
                   for nugget in lookup(record, 'nuggets', list, where)]
        figures: FigureValues = {}
        for strict, part in (('strict_', 0.0), ('', 0.5)):
            for name, wanted in (('vital', [nugget for vital, nugget in nuggets if vital]),
                                 ('all', [nugget for _, nugget in nuggets])):
                total = wanted.count('support') + part * wanted.count('partial_support')
                figures[f'{strict}{name}_score'] = total / len(wanted) if wanted else 0.0
        id = str(lookup(record, 'qid', (int | str), where))
        if id in found:
            raise ValueError(f'{where} has the question {quoted(id)}, which has one before: take one of the two out')
        found[id] = figures
    return found


def _nuggetizer_figures(truth: Any, predictions: Any) -> FigureValues:
    found = list(nuggetizer_by_query(truth, predictions).values())
    return {name: mean(figures[name] for figures in found) for name in found[0]}


def _list(values: Any, name: str) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise ValueError(f'the file of {name} is no list of objects: check that it is the right file')
    return values


def _added(by_query: Callable[[Any, Any], Mapping[str, FigureValues]]) -> Callable[[Any, Any], FigureValues]:
    """The means of programs that add figure by figure: sum() is more precise from Python 3.12 on."""
    def figures(truth: Any, predictions: Any) -> FigureValues:
        found = by_query(truth, predictions)
        totals: FigureValues = {}
        for values in found.values():
            for name, value in values.items():
                totals[name] = totals.get(name, 0.0) + value
        return {name: total / len(found) for name, total in totals.items()}
    return figures


def _qasper_figures(truth: Any, predictions: Any) -> FigureValues:
    found = qasper_by_query(truth, predictions)
    predicted = {record['question_id'] for record in predictions}
    return {**means(found), 'Missing predictions': len(found.keys() - predicted)}


HOTPOTQA = Program(
    'hotpotqa', 'HotpotQA 2018, hotpot_evaluate_v1 (https://github.com/hotpotqa/hotpot): supporting facts, no answers',
    'JSON: [{"_id", "supporting_facts": [[title, sentence], …]}, …]', 'JSON: {"sp": {id: [[title, sentence], …]}}',
    JSON, (JSON,), _added(hotpotqa_by_query), by_query=hotpotqa_by_query)
QASPER = Program(
    'qasper', 'QASPER 2021, evaluator (https://github.com/allenai/qasper-led-baseline): evidence, no answers',
    'JSON: {paper: {"qas": [{"question_id", "answers"}, …]}}',
    'JSON lines: question_id, predicted_evidence [paragraph, …]', JSON, (JSON_LINES,), _qasper_figures,
    by_query=qasper_by_query)
KILT = Program(
    'kilt', 'KILT 2021, eval_retrieval (https://github.com/facebookresearch/KILT): pages of the provenance, no answers',
    'JSON lines: id, output [{"provenance": [{"wikipedia_id"}, …]}, …]', 'JSON lines: as the truth, one output each',
    JSON_LINES, (JSON_LINES,), _added(kilt_by_query), by_query=kilt_by_query)
NUGGETIZER = Program(
    'nuggetizer', "AutoNuggetizer 2024, nuggetizer's metrics (https://github.com/castorini/nuggetizer)", 'none',
    'JSON lines: qid, nuggets [{"importance", "assignment"}, …]', '', (JSON_LINES,), _nuggetizer_figures,
    by_query=nuggetizer_by_query)
