"""TRECVID: ad hoc, instance, known-item and shot search, hyperlinking, and the TREC-10 Video Track. The Video Browser
Showdown (VBS): ad hoc tasks with judged shots, and known-item tasks.

What is judged are shots. ``trecvid-avs/2021`` has them as they are, for measures of documents and for xinfAP; in
``trecvid-avs/2021/segments`` the same judgements are segments of videos, by the tables of shots in a folder ``shots``
beside them, or in that of the collection, such as ``trecvid-shots/v3c1/shots``, which serves all its years; frame
rates, where tables have frames, in a file ``frame_rates.txt`` beside that folder. The topics of 2001 and of search in
2008 are public; no other file has an address that is known to be so: people get them from the campaign's page.

The tasks and answers of the VBS of 2018-20, the judgements of 2022 with times, and the textual tasks of 2019-24, are
downloaded from the archive of the VBS as they were at one commit; the other files are in an archive there, which people
unpack.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ir_datasets.formats import GenericQuery

from ir_segmeasures.datasets import base
from ir_segmeasures.datasets.base import CampaignDocs, CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.mediaeval import BBC_VIDEOS, sh_eval_file
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats import mediaeval as lists
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.trecvid import shot_tables as shots, vbs
from ir_segmeasures.formats.trecvid.judgements import KNOWN_ITEMS, VideoTopic, qrels_topic, read_topics
from ir_segmeasures.ids.resolving import resolve
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.user_warnings import warn_user

_SOURCE = 'https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html'
_PAGES = {2001: 'https://www-nlpir.nist.gov/projects/trecvid/revised.html',
          2002: 'https://www-nlpir.nist.gov/projects/t2002v/'}
SAMPLED = {-1: 'in the pool, not in the sample', 0: 'not relevant', 1: 'relevant'}
_JUDGED = {0: 'not relevant', 1: 'relevant'}
_KNOWN_ITEM = {1: 'known item'}
FRAME_RATES = 'frame_rates.txt'
_AVS_COLLECTIONS = {**dict.fromkeys((2016, 2017, 2018), 'trecvid-shots/iacc3'),
                    **dict.fromkeys((2019, 2020, 2021), 'trecvid-shots/v3c1'),
                    **dict.fromkeys((2022, 2023, 2024, 2025), 'trecvid-shots/v3c2')}
_MD5_OF_2021 = '6e4d4e4cfe0878b514411d129d98a66c'
_TOPICS_OF_2008 = 'https://www-nlpir.nist.gov/projects/tv2008/pastdata/topics/topics.2008.xml'
_TOPICS_OF_2001 = 'https://trecvid.nist.gov/topics/all/all.topics'


class ShotTables(CampaignFile):
    """A folder with tables of shots, in any of the forms of :mod:`ir_segmeasures.formats.trecvid.shot_tables`: ``.tsv``
    (V3C), ``.mp7.xml`` (MPEG-7), ``.msb`` or ``.sb`` (IACC), ``.txt`` (EastEnders), all of one kind. What has frames
    and no frame rate needs a file ``frame_rates.txt`` beside the folder, with lines: video, frames per second.

    Args:
        folder: of the dataset, whose tables are in its folder ``shots``
        collection: the folder of the collection, whose tables serve all datasets that have none of their own
    """

    missing = 'has no tables of shots, by which judged shots become segments'

    def __init__(self, folder: str, collection: str | None = None):
        how = "put the tables of the collection's shots there (.tsv, .mp7.xml, .msb, .sb or EastEnders' .txt)"
        if collection is not None:
            how = f'{how} or, for all years that have this collection, into {collection}/shots'
        super().__init__(folder, 'shots', how=how)
        self.collection = collection

    def find(self) -> tuple[str, bool]:
        """The folder with the tables; if there are none, where they belong, and False."""
        home, folders = base.ir_datasets_home(), filter(None, (self.folder, self.collection))
        places = [os.path.join(home, folder, self.name) for folder in folders]
        place = next(filter(_names, places), None)
        return place or places[0], place is not None

    def table(self) -> shots.Shots:
        """The table: shot → (video, start, end). Raises as the reader of the files that are there."""
        folder = self.path()
        readers: dict[str | tuple[str, ...], Callable[[str], shots.Shots]] = {
            '.tsv': lambda folder: shots.read_v3c(folder, frame_rate=_rates_beside(folder)), '.xml': shots.read_mpeg7,
            ('.msb', '.sb'): lambda folder: shots.read_iacc(folder, _rates_beside(folder) or {}),
            '': shots.read_eastenders}
        names = _names(folder)
        return next(read(folder) for ending, read in readers.items() for name in names if name.endswith(ending))


def _rates_beside(path: str) -> Mapping[str, Any] | None:
    """The frame rates in the file beside a file or a folder; None if there is none."""
    rates = Path(path).with_name(FRAME_RATES)
    return read_frame_rates(rates) if rates.exists() else None


def _names(folder: str) -> list[str]:
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name.lower().removesuffix('.gz') for name in names if not name.startswith('.')]


def read_avs_queries(path: Any) -> list[GenericQuery]:
    """Reads the queries of ad hoc video search, one a line: ``661 Find shots of …``. Their ids are those of the
    judgements, 1661.

    Raises:
        FormatError: a line is not a number and text; a number is there twice; there is no query
        OSError: the file cannot be opened
    """
    return [GenericQuery(topic.query_id, topic.text) for topic in read_topics(path, qrels_topic)]


def read_text_queries(path: Any) -> list[GenericQuery]:
    """Reads the queries of known-item search and of the VBS in the same way, with ids as they are written."""
    return [GenericQuery(topic.query_id, topic.text) for topic in read_topics(path)]


def read_frame_rates(path: Any) -> dict[str, Any]:
    """Reads the frame rates of videos, one a line: ``video frames-per-second``, such as ``00009 25`` or ``v1
    30000/1001``.

    Raises:
        FormatError: a line does not have 2 fields, or a rate is not a number above 0
        OSError: the file cannot be opened
    """
    def rate(text: str) -> str:
        shots.one_frame(text, '')  # for its error
        return text
    return dict(pairs_of_lines(path, 'video', 'video frames-per-second', rate))


class ShotSegments(CampaignQrels):
    """Judged shots as segments.

    ``missing`` is what becomes of shots that the tables lack: ``'error'``, with their number and examples; ``'drop'``
    to leave them out, or ``'keep'`` to leave them as they are, both with a warning.
    """

    def __init__(self, judgements: SegmentQrels, file: CampaignFile, tables: ShotTables, **settings: Any):
        super().__init__(self._read, [file, tables], judgements.cls, **settings)
        self._judgements, self._tables = judgements, tables
        self.missing = 'error'

    def _read(self, path: str, _: str) -> list[Any]:
        judged, table = self._judgements(path), self._tables.table()
        if self.missing == 'drop':
            if lost := [row.doc_id for row in judged if row.doc_id not in table]:
                warn_user(f'{len(lost)} of {len(judged)} judgements are left out, since the tables lack their shots, '
                          f'such as {quoted(lost[0])}')
            judged = [row for row in judged if row.doc_id in table]
        return resolve(judged, table, missing={'keep': 'warn', 'drop': 'error'}.get(self.missing, self.missing),
                       kind='qrels', repair=f'put the tables of all videos into {self._tables.location}, or leave '
                       "these shots out with --missing drop (in Python, qrels_handler().missing = 'drop')")


def _file(folder: str, name: str, md5: str | None = None, url: str | None = None, before: str = '',
          read: Callable[[Any], Any] | None = None) -> CampaignFile:
    """A file of the year that is the end of the folder; ``before`` begins the sentence that says how to get it."""
    year = int(folder.rpartition('/')[2])
    page = _PAGES.get(year, f'https://www-nlpir.nist.gov/projects/tv{year}/')
    return CampaignFile(folder, name, md5, url, (
        f'{before}get the file from the page of {year}, {page}, or from that of all years, {_SOURCE}'), read)


def _queries(file: CampaignFile, read: Callable[[Any], Any] = read_topics, cls: Any = VideoTopic,
             namespace: str | None = None) -> CampaignQueries:
    return CampaignQueries(read, [file], cls, 'en', namespace)


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year in range(2016, 2026):
        folder, number, known = f'trecvid-avs/{year}', year % 100, year == 2021
        _register_shots(
            folder, _queries(_file(folder, f'tv{number}.avs.topics.txt'), read_avs_queries, GenericQuery),
            _file(folder, f'avs.qrels.main.tv{number}', _MD5_OF_2021 if known else None), 'trecvid-strata',
            _AVS_COLLECTIONS.get(year), {'qrels': 124_431} if known else None)
    for year in range(2010, 2020):
        folder = f'trecvid-ins/{year}'
        _register_shots(folder, _queries(_file(folder, f'ins.auto.topics.{year}.xml')), _file(folder, 'qrels.txt'),
                        collection='trecvid-shots/eastenders' if year > 2012 else None)
    for year in range(2002, 2010):
        folder = f'trecvid-search/{year}'
        _register_shots(folder, _queries(_file(folder, f'topics.{year}.xml', None, (
            _TOPICS_OF_2008 if year == 2008 else None), read=read_topics)), _file(folder, 'qrels.txt'))
    for year in range(2010, 2013):
        folder = f'trecvid-kis/{year}'
        register_dataset(
            folder, _queries(_file(folder, 'topics.txt'), read_text_queries, GenericQuery),
            CampaignQrels('trecvid-shots', [_file(folder, 'qrels.txt', before=(
                'write the known items in the format trecvid-shots, topic 0 video 1; '))], defs=_KNOWN_ITEM))
    _register_linking()
    _register_2001()
    _register_showdowns()


def _register_2001() -> None:
    folder = 'trecvid/2001'
    file = _file(folder, 'all.topics', None, _TOPICS_OF_2001, read=read_topics)
    register_dataset(f'{folder}/known-item', _queries(file, partial(_topics_of_2001, known=True)), CampaignQrels(
        'trecvid-2001', [file], defs=_KNOWN_ITEM))
    register_dataset(f'{folder}/general', _queries(file, partial(_topics_of_2001, known=False)), CampaignQrels(
        'trec', [_file(folder, 'general.qrels', before=(
            'the form of the judgements of the campaign is not known here: write them as TREC qrels with segments '
            'such as nad28.mpg#t=57,61.5; '))], defs=_JUDGED, run_format='trecvid-2001'))


def _topics_of_2001(path: Any, known: bool) -> list[VideoTopic]:
    """The topics with known items, or those without."""
    return [topic for topic in read_topics(path) if (topic.type == KNOWN_ITEMS) == known]


def _register_shots(id: str, topics: CampaignQueries, file: CampaignFile, format: str = 'trecvid-shots',
                    collection: str | None = None, counts: Mapping[str, int] | None = None,
                    judgements: SegmentQrels | None = None, tables: str | None = None) -> None:
    """Registers judged shots, and the same as segments by the tables in the folder ``tables``, that of the dataset if
    it is not given."""
    judgements = judgements or SegmentQrels(format)
    defs = SAMPLED if 'stratum' in judgements.cls._fields else _JUDGED
    register_dataset(id, topics, CampaignQrels(judgements, [file], defs=defs), counts=counts)
    register_dataset(f'{id}/segments', topics, ShotSegments(
        judgements, file, ShotTables(tables or id, collection), defs=defs), counts=counts)


def _register_linking() -> None:
    videos = CampaignDocs(lists.read_videos, [sh_eval_file('bliptv2.txt', '24a2f95f4d47bb120afd92bac63cc59d')],
                          lists.Video, None, 'trecvid-lnk')
    anchors = {2015: sh_eval_file('tv15hlk_test_anchors.xml', '40393021c68b009fb8c3927502527f57'),
               2016: sh_eval_file('tv16hlk_test_anchors.xml', '20b5c52c75c0b42208cf3f9451a07722'),
               2017: _file('trecvid-lnk/2017', 'anchors.xml')}
    for year, file in anchors.items():
        folder = f'trecvid-lnk/{year}'
        register_dataset(folder, BBC_VIDEOS if year == 2015 else videos,
                         CampaignQueries(lists.read_anchors, [file], lists.Anchor, None, 'trecvid-lnk'),
                         CampaignQrels('sh-linking', [_file(
                             folder, 'linking.qrel', before='the judgements are not public; ')], defs=_JUDGED))


_VBS_SOURCE = 'https://github.com/lucaro/VBS-Archive'
_RAW = 'https://raw.githubusercontent.com/lucaro/VBS-Archive'
_SERVER = 'a5d7e9d54040be3af0f35274f0bfd2e87317978a'


def _with_rates(read: Callable[..., Sequence[Any]], path: str) -> Sequence[Any]:
    """Frames, or parts of which some are single frames. They need the frame rates of their videos, which a file
    ``frame_rates.txt`` beside them has."""
    return read(path, _rates_beside(path), f'put their frame rates into {Path(path).with_name(FRAME_RATES)}, lines of '
                                           'video and frames per second')


def _register_showdowns() -> None:
    for year in range(2021, 2025):
        how = f'unpack that of {year} from {_VBS_SOURCE}/blob/main/avsjudgements/avs_judgements2021_2024.zip'
        folder, name, known = f'vbs-avs/{year}', f'avs.vbs{year}_dres.txt', year == 2022
        queries = _queries(CampaignFile(folder, f'avs.vbs{year}.topics.txt', how=how), read_text_queries, GenericQuery)
        register_dataset(folder, queries, CampaignQrels('trecvid-strata', [
            CampaignFile(folder, f'avs.vbs{year}.txt', how=how)], defs=SAMPLED))
        file = CampaignFile(folder, name, 'aa4c60e156a4c61b3ab05c43ba04ec72', (
            f'{_RAW}/546eb127b8e8d6f2ef882cf6f1a02a8586c97dd6/{name}')) if known else CampaignFile(
                folder, name, how=how)
        register_dataset(f'{folder}/segments', queries, CampaignQrels(SegmentQrels('vbs-dres', partial(
            _with_rates, vbs.read_dres)), [file], defs=SAMPLED), counts={'qrels': 10_129} if known else None)
    for year in range(2018, 2021):
        _register_server(year)
    tasks = 'VBS_TextualQueries_19-24.json'
    url = f'{_RAW}/41e80cac80779e5007cc5a6b0c461b61d4a4ec1b/aggregated/{tasks}'
    file = CampaignFile('vbs-kis', tasks, None, url, read=vbs.read_vbs_items)
    register_dataset('vbs-kis/textual', _queries(file, vbs.read_vbs_tasks, vbs.VbsTask),
                     CampaignQrels('vbs-kis', [file], defs=_KNOWN_ITEM))


def _tasks_of(kind: str, path: str) -> list[vbs.VbsTask]:
    return [task for task in vbs.read_server_tasks(path) if task.type.startswith(kind)]


def _register_server(year: int) -> None:
    """The tasks of a year and their answers, as the server of 2018-20 kept them."""
    folder, suffix, collection = f'vbs-server/{year}', *(('csv', 'iacc3') if year == 2018 else ('db', 'v3c1'))

    def server_file(name: str, read: Callable[[Any], Any] = vbs.read_server_tasks) -> CampaignFile:
        return CampaignFile(folder, name, None, f'{_RAW}/{_SERVER}/{year}/{name}', read=read)

    def tasks_of(kind: str, file: CampaignFile) -> CampaignQueries:
        return _queries(file, partial(_tasks_of, kind), vbs.VbsTask, 'vbs')
    tasks = server_file(f'tasks.{suffix}')
    _register_shots(f'vbs-avs/{year}', tasks_of('AVS', tasks), server_file(f'submissions.{suffix}', vbs.read_judged),
                    collection=f'trecvid-shots/{collection}', tables=folder,
                    judgements=SegmentQrels('trecvid-shots', vbs.read_judged))
    # In 2018 another session had textual tasks alone.
    sessions = {'': tasks, **({'/textual': server_file('tasks_textual.csv')} if year == 2018 else {})}
    for session, file in sessions.items():
        register_dataset(f'vbs-kis/{year}{session}', tasks_of('KIS', file), CampaignQrels(
            SegmentQrels('vbs-kis', partial(_with_rates, vbs.read_server_items)), [file], defs=_KNOWN_ITEM))
