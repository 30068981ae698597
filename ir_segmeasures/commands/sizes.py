"""``--sizes``: how long documents are, where a simulated run returns them whole."""

import argparse
import os
from math import isfinite

from ir_segmeasures.commands.reading import Source, dataset_of
from ir_segmeasures.formats.files.reading import StrPath, numbered_rows, refuse_twice
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import warn

__all__ = ['add_sizes', 'read_sizes', 'sizes_of']


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Adds the option to a command."""
    parser.add_argument('--sizes', metavar='SOURCE', help='how long documents are: a file with lines: document length '
                                                          '(12.5, or hh:mm:ss), or the id of a dataset (default: what '
                                                          'the qrels or their dataset tell)')


def sizes_of(args: argparse.Namespace, qrels: Source) -> dict[str, float]:
    """Document → its length. A document that is judged beyond its listed end is as long as that, with a warning."""
    if args.sizes is not None and os.path.exists(args.sizes):
        sizes = read_sizes(args.sizes)
    elif args.sizes is not None or qrels.dataset is not None:
        from ir_segmeasures.datasets.lengths import lengths
        dataset = qrels.dataset if args.sizes is None else dataset_of(args.sizes, 'no file')
        sizes = lengths(dataset) or {}
        if not sizes and args.sizes is not None:
            args.parser.error(f'--sizes: the documents of {args.sizes} do not tell their length: name a file')
    else:
        return {}
    table = SegmentTable.from_qrels(qrels.rows)
    beyond: dict[str, None] = {}
    for document, end in zip(table.document.tolist(), table.end.tolist()):
        name = table.document_ids[document]
        if name in sizes and sizes[name] < end and isfinite(end):
            sizes[name] = end
            beyond[name] = None
    warn([f'{len(beyond)} documents are judged beyond their listed end, such as {quoted(next(iter(beyond)))}: they are '
          'taken to end with what is judged'] if beyond else [])
    return sizes


def read_sizes(path: StrPath) -> dict[str, float]:
    """Document → its length, from lines with both; a first field ``doc_id`` is that of a head.

    Raises:
        FormatError: a line has no length, or a document is there twice
        OSError: the file cannot be opened
    """
    numbers, rows = numbered_rows(path, _size)
    refuse_twice(path, numbers, (document for document, _ in rows), 'document')
    return {document: size for document, size in rows if document != 'doc_id'}


def _size(fields: list[str]) -> tuple[str, float]:
    if fields[0] == 'doc_id':  # the head
        return 'doc_id', 0
    try:
        return fields[0], parse_segment(f'd#t=0,{fields[1]}').end
    except (IndexError, ValueError):
        raise ValueError(f'{quoted(" ".join(fields))} is no document with its length: write its id and a number, or '
                         'hh:mm:ss') from None
