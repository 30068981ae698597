"""Studies of systems and of measures: which system is better (compare), which expected orderings measures keep
(fidelity), how far they agree, what their parameters change, what holes in the judgements do.
:mod:`~ir_segmeasures.study.runs` evaluates many systems.
The organiser of a campaign has pools of its runs, the agreement of its assessors, and their judgements merged.

SciPy, of the extra ``study``, is imported when it is first needed; nothing here draws.
"""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules

from ir_segmeasures.study import campaign, simulation
from ir_segmeasures.study.campaign import *
from ir_segmeasures.study.comparison import Beside, SystemComparison, compare
from ir_segmeasures.study.correlation import Agreement, agreement, without_overlap
from ir_segmeasures.study.diagnosis import Diagnosis, GroupMean, diagnose
from ir_segmeasures.study.gate import Regression, regressions
from ir_segmeasures.study.micro_averages import micro
from ir_segmeasures.study.missing_judgements import HoleEffect, holes
from ir_segmeasures.study.parameters import Setting, sensitivity
from ir_segmeasures.study.separation import Power, power
from ir_segmeasures.study.simulation import *
from ir_segmeasures.study.system_orders import OrderAgreement, order_agreement

__all__ = [
    'micro',
    'compare', 'SystemComparison', 'Beside',
    'regressions', 'Regression',
    'diagnose', 'Diagnosis', 'GroupMean',
    'agreement', 'without_overlap', 'Agreement',
    'order_agreement', 'OrderAgreement',
    'sensitivity', 'Setting',
    'power', 'Power',
    'holes', 'HoleEffect',
]
__all__ += campaign.__all__
__all__ += simulation.__all__
