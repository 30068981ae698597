"""Releases: a folder with the judgements, topics and lengths of a campaign, as it gives them out."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.ground import Ground
from ir_segmeasures.evaluation.judgements import Judgements
from ir_segmeasures.evaluation.run_on_axis import runs_on_axes
from ir_segmeasures.formats import format_of
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.writing import write_text
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import COUNTED, UNITS
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.study.campaign.agreement_rows import AssessorAgreement
from ir_segmeasures.study.tables import render

__all__ = ['write_release']

_TIME = UNITS.index('t')
TOPICS, DOCUMENTS, README, SUMS = 'topics.tsv', 'documents.txt', 'README.md', 'SHA256SUMS'

Facts = dict[str, str]


def write_release(folder: StrPath, name: str, qrels: Sequence[Any], topics: Mapping[str, str],
                  lengths: Mapping[str, float], pool: Sequence[Any] | None = None,
                  agreement: AssessorAgreement | None = None, formats: Iterable[str] = ('trec',)) -> list[str]:
    """Writes the files of a release to a folder.

    These are ``qrels.FORMAT`` for each format, ``topics.tsv``, ``documents.txt`` with the length of each document,
    ``README.md`` with counts, the agreement of the assessors and the line that makes a dataset of the files, and
    ``SHA256SUMS``, which ``sha256sum -c`` reads.

    Args:
        folder: an empty one
        name: the id of the dataset, such as ``'track/2026'``
        qrels: with segment ids
        topics: query → its text
        lengths: document → its length, in the unit of the judgements
        pool: the pool as qrels, such as :meth:`Pool.judgements() <ir_segmeasures.study.Pool.judgements>` gives it
        agreement: of the assessors
        formats: of the judgements; the first is the one of the dataset

    Returns:
        the names of the files

    Examples:
        >>> import os, tempfile
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures.study import write_release
        >>> folder = tempfile.mkdtemp()
        >>> qrels = [Qrel('q1', 'talk#t=0,20', 1), Qrel('q1', 'talk#t=20,60', 0)]
        >>> write_release(folder, 'track/2026', qrels, {'q1': 'bees'}, {'talk': 300})
        ['qrels.trec', 'topics.tsv', 'documents.txt', 'README.md', 'SHA256SUMS']
        >>> print(open(os.path.join(folder, 'README.md')).read().splitlines()[-2].partition(' --queries')[0].strip())
        ir_segmeasures datasets add track/2026 --qrels qrels.trec

    Raises:
        ValueError: a judged query without topic, a judged document without length or judged beyond its end, a topic
            that is no line, or a format that judgements cannot be written in
        WriteError: a format cannot hold a judgement
        OSError: a file cannot be written
    """
    formats = list(dict.fromkeys(formats))
    table = SegmentTable.from_qrels(qrels)
    _check(table, topics, lengths)
    place = os.fspath(folder)
    for format in formats:
        write = format_of(format).qrels.write
        if write is None:
            raise ValueError(f'judgements cannot be written in the format {quoted(format)}: take another')
        write(qrels, os.path.join(place, f'qrels.{format}'))
    write_text([f'{query}\t{text}' for query, text in topics.items()], os.path.join(place, TOPICS))
    write_text([f'{document} {format_number(length)}' for document, length in lengths.items()],
               os.path.join(place, DOCUMENTS))
    files = [*(f'qrels.{format}' for format in formats), TOPICS, DOCUMENTS, README]
    write_text(_readme(name, table, topics, lengths, pool, agreement, formats), os.path.join(place, README))
    sums = []
    for file in files:
        with open(os.path.join(place, file), 'rb') as content:
            sums.append(f'{sha256(content.read()).hexdigest()}  {file}')
    write_text(sums, os.path.join(place, SUMS))
    return [*files, SUMS]


def _check(table: SegmentTable, topics: Mapping[str, str], lengths: Mapping[str, float]) -> None:
    for query, text in topics.items():
        if len(f'{query}{text}'.splitlines()) > 1 or '\t' in query + text:
            raise ValueError(f'the topic of {quoted(query)} is no line of text: take tabs and line ends out')
    for query in table.query_ids:
        if query not in topics:
            raise ValueError(f'query {quoted(query)} is judged, but no topic has this id: add its topic, or take its '
                             'judgements out')
    for row, (document, end) in enumerate(zip(table.document.tolist(), table.end.tolist())):
        id = table.document_ids[document]
        if id not in lengths:
            raise table.error(row, 'the length of this document is not given: add it')
        if end > lengths[id] and np.isfinite(end):
            raise table.error(row, f'it is judged up to {end:.12g}, but the length of the document is '
                                   f'{lengths[id]:.12g}: correct one of them')


def _readme(name: str, table: SegmentTable, topics: Mapping[str, str], lengths: Mapping[str, float],
            pool: Sequence[Any] | None, agreement: AssessorAgreement | None, formats: Sequence[str]) -> list[str]:
    units = table.units() or {NO_UNIT}
    unit = units.pop() if len(units) == 1 else NO_UNIT
    what = {f'qrels.{format}': f'the judgements, in the format {format}' for format in formats}
    counted = COUNTED.get(UNITS[unit] if unit != NO_UNIT else '', 'units')
    what |= {TOPICS: 'the topics: id, tab, text', DOCUMENTS: f'the documents: id and length ({counted})',
             SUMS: 'checksums, for sha256sum -c'}
    counts = _counts(table, topics, lengths, unit)
    answer = [f'# {name}', '', 'Judgements of segments.', '', '## Files', '',
              *_lines([{'file': file, 'what': text} for file, text in what.items()]),
              '', '## Counts', '', *_lines([{'count': key, 'value': value} for key, value in counts.items()])]
    if pool is not None:
        answer += ['', '## Pool', '', *_lines([{'count': key, 'value': value}
                                               for key, value in _pool_counts(table, pool, unit).items()])]
    if agreement is not None:
        answer += ['', '## Agreement of the assessors', '', 'Means over the topics, with bootstrap intervals.', '',
                   *render(agreement, 'markdown').splitlines()]
    command = (f'ir_segmeasures datasets add {name} --qrels qrels.{formats[0]} --queries {TOPICS} --docs {DOCUMENTS} '
               f'--docs-format {"durations" if unit == _TIME else "lengths"}')
    command += '' if formats[0] == 'trec' else f' --qrels-format {formats[0]}'
    return [*answer, '', '## Use', '',
            'Make a dataset of these files, which ir_datasets and PyTerrier know from then on:', '', f'    {command}',
            '']


def _lines(rows: Sequence[Mapping[str, str]]) -> list[str]:
    return render(rows, 'markdown').splitlines()


def _counts(table: SegmentTable, topics: Mapping[str, str], lengths: Mapping[str, float], unit: int) -> Facts:
    nothing = Match(table, SegmentTable.from_run([]))
    axes = [axis for _, axis in runs_on_axes(nothing, Judgements(table, Ground()), 0)]
    grades = Counter(table.value.tolist())
    return {'topics': str(len(topics)), 'judged topics': str(len(table.query_ids)),
            'topics with relevant content': str(sum((axis.R > 0).sum() for axis in axes)),
            'documents': str(len(lengths)), 'length of the documents': _length(sum(lengths.values()), unit),
            'judgements': str(len(table)),
            **{f'judgements of grade {grade:g}': str(number) for grade, number in sorted(grades.items())},
            'relevant spans': str(sum(axis.R.sum() for axis in axes)),
            'relevant content': _length(sum(axis.T_rel.sum() / axis.scale for axis in axes), unit)}


def _pool_counts(table: SegmentTable, pool: Sequence[Any], unit: int) -> Facts:
    units = SegmentTable.from_qrels(pool)
    # In the numbers of the judgements' queries and documents, and -1 for others.
    queries, documents = ({id: place for place, id in enumerate(ids)} for ids in (table.query_ids, table.document_ids))
    query = np.array([queries.get(id, -1) for id in units.query_ids], np.intp)[units.query]
    document = np.array([documents.get(id, -1) for id in units.document_ids], np.intp)[units.document]
    key = np.where((query < 0) | (document < 0), -1, document_key(table, query, document))
    rows = table.value >= 0
    judged = merged_spans(document_key(table, table.query, table.document)[rows], table.start[rows], table.end[rows])
    met = common_length(Spans(key, units.start, units.end), judged)
    length = float((units.end - units.start).sum())
    return {'units': str(len(units)), 'units judged, wholly or in part': str(int((met > 0).sum())),
            'length': _length(length, unit), 'judged share of it': f'{met.sum() / length:.1%}' if length else '0.0%'}


def _length(length: float, unit: int) -> str:
    return f'{length / 3600:.2f} hours' if unit == _TIME else f'{length:.12g}'
