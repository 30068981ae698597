"""A private name of ir-measures: the function that reads the values in the text of a measure. In release 0.4.3 it uses
classes of :mod:`ast` that Python 3.14 no longer has, so that nobody can read ``nDCG@10`` there. Where that is so, the
function is replaced when this package is imported; elsewhere nothing is touched.

Delete this module, its call and its tests when the least release of ir-measures that ``pyproject.toml`` asks for reads
``nDCG@10`` on Python 3.14 by itself. The public way that is missing is such a release.
"""

import ast
import warnings
from typing import Any

import ir_measures.util


def mend_parsing() -> None:
    """Lets the function ``parse_measure`` of ir-measures, and all that calls it, read values on this Python, if it
    cannot."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', DeprecationWarning)  # for the classes, on Python 3.12 and 3.13
        try:
            ir_measures.parse_measure('nDCG@10')
        except AttributeError:
            ir_measures.util._ast_to_value = node_value


def node_value(node: Any) -> Any:
    """The value of a node, for the values that ir-measures takes on every other Python: numbers, texts, truth values,
    None and dicts of them."""
    if isinstance(node, ast.Constant) and not isinstance(node.value, bytes) and node.value is not ...:
        return node.value
    if isinstance(node, ast.Dict):
        return dict(zip(map(node_value, node.keys), map(node_value, node.values)))
    raise ValueError('values of measures must be numbers, texts in quotes, True, False, None or dicts of these')
