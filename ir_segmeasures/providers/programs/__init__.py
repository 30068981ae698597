"""Benchmarks' own programs: their figures of files as they are. One table says which programs there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_segmeasures.providers.programs.program import Program

__all__ = ['PROGRAMS', 'judgements_of', 'set_judgements']

# Where the declaration of a program is; each is imported when it is first used.
_MODULES = {
    'qvhighlights': 'qvhighlights:QVHIGHLIGHTS',
    'castella': 'castella:CASTELLA',
    'charades_sta': 'charades_sta:CHARADES_STA',
    'timelens': 'timelens:TIMELENS',
    'ego4d_nlq': 'ego4d_nlq:EGO4D_NLQ',
    'activitynet': 'activitynet:ACTIVITYNET',
    'soccer_gmr': 'soccer_gmr:SOCCER_GMR',
    'tvr': 'campaigns.tvr:TVR',
    'tvr_ranking': 'tvr_ranking:TVR_RANKING',
    'sh_eval': 'campaigns.search_and_hyperlinking:SH_EVAL',
    'anchoring': 'campaigns.search_and_hyperlinking:ANCHORING',
    'inex_eval': 'campaigns.inex:INEX_EVAL',
    'trecgen2007': 'campaigns.genomics:TRECGEN2007',
    'sample_eval': 'campaigns.trecvid:SAMPLE_EVAL',
    'chunking_evaluation': 'campaigns.chunks:CHUNKING_EVALUATION',
    'legalbenchrag': 'campaigns.chunks:LEGALBENCHRAG',
}


class _Programs(Mapping[str, 'Program']):
    """The declarations of programs by their names."""

    def __getitem__(self, name: str) -> Program:
        module, _, constant = _MODULES[name].partition(':')
        program: Program = getattr(import_module(f'{__name__}.{module}'), constant)
        return program

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


PROGRAMS: Mapping[str, Program] = _Programs()

_find: Callable[[str], Any] | None = None


def set_judgements(find: Callable[[str], Any]) -> None:
    """Lets an id of a dataset stand for a file of truth: id → the handler of its judgements, as ir_datasets has it."""
    global _find
    _find = find


def judgements_of(dataset: str) -> Any:
    """The handler of the judgements of a dataset.

    Raises:
        ValueError: there is no such dataset
    """
    if _find is None:
        raise ValueError('no dataset can be looked up: import ir_segmeasures first')
    return _find(dataset)
