"""Moment retrieval: sentences and the windows of a video (of CASTELLA: a sound recording) that they describe. A
document is a video with its duration in seconds.

The files are those that their authors, or the toolkit Lighthouse for all of them, publish; they are downloaded when
they are first read, as they were at one commit, or can be put into the ir_datasets home.
"""

from typing import NamedTuple

from ir_segmeasures.datasets.base import CampaignDocs, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.moments import MomentQuery, MomentVideo, read_queries, read_videos


class _Part(NamedTuple):
    source: str
    file: str
    md5: str
    counts: tuple[int, int, int]  # documents, queries, judgements
    url: str | None = None


_MOMENT_DETR, _TVR = 'https://github.com/jayleicn/moment_detr', 'https://github.com/jayleicn/TVRetrieval'
_LIGHTHOUSE = 'https://github.com/line/lighthouse'
_RAW = 'https://raw.githubusercontent.com'
_PARTS = {
    'qvhighlights/val': _Part(
        _MOMENT_DETR, 'highlight_val_release.jsonl', 'eeb362ecb684b1812376c6ecb73cab84', (1519, 1550, 2803),
        f'{_RAW}/jayleicn/moment_detr/main/data'),
    'qvhighlights/test': _Part(
        _MOMENT_DETR, 'highlight_test_with_gt.jsonl', '3456bdafdf0e63b635f225ab742dcadd', (1529, 1542, 2761),
        f'{_RAW}/jayleicn/moment_detr/7c61a84217e7e6b7ee0ba0ae494c337644e9cdd4/data'),
    'charades-sta/test': _Part(
        _LIGHTHOUSE, 'charades_test_release.jsonl', '7b6b20cab0aae6f47abfed569696bb9c', (1334, 3720, 3720)),
    'activitynet-captions/val': _Part(
        _LIGHTHOUSE, 'activitynet_val_release.jsonl', '099be20318d6287e1e29286952186351', (4917, 17505, 17505),
        f'{_RAW}/line/lighthouse/03ea7b499922ad4811a0071d5f5a83ba082a4261/data/activitynet'),
    'tacos/test': _Part(
        _LIGHTHOUSE, 'tacos_test_release.jsonl', '97e578ecca96d77adf81024e5c18e7ff', (25, 4001, 4001)),
    'castella/test': _Part(
        _LIGHTHOUSE, 'castella_test_release.jsonl', 'fa8e3be93e23452a9474d511b1bd2409', (566, 1347, 4175),
        f'{_RAW}/line/lighthouse/5e5245db04a5f5fe2c3b3bc854363df882ad8e82/data/castella'),
    'tvr/val': _Part(
        _TVR, 'tvr_val_release.jsonl', 'ef23b92419fcf809602f11adf9e7fa3a', (2179, 10895, 10895),
        f'{_RAW}/jayleicn/TVRetrieval/34777b4bf9814feb04ded89668e2b0b4e432cc1b/data'),
}


# Datasets with judged clips, and how many there are.
_CLIPS = {'qvhighlights/val': 115_953, 'qvhighlights/test': 115_315}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for id, part in _PARTS.items():
        name = id.partition('/')[0]
        how = f'get {part.file} from {part.source}, where it is below data'
        files = [CampaignFile(name, part.file, part.md5, part.url and f'{part.url}/{part.file}', how)]
        both = (CampaignDocs(read_videos, files, MomentVideo, namespace=name),
                CampaignQueries(read_queries, files, MomentQuery, 'en', name))
        counts = dict(zip(('docs', 'queries', 'qrels'), part.counts))
        register_dataset(id, *both, CampaignQrels(
            SegmentQrels('moments'), files, defs={1: 'shows what the sentence says'},
            run_format='tvr' if name == 'tvr' else 'moments'), counts=counts)
        if id in _CLIPS:
            register_dataset(f'{id}/saliency', *both, CampaignQrels(
                SegmentQrels('saliency'), files, defs={
                    number: f'the sum of three scores is {number}' for number in range(13)}, run_format='saliency'),
                counts={**counts, 'qrels': _CLIPS[id]})
