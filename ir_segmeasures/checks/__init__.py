"""Runs and judgements held against the rules of their campaigns, which are attributes of their formats.

What a format's own reader refuses is a violation too, and what an evaluation of the whole file warns of is a warning.
"""

import os
import warnings as python_warnings
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures import formats
from ir_segmeasures.checks.checked_file import CheckedFile, known_lengths, positions_of
from ir_segmeasures.checks.mending import MENDS, Mended, mend
from ir_segmeasures.checks.rules import REL, RULES
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, has_suffix, read_bytes
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.requests import ReadRequest, files_of_kind
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.positions import NO_UNIT
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.warnings import comparison_warnings, empty_warning, no_relevant_warning

__all__ = ['MENDS', 'OPTIONS', 'RULES', 'Finding', 'Mended', 'check', 'format_of_qrels', 'mend']

OPTIONS = ('videos', 'queries', 'anchors', 'task', 'subset')  # beside the qrels of a run


class Finding(NamedTuple):
    """A place that breaks a rule.

    Attributes:
        line: its number, from 1; None where the file as a whole is meant, or the format's reader does not tell lines:
            then the sentence names the query, and the rank in it
        sentence: what is wrong, the rule and the repair
        is_warning: whether it is not a violation, but may be a mistake
        path: of the file; where a folder is checked, that of the file in it if the reader tells
        rule: the name of the rule, a function of :mod:`ir_segmeasures.checks.rules`; ``'readable'`` for what the
            reader says, ``'whole_file'`` where an evaluation of all rows says so
    """

    line: int | None
    sentence: str
    is_warning: bool
    path: str
    rule: str = ''

    def __str__(self) -> str:
        place = self.path if self.line is None else f'{self.path}, line {self.line}'
        return f'{place}: {"warning: " if self.is_warning else ""}{self.sentence}'


def _goes_with(option: str, format: Format) -> bool:
    rules = format.rules('run')
    return option in (*format.lists, *format.qrels.options, *(format.run.options if format.run else ()),
                      *(['task'] if rules and rules.tasks else []))


def format_of_qrels(qrels: StrPath, format: str) -> str:
    """The format of the judgements of a run: that of the run, or TREC's where the run's ending alone tells its format.
    """
    return formats.format_at(qrels, 'trec' if format in formats.SUFFIXES.values() else format)


def check(path: StrPath, format: str, kind: str = 'run', *, qrels: StrPath | None = None,
          videos: StrPath | None = None, queries: StrPath | None = None, anchors: StrPath | None = None,
          task: str | None = None, ids: str | None = None, ids_unit: str | None = None,
          table: Mapping[str, Any] | StrPath | None = None, subset: str | None = None, lines_from: int | None = None,
          inclusive: bool = False, texts: Any = None, unlocated: str | None = None,
          lengths: Mapping[str, float] | None = None) -> list[Finding]:
    """Checks a file against the rules of its campaign. A rule that needs a file that is not given is left out.

    Args:
        path: the file, ``.gz`` by suffix; or a folder, where the format's reader takes one
        format: of the file, one of ``formats.FORMATS``
        kind: ``'run'`` or ``'qrels'``
        qrels: the judgements of a run, in its format; beside a run that is known by its ending, TREC's will do
        videos: the list of all videos, ``id HH:MM:SS`` or as :func:`~ir_segmeasures.formats.texts.read_sizes` reads it
        queries: the list of all queries: lines of an id, a tab and a text, ``.csv`` with ``qid`` and ``query``, XML of
            Search & Hyperlinking, or the topics of the campaign
        anchors: the list of all anchors, XML
        task: of an INEX run, one of ``TASKS``, whose rules are violations then; of other formats, what their reader
            takes as ``task``
        ids, table: the pattern of the file's ids, or a table of their extents or its path, as for
            :func:`ir_segmeasures.formats.read_run`
        ids_unit: what their numbers count; characters with a pattern and seconds with a table, if it is not given
        subset: of the videos whose judgements are read, in formats that have several
        lines_from, inclusive, texts, unlocated: how lines are counted and quotes are located, as for
            :func:`ir_segmeasures.formats.read_run`
        lengths: document → its length, in the unit of the file

    Returns:
        in the order of the lines, violations of a line before warnings; where there are no lines, rule by rule; last
        what an evaluation says of the whole file

    Examples:
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.checks import check
        >>> check(sample.path('good.run'), 'trec', qrels=sample.path('qrels.txt'))
        []
        >>> print(check(sample.path('qrels.txt'), 'trec', 'qrels')[0].sentence)
        59.9-94 of 'bees-01' overlaps 31.2-67.9 in line 2, which is of the same query

    Raises:
        FormatError: the file is not text, or one of the others breaks a rule of its format
        ValueError: there is no such format, or none of this kind; an argument does not go with it
        OSError: a file cannot be opened
    """
    format = formats.format_at(path, format)
    campaign, files = formats.format_of(format), files_of_kind(format, kind)
    rules: Any = campaign.rules(kind)
    options = {'qrels': qrels, 'videos': videos, 'queries': queries, 'anchors': anchors, 'task': task, 'subset': subset}
    for option in (name for name, value in options.items() if value is not None):
        if kind != 'run' and option in ('qrels', 'task'):
            raise ValueError(f'{option} only goes with a run (kind run)')
        if option in OPTIONS and not _goes_with(option, campaign):
            having = ', '.join(name for name, other in formats.FORMATS.items() if _goes_with(option, other))
            raise ValueError(f'{option} does not go with format {format}, but with {having}')
    if task is not None and rules.tasks and task not in rules.tasks:
        raise ValueError(f'task {quoted(task)} is not known (there are: {", ".join(rules.tasks)})')
    read = partial(ReadRequest, ids=ids, table=table, unit=ids_unit, subset=subset, lines_from=lines_from,
                   inclusive=inclusive, texts=texts, unlocated=unlocated)
    request = read(path, kind, format, task=None if rules.tasks else task)
    name = os.fspath(path)
    with python_warnings.catch_warnings(record=True) as said:
        python_warnings.simplefilter('always')
        rows, errors, is_complete = _read(request, files)
    rows, places, unread = positions_of(*request.with_known_ids(rows), kind, campaign)
    faults = [Finding(error.line, error.sentence, False, error.path, 'readable') for error in errors]
    faults += [Finding(line, sentence, False, name, 'readable') for line, sentence in unread]
    if len(faults) > 3 and not len(rows) and len({fault.sentence for fault in faults}) == 1:
        faults = [faults[0]._replace(sentence=f'{faults[0].sentence}; so are all {len(faults)} lines')]
    file = CheckedFile(campaign, rules, rows, places, is_complete and not unread, lengths=known_lengths(rows),
                       sized=lengths or {})
    file.answered = {*file.query_ids(), *(files.queries(path) if files.queries is not None and not errors else ())}
    judged: Any = None
    if qrels is not None:
        judging = read(qrels, 'qrels', format_of_qrels(qrels, format))
        judged, _ = judging.with_known_ids(_in_columns(judging.read(), 'qrels'))
        file.judged = {row.query_id for row in judged}, os.fspath(qrels)
        file.lengths |= known_lengths(judged)
    _add_lists(file, queries, anchors, videos)
    file.lengths |= {(document, UNITS[unit]): length for unit in {*places.unit.tolist()} - {NO_UNIT}
                     for document, length in file.sized.items()}
    found = faults + [Finding(None if row is None else file.item(row).line, sentence, is_warning, name,
                              getattr(rule, '__name__', rule))
                      for rule, is_warning in _applied(rules, kind, task).items() if len(file)
                      for row, sentence in RULES.get(rule, rule)(file)]
    found += [Finding(None, sentence, True, name, rule) for rule, sentences in (
        ('with_attributes', files.lacks(path) if files.lacks and not errors else ()),
        ('readable', [str(warning.message).removeprefix(f'{name}: ') for warning in said])) for sentence in sentences]
    known = {finding.line for finding in found if not finding.is_warning}
    of_all = () if faults and not len(file) else _of_evaluation(kind, file, judged)
    return list(dict.fromkeys(sorted(found, key=lambda finding: finding.line or 0))) + [
        Finding(line, sentence, is_warning, name, 'whole_file') for line, sentence, is_warning in of_all
        if line is None or line not in known]


def _applied(rules: Rules, kind: str, task: str | None) -> dict[Any, bool]:
    """The names of the rules of a file, and whether the breach of each is a warning."""
    of_tasks = {rule for group in rules.tasks.values() for rule in group} if task in rules.tasks else set()
    declared: dict[Any, Any] = {'most_items': rules.most, 'ids_of_the_campaign': rules.ids,
                                'known_end': kind == 'run' and rules.measured, 'known_length': True}
    return {**dict.fromkeys((*rules.violations, *rules.tasks.get(task or '', ())), False),
            **{rule: True for rule in (*rules.warnings, *declared) if rule not in of_tasks and declared.get(rule, 1)}}


def _read(request: ReadRequest, files: Files) -> tuple[FileRows[Any], list[FormatError], bool]:
    """The rows of a file that can be read, the errors of the others, and whether all lines can be read."""
    rows: Any
    rows, errors = files.check(request.path) if request.is_plain else ((), [])
    is_complete = not errors
    try:  # which tells what is wrong between lines, too
        if is_complete and files.lines is not None and files.read == files.lines.read and len(rows):
            files.lines.finished(request.path, rows.taken(np.arange(len(rows))))
        elif is_complete:
            read = request.read()
            rows = rows if len(rows) else read
    except FormatError as error:
        errors = [error]
    return _in_columns(rows, request.kind), errors, is_complete


def _in_columns(rows: Any, kind: str) -> FileRows[Any]:
    """The rows of any reader as columns."""
    if isinstance(rows, FileRows) and len(rows):
        return rows
    return FileRows.of(type(rows[0]) if len(rows) else TrecScoredDoc if kind == 'run' else TrecQrel, rows)


def _add_lists(file: CheckedFile, queries: StrPath | None, anchors: StrPath | None, videos: StrPath | None) -> None:
    """Adds what the lists beside a file say."""
    from ir_segmeasures.formats import mediaeval as lists  # most files are checked by themselves
    from ir_segmeasures.formats.texts import read_sizes, read_tabs
    if queries is not None:
        head = b'' if os.path.isdir(queries) else read_bytes(queries, 1 << 10).lstrip(b'\xef\xbb\xbf\xfe\xff\0 \r\n\t')
        read = file.format.read_queries or (lists.read_queries if head.startswith(b'<') else None)
        if read is None or has_suffix(queries, ('.csv', '.tsv', '.xlsx')):
            read = partial(read_tabs, what='query')
        file.queries = {query_id for query_id, *_ in read(queries)}, os.fspath(queries)
    if anchors is not None:
        file.anchors = {anchor.query_id: anchor for anchor in lists.read_anchors(anchors)}
        file.queries = set(file.anchors), os.fspath(anchors)
    if videos is not None:
        durations = {file.format.read_video(id): length for id, length in read_sizes(videos).items()}
        file.videos = set(durations), os.fspath(videos)
        file.lengths |= {(id, 't'): length for id, length in durations.items()}


def _of_evaluation(kind: str, file: CheckedFile, judged: Sequence[Any] | None) -> list[tuple[int | None, str, bool]]:
    """The sentences of an evaluation of all rows: the line or None, a sentence, and whether it is a warning."""
    doubts: list[str | None] = []
    try:
        table = (SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels)(file.rows, elements=True)
        doubts = [empty_warning(table), no_relevant_warning(table, REL) if kind == 'qrels' else None]
        qrels, documents = table if kind == 'qrels' else None, False
        if kind == 'run' and judged is not None:
            qrels = SegmentTable.from_qrels(judged, elements=True)
            documents = not (qrels.units() | table.units()) and not np.isfinite(qrels.end).any()
            # Rules tell each line that is there twice.
            doubts = [*comparison_warnings(Match(qrels, table), rows=documents, twice=False),
                      no_relevant_warning(qrels, REL)]
        # Measures of elements need no offsets, and shots no times.
        if qrels is not None and not documents and qrels.paths is None and (kind == 'run' or file.rules.measured):
            qrels.relevant_rows(REL)
    except RowError as error:
        if error.kind == kind:
            return [(file.item(error.row).line, error.sentence, False)]
        doubts.append(f'its judgements are refused: {error}')
    return [(None, sentence, True) for sentence in filter(None, doubts)]
