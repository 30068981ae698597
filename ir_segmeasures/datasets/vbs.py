"""The Video Browser Showdown (VBS): ad hoc tasks with judged shots, and known-item tasks.

The tasks and answers of 2018-20, the judgements of 2022 with times, and the textual tasks of 2019-24, are downloaded
from the archive of the VBS as they were at one commit; the other files are in an archive there, which people unpack.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ir_datasets.formats import GenericQuery

from ir_segmeasures.datasets import trecvid
from ir_segmeasures.datasets.base import CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.trecvid import vbs

_SOURCE = 'https://github.com/lucaro/VBS-Archive'
_RAW = 'https://raw.githubusercontent.com/lucaro/VBS-Archive'
_SERVER = 'a5d7e9d54040be3af0f35274f0bfd2e87317978a'
_JUDGED = {0: 'not relevant', 1: 'relevant'}
_HOW = f'unpack that of {{}} from {_SOURCE}/blob/main/avsjudgements/avs_judgements2021_2024.zip'


def _with_rates(read: Callable[..., Sequence[Any]], path: str) -> Sequence[Any]:
    """Frames, or parts of which some are single frames. They need the frame rates of their videos, which a file
    ``frame_rates.txt`` beside them has."""
    rates = Path(path).with_name(trecvid.FRAME_RATES)
    return read(path, trecvid.read_frame_rates(rates) if rates.exists() else None,
                f'put their frame rates into {rates}, lines of video and frames per second')


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year in range(2021, 2025):
        folder, name = f'vbs-avs/{year}', f'avs.vbs{year}_dres.txt'
        queries = CampaignQueries(trecvid.read_text_queries, [
            CampaignFile(folder, f'avs.vbs{year}.topics.txt', how=_HOW.format(year))], GenericQuery, 'en', 'vbs-avs')
        register_dataset(folder, queries, CampaignQrels(SegmentQrels('trecvid-strata'), [
            CampaignFile(folder, f'avs.vbs{year}.txt', how=_HOW.format(year))], defs=trecvid.SAMPLED))
        file = CampaignFile(folder, name, how=_HOW.format(year))
        if year == 2022:
            file = CampaignFile(folder, name, 'aa4c60e156a4c61b3ab05c43ba04ec72',
                                f'{_RAW}/546eb127b8e8d6f2ef882cf6f1a02a8586c97dd6/{name}')
        register_dataset(f'{folder}/segments', queries, CampaignQrels(
            SegmentQrels('vbs-dres', partial(_with_rates, vbs.read_dres)), [file], defs=trecvid.SAMPLED),
                         counts={'qrels': 10_129} if year == 2022 else None)
    for year in range(2018, 2021):
        _register_server(year)
    tasks = 'VBS_TextualQueries_19-24.json'
    file = CampaignFile('vbs-kis', tasks, None, f'{_RAW}/41e80cac80779e5007cc5a6b0c461b61d4a4ec1b/aggregated/{tasks}',
                        read=vbs.read_vbs_items)
    register_dataset('vbs-kis/textual', CampaignQueries(vbs.read_vbs_tasks, [file], vbs.VbsTask, 'en',
                                                        'vbs-kis'),
                     CampaignQrels(SegmentQrels('vbs-kis'), [file], defs={1: 'known item'}))


def _tasks_of(kind: str, path: str) -> list[vbs.VbsTask]:
    return [task for task in vbs.read_server_tasks(path) if task.type.startswith(kind)]


def _register_server(year: int) -> None:
    """The tasks of a year and their answers, as the server of 2018-20 kept them."""
    def server_file(name: str) -> CampaignFile:
        read = vbs.read_judged if name.startswith('submissions') else vbs.read_server_tasks
        return CampaignFile(f'vbs-server/{year}', name, None, f'{_RAW}/{_SERVER}/{year}/{name}', read=read)

    def tasks_of(kind: str, file: CampaignFile) -> CampaignQueries:
        return CampaignQueries(partial(_tasks_of, kind), [file], vbs.VbsTask, 'en', 'vbs')
    suffix, collection = ('csv', 'iacc3') if year == 2018 else ('db', 'v3c1')
    tasks, answers, judgements = server_file(f'tasks.{suffix}'), server_file(f'submissions.{suffix}'), SegmentQrels(
        'trecvid-shots', vbs.read_judged)
    register_dataset(f'vbs-avs/{year}', tasks_of('AVS', tasks), CampaignQrels(judgements, [answers], defs=_JUDGED))
    tables = trecvid.ShotTables(f'vbs-server/{year}', collection=f'trecvid-shots/{collection}')
    register_dataset(f'vbs-avs/{year}/segments', tasks_of('AVS', tasks),
                     trecvid.ShotSegments(judgements, answers, tables, defs=_JUDGED))
    # In 2018 another session had textual tasks alone.
    sessions = {'': tasks, **({'/textual': server_file('tasks_textual.csv')} if year == 2018 else {})}
    for session, file in sessions.items():
        register_dataset(f'vbs-kis/{year}{session}', tasks_of('KIS', file), CampaignQrels(
            SegmentQrels('vbs-kis', partial(_with_rates, vbs.read_server_items)), [file],
            defs={1: 'known item'}))
