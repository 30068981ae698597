"""The first line of a spreadsheet, which names its columns as people and programs write them."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.sheets import first_cells
from ir_segmeasures.segments.quoting import joined, quoted

__all__ = ['SheetColumns', 'is_header', 'is_spreadsheet', 'named_columns']

# The names of columns, without blanks and signs; of several that are there, the first in this order. Those behind the
# usual ones are of tables of events: of DCASE and DESED, of Raven and BirdNET, and of EPIC-Kitchens.
_FILES = ('videoid', 'video', 'recordingid', 'recording', 'filename', 'file', 'audio', 'beginfile', 'beginpath')
_QUERY = ('queryid', 'qid', 'topicid', 'topic', 'query', 'question', 'eventlabel', 'species', 'commonname',
          'scientificname', 'narration', 'episode')
_DOCUMENT = ('docno', 'docid', 'documentid', 'document', 'doc', *_FILES, 'corpusid', 'pid')
_START = ('start', 'starttime', 'begin', 'begintime', 'from', 'onset', 'starttimestamp')
_END = ('end', 'endtime', 'stop', 'to', 'until', 'stoptimestamp', 'endtimestamp')
_LENGTH = ('length', 'duration')
_VALUE = {'qrels': ('relevance', 'grade', 'label', 'rel', 'relevant', 'judgement', 'judgment', 'score'),
          'run': ('score', 'rank', 'confidence')}
_REPAIRS = {'queries': 'query', 'documents': 'file'}

_UNIT = re.compile(r'[\W_]+(?:s|secs?|seconds|(?:hh:)?mm:ss)\W*$')


class SheetColumns(NamedTuple):
    """The places of columns in a spreadsheet.

    Attributes:
        query, document: the columns of ids
        value: that of the grade, of the score or of the rank; None where there is none
        times: those of the start, and of the end or the length; empty where there are none
        of_files: whether documents are named as files are
        has_rank: whether the value is a rank
        has_length: whether the second of ``times`` is a length
    """
    query: int
    document: int
    value: int | None
    times: tuple[int, ...]
    of_files: bool
    has_rank: bool
    has_length: bool


def is_header(cells: Sequence[str]) -> bool:
    """Whether the cells of a line name the columns of a spreadsheet."""
    names = list(map(_folded, cells))
    return all(any(name in names for name in wanted) for wanted in (_QUERY, _DOCUMENT))


def _folded(name: str) -> str:
    return re.sub(r'[\W_]+', '', _UNIT.sub('', name.strip().casefold()))


def is_spreadsheet(path: StrPath) -> bool:
    """Whether a file whose name ends as that of a spreadsheet is one, and none of TREC with such a name: its first line
    names columns, or is parted by commas or tabs into other fields than those of TREC."""
    name = os.fspath(path).lower().removesuffix('.gz')
    if not name.endswith(('.csv', '.tsv')):
        return True
    cells = first_cells(path)
    blanks = ' '.join(','.join(cells.get(',', ())).split() or cells.get('\t', ())).split()
    number = {4: 3, 6: 4}.get(len(blanks))  # the first comma is that of a segment's id
    of_trec = number is not None and finite_number(blanks[number]) is not None
    parted = ',;' if name.endswith('.csv') else '\t'
    return any(map(is_header, cells.values())) or (not cells.keys().isdisjoint(parted) and not of_trec)


def named_columns(cells: Sequence[str], kind: str) -> SheetColumns:
    """The columns that the cells of the first line name. Raises ``ValueError`` where one is missing."""
    names = list(map(_folded, cells))

    def place(wanted: Sequence[str]) -> int | None:
        found = next((name for name in wanted if name in names), None)
        if found is None:
            return None
        if names.count(found) > 1:
            raise ValueError(f'two columns are called {quoted(cells[names.index(found)])}: give each a name of its own')
        return names.index(found)

    def needed(wanted: Sequence[str], what: str) -> int:
        found = place(wanted)
        if found is None:
            raise ValueError(f'the first line names no column of {what} (it has {joined(cells)}), but each row of a '
                             f'spreadsheet has one: call it {quoted(_REPAIRS[what])}')
        return found
    query, document, value = needed(_QUERY, 'queries'), needed(_DOCUMENT, 'documents'), place(_VALUE[kind])
    if kind == 'run' and value is None and (judged := place(_VALUE['qrels'])) is not None:
        raise ValueError(f'the first line names no column of scores or ranks, but one of grades, '
                         f"{quoted(cells[judged])}: give the file as judgements, or add a column 'score'")
    # The offset is an end beside an onset, and a start beside a length.
    start, end = place(_START), place([*_END, *_LENGTH, *(['offset'] if 'onset' in names else [])])
    if (start is None) != (end is None):
        have, lack = ('start', 'end') if end is None else ('end', 'start')
        raise ValueError(f'the first line names a column of {have}s and none of {lack}s (it has {joined(cells)}), but '
                         f'a segment takes both: add a column {quoted(lack)}')
    if start is None:
        for cell in cells:
            if re.split(r'[\W_]+', cell.strip().casefold())[0] in (*_START, *_END):
                raise ValueError(f'the column {quoted(cell)} is not in seconds as its name tells, but times are '
                                 "seconds or mm:ss: convert them, and call the columns 'start' and 'end'")
    times: tuple[int, ...] = () if start is None or end is None else (start, end)
    return SheetColumns(query, document, value, times, names[document] in _FILES,
                        value is not None and names[value] == 'rank', bool(times) and names[times[1]] in _LENGTH)
