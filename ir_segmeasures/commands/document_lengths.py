"""The option ``--lengths``: the lengths of documents, which simulated runs return whole, and where a timeline ends."""

import os
from contextlib import suppress
from math import inf

from ir_segmeasures.commands.inputs import Source, dataset_of
from ir_segmeasures.commands.parser import UsageError
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import warn

__all__ = ['lengths_of']


def lengths_of(path: str | None, qrels: Source) -> dict[str, float]:
    """Document → its length, of a file, a folder of transcripts or a dataset, or of the dataset of the judgements if
    there is no path. A document that is judged beyond its listed end is as long as that, with a warning.
    """
    if path is not None and os.path.isdir(path):
        from ir_segmeasures.formats.texts import FolderTexts
        lengths = FolderTexts(path).lengths()
        if not lengths:
            raise UsageError(f'--lengths: {path} has no transcript (.vtt, .srt, .json …): name a folder that has, or a '
                             'file')
    elif path is not None and os.path.exists(path):
        from ir_segmeasures.formats.extents import read_sizes
        lengths = read_sizes(path)
    elif path is not None or qrels.dataset is not None:
        from ir_segmeasures.datasets.lengths import document_lengths
        lengths = {}
        if path is None:
            with suppress(FileNotFoundError):  # a list that people make themselves, and nobody asked for
                lengths = document_lengths(qrels.dataset) or {}
        elif not (lengths := document_lengths(dataset_of(path, 'not a file')) or {}):
            raise UsageError(f'--lengths: the documents of {path} do not tell their length: name a file')
    else:
        return {}
    table = SegmentTable.from_qrels(qrels.rows)
    judged = zip((table.document_ids[place] for place in table.document), table.end.tolist())
    beyond = {name: end for name, end in sorted(judged) if lengths.get(name, inf) < end < inf}
    warn([f'{len(beyond)} documents are judged beyond their listed end, such as {quoted(next(iter(beyond)))}: they are '
          'taken to end with what is judged'] if beyond else [])
    return {**lengths, **beyond}
