"""The reader of runs of elements in the INEX ad hoc track's text format (2009 and 2010)."""

from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.files.fields import each_text, finite_number, interned, nine_digits
from ir_segmeasures.formats.files.lines import Lines, in_file_order
from ir_segmeasures.formats.files.row_types import StrPath
from ir_segmeasures.formats.inex.fields import element_id, range_id
from ir_segmeasures.formats.inex.xml import InexPathScoredDoc


def read_run(path: StrPath) -> Sequence[InexPathScoredDoc]:
    """Reads a run of elements, one a line: ``topic Q0 docid rank rsv runid path``, in file order, which is official. A
    range of elements has one more column, the path of its last (not checked against a real file).

    Paths, such as ``/article[1]/bdy[1]``, become part of the ids, as
    :func:`~ir_segmeasures.formats.inex.fields.element_id` and :func:`~ir_segmeasures.formats.inex.fields.range_id` make
    them. A table of offsets makes segments of these: :func:`~ir_segmeasures.resolve`. Ranks and scores that are no
    numbers are None.

    Raises:
        FormatError: a line has neither 7 fields nor 8 with a path in the last; a path does not have names and an index
            each; the document's id holds a quotation mark
        OSError: the file cannot be opened
    """
    return _RUN.read(path)


def _scored_doc(topic: Any, _: Any, docid: Any, rank: Any, rsv: Any, runid: Any, path: Any,
                last: Any) -> InexPathScoredDoc:
    ids = [range_id(document, first, end) if end else element_id(document, first)
           for document, first, end in zip(docid, path, last)]
    return InexPathScoredDoc(interned(topic), ids, 0, _rank(rank), _rsv(rsv), interned(runid))  # type: ignore[arg-type]


_rank, _rsv = each_text(nine_digits), each_text(finite_number)
_RUN = Lines('an INEX run', 'topic Q0 docid rank rsv runid path last', _scored_doc, optional=1, finish=in_file_order)
