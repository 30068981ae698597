"""Ids of segments that other tools made, for the errors that meet them: what they are, and how they become segments."""

import re

__all__ = ['end_repair']

_SHAPES = (
    (re.compile(r'msmarco_v2\.\d_doc_\d+_\d+#\d+_\d+'), 'a segment of MS MARCO',
     "read its offsets from the segmented corpus with resolve({kind}, corpus='…/*.json.gz')"),
    (re.compile(r'.+_\d+-\d+-\d+-\d+'), 'a passage whose id tells its characters, as in MTRAG',
     "read them with resolve({kind}, ids='{{doc}}_{{start}}-{{end}}-{{}}-{{}}', unit='char'), or --ids in a command"),
)


def end_repair(kind: str, document: str) -> str:
    """What to do with a document (of the run or the qrels) whose end is not known."""
    for regex, what, repair in _SHAPES:
        if regex.fullmatch(document):
            return f'it looks like {what}, {repair.format(kind=kind)}'
    return f'write the end into the id or resolve() the {kind} with a table of the documents'
