"""Studies of systems and of measures: which system is better (compare), which expected orderings measures keep
(fidelity), how far they agree, what their parameters change, what holes in the judgements do.
:mod:`~ir_segmeasures.study.runs` evaluates many systems.
The organiser of a campaign has pools of its runs, the agreement of its assessors, and their judgements merged.

A module is imported when one of its names is first used, and SciPy, of the extra ``study``, when it is first needed;
nothing here draws.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_segmeasures.study.campaign import *
    from ir_segmeasures.study.comparison import Beside, SystemComparison, compare
    from ir_segmeasures.study.correlation import Agreement, agreement, without_overlap
    from ir_segmeasures.study.diagnosis import Diagnosis, GroupMean, diagnose
    from ir_segmeasures.study.gate import Regression, Shortfall, regressions, shortfalls
    from ir_segmeasures.study.highlighted_elements import ElementJudgement, element_judgements
    from ir_segmeasures.study.micro_averages import micro
    from ir_segmeasures.study.missing_judgements import HoleEffect, holes
    from ir_segmeasures.study.parameters import Setting, sensitivity
    from ir_segmeasures.study.separation import Power, power
    from ir_segmeasures.study.simulation import *
    from ir_segmeasures.study.system_orders import OrderAgreement, order_agreement

__all__ = [
    'micro',
    'compare', 'SystemComparison', 'Beside',
    'regressions', 'Regression', 'shortfalls', 'Shortfall',
    'diagnose', 'Diagnosis', 'GroupMean',
    'agreement', 'without_overlap', 'Agreement',
    'order_agreement', 'OrderAgreement',
    'sensitivity', 'Setting',
    'power', 'Power',
    'element_judgements', 'ElementJudgement',
    'holes', 'HoleEffect',
    'COEFFICIENTS', 'JUDGING_UNITS', 'MERGERS', 'POOL_FORMATS', 'SELECTIONS', 'AssessorAgreement', 'Coefficient',
    'Disagreement', 'Judgement', 'JudgingUnit', 'Pool', 'PoolCost', 'agreement_of', 'merged_judgements', 'pool',
    'pool_text', 'read_pool', 'write_release',
    'ELEMENT_RUNS', 'RANKINGS', 'SEGMENTS', 'Comparison', 'Fidelity', 'SimulatedItem', 'element_run',
    'expected_orderings', 'fidelity', 'fidelity_run',
]
_MODULES = ('comparison', 'correlation', 'diagnosis', 'highlighted_elements', 'gate', 'micro_averages',
            'missing_judgements', 'parameters', 'separation', 'system_orders', 'campaign', 'simulation')

if not TYPE_CHECKING:  # type checkers read the names above
    def __getattr__(name: str) -> Any:
        if name in __all__:
            for module in map(import_module, (f'{__name__}.{place}' for place in _MODULES)):
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
