"""Chunks that come as text, without offsets, have the figures that they have with them."""

import gzip
import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import SegIoU, SegP, SegR, chunks, formats
from ir_segmeasures.texts.locating.chunk_places import located_together
from ir_segmeasures.texts.locating.collection import UnlocatedWarning
from ir_segmeasures.texts.locating.index import QuoteIndex
from ir_segmeasures.texts.splitters import paragraphs


def windows(text: str) -> list[tuple[int, int]]:
    return [(start, min(start + 400, len(text))) for start in range(0, len(text), 400)]


@pytest.mark.data
@pytest.mark.parametrize('split', [windows, paragraphs])
def test_chunks_located_when_they_are_cut(shared_data: Path, split: Any) -> None:
    folder = shared_data / 'chunks' / 'chunking-evaluation'
    qrels = formats.read_qrels(folder / 'questions_df.csv', 'chunking-evaluation')
    run, located, chunks = [], [], 0
    for path in sorted((folder / 'corpora').glob('*.md'))[-2:]:
        text = path.read_bytes().decode()
        spans = split(text)
        found = located_together([' '.join(text[start:end].split()) for start, end in spans], QuoteIndex(text))
        assert all(len(chunk.places) == 1 for chunk in found)
        chunks += len(found)
        for row in qrels:  # a chunk with evidence, among others that are near it
            if row.doc_id.startswith(f'{path.stem}#'):
                start = int(row.doc_id.partition('=')[2].partition(',')[0])
                near = min(range(len(spans)), key=lambda number: abs(spans[number][0] - start))
                for rank, number in enumerate(range(max(0, near - 1), min(near + 2, len(spans)))):
                    for rows, place in ((run, spans[number]), (located, found[number].places[0])):
                        rows.append(ScoredDoc(row.query_id, '{}#char={},{}'.format(path.stem, *place), -rank))
    measures = [SegR, SegP, SegIoU, SegR(budget=500)]
    with_offsets, without = (ir_measures.calc_aggregate(measures, qrels, rows) for rows in (run, located))
    assert chunks > 300 and with_offsets[SegR] > .1
    for measure in measures:
        assert without[measure] == pytest.approx(with_offsets[measure], abs=.001)


@pytest.mark.data
@pytest.mark.parametrize('chunking', ['recursive_400_200', 'token_200_0'])
def test_rankings_of_texts_have_the_published_figures_at_the_first_places(chunking: str, shared_data: Path) -> None:
    folder = shared_data / 'chunks' / 'chunking-evaluation'
    published = json.loads(gzip.decompress((folder / 'figures.json.gz').read_bytes()))[chunking]
    texts = {path.stem: path.read_bytes().decode() for path in (folder / 'corpora').glob('*.md')}
    qrels = formats.read_qrels(folder / 'questions_df.csv', 'chunking-evaluation')
    queries = dict.fromkeys(qrel.query_id for qrel in qrels)
    retrieved = {query: [published['chunks'][number] for number in numbers]
                 for query, numbers in zip(queries, published['retrieved'])}
    results = {query: [texts[document][start:end] for document, start, end in found]
               for query, found in retrieved.items()}
    with pytest.warns(UnlocatedWarning, match='several places'):
        run = chunks.rows(results, texts, unlocated='first')
    assert [row.doc_id for row in run] == [
        '{}#char={},{}'.format(*chunk) for found in retrieved.values() for chunk in found]
    recall, precision = SegR(tool='chunking_evaluation'), SegP(tool='chunking_evaluation')
    figures = ir_measures.calc_aggregate([recall, precision], qrels, run)
    assert figures[recall] == pytest.approx(published['mean']['recall'])
    assert figures[precision] == pytest.approx(published['mean']['precision'])
