"""UIMA: annotations of texts in a CAS, as JSON and as XMI, which INCEpTION exports."""

from typing import Any

from ir_segmeasures.formats.annotations.marks import (
    AnnotatedText,
    Mark,
    checked_query,
    grade_of,
    mark_of,
    utf16_positions,
)
from ir_segmeasures.formats.files.reading import StrPath, errors_in
from ir_segmeasures.formats.files.xml import walk
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.json_objects import value_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['GRADES', 'QUERIES', 'read_cas_json', 'read_cas_xmi']

QUERIES, GRADES = ('query', 'query_id'), ('grade', 'relevance', 'value')  # names of features


def read_cas_json(path: StrPath, data: bytes) -> AnnotatedText:
    """Reads a CAS in JSON, the bytes of a file. Raises a FormatError for what is none, or an annotation that is no
    judgement."""
    def parse(content: Any) -> AnnotatedText:
        return _annotated(value_of(content, '%FEATURE_STRUCTURES', list, 'a list of annotations, as UIMA CAS JSON has '
                                   'it', 'the file'))

    return read_object(path, 'the exports of INCEpTION', parse, 'an object of UIMA CAS JSON', data)


def read_cas_xmi(path: StrPath, data: bytes) -> AnnotatedText:
    """Reads a CAS in XMI, the bytes of a file. Raises a FormatError for what is none, or an annotation that is no
    judgement."""
    structures: list[dict[str, Any]] = []

    def enter(name: str, attributes: dict[str, str]) -> None:
        if name == 'xmi:XMI':
            return
        if not structures and 'xmi:id' not in attributes:
            raise ValueError(f'<{name}> stands here, but files of UIMA CAS XMI have <xmi:XMI> and elements with '
                             'xmi:id: export the document as UIMA CAS XMI')
        structures.append({**attributes, '%TYPE': name, '%ID': attributes.get('xmi:id'),
                           '@sofa': attributes.get('sofa')})
        for key in ('begin', 'end'):
            if attributes.get(key, '').isdecimal():
                structures[-1][key] = int(attributes[key])

    walk(path, enter, data=data)
    with errors_in(path):
        return _annotated(structures)


def _annotated(structures: list[Any]) -> AnnotatedText:
    """The annotations that are judgements, of the structures of a CAS. Those of a layer have all a query."""
    texts: dict[Any, list[int]] = {}
    document = assessor = ''
    for number, found in enumerate(structures, 1):
        kind = value_of(found, '%TYPE', str, 'the type of an annotation', f'structure {number}')
        if kind.endswith('Sofa') and isinstance(found.get('sofaString'), str):
            texts[str(found.get('%ID'))] = utf16_positions(found['sofaString'])
        elif kind.endswith('DocumentMetaData'):
            document, assessor = (str(found.get(key) or '') for key in ('documentTitle', 'documentId'))
    layers = {found['%TYPE'] for found in structures if any(name in found for name in QUERIES)}
    marks = []
    for found in structures:
        if found['%TYPE'] in layers:
            try:
                marks.append(_mark(found, texts.get(str(found.get('@sofa')))))
            except ValueError as error:
                raise ValueError(f'annotation {quoted(found.get("%ID"))}: {error}') from None
    return AnnotatedText(document, '' if assessor == document else assessor, marks, bool(layers))


def _mark(found: dict[str, Any], positions: list[int] | None) -> tuple[str, Mark]:
    if positions is None:
        raise ValueError('its text is not in the file: export the document with its text')
    start, end = found.get('begin'), found.get('end')
    if not (type(start) is type(end) is int and 0 <= start < end < len(positions)):
        raise ValueError(f'the annotation goes from {quoted(start)} to {quoted(end)}, but its text from 0 to '
                         f'{len(positions) - 1}: export the document once more')
    label = next((found[name] for name in GRADES if name in found), '')
    return (checked_query(next((found[name] for name in QUERIES if name in found), '')),
            mark_of(positions[start], positions[end], grade_of(label)))
