"""ELAN: annotations of recordings (.eaf), with a tier for each query, and Audacity: labels of recordings."""

from collections.abc import Iterator

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, mark_of, qrel
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import StrPath, errors_in, read_utf8
from ir_segmeasures.formats.files.xml import attribute, walk
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, quote_id

__all__ = ['AUDACITY', 'ELAN', 'read_audacity', 'read_elan']

_EAF, _TXT = ('.eaf',), ('.txt', '.tsv')


def read_elan(path: StrPath) -> list[Qrel]:
    """Reads the judgements of files of ELAN: a tier is a query, its annotator the assessor, and the value of an
    annotation the grade (1 where it is empty). The recording has the name of the file, without its ending.

    Args:
        path: of a file ``.eaf``, or of a folder of them

    Raises:
        FormatError: a file is no annotation of ELAN, an annotation has no times, or a value is no grade
        OSError: a file cannot be opened
    """
    return [row for file in files_of(path, _EAF) for row in _tiers(file)]


def _tiers(path: StrPath) -> list[Qrel]:
    rows: list[Qrel] = []
    slots: dict[str, float | None] = {}
    document = quote_id(stem(path, _EAF))
    tier = assessor = ''
    root = False  # whether it was seen
    bounds: tuple[str, str] | None = None

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal tier, assessor, bounds, root
        if not root and name.upper() != 'ANNOTATION_DOCUMENT':
            raise ValueError(f'the root is <{name}>, but that of files of ELAN is <ANNOTATION_DOCUMENT>: give the file '
                             '.eaf')
        root = True
        if name == 'TIME_SLOT':
            value = attributes.get('TIME_VALUE')
            if value is not None and not value.isdecimal():
                raise ValueError(f'the time {quoted(value)} is no whole number of milliseconds: save the file in ELAN '
                                 'once more')
            slots[attribute(attributes, 'TIME_SLOT_ID', name)] = None if value is None else float(value) / 1000
        elif name == 'TIER':
            tier = quote_id(attribute(attributes, 'TIER_ID', name).partition('@')[0])
            assessor = attributes.get('ANNOTATOR') or attributes.get('PARTICIPANT') or '0'
        elif name == 'ALIGNABLE_ANNOTATION':
            bounds = (attribute(attributes, 'TIME_SLOT_REF1', name), attribute(attributes, 'TIME_SLOT_REF2', name))
        elif name == 'REF_ANNOTATION':
            bounds = None  # a remark on another annotation, without times

    def leave(name: str, text: str) -> None:
        if name != 'ANNOTATION_VALUE' or bounds is None:
            return
        start, end = (slots.get(slot) for slot in bounds)
        if start is None or end is None:
            raise ValueError(f'an annotation of the tier {quoted(tier)} has no time at its start or its end: give it '
                             'both in ELAN')
        mark = mark_of(start, end, grade_of(text))
        if mark.grade is not None:
            rows.append(qrel(tier, Segment(document, mark.start, mark.end, 't'), mark.grade, assessor))

    walk(path, enter, leave, keep=lambda name: name == 'ANNOTATION_VALUE',
         names=('ANNOTATION_DOCUMENT', 'TIME_SLOT', 'TIER', 'ALIGNABLE_ANNOTATION', 'ANNOTATION_VALUE'))
    return rows


def read_audacity(path: StrPath) -> list[Qrel]:
    """Reads the judgements of labels of Audacity: a label is the query, and maybe a grade behind it, such as ``q1 2``.
    The recording has the name of the file, without its ending; points, which have no content, are an error.

    Args:
        path: of a file of labels, or of a folder of them

    Raises:
        FormatError: a line is no label with start and end, or its text is no query with a grade
        OSError: a file cannot be opened
    """
    return [row for file in files_of(path, _TXT) for row in _labels(file)]


def _labels(path: StrPath) -> Iterator[Qrel]:
    document = quote_id(stem(path, _TXT))
    for number, line in enumerate(read_utf8(path).removeprefix('\ufeff').splitlines(), 1):
        if not line.strip() or line.startswith('\\'):  # frequencies of the label before
            continue
        fields = line.split('\t')
        with errors_in(path, number):
            if len(fields) != 3:
                raise ValueError('the line is not a start, an end and a text between tabs: export the labels once more')
            start, end = (_seconds(text) for text in fields[:2])
            query, _, label = fields[2].strip().partition(' ')
            if not query:
                raise ValueError('the label is empty, but it names the query: write it, such as "q1 2"')
            mark = mark_of(start, end, grade_of(label))
        if mark.grade is not None:
            yield qrel(query, Segment(document, mark.start, mark.end, 't'), mark.grade)


def _seconds(text: str) -> float:
    try:
        return round(float(text.replace(',', '.')), 6)
    except ValueError:
        raise ValueError(f'{quoted(text)} is no number of seconds: export the labels once more') from None


ELAN = Format('elan', 'ELAN: annotations (.eaf), a tier for each query; values are grades', None, Files(read_elan),
              folders=True)
AUDACITY = Format('audacity', "Audacity: labels 'query grade' of recordings", None, Files(read_audacity), folders=True)
