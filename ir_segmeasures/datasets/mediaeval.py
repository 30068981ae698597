"""MediaEval Search & Hyperlinking 2013-15: television of the BBC, in which segments are searched and linked to.

The judgements and lists of 2014 come with the campaign's evaluation tool, https://github.com/robinaly/sh_eval, and are
downloaded from there; it states no licence, so nothing of them is in this package.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ir_segmeasures.datasets import base
from ir_segmeasures.datasets.base import CampaignDocs, CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.reading import SegmentRun
from ir_segmeasures.formats import mediaeval as lists

FOLDER = 'mediaeval-sh'
_RAW = 'https://raw.githubusercontent.com/robinaly/sh_eval/master'
_ASK = {year: f'ask the organisers of the campaign for it (http://www.multimediaeval.org/mediaeval{page})'
        for year, page in ((2013, '2013/hyper2013/'), (2014, '2014/hyper2014/'), (2015, '2015/'))}
_RELEVANCE = {0: 'not relevant', 1: 'relevant'}


class AnchoringVideo(NamedTuple):
    """A query of the anchoring task: a video, with its duration in seconds."""

    query_id: str
    doc_id: str
    duration: int


def _videos_as_queries(path: str) -> list[AnchoringVideo]:
    return [AnchoringVideo(video.doc_id, *video) for video in lists.read_videos(path)]


def sh_eval_file(name: str, md5: str | None, folder: str = 'data', read: Any = None) -> CampaignFile:
    """A file that comes with the campaign's evaluation tool."""
    return CampaignFile(FOLDER, name, md5, f'{_RAW}/{folder}/{name}', read=read)


def _expected(year: int, name: str) -> CampaignFile:
    """A file that people ask for."""
    return CampaignFile(f'{FOLDER}/{year}', name, how=_ASK[year])


BBC_VIDEOS, _VIDEOS_OF_2013 = (CampaignDocs(lists.read_videos, [file], lists.Video, 'en') for file in (
    sh_eval_file('cAXES.txt', 'c7dbb4aa2c636864d2a4f7141097e4a4'), _expected(2013, 'videos.txt')))


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    register_dataset(FOLDER)
    for year in (2014, 2015):
        register_dataset(f'{FOLDER}/{year}', BBC_VIDEOS, counts={'docs': 3520})
    _searched(
        2014, sh_eval_file('me14sh_search_testSet_queries.xml', '2e444a8693025e406a06a403cbf8d6ec'),
        sh_eval_file('me14sh_search_testSet.qrel', 'fac554a16b8691904997dba40d1040d5', 'test_data'),
        base.CampaignScoredDocs(SegmentRun('sh-search'), [CampaignFile(
            f'{FOLDER}/2014', 'run-180-60-noover.txt', '15c5fca1181142ff434bc6cca649d195',
            how='a run of 180 seconds every 60 without overlap, in the format of search runs; no public address of it '
                f'is known here: {_ASK[2014]}')]),
        counts={'docs': 3520, 'queries': 36, 'qrels': 9615})
    _linked(2014, sh_eval_file('me14sh_linking_testSet_anchors.xml', 'd15fb8e4a5368d3b2e269a6811f18956'),
            sh_eval_file('me14sh_linking_testSet.qrel', '30425da0a77e165bc93c284fc0eaa750', 'test_data'),
            counts={'docs': 3520, 'queries': 48, 'qrels': 12340})
    _searched(2015, sh_eval_file('me15sava_search_test_queries.xml', '4bfaaa9d1733b301407bdc3808f6d041'),
              _expected(2015, 'search.qrel'), counts={'docs': 3520})
    register_dataset(
        f'{FOLDER}/2015/anchoring', BBC_VIDEOS,
        CampaignQueries(_videos_as_queries, [sh_eval_file('cAnchoring15.txt', None, read=lists.read_videos)],
                        AnchoringVideo, 'en'),
        CampaignQrels('sh-anchoring', [_expected(2015, 'anchoring.qrel')], defs=_RELEVANCE),
        counts={'docs': 3520, 'queries': 33})
    _linked(2013, _expected(2013, 'anchors.xml'), _expected(2013, 'linking.qrel'), _VIDEOS_OF_2013)
    _searched(2013, _expected(2013, 'queries.xml'), _expected(2013, 'search.qrel'), docs=_VIDEOS_OF_2013,
              format='sh-known-item', defs={1: 'known item'})


def _searched(year: int, queries: CampaignFile, qrels: CampaignFile, *others: Any, docs: Any = BBC_VIDEOS,
              format: str = 'sh-search', defs: Mapping[int, str] = _RELEVANCE, counts: Any = None) -> None:
    register_dataset(f'{FOLDER}/{year}/search', docs,
                     CampaignQueries(lists.read_queries, [queries], lists.SearchQuery, 'en'),
                     CampaignQrels(format, [qrels], defs=defs, run_format='sh-search'), *others, counts=counts)


def _linked(year: int, anchors: CampaignFile, qrels: CampaignFile, docs: Any = BBC_VIDEOS, counts: Any = None) -> None:
    register_dataset(f'{FOLDER}/{year}/linking', docs, CampaignQueries(lists.read_anchors, [anchors], lists.Anchor),
                     CampaignQrels('sh-linking', [qrels], defs=_RELEVANCE), counts=counts)
