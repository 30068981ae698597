"""The provider ``sh_eval``: the measures that the official tool of MediaEval Search & Hyperlinking computes, and the
figure of the tool that each of them is.
"""

from __future__ import annotations

from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.providers.base import NO_PARAMETER, WHOLE, Figure, ToolProvider

_REL = {'rel': Only(1)}
_LIST = {'cutoff': NO_PARAMETER, **_REL}  # the tool has no averages of cut lists
_BIN = {'bin': WHOLE, 'expand': Only(True)}
_TOL = {'tau': WHOLE, 'keepviewing': Only(False), 'init': Only(0), **_REL}
_MAISP = {'cutoff': NO_PARAMETER, 'user': Only('rel'), **_REL}

_FIGURES = (
    Figure(measures.AP_over, lambda q, m: q.over.average_precision(), _LIST),
    Figure(measures.P_over, lambda q, m: q.over.precision(m['cutoff']), _REL),
    Figure(measures.Judged_over, lambda q, m: q.over.judged_share(m['cutoff']), {}),
    Figure(measures.AP_bin, lambda q, m: q.binned(m['bin']).average_precision(), {'cutoff': NO_PARAMETER, **_BIN,
                                                                                  **_REL}),
    Figure(measures.P_bin, lambda q, m: q.binned(m['bin']).precision(m['cutoff']), {**_BIN, **_REL}),
    Figure(measures.Judged_bin, lambda q, m: q.binned(m['bin']).judged_share(m['cutoff']), _BIN),
    Figure(measures.T2I_AP, lambda q, m: q.tolerance(m['tau']).average_precision(), {'cutoff': NO_PARAMETER, **_TOL}),
    Figure(measures.P_tol, lambda q, m: q.tolerance(m['tau']).precision(m['cutoff']), _TOL),
    Figure(measures.Judged_tol, lambda q, m: q.tolerance(m['tau']).judged_share(m['cutoff']), {'tau': WHOLE}),
    Figure(measures.AiSP, lambda q, m: q.segment_precision.maisp, {**_MAISP, 'points': Only(101)}),
    Figure(measures.iSP, lambda q, m: q.segment_precision.at(round(100 * m['recall'])),
           {'recall': Only(0.05, 0.1, 0.2), **_MAISP}),
)


class ShEvalProvider(ToolProvider):
    """robinaly/sh_eval, the official tool of MediaEval Search & Hyperlinking 2014-15 and TRECVID Video Hyperlinking
    2015-16. Published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it: ``MAiSP(tool='sh_eval')`` in any
    pipeline, or all measures of a call with ``--provider sh_eval`` and ``ir_segmeasures.sh_eval.calc_aggregate(…)``.

    Its numbers differ from the definitions in known ways, all kept:

    - a segment that ends where another starts overlaps it (``over``, MAiSP);
    - an item in tolerance is checked against what was seen as a whole, not from its start (``tol``);
    - MAiSP has the constant 1 at recall 0, a last recall point that can lie beyond the relevant content, loses a second
      where a span is cut, and moves on by too much after an item's second span;
    - it knows whole seconds: times with fractions are an error;
    - it averages over the queries that a run answers. The values of the queries are those of the tool; the mean, as
      everywhere in ir-measures, is over all judged queries.
    """
    NAME = 'sh_eval'
    figures = _FIGURES
    EVALUATOR = 'ShEvalEvaluator'


sh_eval = providers.register(ShEvalProvider())
