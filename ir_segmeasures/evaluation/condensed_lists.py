"""Condensed lists: runs and judgements without the content that nobody judged. Sakai. Alternatives to Bpref. SIGIR
2007; here on content.
"""

from dataclasses import replace
from math import inf

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import first_ending_after, first_starting_from, merged_spans, preceding
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.positions import exact_decimals
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['CondensedDocuments']


class CondensedDocuments:
    """The documents of each query without the content that nobody judged for it: a position becomes the length of the
    judged content before it.

    Args:
        qrels: judgements of any relevance are judged content, as in ``Judged_content``

    Raises:
        RowError: a judgement with an end that is not known

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures import SegmentTable
        >>> from ir_segmeasures.evaluation.condensed_lists import CondensedDocuments
        >>> condensed = CondensedDocuments(SegmentTable.from_qrels({'q': {'v#t=10,20': 1, 'v#t=50,60': 0}}))
        >>> condensed.positions(np.zeros(4, int), np.array([5., 15., 30., 52.])).tolist()
        [0.0, 5.0, 10.0, 12.0]
    """

    def __init__(self, qrels: SegmentTable):
        rows = qrels.relevant_rows(-inf)
        self._judged = judged = merged_spans(document_key(qrels, qrels.query[rows], qrels.document[rows]),
                                             qrels.start[rows], qrels.end[rows])
        first = np.flatnonzero(np.diff(judged.group, prepend=-1, append=-1))
        self._before = preceding(judged.end - judged.start, first)

    def positions(self, key: Ints, position: Floats) -> Floats:
        """Positions in the condensed documents.

        Args:
            key: for each position, the key of its document
                (:func:`~ir_segmeasures.segments.tables.matching.document_key`)
            position: in the documents as they are
        """
        judged = self._judged
        last = first_starting_from(judged, key, position) - 1  # -1 where no judged span starts before
        group, start, end, before = (np.append(column, -1) for column in (*judged, self._before))
        length = before[last] + np.minimum(position, end[last]) - start[last]
        return exact_decimals(np.where(group[last] == key, length, 0))

    def run(self, match: Match) -> SegmentTable:
        """The items of a run that have judged content, in the condensed documents. An entry point stays if it lies in
        judged content.
        """
        run, judged = match.run, self._judged
        rows = np.flatnonzero(match.key >= 0)
        key, start, end = match.key[rows], run.start[rows], run.end[rows]
        met = first_ending_after(judged, key, start) < first_starting_from(
            judged, key, np.maximum(end, np.nextafter(start, inf)))
        key, start, end = key[met], start[met], end[met]
        return replace(run.in_order(rows[met]), start=self.positions(key, start), end=self.positions(key, end))
