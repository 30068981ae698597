"""Audacity: labels of recordings."""

from collections.abc import Iterator

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, mark_of, qrel
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath, errors_in, read_utf8
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, quote_id

__all__ = ['AUDACITY', 'read_audacity']

_TXT = ('.txt', '.tsv')


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


AUDACITY = Format('audacity', "Audacity: labels 'query grade' of recordings", None,
                  Files(read_audacity, rules=Rules()), folders=True)
