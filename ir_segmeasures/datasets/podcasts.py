"""TREC Podcasts 2020: segments of two minutes in episodes of podcasts. The corpus was withdrawn in 2023; the judgements
are public, and are downloaded from the track's page."""

from ir_segmeasures.datasets.base import CampaignFile, CampaignQrels, Documentation, SegmentQrels, register
from ir_segmeasures.formats import podcasts

__all__ = ['register_all']

FOLDER = 'trec-podcasts'
_SOURCE = 'https://trecpodcasts.github.io'
_MD5 = {'train': None, 'test': '1d1fb7819eecde76b94a6cf776c34e8c'}  # of the training judgements none is known
_GRADES = {0: 'bad', 1: 'fair', 2: 'good', 3: 'excellent', 4: 'perfect'}
_CITATION = ('R. Jones, B. Carterette, A. Clifton, M. Eskevich, G. J. F. Jones, J. Karlgren, A. Pappu, S. Reddy, '
             'Y. Yu: TREC 2020 Podcasts Track Overview. TREC 2020.')


def register_all() -> None:
    for part, md5 in _MD5.items():
        name = f'2020_{part}_qrels.list'
        register(
            f'{FOLDER}/2020/{part}',
            Documentation(
                f'TREC Podcasts 2020, {part}', 'Judged segments of two minutes, a new one every minute, so that '
                'neighbours overlap. A document is an episode. The corpus is not available any more.',
                ['nDCG', 'nDCG@30', 'P@10'], _SOURCE, 'none stated',
                'the judgements are downloaded when they are first read; runs with the ids of the track are read with '
                "the format 'podcasts'", _CITATION),
            CampaignQrels(SegmentQrels('podcasts'), [
                CampaignFile(f'{FOLDER}/2020', name, md5, f'{_SOURCE}/resources/{name}', read=podcasts.read_qrels)],
                defs=_GRADES, run_format='podcasts'),
            counts={'qrels': 9426} if part == 'test' else None)
