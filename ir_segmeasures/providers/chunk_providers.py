"""The providers ``chunking_evaluation`` and ``legalbenchrag``: content of chunks as two benchmarks' programs count it,
their quirks included. A reference or snippet is a relevant segment as it was judged, not merged with others.

Where a program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.evaluation.axis import Cover, share, sums
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.measures.sets import length_in, read_content
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis


def content_in_both(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the content that is in chunks and in references, counted once."""
    return length_in(run, run.cached(read_content, cutoff, None), run.spans)


def summed_items(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the content of all chunks. Quirk: content of several chunks counts in each of them."""
    read = run.rank <= cutoff
    return sums((run.end - run.start)[read], run.query[read], run.queries)


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
    def before(x: Any) -> Any:
        """How much of all snippets lies before each place, each by itself."""
        total = 0
        for bounds, sign in ((np.sort(run.segments.start), 1), (np.sort(run.segments.end), -1)):
            number = np.searchsorted(bounds, x)
            total = total + sign * (number * x - np.append(0, np.cumsum(bounds))[number])
        return total
    read = run.rank <= cutoff
    return sums((before(run.end) - before(run.start))[read], run.query[read], run.queries)


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
