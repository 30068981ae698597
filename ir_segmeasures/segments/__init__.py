"""Segments, spans, and the tables of runs and qrels: the ground, which knows nothing else of the package."""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules
