"""Moment retrieval: sentences and the windows of a video (of CASTELLA: a sound recording) that they describe. A
document is a video with its duration in seconds.

The files are those that their authors, or the toolkit Lighthouse for all of them, publish; they are downloaded when
they are first read, as they were at one commit, or can be put into the ir_datasets home.
"""

from typing import NamedTuple

from ir_segmeasures.datasets.base import CampaignDocs, CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.moments import MomentQuery, MomentVideo, read_queries, read_videos

__all__ = ['register_all']


class _Collection(NamedTuple):
    title: str
    desc: str
    source: str
    licence: str
    paper: Paper
    official: tuple[str, ...]
    run_format: str = 'moments'


class _Part(NamedTuple):
    collection: _Collection
    file: str
    md5: str
    counts: tuple[int, int, int]  # documents, queries, judgements
    url: str | None = None


_MOMENT_DETR, _TVR = 'https://github.com/jayleicn/moment_detr', 'https://github.com/jayleicn/TVRetrieval'
_LIGHTHOUSE = 'https://github.com/line/lighthouse'
_BANDS = ('mIoU_AP@10', 'IoU_AP(iou=0.5)@10', 'IoU_AP(iou=0.75)@10', 'IoU_R(iou=0.5)@1', 'IoU_R(iou=0.7)@1')
_RECALL = ('IoU_R(iou=0.3)@1', 'IoU_R(iou=0.5)@1', 'IoU_R(iou=0.7)@1', 'mIoU@1')

_QVHIGHLIGHTS = _Collection(
    'QVHighlights', 'Sentences and all windows of a video of 150 seconds of YouTube that they describe, in clips of two'
    ' seconds. The judgements of the test queries are public since its server closed.', _MOMENT_DETR, 'CC BY-NC-SA 4.0',
    Paper(
        'J. Lei, T. L. Berg, M. Bansal',
        'QVHighlights: Detecting Moments and Highlights in Videos via Natural Language Queries',
        'NeurIPS 2021', 2021), _BANDS)
_CHARADES = _Collection(
    'Charades-STA', 'Sentences about short videos of people at home, with one window each.', _LIGHTHOUSE,
    'that of Charades, not for commercial use',
    Paper(
        'J. Gao, C. Sun, Z. Yang, R. Nevatia', 'TALL: Temporal Activity Localization via Language Query',
        'ICCV 2017', 2017), _RECALL)
_ACTIVITYNET = _Collection(
    'ActivityNet Captions', 'Sentences that tell what happens in videos of YouTube, with one window each. Five windows '
    'end up to 0.01 seconds after their video.', _LIGHTHOUSE, 'none stated',
    Paper(
        'R. Krishna, K. Hata, F. Ren, L. Fei-Fei, J. C. Niebles', 'Dense-Captioning Events in Videos',
        'ICCV 2017', 2017), _RECALL)
_TACOS = _Collection(
    'TaCoS', 'Sentences about what people do in a kitchen, with one window each.', _LIGHTHOUSE, 'none stated',
    Paper(
        'M. Regneri, M. Rohrbach, D. Wetzel, S. Thater, B. Schiele, M. Pinkal',
        'Grounding Action Descriptions in Videos', 'TACL 1', 2013, kind='article'), _RECALL)
_CASTELLA = _Collection(
    'CASTELLA', 'Sentences about sounds, and all windows of a recording in which they are heard. 99 windows end up to '
    'two seconds after their recording.', _LIGHTHOUSE, 'none stated',
    Paper(
        'H. Munakata et al.', 'CASTELLA: Long Audio Dataset with Captions and Temporal Boundaries', '', 2025,
        kind='misc'), _BANDS)
_TVR_VAL = _Collection(
    'TVR', 'Sentences about clips of television series, with one window each, to be found in one clip (SVMR) or in all '
    'of them (VCMR).', _TVR, 'MIT',
    Paper(
        'J. Lei, L. Yu, T. L. Berg, M. Bansal',
        'TVR: A Large-Scale Dataset for Video-Subtitle Moment Retrieval', 'ECCV 2020', 2020),
    tuple(f'IoU_R(iou={iou})@{k}' for iou in (0.5, 0.7) for k in (1, 10, 100)), 'tvr')

_RAW = 'https://raw.githubusercontent.com'
_PARTS = {
    'qvhighlights/val': _Part(
        _QVHIGHLIGHTS, 'highlight_val_release.jsonl', 'eeb362ecb684b1812376c6ecb73cab84', (1519, 1550, 2803),
        f'{_RAW}/jayleicn/moment_detr/main/data'),
    'qvhighlights/test': _Part(
        _QVHIGHLIGHTS, 'highlight_test_with_gt.jsonl', '3456bdafdf0e63b635f225ab742dcadd', (1529, 1542, 2761),
        f'{_RAW}/jayleicn/moment_detr/7c61a84217e7e6b7ee0ba0ae494c337644e9cdd4/data'),
    'charades-sta/test': _Part(
        _CHARADES, 'charades_test_release.jsonl', '7b6b20cab0aae6f47abfed569696bb9c', (1334, 3720, 3720)),
    'activitynet-captions/val': _Part(
        _ACTIVITYNET, 'activitynet_val_release.jsonl', '099be20318d6287e1e29286952186351', (4917, 17505, 17505),
        f'{_RAW}/line/lighthouse/03ea7b499922ad4811a0071d5f5a83ba082a4261/data/activitynet'),
    'tacos/test': _Part(
        _TACOS, 'tacos_test_release.jsonl', '97e578ecca96d77adf81024e5c18e7ff', (25, 4001, 4001)),
    'castella/test': _Part(
        _CASTELLA, 'castella_test_release.jsonl', 'fa8e3be93e23452a9474d511b1bd2409', (566, 1347, 4175),
        f'{_RAW}/line/lighthouse/5e5245db04a5f5fe2c3b3bc854363df882ad8e82/data/castella'),
    'tvr/val': _Part(
        _TVR_VAL, 'tvr_val_release.jsonl', 'ef23b92419fcf809602f11adf9e7fa3a', (2179, 10895, 10895),
        f'{_RAW}/jayleicn/TVRetrieval/34777b4bf9814feb04ded89668e2b0b4e432cc1b/data'),
}


# Datasets with judged clips, and how many there are.
_CLIPS = {'qvhighlights/val': 115_953, 'qvhighlights/test': 115_315}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for id, part in _PARTS.items():
        name, _, split = id.partition('/')
        collection = part.collection
        how = f'get {part.file} from {collection.source}, where it is below data'
        files = [CampaignFile(name, part.file, part.md5, part.url and f'{part.url}/{part.file}', how)]
        register_dataset(
            id,
            Documentation(
                f'{collection.title}, {split}', collection.desc, collection.official, collection.source,
                collection.licence, f"{'the file is downloaded when it is first read' if part.url else how}; "
                f'predictions are read with the format {collection.run_format!r}', collection.paper),
            CampaignDocs(read_videos, files, MomentVideo, namespace=name),
            CampaignQueries(read_queries, files, MomentQuery, 'en', name),
            CampaignQrels(SegmentQrels('moments'), files, defs={1: 'shows what the sentence says'},
                          run_format=collection.run_format),
            counts=dict(zip(('docs', 'queries', 'qrels'), part.counts)))
        if id in _CLIPS:
            register_dataset(
                f'{id}/saliency',
                Documentation(
                    f'{collection.title}, highlights of {split}', 'Clips of two seconds of the videos of '
                    f'{collection.title}, with the scores, 0 to 4, that three workers gave each; the relevance is '
                    'their sum.', ('HL_AP(min=4)', 'HL_Hit(min=4)'), collection.source, collection.licence,
                    "the file is downloaded when it is first read; predictions are read with the format 'saliency'",
                    collection.paper),
                CampaignDocs(read_videos, files, MomentVideo, namespace=name),
                CampaignQueries(read_queries, files, MomentQuery, 'en', name),
                CampaignQrels(SegmentQrels('saliency'), files, defs={
                    number: f'the sum of three scores is {number}' for number in range(13)}, run_format='saliency'),
                counts={**dict(zip(('docs', 'queries'), part.counts)), 'qrels': _CLIPS[id]})
