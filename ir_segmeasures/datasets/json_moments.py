"""MAD and MedVidQA: sentences and questions about videos, each with one window, in the records of one JSON file.

Their files are obtained by people: those of MAD behind an agreement, those of MedVidQA in a repository of OSF.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from ir_datasets.formats import TrecQrel

from ir_segmeasures.datasets.base import CampaignDocs, CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import number_at, read_object, value_of, window_of
from ir_segmeasures.formats.moments import MomentQuery, MomentVideo
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

__all__ = ['register_all']

_RECALL = tuple(f'IoU_R(iou={iou})@{k}' for iou in (0.1, 0.3, 0.5) for k in (1, 5, 10, 50, 100))


class _Layout(NamedTuple):
    """The records of a file: their queries, and the keys of what they say."""
    name: str
    records: Callable[[Any], Iterable[tuple[str, Any]]]
    video: str
    text: str
    duration: str
    window: Callable[[Any, str], tuple[Number, Number]]


def _of_object(content: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(content, dict):
        raise ValueError('the file has no object of sentences, but MAD has one: check that this is the right file')
    return content.items()


def _of_list(content: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(content, list):
        raise ValueError('the file has no list of questions, but MedVidQA has one: check that this is the right file')
    return [(str(value_of(record, 'sample_id', (int, str), 'a number', 'a question')), record) for record in content]


def _extended(record: Any, where: str) -> tuple[Number, Number]:
    return window_of(value_of(record, 'ext_timestamps', list, '[start, end]', where), f"'ext_timestamps' of {where}",
                     clip=True)


def _answer(record: Any, where: str) -> tuple[Number, Number]:
    edges = [number_at(record, f'answer_{edge}_second', where) for edge in ('start', 'end')]
    return window_of(edges, f'the answer of {where}', clip=True)


_MAD = _Layout('the sentences of MAD', _of_object, 'movie', 'sentence', 'movie_duration', _extended)
_MEDVIDQA = _Layout('the questions of MedVidQA', _of_list, 'video_id', 'question', 'video_length', _answer)


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for part in ('val', 'test'):
        source = 'https://github.com/Soldelli/MAD'
        how = f'ask for access as {source} says, and take MAD_{part}.json from annotations.tar.xz'
        _register(f'mad/{part}', f'MAD_{part}.json', _MAD, 'the audio description says it', Documentation(
            f'MAD, {part}', 'Sentences of the audio descriptions of films, of 110 minutes on average, with one window '
            'each. The programs of its authors count windows with an IoU greater than the threshold.', _RECALL, source,
            'an agreement with its authors, not for commercial use',
            f"{how}; predictions are read with the format 'moments'",
            Paper('M. Soldan, A. Pardo, J. L. Alcázar, F. Caba Heilbron, C. Zhao, S. Giancola, B. Ghanem',
                  'MAD: A Scalable Dataset for Language Grounding in Videos from Movie Audio Descriptions', 'CVPR 2022',
                  2022)), how)
        source = 'https://doi.org/10.17605/OSF.IO/PC594'
        how = f'get {part}.json of MedVidQA from {source}'
        _register(f'medvidqa/{part}', f'{part}.json', _MEDVIDQA, 'shows the answer', Documentation(
            f'MedVidQA, {part}', 'Questions about health and the part of a video of YouTube that shows the answer. The '
            'tracks of TREC and TRECVID with this name have their own questions, which are not these.',
            ('IoU_R(iou=0.3)@1', 'IoU_R(iou=0.5)@1', 'IoU_R(iou=0.7)@1', 'mIoU@1'), source,
            'see the page of the repository', f"{how}; predictions are read with the format 'moments'",
            Paper('D. Gupta, K. Attal, D. Demner-Fushman',
                  'A Dataset for Medical Instructional Video Classification and Question Answering',
                  'Scientific Data 10', 2023, kind='article')), how)


def _register(id: str, name: str, layout: _Layout, meaning: str, documentation: Documentation, how: str) -> None:
    folder = id.partition('/')[0]
    files = [CampaignFile(folder, name, how=how)]
    register_dataset(
        id, documentation, CampaignDocs(partial(_videos, layout=layout), files, MomentVideo, namespace=folder),
        CampaignQueries(partial(_queries, layout=layout), files, MomentQuery, 'en', folder),
        CampaignQrels(partial(_qrels, layout=layout), files, TrecQrel, {1: meaning}, 'moments'))


def _rows(path: StrPath, layout: _Layout, row: Callable[[str, Any, str], Any]) -> list[Any]:
    """The rows that a function makes of the query, the record and its name in sentences."""
    return read_object(path, layout.name, lambda content: [
        row(query, record, f'query {quoted(query)}') for query, record in layout.records(content)])


def _queries(path: StrPath, layout: _Layout) -> list[MomentQuery]:
    return _rows(path, layout, lambda query, record, where: MomentQuery(
        query, value_of(record, layout.text, str, 'text', where).strip()))


def _qrels(path: StrPath, layout: _Layout) -> list[TrecQrel]:
    def judged(query: str, record: Any, where: str) -> TrecQrel:
        start, end = layout.window(record, where)
        video = value_of(record, layout.video, str, 'text', where)
        return TrecQrel(query, format_segment(Segment(video, max(start, 0), end, 't')), 1, '0')
    return _rows(path, layout, judged)


def _videos(path: StrPath, layout: _Layout) -> list[MomentVideo]:
    return list(dict.fromkeys(_rows(path, layout, lambda _, record, where: MomentVideo(
        value_of(record, layout.video, str, 'text', where), number_at(record, layout.duration, where)))))
