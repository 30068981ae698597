"""The programs of benchmarks of chunks: chunking_evaluation's figures of every question, and LegalBench-RAG's rules."""


import pytest
from hypothesis import given
from query_values import value
from strategies import Qrels, Run, cases

from ir_segmeasures import SegP, SegR

TOOL = 'chunking_evaluation'
SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


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

    def test_a_chunk_that_touches(self) -> None:
        run = [('v', 0, 10), ('v', 15, 25), ('v', 35, 45)]
        assert value('SegP_omega', SPANS, run) == pytest.approx(10 / 15)
        assert value(f"SegP_omega(tool='{TOOL}')", SPANS, run) == pytest.approx(10 / 25)

    @pytest.mark.parametrize('measure', ["SegP(tool='legalbenchrag')", f"SegP(tool='{TOOL}')",
                                         f"SegIoU(tool='{TOOL}')", f"SegP_omega(tool='{TOOL}')"])
    def test_nothing_retrieved(self, measure: str) -> None:
        assert value(measure, SPANS, []) == 0


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
