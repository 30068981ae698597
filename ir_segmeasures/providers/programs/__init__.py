"""Benchmarks' own programs: their figures of files as they are."""
