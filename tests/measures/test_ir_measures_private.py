"""Measures are read on Pythons whose module ``ast`` has lost the names that ir-measures 0.4.3 reads values with."""

import subprocess
import sys

# Python 3.14 has none of them; on Python 3.12 and 3.13 a function of the module gives the classes.
WITHOUT_OLD_NAMES = """
import ast
for name in ('Num', 'Str', 'Bytes', 'NameConstant', 'Ellipsis', '__getattr__'):
    vars(ast).pop(name, None)
for name in ('n', 's'):
    if hasattr(ast.Constant, name):
        delattr(ast.Constant, name)
import ir_measures, ir_measures.util
old = ir_measures.util._ast_to_value
from ir_measures import parse_measure
"""
READS = """
try:
    ir_measures.parse_measure('nDCG@10')
    reads = True
except AttributeError:
    reads = False
"""


def python(program: str) -> str:
    """What a program prints that runs without the old names."""
    found = subprocess.run([sys.executable, '-W', 'error::DeprecationWarning:ir_segmeasures', '-c',
                            WITHOUT_OLD_NAMES + READS + program], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_ir_measures_still_needs_it() -> None:
    assert python('print(reads)') == 'False\n', (
        'this release of ir-measures reads values on Python 3.14 by itself: ask for it in pyproject.toml, and delete '
        'ir_measures_private.py and these tests')


def test_importing_mends_it() -> None:
    out = python("""
import ir_segmeasures
for text in ("nDCG(judged_only=True)@10", "IPrec@0.5", "nDCG(dcg='exp-log2')", "nDCG(gains={1:0,2:5})@5",
             "MAiSP(user='ret')@5"):
    print(parse_measure(text) == ir_measures.parse_measure(text), parse_measure(text))
for text in ('P(rel=...)', "P(rel=b'1')", 'P@[5]', 'P@-5', 'P@x', 'P(rel={**x})'):
    try:
        print(parse_measure(text))
    except ValueError as error:
        print('refused')
""")
    assert out.splitlines() == [
        'True nDCG(judged_only=True)@10', 'True IPrec@0.5', "True nDCG(dcg='exp-log2')", 'True nDCG(gains={1:0,2:5})@5',
        "True MAiSP(user='ret')@5", *['refused'] * 6]
