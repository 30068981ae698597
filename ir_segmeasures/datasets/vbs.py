"""The Video Browser Showdown (VBS): ad hoc tasks with judged shots, and textual known-item tasks.

The judgements of 2022 with times, and the textual tasks of 2019-24, are downloaded from the archive of the VBS as they
were at one commit; the other files are in an archive there, which people unpack.
"""

from pathlib import Path
from typing import Any

from ir_datasets.formats import GenericQuery

from ir_segmeasures.datasets.base import (
    CampaignFile,
    CampaignQrels,
    CampaignQueries,
    Documentation,
    SegmentQrels,
    register,
)
from ir_segmeasures.datasets.trecvid import FRAME_RATES, SAMPLED, read_frame_rates, read_text_queries
from ir_segmeasures.formats.trecvid import vbs, vbs_tasks

__all__ = ['VbsSegments', 'register_all']

_SOURCE = 'https://github.com/lucaro/VBS-Archive'
_RAW = 'https://raw.githubusercontent.com/lucaro/VBS-Archive'
_HOW = f'unpack it from {_SOURCE}/blob/main/avsjudgements/avs_judgements2021_2024.zip'
_CITATIONS = {
    2021: 'S. Heller et al.: Interactive video retrieval evaluation at a distance: comparing sixteen interactive video '
          'search systems in a remote setting at the 10th Video Browser Showdown. International Journal of Multimedia '
          'Information Retrieval 11, 2022.',
    2022: 'J. Lokoč et al.: Interactive video retrieval in the age of effective joint embedding deep models: lessons '
          'from the 11th VBS. Multimedia Systems 29, 2023.',
}


class VbsSegments(CampaignQrels):
    """Judged parts of videos with their times. Single frames among them need the frame rates of their videos: set
    ``frame_rate`` (one, or one a video), or put a file ``frame_rates.txt`` beside the judgements."""

    def __init__(self, file: CampaignFile, **settings: Any):
        self._judgements = SegmentQrels('vbs-dres')
        super().__init__(self._read, [file], self._judgements.cls, **settings)
        self.frame_rate: Any = None

    def _read(self, path: str) -> list[Any]:
        rates = Path(path).with_name(FRAME_RATES)
        rate = self.frame_rate or (read_frame_rates(rates) if rates.exists() else None)
        judged = vbs.read_dres(path, rate, f'put their frame rates into {rates}, lines of video and frames per second')
        return self._judgements.rows(judged, path)


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year in range(2021, 2025):
        folder = f'vbs-avs/{year}'
        queries = CampaignQueries(read_text_queries, [
            CampaignFile(folder, f'avs.vbs{year}.topics.txt', how=_HOW)], GenericQuery, 'en', 'vbs-avs')
        _register(folder, f'Video Browser Showdown {year}, ad hoc tasks', 'Shots of V3C that were found interactively, '
                  'with strata. Here the rows of a table of shots count from 0.', ('xinfAP',), year, queries,
                  CampaignQrels(SegmentQrels('trecvid-strata'), [
                      CampaignFile(folder, f'avs.vbs{year}.txt', how=_HOW)], defs=SAMPLED))
        name = f'avs.vbs{year}_dres.txt'
        file = CampaignFile(folder, name, how=_HOW)
        if year == 2022:
            file = CampaignFile(folder, name, 'aa4c60e156a4c61b3ab05c43ba04ec72',
                                f'{_RAW}/546eb127b8e8d6f2ef882cf6f1a02a8586c97dd6/{name}')
        _register(f'{folder}/segments', f'Video Browser Showdown {year}, ad hoc tasks, segments',
                  'The judged parts of videos with their times.', (), year, queries, VbsSegments(file, defs=SAMPLED),
                  counts={'qrels': 10_129} if year == 2022 else None)
    tasks = 'VBS_TextualQueries_19-24.json'
    file = CampaignFile('vbs-kis', tasks, None, f'{_RAW}/41e80cac80779e5007cc5a6b0c461b61d4a4ec1b/aggregated/{tasks}',
                        read=vbs_tasks.read_known_items)
    _register('vbs-kis/textual', 'Video Browser Showdown 2019-24, textual known-item tasks', 'One part of a video of '
              'V3C for a text about it, which was shown in up to three steps.', ('RR_over',), 2022,
              CampaignQueries(vbs_tasks.read_tasks, [file], vbs_tasks.VbsTask, 'en', 'vbs-kis'),
              CampaignQrels(SegmentQrels('vbs-kis'), [file], defs={1: 'known item'}))


def _register(id: str, title: str, desc: str, official: tuple[str, ...], year: int, *handlers: Any,
              counts: dict[str, int] | None = None) -> None:
    files = {file.name: file for handler in handlers for file in handler.files}.values()
    how = '; '.join(f'{file.name}: ' + ('downloaded when it is first read' if file.url else file.how) for file in files)
    register(id, Documentation(title, desc, official, _SOURCE, 'none stated', how,
                               _CITATIONS[min(max(year, 2021), 2022)]), *handlers, counts=counts)
