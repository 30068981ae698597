"""Measures as a command line names them, and the runs that they take, each read when it is asked for."""

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, pairwise
from subprocess import CalledProcessError
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures import formats
from ir_segmeasures.commands.inputs import Source, read_run
from ir_segmeasures.commands.measures import measure_of_moments
from ir_segmeasures.commands.parser import UsageError
from ir_segmeasures.commands.streams import note, with_its_name
from ir_segmeasures.formats.requests import ReadRequest, files_of_kind
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.host_measures import (
    LARGEST_GRADE,
    measure_of_documents,
    parse_measure,
    refuse_rows,
    similar_measures,
)
from ir_segmeasures.segments.basics import joined, quoted, truncated
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import SegmentNote, SegmentWarning, collected_warnings, warn, with_run_name

_FORM = re.compile(r'([A-Za-z_]\w*)(\(.*\))?(@\S+)?', re.DOTALL)
_WORD = re.compile(r'(?:\((?:[^()]|\([^()]*\))*\)|\S)+')  # blanks inside parentheses belong to the measure
_LONGEST = 10 ** 9  # of rankings
Group = tuple[dict[Measure, str], Mapping[str, Any] | None]


def is_measure(word: str) -> bool:
    """Tells whether a word behind a measure is another one, and not a file or a dataset."""
    return not os.path.exists(word) and (_FORM.fullmatch(word.strip()) is not None or ' ' in word.strip()
                                         or measure_of_moments(word) is not None)


def words_of(words: Sequence[str], asked: Sequence[str]) -> tuple[list[str], list[str]]:
    """The files, judgements and at least one run, and the measures among the words of a command line, of which
    ``asked`` are measures by ``-m``. A word that is not a file and is called as a measure is one.

    Raises:
        UsageError: there are fewer files, or no measures
    """
    found: list[str] = []
    measures = list(asked)
    for word in words:
        form = _FORM.match(word)
        is_known = form is not None and form[1] in ir_measures.measures.registry
        is_file = os.path.exists(word) or word == '-' or (not is_known and (len(found) < 2 or not is_measure(word)))
        (found if is_file else measures).append(word)
    if len(found) < 2:
        raise UsageError(f'the {"run is" if found else "judgements and a run are"} missing: name the files QRELS RUN, '
                         'and the measures behind them')
    if not measures:
        raise UsageError('there is no measure: name one or more, such as T2I_MAP MAgP MAiSP')
    return found, measures


def measure_groups(names: Mapping[Measure, str], align: Mapping[str, Any] | None) -> list[Group]:
    """The measures that take one run, each group with how the run is aligned: measures of segments take it as it is,
    those of documents aligned, if that is asked for, those of sets by an IoU with as many segments as can be.

    Args:
        names: measure → what it is called
        align: the arguments of :func:`~ir_segmeasures.ids.documents.align`, None where nobody asks for it
    """
    if align is None:
        return [(dict(names), None)]
    groups: list[Group] = [({}, by) for by in (None, align, {**align, 'matching': 'optimal'})]
    for measure, name in names.items():
        of_sets = bool(align) and str(measure).startswith('Set')
        groups[0 if isinstance(measure, SegmentMeasure) else 2 if of_sets else 1][0][measure] = name
    if len(groups[0][0]) == len(names):
        raise UsageError(f'--align is for measures of documents, such as nDCG@10, not {joined(names.values())}: leave '
                         'it out')
    return [group for group in groups if group[0]]


def named_measures(texts: Iterable[str], check: bool = True, qrels: str = '') -> dict[Measure, str]:
    """The measures of some texts, each once, and the text that each is called by.

    Args:
        texts: with one or more measures each, between blanks
        check: whether no required parameter may be missing
        qrels: the path of the judgements; where it is not a file, but the id of a dataset, measures take from there the
            length of all documents that they need, which is said

    Raises:
        UsageError: a text is not a measure
    """
    found: dict[Measure, str] = {}
    errors = []
    for text in (text for several in texts for text in (
            [several] if measure_of_moments(several) else _WORD.findall(several))):
        try:
            measure = parse_measure(text)
            if check and isinstance(measure, SegmentMeasure):
                known = measure.SUPPORTED_PARAMS.get('D')
                if known and known.required and 'D' not in measure.params and qrels and not os.path.exists(qrels):
                    measure = measure(D=qrels)
                    note(f'{text} takes D, the length of all documents, from the dataset {qrels}')
                measure.check_params()
            elif check:
                for name, param in measure.SUPPORTED_PARAMS.items():
                    if param.required and name not in measure.params:
                        raise ValueError(f'{measure} has no {name}, which it needs: write {measure.NAME}({name}=…)')
                _refuse_unprovided(measure)
                measure.validate_params()
            found.setdefault(measure, text)
        except (NameError, ValueError, AssertionError, TypeError) as error:
            unknown = 'unknown measure: ' if isinstance(error, NameError) else ''
            like = similar_measures(text) if unknown else []
            said = measure_of_moments(text) or (
                f'did you mean {" or ".join(like)}?' if like else
                'this is a file, and not a measure: measure several runs with ir_segmeasures compare'
                if os.path.isfile(text) else error)
            errors.append(f'{unknown}{truncated(text)}: {said}'.encode(errors='backslashreplace').decode())
    if errors or not found:
        raise UsageError('; '.join(errors) or 'there is no measure: name one or more')
    return found


def _refuse_unprovided(measure: Measure) -> None:
    """Raises ``ValueError`` for a measure of ir-measures that nothing here computes, with what would, or one with a
    parameter at which trec_eval takes all memory."""
    for name, least, most in (('cutoff', 1, _LONGEST), ('rel', 1, LARGEST_GRADE), ('gains', -1, LARGEST_GRADE)):
        given = measure.params.get(name, least)
        for value in chain(*given.items()) if isinstance(given, dict) else [given]:
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f'{measure.NAME} has {name}={quoted(value)}: {name} is a whole number from {least} to '
                                 f'{most:,}')
    providers = ir_measures.providers.registry.values()
    if any(provider.supports(measure) and provider.is_available() for provider in providers):
        return
    forms = [f'{provider.NAME} has {re.sub("REQUIRED|ANY|NOT_PROVIDED", "…", str(form))}'
             + ('' if provider.is_available() else f' ({provider.install_instructions() or "not installed"})')
             for provider in providers for form in provider.SUPPORTED_MEASURES if form.NAME == measure.NAME]
    raise ValueError(f'nothing that is installed computes {measure} in this form' + (
        f', but {"; ".join(forms)}: write it so, and install what it needs' if forms else ': take another measure'))


def run_names(paths: Sequence[str], names: Sequence[str] | None = None) -> dict[str, str]:
    """The names of runs and their paths: those that are given, or files' names without the ending, or with it, or
    paths, where those before are not unique.

    Raises:
        UsageError: there are not as many names as files, or one is there twice
        ValueError: a file is there twice
    """
    for path in paths:
        if paths.count(path) > 1:
            raise ValueError(f'{path} is named twice, but each file is one system or assessor: name it once')
    files = [' '.join(os.path.basename(path).removesuffix('.gz').splitlines()) for path in paths]
    for called in ([os.path.splitext(name)[0] for name in files], files, paths) if names is None else (names,):
        if len(set(called)) == len(paths) == len(called):
            return dict(zip(called, paths))
    raise UsageError(f'--names: {len(paths)} runs have the names {joined(map(quoted, names or ()))}: give each its own')


class Runs(Mapping[str, Any]):
    """Runs by name, each read when it is asked for, in the shape that the measures want.

    Args:
        requests: one for each run
        measures: → what each is called
        qrels: the judgements
        align: how items get the ids of judged segments, arguments of :func:`~ir_segmeasures.ids.documents.align`; None:
            they keep their own
        names: of the runs, in their order; not given: those of the files
        ties: whether runs with tied items are kept in ``tied``

    Attributes:
        measures, qrels: as above
        ours: the measures of segments; others have a rule of their own for ties
        tied: name → the run with tied items in the opposite order, as soon as it is read
        requests: name → the request to read its file
        format: of the runs
        last, name: the run that was read last, and its name; its rows are what a row's error is about
        reading: the name of the run that is read now; empty for none
    """

    def __init__(self, requests: Sequence[ReadRequest], measures: Mapping[Measure, str], qrels: Source,
                 align: Mapping[str, Any] | None = None, names: Sequence[str] | None = None, ties: bool = False):
        self.measures, self.qrels, self._align, self._ties = measures, qrels, align, ties
        self.ours = [measure for measure in measures if isinstance(measure, SegmentMeasure)]
        self.tied: dict[str, SegmentTable] = {}
        self._answered: dict[str, set[str]] = {}
        self.requests = dict(zip(run_names([os.fspath(request.path) for request in requests], names), requests))
        self.format, self.name, self.reading = requests[0].true_format, '', ''
        self.last: Source | None = None

    def read(self, name: str) -> Source:
        """The run of a name, as its file has it."""
        self.name = self.reading = name  # which warnings of the reader name, too
        self.last = read_run(self.requests[name], self.qrels)
        self.reading = ''
        return self.last

    def __getitem__(self, name: str) -> Any:
        read = self.read(name)
        run = self._aligned(for_measures(read, list(self.measures)))
        self._answered[name] = self._judged & _queries(read)
        first, answered = next(iter(self._answered.items()))
        if self._answered[name] and (missing := sorted(answered - self._answered[name])):
            warn([f'the run has nothing for {len(missing)} of the {len(answered)} judged queries that {quoted(first)} '
                  f'answers, such as {quoted(missing[0])}, and counts 0 there: check that its file is whole'],
                 category=SegmentNote)
        if self._ties and self.ours:
            from ir_segmeasures.study.scores import opposite_ties
            with collected_warnings(wanted=False):
                table = opposite_ties(SegmentTable.from_run(run, _of_elements(self.ours)))
            self.tied |= {} if table is None else {name: table}
        return run

    def _aligned(self, run: Any) -> Any:
        measure = measure_of_documents(self.measures)
        if measure is None or (self._align is None and self.ours):
            return run  # the provider of measures of segments warns, too
        from ir_segmeasures.ids.documents import align, document_measure_warning, no_query_warning
        judged = [(row.query_id, row.doc_id, row.relevance) for row in self.judgements]
        items = [(row.query_id, row.doc_id) for row in run]
        if self._align is None:
            warn([document_measure_warning(self.measures[measure], judged, items)])
            return run
        warn([no_query_warning([item[:2] for item in judged], items)])
        return align(run, self.judgements, **self._align)

    @cached_property
    def _judged(self) -> set[str]:
        return _queries(self.qrels)

    @cached_property
    def judgements(self) -> Any:
        """The judgements in the shape that the measures want."""
        return for_measures(self.qrels, list(self.measures), self.format)

    def __iter__(self) -> Iterator[str]:
        return iter(self.requests)

    def __len__(self) -> int:
        return len(self.requests)


def _queries(source: Source) -> set[str]:
    rows = source.rows
    return {*rows.columns['query_id']} if hasattr(rows, 'columns') else {row.query_id for row in rows}


def for_measures(source: Source, measures: Sequence[Measure], run_format: str = 'trec') -> Any:
    """The rows as measures take them: a table for measures of segments, rows with ids if one measure is of documents.
    ``run_format`` is the format of the runs beside judgements.
    """
    kind = source.request.kind
    if kind == 'run':
        warn([_not_as_listed(source, measures)])
    if all(isinstance(measure, SegmentMeasure) for measure in measures):
        make = SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels
        return make(source.rows, _of_elements(measures))
    refuse_rows(source.rows, kind, measures)
    return with_segments(source, run_format)


def _of_elements(measures: Iterable[Measure]) -> bool:
    return any(isinstance(measure, RowMeasure) for measure in measures)


def with_segments(source: Source, run_format: str = 'trec') -> Sequence[Any]:
    """The rows, with segment ids where they have columns of start and end. Other fields stay: measures of segments need
    some of them. ``run_format`` is the format of the runs beside judgements.
    """
    if not (len(source.rows) and hasattr(source.rows[0], 'start')):
        return source.rows
    # Measures of documents and files of TREC know nothing but ids. The judgements of a dataset may have times beside
    # the document: those of ir_datasets have no unit.
    from ir_segmeasures.ids.encoding import with_ids  # measures of segments do without
    unit = formats.FORMATS[source.request.true_format].unit or formats.FORMATS[run_format].unit
    encoded: Sequence[Any] = with_ids(source.rows, unit or 't', kind=source.request.kind)
    return encoded


def _not_as_listed(run: Source, measures: Sequence[Measure]) -> str | None:
    """A sentence about items that the file does not list by score, where that is the order of an official program and
    nobody asks for its scores."""
    program = files_of_kind(run.request.true_format, 'run').listed
    if not any(program in measure.TOOLS and 'tool' not in measure.params for measure in measures
               if isinstance(measure, SegmentMeasure)):
        return None
    queries = dict.fromkeys(row.query_id for before, row in pairwise(run.rows) if row.query_id == before.query_id
                            and getattr(row, 'rank', 0) < getattr(before, 'rank', 0))
    return with_its_name(
        f'{run.request.path} does not list the items of {len(queries)} queries (such as {joined([*queries][:3])}) by '
        f"score, which decides here; add tool='{program}' to the measures, for a program that takes them as listed"
        ) if queries else None


@contextmanager
def naming_files(runs: Runs | Source) -> Iterator[None]:
    """A context in which an error about a row of runs or of their judgements, or of judgements alone, names its file
    and its line, and a warning about one of several runs names the run."""
    show = warnings.showwarning

    def show_named(message: Any, category: type[Warning], *place: Any) -> None:
        if isinstance(runs, Runs) and len(runs) > 1 and runs.name and issubclass(category, SegmentWarning):
            bare = runs.reading and os.fspath(runs.requests[runs.name].path) not in str(message)
            message.args = (f'run {quoted(runs.name)}: {message}' if bare else with_run_name(str(message), runs.name),)
        show(message, category, *place)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_named  # type: ignore[assignment]
            yield
    except RowError as error:
        if isinstance(runs, Source) or error.kind != 'run':
            raise (runs if isinstance(runs, Source) else runs.qrels).in_file(error) from None
        # All may have been read before the error about one of them.
        named = [name for name in runs if error.sentence.startswith(f'run {quoted(name)}: ')]
        run = runs.last if runs.last and runs.name in (named or [runs.name]) else runs.read(named[0])
        raise run.in_file(error) from None
    except CalledProcessError as error:
        raise ValueError(f'a program of one of the measures failed with the code {error.returncode}: leave it out, or '
                         'give it what its own words ask for') from None
