"""Bins: a ranking that no computer can hold is refused, starts alone need no ends, and T2I_P far out."""

from math import fsum

import ir_measures
import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import T2I_P, AP_bin, Judged_bin, P_bin


@pytest.mark.parametrize('tool', [{}, {'tool': 'sh_eval'}])
def test_bins_beyond_number(tool: dict[str, str]) -> None:
    qrels, run = [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=0,999999999999', 1)]
    width = 1 if tool else 1e-3
    for measure in (AP_bin(bin=width, **tool), P_bin(bin=width, **tool) @ 10, Judged_bin(bin=width, **tool) @ 10):
        with pytest.raises(ValueError, match=r'more than 10,000,000 bins.*give a longer bin'):
            ir_measures.calc_aggregate([measure], qrels, run)
    assert ir_measures.calc_aggregate([AP_bin(bin=10 ** 14)], qrels, run) == {AP_bin(bin=10 ** 14): 1}


def test_the_bin_of_a_start_needs_no_end() -> None:
    measure = AP_bin(bin=10, expand=False)
    assert measure.calc_aggregate({'q': {'v#t=15,25': 1}}, {'q': {'v#t=12': 1}}) == 1 / 2
    with pytest.raises(ValueError, match='end, which is not known'):
        AP_bin(bin=10).calc_aggregate({'q': {'v#t=15,25': 1}}, {'q': {'v#t=12': 1}})


@pytest.mark.parametrize('measure', [AP_bin(bin=1e-300), P_bin(bin=5e-324) @ 1, T2I_P(tau=1e-300) @ 1])
def test_nothing_is_finer_than_positions(measure: ir_measures.Measure) -> None:
    with pytest.raises(ValueError, match='>= 1e-09'):
        measure.check_params()


@pytest.mark.parametrize('norm', ['items', 'effort'])
def test_timeouts_beyond_number(norm: str) -> None:
    qrels = [Qrel('q', 'v#t=10,20', 1), Qrel('q', 'v#t=5000,5010', 1)]
    run = [ScoredDoc('q', f'v#t={start},6000', -start) for start in (0, 9.9999, 4000, 4999.9999)]
    # A timeout at rank 1, a span at rank 2, a timeout at rank 3, a span at rank 4.
    steps = 20_000
    found = [0, 1, *[2] * (steps - 2)]
    some, many = T2I_P(tau=1e-3, norm=norm) @ 20, T2I_P(tau=1e-3, norm=norm) @ 1e12
    values = ir_measures.calc_aggregate([some, many], qrels, run)
    assert values[some] == pytest.approx(
        fsum(f / (t + (f if norm == 'items' else 0)) for t, f in enumerate(found, 1)) / steps, rel=1e-12)
    assert values[many] == pytest.approx(2 * 34.5 / 1e15, rel=0.05)  # 2 · log(10^15) and a little
