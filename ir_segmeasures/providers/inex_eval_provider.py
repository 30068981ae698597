"""The provider ``inex_eval``: the passage measures of INEX as the ad hoc track's own program has them."""

from typing import Any

from ir_measures import Evaluator, providers

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.inex_eval_figures import FIGURES

__all__ = ['InexEvalProvider', 'inex_eval']


class InexEvalProvider(ToolProvider):
    """inex_eval 3.1 (November 2010), the official program of INEX' ad hoc track 2009-10: ``AgP(tool='inex_eval')`` in
    any pipeline, or all measures of a call with ``--provider inex_eval`` and
    ``ir_segmeasures.inex_eval.calc_aggregate(…)``.

    Its modes are ``AiP`` and ``iP`` (thorough, -t), the same with ``overlap='error'`` (focused, -f), ``AgP``, ``gP``
    and ``gR`` (relevant in context, -r), ``AgP_bep`` and ``gP_bep`` (best in context, -b), ``AgP_reading`` and
    ``gP_reading`` (-i). ``SegP``, ``SegR`` and ``SegF`` are its char_prec, char_rec and char_f1 (of -t); its art_prec,
    art_rec and art_f1 are ir-measures' ``SetP``, ``SetR`` and ``SetF`` of the documents
    (:func:`~ir_segmeasures.to_documents`). Parameters mean what they always mean: the figures that INEX published are
    ``AgP(beta=0.25)``.

    Its numbers differ from the definitions in known ways, all kept:

    - recall is floored to hundredths in double precision, so that 29 of 100 characters count as 0.28 (iP, AiP);
    - overlap is cut only in relevant documents (-t), so that SegP counts what others repeat each time;
    - a document without a passage counts 18 characters (-f, -r, and -t outside relevant documents);
    - gP beyond the end of the list is its value at the end;
    - a passage that starts beyond the document's end makes it read on from the end up to the passage, as irrelevant;
      behind a passage of length 0 that stands at the start of a longer one, the longer one is read again (-i);
    - a document without a passage is read from its start (-i);
    - AgP, gR and SegR of a topic without relevant documents are NaN if the run answers the topic, and so is the mean
      then;
    - it rejects runs: for overlap and for a passage of length 0 inside another (-f, -r, -i), for interleaved documents
      (-r, -i, -b) and for a second item of a document (-b). That is an error here, which names the row;
    - it averages over the topics that a run answers, unless it is given -c. The values of the topics are those of the
      program; the mean, as everywhere in ir-measures, is over all judged topics.

    It knows whole numbers: positions with fractions are an error.
    """
    NAME = 'inex_eval'
    FIGURES = FIGURES

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        from ir_segmeasures.providers.inex_eval_evaluator import InexEvalEvaluator
        return InexEvalEvaluator(measures, qrels, self._outcome)


inex_eval = providers.register(InexEvalProvider())
