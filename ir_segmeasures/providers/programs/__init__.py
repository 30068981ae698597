"""The figures of benchmarks' own programs that take files as they are, one module a program."""
