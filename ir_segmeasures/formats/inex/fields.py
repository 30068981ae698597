"""The fields of INEX's files: what stands in a line of text, or in an attribute or a text of XML."""

from collections.abc import Mapping

from ir_segmeasures.formats.files.fields import nine_digits, wrong_fields
from ir_segmeasures.formats.files.xml import attribute
from ir_segmeasures.segments.quoting import quoted

__all__ = ['LARGEST', 'PATH_FIELDS', 'TASKS', 'XML_RUN', 'id_of', 'number_of', 'only_text', 'whole_number', 'wrong_run']

PATH_FIELDS = 'topic Q0 docid rank rsv runid path'
XML_RUN = 'inex-submission'  # the root

LARGEST = 10 ** 9 - 1

# The tasks of INEX and what inex_eval rejects their runs for.
TASKS: dict[str, tuple[str, ...]] = {
    'focused': ('apart_in_focused_runs',),
    'thorough': (),
    'relevant-in-context': ('apart_in_focused_runs', 'documents_together'),
    'best-in-context': ('one_item_a_document',)}


def wrong_run(fields: list[str], kind: str) -> ValueError:
    """The error for a line with another number of fields, as runs of other kinds have it."""
    error = wrong_fields(fields, 'an INEX run', kind, str(len(kind.split())))
    return ValueError(f"{error}; in Python, runs of best entry points are read with formats.inex.read_run(path, "
                      "last='bep'), and those of paths with formats.inex_paths.read_run")


def whole_number(text: str, what: str, where: str) -> int:
    """A number of digits, up to ``LARGEST``. Raises ``ValueError`` for anything else; ``where`` is for its sentence."""
    number = nine_digits(text)
    if number is None:
        raise ValueError(f'{what} {quoted(text)} is not a whole number from 0 to {LARGEST}, but sizes, ranks and '
                         f'positions are: correct it, {where}')
    return number


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
