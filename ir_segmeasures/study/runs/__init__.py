"""Evaluation of many runs, or of one that is too large for memory, on all cores or on a cluster."""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules

from ir_segmeasures.study.runs.parallel_evaluation import BrokenRuns, evaluate_runs

__all__ = ['BrokenRuns', 'evaluate_runs']
