"""The hosts' private names, in modules called ``*_private.py``, do what users have of them: a release that changes this
is named by the test that fails."""

import platform
from importlib.metadata import version
from pathlib import Path

import pytest


class TestWhatTheyAreFor:
    @staticmethod
    def broken(host: str) -> str:
        return f'{host} {platform.python_version() if host == "Python" else version(host)} broke this'

    def test_datasets_are_replaced_and_removed(self, home: Path, tmp_path: Path) -> None:
        ir_datasets = pytest.importorskip('ir_datasets')
        from ir_segmeasures.datasets import local
        for name in ('a', 'b'):
            (tmp_path / name).write_text(f'q 0 {name}#t=0,1 1\n')
            local.add('private-ground', tmp_path / name, replace=True)
            rows = list(ir_datasets.load('private-ground').qrels_iter())
            assert rows[0].doc_id == f'{name}#t=0,1', self.broken('ir_datasets')
        local.remove('private-ground')
        assert 'private-ground' not in ir_datasets.registry, self.broken('ir_datasets')

    def test_pyterrier_lists_the_parts(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pt = pytest.importorskip('pyterrier')
        pytest.importorskip('ir_datasets')
        from ir_segmeasures.datasets import local
        (tmp_path / 'qrels').write_text('q 0 v#t=0,1 1\n')
        local.add('private-ground', tmp_path / 'qrels')
        # All others would be loaded, too.
        monkeypatch.setattr('pyterrier.datasets._core.datasets', lambda: ['segments:private-ground'])
        row, = pt.datasets.list_datasets(en_only=False).to_dict('records')
        local.remove('private-ground')
        assert [row[part] for part in ('topics', 'qrels', 'corpus', 'index')] == [None, True, None, None], self.broken(
            'python-terrier')

    @pytest.mark.parametrize('plan', ['linear', 'tree'])
    def test_errors_in_an_experiment_name_the_system(self, plan: str) -> None:
        pt = pytest.importorskip('pyterrier')
        import pandas as pd
        topics = pd.DataFrame([('1', 'bees'), ('2', 'wax')], columns=['qid', 'query'])
        qrels = pd.DataFrame([('1', 'v#t=0,60', 1), ('2', 'v#t=0,60', 1)], columns=['qid', 'docno', 'label'])
        good, bad = (pt.Transformer.from_df(pd.DataFrame(
            [('1', f'v#t=0,{end}', 2.5, 0), ('2', 'v#t=0,60', 2.5, 0)], columns=['qid', 'docno', 'score', 'rank']))
            for end in (60, '60s'))
        for systems in ([good, bad], [bad, good]):
            names = ['bad' if system is bad else 'good' for system in systems]
            for batch_size in (None, 1):
                with pytest.raises(ValueError) as raised:
                    pt.Experiment(systems, topics, qrels, [pt.segments.MAiSP], names, plan=plan, verbose=False,
                                  batch_size=batch_size)
                assert str(raised.value).startswith("row 0 of the run: run 'bad': "), self.broken('python-terrier')
        with pytest.warns(UserWarning, match="^run 'bad': none of the 1 documents of the run"):
            pt.Experiment([good, pt.Transformer.from_df(good(topics).assign(docno='w#t=0,60'))], topics, qrels,
                          [pt.segments.MAiSP], ['good', 'bad'], plan=plan, verbose=False)
        with pytest.raises(ValueError) as raised:
            pt.Evaluate(bad(topics), qrels, [pt.segments.MAiSP])
        assert str(raised.value).startswith('row 0 of the run: segment id ')
