"""Readers of the assessments of the INEX ad hoc track in XML (2002–07): elements, and highlighted passages.

The attributes of elements changed their names by year. Elements keep the paths that the files have, in ids such as
``co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]``, to which :func:`~ir_segmeasures.resolve` adds offsets.

Source: no file of these years is at hand. What they hold is what the program that wrote them writes, X-Rai of Benjamin
Piwowarski (``download_pools.php``, its versions of 2004, of October 2005 and of September 2006, with their DTDs); for
2002 and 2003, what a program that reads them takes (``INEXieee_assessments_to_ANT.c`` of ATIRE).
"""

from collections.abc import Mapping
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.files.xml import XmlElement, attribute
from ir_segmeasures.formats.inex.fields import number_of
from ir_segmeasures.formats.inex.highlights import read_highlighted
from ir_segmeasures.formats.inex.open_elements import Assessments
from ir_segmeasures.formats.inex.paths import element_id
from ir_segmeasures.segments.quoting import quoted

__all__ = ['COVERAGE', 'ElementQrel', 'InexElement', 'read_highlighted', 'read_qrels']

# Of 2002: too large, too small, exact. With relevance as exhaustivity the quantisations 'strict' and 'gen' are then the
# strict and the generalised ones of Gövert & Kazai 2002 (not checked against it), whatever L and S are between 0 and 3.
COVERAGE: Mapping[str, Number] = {'N': 0, 'L': 1, 'S': 2, 'E': 3}

_GRADES = {str(grade): grade for grade in range(4)}
_TOO_SMALL, _NOT_ASSESSED = '?', 'U'
_ASSESSED = ('exhaustivity', 'exhaustiveness', 'relevance', 'specificity', 'rsize')
_NAMES = (*_ASSESSED, 'file', 'element', 'passage', 'best-entry-point', 'path', 'topic', 'topic-id', 'coverage', 'size')


class InexElement(NamedTuple):
    """An assessed element.

    Attributes:
        query_id: the topic
        doc_id: the element, as ``file#xpath=/article[1]/bdy[1]``
        relevance: the exhaustivity, if the specificity is above 0, else 0; of an element without exhaustivity 1, if it
            holds relevant text; in 2002 the file's own
        iteration: always ``'0'``; the files have no such column
        exhaustivity: from 0 to 3, from 2005 on to 2, and 2 wherever text is highlighted from 2006 on; None if the file
            does not tell
        specificity: from 0 to 3 (2002 to 2004), or the share of the element's text that is relevant, from 0 to 1 (from
            the autumn of 2005 on), 0 for an element without text; None if the file does not tell
        size, relevant_size: of the element and of the relevant text in it, in characters; None before 2005
        too_small: whether the exhaustivity is ``?``, an element too small to judge. It counts as 0 here, which no
            source at hand settles.
        coverage: of 2002, as in the file; else None
    """

    query_id: str
    doc_id: str
    relevance: Number
    iteration: str = '0'
    exhaustivity: Number | None = None
    specificity: Number | None = None
    size: int | None = None
    relevant_size: int | None = None
    too_small: bool = False
    coverage: str | None = None


class ElementQrel(NamedTuple):
    """A judged element of a dataset."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    exhaustivity: float
    specificity: float


def read_qrels(path: StrPath, query_id: str | None = None, coverage: Mapping[str, Number] | None = COVERAGE,
               collections: bool = False) -> list[InexElement]:
    """Reads assessments of elements, in file order.

    Every element with an attribute ``path`` is an assessed one, except best entry points. It has

    - ``relevance`` and ``coverage`` (2002),
    - ``exhaustiveness`` or ``exhaustivity`` and ``specificity``, grades from 0 to 3 (2003 and 2004); a ``<path>`` with
      ``U``, or without both, was not assessed, and left out,
    - ``exhaustivity``, which may be ``?``, and a ``specificity`` from 0 to 1, in ``<element>`` (the first files of
      2005), or
    - ``size``, ``rsize`` and mostly ``exhaustivity`` (from the autumn of 2005 on).

    The document is the ``name`` or ``file`` of the ``<file>`` around it, or its own ``file``; the topic is the
    ``topic``, ``topic-id`` or ``query`` of an element around it, or the only attribute of ``<assessments>`` (2002 and
    2003). Passages are left to :func:`read_highlighted`.

    Args:
        path: of the file, or a folder, of which all files that end in ``.xml`` or ``.xml.gz``, in folders inside too,
            are read by name
        query_id: the topic of a file that does not tell
        coverage: of 2002: coverage → specificity, beside the relevance as exhaustivity; both are None without it. The
            specificity of ``L`` and ``S`` is this project's choice
        collections: whether the document is named with its collection, ``ieee/co/2001/r7022``. Without that, a topic
            may have a file's name in one collection only, and other topics in others

    Raises:
        FormatError: the XML is malformed, declares entities or holds no assessments; an assessed element lacks an
            attribute, or one cannot be read; an element is assessed twice; a document or topic is not told; a file of
            one name is in two collections
        OSError: a file cannot be opened
    """
    rows: list[InexElement] = []
    assessed: dict[tuple[str, str], StrPath] = {}
    assessments = Assessments(path, query_id, collections, _NAMES)
    for file, element in assessments.elements():
        with errors_in(file, element.line):
            if element.name in ('file', 'best-entry-point') or _is_open(element):
                continue
            if 'path' in element.attributes:
                topic, document = assessments.ids(element)
                row = _assessed(element.name, element.attributes, InexElement(
                    topic, element_id(document, element.attributes['path'].strip()), 0), coverage)
                if row[:2] in assessed:
                    raise ValueError(f'{quoted(row.doc_id)} is already assessed for topic {quoted(topic)} in '
                                     f'{assessed[row[:2]]}, but an element is assessed once: take one of the two out')
                assessed[row[:2]] = file
                rows.append(row)
            elif element.name != 'passage' and any(key in element.attributes for key in _ASSESSED):
                raise ValueError(f"<{element.name}> is assessed and has no attribute 'path', but an assessed element "
                                 'has the path that it is at: add it')
    return rows


def _is_open(element: XmlElement) -> bool:
    """Tells whether an element was in the pool and nobody has assessed it."""
    judged = {key: text.strip() for key, text in element.attributes.items() if key in _ASSESSED or key == 'coverage'}
    return element.name == 'path' and 'path' in element.attributes and all(
        text == _NOT_ASSESSED and key not in ('rsize', 'coverage') for key, text in judged.items())


def _assessed(name: str, attributes: Mapping[str, str], row: InexElement,
              coverage: Mapping[str, Number] | None) -> InexElement:
    if 'relevance' in attributes:
        relevance, covers = _grade(name, attributes, 'relevance'), attribute(attributes, 'coverage', name)
        row = row._replace(relevance=relevance, coverage=covers)
        if coverage is None:
            return row
        if covers not in coverage:
            raise ValueError(f'coverage {quoted(covers)} is none of {", ".join(map(repr, coverage))}: correct it, or '
                             'in Python, give the reader in formats.inex_assessments a mapping from coverage to '
                             'specificity')
        return row._replace(exhaustivity=relevance, specificity=coverage[covers])
    exhaustive = [key for key in ('exhaustivity', 'exhaustiveness') if key in attributes]
    if len(exhaustive) > 1 or not {*exhaustive, 'size', 'rsize'} & set(attributes):
        raise ValueError(f'<{name}> has the attributes {", ".join(attributes)}, but an assessed element has relevance '
                         'and coverage, exhaustiveness or exhaustivity and specificity, or size, rsize and maybe '
                         'exhaustivity: correct them')
    exhaustivity = None
    too_small = bool(exhaustive) and attributes[exhaustive[0]].strip() == _TOO_SMALL
    if exhaustive:
        exhaustivity = 0 if too_small else _grade(name, attributes, exhaustive[0])
    row = row._replace(exhaustivity=exhaustivity, too_small=too_small)
    if 'specificity' in attributes and exhaustivity is not None:
        specificity = _share(attributes) if name == 'element' else _grade(name, attributes, 'specificity')
        return row._replace(relevance=exhaustivity if specificity else 0, specificity=specificity)
    size, relevant = (number_of(attributes, key, name) for key in ('size', 'rsize'))
    if relevant > size:
        raise ValueError(f'rsize is {relevant}, but size is {size}, and relevant text is part of the text: correct one '
                         'of the two')
    worth = 1 if exhaustivity is None else exhaustivity
    return row._replace(relevance=worth if relevant else 0, specificity=relevant / size if size else 0.0, size=size,
                        relevant_size=relevant)


def _grade(name: str, attributes: Mapping[str, str], key: str) -> int:
    text = attribute(attributes, key, name)
    if text not in _GRADES:
        raise ValueError(f'{key} {quoted(text)} of <{name}> is not one of the grades 0, 1, 2 and 3: correct it')
    return _GRADES[text]


def _share(attributes: Mapping[str, str]) -> float:
    text = attribute(attributes, 'specificity', 'element')
    share = finite_number(text)
    if share is None or not 0 <= share <= 1:
        raise ValueError(f'specificity {quoted(text)} of <element> is not a number from 0 to 1, the share of its '
                         'text that is relevant: correct it; grades are those of <path>')
    return share
