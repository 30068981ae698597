"""The names that papers on moments have for measures, answered with the names of the measures."""

import re

_IOU = r'[,_@ ]*(?:[mt]?iou)? ?([@=>]?) ?(0?\.\d+)'
_RECALL = rf'(?:mr-(?:full-)?)?(?:r(?:ank|ecall)?@?([1-9]\d*)?|(?=[mt]?iou@)){_IOU}'
_PRECISION = rf'(?:mr-(?:full-)?)?(?:average-)?map(?:@?(?:avg|average|0?\.5:0?\.95)|{_IOU})?'
_BANDS = r'mr-(?:short|middle|long)-(?:map|r1)(?:@0?\.\d+)?'
_HIGHLIGHTS = r'hl-?(?:min-?)?(fair|good|verygood)?-?(map|ap|hit@?1?)|hit@?1'
_GRADES = {'fair': 2, 'good': 3, 'verygood': 4}


def measure_of_moments(text: str) -> str | None:
    """The advice for a name of papers on moments, such as ``R1@0.5``, ``R@1,IoU=0.7`` and ``mAP@0.75``; None for
    other names.

    Examples:
        >>> from ir_segmeasures.commands.moment_names import measure_of_moments
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
    if fits('miou'):
        return 'for moments, write mIoU@1'
    if found := fits(r'miop|[tm]?iop@(0?\.\d+)'):
        return f'for moments, write IoP_R(iop={float(found[1])})@1' if found[1] else 'for moments, write mIoP@1'
    if fits(_BANDS):
        return "for moments of these lengths, take 'official qvhighlights', or within_lengths in Python"
    if found := fits(_HIGHLIGHTS):
        return (f'for highlights, write {"HL_Hit" if "hit" in text.lower() else "HL_AP"}'
                f'(min={_GRADES[(found[1] or "VeryGood").lower()]}), where 2 is Fair, 3 Good and 4 VeryGood')
    return None
