"""Retrieved chunks in JSON, as frameworks and stores dump them, as a run. Each is compared with the text of its
document, or located there (:func:`ir_segmeasures.texts.chunks.rows`).

It is an object ``{query: [chunk, …]}``, or lines (or a list) of answers with an id of the query and their chunks, or of
single chunks, such as ``{"query_id": "q1", "page_content": …, "metadata": {"source": …, "start_index": …}}``.
"""

from collections.abc import Mapping
from typing import Any

from ir_segmeasures.formats.evidence import EVIDENCE
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_utf8
from ir_segmeasures.formats.json_files import json_values
from ir_segmeasures.formats.texts import read_collection
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.texts.chunks import Chunk, rows
from ir_segmeasures.texts.retrieved_shapes import ANSWERS

_QUERY = ('query_id', 'qid', 'question_id', 'topic_id')


def read_run(path: StrPath, texts: Mapping[str, str] | StrPath | None = None, unlocated: str = 'error') -> list[Chunk]:
    """Reads the chunks of each query, the best first, as they stand in the file.

    Args:
        path: of the file, ``.gz`` by suffix
        texts: document → text, or the path that :func:`~ir_segmeasures.formats.texts.read_collection` takes
        unlocated: as for :func:`~ir_segmeasures.texts.chunks.rows`

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_run
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'found.jsonl'
        >>> _ = path.write_text('{"qid": "q1", "page_content": "Yes.", "metadata": {"source": "a", "start_index": 4}}')
        >>> read_run(path, 'chunks')
        [Chunk(query_id='q1', doc_id='a#char=4,8', score=-1, run_score=None)]

    Raises:
        FormatError: the file is of another form, or a chunk has no single place
        OSError: a file cannot be opened
    """
    results: dict[str, Any] = {}
    try:
        for record in json_values(read_utf8(path)):
            if not isinstance(record, dict):
                raise TypeError(f'{quoted(record)} is not an object')
            inner = record.get('metadata')
            id = next((layer[key] for layer in (record, inner) if isinstance(layer, dict) for key in _QUERY
                       if isinstance(layer.get(key), str | int)), None)
            if id is None and not {*record} & {*ANSWERS} and all(
                    isinstance(value, list | dict) for value in record.values()):
                results |= record
            elif id is None:
                raise ValueError(f"{quoted(record)} has no 'query_id' of the query for which it was retrieved: add it")
            elif any(isinstance(record.get(key), list) for key in ANSWERS):
                if str(id) in results:
                    raise ValueError(f'query {quoted(id)} has an answer before: join the two')
                results[str(id)] = record
            else:
                results.setdefault(str(id), []).append(record)
        known = texts if texts is None or isinstance(texts, Mapping) else read_collection(texts)
        return rows(results, known, unlocated=unlocated)
    except (AttributeError, TypeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f'behind the chunks of {len(results)} queries, {error}', path) from None


CHUNKS = Format(
    'chunks', 'JSON or JSON lines of retrieved chunks, as LangChain, LlamaIndex, Haystack or a store has them, with '
    'query_id; qrels as in evidence', None, EVIDENCE.qrels,
    Files(read_run, options=('texts', 'unlocated'), rules=Rules(), order='line'))
