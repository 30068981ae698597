"""Evaluation of many runs, on all cores or on a cluster."""

from ir_segmeasures.study.runs.evaluation import BrokenRuns, evaluate_runs

__all__ = ['BrokenRuns', 'evaluate_runs']
