"""Readers of the INEX ad hoc track's text files (2008–10): judgements and runs as file, offset and length.

Offsets and lengths, here called characters, are whole numbers in the unit that a run shares with its judgements (INEX'
sources say characters or bytes); nothing converts them. Rows have half-open intervals.
Source: the judgements of INEX 2010 and the program that scored its runs, ``inex_eval`` 3.1.
"""

import functools
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.columns import columns_of, decimals, whole_numbers
from ir_segmeasures.formats.files.reading import (
    FormatError,
    Number,
    Rows,
    StrPath,
    _numbered_rows,
    finite_number,
    read_rows,
    read_text,
    wrong_fields,
)
from ir_segmeasures.formats.inex.ends import maybe_ends, surely_ends

__all__ = ['InexQrel', 'InexScoredDoc', 'rank_of', 'read_qrels', 'read_run', 'whole_number', 'wrong_run']

QRELS_FIELDS = 'topic Q0 docid rsize docsize [bep off:len off:len …]'
RUN_FIELDS = 'topic Q0 docid rank rsv runid offset length'
ENDS_FIELDS = 'topic Q0 docid rank rsv runid offset end'
BEP_FIELDS = 'topic Q0 docid rank rsv runid bep'

NO_PASSAGE = ('X', '-1')  # in the place of an offset

LARGEST = 10 ** 9 - 1
_LONGEST = len(str(LARGEST))
_DIGITS = re.compile('[0-9]+')
_PASSAGES = re.compile('[0-9]{1,9}:[0-9]{1,9}(?: [0-9]{1,9}:[0-9]{1,9})*')
_IN_QRELS = f'a line is {QRELS_FIELDS}'

Line = list[tuple[Any, ...]]  # the rows of a line, as tuples


def __getattr__(name: str) -> Any:
    if name in ('write_qrels', 'write_run'):  # readers have no need of them
        from ir_segmeasures.formats.inex import writing as inex_writing
        return getattr(inex_writing, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


class InexQrel(NamedTuple):
    """A relevant passage, or a document that was judged and is not relevant.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; of a document that is not relevant, all
            of it
        relevance: 1, or 0 for a document that is not relevant
        iteration: the second column of the file, not used by measures
        doc_size: of the document, in characters; None if it is not known
        bep: offset of the document's best entry point; None if it is not relevant
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number = 1
    iteration: str = 'Q0'
    doc_size: int | None = None
    bep: int | None = None


class InexScoredDoc(NamedTuple):
    """A retrieved passage, or a document that was retrieved without one. The official order is that of the lines.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; both 0 for a document without a passage
        score: minus the position in the file
        rank, run_score: the file's own rank and score, which nothing reads; None where these columns hold no whole
            number up to ``LARGEST`` and no finite number
        run: name of the run
        no_passage: whether the document was retrieved without a passage
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int | None
    run_score: float | None
    run: str | None
    no_passage: bool = False


def read_qrels(path: StrPath) -> Sequence[InexQrel]:
    """Reads judgements, one document a line: ``topic Q0 docid rsize docsize [bep off:len off:len …]``.

    Rows come in the order of the lines, one for every passage, those of a line by offset. A line without passages is a
    document that is not relevant: one row from 0 to its size, with relevance 0 (empty if the size is 0).

    Raises:
        FormatError: a line has 6 fields or less than 5; a size, offset or length is not a whole number from 0 up; rsize
            is not the length of all passages; a passage is empty, overlaps another or ends after the document, or the
            best entry point lies after it; a document is judged twice for a topic
        OSError: the file cannot be opened
    """
    text = read_text(path)
    with suppress(ValueError):
        return _qrels(text)
    numbers, lines = _numbered_rows(text, path, _qrel)
    if len({rows[0][:2] for rows in lines}) < len(lines):
        raise _judged_twice(path, numbers, lines)
    return _rows(InexQrel, chain.from_iterable(lines))


def read_run(path: StrPath, last: str | None = None) -> Sequence[InexScoredDoc]:
    """Reads a run, one item a line: ``topic Q0 docid rank rsv runid offset length``, in file order, which is official.

    The offset ``X`` or ``-1`` is a document without a passage; its length is not read. A length of 0 is accepted, and
    nothing is said about overlap, which is for measures to treat. Rank and rsv may be anything.

    Args:
        path: of the run
        last: what the last column is: ``'length'``; ``'end'`` for runs that have the end offset there, by mistake;
            ``'bep'`` for best entry points, with 7 columns, of which the last is an offset. If it is not given, it is
            the length, unless it has to be the end: no item has less there than its offset, and at least ten
            documents have items that would overlap with lengths, but none has with ends. Where nothing overlaps, or
            ends do too, that is not certain: there is a warning, if at least 100 items have an offset above 0 and none
            of them has less in the last column.

    Raises:
        FormatError: a line does not have 8 fields (7 for ``'bep'``); an offset or length is not a whole number from 0
            up; an end is before its offset; the last column is the end, as said above
        ValueError: ``last`` is something else
        OSError: the file cannot be opened
    """
    if last not in (None, 'length', 'end', 'bep'):
        raise ValueError(f"last={last!r}: the last column of a run is its 'length', 'end' or 'bep' (runs with paths "
                         'are read with formats.inex_paths.read_run)')
    rows = read_rows(path, functools.partial(_scored_doc, last=last), functools.partial(_scored_docs, last=last), True)
    if not isinstance(rows, Rows):  # read line by line
        rows = _rows(InexScoredDoc, rows)
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    if last is None:
        _refuse_ends(path, rows.columns)
        suspicion = maybe_ends(rows.columns)
        if suspicion is not None:
            warnings.warn(f'{os.fspath(path)}: {suspicion}', stacklevel=2)
    return rows


def _rows(kind: Any, rows: Iterable[tuple[Any, ...]]) -> Rows[Any]:
    return Rows(kind, list(zip(*rows)) or [()] * len(kind._fields))


def _qrels(text: str) -> Rows[InexQrel]:
    """All rows of a file, by columns. Raises ``ValueError``, without a sentence: where the mistake is will be found
    line by line."""
    lines = text.rstrip().split('\n')
    relevant = np.array([number for number, line in enumerate(lines) if ':' in line], np.intp)
    entries, texts = [], []
    for number in relevant.tolist():
        *head, entry, passages = lines[number].split(None, 6)
        lines[number] = ' '.join(head)
        entries.append(entry)
        texts.append(' '.join(passages.split()))
    query_ids, iterations, doc_ids, lengths, sizes = columns_of('\n'.join(lines))
    length, size = whole_numbers(lengths, LARGEST), whole_numbers(sizes, LARGEST)
    if not relevant.size or not _once(query_ids, doc_ids) or not _PASSAGES.fullmatch(' '.join(texts)):
        raise ValueError
    bep = whole_numbers(entries, LARGEST)
    count = np.array([text.count(':') for text in texts], np.intp)
    numbers = np.fromstring(' '.join(texts).replace(':', ' '), np.int64, sep=' ')
    line = np.repeat(np.arange(len(count)), count)
    order = np.lexsort((numbers[::2], line))
    start, end = numbers[::2][order], (numbers[::2] + numbers[1::2])[order]
    last = np.cumsum(count) - 1
    if ((end <= start).any() or ((end[:-1] > start[1:]) & (line[:-1] == line[1:])).any()
            or (np.bincount(line, end - start) != length[relevant]).any()
            or (end[last] > size[relevant]).any() or (bep > size[relevant]).any()
            or np.delete(length, relevant).any()):
        raise ValueError
    rows = np.ones(len(lines), np.intp)
    rows[relevant] = count
    place = np.repeat(np.arange(len(lines)), rows)
    judged = np.zeros(len(lines), bool)
    judged[relevant] = True
    has_passage = judged[place]
    starts, ends, beps = np.zeros(len(place), np.int64), size[place], np.full(len(place), None)
    starts[has_passage], ends[has_passage], beps[has_passage] = start, end, np.repeat(bep, count)
    queries, documents, seconds = (
        np.array(column, object)[place].tolist() for column in (query_ids, doc_ids, iterations))
    return Rows(InexQrel, (queries, documents, starts, ends, has_passage.astype(np.int64), seconds, size[place], beps))


def _once(query_ids: Sequence[str], doc_ids: Sequence[str]) -> bool:
    """Whether no document is there twice for a topic."""
    firsts = [0, *(i for i, (one, other) in enumerate(pairwise(query_ids), 1) if one != other), len(query_ids)]
    if len(firsts) - 1 > len(set(query_ids)):  # the lines of a topic do not stand together
        return len(set(zip(query_ids, doc_ids))) == len(query_ids)
    return all(len(set(doc_ids[first:last])) == last - first for first, last in pairwise(firsts))


def _qrel(fields: list[str]) -> Line:
    if len(fields) == 5:
        query_id, iteration, doc_id, relevant, size = fields
        doc_size = whole_number(size, 'docsize', _IN_QRELS)
        if whole_number(relevant, 'rsize', _IN_QRELS):
            raise ValueError(f'rsize is {relevant}, but the line has no passages, as those of documents that are not '
                             'relevant (write 0, or add the best entry point and the passages)')
        return [(intern(query_id), intern(doc_id), 0, doc_size, 0, iteration, doc_size, None)]
    if len(fields) < 7:
        raise wrong_fields(fields, 'FOL judgements', QRELS_FIELDS, '5, or at least 7 if it is relevant')
    query_id, iteration, doc_id, relevant, size, entry, *texts = fields
    doc_size, bep = whole_number(size, 'docsize', _IN_QRELS), whole_number(entry, 'bep', _IN_QRELS)
    passages = sorted(map(_judged_passage, texts))
    total = last = 0
    for start, end in passages:
        if start < last:
            raise ValueError(f'the passages from {start} and up to {last} overlap, but those of a document do not '
                             '(join the two, or correct one)')
        total, last = total + end - start, end
    if total != whole_number(relevant, 'rsize', _IN_QRELS):
        raise ValueError(f'rsize is {relevant}, but the passages have {total} characters together (correct one of the '
                         'two)')
    if last > doc_size:
        raise ValueError(f'a passage ends at {last}, but docsize is {size} (correct one of the two)')
    if bep > doc_size:
        raise ValueError(f'bep is {entry}, but docsize is {size} (correct one of the two)')
    query_id, doc_id = intern(query_id), intern(doc_id)
    return [(query_id, doc_id, start, end, 1, iteration, doc_size, bep) for start, end in passages]


def _judged_passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(':')
    if not colon:
        raise ValueError(f'passage {text!r} has no colon, but passages are offset:length (a line is {QRELS_FIELDS})')
    start, size = whole_number(offset, 'offset', _IN_QRELS), whole_number(length, 'length', _IN_QRELS)
    if not size:
        raise ValueError(f'passage {text!r} has no content, but a relevant one needs some (correct the length, or take '
                         'the passage out)')
    return start, start + size


def _judged_twice(path: StrPath, numbers: list[int], lines: list[Line]) -> FormatError:
    seen: dict[tuple[str, str], int] = {}
    for number, rows in zip(numbers, lines):
        query_id, doc_id = rows[0][:2]
        first = seen.setdefault((query_id, doc_id), number)
        if first != number:
            break
    return FormatError(f'document {doc_id!r} of topic {query_id!r} is already judged in line {first}, but all of its '
                       'passages stand on one line (join the two, or take one out)', path, number)


def _scored_docs(columns: list[list[str]], last: str | None) -> Rows[InexScoredDoc]:
    if last == 'bep':
        columns = [*columns, ['0'] * len(columns[0])] if len(columns) == 7 else []
    query_ids, _, doc_ids, ranks, scores, runs, *places = columns
    offsets, lasts = map(list, places)
    no_passage = np.zeros(len(offsets), bool)
    if not ''.join(offsets).isdigit():
        for line in [line for line, offset in enumerate(offsets) if offset in NO_PASSAGE]:
            offsets[line] = lasts[line] = '0'
            no_passage[line] = True
    starts, numbers = whole_numbers(offsets, LARGEST), whole_numbers(lasts, LARGEST)
    if last == 'end' and (numbers < starts).any():
        raise ValueError
    ends = numbers if last == 'end' else starts + numbers
    numbered = _where_there_are(rank_of, ranks, functools.partial(whole_numbers, largest=LARGEST))
    own = _where_there_are(finite_number, scores, decimals)
    return Rows(InexScoredDoc, (query_ids, doc_ids, starts, ends, starts, numbered, own, runs, no_passage))


def _where_there_are(number: Callable[[str], Any], texts: list[str],
                     numbers: Callable[[list[str]], np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """A column that nothing reads: numbers, all at once if all texts are, else with None for those that are not."""
    with suppress(ValueError):
        return numbers(texts)
    return np.array([number(text) for text in texts], object)


def _scored_doc(fields: list[str], last: str | None = None) -> InexScoredDoc:
    kind = {'bep': BEP_FIELDS, 'end': ENDS_FIELDS}.get(last or '', RUN_FIELDS)
    if len(fields) != len(kind.split()):
        raise wrong_run(fields, kind)
    query_id, _, doc_id, rank, score, run, offset, number = fields if len(fields) == 8 else [*fields, '0']
    if offset.startswith('/'):
        raise ValueError(f"offset {offset!r} is an element's path, but a line is {kind} (if the path is all there is, "
                         'take the last column out and read the run in Python, with formats.inex_paths.read_run)')
    where = f'a line is {kind}; an offset X or -1 is a document without a passage'
    start = end = 0
    if offset not in NO_PASSAGE:
        start = whole_number(offset, 'offset', where)
        end = whole_number(number, kind.split()[-1], where) + (0 if last == 'end' else start)
    if end < start:
        raise ValueError(f"end {number!r} is before offset {offset!r}, but a passage cannot end before it starts (if "
                         "the column is the length, leave out last='end')")
    return InexScoredDoc(intern(query_id), intern(doc_id), start, end, 0, rank_of(rank), finite_number(score),
                         intern(run), offset in NO_PASSAGE)


def wrong_run(fields: list[str], kind: str) -> ValueError:
    """The error for a line that is of another kind of run."""
    found = f'the line has {len(fields)} fields and ends in {fields[-1]!r}'
    if len(fields) == 7 and fields[-1].startswith('/'):
        return ValueError(f"{found}, an element's path, but a line is {kind} (read such runs in Python, "
                          'with formats.inex_paths.read_run)')
    if len(fields) == 7 and kind != BEP_FIELDS and _DIGITS.fullmatch(fields[-1]):
        return ValueError(f'{found}, a single position such as a best entry point, but a line is {kind} (add a '
                          "length of 0, or read such runs in Python, with formats.inex.read_run(path, last='bep'))")
    if len(fields) == 8 and len(kind.split()) == 7 and _DIGITS.fullmatch(fields[-1]):
        return ValueError(f'{found}, as a run with offset and length does, but a line is {kind} (read such runs in '
                          'Python, with formats.inex.read_run(path))')
    return wrong_fields(fields, 'an INEX run', kind, str(len(kind.split())))


def _refuse_ends(path: StrPath, columns: Mapping[str, Any]) -> None:
    """Raises ``FormatError`` if the last column has to be the end, although it was read as the length."""
    overlapping = surely_ends(columns)
    if overlapping:
        raise FormatError('the last column looks like the end offset, not the length: it is never below the offset, '
                          f'and items of {overlapping} documents overlap with lengths, but of none with ends (take the '
                          "offset off it, or read the run in Python, with formats.inex.read_run(path, last='end'), or "
                          "with last='length' if these are lengths)", path)


def rank_of(text: str) -> int | None:
    """The rank in a column that nothing reads; None for anything but a whole number up to ``LARGEST``."""
    with suppress(ValueError):
        return whole_number(text, 'rank', '')
    return None


def whole_number(text: str, what: str, where: str) -> int:
    """A number of digits, up to ``LARGEST``. Raises ``ValueError`` for anything else; ``where`` is for its sentence."""
    if text.isdigit() and text.isascii():
        digits = text if len(text) <= _LONGEST else text.lstrip('0') or '0'
        if len(digits) <= _LONGEST:
            return int(digits)
    raise ValueError(f'{what} {text!r} is not a whole number from 0 to {LARGEST}, but sizes, ranks and positions are '
                     f'(correct it: {where})')
