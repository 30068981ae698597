"""The names that papers on moments have for measures, answered with the names of the measures."""

import re

__all__ = ['measure_of_moments']

_IOU = r'(?:[,_ ]*(?:t?iou)? ?)[@=]? ?(0?\.\d+)'
_RECALL = re.compile(rf'(?:mr-)?r@?([1-9]\d*)(?:{_IOU}|[,_ ]*(?:t?iou)? ?> ?(0?\.\d+))', re.IGNORECASE)
_PRECISION = re.compile(rf'(?:mr-)?map(?:@?(?:avg|average)|{_IOU})?', re.IGNORECASE)
_HIGHLIGHTS = re.compile(r'hl-?(?:min-?)?(fair|good|verygood)?-?(map|ap|hit@?1?)', re.IGNORECASE)
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
        rank, least, above = recall.groups()
        return f'for moments, write IoU_R(iou={float(least or above)}{",strict=True" if above else ""})@{rank}'
    precision = _PRECISION.fullmatch(text)
    if precision:
        iou = precision[1]
        name = f'IoU_AP(iou={float(iou)})' if iou else 'mIoU_AP'
        return f'for moments, write {name}@10{"" if iou else ", for documents MAP"}'
    if text.lower() == 'miou':
        return 'for moments, write mIoU@1'
    highlights = _HIGHLIGHTS.fullmatch(text)
    if highlights:
        level, figure = highlights[1] or 'VeryGood', highlights[2].lower()
        name = 'HL_Hit' if figure.startswith('hit') else 'HL_AP'
        return f'for highlights, write {name}(min={_LEVELS[level.lower()]})' + (
            '' if highlights[1] else ', where 2 is Fair, 3 Good and 4 VeryGood')
    return None
