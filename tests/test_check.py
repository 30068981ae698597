"""The command ``check``: every rule by a small file, and the real files."""

import gzip
import itertools
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import checks, formats


@pytest.fixture
def run(run: Any) -> Any:
    return lambda *args: run('check', *args)


@pytest.fixture
def found(tmp_path: Path, run: Any) -> Any:
    """Checks a file of these lines and gives what is said of them: ``N: sentence``, and the summary."""
    files = {
        'qrels': 'q Q0 v 0.10 0.40 1\n',
        'videos': 'v 00:05:00\nw 00:01:00\n',
        'queries': '<topics><top><queryId>q</queryId><queryText/></top><top><queryId>r</queryId><queryText/></top>'
                   '</topics>',
        'anchors': '<anchors><anchor><anchorId>q</anchorId><fileName>v</fileName><startTime>1.00</startTime>'
                   '<endTime>2.00</endTime></anchor></anchors>',
    }

    def found(format: str, lines: list[str], *options: str, **contents: str) -> list[str]:
        path = tmp_path / 'file'
        path.write_text(''.join(f'{line}\n' for line in lines))
        arguments = []
        for option in options:
            arguments.append(option)
            name = option.removeprefix('--')
            if option.startswith('--') and name in files:
                (tmp_path / name).write_text(contents.get(name, files[name]))
                arguments.append(str(tmp_path / name))
        result = run(path, '--format', format, *arguments)
        said = result.out.splitlines()
        assert result.err == ''
        assert said[-1].endswith(('violation', 'violations', 'warning', 'warnings'))
        assert result.code == (0 if said[-1].startswith('no violations') else 1)
        assert all(line.startswith(f'{path}, line ') for line in said[:-1])
        return [line.removeprefix(f'{path}, line ').replace(f'{tmp_path}/', '') for line in said]
    return found


QRELS = ('--kind', 'qrels')


class TestLinking:
    def test_a_good_run(self, found: Any) -> None:
        assert found('sh-linking', ['q Q0 v 0.50 1.00 1 3 x', 'q Q0 v 2.00 4.00 2 2 x', 'q Q0 w 0.10 0.20 3 1 x'],
                     '--anchors', '--videos', '--qrels') == ['no violations']

    def test_target_length(self, found: Any) -> None:
        assert found('sh-linking', ['q Q0 v 0.00 0.09 1 3 x', 'q Q0 v 3.00 5.01 2 2 x']) == [
            "1: 0.00-0.09 of 'v' is 9 s long, but targets of links are 10 to 120 s long (move its start or end)",
            "2: 3.00-5.01 of 'v' is 121 s long, but targets of links are 10 to 120 s long (move its start or end)",
            '2 violations']

    def test_apart_from_the_anchor(self, found: Any) -> None:
        assert found('sh-linking', ['q Q0 v 0.50 1.01 1 3 x', 'q Q0 w 1.00 2.00 2 2 x'], '--anchors') == [
            "1: 0.50-1.01 of 'v' overlaps the anchor 'q', 1.00-2.00, but a link leads away from its anchor (take the "
            'target out, or cut it)', '1 violation']

    def test_known_anchor(self, found: Any) -> None:
        assert found('sh-linking', ['q Q0 v 0.00 1.00 1 3 x', 's Q0 v 0.00 1.00 1 3 x'], '--anchors') == [
            "2: 's' is not among the ids of anchors (correct it)", '1 violation']

    def test_earlier_targets(self, found: Any) -> None:
        assert found('sh-linking', ['q Q0 v 0.00 1.00 1 3 x', 'q Q0 v 0.59 2.00 2 3 x']) == [
            "2: 0.59-2.00 of 'v' overlaps 0.00-1.00 in line 1, but no item of a query overlaps an earlier one (take it "
            'out, or cut it)', '1 violation']


class TestSearch:
    def test_overlaps(self, found: Any) -> None:
        lines = ['q Q0 v 1.00 2.00 1.00 1 9', 'q Q0 v 2.00 3.00 2.00 2 8',   # they touch
                 'q Q0 w 1.00 2.00 1.00 3 7', 'q Q0 v 0.30 1.01 1.00 4 6',   # another video; one that overlaps
                 'q Q0 v 1.00 2.00 1.00 5 5', 'r Q0 v 1.00 2.00 1.00 1 4']   # the same again; another query
        assert found('sh-search', lines) == [
            "4: 0.30-1.01 of 'v' overlaps 1.00-2.00 in line 1, but no item of a query overlaps an earlier one (take it "
            'out, or cut it)',
            "5: 1.00-2.00 of 'v' is the same segment as that of line 1, but no item of a query overlaps an earlier one "
            '(take it out, or cut it)', '2 violations']

    def test_ranks(self, found: Any) -> None:
        lines = [f'{query} Q0 v {minute}.0 {minute}.10 0.0 {rank} 1'
                 for minute, (query, rank) in enumerate([('q', 1), ('q', 3), ('q', 2), ('q', 3), ('r', 0), ('r', 1)])]
        assert found('sh-search', lines) == [
            "2: rank 3 of 'q' follows rank 1 in line 1, but 2 is next (number the items 1, 2, 3 and so on, in this "
            'order)',
            "3: rank 2 of 'q' follows rank 3 in line 2, but 4 is next (number the items 1, 2, 3 and so on, in this "
            'order)',
            "4: rank 3 of 'q' is already in line 2, but every item of a query has a rank of its own (number the items "
            '1, 2, 3 and so on)',
            "5: rank 0 of 'r' is its first, but 1 is next (number the items 1, 2, 3 and so on, in this order)",
            '4 violations']

    def test_lines_together(self, found: Any) -> None:
        assert found('sh-search', ['q Q0 v 1.0 2.0 1.0 1 1', 'r Q0 v 1.0 2.0 1.0 1 1', '', 'q Q0 v 3.0 4.0 3.0 2 1',
                                   'q Q0 v 4.0 5.0 4.0 3 1']) == [
            "4: 'q' goes on after lines of 'r', its last line was 1, but all lines of a query stand together (sort the "
            'file by query and rank)', '1 violation']

    def test_known_ids(self, found: Any) -> None:
        lines = ['q Q0 v 1.0 2.0 1.0 1 1', 'r Q0 x 1.0 2.0 1.0 1 1', 's Q0 v 1.0 2.0 1.0 1 1']
        assert found('sh-search', lines, '--queries', '--videos', '--qrels') == [
            "2: 'x' is not among the ids of videos (correct it)",
            "3: 's' is not among the ids of queries (correct it)", '2 violations']

    def test_queries_without_judgements_may_be_right(self, found: Any) -> None:
        lines = ['r Q0 v 1.0 2.0 1.0 1 1', 'r Q0 v 2.0 3.0 2.0 2 1']
        assert found('sh-search', lines, '--qrels') == [
            "1: warning: 'r' has no judgements in qrels: it is not judged, or misspelt", 'no violations, 1 warning']
        assert found('sh-search', lines, '--qrels', '--queries') == ['no violations']

    def test_ends_of_videos(self, found: Any) -> None:
        lines = ['q Q0 v 4.0 5.0 4.0 1 1', 'q Q0 v 5.0 5.1 5.0 2 1', 'q Q0 w 1.1 2.0 1.1 3 1']
        assert found('sh-search', lines, '--videos') == [
            "2: warning: 5.00-5.01 of 'v' ends after the end of the video, which is 5.00 long",
            "3: warning: 1.01-2.00 of 'w' starts after the end of the video, which is 1.00 long",
            'no violations, 2 warnings']

    def test_all_lines_that_the_reader_refuses(self, found: Any, tmp_path: Path) -> None:
        lines = ['q Q0 v 1.75 2.0 1.0 1 1', 'q Q0 v 2.0 3.0 2.0 2 1', '', 'q Q0 v 3.0 4.0', 'q Q0 v 4.0 5.0 4.0 4 1',
                 'q Q0 v 6.0 5.0 4.0 5 1', 'q Q0 v 7.0 8.0 7.0 7 nan']
        said = found('sh-search', lines)
        assert said[-1] == '4 violations'  # and none of the ranks behind them
        for sentence, number in zip(said, (1, 4, 6, 7)):
            alone = tmp_path / 'alone'
            alone.write_text('\n' * (number - 1) + lines[number - 1])
            with pytest.raises(formats.FormatError) as error:
                formats.read_run(alone, 'sh-search')
            assert sentence == f'{number}: {error.value.sentence}'

    def test_in_the_order_of_the_lines_violations_first(self, found: Any) -> None:
        said = found('sh-search', ['q Q0 w 0.50 1.50 0.50 2 1', 'q Q0 w 9 2.0 1.0 2 1', 'q Q0 w 1.10 2.0 1.10 3 1'],
                     '--videos')
        assert [line.split(' ')[:2] for line in said] == [
            ['1:', 'rank'], ['1:', 'warning:'], ['2:', 'start'], ['3:', '1.10-2.00'], ['3:', 'warning:'],
            ['3', 'violations,']]


class TestQrels:
    def test_judged_twice(self, found: Any) -> None:
        lines = ['q 0 v 1.00 2.00 1', 'q 0 v 1.0 2.0 1', 'r 0 v 1.0 2.0 1', 'q 0 v 1.0 2.0 0', 'q 0 v 1.0 2.0 1']
        contradiction = "and only one can be meant (take the wrong one out)"
        assert found('sh-search', lines, *QRELS) == [
            "2: 1.00-2.00 of 'v' is already judged 1 for 'q' in line 1 (take one of the two out)",
            f"4: 1.00-2.00 of 'v' is judged 0 for 'q', but 1 in line 1, {contradiction}",
            "5: 1.00-2.00 of 'v' is already judged 1 for 'q' in line 1 (take one of the two out)",
            f"5: 1.00-2.00 of 'v' is judged 1 for 'q', but 0 in line 4, {contradiction}", '4 violations']

    def test_overlaps_and_ends(self, found: Any) -> None:
        lines = ['q 0 w 0.10 0.20 1', 'q 0 w 0.19 1.01 0', 'r 0 w 0.19 0.30 0', 's 0 w 0.30 x 0']
        said = found('sh-linking', lines, '--videos', '--queries', *QRELS)
        assert said[:2] == ["2: warning: 0.19-1.01 of 'w' overlaps 0.10-0.20 in line 1, which is of the same query",
                            "2: warning: 0.19-1.01 of 'w' ends after the end of the video, which is 1.00 long"]
        assert said[2].startswith("4: end time 'x' cannot be read")
        assert said[3:] == ['1 violation, 2 warnings']

    def test_known_items(self, found: Any) -> None:
        assert found('sh-known-item', ['q v 1.0 2.0', 'q v 1.0 2.0', 't v 1.0 1.0', 't x 1.0 2.0'], '--queries',
                     '--videos', *QRELS) == [
            "2: 1.00-2.00 of 'v' is already judged 1 for 'q' in line 1 (take one of the two out)",
            "3: the segment starts and ends at '1.0', but a relevant judgement needs content (move its end, or judge "
            'it 0)', "4: 't' is not among the ids of queries (correct it)",
            "4: 'x' is not among the ids of videos (correct it)", '4 violations']


class TestOtherFormats:
    def test_trec_runs(self, found: Any) -> None:
        lines = ['q Q0 v#t=10,20 1 3 x', 'q Q0 v#t=10.0,20 1 3 x', 'q Q0 v#t=19.5,400 1 3 x', 'q Q0 v 1 3 x',
                 'q Q0 v 1 3 x', 'q Q0 v#t=9,5 1 3 x', 'q Q0 y#t=5, 1 3 x', 'q Q0 v#char=1,15 1 3 x']
        assert found('trec', lines, '--videos') == [
            "2: 10-20 of 'v' is already retrieved for 'q' in line 1, but an item counts once (take one of the two out)",
            "3: warning: 19.5-400 of 'v' overlaps 10-20 in line 1, which is of the same query",
            "3: warning: 19.5-400 of 'v' ends after the end of the video, which is 300 s long",
            "5: 'v' is already retrieved for 'q' in line 4, but an item counts once (take one of the two out)",
            "6: segment id 'v#t=9,5' ends before it starts (5 < 9): write the smaller position first",
            "7: 'y' is not among the ids of videos (correct it)", '4 violations, 2 warnings']

    def test_trec_qrels(self, found: Any) -> None:
        lines = ['q 0 a#xpath=/b&char=1,9 1', 'q 0 a#xpath=/b/c&char=1,9 1', 'q 0 a#xpath=/b&char=1,9 0.5', 'q 0 a']
        said = found('trec', lines, *QRELS)
        assert said[:2] == [
            "2: warning: 1-9 of /b/c in 'a' overlaps 1-9 in line 1, which is of the same query",
            "3: 1-9 of /b in 'a' is judged 0.5 for 'q', but 1 in line 1, and only one can be meant (take the wrong one "
            'out)']
        assert said[2].startswith('4: the line has 3 fields, but ')

    def test_genomics(self, found: Any) -> None:
        lines = ['1 7 1 0.5 10 5 x', '1 7 1 0.5 10 5 x', '2 7 5 0.5 14 0 x', '1 7 1 0.5 14 5 x', '1 7 1 0.5 -4 5 x']
        said = found('genomics', lines, '--qrels', qrels='1\t7\t3\t4\tA\n')
        assert said[:3] == [
            "2: warning: 10-15 of '7' is already retrieved for '1' in line 1, but an item counts once (take one of the "
            'two out)', "3: warning: '2' has no judgements in qrels: it is not judged, or misspelt",
            "4: warning: 14-19 of '7' overlaps 10-15 in line 1, which is of the same query"]
        assert said[3].startswith("5: offset '-4' is not a whole number")
        assert said[4] == '1 violation, 3 warnings'
        assert found('genomics', ['1\t7\t3\t4\tA', '1\t7\t3\t4\tB'], *QRELS) == [
            "2: 3-7 of '7' is already judged 1 for '1' in line 1 (take one of the two out)", '1 violation']

    def test_moments(self, found: Any) -> None:
        def line(windows: Any, qid: int = 1, key: str = 'pred_relevant_windows', **more: Any) -> str:
            return json.dumps({'qid': qid, 'vid': 'v', key: windows, **more})
        judged = line([[1, 2]], key='relevant_windows', duration=7.5)
        lines = [line([[1, 2, 0.5], [1, 2, 0.4], [1.5, 8, 0.1]]), '{', line([[1, 2]], 3), line([], 1), line([], 2),
                 '\ufeff' + line([], 4)]
        said = found('moments', lines, '--qrels', qrels=judged)
        assert said[:3] == [
            "1: warning: 1-2 of 'v' is already retrieved for '1' in line 1, but an item counts once (take one of the "
            'two out)', "1: warning: 1.5-8 of 'v' overlaps 1-2 in line 1, which is of the same query",
            "1: warning: 1.5-8 of 'v' ends after the end of the video, which is 7.5 s long"]
        assert said[3].startswith('2: the line is not JSON at column 2: ')
        assert said[4].startswith('3: window [1, 2] is not [start, end, score]')
        assert said[5:7] == [
            "4: query '1' is already in line 1, but all windows of a query stand on one line (join the two)",
            "5: warning: '2' has no judgements in qrels: it is not judged, or misspelt"]
        assert said[7].startswith('6: the line is not JSON')
        assert said[8] == '4 violations, 4 warnings'
        assert found('moments', [line([[1, 2], [1, 2], [7, 8]], key='relevant_windows', duration=7)], *QRELS) == [
            "1: 1-2 of 'v' is already judged 1 for '1' in line 1 (take one of the two out)",
            "1: warning: 7-8 of 'v' ends after the end of the video, which is 7 s long", '1 violation, 1 warning']

    @pytest.mark.parametrize('format', formats.FORMATS)
    def test_every_format_has_rules_and_takes_an_empty_file(self, found: Any, format: str) -> None:
        for kind in ('run', 'qrels'):
            assert ((format, kind) in checks.RULES) == (getattr(formats.FORMATS[format], f'read_{kind}') is not None)
            if (format, kind) in checks.RULES:
                assert found(format, [], '--kind', kind) == ['no violations']


class TestOverlaps:
    def test_against_all_pairs(self) -> None:
        generator = random.Random(3)
        for _ in range(300):
            items = []
            for line in range(1, generator.randint(2, 14)):
                start, length = generator.randint(0, 12), generator.randint(0, 5)
                segment = checks.Segment(generator.choice('vw'), start, start + length, 't')
                items.append(checks.Item(line, 'q', segment, None, None, False))
            expected = {}
            for earlier, item in itertools.combinations(items, 2):
                a, b = earlier.segment, item.segment
                common = a.document == b.document and max(a.start, b.start) < min(a.end, b.end)
                if a == b or common:
                    expected.setdefault(item.line, set()).add(earlier.line)
            given = {item.line: (earlier.line, same) for item, earlier, same in checks._overlaps(items)}
            assert given.keys() == expected.keys()
            for line, (earlier, same) in given.items():
                assert earlier in expected[line]
                assert same == any(other.segment == items[line - 1].segment for other in items[:line - 1])

    def test_one_video_with_all_lines(self) -> None:
        # Short ones that are apart, then long ones over all of them: minutes, if pairs were compared.
        segments = [(i, i + 1) for i in range(0, 40_000, 2)] + [(i, 50_000 + i) for i in range(20_000)]
        items = [checks.Item(line, 'q', checks.Segment('v', start, end, 't'), None, None, False)
                 for line, (start, end) in enumerate(segments, 1)]
        assert sum(1 for _ in checks._overlaps(items)) == 20_000


class TestRealFiles:
    @pytest.mark.parametrize('name, overlaps, same', [('noover', 0, 0), ('over', 20_564, 63)])
    def test_search_runs(self, shared_data: Path, name: str, overlaps: int, same: int) -> None:
        folder = shared_data / 'mediaeval-sh-2014'
        found = checks.check(folder / f'run-180-60-{name}.txt.gz', 'sh-search',
                             videos=folder / 'videos.txt.gz',
                             queries=folder / 'me14sh_search_testSet_queries.xml',
                             qrels=folder / 'me14sh_search_testSet.qrel')
        assert sum(' is the same segment as that of ' in finding.sentence for finding in found) == same
        assert sum(not finding.is_warning for finding in found) == overlaps + same
        assert [' ends after the end of the video' in finding.sentence for finding in found if finding.is_warning] == [
            True]
        assert [finding.line for finding in found] == sorted(finding.line for finding in found)

    def test_search_run_with_the_qrels_alone(self, run: Any, shared_data: Path) -> None:
        folder = shared_data / 'mediaeval-sh-2014'
        result = run(folder / 'run-180-60-noover.txt.gz', '--format', 'sh-search', '--qrels',
                     folder / 'me14sh_search_testSet.qrel')
        assert (result.code, result.err) == (0, '')
        assert result.out.count('has no judgements in') == 6  # of the 36 queries
        assert result.out.endswith('\nno violations, 6 warnings\n')

    def test_search_qrels(self, run: Any, shared_data: Path) -> None:
        folder = shared_data / 'mediaeval-sh-2014'
        result = run(folder / 'me14sh_search_testSet.qrel', '--format', 'sh-search', '--kind', 'qrels', '--videos',
                     folder / 'videos.txt.gz', '--queries', folder / 'me14sh_search_testSet_queries.xml')
        assert (result.code, result.err) == (0, '')
        assert result.out.count(' starts after the end of the video') == 2
        assert result.out.count(' ends after the end of the video') == 117
        assert result.out.count(' overlaps ') == 5030
        assert result.out.endswith('\nno violations, 5149 warnings\n')

    @pytest.mark.parametrize('kind, format, name, warnings', [
        ('qrels', 'genomics', 'trec-genomics-2007/gold-standard-07.txt.gz', 0),
        ('run', 'genomics', 'trec-genomics-2007/run-ga-01.txt.gz', 0),
        ('run', 'genomics', 'trec-genomics-2007/run-ga-03.txt.gz', 0),
        ('qrels', 'moments', 'qvhighlights/val-windows.jsonl.gz', 0),
        ('run', 'moments', 'qvhighlights/predictions.jsonl.gz', 81 + 7696),
    ])
    def test_other_campaigns(self, shared_data: Path, kind: str, format: str, name: str, warnings: int) -> None:
        found = checks.check(shared_data / name, format, kind)
        assert [finding for finding in found if not finding.is_warning] == []
        assert len(found) == warnings


class TestCommand:
    def test_packed(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'run.gz'
        with gzip.open(path, 'wt') as file:
            file.write('q Q0 v 1.0 2.0 1.0 2 1\n')
        assert run(path, '--format', 'sh-search') == (
            1, f"{path}, line 1: rank 2 of 'q' is its first, but 1 is next (number the items 1, 2, 3 and so on, in "
               'this order)\n1 violation\n', '')

    @pytest.mark.parametrize('args, sentence', [
        (['--format', 'sh-known-item'], 'run of format sh-known-item cannot be read'),
        (['--format', 'trek'], "invalid choice: 'trek'"),
        ([], 'the following arguments are required: --format'),
        (['--format', 'trec', '--kind', 'qrels', '--qrels', 'x'], '--qrels only goes with a run (--kind run)'),
        (['--format', 'genomics', '--videos', 'x'], '--videos does not go with format genomics'),
        (['--format', 'trec', '--queries', 'x', '--anchors', 'x'], 'not allowed with argument'),
    ])
    def test_wrong_command_lines(self, run: Any, args: list[str], sentence: str) -> None:
        result = run('x', *args)
        assert (result.code, result.out) == (2, '')
        assert sentence in result.err

    def test_files_that_are_wrong(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / 'a.run'
        path.write_bytes(b'q Q0 v 1.0 2.0 1.0 2 1\nq\xe9')
        result = run(path, '--format', 'sh-search')
        assert (result.code, result.out) == (1, '')
        assert result.err.startswith(f'ir_segmeasures: {path}, line 2: byte 0xE9 is not UTF-8')
        (tmp_path / 'videos').write_text('v 5\n')
        path.write_text('')
        result = run(path, '--format', 'sh-search', '--videos', tmp_path / 'videos')
        assert (result.code, result.out) == (1, '')
        assert result.err.startswith(f"ir_segmeasures: {tmp_path / 'videos'}, line 1: duration '5' cannot be read")
        assert run(tmp_path / 'no', '--format', 'trec').code == 1

    def test_unknown_formats_of_the_function(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="there are no rules for run of format 'trek'"):
            checks.check(tmp_path / 'x', 'trek')

    def test_a_reader_that_has_seen_enough(self, tmp_path: Path) -> None:
        path = tmp_path / 'a.run'
        path.write_text('q\n' * 20_000)
        shell = f'"{sys.executable}" -m ir_segmeasures check "{path}" --format trec | head -n 1'
        result = subprocess.run(['sh', '-c', shell], capture_output=True, text=True, check=False)
        assert result.stderr == ''
        assert result.stdout.count('\n') == 1
