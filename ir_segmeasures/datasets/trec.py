"""TREC Podcasts 2020 and 2021: segments of two minutes in episodes of podcasts. The corpus was withdrawn in 2023; the
topics, and the judgements of 2020, are public, and are downloaded from the track's page.

TREC Genomics 2007: the gold standard, the passages that are relevant with their aspects. The judgements as they were
pooled, and the documents, are in ir_datasets itself (``highwire/trec-genomics-2006`` and ``-2007``); our measures take
them as they are."""

import ir_datasets

from ir_segmeasures.datasets.base import CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.formats import podcasts

FOLDER = 'trec-podcasts'
_SOURCE = 'https://trecpodcasts.github.io'
_MD5 = {'train': None, 'test': '1d1fb7819eecde76b94a6cf776c34e8c'}  # of the other files none is known
_GRADES = {0: 'bad', 1: 'fair', 2: 'good', 3: 'excellent', 4: 'perfect'}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for part, md5 in _MD5.items():
        name = f'2020_{part}_qrels.list'
        _register(2020, part, CampaignFile(
            f'{FOLDER}/2020', name, md5, f'{_SOURCE}/resources/{name}', read=podcasts.read_qrels),
            {'qrels': 9426} if part == 'test' else {})
    _register(2021, 'test', CampaignFile(f'{FOLDER}/2021', '2021_test_qrels.list', how=(
        'ask TREC for the judgements of 2021 (https://trec.nist.gov/data.html)')), {})
    _register_genomics()


def _register(year: int, part: str, qrels: CampaignFile, counts: dict[str, int]) -> None:
    name = f'podcasts_{year}_topics_{part}.xml'
    topics = CampaignFile(f'{FOLDER}/{year}', name, None, f'{_SOURCE}/resources/{name}', read=podcasts.read_topics)
    register_dataset(
        f'{FOLDER}/{year}/{part}',
        CampaignQueries(podcasts.read_topics, [topics], podcasts.PodcastTopic, 'en'),
        CampaignQrels('podcasts', [qrels], defs=_GRADES), counts=counts)


_GENOMICS_SOURCE = 'https://trec.nist.gov/data/t2007_genomics.html'


def _register_genomics() -> None:
    highwire = ir_datasets.load('highwire/trec-genomics-2007')
    register_dataset(
        'trec-genomics-2007/gold',
        highwire.docs_handler(), highwire.queries_handler(),
        CampaignQrels('genomics', [CampaignFile(
            'trec-genomics-2007', 'gold-standard-07.txt', '5914a1f698f28da74414ebe8bc04fd0b',
            how=f'get it from {_GENOMICS_SOURCE}')], defs={1: 'relevant'}),
        counts={'docs': 162259, 'queries': 36, 'qrels': 4492})
