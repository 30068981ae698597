"""The figures of the program of INEX' ad hoc track, of each of its tasks that accepts the run.

Source: inex_eval 3.1 (November 2010), of INEX 2009-10, http://www.inex.otago.ac.nz.
"""

from typing import Any

from ir_measures import Measure

from ir_segmeasures import measures
from ir_segmeasures.measures import AiP, SegmentMeasure, gR, iP
from ir_segmeasures.providers.programs.program import FigureValues, Program, answered, means, values_by_query
from ir_segmeasures.segments.warnings import warn


def _passages(**given: Any) -> dict[str, Measure]:
    return {**{f'iP[{recall:.2f}]': iP(**given) @ recall for recall in (0, .01, .05, .1)}, 'AiP': AiP(**given)}


def _documents(average: SegmentMeasure, precision: SegmentMeasure) -> dict[str, Measure]:
    ranks = {f'{name}[{rank}]': measure @ rank for rank in (1, 2, 3, 5, 10, 25, 50)
             for name, measure in (('gP', precision), ('gR', gR))}
    return {**ranks, 'AgP': average}


# The option of each task, and its figures.
_TASKS: dict[str, dict[str, Measure]] = {
    task: {name: measure(tool='inex_eval') for name, measure in figures.items()} for task, figures in (
        ('-f', _passages(overlap='error')),
        ('-t', {'char_prec': measures.SegP, 'char_rec': measures.SegR, 'char_f1': measures.SegF, **_passages()}),
        ('-r', _documents(measures.AgP(beta=.25), measures.gP(beta=.25))),
        ('-b', _documents(measures.AgP_bep, measures.gP_bep)),
        ('-i', _documents(measures.AgP_reading, measures.gP_reading)))}


def inex_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The figures of each topic that the run answers, such as ``-r AgP`` and ``-f iP[0.01]``, with the option of the
    task before the program's name of the figure. Tasks that do not accept the run are left out, with a warning.

    Raises:
        ValueError: no task accepts the run
    """
    found: dict[str, FigureValues] = {}
    refused = {}
    for task, figures in _TASKS.items():
        try:
            queries = answered(values_by_query(figures, qrels, run), run)
        except ValueError as error:
            refused[task] = error
            continue
        for query, values in queries.items():
            found.setdefault(query, {}).update({f'{task} {name}': value for name, value in values.items()})
    if len(refused) == len(_TASKS):
        raise refused['-t']
    warn(f'inex_eval does not accept the run for {task}, whose figures are left out: {error}'
         for task, error in refused.items())
    return found


def inex_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The means over the topics that the run answers; those of ``AgP`` and ``AiP`` are ``MAgP`` and ``MAiP``."""
    return {name.replace(' A', ' MA'): value for name, value in means(inex_eval_by_query(qrels, run)).items()}


INEX_EVAL = Program(
    'inex_eval', 'INEX ad hoc 2009-10, inex_eval 3.1 (http://www.inex.otago.ac.nz)',
    'qrels (FOL): topic, Q0, document, relevant characters, length, best entry point, offset:length, …',
    'a run (FOL): topic, Q0, document, rank, score, run, offset, length', 'inex-fol', ('inex-fol',), inex_eval_figures,
    by_query=inex_eval_by_query)
