"""The fields of INEX's files: what stands in a line of text, or in an attribute or a text of XML."""

import re
from collections.abc import Mapping
from contextlib import suppress

from ir_segmeasures.formats.files.fields import finite_number, wrong_fields
from ir_segmeasures.formats.files.xml import attribute
from ir_segmeasures.segments.quoting import quoted

__all__ = ['BEP_FIELDS', 'ENDS_FIELDS', 'LARGEST', 'NO_PASSAGE', 'PATH_FIELDS', 'QRELS_FIELDS', 'RUN_FIELDS', 'TASKS',
           'XML_RUN', 'id_of', 'number_of', 'only_text', 'rank_of', 'rsv_of', 'whole_number', 'wrong_run']

QRELS_FIELDS = 'topic Q0 docid rsize docsize [bep off:len off:len …]'
RUN_FIELDS = 'topic Q0 docid rank rsv runid offset length'
ENDS_FIELDS = 'topic Q0 docid rank rsv runid offset end'
BEP_FIELDS = 'topic Q0 docid rank rsv runid bep'
PATH_FIELDS = 'topic Q0 docid rank rsv runid path'
XML_RUN = 'inex-submission'  # the root

NO_PASSAGE = ('X', '-1')  # in the place of an offset

LARGEST = 10 ** 9 - 1

# The tasks of INEX and what inex_eval rejects their runs for.
TASKS: dict[str, tuple[str, ...]] = {
    'focused': ('apart_in_focused_runs',),
    'thorough': (),
    'relevant-in-context': ('apart_in_focused_runs', 'documents_together'),
    'best-in-context': ('one_item_a_document',)}
_LONGEST = len(str(LARGEST))
_DIGITS = re.compile('[0-9]+')


def wrong_run(fields: list[str], kind: str) -> ValueError:
    """The error for a line that is of another kind of run."""
    found = f'the line has {len(fields)} fields and ends in {quoted(fields[-1])}'
    if len(fields) == 7 and fields[-1].startswith('/'):
        return ValueError(f"{found}, an element's path, but a line is {kind}: read such runs in Python, "
                          'with formats.inex_paths.read_run')
    if len(fields) == 7 and kind != BEP_FIELDS and _DIGITS.fullmatch(fields[-1]):
        return ValueError(f'{found}, a single position such as a best entry point, but a line is {kind}: add a '
                          "length of 0, or read such runs in Python, with formats.inex.read_run(path, last='bep')")
    if len(fields) == 8 and len(kind.split()) == 7 and _DIGITS.fullmatch(fields[-1]):
        return ValueError(f'{found}, as a run with offset and length does, but a line is {kind}: read such runs in '
                          'Python, with formats.inex.read_run(path)')
    return wrong_fields(fields, 'an INEX run', kind, str(len(kind.split())))


def rank_of(text: str) -> int | None:
    """The rank in a column that nothing reads; None for anything but a whole number up to ``LARGEST``."""
    with suppress(ValueError):
        return whole_number(text, 'rank', '')
    return None


def rsv_of(text: str) -> float | None:
    """The score in a column that nothing reads; None for anything but a finite number."""
    return finite_number(text)


def whole_number(text: str, what: str, where: str) -> int:
    """A number of digits, up to ``LARGEST``. Raises ``ValueError`` for anything else; ``where`` is for its sentence."""
    if text.isdigit() and text.isascii():
        digits = text if len(text) <= _LONGEST else text.lstrip('0') or '0'
        if len(digits) <= _LONGEST:
            return int(digits)
    raise ValueError(f'{what} {quoted(text)} is not a whole number from 0 to {LARGEST}, but sizes, ranks and positions '
                     f'are: correct it, {where}')


def id_of(text: str, what: str) -> str:
    """The text, if it is an id. Raises ``ValueError`` if not."""
    if text.split() != [text]:
        raise ValueError(f'{what} is {quoted(text)}, but an id has at least one character and no white space: correct '
                         'it')
    return text


def number_of(attributes: Mapping[str, str], key: str, name: str) -> int:
    """The whole number in an attribute. Raises ``ValueError`` if there is none."""
    return whole_number(attribute(attributes, key, name), key, f'an attribute of <{name}>')


def only_text(texts: Mapping[str, list[str]], name: str) -> str | None:
    """The text of the one child of this name; None if there is none."""
    found = texts.get(name, [])
    if len(found) > 1 and len(set(found)) > 1:
        raise ValueError(f'<{name}> is there with {quoted(found[0])} and with {quoted(found[1])}, but only one can be '
                         'meant: take the wrong one out')
    return found[0] if found else None
