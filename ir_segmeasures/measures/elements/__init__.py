"""Measures of judged elements: INEX 2002 to 2005."""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules
