"""Studies of systems and of measures: which system is better (compare), which expected orderings measures keep
(fidelity), how far they agree, what their parameters change, what holes in the judgements do.
:mod:`~ir_segmeasures.study.runs` evaluates many systems.
The organiser of a campaign has pools of its runs, the agreement of its assessors, and their judgements merged.

SciPy, of the extra ``study``, is imported when it is first needed; nothing here draws.
"""

from ir_segmeasures.study.campaign import *
from ir_segmeasures.study.comparison import *
from ir_segmeasures.study.diagnosis import *
from ir_segmeasures.study.elements import *
from ir_segmeasures.study.gate import *
from ir_segmeasures.study.measure_studies import *
from ir_segmeasures.study.missing_judgements import *
from ir_segmeasures.study.simulation.fidelity_tests import *
from ir_segmeasures.study.simulation.passage_runs import *
from ir_segmeasures.study.system_orders import *
