"""What the tests of the reference share: the worked example, measures as they are written, and the generated cases."""

import ast
import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import reference
import strategies

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]
# What the number after @ is, where a measure is written with one.
AT = {'T2I_AP': 'cutoff', 'P_tol': 'cutoff', 'gP': 'cutoff', 'gR': 'cutoff', 'T2I_P': 'T', 'T2I_Found': 'T',
      'ESL': 'S', 'ESLRF': 'S', 'ESD': 'S', 'Precall': 'recall', 'iSP': 'recall'}


def parse(measure: str) -> tuple[str, dict[str, Any]]:
    """The name and the keywords of a measure as it is written: 'ESL(tau=30,D=2000)@2'."""
    node = ast.parse(measure, mode='eval').body
    keywords: dict[str, Any] = {}
    at = None
    if isinstance(node, ast.BinOp):
        at = ast.literal_eval(node.right)
        node = node.left
    if isinstance(node, ast.Call):
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords}
        node = node.func
    if at is not None:
        keywords[AT.get(node.id, 'cutoff')] = at
    return node.id, keywords


def value(name: str, qrels: strategies.Qrels, run: strategies.Run, keywords: dict[str, Any]) -> Fraction:
    """A measure of the reference by its name."""
    return getattr(reference, name)(qrels, run, **keywords)


def entries(*starts: float) -> strategies.Run:
    """A ranking of entry points in the one document of the examples."""
    return [('v', start, start) for start in starts]


def load_cases(path: Path) -> list[dict[str, Any]]:
    """The generated cases, one JSON object a line."""
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]
