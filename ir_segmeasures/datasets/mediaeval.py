"""MediaEval Search & Hyperlinking 2013-15: television of the BBC, in which segments are searched and linked to.

The judgements and lists of 2014 come with the campaign's evaluation tool, https://github.com/robinaly/sh_eval, and are
downloaded from there; it states no licence, so nothing of them is in this package.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.datasets.base import (
    CampaignDocs,
    CampaignQrels,
    CampaignQueries,
    CampaignScoredDocs,
    Documentation,
    register_dataset,
)
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.datasets.reading import SegmentQrels, SegmentRun
from ir_segmeasures.formats.mediaeval import lists

__all__ = ['BBC_VIDEOS', 'AnchoringVideo', 'PAPERS', 'OFFICIAL', 'SOURCE', 'register_all', 'sh_eval_file']

FOLDER = 'mediaeval-sh'
SOURCE = 'https://github.com/robinaly/sh_eval'
_RAW = 'https://raw.githubusercontent.com/robinaly/sh_eval/master'
_ASK = {year: f'ask the organisers of the campaign for it (http://www.multimediaeval.org/mediaeval{page})'
        for year, page in ((2013, '2013/hyper2013/'), (2014, '2014/hyper2014/'), (2015, '2015/'))}
_LICENCE = 'none stated'
_RELEVANCE = {0: 'not relevant', 1: 'relevant'}
PAPERS = {
    2013: Paper(
        'M. Eskevich, G. J. F. Jones, S. Chen, R. Aly, R. Ordelman',
        'The Search and Hyperlinking Task at MediaEval 2013', 'MediaEval 2013 Workshop', 2013),
    2014: Paper(
        'M. Eskevich, R. Aly, D. N. Racca, R. Ordelman, S. Chen, G. J. F. Jones',
        'The Search and Hyperlinking Task at MediaEval 2014', 'MediaEval 2014 Workshop', 2014),
    2015: Paper(
        'M. Eskevich, R. Aly, R. Ordelman, D. N. Racca, S. Chen, G. J. F. Jones',
        'SAVA at MediaEval 2015: Search and Anchoring in Video Archives', 'MediaEval 2015 Workshop', 2015),
}
OFFICIAL = ("MAiSP(tool='sh_eval')", "MAP_over(tool='sh_eval')", "MAP_bin(tool='sh_eval')", "MAP_tol(tool='sh_eval')",
            "P_over(tool='sh_eval')@5", "P_bin(tool='sh_eval')@5", "P_tol(tool='sh_eval')@5")


class AnchoringVideo(NamedTuple):
    """A query of the anchoring task: a video, with its duration in seconds."""

    query_id: str
    doc_id: str
    duration: int


def _videos_as_queries(path: str) -> list[AnchoringVideo]:
    return [AnchoringVideo(video.doc_id, *video) for video in lists.read_videos(path)]


def sh_eval_file(name: str, md5: str, folder: str = 'data') -> CampaignFile:
    """A file that comes with the campaign's evaluation tool."""
    return CampaignFile(FOLDER, name, md5, f'{_RAW}/{folder}/{name}')


BBC_VIDEOS = CampaignDocs(lists.read_videos, [sh_eval_file('cAXES.txt', 'c7dbb4aa2c636864d2a4f7141097e4a4')],
                          lists.Video, 'en', 'mediaeval-sh')


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    def document(year: int, title: str, desc: str, how: str, official: Sequence[str] = OFFICIAL) -> Documentation:
        return Documentation(f'MediaEval {title}', desc, official, SOURCE, _LICENCE, how, PAPERS[year])

    downloaded = "the files are downloaded when they are first read; runs are read with the format 'sh-search'"
    register_dataset(FOLDER, Documentation(
        'MediaEval Search & Hyperlinking', 'Segments of television programmes, searched by text or linked to from '
        'other segments. A document is a broadcast with its duration in seconds; a judgement is a segment of one.',
        source=SOURCE, licence=_LICENCE, how='each year has an id of its own', paper=PAPERS[2014]))
    for year, title in ((2014, 'Search & Hyperlinking 2014'), (2015, 'Search & Anchoring in Video Archives 2015')):
        register_dataset(f'{FOLDER}/{year}', document(year, title, 'The broadcasts of the BBC and their durations.',
                         'the list is downloaded when it is first read', ()), BBC_VIDEOS, counts={'docs': 3520})

    register_dataset(f'{FOLDER}/2014/search', document(
        2014, 'Search & Hyperlinking 2014, search',
        'Text queries, of which 30 are judged, with judged segments of broadcasts. The run that can be put beside '
        'them is 180-60-noover.txt of the public tool sh_eval.', downloaded),
        BBC_VIDEOS,
        CampaignQueries(lists.read_queries, [
            sh_eval_file('me14sh_search_testSet_queries.xml', '2e444a8693025e406a06a403cbf8d6ec')],
            lists.SearchQuery, 'en', FOLDER),
        CampaignQrels(SegmentQrels('sh-search'), [
            sh_eval_file('me14sh_search_testSet.qrel', 'fac554a16b8691904997dba40d1040d5', 'test_data')],
            defs=_RELEVANCE, run_format='sh-search'),
        CampaignScoredDocs(SegmentRun('sh-search'), [CampaignFile(
            f'{FOLDER}/2014', 'run-180-60-noover.txt', '15c5fca1181142ff434bc6cca649d195',
            how='a run of 180 seconds every 60 without overlap, in the format of search runs; no public address of it '
                f'is known here: {_ASK[2014]}')]),
        counts={'docs': 3520, 'queries': 36, 'qrels': 9615})
    register_dataset(f'{FOLDER}/2014/linking', document(
        2014, 'Search & Hyperlinking 2014, linking',
        'Anchors, segments of broadcasts, of which 30 are judged, with judged segments that they could be linked to.',
        downloaded.replace('sh-search', 'sh-linking')),
        BBC_VIDEOS,
        CampaignQueries(lists.read_anchors, [
            sh_eval_file('me14sh_linking_testSet_anchors.xml', 'd15fb8e4a5368d3b2e269a6811f18956')],
            lists.Anchor, None, FOLDER),
        CampaignQrels(SegmentQrels('sh-linking'), [
            sh_eval_file('me14sh_linking_testSet.qrel', '30425da0a77e165bc93c284fc0eaa750', 'test_data')],
            defs=_RELEVANCE, run_format='sh-linking'),
        counts={'docs': 3520, 'queries': 48, 'qrels': 12340})

    def expected(year: int, name: str) -> CampaignFile:
        return CampaignFile(f'{FOLDER}/{year}', name, how=_ASK[year])
    videos_of_2013 = CampaignDocs(lists.read_videos, [expected(2013, 'videos.txt')], lists.Video, 'en', FOLDER)
    register_dataset(f'{FOLDER}/2015/search', document(
        2015, 'Search & Anchoring in Video Archives 2015, search',
        'Text queries with judged segments of broadcasts.',
        'queries and documents are downloaded; the judgements are not public: ' + _ASK[2015]),
        BBC_VIDEOS,
        CampaignQueries(lists.read_queries, [
            sh_eval_file('me15sava_search_test_queries.xml', '4bfaaa9d1733b301407bdc3808f6d041')],
            lists.SearchQuery, 'en', FOLDER),
        CampaignQrels(SegmentQrels('sh-search'), [expected(2015, 'search.qrel')], defs=_RELEVANCE,
                      run_format='sh-search'),
        counts={'docs': 3520})
    register_dataset(f'{FOLDER}/2015/anchoring', document(
        2015, 'Search & Anchoring in Video Archives 2015, anchoring',
        'Segments of broadcasts that people would want links from. The query is the broadcast itself.',
        "videos are downloaded; runs are read with the format 'sh-anchoring'; the judgements are not public: "
        + _ASK[2015], ('RR_over', 'P_new@10', 'Rprec_new')),
        BBC_VIDEOS,
        CampaignQueries(_videos_as_queries, [CampaignFile(
            FOLDER, 'cAnchoring15.txt', None, f'{_RAW}/data/cAnchoring15.txt', read=lists.read_videos)],
            AnchoringVideo, 'en', FOLDER),
        CampaignQrels(SegmentQrels('sh-anchoring'), [expected(2015, 'anchoring.qrel')], defs=_RELEVANCE,
                      run_format='sh-anchoring'),
        counts={'docs': 3520, 'queries': 33})
    register_dataset(f'{FOLDER}/2013/linking', document(
        2013, 'Search & Hyperlinking 2013, linking',
        'Anchors, segments of broadcasts, with judged segments that they could be linked to. Ids of videos have no '
        'leading v.',
        f"runs are read with the format 'sh-linking'; none of the files has a public address: {_ASK[2013]}"),
        videos_of_2013,
        CampaignQueries(lists.read_anchors, [expected(2013, 'anchors.xml')], lists.Anchor, None, FOLDER),
        CampaignQrels(SegmentQrels('sh-linking'), [expected(2013, 'linking.qrel')], defs=_RELEVANCE,
                      run_format='sh-linking'))
    register_dataset(f'{FOLDER}/2013/search', document(
        2013, 'Search & Hyperlinking 2013, search',
        'Known items: each query has one segment that its author had in mind. Ids of videos have no leading v.',
        'none of the files has a public address: ' + _ASK[2013], ('MASP',)),
        videos_of_2013,
        CampaignQueries(lists.read_queries, [expected(2013, 'queries.xml')], lists.SearchQuery, 'en',
                        FOLDER),
        CampaignQrels(SegmentQrels('sh-known-item'), [expected(2013, 'search.qrel')],
                      defs={1: 'known item'}, run_format='sh-search'))
