"""Chunks that come as text, without offsets, have the figures that they have with them."""

import gzip
import json
from pathlib import Path

import ir_measures
import pytest

from ir_segmeasures import SegP, SegR, chunks, formats
from ir_segmeasures.texts.locating.collection import UnlocatedWarning


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
