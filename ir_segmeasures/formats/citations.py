"""Answers with citations of segments as runs: of TREC's RAG track.

The part of its programs that asks a language model whether a citation supports its sentence is left out: cited segments
are measured against judged evidence. Source: https://trec-rag.github.io (2024 and 2025).
"""

import msgspec

from ir_segmeasures.formats.evidence import EVIDENCE
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.files.row_types import TrecScoredDoc
from ir_segmeasures.formats.json_files import converted, json_values
from ir_segmeasures.segments.quoting import quoted, truncated
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.texts.locating.collection import UnlocatedWarning

__all__ = ['TREC_RAG', 'read_citations']

_FORM = 'JSON lines {"topic_id", "references": [segment, …], "answer": [{"text", "citations": [0, …]}]}'


class _Sentence(msgspec.Struct):
    citations: list[int | str]  # places among the references, or references


class _Metadata(msgspec.Struct):
    topic_id: int | str | None = None
    narrative_id: int | str | None = None


class _Answer(_Metadata, kw_only=True):
    references: list[str]
    answer: list[_Sentence]
    metadata: _Metadata | None = None


def read_citations(path: StrPath, unlocated: str = 'error') -> list[TrecScoredDoc]:
    """The run of what answers cite, in the order in which it is first cited. Items are the ids of segments, which
    :func:`ir_segmeasures.resolve` gives their offsets.

    Args:
        path: of the file
        unlocated: ``'warn'`` leaves citations of what the answer has no reference for out, with a warning that lists
            them

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.citations import read_citations
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.jsonl'
        >>> _ = path.write_text('{"topic_id": "q1", "references": ["d#char=0,9", "d#char=9,20"], "answer": ['
        ...                     '{"text": "Bees.", "citations": [1]}, {"text": "So.", "citations": [1, 0]}]}')
        >>> [(row.query_id, row.doc_id) for row in read_citations(path)]
        [('q1', 'd#char=9,20'), ('q1', 'd#char=0,9')]

    Raises:
        FormatError: the file is of another form, or an answer cites what it has no reference for
        OSError: the file cannot be opened
    """
    cited: dict[str, dict[str, None]] = {}
    unknown: list[str] = []
    try:
        for number, value in enumerate(json_values(read_utf8(path).removeprefix('\ufeff'))):
            answer = converted(value, _Answer, f'answer {number + 1}')
            named = answer.metadata or answer
            query = str(next((id for id in (named.topic_id, named.narrative_id) if id is not None), number))
            if query in cited:
                raise ValueError(f'{quoted(query)} has two answers')
            cited[query] = {}
            references = dict(enumerate(answer.references))
            for citation in (citation for sentence in answer.answer for citation in sentence.citations):
                if isinstance(citation, str) or citation in references:
                    cited[query][citation if isinstance(citation, str) else references[citation]] = None
                else:
                    unknown.append(f'query {quoted(query)}: the citation {quoted(citation)} is no place among the '
                                   f'{len(references)} references, from 0')
    except ValueError as error:
        raise FormatError(f'the file has no answers of trec-rag (behind {len(cited)} answers, '
                          f'{truncated(str(error))}), which are {_FORM}: correct it, or name its '
                          'format', path) from None
    if unknown and unlocated == 'error':
        raise FormatError(f"{unknown[0]}; with unlocated='warn' such citations are left out", path)
    if unknown:
        warn_user(UnlocatedWarning(f'{len(unknown)} citations are of what their answer was not given ({unknown[0]} …): '
                                   'they are left out', unknown))
    return [TrecScoredDoc(query, id, -rank) for query, ids in cited.items() for rank, id in enumerate(ids, 1)]


TREC_RAG = Format('trec-rag', 'answers of TREC RAG, which cite segments', None, EVIDENCE.qrels,
                  Files(read_citations, options=('unlocated',), rules=Rules()))
