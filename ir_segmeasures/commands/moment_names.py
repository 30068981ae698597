"""The names that papers on moments have for measures, answered with the names of the measures."""

import re

__all__ = ['measure_of_moments']

_IOU = r'[,_@ ]*(?:[mt]?iou)? ?([@=>]?) ?(0?\.\d+)'
_RECALL = re.compile(rf'(?:mr-(?:full-)?)?(?:r(?:ank|ecall)?@?([1-9]\d*)?|(?=[mt]?iou@)){_IOU}', re.IGNORECASE)
_PRECISION = re.compile(
    rf'(?:mr-(?:full-)?)?(?:average-)?map(?:@?(?:avg|average|0?\.5:0?\.95)|{_IOU})?', re.IGNORECASE)
_BANDS = re.compile(r'mr-(?:short|middle|long)-(?:map|r1)(?:@0?\.\d+)?', re.IGNORECASE)
_HIGHLIGHTS = re.compile(r'hl-?(?:min-?)?(fair|good|verygood)?-?(map|ap|hit@?1?)|hit@?1', re.IGNORECASE)
_LEVELS = {'fair': 2, 'good': 3, 'verygood': 4}


def measure_of_moments(text: str) -> str | None:
    """The advice for a name of papers on moments, such as ``R1@0.5``, ``R@1,IoU=0.7`` and ``mAP@0.75``; None for
    other names.

    Examples:
        >>> from ir_segmeasures.commands.moment_names import measure_of_moments
        >>> measure_of_moments('R1@0.5')
        'for moments, write IoU_R(iou=0.5)@1'
    """
    recall = _RECALL.fullmatch(text)
    if recall:
        rank, sign, iou = recall.groups()
        return f'for moments, write IoU_R(iou={float(iou)}{",strict=True" if sign == ">" else ""})@{rank or 1}'
    precision = _PRECISION.fullmatch(text)
    if precision:
        iou = precision[2]
        name = f'IoU_AP(iou={float(iou)})' if iou else 'mIoU_AP'
        return f'for moments, write {name}@10{"" if iou else ", for documents MAP"}'
    if text.lower() == 'miou':
        return 'for moments, write mIoU@1'
    if _BANDS.fullmatch(text):
        return "for moments of these lengths, take 'official qvhighlights', or within_lengths in Python"
    highlights = _HIGHLIGHTS.fullmatch(text)
    if highlights:
        level = highlights[1] or 'VeryGood'
        name = 'HL_Hit' if 'hit' in text.lower() else 'HL_AP'
        return f'for highlights, write {name}(min={_LEVELS[level.lower()]})' + (
            '' if highlights[1] else ', where 2 is Fair, 3 Good and 4 VeryGood')
    return None
