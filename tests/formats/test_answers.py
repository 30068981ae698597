"""Models' answers in text: how files of them become windows, and what is said of those without one."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from refusals import message

from ir_segmeasures import SegmentWarning, formats
from ir_segmeasures.formats import MomentQrel, answers

FILE_NAME = 'file.jsonl'


def lines(*records: Any) -> str:
    return ''.join(json.dumps(record, ensure_ascii=False) + '\n' for record in records)


class TestObject:
    OBJECT = {'v>>>a man runs>>>[0, 5.5]': 'From 0 to 4 s, then 00:12 - 00:14.',
              'v>>>he sits>>>[[7, 9], [11, 12]]': 'No.'}

    def test_windows_in_the_order_in_which_they_stand(self, write: Callable[..., Path]) -> None:
        path = write(json.dumps(self.OBJECT, indent=1))
        with pytest.warns(SegmentWarning, match=r'no window can be read in 1 of 2 answers \(answer 2\), and'):
            rows = formats.read_run(path, 'answers')
        assert [(row.query_id, row.doc_id, row.start, row.end, row.score, row.rank) for row in rows] == [
            ('v>>>a man runs>>>[0, 5.5]', 'v', 0, 4, -1, 1), ('v>>>a man runs>>>[0, 5.5]', 'v', 12, 14, -2, 2)]

    def test_true_windows_stand_in_the_keys(self, write: Callable[..., Path]) -> None:
        one, two = self.OBJECT
        assert formats.read_qrels(write(json.dumps(self.OBJECT)), 'answers') == [
            MomentQrel(one, 'v', 0, 5.5), MomentQrel(two, 'v', 7, 9), MomentQrel(two, 'v', 11, 12)]

    @pytest.mark.parametrize('name', ['charades', 'timelens'])
    def test_answers_of_lmms_eval(self, shared_data: Path, name: str) -> None:
        folder = shared_data / 'moments' / 'programs'
        path = folder / f'{name}-answers.json.gz'
        with gzip.open(folder / 'answers-figures.json.gz') as file:
            meant = json.load(file)['meant']
        with pytest.warns(SegmentWarning, match='no window can be read in 166 of 1200 answers'):
            rows = formats.read_run(path, 'answers')
        found: dict[str, list[list[float]]] = {}
        for row in rows:
            found.setdefault(row.query_id, []).append([row.start, row.end])
        truth = {f'{video}>>>{query}': windows for key, windows in meant.items()
                 for video, query, _ in [key.split('>>>')] if windows}
        assert {key.rpartition('>>>')[0]: windows for key, windows in found.items()} == truth
        assert len(formats.read_qrels(path, 'answers')) == 1200


class TestLines:
    def test_lines_with_a_query_and_an_answer(self, write: Callable[..., Path]) -> None:
        path = write(lines({'qid': 7, 'vid': 'v', 'answer': '3 to 5 s'},
                           {'qid': 'x', 'video': 'w', 'pred': '[[1, 2.5]]'})
                     + '\n' + lines({'qid': 9, 'vid': 'v', 'answer': 'I see 2 people.'}))
        with pytest.warns(SegmentWarning) as said:
            rows = formats.read_run(path, 'answers')
        assert [row[:4] for row in rows] == [('7', 'v', 3, 5), ('x', 'w', 1, 2.5)]
        assert [str(one.message).partition('file.jsonl: ')[2] for one in said] == [
            'no window can be read in 1 of 3 answers (line 4), and their queries have no items: look at these answers']
        assert [(failure.what, failure.answer.line, failure.answer.query_id)
                for failure in answers.failed_answers(path)] == [('unread', 4, '9')]

    def test_the_log_of_samples(self, write: Callable[..., Path]) -> None:
        path = write(lines({'doc_id': 0, 'doc': {'video': 'v'}, 'target': '[9, 10]', 'resps': [['From 3 s to 5 s.']],
                            'filtered_resps': ['From 3 s to 5 s.']}))
        assert [row[:4] for row in answers.read_run(path)] == [('0', 'v', 3, 5)]

    def test_videos_of_the_judgements(self, write: Callable[..., Path]) -> None:
        path = write(lines({'qid': 1, 'answer': '3 to 5 s'}, {'qid': 2, 'answer': '4 to 5 s'}))
        assert "line 1: the answer to query '1' is of no video" in message(answers.read_run, path)
        with pytest.warns(SegmentWarning, match=r"1 answers name no video, .*\(such as '2'\) do; they"):
            rows = formats.read_run(path, 'answers', videos={'1': 'v'})
        assert [row[:4] for row in rows] == [('1', 'v', 3, 5)]

    def test_the_command_takes_videos_and_durations_from_the_judgements(self, run: Any, tmp_path: Path) -> None:
        (tmp_path / 'true').write_text(lines({'qid': 1, 'vid': 'v', 'duration': 30, 'relevant_windows': [[10, 20]]}))
        (tmp_path / 'answers').write_text(lines({'qid': 1, 'answer': 'From 0:10 to 0:40.'}))
        arguments = ('evaluate', tmp_path / 'true', tmp_path / 'answers', 'mIoU@1', '--qrels-format', 'moments',
                     '--run-format', 'answers')
        found = run(*arguments)
        assert found.out == 'mIoU@1\t0.3333\n'
        assert '1 of 1 windows of ' in found.err
        assert run(*arguments, '--clip').out == 'mIoU@1\t0.5000\n'

    def test_hundredths_of_a_video(self, run: Any, tmp_path: Path) -> None:
        (tmp_path / 'true').write_text(lines({'qid': 1, 'vid': 'v', 'duration': 200, 'relevant_windows': [[46, 90]]}))
        (tmp_path / 'answers').write_text(lines({'qid': 1, 'vid': 'v', 'answer': 'From 23 to 45.'}))
        found = run('evaluate', tmp_path / 'true', tmp_path / 'answers', 'mIoU@1', '--qrels-format', 'moments',
                    '--run-format', 'answers', '--normalised')
        assert found.out == 'mIoU@1\t1.0000\n' and 'from 0 to 100' in found.err

    def test_the_program_counts_an_answer_without_window_0(self, run: Any, tmp_path: Path) -> None:
        true, said, moments = tmp_path / 'true', tmp_path / 'answers', tmp_path / 'moments'
        true.write_text(lines(*({'qid': qid, 'vid': 'v', 'relevant_windows': [[3, 5]]} for qid in (1, 2))))
        said.write_text(lines({'qid': 1, 'vid': 'v', 'answer': 'No.'}, {'qid': 2, 'vid': 'v', 'answer': '3 to 5 s'}))
        convert = ('convert', '--from', 'answers', '--to', 'moments', said, moments)
        refused = run(*convert, '--strict')
        assert refused.code == 1 and refused.err.count('no window can be read in 1 of 2 answers') == 1
        assert not moments.exists()
        converted = run(*convert)
        assert converted.code == 0 and converted.err.count('no window can be read in 1 of 2 answers') == 1
        assert list(map(json.loads, moments.read_text().splitlines()))[1] == {
            'qid': 1, 'vid': 'v', 'pred_relevant_windows': []}
        official = ('official', 'qvhighlights', true, moments)
        assert 'MR-full-R1@0.5\t50.00\n' in run(*official).out
        assert run(*official, '--strict').code == 1
        assert run('convert', '--from', 'moments', '--to', 'moments', moments, said, '--force').code == 0
        assert said.read_text() == moments.read_text()
