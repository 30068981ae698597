"""Names and first sentences, over the syntax tree: docstrings open with a subject, and tests stand where their room is.
Which rooms may use which is a contract of import-linter, in pyproject.toml."""

import ast
from pathlib import Path

import ir_segmeasures

PACKAGE = Path(ir_segmeasures.__file__).parent
RIDDLES = ('Those', 'What', 'As', 'Same', 'That', 'Which', 'Whose', 'Of', 'Whether', 'Whoever', 'Where')


def test_folders_of_tests_mirror_the_package() -> None:
    tests = Path(__file__).parent
    folders = {path.parent.relative_to(tests) for path in tests.rglob('test_*.py')}
    assert {str(folder) for folder in folders if not (PACKAGE / folder).is_dir()} <= {'fuzz', 'pages'}


def test_docstrings_open_with_a_subject() -> None:
    found = []
    for path in sorted(PACKAGE.rglob('*.py')):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or '-'
                if text.split()[0].rstrip(',.:') in RIDDLES or text.startswith(('The same', 'The one')):
                    found.append(f'{path}:{getattr(node, "lineno", 1)}: {text.splitlines()[0]}')
    assert found == []
