"""The page about many runs, on a cluster of dask and in an array of jobs: its commands and scripts, as they stand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ir_segmeasures
from ir_segmeasures import evaluate_runs, formats, sample

PAGE = Path(ir_segmeasures.__file__).parent / 'pt_docs' / 'many-runs.rst'

pytestmark = pytest.mark.pages


def blocks() -> list[str]:
    """The commands of dask, the script of its client and that of a job, from the section about several machines."""
    section = PAGE.read_text().partition('On several machines\n')[2]
    found = re.findall(r'\.\. code-block:: text\n\n((?:   .*\n|\n)+)', section)
    return [re.sub('^   ', '', block, flags=re.M).strip() for block in found]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Judgements and six runs, in the place of /cluster."""
    (tmp_path / 'runs').mkdir()
    shutil.copy(sample.path('qrels.txt'), tmp_path / 'qrels.txt')
    for number in range(6):
        shutil.copy(sample.path('good.run' if number % 2 else 'poor.run'), tmp_path / 'runs' / f'{number}.txt')
    return tmp_path


def check(shared: Path, scripts: list[tuple[str, dict[str, str]]]) -> None:
    """All scripts run at the same time, and the file has the scores of all runs."""
    jobs = [subprocess.Popen([sys.executable, '-c', script.replace('/cluster', str(shared))],
                             env={**os.environ, **environment}) for script, environment in scripts]
    assert [job.wait(120) for job in jobs] == [0] * len(jobs)
    qrels = formats.read_qrels(shared / 'qrels.txt')
    expected = evaluate_runs(['T2I_MAP', 'MAiSP'], qrels, f'{shared}/runs/*.txt')
    by_run = {(row.run, row.measure): row.value for row in expected.itertuples()}
    kept = evaluate_runs(['T2I_MAP', 'MAiSP'], qrels, f'{shared}/runs/*.txt', out=shared / 'scores.csv')
    assert {(row.run, row.measure): row.value for row in kept.itertuples()} == by_run
    assert len((shared / 'scores.csv').read_text().splitlines()) == 1 + len(by_run)


def test_an_array_of_jobs(shared: Path) -> None:
    pytest.importorskip('filelock', reason="filelock is not installed: pip install '.[scale]'")
    check(shared, [(blocks()[2], {'SLURM_ARRAY_TASK_ID': str(job), 'SLURM_ARRAY_TASK_COUNT': '4'})
                   for job in range(4)])
