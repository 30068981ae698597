"""The figures of the programs of evaluation campaigns: MediaEval Search & Hyperlinking (search and linking, and
anchoring), TRECVID (judgements of sampled strata), INEX' ad hoc track (each of its tasks that accepts the run), and the
TREC Genomics Track of 2007 (documents, passages and aspects).

Sources: sh_eval, https://github.com/robinaly/sh_eval (2014-15, and TRECVID Video Hyperlinking 2015-16);
sh_eval_anchoring, there as well (2015); sample_eval.pl,
https://www-nlpir.nist.gov/projects/trecvid/trecvid.tools/sample_eval/; inex_eval 3.1 (November 2010), of INEX 2009-10,
http://www.inex.otago.ac.nz; trecgen2007_score.py, https://trec.nist.gov/data/t2007_genomics.html (Hersh, Cohen, Ruslen,
Roberts. TREC 2007 Genomics Track Overview).
"""

from collections import Counter
from typing import Any

from ir_measures import AP, Measure, Qrel

from ir_segmeasures import measures
from ir_segmeasures.evaluation.evaluators import RowEvaluator
from ir_segmeasures.ids.documents import to_documents
from ir_segmeasures.ids.ties import break_ties
from ir_segmeasures.providers import campaign_providers
from ir_segmeasures.providers.evaluators import ShEvalEvaluator, ShEvalQuery
from ir_segmeasures.providers.programs.program import FigureValues, Program, answered, means, values_by_query
from ir_segmeasures.segments.user_warnings import warn

_SOURCE = 'https://github.com/robinaly/sh_eval'
_BIN, _TOLERANCE = 300, 15  # seconds


def sh_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """All figures of the queries that the run answers, by the program's names.

    Args:
        qrels, run: with segments in whole seconds

    Raises:
        ValueError: a segment is not in whole seconds
    """
    return {query_id: {name: int(value) if name.startswith('avglength_') else value
                       for name, value in figures.items()} for query_id, figures in _by_query(qrels, run).items()}


def _by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The figures before average lengths are cut to whole seconds."""
    queries = ShEvalEvaluator([measures.AP_over], qrels).topics(run)
    return {query_id: _figures(query) for query_id, query in queries if query.items}


def sh_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The program's figures of all queries that the run answers: sums of counts, and means of the others, of which
    those of videos and of lengths are cut to whole numbers.

    Args, Raises:
        as :func:`sh_eval_by_query`; also ``ValueError`` where the run answers no query
    """
    queries = _by_query(qrels, run)
    return {'num_q': len(queries), **{
        name: sum(figures[name] for figures in queries.values()) if name.startswith('num_') else
        int(mean) if name.startswith(('videos_', 'avglength_')) else mean for name, mean in means(queries).items()}}


def _figures(query: ShEvalQuery) -> FigureValues:
    n, seconds = len(query.items), query.segment_precision
    found: FigureValues = {
        'videos_ret': len({video for video, _, _ in query.items}), 'videos_rel': len(query.relevant),
        'avglength_ret': sum(max(end - start, 0) for _, start, end in query.items) / n,
        'avglength_rel': query.rel_secs / max(1, query.R)}
    for suffix, flags in (('', query.over), ('_bin', query.binned(_BIN)), ('_tol', query.tolerance(_TOLERANCE))):
        found |= {f'num_rel{suffix}': flags.R, f'num_ret{suffix}': len(flags.relevant),
                  f'num_rel_ret{suffix}': sum(flags.relevant), f'map{suffix}': flags.average_precision(),
                  **{f'P_{k}{suffix}': flags.precision(k) for k in (5, 10, 20)},
                  **{f'Judged_{k}{suffix}': flags.judged_share(k) for k in (10, 20, 30)}}
    return {**found, 'num_rel_secs': query.rel_secs, 'num_ret_secs': seconds.ret, 'num_rel_ret_secs': seconds.rel_ret,
            'maisp': seconds.maisp, **{f'maisp_{percent / 100:.2f}': seconds.at(percent) for percent in (5, 10, 20)}}


SH_EVAL = Program(
    'sh_eval', f'MediaEval Search & Hyperlinking 2014-15, TRECVID Video Hyperlinking 2015-16, sh_eval ({_SOURCE})',
    'qrels: query Q0 video start end relevance, with times as minutes.seconds',
    'a run of search or of linking: query Q0 video start end [jump-in] rank score run', 'sh-search',
    ('sh-search', 'sh-linking'), sh_eval_by_query, sh_eval_figures, 12)


def anchoring_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """``MRR``, ``P_10``, ``recall``, ``Unjudged_10`` and ``Unjudged_1000`` of the judged videos that the run answers.
    """
    sizes = Counter(row.query_id for row in run)
    return {video: {name: min(k, sizes[video]) - k * value if (k := _UNJUDGED.get(name)) else value
                    for name, value in figures.items()}
            for video, figures in answered(values_by_query(_ANCHORING, qrels, run), run).items()}


def anchoring_figures(qrels: Any, run: Any) -> FigureValues:
    """The program's means: sums over the videos in the run, over the number of videos with relevant anchors.

    Raises:
        ValueError: no video has relevant anchors
    """
    videos = anchoring_by_query(qrels, run)
    n = len({row.query_id for row in qrels if row.relevance > 0})
    if not n:
        raise ValueError('no video has relevant anchors, but every figure is a mean over such videos: check the file '
                         'of truth')
    return {'num_q': n, 'num_q_ret': len(videos),
            **{name: sum(figures[name] for figures in videos.values()) / n for name in _ANCHORING}}


_UNJUDGED = {'Unjudged_10': 10, 'Unjudged_1000': 1000}  # numbers of items, where Judged_over is a share
_ANCHORING = {'MRR': measures.RR_over, 'P_10': measures.P_new @ 10, 'recall': measures.Rprec_new,
              **{name: measures.Judged_over @ k for name, k in _UNJUDGED.items()}}

ANCHORING = Program(
    'anchoring', f'MediaEval Search & Anchoring in Video Archives 2015, sh_eval_anchoring ({_SOURCE})',
    'qrels: video start end relevance, with times as minutes.seconds',
    'a run: video Q0 start end rank score run', 'sh-anchoring', ('sh-anchoring',), anchoring_by_query,
    anchoring_figures, 12)

_RANKS = (10, 100, campaign_providers.LIMIT)


def sample_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """``infAP``, ``infNDCG``, the inferred precisions ``iP10``, ``iP100`` and ``iP1000``, ``inum_rel_ret`` and
    ``inum_rel`` (the relevant items that are inferred in the ranking and in the pool) and ``num_ret`` of each judged
    query that the run answers."""
    return _of_queries(_numbers(qrels, run), run)


def _of_queries(numbers: dict[str, campaign_providers.InferredNumbers], run: Any) -> dict[str, FigureValues]:
    sizes = Counter(row.query_id for row in run)
    return {query: {'infAP': found.ap, 'infNDCG': found.ndcg, **{f'iP{rank}': found.precision(rank) for rank in _RANKS},
                    'inum_rel_ret': found.found[-1], 'inum_rel': found.relevant, 'num_ret': sizes[query]}
            for query, found in numbers.items() if sizes[query]}


def sample_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The means over the queries that the run answers, and ``iprec@rec0.00`` … ``iprec@rec1.00``; the sums of
    ``inum_rel_ret``, of ``inum_rel`` over all judged queries, and of ``num_ret`` up to the 1,000th item of a query."""
    numbers = _numbers(qrels, run)
    queries = _of_queries(numbers, run)
    figures, answered = means(queries), [numbers[query] for query in queries]
    levels = zip(*(campaign_providers.interpolated_precisions(found.found, found.relevant) for found in answered))
    return {**{name: figures[name] for name in ('infAP', 'infNDCG')},
            **{f'iprec@rec{place / 10:.2f}': sum(level) / len(queries) for place, level in enumerate(levels)},
            **figures,
            'inum_rel_ret': sum(found.found[-1] for found in answered),
            'inum_rel': sum(found.relevant for found in numbers.values()),
            'num_ret': sum(len(found.found) for found in answered)}


def _numbers(qrels: Any, run: Any) -> dict[str, campaign_providers.InferredNumbers]:
    """The numbers of each judged query."""
    topics = RowEvaluator([measures.xinfAP], qrels).topics(run)
    return {query: campaign_providers.inferred_numbers(topic) for query, topic in topics}


SAMPLE_EVAL = Program(
    'sample_eval', 'TRECVID Ad-hoc Video Search 2016-, sample_eval (https://www-nlpir.nist.gov/projects/trecvid)',
    'qrels: topic, 0, shot, stratum, judgement', 'a run: topic, Q0 or 0, shot, rank, score, run', 'trecvid-strata',
    ('trec', 'trecvid-avs'), sample_eval_by_query, sample_eval_figures, 4)


def _passages(**given: Any) -> dict[str, Measure]:
    return {**{f'iP[{recall:.2f}]': measures.iP(**given) @ recall for recall in (0, .01, .05, .1)},
            'AiP': measures.AiP(**given)}


def _documents(average: Measure, precision: Measure) -> dict[str, Measure]:
    ranks = {f'{name}[{rank}]': measure @ rank for rank in (1, 2, 3, 5, 10, 25, 50)
             for name, measure in (('gP', precision), ('gR', measures.gR))}
    return {**ranks, 'AgP': average}


# The option of each task, and its figures.
_TASKS: dict[str, dict[str, Measure]] = {
    task: {name: measure(tool='inex_eval') for name, measure in figures.items()} for task, figures in (
        ('-f', _passages(overlap='error')),
        ('-t', {'char_prec': measures.SegP, 'char_rec': measures.SegR, 'char_f1': measures.SegF, **_passages()}),
        ('-r', _documents(measures.AgP(beta=.25), measures.gP(beta=.25))),
        ('-b', _documents(measures.AgP_bep, measures.gP_bep)),
        ('-i', _documents(measures.AgP_reading, measures.gP_reading)))}


def inex_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The figures of each topic that the run answers, such as ``-r AgP`` and ``-f iP[0.01]``, with the option of the
    task before the program's name of the figure. Tasks that do not accept the run are left out, with a warning.

    Raises:
        ValueError: no task accepts the run
    """
    found: dict[str, FigureValues] = {}
    refused = {}
    for task, figures in _TASKS.items():
        try:
            queries = answered(values_by_query(figures, qrels, run), run)
        except ValueError as error:
            refused[task] = error
            continue
        for query, values in queries.items():
            found.setdefault(query, {}).update({f'{task} {name}': value for name, value in values.items()})
    if len(refused) == len(_TASKS):
        raise refused['-t']
    warn(f'inex_eval does not accept the run for {task}, whose figures are left out: {error}'
         for task, error in refused.items())
    return found


def inex_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The means over the topics that the run answers; those of ``AgP`` and ``AiP`` are ``MAgP`` and ``MAiP``."""
    return {name.replace(' A', ' MA'): value for name, value in means(inex_eval_by_query(qrels, run)).items()}


INEX_EVAL = Program(
    'inex_eval', 'INEX ad hoc 2009-10, inex_eval 3.1 (http://www.inex.otago.ac.nz)',
    'qrels (FOL): topic, Q0, document, relevant characters, length, best entry point, offset:length, …',
    'a run (FOL): topic, Q0, document, rank, score, run, offset, length', 'inex-fol', ('inex-fol',), inex_eval_by_query,
    inex_eval_figures)


def genomics_by_query(gold: Any, run: Any) -> dict[str, FigureValues]:
    """``DOCUMENT``, ``PASSAGE``, ``PASSAGE2`` and ``ASPECT`` of each topic of the gold standard."""
    judged = list(dict.fromkeys(Qrel(row.query_id, row.doc_id, 1) for row in gold))
    documents = values_by_query({'DOCUMENT': AP}, judged, break_ties(to_documents(run), by='order'))
    passages = values_by_query({'PASSAGE': measures.PassageAP, 'PASSAGE2': measures.CharAP,
                                'ASPECT': measures.AspectAP}, gold, run)
    return {query: {**figures, **passages[query]} for query, figures in documents.items()}


TRECGEN2007 = Program(
    'trecgen2007', 'TREC Genomics 2007, trecgen2007_score (https://trec.nist.gov/data/t2007_genomics.html)',
    'the gold standard: topic, PubMed id, offset, length, aspects with | between them',
    'a run: topic, PubMed id, rank, score, offset, length, run', 'genomics', ('genomics',), genomics_by_query,
    decimals=8)
