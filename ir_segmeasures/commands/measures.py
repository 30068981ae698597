"""``ir_segmeasures measures``: the list of the measures, and the page of each."""

import re
from dataclasses import dataclass
from inspect import cleandoc

from ir_segmeasures.commands.moment_names import measure_of_moments
from ir_segmeasures.commands.parser import Command, UsageError, argument, similar_names
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import NAMES
from ir_segmeasures.measures.documentation import aliases_of


@dataclass(frozen=True, kw_only=True)
class Measures(Command):
    """List the measures of segments with their parameters, or show the page of one: formula, range, unit, source and
    parameters.

    Args:
        name: a measure or an alias
    """
    EXAMPLE = 'measures MAiSP'
    name: str | None = argument(None, nargs='?', complete=lambda: NAMES)

    def run(self) -> None:
        if self.name is None:
            for measure in dict.fromkeys(NAMES.values()):
                print(f'{_signature(measure)}{_also(measure)}\n    {measure.SHORT_DESC}')
        elif self.name in NAMES:
            print(_page(NAMES[self.name]))
        else:
            moments, like = measure_of_moments(self.name), similar_names(self.name, NAMES)
            rest = f': {moments}' if moments else (
                f': did you mean {" or ".join(like)}?' if like else f'; there is {", ".join(sorted(NAMES))}')
            raise UsageError(f'no measure of segments is called {self.name!r}{rest}')


def _also(measure: SegmentMeasure) -> str:
    others = [name for name in (measure.NAME, *aliases_of(measure)) if name != str(measure)]
    return f' (also {", ".join(others)})' if others else ''


def _signature(measure: SegmentMeasure) -> str:
    params = [name if info.required else f'{name}={info.value!r}' if info.value is not None else f'[{name}]'
              for name, info in measure.SUPPORTED_PARAMS.items() if name != measure.AT_PARAM]
    known = measure.SUPPORTED_PARAMS.get(measure.AT_PARAM)
    at = '' if known is None else f'@{measure.AT_PARAM}' if known.required else f'@[{measure.AT_PARAM}]'
    return f'{measure}({",".join(params)}){at}'


def _page(measure: SegmentMeasure) -> str:
    # The citation lines are for the generator of the documentation.
    text = [re.sub(rf'\b{measure.NAME}\b', str(measure), line) for line in cleandoc(measure.__doc__ or '').splitlines()
            if not line.startswith('.. cite')]
    title = f'{measure}: {measure.PRETTY_NAME}{_also(measure)}'
    lines = [title, _signature(measure), '', *text, '', 'Parameters:']
    for name, info in measure.SUPPORTED_PARAMS.items():
        at = '@' if name == measure.AT_PARAM else ''
        default = 'required' if info.required else f'default {info.value!r}' if info.value is not None else 'optional'
        lines.append(f'  {at}{name}: {info.desc}; {info.rule}; {default}')
    return '\n'.join(lines).replace('\n\n\n', '\n\n')
