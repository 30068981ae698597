"""Runs and judgements held against the rules of their campaigns: which rules a format has, and the check.

What a format's own reader refuses is a violation too.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ir_segmeasures import formats
from ir_segmeasures.checks import evaluation_rules, rules, submission_rules
from ir_segmeasures.checks.checked_lines import known_lengths, known_units, read_checked_lines, with_read_ids
from ir_segmeasures.checks.doubtful_lines import lines_in_question
from ir_segmeasures.checks.mending import MENDS, Mended, mend
from ir_segmeasures.checks.rules import Rule
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.quoting import quoted

__all__ = ['MENDS', 'OPTIONS', 'RULES', 'TASKS', 'Finding', 'Mended', 'Rules', 'check', 'mend', 'refuse_options',
           'rules_of']


class Finding(NamedTuple):
    """A place that breaks a rule.

    Attributes:
        line: its number, from 1; None where the file as a whole is meant, or the format's reader does not tell lines:
            then the sentence names the query, and the rank in it
        sentence: what is wrong, the rule and the repair
        is_warning: whether it is no violation, but may be a mistake
        path: of the file; where a folder is checked, that of the file in it if the reader tells
        rule: the name of the rule, a function of :mod:`ir_segmeasures.checks.rules`,
            :mod:`ir_segmeasures.checks.submission_rules` or :mod:`ir_segmeasures.checks.evaluation_rules`;
            ``'whole_file'`` where an evaluation of all rows says so, empty where the reader does
    """

    line: int | None
    sentence: str
    is_warning: bool
    path: str
    rule: str = ''

    def __str__(self) -> str:
        place = self.path if self.line is None else f'{self.path}, line {self.line}'
        return f'{place}: {"warning: " if self.is_warning else ""}{self.sentence}'


class Rules(NamedTuple):
    """The rules of a kind of file: those whose breach is a violation, and those whose breach is a warning."""

    violations: tuple[Rule, ...]
    warnings: tuple[Rule, ...]


_SEARCH = (rules.readable, rules.apart_from_earlier_ones, rules.consecutive_ranks, rules.lines_together,
           rules.known_query, rules.known_video)
_QRELS = Rules((rules.readable, rules.judged_once, rules.judged_without_contradiction, rules.known_query,
                rules.known_video), (rules.overlap, rules.within_the_document))
# Of a line of a text file, and of all runs.
_ALIKE = (submission_rules.one_run, submission_rules.scores_follow_ranks)
_OF_RUNS = (rules.judged_query, submission_rules.answered_queries)
_WARNINGS = (*_OF_RUNS, rules.overlap, rules.within_the_document)
_RUN = Rules((rules.readable, rules.retrieved_once, rules.known_query, rules.known_video), (*_ALIKE, *_WARNINGS))
# Of runs that are ranked by score, and by nothing else.
_SCORED_RUN = _RUN._replace(warnings=(submission_rules.tied_scores, *_RUN.warnings))
_READABLE = Rules((rules.readable,), ())
_MOMENTS = Rules((rules.one_line_a_query, *_QRELS.violations), _QRELS.warnings)
_CLIPS = Rules((rules.readable, rules.one_line_a_query, rules.known_query, rules.known_video), ())
_SHOT_IDS = submission_rules.ids_like(r'shot\S+_[0-9]+', 'shot00009_1, shot 1 of the video 00009')
_SHOTS = Rules((rules.readable, rules.sampled_without_contradiction, rules.known_query),
               (rules.sampled_once, _SHOT_IDS))
_SHOT_RUN = Rules((rules.readable, rules.retrieved_once, rules.known_query),
                  (submission_rules.with_attributes, *_OF_RUNS, _SHOT_IDS))

# TREC, and MediaEval after it, takes 1,000 items of a query, INEX 1,500: the longest of their public runs have as many.
_THOUSAND, _OF_INEX = submission_rules.at_most(1000), submission_rules.at_most(1500)
_PMIDS = submission_rules.ids_like('[0-9]{1,9}', '12595615, a PMID')
_EPISODES = submission_rules.ids_like('spotify:episode:[0-9A-Za-z]{22}', 'spotify:episode:0BrvXC9DNmicnpCtHmFltv')

# The rules of a campaign, by the format and kind of its files; those of other files are _RUN and _QRELS.
_OF_SEVERAL_FORMS = {(name, kind): _READABLE for name, place in formats.MODULES.items() for module, kind in (
    ('.evidence:', 'qrels'), ('.citations:', 'qrels'), ('.citations:', 'run'), ('.annotations.', 'qrels'))
    if place.startswith(module)}
RULES: dict[tuple[str, str], Rules] = {
    ('trec', 'run'): _SCORED_RUN,
    **{(name, 'run'): _SCORED_RUN for name in ('parquet', 'csv', 'tsv', 'beir', 'ranx')},
    ('sh-search', 'run'): Rules(_SEARCH, (*_ALIKE, _THOUSAND, *_OF_RUNS, rules.jump_in_within_the_item,
                                          rules.within_the_document)),
    ('sh-linking', 'run'): Rules((*_SEARCH, rules.target_length, rules.apart_from_the_anchor),
                                 (*_ALIKE, _THOUSAND, *_OF_RUNS, rules.within_the_document)),
    # Its program reads a video's lines as one list, in file order, and neither ranks nor scores.
    ('sh-anchoring', 'run'): Rules((rules.readable, rules.retrieved_once, rules.lines_together, rules.known_video),
                                   (*_ALIKE, _THOUSAND, *_WARNINGS)),
    ('sh-anchoring', 'qrels'): Rules((rules.readable, rules.judged_once, rules.judged_without_contradiction,
                                      rules.known_video), (rules.overlap, rules.within_the_document)),
    # Their programs take what is retrieved twice, and real predictions of moments have it.
    ('genomics', 'run'): Rules((rules.readable, rules.known_query),
                               (*_ALIKE, _THOUSAND, *_OF_RUNS, rules.retrieved_once, rules.overlap, _PMIDS)),
    ('genomics', 'qrels'): Rules((rules.readable, rules.judged_once, rules.judged_without_contradiction,
                                  rules.known_query), (rules.overlap, _PMIDS)),
    ('moments', 'run'): Rules((rules.readable, rules.one_line_a_query, rules.known_query, rules.known_video),
                              (rules.doubtful, rules.retrieved_once, *_WARNINGS)),
    ('moments', 'qrels'): _MOMENTS,
    ('tvr', 'qrels'): _MOMENTS,
    # Clips are of one length, and a video has a score for each.
    ('saliency', 'run'): _CLIPS._replace(warnings=_OF_RUNS),
    ('saliency', 'qrels'): _CLIPS,
    ('ego4d-nlq', 'run'): Rules((rules.readable,), (rules.retrieved_once, *_WARNINGS)),
    ('ego4d-nlq', 'qrels'): Rules((rules.readable,), (rules.within_the_document,)),
    # Detectors have several windows for one moment.
    ('activitynet', 'run'): Rules((rules.readable,), (*_OF_RUNS, rules.within_the_document)),
    ('activitynet', 'qrels'): Rules((rules.readable,), (rules.judged_once, rules.within_the_document)),
    # Whatever stands in the answers of a model is its answer.
    ('answers', 'run'): _READABLE,
    ('answers', 'qrels'): _READABLE,
    **_OF_SEVERAL_FORMS,
    # Thorough runs may have what others may not: see TASKS.
    ('inex-fol', 'run'): Rules((rules.readable, rules.lines_together, rules.known_query),
                               (*_ALIKE, _OF_INEX, rules.lengths_and_no_ends, *_OF_RUNS, rules.apart_in_focused_runs,
                                rules.documents_together, rules.within_the_document)),
    ('inex-fol', 'qrels'): Rules((rules.readable, rules.one_line_a_document, rules.known_query), (rules.doubtful,)),
    ('inex-xml', 'run'): Rules((rules.readable, rules.known_query),
                               (*_ALIKE, _OF_INEX, *_OF_RUNS, rules.apart_in_focused_runs,
                                rules.documents_together)),
    ('inex-xml', 'qrels'): Rules((rules.readable, rules.known_query), ()),  # its reader refuses what is there twice
    # Their reader lets repeated lines count once, and official judgements have them.
    ('trecvid-shots', 'qrels'): _SHOTS,
    ('trecvid-strata', 'qrels'): _SHOTS,
    ('trecvid-avs', 'qrels'): _SHOTS,
    # Their reader refuses more than 1,000 items of a topic.
    ('trecvid-avs', 'run'): _SHOT_RUN,
    ('trecvid-search', 'qrels'): _SHOTS,
    ('trecvid-search', 'run'): _SHOT_RUN,
    ('vbs-dres', 'qrels'): Rules((rules.readable, rules.sampled_without_contradiction, rules.known_video),
                                 (rules.sampled_once, rules.single_frame, rules.overlap, rules.within_the_document)),
    # Coverage of known items is what is measured, which repeats do not change.
    ('trecvid-2001', 'run'): Rules((rules.readable, rules.known_query, rules.known_video),
                                   (submission_rules.with_attributes, submission_rules.one_run, rules.retrieved_once,
                                    *_WARNINGS)),
    ('trecvid-2001', 'qrels'): Rules((rules.readable, rules.judged_once, rules.known_query, rules.known_video),
                                     (rules.overlap, rules.within_the_document)),
    # Neighbours overlap.
    ('podcasts', 'run'): Rules((rules.readable, rules.retrieved_once, rules.known_query),
                               (submission_rules.tied_scores, *_ALIKE, _THOUSAND, *_OF_RUNS, rules.on_the_minute,
                                _EPISODES)),
    ('podcasts', 'qrels'): Rules((rules.readable, rules.judged_once, rules.judged_without_contradiction,
                                  rules.known_query),
                                 (rules.on_the_minute, _EPISODES)),
}

# The tasks of INEX and what inex_eval rejects their runs for. Of a run without a task, these are warnings.
TASKS: dict[str, tuple[Rule, ...]] = {
    'focused': (rules.apart_in_focused_runs,),
    'thorough': (),
    'relevant-in-context': (rules.apart_in_focused_runs, rules.documents_together),
    'best-in-context': (rules.one_item_a_document,),
}
_RULES_OF_TASKS = {rule for group in TASKS.values() for rule in group}

# What evaluation refuses in the files of any campaign. Those of shots have no times, and official ones of the VBS hold
# single frames, which are a warning there.
_MEASURED = {'run': Rules((evaluation_rules.one_unit, evaluation_rules.unit_of_the_judgements),
                          (evaluation_rules.known_end,)),
             'qrels': Rules((evaluation_rules.judged_with_content, evaluation_rules.one_unit), ())}
_NOT_MEASURED = {*((name, 'qrels') for name in (
    'trecvid-shots', 'trecvid-strata', 'trecvid-avs', 'trecvid-search', 'vbs-dres')),
                 ('trecvid-avs', 'run'), ('trecvid-search', 'run')}

OPTIONS = ('videos', 'queries', 'anchors', 'task', 'subset')  # beside the qrels of a run


def rules_of(format: Format, kind: str) -> Rules | None:
    """The rules of a kind of file; None if the format has no such files."""
    if format.files(kind) is None:
        return None
    found = RULES.get((format.name, kind), _RUN if kind == 'run' else _QRELS)
    if (format.name, kind) in _NOT_MEASURED:
        return found
    return Rules(*(ours + theirs for ours, theirs in zip(found, _MEASURED[kind])))


def _goes_with(option: str, format: Format) -> bool:
    if option == 'subset':
        return option in format.qrels.options
    if option != 'task':
        return option in format.lists
    return _has_tasks_of_inex(format) or (format.run is not None and 'task' in format.run.options)


def _has_tasks_of_inex(format: Format) -> bool:
    of_run = rules_of(format, 'run')
    return of_run is not None and not _RULES_OF_TASKS.isdisjoint(of_run.warnings)


def refuse_options(format: str, kind: str, given: Mapping[str, Any]) -> None:
    """Raises ``ValueError`` for the first of the given arguments of :func:`check` that does not go with a file."""
    for option, value in given.items():
        if kind != 'run' and option in ('qrels', 'task'):
            raise ValueError(f'{option} only goes with a run (kind run)')
        if option in OPTIONS and not _goes_with(option, formats.format_of(format)):
            having = ', '.join(name for name, other in formats.FORMATS.items() if _goes_with(option, other))
            raise ValueError(f'{option} does not go with format {format}, but with {having}')
        if option == 'task' and value not in TASKS and _has_tasks_of_inex(formats.format_of(format)):
            raise ValueError(f'task {quoted(value)} is not known (there are: {", ".join(TASKS)})')


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
    campaign = formats.FORMATS.get(format)
    found_rules = None if campaign is None or kind not in ('run', 'qrels') else rules_of(campaign, kind)
    if campaign is None or found_rules is None:
        raise ValueError(f'there are no rules for {kind} of format {quoted(format)}')
    options = {'qrels': qrels, 'videos': videos, 'queries': queries, 'anchors': anchors, 'task': task, 'subset': subset}
    refuse_options(format, kind, {name: value for name, value in options.items() if value is not None})
    violations, warnings = found_rules
    if task is not None and _has_tasks_of_inex(campaign):
        violations += TASKS[task]
        warnings = tuple(rule for rule in warnings if rule not in _RULES_OF_TASKS)
        task = None
    request = ReadRequest(path, kind, format, ids, table, ids_unit, task, subset=subset)
    read_id = request.id_reader()
    judging = campaign if qrels is None else formats.format_of(format_of_qrels(qrels, format))
    judged = None if qrels is None else with_read_ids(
        ReadRequest(qrels, 'qrels', judging.name, subset=subset).read(), read_id)
    alone = read_id is None and subset is None and videos is None and queries is None and anchors is None
    plain = lines_in_question(path, campaign, kind, [*violations, *warnings], judged) if alone else None
    lines, error = read_checked_lines(request, campaign, read_id) if plain is None else (plain.lines, None)
    items = [item for line in lines for item in line.items]
    needs = None if (files := campaign.files(kind)) is None or error is not None else files.lacks
    file = rules.File(lines, items, None, None, None, known_lengths([item.row for item in items]), {},
                      lacks=() if needs is None else needs(path), answered={line.query_id for line in lines})
    if plain is None:
        file = _with_others(file, campaign, judging, judged, qrels, videos, queries, anchors)
    else:
        file = file._replace(answered=plain.table.query_ids, size=len(plain.table), tied=plain.tied,
                             judged=None if qrels is None or plain.judged is None else (
                                 set(plain.judged.query_ids), os.fspath(qrels)))
    found = [] if error is None else [Finding(error.line, error.sentence, False, error.path)]
    found += [Finding(place.line, sentence, group is warnings, os.fspath(path), rule.__name__)
              for group in (violations, warnings) for rule in group for place, sentence in rule(file)]
    of_all_rows = []
    if plain is not None:
        of_all_rows = [Finding(None, sentence, is_warning, os.fspath(path), 'whole_file') for _, sentence, is_warning
                       in evaluation_rules.evaluation_findings(kind, items, plain.table, plain.judged)]
    elif items or not found:  # else nothing was read
        known = {finding.line for finding in found if not finding.is_warning}
        rows = with_read_ids([item.row for item in items], read_id)
        of_all_rows = [
            Finding(None if item is None else item.line, sentence, is_warning, os.fspath(path), 'whole_file')
            for item, sentence, is_warning in evaluation_rules.evaluation_findings(kind, items, rows, judged)
            if item is None or item.line not in known]
    return sorted(found, key=lambda finding: finding.line or 0) + of_all_rows


def _with_others(file: rules.File, format: Format, judging: Format, rows: Sequence[Any] | None,
                 qrels: StrPath | None, videos: StrPath | None, queries: StrPath | None,
                 anchors: StrPath | None) -> rules.File:
    from ir_segmeasures.formats.mediaeval import lists  # most files are checked by themselves
    if rows is not None and qrels is not None:
        file = file._replace(judged=({row.query_id for row in rows}, os.fspath(qrels)),
                             units=known_units(rows, judging), lengths={**file.lengths, **known_lengths(rows)})
    if queries is not None:
        listed = (format.read_queries or lists.read_queries)(queries)
        file = file._replace(queries=({query.query_id for query in listed}, os.fspath(queries)))
    if anchors is not None:
        places = {anchor.query_id: anchor for anchor in lists.read_anchors(anchors)}
        file = file._replace(queries=(set(places), os.fspath(anchors)), anchors=places)
    if videos is not None:
        durations = {format.read_video(video.doc_id): video.duration for video in lists.read_videos(videos)}
        file = file._replace(videos=(set(durations), os.fspath(videos)),
                             lengths={**file.lengths, **{(id, 't'): length for id, length in durations.items()}})
    return file
