"""Runs that are made of judgements, and the order in which measures should put them."""

from ir_segmeasures.study.simulation.element_runs import ELEMENT_RUNS, element_run
from ir_segmeasures.study.simulation.fidelity_tests import Comparison, Fidelity, expected_orderings, fidelity
from ir_segmeasures.study.simulation.passage_runs import RANKINGS, SEGMENTS, SimulatedItem, fidelity_run

__all__ = ['ELEMENT_RUNS', 'RANKINGS', 'SEGMENTS', 'Comparison', 'Fidelity', 'SimulatedItem', 'element_run',
           'expected_orderings', 'fidelity', 'fidelity_run']
