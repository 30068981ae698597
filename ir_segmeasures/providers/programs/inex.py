"""The figures of the program of INEX' ad hoc track, of each of its tasks that accepts the run.

Source: inex_eval 3.1 (November 2010), of INEX 2009-10, http://www.inex.otago.ac.nz.
"""

from functools import cache
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures.providers.programs.program import FigureValues, Program, answered, means, values_by_query
from ir_segmeasures.segments.warnings import warn

__all__ = ['INEX_EVAL', 'inex_eval_by_query', 'inex_eval_figures']

_RECALLS, _RANKS = ('0.00', '0.01', '0.05', '0.10'), (1, 2, 3, 5, 10, 25, 50)
# The option of the task, with the average, the precision and the parameters of the measures.
_TASKS = {'-f': ('AiP', 'iP', "overlap='error'"), '-t': ('AiP', 'iP', ''), '-r': ('AgP', 'gP', 'beta=0.25'),
          '-b': ('AgP_bep', 'gP_bep', ''), '-i': ('AgP_reading', 'gP_reading', '')}


@cache
def _measures(task: str) -> dict[str, Measure]:
    """The figures of a task by their names."""
    average, precision, parameters = _TASKS[task]
    given = f"({parameters}{',' if parameters else ''}tool='inex_eval')"

    def measure(name: str, given: str = given) -> Measure:
        return ir_measures.parse_measure(name + given)
    found = {}
    if average == 'AiP':
        if task == '-t':
            found = {name: measure(segments, "(tool='inex_eval')") for name, segments in (
                ('char_prec', 'SegP'), ('char_rec', 'SegR'), ('char_f1', 'SegF'))}
        found.update({f'iP[{recall}]': measure(precision) @ float(recall) for recall in _RECALLS})
        return {**found, 'AiP': measure(average)}
    for rank in _RANKS:
        found[f'gP[{rank}]'] = measure(precision) @ rank
        found[f'gR[{rank}]'] = measure('gR', "(tool='inex_eval')") @ rank
    return {**found, 'AgP': measure(average)}


def inex_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The figures of each topic that the run answers, such as ``-r AgP`` and ``-f iP[0.01]``, with the option of the
    task before the program's name of the figure. Tasks that do not accept the run are left out, with a warning.

    Raises:
        ValueError: no task accepts the run
    """
    found: dict[str, FigureValues] = {}
    refused = {}
    for task in _TASKS:
        try:
            queries = answered(values_by_query(_measures(task), qrels, run), run)
        except ValueError as error:
            refused[task] = error
            continue
        for query, figures in queries.items():
            found.setdefault(query, {}).update({f'{task} {name}': value for name, value in figures.items()})
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
