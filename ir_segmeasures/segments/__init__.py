"""Segments and spans: the ground, which knows nothing else of the package."""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules
