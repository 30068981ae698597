"""Documents made of transcripts, in files or in rows, for pipelines that cut and index them."""

from collections.abc import Iterable, Iterator
from typing import Any

from ir_segmeasures.formats.transcripts import read_transcripts
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.texts.cutting import transcript_lines

__all__ = ['read_transcripts', 'transcript_documents']


def transcript_documents(rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Joins rows of transcripts to documents, one for each recording, for an indexing pipeline such as
    ``(pt.segments.sliding(60, 30) >> index).index(documents)``.

    Args:
        rows: tuples ``(document, start, end, text)`` or ``(document, start, end, text, speaker)``, times in seconds,
            those of a document together

    Returns:
        for each document ``docno``, ``transcript`` (its lines) and ``text`` (all of them, joined by blanks)

    Raises:
        ValueError: a row of another shape, or rows of a document in two places (the sentence names the row, from 0)

    Examples:
        >>> import pyterrier as pt
        >>> rows = [('v1', 0, 4.5, 'Good evening.'), ('v1', 4.5, 9, 'Tonight: bees.')]
        >>> document, = pt.segments.transcript_documents(rows)
        >>> document['docno'], document['text']
        ('v1', 'Good evening. Tonight: bees.')
    """
    seen: set[str] = set()
    current: dict[str, Any] = {}
    for count, row in enumerate(rows):
        fields = tuple(row) if isinstance(row, tuple | list) else ()
        if not (4 <= len(fields) <= 5 and isinstance(fields[0], str) and isinstance(fields[3], str)):
            raise ValueError(f'row {count} of the transcript is {quoted(row)}: give (document, start, end, text), or '
                             "(document, start, end, text, speaker), with the text '' where there is none; "
                             'documents that read_transcripts gives do without transcript_documents')
        try:
            line, = transcript_lines([(*fields[1:3], '', *fields[4:])])
        except ValueError as error:
            raise ValueError(f'row {count}: {error}'.replace(': line 1 of', ' of', 1)) from None
        if not current or fields[0] != current['docno']:
            if current:
                yield _with_text(current)
            if fields[0] in seen:
                raise ValueError(f'row {count} of the transcript is of {quoted(fields[0])}, whose rows stand further '
                                 'up: sort the rows by document')
            seen.add(fields[0])
            current = {'docno': fields[0], 'transcript': []}
        current['transcript'].append(line._replace(text=fields[3]))
    if current:
        yield _with_text(current)


def _with_text(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, 'text': ' '.join(line.text for line in document['transcript'])}
