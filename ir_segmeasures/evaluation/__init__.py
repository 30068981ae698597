"""Evaluators: they read the tables of qrels and runs and give each measure its values, one query at a time."""
