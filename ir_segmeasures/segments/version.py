"""The version of the package, for the root and the command alike."""

__version__ = '0.1.0'
