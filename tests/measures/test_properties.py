"""Properties of every measure, on generated queries: which changes of judgements and rankings leave its value as it is,
and which never help. The table of exceptions is that of the pages."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import ir_measures
import pandas as pd
import pytest

from ir_segmeasures import T2I_AP
from ir_segmeasures.measures.base import DECLARED, SpanMeasure

REQUIRED = {'cutoff': 3, 'D': 99999, 'T': 60, 'iou': .3, 'min': 2, 'recall': .3, 'level': .5, 'halflife': 30, 'L': 90,
            'A': 1}
# Every measure by its name, with what it cannot do without, and the T2I user who goes on.
MEASURES: dict[str, Any] = {measure.NAME: measure(**{name: REQUIRED[name] for name, param in
                                                     measure.SUPPORTED_PARAMS.items() if param.required})
                            for measure in DECLARED}
MEASURES['keepviewing'] = T2I_AP(keepviewing=True)
# A document has two parts, farther apart than any tolerance and any bin is long.
PARTS, LENGTH = (0, 6000), 60
TREE = {'/a[1]': (0, 40), '/a[1]/s[1]': (0, 20), '/a[1]/s[2]': (20, 40), '/a[1]/s[1]/p[1]': (0, 8),
        '/a[1]/s[1]/p[2]': (10, 18)}
Tables = tuple[pd.DataFrame, pd.DataFrame]


@cache
def generated(rows: bool) -> Tables:
    """Judgements with all columns that measures need, and a run, for 80 queries of two documents."""
    draw, qrels, run = random.Random(1), list[dict[str, Any]](), list[dict[str, Any]]()

    def place() -> dict[str, Any]:
        document = draw.choice('de')
        if rows:
            path, (start, end) = draw.choice(list(TREE.items()))
            return {'doc_id': f'{document}#xpath={path}&t={start},{end}'}
        start = draw.choice(PARTS) + draw.randrange(LENGTH)
        return {'doc_id': document, 'start': start, 'end': start + draw.randint(1, 20)}
    for query in range(80):
        grade = {}
        for _ in range(6):
            judged = place()
            if tuple(judged.values()) not in grade:
                grade[tuple(judged.values())] = draw.choice((0, 1, 2))
                relevant, graded = grade[tuple(judged.values())] > 0, draw.randint(1, 3)
                qrels.append({'query_id': f'q{query}', **judged, 'relevance': grade[tuple(judged.values())],
                              'bep': 7, 'doc_size': 9999, 'known': draw.randint(0, 1),
                              'aspects': '|'.join(draw.sample('xyz', 2)), 'stratum': draw.randint(1, 2),
                              'exhaustivity': graded * relevant, 'specificity': draw.randint(1, 3) * relevant,
                              **{f'saliency_{worker}': draw.randint(0, 4) for worker in (1, 2, 3)}})
        run += [{'query_id': f'q{query}', **place(), 'score': -rank} for rank in range(7)]
    return pd.DataFrame(qrels), pd.DataFrame(run)


def figures(rows: bool, qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, dict[str, float]]:
    """The values of each measure by query."""
    names = {measure: name for name, measure in MEASURES.items() if isinstance(measure, SpanMeasure) != rows}
    found: dict[str, dict[str, float]] = {name: {} for name in names.values()}
    for metric in ir_measures.iter_calc(list(names), qrels, run):
        found[names[metric.measure]][metric.query_id] = metric.value
    return found


def renamed(qrels: pd.DataFrame, run: pd.DataFrame) -> Tables:
    names = str.maketrans({'d': 'x', 'e': 'd'})
    return tuple(table.assign(doc_id=table.doc_id.str[:1].str.translate(names) + table.doc_id.str[1:])
                 for table in (qrels, run))  # type: ignore[return-value]


def split(qrels: pd.DataFrame, run: pd.DataFrame) -> Tables:
    part = [(table.start >= PARTS[1]) * 1 for table in (qrels, run)]
    return tuple(table.assign(doc_id=table.doc_id + which.astype(str), start=table.start - which * PARTS[1],
                              end=table.end - which * PARTS[1])
                 for table, which in zip((qrels, run), part))  # type: ignore[return-value]


def first_again(qrels: pd.DataFrame, run: pd.DataFrame, score: float = -.5, **changes: str) -> Tables:
    return qrels, pd.concat([run, run.drop_duplicates('query_id').assign(score=score, **changes)], ignore_index=True)


def irrelevant(qrels: pd.DataFrame, run: pd.DataFrame) -> Tables:
    return first_again(qrels, run, -99, doc_id='new' if 'start' in run.columns else 'new#t=0,5')


def judged_first(qrels: pd.DataFrame, run: pd.DataFrame) -> Tables:
    best = qrels[qrels.relevance > 0].drop_duplicates('query_id')[list(run.columns.drop('score'))]
    return qrels, pd.concat([run, best.assign(score=9)], ignore_index=True)


DOCUMENTS = 'AgP gP gR igP AigP AgP_bep gP_bep BEPD AgP_reading gP_reading'
SEARCH, ELEMENTS = 'ESL ESLRF ESD Precall', 'I2_Precall I3_R I3_P XCG nXCG MAnXCG GainR EffortP MAep iMAep PRUM'
# Change → how it is made; whether values stay as they are (0), never grow better (-1) or never worse (1); the measures
# that do not keep to it.
PROPERTIES: dict[str, tuple[Callable[..., Any], int, str]] = {
    'other names of documents': (renamed, 0, ''),
    'queries in another order': (lambda qrels, run: (table.sort_values('query_id', ascending=False, kind='stable')
                                                     for table in (qrels, run)), 0, ''),
    'a document split where nothing lies': (split, 0, DOCUMENTS),
    'an item of another document at the end': (
        irrelevant, 0, f'{SEARCH} P_cov SegP SegF SegIoU SegFallout SegRejection SegNoise I3_P PRUM'),
    'an item again, behind itself': (
        first_again, -1, 'T2I_AP Judged_tol T2I_P Precall PassageAP AP_over P_over Judged_over GAP P_cov '
        'Judged_content RBP_residual'),
    'a judged segment at the top': (
        judged_first, 1, f'T2I_AP keepviewing P_tol R_tol T2I_P T2I_Found {SEARCH} iSP ASP U AgP igP AigP AgP_bep '
        'gP_bep BEPD AgP_reading R_over P_new Rprec_new GAP Judged_content SegNovelty alpha_nDCG_seg IoU_AP nDCG_IoU '
        f'HL_AP HL_Hit {ELEMENTS} xinfAP RBP_seg'),
}


@pytest.mark.filterwarnings('ignore::ir_segmeasures.SegmentWarning')
@pytest.mark.parametrize('change', PROPERTIES)
def test_what_changes_do(change: str) -> None:
    make, direction, exceptions = PROPERTIES[change]
    broken = set()
    for rows in (False, True)[:1 if make is split else 2]:
        before, after = (figures(rows, *tables) for tables in (generated(rows), make(*generated(rows))))
        for name, values in before.items():
            better = -1 if MEASURES[name].LOWER_IS_BETTER else 1
            grown = [better * (after[name][query] - value) for query, value in values.items()]
            assert any(values.values())
            if (direction <= 0 and max(grown) > 1e-9) or (direction >= 0 and min(grown) < -1e-9):
                broken.add(name)
    assert broken == set(exceptions.split())
