"""Readers and writers of files share these modules."""

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules
