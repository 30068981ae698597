"""Runs and qrels of any shape as tables of columns, and a run beside the qrels."""
