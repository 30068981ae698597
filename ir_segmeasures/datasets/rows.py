"""
Judgements with what some measures need beside the segment. ir_datasets exports fields that are annotated with ``str``,
``int`` or ``float`` itself, so that annotations must not be postponed here.
"""

from typing import NamedTuple

__all__ = ['ElementQrel', 'InexQrel', 'StratumQrel']


class StratumQrel(NamedTuple):
    """A judgement of a sampled pool; relevance -1 is in the pool and not in the sample."""
    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    stratum: int


class InexQrel(NamedTuple):
    """A judged passage, the length of its document and the best entry point there, None if nothing is relevant."""
    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    doc_size: int
    bep: int


class ElementQrel(NamedTuple):
    """A judged element."""
    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    exhaustivity: float
    specificity: float
