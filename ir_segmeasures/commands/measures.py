"""``ir_segmeasures measures`` and ``formats``: the lists of the measures, with the page of each, and of the formats."""

import re
from inspect import cleandoc

from ir_segmeasures import formats
from ir_segmeasures.commands.parser import Command, UsageError, advice, argument
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import NAMES, aliases_of

# Names that papers on moments have for measures.
_IOU = r'[,_@ ]*(?:[mt]?iou)? ?([@=>]?) ?(0?\.\d+)'
_RECALL = rf'(?:mr-(?:full-)?)?(?:r(?:ank|ecall)?@?([1-9]\d*)?|(?=[mt]?iou@)){_IOU}'
_PRECISION = rf'(?:mr-(?:full-)?)?(?:average-)?map(?:@?(?:avg|average|0?\.5:0?\.95)|{_IOU})?'
_BANDS = r'mr-(?:short|middle|long)-(?:map|r1)(?:@0?\.\d+)?'
_HIGHLIGHTS = r'hl-?(?:min-?)?(fair|good|verygood)?-?(map|ap|hit@?1?)|hit@?1'
_GRADES = {'fair': 2, 'good': 3, 'verygood': 4}


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
            raise UsageError(f'no measure of segments is called {self.name!r}: '
                             + (measure_of_moments(self.name) or advice(self.name, sorted(NAMES))))


class Formats(Command):
    """List the formats of runs and qrels, or show one: what is read and written, and the fields of its lines.

    Args:
        name: a format
    """
    EXAMPLE = 'formats sh-search'
    name: str | None = argument(None, nargs='?', complete=lambda: formats.FORMATS)

    def run(self) -> None:
        if self.name is None:
            print(formats.described())
        elif self.name in formats.FORMATS:
            print(f'{self.name}: {formats.FORMATS[self.name].description}')
            for kind in ('qrels', 'run'):
                if files := formats.FORMATS[self.name].files(kind):
                    print(f'{kind}: {"read and written" if files.write else "read"}'
                          + (f', lines of {files.lines.fields}' if files.lines else ''))
        else:
            raise UsageError(f'no format is called {self.name!r}: {advice(self.name, formats.FORMATS)}')


def _also(measure: SegmentMeasure) -> str:
    aliases = aliases_of(measure)
    return f' (also {", ".join(aliases)})' if aliases else ''


def _signature(measure: SegmentMeasure) -> str:
    params = {name: name if info.required else f'[{name}]' if name == measure.AT_PARAM or info.value is None else
              f'{name}={info.value!r}' for name, info in measure.SUPPORTED_PARAMS.items()}
    at = params.pop(measure.AT_PARAM, '')
    return f'{measure}({",".join(params.values())}){at and "@" + at}'


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


def measure_of_moments(text: str) -> str | None:
    """The advice for a name of papers on moments, such as ``R1@0.5``, ``R@1,IoU=0.7`` and ``mAP@0.75``; None for
    other names.

    Examples:
        >>> from ir_segmeasures.commands.measures import measure_of_moments
        >>> measure_of_moments('R1@0.5')
        'for moments, write IoU_R(iou=0.5)@1'
    """
    def fits(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, text, re.IGNORECASE)
    if found := fits(_RECALL):
        strict = ',strict=True' if found[2] == '>' else ''
        return f'for moments, write IoU_R(iou={float(found[3])}{strict})@{found[1] or 1}'
    if found := fits(_PRECISION):
        return f'for moments, write IoU_AP(iou={float(found[2])})@10' if found[2] else (
            'for moments, write mIoU_AP@10, for documents MAP')
    if found := fits(r'mio([pu])'):
        return f'for moments, write mIo{found[1].upper()}@1'
    if found := fits(r'[tm]?iop@(0?\.\d+)'):
        return f'for moments, write IoP_R(iop={float(found[1])})@1'
    if fits(_BANDS):
        return "for moments of these lengths, take 'official qvhighlights', or within_lengths in Python"
    if found := fits(_HIGHLIGHTS):
        return (f'for highlights, write {"HL_Hit" if "hit" in text.lower() else "HL_AP"}'
                f'(min={_GRADES[(found[1] or "VeryGood").lower()]}), where 2 is Fair, 3 Good and 4 VeryGood')
    return None
