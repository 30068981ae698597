"""``ir_segmeasures check``: every line of a run or of qrels that breaks a rule of its campaign."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ir_measures import Measure

from ir_segmeasures import checks
from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.evaluate import Evaluate
from ir_segmeasures.commands.parser import argument, option
from ir_segmeasures.commands.runs import named_measures
from ir_segmeasures.formats.files.writing import write_text
from ir_segmeasures.formats.requests import ReadRequest, files_of_kind
from ir_segmeasures.segments.user_warnings import SegmentWarning

EXAMPLES = 3  # of the warnings of a rule


class Check(options.Sized, options.Reading, options.Writing):
    """Check a run before it is submitted, or qrels, against the rules of their campaign. Every line that breaks a rule
    is printed, and at the end how many there are; the exit code is 1 if there is one. A line that may be a mistake gets
    a warning; of each kind of warning, three are printed and the others are counted. Some rules need a further file,
    such as the list of all videos: they are checked only if it is given.

    Args:
        file: the file to check (also packed as .gz; - is standard input)
        kind: what FILE is (default: run, or qrels in a format that has no runs)
        qrels: for a run: its judgements
        videos: the list of all videos, with lines "id HH:MM:SS" or "id seconds", or a folder of their transcripts
        queries: the list of all queries: lines of an id, a tab and a text, .csv with qid and query, XML of Search &
            Hyperlinking, or the topics of the campaign
        anchors: the list of all anchors: XML of hyperlinking
        task: for a run of INEX: its task (focused, thorough, relevant-in-context, best-in-context), whose rules
            are violations then and no warnings. For a run of TVR: VCMR (the default), SVMR or VR
        measures: with --qrels: the errors and warnings of the command evaluate with this measure are printed too
        all: print every warning, not only three of each kind
        fix: write FILE to OUT with what can be repaired without a decision (order, ranks, white space, repeated
            lines, line ends, decimals), print how many lines of each kind were, and check OUT
    """
    EXAMPLE = 'check my.run --from sh-search --queries queries.xml'
    file: str = argument(metavar='FILE')
    kind: str = options.kind()
    qrels: str | None = option(metavar='FILE')
    videos: str | None = option(metavar='FILE')
    queries: str | None = option(metavar='FILE', either='queries')
    anchors: str | None = option(metavar='FILE', either='queries')
    task: str | None = option(metavar='TASK')
    measures: tuple[str, ...] = options.measures(needs='qrels')
    all: bool = option(False)
    fix: str | None = option(metavar='OUT', writes=None)

    def run(self) -> int:
        if not self.kind:
            return self.with_kind(self.file).run()
        path = streams.file_of(self.file)
        request = self.request(path, self.kind)
        name = request.true_format
        files = files_of_kind(name, self.kind)
        given = {option: getattr(self, option) for option in ('qrels', *checks.OPTIONS)}
        names = named_measures(self.measures) if self.measures else {}
        if self.fix is not None:
            mended, path = checks.mend(path, name, self.kind), self.fix
            streams.refuse_to_replace(self, 'fix', lambda path: len(files.lines.readable(path, [])) > 0)
            write_text(mended.lines, path, mended.encoding)
            for what, number in mended.counts.items():
                print(f'{path}: repaired: {what}, {_count(number, "line") if what != "byte order mark" else "one"}')
            if not mended.counts:
                print(f'{path}: there is nothing that can be repaired without a decision')
        found = checks.check(path, name, self.kind, **given, ids=self.ids, ids_unit=self.ids_unit, table=request.table,
                             lines_from=self.lines_from, inclusive=self.inclusive, texts=request.texts,
                             unlocated=request.unlocated, lengths=inputs.lengths_of(self.lengths, inputs.Source(
                                 [], request)))
        if found and all(finding.rule == 'readable' and not finding.is_warning for finding in found):
            found[0] = found[0]._replace(sentence=inputs.likeness(
                replace(request, path=path), 'add --from', found[0].sentence, options.OTHER_KIND[self.kind]))
        accepted = all(finding.is_warning for finding in found)
        ties = [finding for finding in found if finding.rule == 'tied_scores']  # a warning where they move a figure
        if names and accepted:
            run = replace(request, path=path, task=self.task if 'task' in files.options else None)
            qrels = replace(self.request(self.qrels or '', 'qrels'), format=checks.format_of_qrels(
                self.qrels or '', name))
            said = {finding.sentence for finding in found}
            found += [checks.Finding(None, sentence, is_warning, path, 'evaluate')
                      for sentence, is_warning in _of_evaluation(qrels, run, names) if sentence not in said]
        for finding in ties if accepted and not names else ():
            print(streams.with_its_name(f'{finding.path}: note: {finding.sentence}'))
        return _print([finding for finding in found if finding not in ties], self.all)


def _print(found: Sequence[Any], all_warnings: bool) -> int:
    """Print the findings and how many there are. Returns the exit code."""
    totals = Counter(finding.rule for finding in found if finding.is_warning)
    printed = Counter[str]()
    for finding in found:
        printed[finding.rule] += finding.is_warning
        number, total = printed[finding.rule], totals[finding.rule]
        if not finding.is_warning or all_warnings or number <= EXAMPLES:
            print(streams.with_its_name(str(finding)))
        elif number == total:
            print(streams.with_its_name(f'{finding.path}: warning: {total - EXAMPLES:,} more of this kind, {total:,} '
                                        'together (--all prints each)'))
    violations, warned = len(found) - totals.total(), totals.total()
    kinds = '' if all_warnings or max(totals.values(), default=0) <= EXAMPLES else f' of {_count(len(totals), "kind")}'
    print(_count(violations, 'violation') + (f', {_count(warned, "warning")}{kinds}' if warned else ''))
    return 1 if violations else 0


def _of_evaluation(qrels: ReadRequest, run: ReadRequest, names: Mapping[Measure, str]) -> list[tuple[str, bool]]:
    """The error and the warnings of an evaluation, each with whether it is a warning."""
    error = []
    with warnings.catch_warnings(record=True) as heard:
        try:
            evaluate = Evaluate()
            evaluate.values(names, evaluate.judged(qrels, names), run)
        except ValueError as refused:
            error = [(str(refused), False)]
    return error + [(str(warning.message), True) for warning in heard if issubclass(warning.category, SegmentWarning)]


def _count(number: int, what: str) -> str:
    return f'{number or "no"} {what}{"s" if number != 1 else ""}'
