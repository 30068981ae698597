"""A table of segments as an artifact of PyTerrier, which is saved, loaded and shared like an index."""

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyterrier as pt

from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.ids.resolving import segment_id
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment

_FILE = 'segments.txt.gz'


class SegmentTable(pt.Artifact, dict[str, Segment]):
    """A table of segments: the id of a shot, a passage or a chunk → document, start and end. ``pt.segments.resolve``
    takes it, and so does ``expand(durations=…)``.

    As every artifact it comes from a folder by ``pt.Artifact.load(path)``, and from elsewhere by ``from_hf``,
    ``from_url`` and the like; ``to_hf`` and ``build_package`` share one that is saved.

    Args:
        source: the path of a saved table; or the path of another file that
            :func:`~ir_segmeasures.formats.extents.read_extents` reads; or a mapping, id → (document, start, end) or
            :class:`~ir_segmeasures.segments.segment.Segment`; or rows, each (id, document, start, end) or a dict as in
            the segmented corpus of MS MARCO V2.1, with ``docid``, ``start_char`` and ``end_char``, whose document is
            ``doc`` or the id up to ``#``
        unit: of starts and ends: ``'t'`` (seconds, if it is not given), ``'char'`` (of dicts if it is not given),
            ``'word'``, ``'line'`` or ``'page'``

    Raises:
        ValueError: a row of another shape, an id with two extents, or one that is a segment id already
        FormatError: a line of a file of another shape
        OSError: the file cannot be opened

    Examples:
        >>> import pyterrier as pt
        >>> table = pt.segments.SegmentTable({'shot1_1': ('v1', 0, 4.2), 'shot1_2': ('v1', 4.2, 9.8)})
        >>> table.save('shots.table')
        >>> results = pt.new.ranked_documents([[2]], docno=[['shot1_2']])
        >>> pt.segments.resolve(pt.segments.SegmentTable.load('shots.table'))(results)['docno'].tolist()
        ['v1#t=4.2,9.8']
    """
    ARTIFACT_TYPE = 'segment_table'
    ARTIFACT_FORMAT = 'ir_segmeasures'

    def __init__(self, source: Any, unit: str | None = None):
        is_path = isinstance(source, str | os.PathLike)
        super().__init__(source if is_path else self.NO_PATH)
        if is_path:
            saved = Path(source) / _FILE
            self.update(read_extents(saved if saved.exists() else source, unit))
        else:
            self.update(_segments(source, unit))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the table as a folder, which appears as a whole or not at all, and is its path from then on.

        Raises:
            ValueError: an id with white space
            OSError: the folder cannot be written, or is there already
        """
        if os.path.exists(path):
            raise FileExistsError(f'{quoted(str(path))} is there already: save the table under another name')
        with pt.io.finalized_directory(os.fspath(path)) as folder:
            with gzip.open(Path(folder) / _FILE, 'wt', encoding='utf-8') as file:
                for id, segment in self.items():
                    if id.split() != [id]:
                        raise ValueError(f'{quoted(id)} has white space, which splits the fields of a table: give ids '
                                         'without')
                    file.write(f'{id} {format_segment(segment)}\n')
            (Path(folder) / 'pt_meta.json').write_text(json.dumps(self._build_metadata()), encoding='utf-8')
        self.path = Path(path)

    def __repr__(self) -> str:
        return f'<SegmentTable of {len(self)} segments>'


def _segments(source: Any, unit: str | None) -> Iterator[tuple[str, Segment]]:
    """The ids and segments of a mapping or of rows, each id once."""
    found: dict[str, str] = {}
    for row in source.items() if isinstance(source, Mapping) else source:
        id, extent, counted = _row(row, unit)
        segment = segment_id(id, {id: extent}, counted) or ''
        if found.setdefault(id, segment) != segment:
            raise ValueError(f'{quoted(id)} has two extents, {found[id]} and {segment}: give one for each id')
        yield id, parse_segment(segment)


def _row(row: Any, unit: str | None) -> tuple[str, Any, str]:
    if isinstance(row, Mapping) and {'docid', 'start_char', 'end_char'} <= set(row):
        id = str(row['docid'])
        return id, (str(row.get('doc', id.partition('#')[0])), row['start_char'], row['end_char']), unit or 'char'
    if isinstance(row, tuple | list) and len(row) in (2, 4) and isinstance(row[0], str):
        return row[0], row[1] if len(row) == 2 else tuple(row[1:]), unit or 't'
    raise ValueError(f'a row of the table is {quoted(row)}: give (id, document, start, end), or a dict with docid, '
                     'start_char and end_char')
