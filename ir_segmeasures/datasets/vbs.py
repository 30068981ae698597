"""The Video Browser Showdown (VBS): ad hoc tasks with judged shots, and known-item tasks.

The tasks and answers of 2018-20, the judgements of 2022 with times, and the textual tasks of 2019-24, are downloaded
from the archive of the VBS as they were at one commit; the other files are in an archive there, which people unpack.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ir_datasets.formats import GenericQuery

from ir_segmeasures.datasets.base import CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile, state_of
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.datasets.trecvid import (
    FRAME_RATES,
    SAMPLED,
    ShotSegments,
    ShotTables,
    read_frame_rates,
    read_text_queries,
)
from ir_segmeasures.formats.trecvid import vbs, vbs_server, vbs_tasks

__all__ = ['VbsSegments', 'register_all']

_SOURCE = 'https://github.com/lucaro/VBS-Archive'
_RAW = 'https://raw.githubusercontent.com/lucaro/VBS-Archive'
_SERVER = 'a5d7e9d54040be3af0f35274f0bfd2e87317978a'
_JUDGED = {0: 'not relevant', 1: 'relevant'}
_HOW = f'unpack that of {{}} from {_SOURCE}/blob/main/avsjudgements/avs_judgements2021_2024.zip'
_PAPERS = {
    2018: Paper(
        'J. Lokoč et al.',
        'Interactive Search or Sequential Browsing? A Detailed Analysis of the Video Browser Showdown 2018',
        'ACM Transactions on Multimedia Computing, Communications, and Applications 15', 2019,
        url='https://doi.org/10.1145/3295663', kind='article'),
    2019: Paper(
        'L. Rossetto et al.',
        'Interactive Video Retrieval in the Age of Deep Learning – Detailed Evaluation of VBS 2019',
        'IEEE Transactions on Multimedia 23', 2021, url='https://doi.org/10.1109/TMM.2020.2980944',
        kind='article'),
    2020: Paper(
        'J. Lokoč et al.',
        'Is the Reign of Interactive Search Eternal? – Findings from the Video Browser Showdown 2020',
        'ACM Transactions on Multimedia Computing, Communications, and Applications 17', 2021,
        url='https://doi.org/10.1145/3445031', kind='article'),
    2021: Paper(
        'S. Heller et al.',
        'Interactive video retrieval evaluation at a distance: comparing sixteen interactive video search '
        'systems in a remote setting at the 10th Video Browser Showdown',
        'International Journal of Multimedia Information Retrieval 11', 2022, kind='article'),
    2022: Paper(
        'J. Lokoč et al.',
        'Interactive video retrieval in the age of effective joint embedding deep models: lessons from the '
        '11th VBS', 'Multimedia Systems 29', 2023, kind='article'),
}


class VbsSegments(CampaignQrels):
    """Judged parts of videos with their times, or known items in frames. These, and single frames among those, need the
    frame rates of their videos: set ``frame_rate`` (one, or one a video), or put a file ``frame_rates.txt`` beside the
    judgements."""

    def __init__(self, file: CampaignFile, read: Callable[..., Sequence[Any]] = vbs.read_dres,
                 format: str = 'vbs-dres', **settings: Any):
        self._judgements, self._reader = SegmentQrels(format), read
        super().__init__(self._read, [file], self._judgements.cls, **settings)
        self.frame_rate: Any = None

    def state(self) -> Any:
        rates = self.files[0].location.with_name(FRAME_RATES)
        rate = self.frame_rate
        return super().state(), state_of(rates), dict(rate) if isinstance(rate, Mapping) else rate

    def qrels_iter(self) -> Iterator[Any]:
        yield from self._judgements.walk(self.files[0].path(), self._judged)

    def _read(self, path: str) -> list[Any]:
        return self._judgements.rows(self._judged(path), path)

    def _judged(self, path: str) -> Sequence[Any]:
        rates = Path(path).with_name(FRAME_RATES)
        rate = self.frame_rate or (read_frame_rates(rates) if rates.exists() else None)
        return self._reader(path, rate, f'put their frame rates into {rates}, lines of video and frames per second')


class _ServerQrels(SegmentQrels):
    """Judged shots of the server of 2018 to 2020."""

    def __init__(self) -> None:
        super().__init__('trecvid-shots')

    def __reduce__(self) -> Any:
        return type(self), ()

    def __call__(self, path: Any) -> list[Any]:
        return self.rows(vbs_server.read_judged(path), path)

    def walk(self, path: Any, read_all: Any = None) -> Iterator[Any]:
        yield from self(path)


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year in range(2021, 2025):
        folder = f'vbs-avs/{year}'
        queries = CampaignQueries(read_text_queries, [
            CampaignFile(folder, f'avs.vbs{year}.topics.txt', how=_HOW.format(year))], GenericQuery, 'en', 'vbs-avs')
        _register(folder, f'Video Browser Showdown {year}, ad hoc tasks', 'Shots of V3C that were found interactively, '
                  'with strata. Here the rows of a table of shots count from 0.', ('xinfAP',), year, queries,
                  CampaignQrels(SegmentQrels('trecvid-strata'), [
                      CampaignFile(folder, f'avs.vbs{year}.txt', how=_HOW.format(year))], defs=SAMPLED))
        name = f'avs.vbs{year}_dres.txt'
        file = CampaignFile(folder, name, how=_HOW.format(year))
        if year == 2022:
            file = CampaignFile(folder, name, 'aa4c60e156a4c61b3ab05c43ba04ec72',
                                f'{_RAW}/546eb127b8e8d6f2ef882cf6f1a02a8586c97dd6/{name}')
        _register(f'{folder}/segments', f'Video Browser Showdown {year}, ad hoc tasks, segments',
                  'The judged parts of videos with their times.', (), year, queries, VbsSegments(file, defs=SAMPLED),
                  counts={'qrels': 10_129} if year == 2022 else None)
    for year in range(2018, 2021):
        _register_server(year)
    tasks = 'VBS_TextualQueries_19-24.json'
    file = CampaignFile('vbs-kis', tasks, None, f'{_RAW}/41e80cac80779e5007cc5a6b0c461b61d4a4ec1b/aggregated/{tasks}',
                        read=vbs_tasks.read_vbs_items)
    _register('vbs-kis/textual', 'Video Browser Showdown 2019-24, textual known-item tasks', 'One part of a video of '
              'V3C for a text about it, which was shown in up to three steps.', ('RR_over',), 2022,
              CampaignQueries(vbs_tasks.read_vbs_tasks, [file], vbs_tasks.VbsTask, 'en', 'vbs-kis'),
              CampaignQrels(SegmentQrels('vbs-kis'), [file], defs={1: 'known item'}))


def _tasks_of(kind: str, path: str) -> list[vbs_tasks.VbsTask]:
    return [task for task in vbs_server.read_server_tasks(path) if task.type.startswith(kind)]


def _register_server(year: int) -> None:
    """The tasks of a year and their answers, as the server of 2018-20 kept them."""
    def server_file(name: str) -> CampaignFile:
        read = vbs_server.read_judged if name.startswith('submissions') else vbs_server.read_server_tasks
        return CampaignFile(f'vbs-server/{year}', name, None, f'{_RAW}/{_SERVER}/{year}/{name}', read=read)

    def tasks_of(kind: str, file: CampaignFile) -> CampaignQueries:
        return CampaignQueries(partial(_tasks_of, kind), [file], vbs_tasks.VbsTask, 'en', 'vbs')
    suffix, collection = ('csv', 'iacc3') if year == 2018 else ('db', 'v3c1')
    tasks, answers = server_file(f'tasks.{suffix}'), server_file(f'submissions.{suffix}')
    judgements, title = _ServerQrels(), f'Video Browser Showdown {year}'
    desc = f'Shots of {"IACC.3" if year == 2018 else "V3C1"} that were found interactively, as far as they were judged.'
    _register(f'vbs-avs/{year}', f'{title}, ad hoc tasks', desc, ('AP', 'P@10'), year, tasks_of('AVS', tasks),
              CampaignQrels(judgements, [answers], defs=_JUDGED))
    tables = ShotTables(f'vbs-server/{year}', collection=f'trecvid-shots/{collection}')
    _register(f'vbs-avs/{year}/segments', f'{title}, ad hoc tasks, segments', f'{desc} Judged shots are segments of '
              'videos, by tables of the shots.', (), year, tasks_of('AVS', tasks),
              ShotSegments(judgements, answers, tables, defs=_JUDGED))
    # In 2018 another session had textual tasks alone.
    sessions = {'': tasks, **({'/textual': server_file('tasks_textual.csv')} if year == 2018 else {})}
    for session, file in sessions.items():
        _register(f'vbs-kis/{year}{session}', f'{title}, known-item tasks{session.replace("/", ", ")}', 'One part of a '
                  'video for texts about it, or for the part itself, which was shown: these tasks have no text. Frame '
                  f'rates are needed, in a file {FRAME_RATES} beside the tasks.', ('RR_over',), year,
                  tasks_of('KIS', file), VbsSegments(file, vbs_server.read_server_items, 'vbs-kis',
                                                     defs={1: 'known item'}))


def _register(id: str, title: str, desc: str, official: tuple[str, ...], year: int, *handlers: Any,
              counts: dict[str, int] | None = None) -> None:
    files = {file.name: file for handler in handlers for file in handler.files}.values()
    how = '; '.join(f'{file.name}: ' + ('downloaded when it is first read' if file.url else file.how) for file in files)
    register_dataset(id, Documentation(title, desc, official, _SOURCE, 'none stated', how, _PAPERS[min(year, 2022)]),
                     *handlers, counts=counts)
