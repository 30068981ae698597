"""The option ``--sizes``: the lengths of documents, which simulated runs return whole, and where a timeline ends."""

import argparse
import os
from math import isfinite

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.inputs import Source, dataset_of
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import warn

__all__ = ['add_sizes', 'sizes_of']


def add_sizes(parser: argparse.ArgumentParser, what: str = 'the lengths of the documents') -> None:
    """Adds the option to a command; ``what`` says what the lengths are for."""
    parser.add_argument('--sizes', metavar='SOURCE',
                        help=f'{what}: a file with lines "document length", such as 12.5 or hh:mm:ss, a folder of '
                             'transcripts with the names of the documents, or the id of a dataset (default: the '
                             'lengths that the qrels or their dataset have)')


def sizes_of(path: str | None, qrels: Source) -> dict[str, float]:
    """Document → its length, of a file, a folder of transcripts or a dataset, or of the dataset of the judgements if
    there is no path. A document that is judged beyond its listed end is as long as that, with a warning.
    """
    if path is not None and os.path.isdir(path):
        from ir_segmeasures.formats.texts import FolderTexts
        sizes = FolderTexts(path).lengths()
        if not sizes:
            raise UsageError(f'--sizes: {path} has no transcript (.vtt, .srt, .json …): name a folder that has, or a '
                             'file')
    elif path is not None and os.path.exists(path):
        from ir_segmeasures.formats.extents import read_sizes
        sizes = read_sizes(path)
    elif path is not None or qrels.dataset is not None:
        from ir_segmeasures.datasets.lengths import document_lengths
        dataset = qrels.dataset if path is None else dataset_of(path, 'no file')
        try:
            sizes = document_lengths(dataset) or {}
        except FileNotFoundError:  # a list that people make themselves, and nobody asked for
            if path is not None:
                raise
            sizes = {}
        if not sizes and path is not None:
            raise UsageError(f'--sizes: the documents of {path} do not tell their length: name a file')
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
