"""The providers of benchmarks' own programs, their quirks included: content of chunks as ``chunking_evaluation`` and
``legalbenchrag`` count it, recall, average precision and nDCG of moments as ``qvhighlights``, ``tvr`` and
``tvr_ranking`` have them. A reference or snippet is a relevant segment as it was judged, not merged with others.

Where a program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.evaluation.axis import Cover, share, sums
from ir_segmeasures.measures.moments import LIMIT, crossing_documents
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.measures.sets import length_in, read_content
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, graded_ndcg, iou_of_first

__all__ = ['ChunkingEvaluationProvider', 'LegalBenchRAGProvider', 'QVHighlightsProvider', 'TVRProvider',
           'TVRRankingProvider', 'chunking_evaluation', 'legalbenchrag', 'qvhighlights', 'tvr', 'tvr_ranking']

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
    from ir_segmeasures.segments.basics import Floats
    from ir_segmeasures.segments.tables.table import SegmentTable


def content_in_both(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the content that is in chunks and in references, counted once."""
    return length_in(run, run.cached(read_content, cutoff, None), run.spans)


def summed_items(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the content of all chunks. Quirk: content of several chunks counts in each of them."""
    return sums((run.end - run.start) * (run.rank <= cutoff), run.query, run.queries)


def summed_references(run: RunOnAxis) -> Any:
    """For each query the content of all references. Quirk: content of several references counts in each of them."""
    return sums(run.segments.end - run.segments.start, run.segments.query, run.queries)


def missed(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the content of the references that no chunk has. Quirk: content of several counts in each."""
    _, query, _, start, end = run.segments
    return sums(end - start - run.cached(read_content, cutoff, None).common(start, end), query, run.queries)


def precision_omega(run: RunOnAxis) -> Any:
    """The precision of a perfect retriever.

    Quirk: a chunk that ends where a reference starts, or starts where one ends, contains it.
    """
    nearest = np.searchsorted(run.spans.end, run.start, 'left')
    containing = np.append(run.spans.start, run.base[-1])[nearest] <= run.end
    content = length_in(run, Cover.union(run.start[containing], run.end[containing]))
    found = content_in_both(run, np.inf)
    return share(found, content + run.T_rel - found)


def common_characters(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the characters that are in the chunks and in the snippets. Quirk: summed over all pairs of a chunk
    and a snippet, so that overlapping chunks count twice.
    """
    def behind(x: Any, bounds: Any) -> Any:
        """How far each place lies behind all bounds before it, in sum."""
        bounds = np.sort(bounds)
        number = np.searchsorted(bounds, x)
        return number * x - np.append(0, np.cumsum(bounds))[number]
    start, end = (behind(x, run.segments.start) - behind(x, run.segments.end) for x in (run.start, run.end))
    return sums((end - start) * (run.rank <= cutoff), run.query, run.queries)


_REL = {'rel': Only(1)}
_READ = {'budget': NO_PARAMETER, **_REL}


class ChunkingEvaluationProvider(ToolProvider):
    """brandonstarxel/chunking_evaluation, the program of Chroma's study of chunking (2024): its recall, precision, IoU
    and precision Ω are ``SegR(tool='chunking_evaluation')``, ``SegP``, ``SegIoU`` and ``SegP_omega``. Judgements are
    the references, in characters; for ``SegP_omega`` the run has all chunks of the question's text.

    Its numbers differ from the definitions in known ways, all kept:

    - content that several chunks have counts once in each of them, in the retrieved content (SegP, SegIoU);
    - content that several references have counts once in each of them, in the relevant content (SegR) and in the
      missed content (SegIoU);
    - a chunk that only touches a reference contains it (SegP_omega).
    """
    NAME = 'chunking_evaluation'
    figures = (
        Figure(measures.SegP, lambda run, m: share(content_in_both(run, m.cutoff), summed_items(run, m.cutoff)), _READ),
        Figure(measures.SegR, lambda run, m: share(content_in_both(run, m.cutoff), summed_references(run)), _READ),
        Figure(measures.SegIoU, lambda run, m: share(
            content_in_both(run, m.cutoff), summed_items(run, m.cutoff) + missed(run, m.cutoff)), _READ),
        Figure(measures.SegP_omega, lambda run, _: precision_omega(run), {'cutoff': NO_PARAMETER, **_REL}),
    )


chunking_evaluation = providers.register(ChunkingEvaluationProvider())


class LegalBenchRAGProvider(ToolProvider):
    """ZeroEntropy-AI/legalbenchrag, the program of LegalBench-RAG (Pipitone & Alami 2024): its precision and recall at
    k are ``SegP(tool='legalbenchrag')@k`` and ``SegR(tool='legalbenchrag')@k``. Judgements are the snippets, in
    characters.

    Its numbers differ from the definitions in known ways, all kept:

    - the common content of chunks and snippets is summed over all their pairs: content that several chunks have counts
      once in each of them, so that recall can exceed 1;
    - content that several chunks have counts once in each of them, in the retrieved content (SegP), and content that
      several snippets have in the relevant content (SegR);
    - its mean over several sub-benchmarks has weights. The values of the queries are those of the program; the mean, as
      everywhere in ir-measures, is over all judged queries, each with the same weight.
    """
    NAME = 'legalbenchrag'
    figures = (
        Figure(measures.SegP, lambda run, m: share(common_characters(run, m.cutoff), summed_items(run, m.cutoff)),
               _READ),
        Figure(measures.SegR, lambda run, m: share(common_characters(run, m.cutoff), summed_references(run)), _READ))


legalbenchrag = providers.register(LegalBenchRAGProvider())

Placed = tuple[str, Any]  # a document and a window in it


class Listed(NamedTuple):
    """A query as the program sees it.

    Attributes:
        graded: its judged windows with their relevance
        ranked: the items by rank
        listed: the places in ``ranked`` of the items in the order of the input
    """
    graded: list[tuple[float, Placed]]
    ranked: list[Placed]
    listed: list[int]

    @property
    def true(self) -> list[Placed]:
        """The relevant windows with content."""
        return [place for grade, place in self.graded if grade >= 1 and place[1][0] < place[1][1]]


def listed_queries(run: RunOnAxis) -> dict[int, Listed]:
    """The queries that have items, by their places in the qrels."""
    match, graded = run.match, dict[int, list[tuple[float, Placed]]]()
    columns = match.qrels.query.tolist(), match.qrels.value.tolist(), _placed(match.qrels, slice(None))
    for query, grade, place in zip(*columns):
        graded.setdefault(query, []).append((grade, place))
    return {query: Listed(graded[query], _placed(match.run, slice(low, high)),
                          np.argsort(match.run.row[low:high]).tolist())
            for query, (low, high) in zip(*(column.tolist() for column in match.rankings))}


def _placed(table: SegmentTable, rows: slice) -> list[Placed]:
    return [(table.document_ids[document], (start, end)) for document, start, end in zip(
        table.document[rows].tolist(), table.start[rows].tolist(), table.end[rows].tolist())]


def first_iou(query: Listed) -> float:
    """The IoU of the item that is listed first and the true window that it fits best, of equal ones the first."""
    document, first = query.ranked[query.listed[0]]
    return iou_of_first(first, [window for other, window in query.true if other == document])


def listed_precisions(query: Listed, ious: tuple[float, ...]) -> float:
    """The mean over IoUs of the average precision of the items that are listed as the first ten, ordered by score.

    Quirk: items with better scores that are listed later do not count.
    """
    ranked = [query.ranked[place] for place in sorted(query.listed[:LISTED])]
    return sum(average_precisions(query.true, ranked, ious)) / len(ious)


def _values(run: RunOnAxis, value: Callable[[Listed], float]) -> Floats:
    values = np.zeros(run.queries)
    for place, query in run.cached(listed_queries).items():
        values[place] = value(query)
    return values


_TEN = {**_REL, 'cutoff': Only(None, LISTED)}


class QVHighlightsProvider(ToolProvider):
    """The program of QVHighlights (moment_detr, standalone_eval; Lei, Berg & Bansal, NeurIPS 2021):
    ``IoU_R(iou=0.7, tool='qvhighlights')@1``, ``IoU_AP(iou=0.5, tool='qvhighlights')`` and
    ``mIoU_AP(tool='qvhighlights')``.

    Its numbers differ from the definition in known ways, all kept:

    - recall looks at the item that is listed first, whatever its score is: the first of the query in the input;
    - average precision looks at the first ten items as listed, and then orders them by score;
    - it computes in double precision: an IoU at a threshold can fall on either side;
    - of true windows that fit an item equally well, the one judged last is matched first.
    """
    NAME = 'qvhighlights'
    figures = (
        Figure(measures.IoU_R, lambda run, m: _values(run, lambda query: float(first_iou(query) >= m['iou'])),
               {**_REL, 'cutoff': Only(1), 'strict': Only(False)}),
        Figure(measures.IoU_AP, lambda run, m: _values(run, lambda query: listed_precisions(query, (m['iou'],))), _TEN),
        Figure(measures.mIoU_AP, lambda run, _: _values(run, lambda query: listed_precisions(query, IOUS)), _TEN))


qvhighlights = providers.register(QVHighlightsProvider())


def recalled(run: RunOnAxis, k: int, iou: float) -> Floats:
    """For each query, whether one of the first k items has this IoU or more with a true window.

    Quirks: only the first 100 items count; all in single precision, so that an IoU of 0.7 can fall below 0.7.
    """
    found = np.zeros(run.queries)
    for items, _, windows, _ in crossing_documents(run, min(k, LIMIT)):
        (start, end), (first, until) = (
            [np.array(run.positions(table.stretch[rows], x[rows]), np.float32) for x in (table.start, table.end)]
            for table, rows in ((run, items), (run.segments, windows)))
        common = np.minimum(end[:, None], until) - np.maximum(start[:, None], first)
        union = np.maximum(end[:, None], until) - np.minimum(start[:, None], first)
        if ((common > 0) & (common / union >= np.float32(iou))).any():
            found[run.query[items[0]]] = 1
    return found


class TVRProvider(ToolProvider):
    """The program of TVR (jayleicn/TVRetrieval; Lei, Yu, Berg & Bansal, ECCV 2020): ``IoU_R(iou=0.7, tool='tvr')@5`` on
    its predictions of VCMR (moments of all videos) and SVMR (moments of the query's video).

    Its numbers differ from the definition in known ways, all kept:

    - it computes in single precision: an IoU of 0.5 or 0.7 to some 10^-7 can fall on either side;
    - it looks at the first 100 items, and at no others.

    In SVMR the program leaves out what is of other videos than that of the query before it counts ranks: the commands
    do so with ``--task SVMR``, and
    :func:`ir_segmeasures.measures.moments.items_of_judged_videos` does so with rows.

    Its figures of videos (VR) are ``Success@k`` of ir-measures on runs and qrels made documents
    (:func:`~ir_segmeasures.to_documents`).
    """
    NAME = 'tvr'
    figures = Figure(measures.IoU_R, lambda run, m: recalled(run, m['cutoff'], m['iou']),
                     {'rel': Only(1), 'strict': Only(False)}),


tvr = providers.register(TVRProvider())


def graded_ndcgs(run: RunOnAxis, k: int, iou: float) -> Floats:
    """For each query the nDCG of the first k items. Quirk: an item can take a window of relevance 0, too."""
    return _values(run, lambda query: graded_ndcg(
        query.ranked[:k], [one for one in query.graded if one[0] >= 0], k, iou))


class TVRRankingProvider(ToolProvider):
    """The program of TVR-Ranking (Ranking-VMR/TVR-Ranking, ndcg_iou.py; Liang et al. 2024):
    ``nDCG_IoU(iou=0.5, tool='tvr_ranking')@10``.

    Its numbers differ from the definition in known ways, all kept:

    - the IoU must be greater than ``iou``, and is computed in double precision;
    - of windows that fit an item equally well, the one with the greatest relevance is taken;
    - an item can take a window of relevance 0, and gains nothing by it.
    """
    NAME = 'tvr_ranking'
    figures = Figure(measures.nDCG_IoU, lambda run, m: graded_ndcgs(run, m['cutoff'], m['iou']),
                     {'dcg': Only('exp-log2')}),


tvr_ranking = providers.register(TVRRankingProvider())
