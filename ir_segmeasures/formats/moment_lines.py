"""The lines of moment retrieval's files: each is a JSON object of one query in one video,
with the keys of QVHighlights or of TVR."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from ir_segmeasures.formats.files.format import Files
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.json_files import fault_in, json_lines, record_of
from ir_segmeasures.formats.moment_windows import Id, Notes, Window, rows_of, warn_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['MomentLine', 'QueryLines', 'query_records']

_TVR = {'qid': 'desc_id', 'vid': 'vid_name', 'query': 'desc', 'relevant_windows': 'ts'}


class MomentLine(msgspec.Struct, kw_only=True):
    """A line of a query in a video."""
    qid: int | Id
    vid: Id


@cache
def _of_tvr(kind: Any) -> Any:
    """The type of the same record in a line of TVR, which has other names, and a window in place of a list of them."""
    fields = [(field.name, Window if field.type == list[Window] else field.type,
               *(() if field.required else (field.default,))) for field in msgspec.structs.fields(kind)]
    return msgspec.defstruct('TvrLine', fields, rename=_TVR)


@dataclass(frozen=True)
class QueryLines:
    """The judgements or the runs of a format whose lines are objects of one query each.

    Attributes:
        row_type: of the rows, a named tuple
        kind: the type of a line's record
        rows: record, notes, options of the reader → its rows; raises ``ValueError`` with a sentence, and adds to the
            notes what is odd
    """
    row_type: Any
    kind: Any
    rows: Callable[..., Sequence[Any]]

    def read(self, path: StrPath, text: str | None = None, faults: list[FormatError] | None = None,
             **options: Any) -> FileRows[Any]:
        """The rows of a file, in file order.

        Args:
            path: of the file
            text: of the file, if it has been read already
            faults: where the errors about lines belong; the first is raised if it is not given
            options: of ``rows``

        Raises:
            FormatError: a line is not such an object, or a query is on two lines
            OSError: the file cannot be opened
        """
        notes: Notes = []
        lines: list[int] = []

        def parts() -> Iterator[Sequence[Any]]:
            for number, record in query_records(path, self.kind, text, faults):
                with fault_in(path, number, faults):
                    odd: Notes = []
                    found = self.rows(record, odd, **options)
                    lines.extend([number] * len(found))
                    notes.extend((what, f'{example} in line {number}') for what, example in odd)
                    yield found
        rows = rows_of(self.row_type, parts(), lines)
        warn_of(path, notes)
        return rows

    def check(self, path: StrPath, **options: Any) -> tuple[FileRows[Any], list[FormatError]]:
        """The rows of the lines that can be read, and the errors of all others."""
        faults: list[FormatError] = []
        return self.read(path, faults=faults, **options), sorted(faults, key=lambda fault: fault.line or 0)

    def files(self, read: Callable[..., Any], **others: Any) -> Files:
        """Tells what commands, checks and datasets ask about these files; ``read`` is what users call."""
        return Files(read, check=self.check, **others)


def query_records(path: StrPath, kind: Any, text: str | None = None,
                  faults: list[FormatError] | None = None) -> Iterator[tuple[int, Any]]:
    """The number of each line and its record, of a type, or of the same one of TVR; ``text`` and ``faults`` as for
    :meth:`QueryLines.read`.

    Raises:
        FormatError: a line is no such object; a query is on two lines
        OSError: the file cannot be opened
    """
    known: dict[str, int] = {}
    for number, record in json_lines(path, lambda line: record_of(
            line, _of_tvr(kind) if '"desc_id"' in line and '"qid"' not in line else kind), text, faults):
        query_id = str(record.qid)
        with fault_in(path, number, faults):
            if known.setdefault(query_id, number) != number:
                raise ValueError(f'query {quoted(query_id)} is already in line {known[query_id]}, but all windows of a '
                                 'query stand on one line: join the two')
            yield number, record
