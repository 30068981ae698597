"""Runs and judgements held against the rules of their campaigns, which are attributes of their formats.

What a format's own reader refuses is a violation too, and what an evaluation of the whole file warns of is a warning.
"""

import os
import warnings as python_warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures import formats
from ir_segmeasures.checks.checked_file import CheckedFile, known_lengths, positions_of
from ir_segmeasures.checks.mending import MENDS, Mended, mend
from ir_segmeasures.checks.rules import REL, RULES, Rule
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import comparison_warnings, empty_warning, no_relevant_warning

__all__ = ['MENDS', 'OPTIONS', 'RULES', 'Finding', 'Mended', 'check', 'format_of_qrels', 'mend', 'refuse_options']

OPTIONS = ('videos', 'queries', 'anchors', 'task', 'subset')  # beside the qrels of a run
# What evaluation refuses in the files of any campaign, but for those that are not measured as they stand.
_MEASURED = {'run': Rules(('one_unit', 'unit_of_the_judgements'), ('known_end',)),
             'qrels': Rules(('judged_with_content', 'one_unit'))}


class Finding(NamedTuple):
    """A place that breaks a rule.

    Attributes:
        line: its number, from 1; None where the file as a whole is meant, or the format's reader does not tell lines:
            then the sentence names the query, and the rank in it
        sentence: what is wrong, the rule and the repair
        is_warning: whether it is no violation, but may be a mistake
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
    if option == 'subset':
        return option in format.qrels.options
    if option != 'task':
        return option in format.lists
    return format.run is not None and bool(_tasks(format) or 'task' in format.run.options)


def _tasks(format: Format) -> Mapping[str, Sequence[Any]]:
    rules = format.rules('run')
    return {} if rules is None else rules.tasks


def refuse_options(format: str, kind: str, given: Mapping[str, Any]) -> None:
    """Raises ``ValueError`` for the first of the given arguments of :func:`check` that does not go with a file."""
    for option, value in given.items():
        if kind != 'run' and option in ('qrels', 'task'):
            raise ValueError(f'{option} only goes with a run (kind run)')
        if option in OPTIONS and not _goes_with(option, formats.format_of(format)):
            having = ', '.join(name for name, other in formats.FORMATS.items() if _goes_with(option, other))
            raise ValueError(f'{option} does not go with format {format}, but with {having}')
        tasks = _tasks(formats.format_of(format))
        if option == 'task' and tasks and value not in tasks:
            raise ValueError(f'task {quoted(value)} is not known (there are: {", ".join(tasks)})')


def format_of_qrels(qrels: StrPath, format: str) -> str:
    """The format of the judgements of a run: that of the run, or TREC's where the run's ending alone tells its format.
    """
    return formats.format_at(qrels, 'trec' if format in formats.SUFFIXES.values() else format)


def check(path: StrPath, format: str, kind: str = 'run', *, qrels: StrPath | None = None,
          videos: StrPath | None = None, queries: StrPath | None = None, anchors: StrPath | None = None,
          task: str | None = None, ids: str | None = None, ids_unit: str | None = None,
          table: Mapping[str, Any] | StrPath | None = None, subset: str | None = None) -> list[Finding]:
    """Checks a file against the rules of its campaign. A rule that needs a file that is not given is left out.

    Args:
        path: the file, ``.gz`` by suffix; or a folder, where the format's reader takes one
        format: of the file, one of ``formats.FORMATS``
        kind: ``'run'`` or ``'qrels'``
        qrels: the judgements of a run, in its format; beside a run that is known by its ending, TREC's will do
        videos: the list of all videos, ``id HH:MM:SS``
        queries, anchors: the list of all queries or anchors, XML; of INEX, TRECVID and podcasts, their topics
        task: of an INEX run, one of ``TASKS``, whose rules are violations then; of other formats, what their reader
            takes as ``task``
        ids, table: the pattern of the file's ids, or a table of their extents or its path, as for
            :func:`ir_segmeasures.formats.read_run`
        ids_unit: what their numbers count; characters with a pattern and seconds with a table, if it is not given
        subset: of the videos whose judgements are read, in formats that have several

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
        FormatError: the file is no text, or one of the others breaks a rule of its format
        ValueError: there is no such format, or none of this kind; an argument does not go with it
        OSError: a file cannot be opened
    """
    format = formats.format_at(path, format)
    campaign = formats.format_of(format) if format in formats.FORMATS and kind in ('run', 'qrels') else None
    files, rules = (None, None) if campaign is None else (campaign.files(kind), campaign.rules(kind))
    if campaign is None or files is None or rules is None:
        raise ValueError(f'there are no rules for {kind} of format {quoted(format)}')
    options = {'qrels': qrels, 'videos': videos, 'queries': queries, 'anchors': anchors, 'task': task, 'subset': subset}
    refuse_options(format, kind, {name: value for name, value in options.items() if value is not None})
    violations, warnings = _applied(rules, kind, task)
    request = ReadRequest(path, kind, format, ids, table, ids_unit, None if rules.tasks else task, subset=subset)
    read_id = request.id_reader()
    with python_warnings.catch_warnings(record=True) as said:
        python_warnings.simplefilter('always')
        rows, errors = _read(request, files)
    rows, wrong = _with_read_ids(rows, read_id)
    name = os.fspath(path)
    kept, places, unread = positions_of(rows, wrong, kind, campaign)
    faults = [Finding(error.line, error.sentence, False, error.path, 'readable') for error in errors]
    for row, sentence in sorted(unread.items()):
        faults.append(Finding(None if rows.lines is None else int(rows.lines[row]), sentence, False, name, 'readable'))
    if len(faults) > 3 and not len(kept) and len({fault.sentence for fault in faults}) == 1:
        faults = [faults[0]._replace(sentence=f'{faults[0].sentence}; so are all {len(faults)} lines')]
    file = CheckedFile(campaign, rules, kept, places, sorted(fault.line for fault in faults if fault.line is not None),
                       lengths=known_lengths(kept), lacks=() if files.lacks is None or errors else files.lacks(path))
    file.answered = {*file.query_ids(), *(files.queries(path) if files.queries is not None and not errors else ())}
    judged = _with_others(file, campaign, qrels, videos, queries, anchors, read_id, subset, format)
    found = faults + [Finding(None if row is None else file.item(row).line, sentence, is_warning, name, rule.__name__)
                      for is_warning, group in ((False, violations), (True, warnings)) for rule in group
                      for row, sentence in (rule(file) if len(file) else ())]
    found += [Finding(None, _unnamed(str(warning.message), name), True, name, 'readable') for warning in said]
    known = {finding.line for finding in found if not finding.is_warning}
    of_all = () if faults and not len(file) else _of_evaluation(kind, file, judged)
    return list(dict.fromkeys(sorted(found, key=lambda finding: finding.line or 0))) + [
        Finding(line, sentence, is_warning, name, 'whole_file') for line, sentence, is_warning in of_all
        if line is None or line not in known]


def _applied(rules: Rules, kind: str, task: str | None) -> tuple[list[Rule], list[Rule]]:
    """The rules whose breach is a violation, and those whose breach is a warning."""
    own, ours = rules, _MEASURED[kind] if rules.measured else Rules()
    of_tasks = {rule for group in rules.tasks.values() for rule in group} if task in rules.tasks else set()
    violations = [*own.violations, *ours.violations, *rules.tasks.get(task or '', ())]
    warnings = [*(rule for rule in own.warnings if rule not in of_tasks), *(['most_items'] if rules.most else []),
                *(['ids_of_the_campaign'] if rules.ids else []), *ours.warnings]

    def found(rule: Any) -> Rule:
        return RULES[rule] if isinstance(rule, str) else rule
    return list(map(found, violations)), list(map(found, warnings))


def _read(request: ReadRequest, files: Files) -> tuple[FileRows[Any], list[FormatError]]:
    """The rows of a file that can be read, and the errors of the others."""
    errors: list[FormatError] = []
    rows: Any = ()
    if files.check is not None and request.is_plain:
        rows, errors = files.check(request.path)
    else:
        try:
            rows = request.read()
        except FormatError as error:
            errors = [error]
    if isinstance(rows, FileRows) and len(rows):
        return rows, errors
    row_type = type(rows[0]) if len(rows) else TrecScoredDoc if request.kind == 'run' else TrecQrel
    return FileRows.of(row_type, rows), errors


def _with_read_ids(rows: FileRows[Any],
                   read_id: Callable[[str], Segment] | None) -> tuple[FileRows[Any], dict[int, str]]:
    """The rows with segment ids, and for each row whose id cannot be read the sentence about it."""
    wrong: dict[int, str] = {}
    if read_id is not None and 'end' not in rows.columns:
        documents = rows.columns['doc_id'].copy()
        for row, id in enumerate(documents):
            try:
                documents[row] = format_segment(read_id(id))
            except ValueError as error:
                wrong[row] = str(error)
        rows.columns['doc_id'] = documents
    return rows, wrong


def _unnamed(sentence: str, name: str) -> str:
    return sentence.removeprefix(f'{name}: ')


def _with_others(file: CheckedFile, format: Format, qrels: StrPath | None, videos: StrPath | None,
                 queries: StrPath | None, anchors: StrPath | None, read_id: Any, subset: str | None,
                 name: str) -> Sequence[Any] | None:
    """Adds what the other files say; the judgements of a run, if they are given."""
    from ir_segmeasures.formats.mediaeval import lists  # most files are checked by themselves
    judged: Any = None
    if qrels is not None:
        judging = formats.format_of(format_of_qrels(qrels, name))
        judged = ReadRequest(qrels, 'qrels', judging.name, subset=subset).read()
        judged = _with_read_ids(judged, read_id)[0] if isinstance(judged, FileRows) else judged
        file.judged = {row.query_id for row in judged}, os.fspath(qrels)
        file.units, file.lengths = _units(judged, judging), {**file.lengths, **known_lengths(judged)}
    if queries is not None:
        listed = (format.read_queries or lists.read_queries)(queries)
        file.queries = {query.query_id for query in listed}, os.fspath(queries)
    if anchors is not None:
        file.anchors = {anchor.query_id: anchor for anchor in lists.read_anchors(anchors)}
        file.queries = set(file.anchors), os.fspath(anchors)
    if videos is not None:
        durations = {format.read_video(video.doc_id): video.duration for video in lists.read_videos(videos)}
        file.videos = set(durations), os.fspath(videos)
        file.lengths = {**file.lengths, **{(id, 't'): length for id, length in durations.items()}}
    return judged


def _units(rows: Sequence[Any], format: Format) -> dict[tuple[str, str], str]:
    """The units of the segments of each query and document, as far as the rows can be read."""
    found = {}
    for row in rows:
        if hasattr(row, 'end'):
            if format.unit is not None:
                found[row.query_id, row.doc_id] = format.unit
            continue
        with suppress(ValueError):
            segment = parse_segment(row.doc_id, elements=True)
            if segment.unit is not None:
                found[row.query_id, segment.document] = segment.unit
    return found


def _of_evaluation(kind: str, file: CheckedFile, judged: Sequence[Any] | None) -> list[tuple[int | None, str, bool]]:
    """What an evaluation of all rows says: the line or None, a sentence, and whether it is a warning."""
    doubts: list[str | None] = []
    try:
        table = (SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels)(file.rows, elements=True)
        doubts = [empty_warning(table), no_relevant_warning(table, REL) if kind == 'qrels' else None]
        if kind == 'run' and judged is not None:
            qrels = SegmentTable.from_qrels(judged, elements=True)
            documents = not (qrels.units() | table.units()) and not np.isfinite(qrels.end).any()
            # Rules tell each line that is there twice.
            doubts = [*comparison_warnings(Match(qrels, table), rows=documents, twice=False),
                      no_relevant_warning(qrels, REL)]
            if not documents and qrels.paths is None:  # measures of elements need no offsets
                qrels.relevant_rows(REL)
    except RowError as error:
        if error.kind == kind:
            return [(file.item(error.row).line, error.sentence, False)]
        doubts.append(f'its judgements are refused: {error}')
    return [(None, sentence, True) for sentence in filter(None, doubts)]
