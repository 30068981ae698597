"""Audacity: labels of recordings, lines of a start, an end and a text between tabs.

A label is the query, and maybe a grade behind it, such as ``q1 2``. The recording has the name of the file, without its
ending; points, which have no content, are an error.
"""

from collections.abc import Sequence

from ir_measures import Qrel

from ir_segmeasures.formats.annotations.marks import grade_of, mark_of, qrel
from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.folders import files_of, stem
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.lines import rows_of_lines
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, quote_id

__all__ = ['AUDACITY', 'read_qrels']

_SUFFIXES = ('.txt', '.tsv')


def read_qrels(path: StrPath) -> Sequence[Qrel]:
    """Reads the judgements of a file of labels, or of a folder of them.

    Raises:
        FormatError: a line is no label with start and end, or its text is no query with a grade
        OSError: a file cannot be opened
    """
    return FileRows.joined([(file, _labels(file)) for file in files_of(path, _SUFFIXES)])


def _labels(path: StrPath) -> FileRows[Qrel]:
    document = quote_id(stem(path, _SUFFIXES))

    def parse(fields: list[str]) -> list[Qrel]:
        if len(fields) != 3:
            raise ValueError('the line is not a start, an end and a text between tabs: export the labels once more')
        query, _, label = fields[2].strip().partition(' ')
        if not query:
            raise ValueError('the label is empty, but it names the query: write it, such as "q1 2"')
        mark = mark_of(_seconds(fields[0]), _seconds(fields[1]), grade_of(label))
        return [] if mark.grade is None else [qrel(query, Segment(document, mark.start, mark.end, 't'), mark.grade)]
    return rows_of_lines(path, parse, Qrel, split=_fields)


def _fields(line: str) -> list[str]:
    return [] if not line.strip() or line.startswith('\\') else line.split('\t')  # frequencies of the label before


def _seconds(text: str) -> float:
    number = finite_number(text.strip().replace(',', '.'))
    if number is None:
        raise ValueError(f'{quoted(text)} is no number of seconds: export the labels once more')
    return round(number, 6)


AUDACITY = Format('audacity', "Audacity: labels 'query grade' of recordings", None, Files(read_qrels, rules=Rules()),
                  folders=True)
