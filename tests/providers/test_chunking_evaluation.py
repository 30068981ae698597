"""The programs of benchmarks of chunks: chunking_evaluation's figures of every question, and LegalBench-RAG's rules."""

import gzip
import json
from collections import defaultdict
from csv import DictReader
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from ir_measures import Qrel, ScoredDoc
from query_values import value
from strategies import Qrels, Run, cases

from ir_segmeasures import SegIoU, SegP, SegP_omega, SegR
from ir_segmeasures.texts.chunks import quote_id

TOOL = 'chunking_evaluation'
SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


@pytest.fixture(scope='module')
def questions(shared_data: Path) -> list[Qrel]:
    path = shared_data / 'chunks' / 'chunking-evaluation' / 'questions_df.csv'
    with open(path, encoding='utf-8', newline='') as file:
        return [Qrel(str(number), '{}#char={start_index},{end_index}'.format(question['corpus_id'], **reference), 1)
                for number, question in enumerate(DictReader(file))
                for reference in json.loads(question['references'])]


@pytest.mark.parametrize('chunking', ['recursive_400_200', 'token_200_0'])
def test_the_figures_of_every_question(shared_data: Path, questions: list[Qrel], chunking: str) -> None:
    with gzip.open(shared_data / 'chunks' / 'chunking-evaluation' / 'figures.json.gz', 'rt') as file:
        program = json.load(file)[chunking]
    ids = ['{}#char={},{}'.format(*chunk) for chunk in program['chunks']]
    run = [ScoredDoc(str(number), ids[chunk], -rank) for number, chunks in enumerate(program['retrieved'])
           for rank, chunk in enumerate(chunks)]
    found = {(metric.query_id, metric.measure.NAME): metric.value for metric in ir_measures.iter_calc(
        [SegR(tool=TOOL), SegP(tool=TOOL), SegIoU(tool=TOOL)], questions, run)}
    of_text = defaultdict(list)
    for id in ids:
        of_text[id.partition('#')[0]].append(id)
    text_of = {qrel.query_id: qrel.doc_id.partition('#')[0] for qrel in questions}
    every = [ScoredDoc(query_id, id, 0) for query_id, text in text_of.items() for id in of_text[text]]
    omega, clean = SegP_omega(tool=TOOL), {}
    for metric in ir_measures.iter_calc([omega, SegP_omega], questions, every):
        if metric.measure == omega:
            found[metric.query_id, 'SegP_omega'] = metric.value
        else:
            clean[metric.query_id] = metric.value
    names = {'SegR': 'recall', 'SegP': 'precision', 'SegIoU': 'iou', 'SegP_omega': 'precision_omega'}
    expected = {(str(number), measure): figures[name] for number, figures in enumerate(program['per_question'])
                for measure, name in names.items()}
    assert len(expected) == 4 * 472
    assert found == pytest.approx(expected, rel=0, abs=1e-9)
    for measure, name in names.items():
        mean = sum(figure for (_, other), figure in found.items() if other == measure) / 472
        assert mean == pytest.approx(program['mean'][name], rel=0, abs=1e-9)
    # A chunk that only touches a reference can only lower the program's value.
    assert all(clean[query_id] >= found[query_id, 'SegP_omega'] - 1e-12 for query_id in clean)


class TestByHand:
    def test_content_of_a_perfect_retriever(self) -> None:
        # [10,20) has 5 of its 10, [20,30) the other 5 and touches 30: together 20, of which 10 are relevant; [30,35)
        # is missing.
        run = [('v', 0, 10), ('v', 10, 20), ('v', 20, 30), ('v', 40, 50), ('w', 0, 10)]
        assert value('SegP_omega', SPANS, run) == pytest.approx(10 / (20 + 5))
        assert value('SegP_omega', SPANS, [*run, ('v', 30, 40)]) == pytest.approx(15 / 30)
        assert value('SegP_omega', SPANS, [*run, ('v', 35, 40)]) == pytest.approx(10 / 25)
        assert value('SegP_omega@2', SPANS, run) == pytest.approx(5 / (10 + 10))
        assert value('SegP_omega', SPANS, [('v', 20, 20), ('v', 50, 60)]) == 0

    def test_overlap_of_chunks(self) -> None:
        run = [('v', 10, 20), ('v', 15, 20), ('w', 0, 10)]
        assert value(f"SegP(tool='{TOOL}')", SPANS, run) == pytest.approx(5 / 25)
        assert value(f"SegP(tool='{TOOL}')@2", SPANS, run) == pytest.approx(5 / 15)
        assert value(f"SegIoU(tool='{TOOL}')", SPANS, run) == pytest.approx(5 / (25 + 10))
        assert value(f"SegR(tool='{TOOL}')", SPANS, run) == pytest.approx(5 / 15)
        assert value("SegP(tool='legalbenchrag')", SPANS, run) == pytest.approx(10 / 25)
        assert value("SegR(tool='legalbenchrag')", SPANS, run) == pytest.approx(10 / 15)
        assert value("SegR(tool='legalbenchrag')", SPANS, [('v', 15, 25)] * 3) == pytest.approx(30 / 15)
        assert value("SegR(tool='legalbenchrag')@1", SPANS, [('v', 15, 25)] * 3) == pytest.approx(10 / 15)

    def test_overlap_of_references(self) -> None:
        references = [('v', 0, 10, 1), ('v', 5, 15, 1)]
        assert value(f"SegR(tool='{TOOL}')", references, [('v', 0, 8)]) == pytest.approx(8 / 20)
        assert value(f"SegIoU(tool='{TOOL}')", references, [('v', 0, 8)]) == pytest.approx(8 / (8 + 2 + 7))
        assert value("SegR(tool='legalbenchrag')", references, [('v', 0, 8)]) == pytest.approx((8 + 3) / 20)

    def test_a_chunk_that_touches(self) -> None:
        run = [('v', 0, 10), ('v', 15, 25), ('v', 35, 45)]
        assert value('SegP_omega', SPANS, run) == pytest.approx(10 / 15)
        assert value(f"SegP_omega(tool='{TOOL}')", SPANS, run) == pytest.approx(10 / 25)

    @pytest.mark.parametrize('measure', ["SegP(tool='legalbenchrag')", f"SegP(tool='{TOOL}')",
                                         f"SegIoU(tool='{TOOL}')", f"SegP_omega(tool='{TOOL}')"])
    def test_nothing_retrieved(self, measure: str) -> None:
        assert value(measure, SPANS, []) == 0

    @pytest.mark.parametrize(('measure', 'reason'), [
        (SegP(tool=TOOL, budget=3), 'budget=3'), (SegR(tool='legalbenchrag', rel=2), 'rel=2'),
        (SegP_omega(tool=TOOL) @ 3, 'cutoff=3'), (SegIoU(tool='legalbenchrag'), "tool='legalbenchrag'")])
    def test_what_the_programs_do_not_have(self, measure: Any, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            measure.check_params()


@given(case=cases)
def test_the_programs_agree_with_the_definitions_where_nothing_overlaps(case: tuple[Qrels, Run]) -> None:
    qrels, run = ([segment for k, segment in enumerate(segments) if all(
        segment[0] != other[0] or segment[2] <= other[1] or other[2] <= segment[1] for other in segments[:k])]
        for segments in case)
    for program in ('chunking_evaluation', 'legalbenchrag'):
        for measure in (SegP, SegR):
            assert value(measure(tool=program), qrels, run) == pytest.approx(value(measure, qrels, run))


def by_description(spans: Qrels, chunks: Run) -> tuple[float, float]:
    """What legalbenchrag is said to count: common characters over all pairs, over the length of chunks, or of spans."""
    both = sum(max(0, min(a[2], b[2]) - max(a[1], b[1])) for a in spans for b in chunks if a[0] == b[0] and a[3] > 0)
    retrieved, wanted = (sum(end - start for _, start, end, *_ in rows) for rows in (
        chunks, [span for span in spans if span[3] > 0]))
    return both / retrieved if retrieved else 0, both / wanted


@given(case=cases)
def test_legalbenchrag_is_its_description(case: tuple[Qrels, Run]) -> None:
    spans, chunks = case
    if any(span[3] > 0 for span in spans):
        found = tuple(value(measure(tool='legalbenchrag'), spans, chunks) for measure in (SegP, SegR))
        assert found == pytest.approx(by_description(spans, chunks))


def test_its_recall_of_real_spans_exceeds_1(shared_data: Path) -> None:
    with gzip.open(shared_data / 'chunks' / 'legalbench-rag' / 'privacy_qa.json.gz', 'rt') as file:
        tests = json.load(file)['tests'][:60]
    recalls = []
    for test in tests:
        spans = [(quote_id(snippet['file_path']), *snippet['span'], 1) for snippet in test['snippets']]
        # Chunks of 400 characters, every 200, of the texts that have evidence.
        chunks = sorted({(name, start, start + 400) for name, first, last, _ in spans
                         for start in range(max(0, first // 200 * 200 - 200), last, 200)})
        found = tuple(value(measure(tool='legalbenchrag'), spans, chunks) for measure in (SegP, SegR))
        assert found == pytest.approx(by_description(spans, chunks))
        assert value(SegR, spans, chunks) == pytest.approx(1)
        recalls.append(found[1])
    assert 1.5 < sum(recalls) / len(recalls) and max(recalls) == pytest.approx(2)
