"""Segments, spans, and the tables of runs and qrels: the ground, which knows nothing else of the package."""
