"""TREC Podcasts 2020 and 2021: segments of two minutes in episodes of podcasts. The corpus was withdrawn in 2023; the
topics, and the judgements of 2020, are public, and are downloaded from the track's page."""

from ir_segmeasures.datasets.base import CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats import podcasts

__all__ = ['register_all']

FOLDER = 'trec-podcasts'
_SOURCE = 'https://trecpodcasts.github.io'
_MD5 = {'train': None, 'test': '1d1fb7819eecde76b94a6cf776c34e8c'}  # of the other files none is known
_GRADES = {0: 'bad', 1: 'fair', 2: 'good', 3: 'excellent', 4: 'perfect'}
_DESC = ('Judged segments of two minutes, a new one every minute, so that neighbours overlap. A document is an '
         'episode. The corpus is not available any more.')
_RUNS = "runs with the ids of the track are read with the format 'podcasts'"
_PAPERS = {
    2020: Paper(
        'R. Jones, B. Carterette, A. Clifton, M. Eskevich, G. J. F. Jones, J. Karlgren, A. Pappu, S. '
        'Reddy, Y. Yu', 'TREC 2020 Podcasts Track Overview', 'TREC 2020', 2020),
    2021: Paper(
        'J. Karlgren, R. Jones, B. Carterette, A. Clifton, E. Tanaka, M. Eskevich, G. J. F. Jones, S. Reddy',
        'TREC 2021 Podcasts Track Overview', 'TREC 2021', 2021),
}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for part, md5 in _MD5.items():
        name = f'2020_{part}_qrels.list'
        _register(2020, part, 'the topics and judgements are downloaded when they are first read', CampaignFile(
            f'{FOLDER}/2020', name, md5, f'{_SOURCE}/resources/{name}', read=podcasts.read_qrels),
            {'qrels': 9426} if part == 'test' else {})
    how = 'ask TREC for the judgements of 2021 (https://trec.nist.gov/data.html)'
    _register(2021, 'test', f'the topics are downloaded when they are first read; {how}',
              CampaignFile(f'{FOLDER}/2021', '2021_test_qrels.list', how=how), {})


def _register(year: int, part: str, how: str, qrels: CampaignFile, counts: dict[str, int]) -> None:
    name = f'podcasts_{year}_topics_{part}.xml'
    topics = CampaignFile(f'{FOLDER}/{year}', name, None, f'{_SOURCE}/resources/{name}', read=podcasts.read_topics)
    register_dataset(
        f'{FOLDER}/{year}/{part}',
        Documentation(f'TREC Podcasts {year}, {part}', _DESC, ['nDCG', 'nDCG@30', 'P@10'], _SOURCE, 'none stated',
                      f'{how}; {_RUNS}', _PAPERS[year]),
        CampaignQueries(podcasts.read_topics, [topics], podcasts.PodcastTopic, 'en', FOLDER),
        CampaignQrels(SegmentQrels('podcasts'), [qrels], defs=_GRADES, run_format='podcasts'), counts=counts)
