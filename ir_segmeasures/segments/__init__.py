"""Segments and spans: the ground, which knows nothing else of the package."""
