"""Answers with citations of segments as runs: of TREC's RAG track, JSON lines ``{"topic_id", "references":
[segment, …], "answer": [{"text", "citations": [0, …]}]}``.

The part of its programs that asks a language model whether a citation supports its sentence is left out: cited segments
are measured against judged evidence. Source: https://trec-rag.github.io (2024 and 2025).
"""

import msgspec

from ir_segmeasures.formats.evidence import EVIDENCE
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.files.row_types import TrecScoredDoc
from ir_segmeasures.formats.json_files import converted, json_values
from ir_segmeasures.formats.moment_windows import warn_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['TREC_RAG', 'read_citations']


class _Sentence(msgspec.Struct):
    citations: list[int | str]  # places among the references, or references


class _Metadata(msgspec.Struct):
    topic_id: int | str | None = None
    narrative_id: int | str | None = None


class _Answer(_Metadata, kw_only=True):
    references: list[str]
    answer: list[_Sentence]
    metadata: _Metadata | None = None


def read_citations(path: StrPath) -> list[TrecScoredDoc]:
    """The run of what answers cite, in the order in which it is first cited. Items are the ids of segments, which
    :func:`ir_segmeasures.resolve` gives their offsets. Citations of what the answer has no reference for are left out,
    and a :class:`~ir_segmeasures.SegmentWarning` counts them.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats.citations import read_citations
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'answers.jsonl'
        >>> _ = path.write_text('{"topic_id": "q1", "references": ["d#char=0,9", "d#char=9,20"], "answer": ['
        ...                     '{"text": "Bees.", "citations": [1]}, {"text": "So.", "citations": [1, 0]}]}')
        >>> [(row.query_id, row.doc_id) for row in read_citations(path)]
        [('q1', 'd#char=9,20'), ('q1', 'd#char=0,9')]

    Raises:
        FormatError: the file is of another form, or a query has two answers
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
            references: dict[int | str, str] = dict(enumerate(answer.references))
            citations = [citation for sentence in answer.answer for citation in sentence.citations]
            found = [references.get(citation, citation) for citation in citations]
            cited[query] = {id: None for id in found if isinstance(id, str)}
            unknown += [f'{id} in query {quoted(query)}' for id in found if not isinstance(id, str)]
    except ValueError as error:
        raise FormatError(f'the file has no answers of trec-rag: behind {len(cited)} answers, {error}', path) from None
    warn_of(path, [('citations are no places among the references of their answer, which count from 0, and are left '
                    'out', example) for example in unknown])
    return [TrecScoredDoc(query, id, -rank) for query, ids in cited.items() for rank, id in enumerate(ids, 1)]


TREC_RAG = Format('trec-rag', 'answers of TREC RAG, which cite segments', None, EVIDENCE.qrels,
                  Files(read_citations, rules=Rules()))
