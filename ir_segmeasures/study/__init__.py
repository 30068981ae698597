"""Studies of systems and of measures: which system is better (compare), which expected orderings measures keep
(fidelity), how far they agree, what their parameters change, what holes in the judgements do.
:mod:`~ir_segmeasures.study.runs` evaluates many systems.
The organiser of a campaign has pools of its runs, the agreement of its assessors, and their judgements merged.

SciPy, of the extra ``study``, is imported when it is first needed; nothing here draws.
"""

from ir_segmeasures.study.campaign.assessors import *
from ir_segmeasures.study.campaign.pool_files import *
from ir_segmeasures.study.campaign.pools import *
from ir_segmeasures.study.campaign.releases import *
from ir_segmeasures.study.comparison import *
from ir_segmeasures.study.elements import *
from ir_segmeasures.study.explanations import *
from ir_segmeasures.study.gate import *
from ir_segmeasures.study.measure_studies import *
from ir_segmeasures.study.missing_judgements import *
from ir_segmeasures.study.simulation import *
