"""TREC Genomics 2007: the gold standard, the passages that are relevant with their aspects. The judgements as they were
pooled, and the documents, are in ir_datasets itself (``highwire/trec-genomics-2006`` and ``-2007``); our measures take
them as they are."""

import ir_datasets

from ir_segmeasures.datasets.base import CampaignQrels, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.reading import SegmentQrels

_SOURCE = 'https://trec.nist.gov/data/t2007_genomics.html'


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    highwire = ir_datasets.load('highwire/trec-genomics-2007')
    register_dataset(
        'trec-genomics-2007/gold',
        highwire.docs_handler(), highwire.queries_handler(),
        CampaignQrels(SegmentQrels('genomics'), [CampaignFile(
            'trec-genomics-2007', 'gold-standard-07.txt', '5914a1f698f28da74414ebe8bc04fd0b',
            how=f'get it from {_SOURCE}')], defs={1: 'relevant'}),
        counts={'docs': 162259, 'queries': 36, 'qrels': 4492})
