"""Campaigns: pools of the runs that take part, the agreement of the assessors who judge them, and one set of judgements
from several assessors.
"""

from ir_segmeasures.study.campaign.assessors import MERGERS, agreement_of, merged_judgements
from ir_segmeasures.study.campaign.coefficients import COEFFICIENTS, AssessorAgreement, Coefficient, Disagreement
from ir_segmeasures.study.campaign.pool_files import POOL_FORMATS, pool_text, read_pool
from ir_segmeasures.study.campaign.pools import JUDGING_UNITS, SELECTIONS, JudgingUnit, Pool, PoolCost, pool
from ir_segmeasures.study.campaign.releases import write_release

__all__ = ['COEFFICIENTS', 'JUDGING_UNITS', 'MERGERS', 'POOL_FORMATS', 'SELECTIONS', 'AssessorAgreement', 'Coefficient',
           'Disagreement', 'JudgingUnit', 'Pool', 'PoolCost', 'agreement_of', 'merged_judgements', 'pool',
           'pool_text', 'read_pool', 'write_release']
