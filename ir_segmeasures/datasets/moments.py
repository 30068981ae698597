"""Moment retrieval: sentences and the windows of a video (of CASTELLA: a sound recording) that they describe. A
document is a video with its duration in seconds.

The files are those that their authors, or the toolkit Lighthouse for all of them, publish; they are downloaded when
they are first read, as they were at one commit, or can be put into the ir_datasets home.

MAD, MedVidQA, MomentSeeker and DiDeMo have one JSON file of sentences or questions with their windows. People obtain
these files: those of MAD behind an agreement, those of MedVidQA in a repository of OSF and from TREC, those of
MomentSeeker on Hugging Face. The files of MomentSeeker do not tell how long its videos are. People list that in
``durations.txt``, and documents are made of the list: the videos, and their chunks. The files of DiDeMo, with the
windows of 5-second chunks that several people marked, are downloaded.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec
from ir_datasets.formats import TrecQrel

from ir_segmeasures.datasets.base import CampaignDocs, CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.local import DOCS_FORMATS, QUERIES_FORMATS
from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, checked_window
from ir_segmeasures.formats.moments import MomentQuery, MomentVideo, read_queries, read_videos
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment

_MOMENT_DETR, _TVR = 'https://github.com/jayleicn/moment_detr', 'https://github.com/jayleicn/TVRetrieval'
_LIGHTHOUSE = 'https://github.com/line/lighthouse'
_RAW = 'https://raw.githubusercontent.com'
# source, file, md5, counts of documents, queries and judgements, where the file is
_PARTS: dict[str, tuple[str, str, str, tuple[int, int, int], str | None]] = {
    'qvhighlights/val': (
        _MOMENT_DETR, 'highlight_val_release.jsonl', 'eeb362ecb684b1812376c6ecb73cab84', (1519, 1550, 2803),
        f'{_RAW}/jayleicn/moment_detr/main/data'),
    'qvhighlights/test': (
        _MOMENT_DETR, 'highlight_test_with_gt.jsonl', '3456bdafdf0e63b635f225ab742dcadd', (1529, 1542, 2761),
        f'{_RAW}/jayleicn/moment_detr/7c61a84217e7e6b7ee0ba0ae494c337644e9cdd4/data'),
    'charades-sta/test': (
        _LIGHTHOUSE, 'charades_test_release.jsonl', '7b6b20cab0aae6f47abfed569696bb9c', (1334, 3720, 3720), None),
    'activitynet-captions/val': (
        _LIGHTHOUSE, 'activitynet_val_release.jsonl', '099be20318d6287e1e29286952186351', (4917, 17505, 17505),
        f'{_RAW}/line/lighthouse/03ea7b499922ad4811a0071d5f5a83ba082a4261/data/activitynet'),
    'tacos/test': (
        _LIGHTHOUSE, 'tacos_test_release.jsonl', '97e578ecca96d77adf81024e5c18e7ff', (25, 4001, 4001), None),
    'castella/test': (
        _LIGHTHOUSE, 'castella_test_release.jsonl', 'fa8e3be93e23452a9474d511b1bd2409', (566, 1347, 4175),
        f'{_RAW}/line/lighthouse/5e5245db04a5f5fe2c3b3bc854363df882ad8e82/data/castella'),
    'tvr/val': (
        _TVR, 'tvr_val_release.jsonl', 'ef23b92419fcf809602f11adf9e7fa3a', (2179, 10895, 10895),
        f'{_RAW}/jayleicn/TVRetrieval/34777b4bf9814feb04ded89668e2b0b4e432cc1b/data'),
}


# Datasets with judged clips, and how many there are.
_CLIPS = {'qvhighlights/val': 115_953, 'qvhighlights/test': 115_315}


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for id, (source, file, md5, numbers, url) in _PARTS.items():
        name, counts = id.partition('/')[0], dict(zip(('docs', 'queries', 'qrels'), numbers))
        files = [CampaignFile(name, file, md5, url and f'{url}/{file}', (
            f'get {file} from {source}, where it is below data'))]
        both = CampaignDocs(read_videos, files, MomentVideo), CampaignQueries(read_queries, files, MomentQuery, 'en')
        register_dataset(id, *both, CampaignQrels('moments', files, defs={1: 'shows what the sentence says'},
            run_format='tvr' if name == 'tvr' else 'moments'), counts=counts)
        if id in _CLIPS:
            register_dataset(f'{id}/saliency', *both, CampaignQrels('saliency', files, defs={
                number: f'the sum of three scores is {number}' for number in range(13)}), counts={
                    **counts, 'qrels': _CLIPS[id]})
    _register_json()


_LIST_DURATIONS = ('for v in *.mp4; do echo "${v%.mp4} $(ffprobe -v error -show_entries format=duration -of csv=p=0 '
                   '"$v")"; done > durations.txt')
_MAD, _MEDVIDQA = 'https://github.com/Soldelli/MAD', 'https://doi.org/10.17605/OSF.IO/PC594'
_MOMENTSEEKER = 'https://huggingface.co/datasets/avery00/MomentSeeker'
_DIDEMO = 'https://github.com/LisaAnne/LocalizingMoments'
_DIDEMO_RAW = 'https://raw.githubusercontent.com/LisaAnne/LocalizingMoments/b6a555c8134581305d0ed4716fbc192860e0b88c/data'
_DIDEMO_MD5 = {'val': 'bf8218b4421b74642214ab3e84423b15', 'test': '309072a37a329ee45d66e44b1b55e1e6'}
_DIDEMO_COUNTS = {'val': {'queries': 4180, 'qrels': 7679}, 'test': {'queries': 4021, 'qrels': 7361}}
_DIDEMO_CHUNK = 5  # seconds


class MomentChunk(NamedTuple):
    """A chunk of a video, which systems rank.

    Attributes:
        doc_id: the id of the segment, such as ``ego_79#t=0,30``
        video: the id of the video, as judgements have it
        start, end: in seconds
    """
    doc_id: str
    video: str
    start: float
    end: float


class _Sentence(NamedTuple):
    """A query, and its windows in a video; ``text`` is ``''`` and ``duration`` None where the file does not tell."""
    query_id: str
    video: str
    text: str
    duration: Number | None
    windows: Sequence[tuple[Number, Number, int]]  # start, end, relevance


_Read = Callable[[StrPath], list[_Sentence]]


class _Mad(msgspec.Struct):
    movie: Id
    sentence: str
    movie_duration: Duration
    ext_timestamps: tuple[Number, Number]


class _MedVidQa(msgspec.Struct):
    sample_id: int | Id
    video_id: Id
    question: str
    video_length: Duration
    answer_start_second: Number
    answer_end_second: Number


class _Answers(msgspec.Struct):
    answer_start_seconds: list[Number]
    answer_end_seconds: list[Number]


class _MomentSeeker(msgspec.Struct):
    src_video_path: Id
    qry_text: str
    answering_time_interval: list[tuple[Number, Number]]


class _DiDeMo(msgspec.Struct):
    annotation_id: int
    description: str
    video: str
    times: list[tuple[int, int]]  # first chunk, last chunk


def _answers(query: str, video: str, found: _Answers) -> list[tuple[Number, Number, int]]:
    starts, ends = found.answer_start_seconds, found.answer_end_seconds
    if len(starts) != len(ends):
        raise ValueError(f'video {quoted(video)} of query {quoted(query)} has {len(starts)} starts and {len(ends)} '
                         'ends, but every answer has both: correct it')
    return [(start, end, 1) for start, end in zip(starts, ends)]


def _mad(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the sentences of MAD', lambda content: [
        _Sentence(query, found.movie, found.sentence, found.movie_duration, [(*found.ext_timestamps, 1)])
        for query, found in content.items()], dict[str, _Mad])


def _medvidqa(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the questions of MedVidQA', lambda content: [
        _Sentence(str(found.sample_id), found.video_id, found.question, found.video_length,
                  [(found.answer_start_second, found.answer_end_second, 1)]) for found in content], list[_MedVidQa])


def _trec(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the judged answers of MedVidQA', lambda content: [
        _Sentence(query, video, '', None, _answers(query, video, found))
        for query, videos in content.items() for video, found in videos.items()], dict[str, dict[str, _Answers]])


def _momentseeker(path: StrPath) -> list[_Sentence]:
    return read_object(path, 'the queries of MomentSeeker', lambda content: [
        _Sentence(str(place), PurePosixPath(found.src_video_path).stem, found.qry_text, None,
                  [(*window, 1) for window in found.answering_time_interval])
        for place, found in enumerate(content)], list[_MomentSeeker])


def _didemo(path: StrPath) -> list[_Sentence]:
    def sentence(found: _DiDeMo) -> _Sentence:
        wrong = [list(chunks) for chunks in found.times if not 0 <= chunks[0] <= chunks[1]]
        if wrong:
            raise ValueError(f"{wrong[0]} stands in 'times' of sentence {found.annotation_id}, but a window is [first "
                             'chunk, last chunk], numbered from 0: correct it')
        return _Sentence(str(found.annotation_id), found.video, found.description, None, [
            (first * _DIDEMO_CHUNK, (last + 1) * _DIDEMO_CHUNK, number)
            for (first, last), number in sorted(Counter(found.times).items())])
    return read_object(path, 'the sentences of DiDeMo', lambda content: list(map(sentence, content)), list[_DiDeMo])


def _register_json() -> None:
    for part in ('val', 'test'):
        name = f'{part}_data.json'
        _register(f'didemo/{part}', name, f'get {name} from {_DIDEMO}, below data', _didemo, *(
            f'{number} marked it' for number in range(1, 8)), md5=_DIDEMO_MD5[part], url=f'{_DIDEMO_RAW}/{name}',
            counts=_DIDEMO_COUNTS[part])
        _register(f'mad/{part}', f'MAD_{part}.json', f'ask for access as {_MAD} says, and take MAD_{part}.json from '
                  'annotations.tar.xz', _mad, 'the audio description says it')
        _register(f'medvidqa/{part}', f'{part}.json', f'get {part}.json of MedVidQA from {_MEDVIDQA}', _medvidqa,
                  'shows the answer')
    how, tsv = 'get the judgements of visual answers and the topics from TREC 2024', QUERIES_FORMATS['tsv']
    _register('medvidqa/trec-2024', 'trec-2024-answers.json', how, _trec, 'an answer, definitely or possibly',
              queries=CampaignQueries(tsv.read, [CampaignFile('medvidqa', 'trec-2024-topics.txt', how=how)],
                                      tsv.cls, 'en'))
    durations = CampaignFile('momentseeker', 'durations.txt', how=(
        f'get the videos from {_MOMENTSEEKER}, list the name and the seconds of each with ffprobe, in their folder, by '
        f'`{_LIST_DURATIONS}`, and put durations.txt into the folder momentseeker of the ir_datasets home'))
    for part in ('t2v', 'ti2v', 'tv2v'):
        _register(f'momentseeker/{part}', f'{part}.json', f'get {part}.json from {_MOMENTSEEKER}', _momentseeker,
                  'answers it', docs=CampaignDocs(_listed_videos, [durations], MomentVideo))
    for length in (30, 10):
        register_dataset(f'momentseeker/chunks/{length}', CampaignDocs(
            partial(_chunks, length=length), [durations], MomentChunk))


def _register(id: str, name: str, how: str, read: _Read, *meanings: str, docs: CampaignDocs | None = None,
              queries: CampaignQueries | None = None, counts: dict[str, int] | None = None, **known: Any) -> None:
    """Registers a dataset of one file; ``docs`` and ``queries`` are those that stand in another file than the windows,
    and ``meanings`` those of the relevance 1, 2 …"""
    file = CampaignFile(id.partition('/')[0], name, how=how, **known)
    if read in (_mad, _medvidqa):  # which tell how long videos are
        docs = CampaignDocs(partial(_videos, read), [file], MomentVideo)
    register_dataset(
        id, *([docs] if docs else []), queries or CampaignQueries(partial(_queries, read), [file], MomentQuery, 'en'),
        CampaignQrels(partial(_qrels, read), [file], TrecQrel, dict(enumerate(meanings, 1)),
                      'trec' if queries else 'moments'), counts=counts)


def _queries(read: _Read, path: StrPath) -> list[MomentQuery]:
    return [MomentQuery(found.query_id, found.text.strip()) for found in read(path)]


def _qrels(read: _Read, path: StrPath) -> list[TrecQrel]:
    rows = []
    with errors_in(path):
        for found in read(path):
            for *window, relevance in found.windows:
                start, end = checked_window(window, clip=True)
                id = format_segment(Segment(found.video, max(start, 0), end, 't'))
                rows.append(TrecQrel(found.query_id, id, relevance, '0'))
    return rows


def _videos(read: _Read, path: StrPath) -> list[MomentVideo]:
    return list(dict.fromkeys(MomentVideo(found.video, found.duration or 0) for found in read(path)))


def _listed_videos(path: StrPath) -> list[MomentVideo]:
    return list(map(MomentVideo._make, DOCS_FORMATS['durations'].read(path)))


def _chunks(path: StrPath, length: int) -> list[MomentChunk]:
    """The chunks of all listed videos; ``length`` is in seconds."""
    with errors_in(path):  # a name may be none that an id can have
        return [MomentChunk(format_segment(Segment(video, start, end, 't')), video, start, end)
                for video, duration in _listed_videos(path) for start in range(0, ceil(duration), length)
                for end in [min(start + length, duration)]]
