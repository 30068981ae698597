"""What the pages show of the registries: every measure, format and dataset, as reStructuredText.

    python tests/pages/tables.py

writes it into ``ir_segmeasures/pt_docs``, between the lines ``.. tables: NAME`` and ``.. end of NAME``. The page of a
family has the measures of some modules, between ``.. measures: MODULE …`` and ``.. end of measures``. A test holds the
pages against it. The text stands in the pages themselves, since PyTerrier copies them as they are.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import cleandoc
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import ir_measures
from ir_measures import ScoredDoc

from ir_segmeasures.formats import FORMATS
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import NAMES, aliases_of

PAGES = Path(__file__).resolve().parents[2] / 'ir_segmeasures' / 'pt_docs'
# Where a measure has several names, the README uses this one, and so do the pages.
README_NAMES = ('T2I_MAP', 'MAgP', 'MAiSP')

# The picture: a recording of 100 seconds, and systems with the segments that they return.
RELEVANT = [(20, 40), (60, 80)]
SYSTEMS = {
    'exact': [(20, 40), (60, 80)],
    'entry points': [(18, 22), (58, 62)],
    'redundant': [(20, 40), (22, 42), (24, 44), (60, 80)],
    'whole': [(0, 100)],
}
# The same as an article of 100 characters: its elements with exhaustivity and specificity, and what systems return.
ELEMENTS = {(0, 100): (3, 1), (10, 50): (2, 2), (20, 40): (3, 3), (50, 90): (2, 2), (60, 80): (3, 3)}
ELEMENT_SYSTEMS = {
    'paragraphs': [(20, 40), (60, 80)],
    'sections': [(10, 50), (50, 90)],
    'redundant': [(20, 40), (10, 50), (60, 80), (50, 90)],
    'whole': [(0, 100)],
}
# What the examples give: parameters that a measure cannot do without, and those whose default is made for hours.
GIVEN: dict[str, Any] = {'cutoff': 2, 'T': 60, 'D': 1000, 'recall': 0.5, 'level': 0.5, 'iou': 0.5, 'A': 0.1, 'L': 100,
                         'halflife': 30, 'min': 3}
SMALL: dict[str, Any] = {'bin': 20, 'n': 50, 'irr': 15}


MATHS = {'<=': r'\le ', '>=': r'\ge ', '·': r'\cdot ', '∩': r'\cap ', '∪': r'\cup ', '∫': r'\int ', 'Σ': r'\sum',
         '..': r'\ldots ', 'β²': r'\beta^2', 'α': r'\alpha ', 'β': r'\beta ', 'θ': r'\theta ',
         'max': r'\max ', 'min': r'\min ', 'log2': r'\log_2', '{': r'\{', '}': r'\}', ' ': r'\ '}

FORMULA = re.compile(r'``(?P<code>[^`]*)``|(?<![`\w])[A-Za-z]+_[a-z]\b(?![`\w(])')


class Judged(NamedTuple):
    """A judgement, with all that any measure needs beside the segment."""
    query_id: str
    doc_id: str
    relevance: int
    exhaustivity: int
    specificity: int
    doc_size: float = 100
    bep: float = 20
    stratum: str = '1'
    known: int = 0
    aspects: str = 'one'
    saliency_1: float = 4
    saliency_2: float = 3
    saliency_3: float = 2


def table(rows: Iterable[tuple[str, ...]], widths: str) -> list[str]:
    """A table; its first row is the heading."""
    head, *rest = (', '.join('"{}"'.format(cell.replace('"', '""')) for cell in row) for row in rows)
    return ['.. csv-table::', f'   :header: {head}', f'   :widths: {widths}', '', *(f'   {row}' for row in rest), '']


def names(found: Iterable[str]) -> str:
    return ', '.join(f'``{name}``' for name in found)


def literal(text: str) -> str:
    """A text in which quoted values and options of commands are code."""
    return re.sub(r"(?:\w+=)?'[^' ]+'|--\w+", r'``\g<0>``', text)


def typeset(formula: str) -> str:
    """The formula of a docstring in LaTeX: words upright, variables slanted, indices below, ``(1/x)`` a fraction.

    Examples:
        >>> print(typeset('P_tol@k = (1/k) · Σ_{i<=k} hits_i'))
        \\mathrm{P\\_tol}@k = \\frac{1}{k} \\cdot \\sum_{i\\le k}\\ \\mathrm{hits}_{i}
    """
    def latex(match: re.Match[str]) -> str:
        measure, divisor, word, low, high, other = match.groups()
        if word:
            letters = MATHS.get(word) or (word if len(word.strip("'")) == 1 else rf'\mathrm{{{word}}}')
            return letters + (f'_{{{typeset(low.strip("{}"))}}}' if low else '')
        if measure:
            return r'\mathrm{' + measure.replace('_', r'\_') + '}'
        return rf'\frac{{1}}{{{typeset(divisor)}}}' if divisor else f'^{{{typeset(high)}}}' if high else MATHS[other]

    if fraction := re.fullmatch(r'(\S+) = ([^Σ]+) / ([^Σ/]+)', formula):
        value, above, below = fraction.groups()
        whole = all(above.count(left) == above.count(right) for left, right in ('()', '{}', '⌈⌉'))
        if whole and not re.search(r' [-+/] ', above.partition('(')[0]):
            below = below[1:-1] if re.fullmatch(r'\([^(]*\)', below) else below
            return rf'{typeset(value)} = \frac{{{typeset(above)}}}{{{typeset(below)}}}'
    shown = '|'.join(sorted({*NAMES, *README_NAMES}, key=len, reverse=True))
    typed = re.sub(rf"\b({shown})\b(?!')|\(1/(\w+)\)|([A-Za-z]+2?'?|Σ)(?:_(\{{[^}}]*\}}|\w+))?|\^\(([^)]*)\)"
                  r"|((?<=[\w'|.)}]) (?=[^\W\d])|[<>]=|\.\.|β²|[·∩∪∫αβθ{}])", latex, formula).replace('  ', ' ')
    while (joined := re.sub(r'(\\mathrm\{[\w~]+)\}\\ \\mathrm\{', r'\1~', typed)) != typed:
        typed = joined
    return typed


def math(found: re.Match[str]) -> str:
    """A formula or a variable with an index, typeset; any other code as it is."""
    if found['code'] and ' = ' not in found['code']:
        return found[0]
    style, formula = (r'\displaystyle ', found['code']) if found['code'] else ('', found[0])
    return f':math:`{style}{typeset(" ".join(formula.split()))}`'


def example(measure: SegmentMeasure) -> str:
    """The measure's values for the systems of the picture."""
    params = {name: GIVEN[name] for name, info in measure.SUPPORTED_PARAMS.items() if info.required}
    if 'cutoff' in params and 'documents' in measure.SUPPORTED_PARAMS['cutoff'].desc:
        params['cutoff'] = 1
    asked = measure(**params, **{name: SMALL[name] for name in measure.SUPPORTED_PARAMS if name in SMALL})
    elements = 'exhaustivity' in measure.NEEDS
    judged = ELEMENTS if elements else dict.fromkeys(RELEVANT, (3, 3))
    unit = 'char' if elements else 't'
    qrels = [Judged('q', f'rec#{unit}={start},{end}', 1, *grades, known=int(start == 20), aspects=str(start))
             for (start, end), grades in judged.items()]
    values = []
    for name, items in (ELEMENT_SYSTEMS if elements else SYSTEMS).items():
        run = [ScoredDoc('q', f'rec#{unit}={start},{end}', -rank) for rank, (start, end) in enumerate(items)]
        values.append(f'{name} {ir_measures.calc_aggregate([asked], qrels, run)[asked]:.4g}')
    return f'- On the picture, ``{asked}``: {", ".join(values)}.'


def named(measure: SegmentMeasure) -> SegmentMeasure:
    """The measure under the name by which the README asks for it."""
    shown = {other for other in aliases_of(measure) if other in README_NAMES}
    return NAMES[shown.pop()] if shown else measure


def renamed(text: str) -> str:
    """A text with the names by which the README asks for measures."""
    for name in README_NAMES:
        text = re.sub(rf'\b{NAMES[name].NAME}\b', name, text)
    return text


def entry(measure: SegmentMeasure) -> Iterator[str]:
    """All that is known about one measure, but what its parameters are."""
    heading = str(named(measure))
    yield from (f'.. _measure-{measure.NAME}:', '', heading, '-' * len(heading), '')
    # The example of a docstring is for the command and Python's help; lines of citations need a directive.
    text = renamed(cleandoc(measure.__doc__ or '').partition('\nExamples:\n')[0])
    yield from (line for line in FORMULA.sub(math, text).splitlines() if not line.startswith('.. cite'))
    yield from ('', example(named(measure)))
    params = []
    for name, info in measure.SUPPORTED_PARAMS.items():
        at = '@' if name == measure.AT_PARAM else ''
        default = ' (required)' if info.required else '' if info.value is None else f' (``{info.value!r}``)'
        params.append(f'``{at}{name}``{default}')
    others = names(name for name in (measure.NAME, *aliases_of(measure)) if name != heading)
    yield f'- Parameters: {", ".join(params)}.'
    yield from ([f'- Other names: {others}.'] if others else [])
    yield ''


def parameters(measures: Sequence[SegmentMeasure]) -> Iterator[str]:
    """What the parameters of a page's measures are; where one name has two meanings, the measures of each."""
    meanings: dict[str, dict[str, list[str]]] = {}
    for measure in measures:
        for name, info in measure.SUPPORTED_PARAMS.items():
            meaning = f'{literal(info.desc)}; {literal(info.rule)}'
            meanings.setdefault(name, {}).setdefault(meaning, []).append(str(named(measure)))
    yield from ('Parameters', '----------', '')
    for name, found in meanings.items():
        for meaning, of in found.items():
            yield f'- ``{name}``' + (f' of {", ".join(of)}' if len(found) > 1 else '') + f': {meaning}'
    yield ''


def entries(page: str) -> Iterator[str]:
    measures = list(measures_of(page))
    for measure in measures:
        yield from entry(measure)
    yield from parameters(measures)


def families() -> Iterator[str]:
    """The pages of the families in the order of the navigation, the question that each opens with, and its measures."""
    rows = [('family', 'question', 'measures')]
    for name in re.findall(r'^   (measures/\S+)$', (PAGES / 'measures.rst').read_text(encoding='utf-8'), re.M):
        page = (PAGES / f'{name}.rst').read_text(encoding='utf-8')
        question = page.split('\n\n')[1].partition('?')[0].replace('\n', ' ')
        found = ', '.join(f':ref:`{named(measure)} <measure-{measure.NAME}>`' for measure in measures_of(page))
        rows.append((f':doc:`{name}`', f'{question}?', found))
    yield from table(rows, '18 42 40')


def all_measures() -> Iterator[str]:
    rows = [('measure', 'what it is', 'source')]
    for measure in dict.fromkeys(NAMES.values()):
        shown, paragraphs = named(measure), cleandoc(measure.__doc__ or '').split('\n\n')
        others = names(name for name in (measure.NAME, *aliases_of(measure)) if name != str(shown))
        name = ', '.join(filter(None, (f':ref:`{shown} <measure-{measure.NAME}>`', others)))
        facts = next(paragraph for paragraph in paragraphs if paragraph.startswith('Range '))
        source = renamed(' '.join(facts.split())).partition('Source: ')[2]
        rows.append((name, measure.SHORT_DESC, re.split(r';(?![^(]*\))', source.rstrip('.'))[0]))
    yield from table(rows, '22 46 32')


def measures_of(page: str) -> Iterator[SegmentMeasure]:
    """The measures of the modules that the page of a family names, in their order."""
    line = re.search(r'^\.\. measures: (.*)$', page, re.M)
    modules = {f'ir_segmeasures.measures.{name}' for name in line[1].split()} if line else ()
    return (measure for measure in dict.fromkeys(NAMES.values()) if type(measure).__module__ in modules)


def all_formats() -> Iterator[str]:
    rows = [('name', 'files', 'runs', 'writes')]
    for name, format in FORMATS.items():
        writes = [kind for kind, writer in (
            ('qrels', format.qrels.write), ('runs', format.run and format.run.write)) if writer]
        rows.append((f'``{name}``', literal(format.description), 'yes' if format.run else '', ', '.join(writes)))
    yield from table(rows, '16 60 8 16')


def all_datasets() -> Iterator[str]:
    """The datasets; those that differ by their year alone share a row."""
    from ir_segmeasures.datasets import DATASETS
    years: dict[tuple[str, str, str], list[int]] = {}
    for id, dataset in DATASETS.items():
        provides = [kind for kind in ('docs', 'queries', 'qrels', 'scoreddocs') if dataset.has(kind)]
        if provides and not id.endswith('/segments'):
            also = ', ``…/segments``' if f'{id}/segments' in DATASETS else ''
            year = re.search(r'/(20\d\d)\b', id)
            row = f'``{id}``{also}', dataset.documentation()['pretty_name'], ', '.join(provides)
            if year:
                row = row[0].replace(year[1], 'YEAR'), re.sub(rf',? ?\b{year[1]}', '', row[1], count=1), row[2]
            years.setdefault(row, []).extend([int(year[1])] if year else [])
    rows = [('id', 'years', 'what it is', 'what it provides')]
    for (id, what, kinds), of in years.items():
        first, last = min(of, default=0), max(of, default=0)
        shown = f'{first}-{last}' if len(of) == last - first + 1 > 1 else ', '.join(map(str, sorted(of)))
        rows.append((id.replace('YEAR', shown), '', what, kinds) if len(of) < 2 else (id, shown, what, kinds))
    yield from table(rows, '36 14 32 18')


def properties() -> Iterator[str]:
    """What a change of judgements or rankings does to the values of the measures, as the tests of measures have it."""
    tested = run_path(str(PAGES.parents[1] / 'tests' / 'measures' / 'test_properties.py'))['PROPERTIES']
    effects = {0: 'stays the same', -1: 'never gets better', 1: 'never gets worse'}
    rows = [('change', 'the value', 'except for')]
    for change, (_, direction, exceptions) in tested.items():
        shown = (str(named(NAMES[name])) if name in NAMES else f'T2I_MAP({name}=True)' for name in exceptions.split())
        rows.append((change, effects[direction], names(shown)))
    yield from table(rows, '24 16 60')


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    'families': families, 'measures': all_measures, 'formats': all_formats, 'datasets': all_datasets,
    'properties': properties}


def between(page: str, begin: str, end: str, lines: Iterable[str]) -> str:
    """A page with these lines between two of its own."""
    text = re.sub(r'\n{3,}', '\n\n', '\n'.join(lines))
    return f'{page[:page.index(begin)]}{begin}\n{text.strip()}\n\n{page[page.index(end):]}'


def filled(page: str) -> str:
    """A page with its tables and measures as the registries have them now."""
    for name, lines in TABLES.items():
        if f'.. tables: {name}\n' in page:
            page = between(page, f'.. tables: {name}\n', f'.. end of {name}\n', lines())
    if begin := re.search(r'^\.\. measures: .*\n', page, re.M):
        page = between(page, begin[0], '.. end of measures\n', entries(page))
    return page


if __name__ == '__main__':
    with TemporaryDirectory() as home:
        os.environ['IR_DATASETS_HOME'] = home  # datasets that were added on this machine are not a part of the pages
        for path in sorted(PAGES.rglob('*.rst')):
            path.write_text(filled(path.read_text(encoding='utf-8')), encoding='utf-8')
