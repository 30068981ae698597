"""Evaluation of many runs, on all cores or on a cluster."""

from ir_segmeasures.study.runs.evaluation import BrokenRuns as BrokenRuns, evaluate_runs as evaluate_runs
