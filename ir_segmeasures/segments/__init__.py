"""Segments, tables of them, and a run beside the qrels: the ground, which knows nothing else of the package."""
