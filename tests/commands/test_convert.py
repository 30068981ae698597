"""The writers and the command ``convert``: what is written is read back, and what cannot be written is said."""

import os
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import break_ties, formats
from ir_segmeasures.formats import (
    FORMATS,
    GenomicsQrel,
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    TrecScoredDoc,
    WriteError,
)
from ir_segmeasures.segments.segment import parse_segment

REAL = [
    ('sh-search', 'qrels', 'mediaeval-sh-2014/me14sh_search_testSet.qrel'),
    ('sh-search', 'run', 'mediaeval-sh-2014/run-180-60-noover.txt.gz'),
    ('genomics', 'qrels', 'trec-genomics-2007/gold-standard-07.txt.gz'),
    ('genomics', 'run', 'trec-genomics-2007/run-ga-03.txt.gz'),
    ('moments', 'qrels', 'qvhighlights/val-windows.jsonl.gz'),
    ('moments', 'run', 'qvhighlights/predictions.jsonl.gz'),
]
# Formats whose rows are not segments with any start and end have round trips in their own tests.
ELSEWHERE = {*((name, 'qrels') for name in ('tvr', 'inex-fol', 'trecvid-shots', 'trecvid-strata')),
             *((name, 'run') for name in ('inex-xml', 'beir')),
             *((name, kind) for name in ('ego4d-nlq', 'activitynet', 'trecvid-avs', 'trecvid-search', 'ranx')
               for kind in ('qrels', 'run'))}
QRELS, RUNS = ([name for name, format in FORMATS.items() if format.files(kind)
                and format.files(kind).write and (name, kind) not in ELSEWHERE] for kind in ('qrels', 'run'))


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('round') / 'file'


@cache
def real(kind: str, path: Path, format: str) -> list[Any]:
    """The rows of a real file, for all tests of it."""
    return read(kind, path, format)


def read(kind: str, path: Path, format: str) -> list[Any]:
    return list(getattr(formats, f'read_{kind}')(path, format))


def write(kind: str, rows: Sequence[Any], path: Path, format: str, unit: str | None = None) -> list[str]:
    return getattr(formats, f'write_{kind}')(rows, path, format, unit)


def segment(row: Any, unit: str | None = None) -> tuple[Any, ...]:
    """Query, document, start, end and unit of a row."""
    if hasattr(row, 'end'):
        return row.query_id, row.doc_id, row.start, row.end, unit
    found = parse_segment(row.doc_id)
    return row.query_id, found.document, found.start, found.end, found.unit


def ranking(rows: Sequence[Any], unit: str | None = None) -> list[tuple[Any, ...]]:
    """The segments query by query in rank order."""
    order = list(dict.fromkeys(row.query_id for row in rows))
    return [
        segment(row, unit) for row in sorted(rows, key=lambda row: (order.index(row.query_id), -row.score))
    ]


def refusal(kind: str, rows: Sequence[Any], path: Path, format: str, unit: str | None = None) -> WriteError:
    """What the writer says about the last of the rows; there is no file afterwards."""
    before = sorted(path.parent.iterdir())
    with pytest.raises(WriteError) as caught:
        write(kind, rows, path, format, unit)
    assert sorted(path.parent.iterdir()) == before
    assert caught.value.row == len(rows) - 1
    assert '\n' not in str(caught.value)
    assert str(caught.value) == f'row {len(rows)}: {caught.value.sentence}'
    return caught.value


def qrel(start: Any = 10, end: Any = 20, relevance: Any = 1, query: str = 'q', document: str = 'v') -> SegmentQrel:
    return SegmentQrel(query, document, start, end, relevance)


def result(start: Any = 10, end: Any = 20, score: Any = -1, **fields: Any) -> SegmentScoredDoc:
    row = SegmentScoredDoc('q', 'v', start, end, score, 1, 0.5, None, 'mine')
    return row._replace(**fields)


class TestRealFiles:

    @pytest.mark.parametrize('format, kind, name', REAL)
    def test_into_trec_and_back(
        self, run: Any, shared_data: Path, tmp_path: Path, format: str, kind: str, name: str
    ) -> None:
        there, back = tmp_path / 'there', tmp_path / 'back'
        assert run('convert', shared_data / name, there, '--from', format, '--to', 'trec', '--kind', kind).code == 0
        assert run('convert', there, back, '--from', 'trec', '--to', format, '--kind', kind).code == 0
        before = real(kind, shared_data / name, format)
        between, after = read(kind, there, 'trec'), read(kind, back, format)
        unit = FORMATS[format].unit
        assert [segment(row) for row in between] == [segment(row, unit) for row in before]
        assert [segment(row) for row in after] == [segment(row) for row in before]
        value = 'score' if kind == 'run' else 'relevance'
        values = [getattr(row, value) for row in (break_ties(before, 'order') if kind == 'run' else before)]
        for rows in (between, after):
            assert [getattr(row, value) for row in rows] == values


ids = st.one_of(st.sampled_from(['1', '20', 'q1', 'v1', '007', '-3', '-0']), st.text(
    st.characters(categories='LNPSM', exclude_characters='"#'), min_size=1, max_size=6).filter(str.isprintable))
latin_ids = ids.filter(lambda id: all(ord(sign) < 256 for sign in id) and not id.startswith('ï»¿'))
scores = st.one_of(st.integers(-3, 3), st.floats(-1e38, 1e38))  # beyond float32, no order is kept
seconds = st.one_of(st.integers(0, 5000), st.floats(0, 1e5).map(lambda time: round(time, 3)))
# The others have whole ones.
POSITIONS: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(('trec', 'moments', 'trecvid-2001', 'podcasts'), seconds)
IDS = {'genomics': latin_ids, 'trecvid-2001': ids.map(str.lower).filter(lambda id: id == id.lower())}


@st.composite
def segments(draw: Any, format: str, content: bool) -> list[tuple[str, str, Any, Any]]:
    """Queries, documents, starts and ends; with content if asked, and as the format wants them: one document a query,
    one query, a length."""
    positions = POSITIONS.get(format, st.integers(0, 10**6))
    pool = draw(st.lists(IDS.get(format, ids), min_size=1, max_size=4))
    found = []
    for _ in range(draw(st.integers(1 if format == 'trecvid-2001' else 0, 8))):
        query, document = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        start, end = sorted((draw(positions), draw(positions)))
        if content and start == end:
            end = start + 1
        if format == 'podcasts':
            end = round(start + 120, 9)
        if format == 'sh-anchoring':  # the query is the document
            query = document
        found.append((pool[0] if format == 'trecvid-2001' else query, pool[0] if format == 'moments' else document,
                      start, end))
    return found


class TestRoundTrips:

    @pytest.mark.parametrize('format', QRELS)
    @given(data=st.data())
    def test_qrels(self, path: Path, format: str, data: Any) -> None:
        graded = (st.integers(-3, 3) if format in ('sh-search', 'sh-linking', 'sh-anchoring') else
                  st.integers(0, 4) if format == 'podcasts' else st.just(1))
        rows = [
            SegmentQrel(*row, data.draw(graded)) for row in data.draw(segments(format, content=True))
        ]
        assert write('qrels', rows, path, format, 't' if FORMATS[format].unit is None else None) == []
        back = read('qrels', path, format)
        if format == 'moments':  # one line a query
            order = list(dict.fromkeys(row.query_id for row in rows))
            rows.sort(key=lambda row: order.index(row.query_id))
        unit = 't' if FORMATS[format].unit is None else None
        assert [segment(row) for row in back] == [segment(row, unit) for row in rows]
        assert [row.relevance for row in back] == [row.relevance for row in rows]
        write('qrels', back, path, format)
        assert read('qrels', path, format) == back

    @pytest.mark.parametrize('format', RUNS)
    @given(data=st.data())
    def test_runs(self, path: Path, format: str, data: Any) -> None:
        rows = []
        for query, document, start, end in data.draw(segments(format, content=False)):
            score = data.draw(scores)
            rows.append(SegmentScoredDoc(query, document, start, end, score, 0, float(score), None, 'mine'))
        unit = 't' if FORMATS[format].unit is None else None
        write('run', rows, path, format, unit)
        back = read('run', path, format)
        assert ranking(back) == ranking(rows, unit)
        if format not in ('trec', 'parquet', 'csv', 'tsv'):  # the only files without any order
            assert [segment(row) for row in back] == ranking(rows, unit)
        lost = write('run', back, path, format)
        assert read('run', path, format) == back
        assert lost == []

    @given(rows=st.lists(st.builds(TrecScoredDoc, ids, st.one_of(ids, st.just('d#xpath=/a[1]')), scores.map(float))))
    def test_trec_ids_of_any_kind_stay_as_they_are(self, path: Path, rows: list[TrecScoredDoc]) -> None:
        assert write('run', rows, path, 'trec') == []
        assert read('run', path, 'trec') == break_ties(rows, 'order')
        ranks: dict[str, list[int]] = {}
        for line, row in zip(path.read_text().split('\n'), rows):
            ranks.setdefault(row.query_id, []).append(int(line.split()[3]))
        assert all(sorted(found) == list(range(1, len(found) + 1)) for found in ranks.values())


class TestLines:
    def test_no_rows(self, tmp_path: Path) -> None:
        for name, format in FORMATS.items():
            for kind in ('qrels', 'run'):
                if (files := format.files(kind)) and files.write:
                    assert write(kind, [], tmp_path / 'x', name) == []
                    if (name, kind) == ('trecvid-2001', 'run'):  # which names its topic, and there is none
                        continue
                    has_a_frame = name in ('parquet', 'csv', 'tsv', 'ranx', 'ego4d-nlq', 'activitynet') or (
                        (name, kind) == ('beir', 'qrels')) or (
                        kind == 'run' and name in ('trecvid-avs', 'trecvid-search', 'inex-xml', 'tvr', 'beir'))
                    assert ((tmp_path / 'x').read_bytes() == b'') != has_a_frame  # XML, JSON
                    assert read(kind, tmp_path / 'x', name) == []


class TestRefusals:
    @pytest.mark.parametrize('format', ['sh-search', 'sh-linking', 'sh-known-item', 'genomics', 'moments'])
    @pytest.mark.parametrize('fragment, sentence', [
        ('', 'this is a whole document, but '),
        ('#{unit}=5,', "the segment runs to the document's end, which is not known, but "),
        ('#word=5,6', "the unit is 'word', but segments of "),
        ('#{unit}=6,5', "segment id 'v#{unit}=6,5' ends before it starts (5 < 6): write the smaller position first"),
    ])
    def test_what_has_no_place_in_the_file(self, tmp_path: Path, format: str, fragment: str, sentence: str) -> None:
        unit = FORMATS[format].unit
        id = 'v' + fragment.format(unit=unit)
        said = refusal('qrels', [TrecQrel('q', id, 1)], tmp_path / 'x', format)
        assert said.sentence.startswith(f"query 'q', '{id}': {sentence.format(unit=unit)}")

    @pytest.mark.parametrize('kind, row, format, sentence', [
        ('run', result(1.5), 'sh-search', 'start 1.5 cannot be written'),
        ('run', result(end=20.25), 'sh-linking', 'end 20.25 cannot be written'),
        ('run', result(jump_in=3.5), 'sh-search', 'jump-in point 3.5 cannot be written'),
        ('run', result(end=10**12), 'sh-search', 'end 1000000000000 cannot be written'),
        ('run', result(-1), 'moments', 'a segment starts at 0 or later'),
        ('run', result(float('nan')), 'genomics', 'a segment starts at 0 or later'),
        ('run', result(0.5), 'genomics', 'start 0.5 cannot be written'),
        ('run', result(score=float('nan')), 'sh-search', 'score nan is not a finite number'),
        ('run', result(run_score=float('inf')), 'genomics', 'score inf is not a finite number'),
        ('run', result(score=10**400), 'trec', 'score 1000'),
        ('run', result(run='my run'), 'trec', "run 'my run' is empty or holds white space"),
        ('run', result(query_id=''), 'sh-linking', "anchor '' is empty or holds white space"),
        ('run', result(query_id='\ufeffq'), 'trec', "query '\\ufeffq' begins with a byte order mark"),
        ('run', result(doc_id='κ'), 'genomics', "pmid 'κ' holds 'κ'"),
        ('run', result(doc_id=''), 'moments', 'an id is empty'),
        ('run', result(doc_id='w'), 'moments', "rows of 'q' before have vid 'v', not 'w'"),
        ('run', result(1, 1 + 1e-9), 'trec', 'the segment is empty in an id'),
        ('qrels', qrel(end=10), 'sh-search', 'a relevant judgement needs content'),
        ('qrels', qrel(relevance=0.5), 'sh-linking', 'relevance 0.5 cannot be written'),
        ('qrels', qrel(relevance=float('nan')), 'trec', 'relevance nan is not a finite number'),
        *(('qrels', qrel(relevance=relevance), format, f'relevance {relevance} cannot be written')
          for relevance in (0, 2) for format in ('moments', 'genomics', 'sh-known-item')),
        ('qrels', qrel(end=10), 'genomics', 'a relevant judgement needs content'),
        ('qrels', GenomicsQrel('q', 'd', 1, 2, aspects='a\tb'), 'genomics', "'a\\tb' holds a tab"),
    ])
    def test_values(self, tmp_path: Path, kind: str, row: Any, format: str, sentence: str) -> None:
        good = qrel() if kind == 'qrels' else result()
        unit = FORMATS[format].unit or 't'
        assert sentence in refusal(kind, [good, row], tmp_path / 'x', format, unit).sentence

    @pytest.mark.parametrize('format', FORMATS)
    def test_half_of_a_surrogate_pair(self, tmp_path: Path, format: str) -> None:
        for kind, row in (('qrels', qrel()), ('run', result())):
            files = FORMATS[format].files(kind)
            for field, name in (('query_id', 'query'), ('doc_id', 'id')) if files and files.write else ():
                sentence = refusal(kind, [row._replace(**{field: '\ud800'})], tmp_path / 'x', format).sentence
                assert sentence.endswith(f": {name} '\\ud800' holds '\\ud800', but the file is in UTF-8, which does "
                                         'not have it: percent-encode it')

    def test_trec_ids_need_a_unit(self, tmp_path: Path) -> None:
        assert 'has no id without a unit' in refusal('run', [result()], tmp_path / 'x', 'trec').sentence


class TestFile:
    ROWS = [result()]

    @pytest.mark.skipif(os.name != 'posix', reason='permissions, links and devices are those of POSIX')
    def test_permissions_links_and_devices_stay(self, tmp_path: Path) -> None:
        real, link, new, usual = (tmp_path / name for name in ('real', 'link', 'new', 'usual'))
        real.write_bytes(b'')
        real.chmod(0o640)
        link.symlink_to(real)
        write('run', self.ROWS, link, 'sh-search')
        assert link.is_symlink()
        assert stat.S_IMODE(real.stat().st_mode) == 0o640
        assert real.read_bytes()
        write('run', self.ROWS, new, 'sh-search')
        usual.write_bytes(b'')
        assert new.stat().st_mode == usual.stat().st_mode
        write('run', self.ROWS, Path(os.devnull), 'sh-search')
        assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


class TestCommand:
    SEARCH = 'q Q0 v 1.0 2.0 1.5 2 0.25 mine\nq Q0 v 1.0 2.30 1.0 1 0.25 mine\n'

    @pytest.fixture
    def search(self, tmp_path: Path) -> Path:
        path = tmp_path / 'search.run'
        path.write_text(self.SEARCH)
        return path

    def test_columns_that_are_left_out(self, run: Any, search: Path, tmp_path: Path) -> None:
        path = tmp_path / 'out.run'
        assert run('convert', search, '--from', 'sh-search', '--to', 'trec', path) == (
            0, '', f'ir_segmeasures: left out of {path}: run_score, jump_in\n')
        assert path.read_text() == 'q Q0 v#t=60,150 1 -1 mine\nq Q0 v#t=60,120 2 -2 mine\n'

    def test_what_the_format_and_the_ending_say(self, run: Any, tmp_path: Path) -> None:
        saved, path = tmp_path / 'saved.json', tmp_path / 'ann.qrels'
        saved.write_text('{"assessor": "Ann", "judgements": [{"query_id": "q", "unit": "v#t=1,2", "grade": 1}]}')
        assert run('convert', saved, path, '--from', 'judgements') == (0, '', '')
        assert path.read_text() == 'q Ann v#t=1,2 1\n'
        assert run('check', saved, '--from', 'judgements').code == 0

    @pytest.mark.parametrize('args, sentence', [
        (['--from', 'trec', '--to', 'sh-known-item'], 'run of format sh-known-item cannot be written'),
        (['--from', 'trec', '--to', 'inex-xml', '--kind', 'qrels'], 'qrels of format inex-xml cannot be written'),
        (['--from', 'trec', '--to', 'vbs-dres', '--kind', 'qrels'], 'qrels of format vbs-dres cannot be written'),
        (['--from', 'trec', '--to', 'trek'], "invalid choice: 'trek'"),
        (['--from', 'trec'], 'x does not end as the files of one format do: name it with --to'),
    ])
    def test_wrong_command_lines(
        self, run: Any, search: Path, tmp_path: Path, args: list[str], sentence: str
    ) -> None:
        found = run('convert', search, tmp_path / 'x', *args)
        assert (found.code, found.out) == (2, '')
        assert sentence in found.err
        assert not (tmp_path / 'x').exists()
