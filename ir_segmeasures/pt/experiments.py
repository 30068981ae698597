"""Experiments and tuning with measures of segments: PyTerrier's own, with what they leave to say.

``pt.Experiment`` evaluates each batch of queries by itself, so that what is doubtful is counted in the first batch that
has it. ir-measures gives measures of documents to its own providers, so that no provider of ours sees both the measure
and the ids. ``pt.GridSearch`` takes names of trec_eval only.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import ir_measures
import pandas as pd
import pyterrier as pt
from ir_measures import Measure, parse_trec_measure

from ir_segmeasures.ids.documents import document_measure_warning
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.host_measures import measure_of_documents, similar_measures
from ir_segmeasures.pt.base import check_choice
from ir_segmeasures.segments.basics import joined, needed, quoted
from ir_segmeasures.segments.user_warnings import collected_warnings, warn, with_run_name

__all__ = ['check_measures', 'experiment', 'grid_search']


def check_measures(measures: Iterable[str | Measure], qrels: pd.DataFrame, results: pd.DataFrame) -> None:
    """Warns where a measure of documents, such as AP or nDCG, says little of segments, since it compares ids and the
    results hardly have the ids of judged segments. The command ``ir_segmeasures evaluate`` has the same warning, and
    so has :func:`experiment`.

    Args:
        measures: as for :func:`experiment`
        qrels: judgements, with ``qid`` and ``docno``
        results: the results of a system, with ``qid`` and ``docno``

    Warns:
        SegmentWarning: one sentence, with counts, an example and the repair

    Raises:
        ValueError: a measure that is unknown
        pyterrier.validate.InputValidationError: a column is missing

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> qrels = pd.DataFrame([('q', 'v#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> results = pd.DataFrame([('q', 'v#t=10,40', 2.5)], columns=['qid', 'docno', 'score'])
        >>> import warnings
        >>> with warnings.catch_warnings(record=True) as found:
        ...     warnings.simplefilter('always')
        ...     pt.segments.check_measures(['map', pt.segments.MAiSP], qrels, results)
        >>> print(str(found[0].message).partition(',')[0])
        AP compares ids

        Aligned with the judgements, the results have their ids:

        >>> pt.segments.check_measures(['map'], qrels, pt.segments.align(qrels)(results))
    """
    measure = measure_of_documents(measure for given in measures for measure in _parsed(given))
    if measure is not None:
        warn([document_measure_warning(str(measure), _pairs(qrels, 'label'), _pairs(results))])


def experiment(systems: Mapping[str, Any] | Sequence[Any], topics: pd.DataFrame, qrels: pd.DataFrame,
               measures: str | Measure | Iterable[str | Measure], **settings: Any) -> Any:
    """Runs ``pt.Experiment`` and says what is doubtful about each system: once, counted over all of its queries, with
    the name of the system.

    Args:
        systems, topics, qrels: as for ``pt.Experiment``
        measures: measures of ir-measures, texts of these such as ``"MAiSP(user='ret')"``, and names of trec_eval
        settings: the other parameters of ``pt.Experiment``, such as ``names``, ``baseline`` and ``batch_size``.
            ``round={'MAiSP': 2}`` takes each name that a measure has.

    The results of all systems are kept until the end.

    Returns:
        what ``pt.Experiment`` returns

    Warns:
        SegmentWarning: a system and qrels that do not seem to speak of the same segments, or a measure of documents
            that says little of segments

    Raises:
        RowError: a row that is not a segment, or none that can be measured
        ValueError: a measure that is unknown

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> topics = pd.DataFrame([('q', 'bees')], columns=['qid', 'query'])
        >>> qrels = pd.DataFrame([('q', 'v#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> found = pd.DataFrame([('q', 'v#t=30,90', 2.5, 0)], columns=['qid', 'docno', 'score', 'rank'])
        >>> pt.segments.experiment({'bm25': found}, topics, qrels, ['MAiSP', 'T2I_MAP(tau=5)'], round={'MAiSP': 2})
           name  MAiSP  T2I_MAP(tau=5)
        0  bm25    0.5             1.0
    """
    asked = [_measure(measure) for measure in ([measures] if isinstance(measures, str | Measure) else measures)]
    if isinstance(settings.get('round'), Mapping):
        settings['round'] = {str(_measure(name)): places for name, places in settings['round'].items()}
    names = systems if isinstance(systems, Mapping) else settings.pop('names', None) or systems
    settings['names'] = [str(name) for name in names]
    if isinstance(settings.get('baseline'), str):
        settings['baseline'] = settings['names'].index(settings['baseline'])
    systems = list(systems.values()) if isinstance(systems, Mapping) else systems
    qrels = pt.io.read_qrels(qrels) if isinstance(qrels, str) else qrels
    results: list[list[pd.DataFrame]] = [[system] if isinstance(system, pd.DataFrame) else [] for system in systems]
    kept = [system >> pt.apply.generic(partial(_keep, batches)) if isinstance(system, pt.Transformer) else system
            for system, batches in zip(systems, results)]
    with collected_warnings(wanted=False):
        table = pt.Experiment(kept, topics, qrels, asked, **settings)
    for name, batches in zip(settings['names'], results):
        warn(with_run_name(doubt, name) for doubt in _doubts(asked, qrels, batches))
    return table


def grid_search(pipeline: pt.Transformer, params: Mapping[pt.Transformer, Mapping[str, Sequence[Any]]],
                topics: pd.DataFrame, qrels: pd.DataFrame, measure: str | Measure, *, return_type: str = 'opt_pipeline',
                **settings: Any) -> Any:
    """Tunes a pipeline as ``pt.GridSearch`` does, on any measure: the setting with the best mean is set, the first of
    equal ones. Of a measure that is better when lower, such as ``ESL``, the lowest mean is the best.

    Args:
        pipeline: a transformer or a pipeline
        params: for each transformer that is tuned, its parameters with the values to try
        topics, qrels: what is tuned upon
        measure: a measure of ir-measures, its text such as ``"MAiSP(user='ret')"``, or a name of trec_eval
        return_type: ``'opt_pipeline'`` gives the pipeline with the best setting; ``'best_setting'`` the mean and the
            setting, a list of (transformer, parameter, value), with the pipeline as it was; ``'both'`` the pipeline,
            the mean and the setting
        settings: the other parameters of ``pt.GridScan``: ``jobs`` (of pipelines that pickle; indices of PISA do
            not), ``backend``, ``verbose``, ``batch_size``

    Raises:
        ValueError: a measure that is unknown or none, a parameter that a transformer does not have or without a list of
            values, or another ``return_type``; the pipeline is as it was

    Examples:
        >>> import pandas as pd
        >>> import pyterrier as pt
        >>> topics = pd.DataFrame([('q', 'bees')], columns=['qid', 'query'])
        >>> qrels = pd.DataFrame([('q', 'v#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        >>> found = pd.DataFrame([('q', 'v#t=0,20', 2, 0), ('q', 'v#t=50,60', 1, 1)],
        ...                      columns=['qid', 'docno', 'score', 'rank'])
        >>> merge = pt.segments.merge()
        >>> pipeline = pt.Transformer.from_df(found) >> merge
        >>> tuned = pt.segments.grid_search(pipeline, {merge: {'gap': [0, 10, 30]}}, topics, qrels, pt.segments.SegR)
        >>> merge
        merge(gap=30)
    """
    check_choice('return_type', return_type, ('opt_pipeline', 'best_setting', 'both'), 'what comes back is')
    asked, *others = (_parsed(measure) if isinstance(measure, (str, Measure)) else ()) or (None,)
    if asked is None or others:
        raise ValueError(f'the measure {quoted(measure)} is not one measure with one mean: tune on one, such as MAiSP')
    for transformer, values in params.items():
        lists = values.values() if isinstance(values, Mapping) and isinstance(transformer, pt.Transformer) else [None]
        if not all(isinstance(each, Collection) and not isinstance(each, str) and len(each) for each in lists):
            raise ValueError(f'params={{{quoted(transformer)}: {quoted(values)}}}: give for each transformer its '
                             "parameters with a list of values each, such as {cut: {'budget': [30, 60]}}")
    if settings.get('jobs', 1) != 1:
        needed('joblib', 'several jobs are run with joblib', 'scale')
    tuned = [(transformer, name) for transformer, values in params.items() for name in values]
    before = [transformer.get_parameter(name) for transformer, name in tuned]
    try:
        scanned = pt.GridScan(pipeline, params, topics, qrels, [asked], dataframe=False, **settings)
    finally:
        for (transformer, name), value in zip(tuned, before):
            transformer.set_parameter(name, value)
    lower = isinstance(asked, SegmentMeasure) and asked.LOWER_IS_BETTER
    if len(scanned) > 1 and len({each[str(asked)] for _, each in scanned}) == 1:
        by_id = '' if isinstance(asked, SegmentMeasure) else ', and ends with align(qrels), since it compares ids'
        warn([f'all {len(scanned)} settings of {joined(map(str, params))} have the same mean of {asked} '
              f'({scanned[0][1][str(asked)]:.4g}), and the first is set: they change nothing here, or check that the '
              f'pipeline has these transformers{by_id}'])
    best, means = (min if lower else max)(scanned, key=lambda outcome: outcome[1][str(asked)])
    # With several jobs, the transformers that come back are copies.
    setting = [(transformer, name, value) for (transformer, name), (_, _, value) in zip(tuned, best)]
    if return_type == 'best_setting':
        return means[str(asked)], setting
    for transformer, name, value in setting:
        transformer.set_parameter(name, value)
    return pipeline if return_type == 'opt_pipeline' else (pipeline, means[str(asked)], setting)


def _keep(batches: list[pd.DataFrame], results: pd.DataFrame) -> pd.DataFrame:
    """The last step of a system, which keeps its results and leaves them as they are."""
    if len(results):
        batches.append(results)
    return results


def _doubts(measures: Sequence[str | Measure], qrels: pd.DataFrame, batches: list[pd.DataFrame]) -> list[str]:
    """The warnings about all results of a system; none where they were read from a file."""
    with collected_warnings() as doubts:
        if batches:
            results = pd.concat(batches, ignore_index=True)
            check_measures(measures, qrels, results)
            of_segments = [measure for measure in measures if isinstance(measure, SegmentMeasure)]
            judged, found = map(pt.model.to_ir_measures, (qrels, results))
            if of_segments:  # what is doubtful is said before the first value
                next(iter(ir_measures.iter_calc(of_segments, judged, found)), None)
    return doubts


def _measure(given: str | Measure) -> str | Measure:
    """A measure as ``pt.Experiment`` takes it: a measure of ir-measures, or a name of trec_eval."""
    if isinstance(given, Measure) or given == 'mrt':  # the time that a query takes, which PyTerrier measures itself
        return given
    try:
        parse_trec_measure(given)
    except ValueError:
        try:
            return ir_measures.parse_measure(given)
        except (NameError, ValueError) as error:
            like = similar_measures(given) if isinstance(error, NameError) else []
            raise ValueError(f'neither ir-measures nor trec_eval knows the measure {quoted(given)}: '
                             + (f'did you mean {" or ".join(like)}?' if like else
                                'give one of their names, such as MAiSP or map')) from None
    return given


def _parsed(given: str | Measure) -> Sequence[Measure]:
    measure = _measure(given)
    if isinstance(measure, Measure):
        return [measure]
    return [] if measure == 'mrt' else parse_trec_measure(measure)


def _pairs(frame: pd.DataFrame, *grade: str) -> list[tuple[Any, ...]]:
    frame = pt.model.from_ir_measures(frame)
    pt.validate.columns(frame, includes=['qid', 'docno'])
    columns = [frame[name].astype(str) for name in ('qid', 'docno')]
    return list(zip(*columns, *(frame[name] for name in grade if name in frame.columns)))
