"""DiDeMo: sentences about videos of Flickr, each with the windows of 5-second chunks that several people marked."""

from collections import Counter

import msgspec
from ir_datasets.formats import TrecQrel

from ir_segmeasures.datasets.base import CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moments import MomentQuery
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['register_all']

_CHUNK = 5  # seconds
_SOURCE = 'https://github.com/LisaAnne/LocalizingMoments'
_RAW = 'https://raw.githubusercontent.com/LisaAnne/LocalizingMoments/b6a555c8134581305d0ed4716fbc192860e0b88c/data'
_PARTS = {'val': ('bf8218b4421b74642214ab3e84423b15', {'queries': 4180, 'qrels': 7679}),
          'test': ('309072a37a329ee45d66e44b1b55e1e6', {'queries': 4021, 'qrels': 7361})}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for part, (md5, counts) in _PARTS.items():
        name = f'{part}_data.json'
        files = [CampaignFile('didemo', name, md5, f'{_RAW}/{name}', f'get {name} from {_SOURCE}, below data')]
        register_dataset(
            f'didemo/{part}',
            Documentation(
                f'DiDeMo, {part}', 'Sentences about videos of 25 to 30 seconds of Flickr. Four people or more marked '
                'the window of each, in chunks of 5 seconds; the relevance is how many marked a window. The program of '
                'its authors takes the mean over the three of them that fit best, which no measure here does.',
                ('mIoU@1', 'IoU_R(iou=1)@1', 'IoU_R(iou=1)@5'), _SOURCE, 'BSD 2-Clause',
                "the file is downloaded when it is first read; predictions are read with the format 'moments'",
                Paper('L. A. Hendricks, O. Wang, E. Shechtman, J. Sivic, T. Darrell, B. Russell',
                      'Localizing Moments in Video with Natural Language', 'ICCV 2017', 2017)),
            CampaignQueries(_queries, files, MomentQuery, 'en', 'didemo'),
            CampaignQrels(_qrels, files, TrecQrel, {
                number: f'{number} marked it' for number in range(1, 8)}, 'moments'),
            counts=counts)


class _Sentence(msgspec.Struct):
    annotation_id: int
    description: str
    video: str
    times: list[tuple[int, int]]  # first chunk, last chunk


def _queries(path: StrPath) -> list[MomentQuery]:
    return read_object(path, 'the sentences of DiDeMo', lambda content: [
        MomentQuery(str(found.annotation_id), found.description.strip()) for found in content], list[_Sentence])


def _qrels(path: StrPath) -> list[TrecQrel]:
    def parse(content: list[_Sentence]) -> list[TrecQrel]:
        rows = []
        for found in content:
            for (first, last), number in sorted(Counter(found.times).items()):
                if not 0 <= first <= last:
                    raise ValueError(f"[{first}, {last}] stands in 'times' of sentence {found.annotation_id}, but a "
                                     'window is [first chunk, last chunk], numbered from 0: correct it')
                window = Segment(found.video, first * _CHUNK, (last + 1) * _CHUNK, 't')
                rows.append(TrecQrel(str(found.annotation_id), format_segment(window), number, '0'))
        return rows
    return read_object(path, 'the sentences of DiDeMo', parse, list[_Sentence])
