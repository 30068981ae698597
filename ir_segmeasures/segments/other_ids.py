"""Ids of segments in the forms of other tools, for errors: what they look like, and how they become segment ids."""

import re

from ir_segmeasures.segments.quoting import quoted

# The repair of segments that end where they start, since they are read as half-open.
LINES = "lines with --lines-from 1 --inclusive, which with_ids(…, 'line', lines_from=1, inclusive=True) does in Python"
# Ids that were meant as segments: rec_18_35, rec?t=18,35, rec#T=18,35, rec#track=1&t=9,21, rec%23t=9,21.
_NEAR = re.compile(r'(.+?)(?:_|\?t=|#T=|#.*[&]t=|%23t=)(\d+(?:\.\d+)?)[_,](\d+(?:\.\d+)?)')
_SHAPES = (
    (re.compile(r'msmarco_v2\.\d_doc_\d+_\d+#\d+_\d+'), 'a segment of MS MARCO',
     "read its offsets from the segmented corpus with resolve({kind}, corpus='…/*.json.gz')"),
    (re.compile(r'.+_\d+-\d+-\d+-\d+'), 'a passage whose id tells its characters, as in MTRAG',
     "read them with resolve({kind}, ids='{{doc}}_{{start}}-{{end}}-{{}}-{{}}', unit='char'), or --ids in a command"),
)


def end_repair(kind: str, document: str) -> str:
    """The repair for a document whose end is not known, as the end of an error's sentence.

    Args:
        kind: ``'run'`` or ``'qrels'``
        document: the id, which may look like that of a segment of another tool
    """
    for regex, what, repair in _SHAPES:
        if regex.fullmatch(document):
            return f'it looks like {what}, {repair.format(kind=kind)}'
    near = intended_segment(document)
    write = 'write the end into the id' if near is None else f'write it as {quoted(near)} if that is meant,'
    return f'{write} or resolve() the {kind} with a table of the documents'


def is_of_other_tool(document: str) -> bool:
    """Tells an id that is that of a segment in another tool, and not that of a whole document."""
    return any(regex.fullmatch(document) for regex, _, _ in _SHAPES)


def intended_segment(id: str) -> str | None:
    """The segment id that an id may be meant as, if it looks like one, else None.

    Examples:
        >>> from ir_segmeasures.segments.other_ids import intended_segment
        >>> intended_segment('rec_18_35')
        'rec#t=18,35'
    """
    found = _NEAR.fullmatch(id)
    return f'{found[1]}#t={found[2]},{found[3]}' if found and float(found[2]) < float(found[3]) else None
