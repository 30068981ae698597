"""The registry of formats: the module of each, and what else :mod:`ir_segmeasures.formats` gives.

A package of somebody else adds a format by an entry point of the group ``ir_segmeasures.formats``, whose name is that
of the format and whose object is its :class:`~ir_segmeasures.formats.files.format.Format`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from ir_segmeasures.formats.files.format import Format

GROUP = 'ir_segmeasures.formats'

# The formats of each module, the everyday ones first. The object of a format has its name, in capitals. A command needs
# one format of many, so each is imported when it is first used.
_FORMATS_OF = {
    '.trec': 'trec beir ranx msmarco',
    '.spreadsheets': 'csv tsv',
    '.parquet': 'parquet',
    '.moments': 'moments saliency',
    '.evidence': 'evidence chunking-evaluation legalbench-rag squad chunks',
    '.answers': 'answers trec-rag',
    '.rttm': 'rttm',
    '.mediaeval': 'sh-search sh-linking sh-known-item sh-anchoring',
    '.genomics': 'genomics',
    '.tvr': 'tvr',
    '.grounding': 'ego4d-nlq activitynet activitynet-captions next-gqa',
    '.inex.passages': 'inex-fol',
    '.inex.xml': 'inex-xml',
    '.trecvid.judgements': 'trecvid-shots trecvid-strata',
    '.trecvid': 'trecvid-avs trecvid-search trecvid-2001',
    '.trecvid.vbs': 'vbs-dres vbs-kis',
    '.podcasts': 'podcasts',
    '.annotations': 'judgements label-studio audacity'}
MODULES = {name: module for module, names in _FORMATS_OF.items() for name in names.split()}
# The endings of files that are in one format whoever wrote them; of those of spreadsheets, some are TREC's.
SUFFIXES = {'.parquet': 'parquet', '.csv': 'csv', '.tsv': 'tsv', '.rttm': 'rttm',
            **dict.fromkeys(('.xlsx', '.xlsm', '.xls', '.ods'), 'csv')}
# How files in JSON begin whose format no ending tells, as the judging page and Label Studio write them.
HEADS = {'judgements': rb'\s*\{\s*"assessor"', 'label-studio': rb'\s*\[\s*\{\s*"id":\s*\d+,\s*"annotations"'}
# What can be had from ir_segmeasures.formats beside its modules, and where it is.
HOMES = {name: f'{module}:{name}' for module, names in {
    '.files.format': 'in_file', '.files.lines': 'Lines', '.files.writing': 'WriteError', '.genomics': 'GenomicsQrel',
    '.inex.assessments': 'InexElement', '.inex.passages': 'InexPathScoredDoc InexQrel InexScoredDoc',
    '.moment_windows': 'MomentQrel', '.requests': 'ReadRequest', '.transcripts': 'read_transcript read_transcripts',
    '.trecvid': 'ShotScoredDoc', '.trecvid.judgements': 'ShotQrel', '.trecvid.vbs': 'DresQrel',
}.items() for name in names.split()} | {
    'inex_assessments': '.inex.assessments', 'inex_xml': '.inex.xml', 'shots': '.trecvid.shot_tables',
    'vbs': '.trecvid.vbs'}


def imported(place: str) -> Any:
    """The module of a place, or the object in it behind a colon."""
    module, _, name = place.partition(':')
    found = import_module(module, GROUP)
    return getattr(found, name) if name else found


@cache
def _of_others() -> dict[str, Any]:
    from importlib.metadata import entry_points  # looked up when a name is not ours, or all are listed
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in MODULES}


class _Formats(Mapping[str, Format]):
    """The formats by name: those of :data:`MODULES`, and those of entry points."""

    def __getitem__(self, name: str) -> Format:
        format: Format = imported(f'{MODULES[name]}:{name.upper().replace("-", "_")}') if name in MODULES else (
            _of_others()[name].load())
        return format

    def __iter__(self) -> Iterator[str]:
        return iter([*MODULES, *_of_others()])

    def __len__(self) -> int:
        return len(MODULES) + len(_of_others())


FORMATS: Mapping[str, Format] = _Formats()
