"""Releases: a folder with the judgements, topics and lengths of a campaign, as it gives them out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from ir_segmeasures.formats import format_of
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.writing import write_text
from ir_segmeasures.segments.basics import format_number, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.campaign.assessors import AssessorAgreement
from ir_segmeasures.study.campaign.layers import content_of, total
from ir_segmeasures.study.tables import render

__all__ = ['write_release']

TOPICS, DOCUMENTS, README, SUMS = 'topics.tsv', 'documents.txt', 'README.md', 'SHA256SUMS'


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
        agreement: of the assessors, on the content of the pool where this is given
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
            that is not a line, or a format that judgements cannot be written in
        WriteError: a format cannot hold a judgement
        OSError: a file cannot be written
    """
    formats = list(dict.fromkeys(formats))
    table = SegmentTable.from_qrels(qrels)
    for query, text in topics.items():
        if len(f'{query}{text}'.splitlines()) > 1 or '\t' in query + text:
            raise ValueError(f'the topic of {quoted(query)} is not a line of text: take tabs and line ends out')
    for query in table.query_ids:
        if query not in topics:
            raise ValueError(f'query {quoted(query)} is judged, but no topic has this id: add its topic')
    for row, (code, end) in enumerate(zip(table.document.tolist(), table.end.tolist())):
        length = lengths.get(table.document_ids[code])
        if length is None:
            raise table.error(row, 'the length of this document is not given: add it')
        if length < end < inf:
            raise table.error(row, f'it is judged up to {end:.12g}, but the length of the document is {length:.12g}: '
                                   'correct one of them')
    place = Path(folder)
    for format in formats:
        write = format_of(format).qrels.write
        if write is None:
            raise ValueError(f'judgements cannot be written in the format {quoted(format)}: take another')
        write(qrels, place / f'qrels.{format}')
    files = {**{f'qrels.{format}': f'the judgements, in the format {format}' for format in formats},
             TOPICS: 'the topics: id, tab, text', DOCUMENTS: 'the documents: id and length',
             README: 'this file', SUMS: 'checksums, for sha256sum -c'}
    texts = {TOPICS: [f'{query}\t{text}' for query, text in topics.items()],
             DOCUMENTS: [f'{document} {format_number(length)}' for document, length in lengths.items()],
             README: _readme(name, files, table, topics, lengths, pool, agreement)}
    for file, lines in texts.items():
        write_text(lines, place / file)
    write_text([f'{sha256((place / file).read_bytes()).hexdigest()}  {file}' for file in files if file != SUMS],
               place / SUMS)
    return list(files)


def _readme(name: str, files: Mapping[str, str], table: SegmentTable, topics: Mapping[str, str],
            lengths: Mapping[str, float], pool: Sequence[Any] | None,
            agreement: AssessorAgreement | None) -> list[str]:
    timed = table.units() == {UNITS.index('t')}

    def length(value: float) -> str:
        return f'{value / 3600:.2f} hours' if timed else f'{value:.12g}'
    relevant = content_of(table, 1)
    counts = {
        'topics': len(topics), 'judged topics': len(table.query_ids),
        'topics with relevant content': len({query for query, _ in relevant}), 'documents': len(lengths),
        'length of the documents': length(sum(lengths.values())), 'judgements': len(table),
        **{f'judgements of grade {grade:g}': number for grade, number in sorted(Counter(table.value.tolist()).items())},
        'relevant spans': sum(map(len, relevant.values())),
        'relevant content': length(total(relevant))}
    sections = [('Files', 'file', 'what', files), ('Counts', 'count', 'value', counts)]
    if pool is not None:
        content = content_of(SegmentTable.from_qrels(pool))
        sections.append(('Pool', 'count', 'value', {'units': len(pool), 'length': length(total(content))}))
    answer = [f'# {name}', '', 'Judgements of segments.']
    for title, key, value, rows in sections:
        answer += ['', f'## {title}', '', *render([{key: each, value: str(found)} for each, found in rows.items()],
                                                  'markdown').splitlines()]
    if agreement is not None:
        judged = 'both judged' if pool is None else 'the pool has, where what an assessor does not mark has grade 0'
        answer += ['', '## Agreement of the assessors', '', 'Means over the topics, with bootstrap intervals; kappa is '
                   f'of the length of the content that {judged}.', '', *render(agreement, 'markdown').splitlines()]
    qrels = next(iter(files))
    command = (f'ir_segmeasures datasets add {name} --qrels {qrels} --queries {TOPICS} --docs {DOCUMENTS} '
               f'--docs-format {"durations" if timed else "lengths"}')
    command += '' if qrels == 'qrels.trec' else f' --qrels-format {qrels.partition(".")[2]}'
    return [*answer, '', '## Use', '',
            "Make a dataset of these files, which ir_datasets (after 'import ir_segmeasures.datasets') and PyTerrier "
            f"(pt.get_dataset('segments:{name}')) know from then on:", '', f'    {command}', '']
