"""Files that are mended: each kind by a small file, what stays an error, and values that stay as they are."""

import gzip
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import MAiSP, checks, formats, sample


@pytest.fixture
def mended(tmp_path: Path) -> Any:
    def mended(text: str | bytes, format: str = 'trec', kind: str = 'run') -> tuple[list[str], dict[str, int]]:
        path = tmp_path / 'file'
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        answer = checks.mend(path, format, kind)
        return answer.lines, dict(answer.counts)
    return mended


GOOD = 'q Q0 v#t=0,10 1 0.9 me\nq Q0 v#t=10,20 2 0.8 me\n'


class TestKinds:
    def test_nothing(self, mended: Any) -> None:
        assert mended(GOOD) == (GOOD.splitlines(), {})

    @pytest.mark.parametrize(('text', 'counts'), [
        (b'\xef\xbb\xbf' + GOOD.encode(), {'byte order mark': 1}),
        (GOOD.replace('\n', '\r\n'), {'line ends': 2}),
        (GOOD.replace('\n', '\n\n'), {'blank lines': 2}),
        (GOOD.replace(' Q0', '  Q0'), {'white space': 2}),
        (GOOD.replace(' Q0', '\u00a0Q0').replace('me', 'me '), {'white space': 2}),
        (GOOD.replace('0.9', '0,9'), {'decimal commas': 1}),
        (GOOD + GOOD.splitlines()[0].replace(' 1 ', ' 3 ') + '\n', {'repeated lines': 1}),
        (GOOD.replace(' 2 ', ' 7 '), {'ranks': 1}),
        ('\n'.join(GOOD.splitlines()[::-1]), {'order': 2})])
    def test_each_alone(self, mended: Any, text: str, counts: dict[str, int]) -> None:
        assert mended(text) == (GOOD.splitlines(), counts)

    def test_queries_come_together(self, mended: Any) -> None:
        lines, counts = mended('a Q0 v#t=0,1 1 5 me\nb Q0 v#t=0,1 1 9 me\na Q0 v#t=1,2 2 4 me\n')
        assert [line.split()[0] for line in lines] == ['a', 'a', 'b']
        assert counts == {'order': 2}

    def test_judgements(self, mended: Any) -> None:
        assert mended('q 0 v#t=0,10 1\nq 0  v#t=0,10 1\nq 0 v#t=0,5 0,5\n', kind='qrels') == (
            ['q 0 v#t=0,10 1', 'q 0 v#t=0,5 0.5'], {'white space': 1, 'decimal commas': 1, 'repeated lines': 1})

    def test_ranks_of_search_and_hyperlinking(self, mended: Any) -> None:
        lines, counts = mended('q Q0 v 2.00 3.00 2.00 5 1 me\nq Q0 v 1.00 2.00 1.00 3 2 me\n', 'sh-search')
        assert lines == ['q Q0 v 1.00 2.00 1.00 1 2 me', 'q Q0 v 2.00 3.00 2.00 2 1 me']
        assert counts == {'order': 2, 'ranks': 2}


@pytest.mark.parametrize(('text', 'format'), [
    ('q Q0 v#t=0,10 1 0,900 me\n', 'trec'),  # a thousand?
    ('q Q0 v#t=0,10 1 0.9 me\nq Q0 v#t=0,10 2 0.8 me\n', 'trec'),  # which score?
    ('q Q0 v%23t%3D0,10 1 0.9 me\n', 'trec'), ('q Q0 v#t=0.00000001,10 1 0.9 me\n', 'trec'),  # ids
    ('q Q0 v 1.00 2.00 1.00 1 2 me\nq Q0 v 2.00 3.00 2.00 1 1 me\n', 'sh-search')])  # two with one rank
def test_what_needs_a_decision_stays(mended: Any, text: str, format: str) -> None:
    assert mended(text, format) == (text.splitlines(), {})


LINES = {  # a line of each format whose lines have fields: query, document, score, numbers
    ('trec', 'run'): 'q{q} Q0 {d}#t={n},{n}.5 {n} {s} me', ('trec', 'qrels'): 'q{q} 0 {d}#t={n},{n}.5 {s}',
    ('beir', 'qrels'): 'q{q}\t{d}\t{g}', ('msmarco', 'qrels'): '{q} 0 {d} {g}', ('msmarco', 'run'): '{q} {d} {n}',
    ('rttm', 'qrels'): 'SPEAKER {d} 1 {n} 2.5 <NA> <NA> q{q} <NA> <NA>',
    ('rttm', 'run'): 'SPEAKER {d} 1 {n} 2.5 <NA> <NA> q{q} <NA> <NA>',
    ('podcasts', 'run'): 'q{q} Q0 {d}_{n}.0 {n} {s} me', ('podcasts', 'qrels'): 'q{q} 0 {d}_{n}.0 {g}',
    ('genomics', 'run'): '{q} {d} {n} {s} {n} 5 me', ('genomics', 'qrels'): '{q}\t{d}\t{n}\t5\tA a|B',
    ('sh-search', 'qrels'): 'q{q} Q0 {d} {n}.00 {n}.30 {g}', ('sh-linking', 'qrels'): 'q{q} Q0 {d} {n}.00 {n}.30 {g}',
    ('sh-search', 'run'): 'q{q} Q0 {d} {n}.00 {n}.30 {n}.10 {n} {s} me',
    ('sh-linking', 'run'): 'q{q} Q0 {d} {n}.00 {n}.30 {n} {s} me', ('sh-known-item', 'qrels'): 'q{q} {d} {n}.00 {n}.30',
    ('sh-anchoring', 'qrels'): '{d} {n}.00 {n}.30 {g}', ('sh-anchoring', 'run'): '{d} Q0 {n}.00 {n}.30 {n} {s} me',
    ('inex-fol', 'run'): '{q} Q0 {n} {n} {s} me {n} 5', ('trecvid-shots', 'qrels'): '{q} 0 shot{n}_{n} {g}',
    ('trecvid-search', 'qrels'): '{q} 0 shot{n}_{n} {g}', ('trecvid-strata', 'qrels'): '{q} 0 shot{n}_{n} {g} 1',
    ('trecvid-avs', 'qrels'): '{q} 0 shot{n}_{n} 1 {g}',
    ('vbs-dres', 'qrels'): 'a-{q}-1 0 {n} 1 {n}.5 2 {n}.75 0 1'}


@given(st.data())
def test_a_mended_file_has_the_same_ids(data: Any) -> None:
    (format, kind), line = data.draw(st.sampled_from(list(LINES.items())))
    files = formats.format_of(format).files(kind)
    assert files is not None and files.lines is not None
    gap = '\t' if '\t' in line else data.draw(st.sampled_from([' ', '  ', '\t', '\u00a0']))
    encoding = data.draw(st.sampled_from([files.lines.encoding, 'utf-8-sig']))
    scores = st.sampled_from(['0,9', '1,25', '0.5', '3', '10,20'])
    names = st.sampled_from(['0,9', '3', 'v', 'a=1,25', 'é' if encoding == 'latin-1' else 'ε'])
    lines = [line.format(q=data.draw(st.integers(1, 2)), d=data.draw(names), n=n, g=data.draw(st.integers(0, 1)),
                         s=data.draw(scores)) for n in data.draw(st.permutations(range(1, 6)))]
    lines += data.draw(st.lists(st.sampled_from(lines), max_size=2))
    header = [files.lines.fields.replace(' ', files.lines.separator or ' ')] if files.lines.header else []
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / 'file', Path(folder) / 'out'
        end = data.draw(st.sampled_from(['\r\n', '\n', '\n\n']))
        text = end.join([*header, *(text if '\t' in line else text.replace(' ', gap) for text in lines)])
        path.write_text(text, encoding)
        mended = checks.mend(path, format, kind)
        out.write_text('\n'.join(mended.lines), mended.encoding)
        assert not checks.mend(out, format, kind).counts
        read, again = (set(zip(*(map(str, rows.columns[name]) for name in rows.columns if name not in (
            'score', 'rank', 'relevance')))) for rows, _ in map(files.check, (path, out)))
        assert read <= again and len(again) <= len(set(lines))
        if 'score' in files.mended:  # all that was wrong
            assert not files.check(out)[1]


def test_all_formats_of_lines_are_tried() -> None:
    assert {(name, kind) for name, format in formats.FORMATS.items() for kind in ('qrels', 'run')
            if (files := format.files(kind)) is not None and files.lines is not None} == set(LINES)


def test_formats_without_lines(tmp_path: Path) -> None:
    path = tmp_path / 'a'
    path.write_text('{}')
    for format in ('inex-xml', 'moments'):
        with pytest.raises(ValueError, match='repairs lines of fields'):
            checks.mend(path, format)


def test_values_stay_as_they_are(tmp_path: Path) -> None:
    lines = Path(sample.path('good.run')).read_text().splitlines()
    random.Random(1).shuffle(lines)
    path, out = tmp_path / 'a.run', tmp_path / 'b.run'
    path.write_text('\n'.join(lines))
    out.write_text('\n'.join(checks.mend(path, 'trec').lines))
    qrels = formats.read_qrels(sample.path('qrels.txt'))
    before, after = ({metric.query_id: metric.value for metric in MAiSP.iter_calc(qrels, formats.read_run(of_path))}
                     for of_path in (sample.path('good.run'), out))
    assert before == after
    assert checks.check(out, 'trec') == []


class TestCommand:
    def test_what_is_left_is_said(self, run: Any, tmp_path: Path) -> None:
        path, out = tmp_path / 'a.run', tmp_path / 'b.run.gz'
        path.write_bytes(GOOD.replace('\n', '\r\n').encode() + b'q Q0 v#t=0,10 9 0.3 me\r\n')
        result = run('check', path, '--format', 'trec', '--fix', out)
        assert result.code == 1
        first, second, *rest = result.out.splitlines()
        assert (first, second) == (f'{out}: repaired: line ends, 3 lines', f'{out}: repaired: ranks, 1 line')
        assert rest[0].startswith(f'{out}, line 3: ')
        assert rest[-1] == '1 violation'
        assert gzip.decompress(out.read_bytes()).count(b'\n') == 3
        assert b'\r' in path.read_bytes()

