"""The files of TREC-10's Video Track: topics with known items, and runs."""

import gzip
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from refusals import message

from ir_segmeasures import T2I_AP, formats
from ir_segmeasures.formats import SegmentQrel, SegmentScoredDoc, TrecScoredDoc, WriteError, trecvid as known_items
from ir_segmeasures.formats.trecvid import judgements as topics

FILE_NAME = 'file.xml'

TIME = ('cannot be read, but times are numbers with units of which each is there once: h, m, s or ms (12 minutes 51.5 '
        'seconds is 12m51.5s)')


@pytest.fixture(scope='module')
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that the examples of hypothesis write again and again."""
    return tmp_path_factory.mktemp('round') / 'file.xml'


class TestTimes:
    @pytest.mark.parametrize('text, seconds', [
        ('0h12m51s', 771), ('1m1.5s', 61.5), ('00m57s', 57), ('75m', 4500), ('1.5h', 5400), ('250ms', 0.25),
        ('1h2m3s4ms', 3723.004), ('3s1m', 63), ('1.s', 1), ('0.1s200ms', 0.3), ('0s', 0),
    ])
    def test_sums_of_parts(self, text: str, seconds: float) -> None:
        assert topics.parse_hms(text) == seconds
        assert topics.parse_hms(topics.format_hms(seconds)) == seconds

    @pytest.mark.parametrize('text', ['', '12', '1:02', '1m1m', '-1s', '1,5s', '1 s', '1S', 's', '1e3s', '1m 1s'])
    def test_errors(self, text: str) -> None:
        with pytest.raises(ValueError) as caught:
            topics.parse_hms(text)
        assert str(caught.value) == f'time {text!r} {TIME}'

    def test_times_that_cannot_be_written(self) -> None:
        assert topics.format_hms(1e-7) == '0.0000001s'
        for seconds in (1e9, 1e-300):
            with pytest.raises(ValueError, match=f'^time {seconds} cannot be written, since times are below 10'):
                topics.format_hms(seconds)

    @given(parts=st.tuples(*[st.integers(0, 99)] * 3, st.integers(0, 999)))
    def test_against_fractions(self, parts: tuple[int, int, int, int]) -> None:
        hours, minutes, seconds, thousandths = parts
        assert topics.parse_hms(f'{hours}h{minutes}m{seconds}.{thousandths:03}s') == float(
            hours * 3600 + minutes * 60 + seconds + Fraction(thousandths, 1000))


def topic(*items: str, head: str = '<?xml version="1.0"?>\n', number: str = ' num="001"') -> str:
    return (f'{head}<videoTopic{number}>\n<textDescription text="Scenes of &lt;Egypt&gt;"/>\n'
            f'<videoExample src="NAD28.MPG" start="0s" stop="9s"/>\n{"".join(items)}</videoTopic>\n')


def item(source: str = 'NAD28.MPG', start: str = '00m57s', stop: str = '00m59s') -> str:
    return f'<knownItem src="{source}" start="{start}" stop="{stop}"/>\n'


class TestTopics:
    ROWS = [SegmentQrel('001', 'nad28.mpg', 57, 59, 1), SegmentQrel('001', 'ugs01.mpg', 61.5, 771, 1)]

    def test_known_items(self, write: Callable[..., Path]) -> None:
        path = write(topic(item(), item('ugs01.mpg', '1m1.5s', '0h12m51s')))
        assert formats.read_qrels(path, 'trecvid-2001') == known_items.read_qrels(path) == self.ROWS
        assert known_items.read_qrels(write(topic())) == []

    def test_several_documents_in_one_file(self, write: Callable[..., Path]) -> None:
        item = '<knownItem src="NAD28.MPG" start="0s" stop="2s"/>'
        one = f'<!DOCTYPE videoTopic SYSTEM "videoTopic.dtd">\n<videoTopic num="{{}}">{item}\n</videoTopic>'
        path = write(one.format(1).replace('DOC', 'DUC') + one.format(2) + '\n<?xml version="1.0"?>\n' + one.format(3))
        assert [row.query_id for row in known_items.read_qrels(path)] == ['1', '2', '3']
        # Lines and columns stay those of the file.
        assert message(known_items.read_qrels, write(one.format(1) + one.format(2).replace('2s', '2'))).startswith(
            'file.xml, line 4: ')
        assert message(known_items.read_qrels, write(one.format(1) + one.format(2) + '</b>')).startswith(
            'file.xml, line 5: the XML is malformed at column 16: ')

    @pytest.mark.parametrize('doctype', [
        '<!DOCTYPE videoTopic SYSTEM "http://127.0.0.1:1/videoTopic.dtd">',
        '<!DOCTYPE videoTopic "videoTopic.dtd">', '<!DOCTYPE videoTopic SYSTEM videoTopic.dtd>',
        '<!DOCTYPE videoTopic SYSTEM "videoTopic.dtd>', '<!DOCTYPE\nvideoTopic SYSTEM\n"videoTopic.dtd"\n',
        '<!doctype videoTopic>', '<!DOCTYPE>', '<!-- a <!DOCTYPE b -->\n<!DOCTYPE videoTopic "videoTopic.dtd">',
    ])
    def test_malformed_document_types(self, write: Callable[..., Path], doctype: str) -> None:
        head = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{doctype}\n'
        assert known_items.read_qrels(write(topic(item(), head=head)))[0] == self.ROWS[0]
        # Lines are still those of the file.
        assert message(known_items.read_qrels, write(topic(item(stop='5'), head=head))) == (
            f"file.xml, line {head.count(chr(10)) + 4}: time '5' {TIME}")

    @pytest.mark.parametrize('head, what', [
        ('<!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n', "line 1: the entity 'e' is not one of XML's own"),
        ('', "line 4: the entity 'e' is not one of XML's own"),
        ('<!DOCTYPE t SYSTEM "t.dtd">\n', "line 5: the entity 'e' is not one of XML's own"),
    ])
    def test_nothing_is_resolved(self, write: Callable[..., Path], head: str, what: str) -> None:
        assert message(known_items.read_qrels, write(topic('&e;', head=head))).startswith(f'file.xml, {what}')

    def test_a_topic_is_needed(self, write: Callable[..., Path]) -> None:
        path = write(topic(item(), number=''), 'topic007.xml')
        assert "line 5: the attribute 'num' of <knownItem> is missing" in message(known_items.read_qrels, path)

    def test_many_topics(self, write: Callable[..., Path], tmp_path: Path) -> None:
        both = topic(item(), head='') + topic(item('A.mpg'), head='', number=' num="2"')
        path = write(f'<topics>{both}</topics>')
        assert [row.query_id for row in known_items.read_qrels(path)] == ['001', '2']
        (tmp_path / 'file.xml').unlink()
        write(topic(item(), number=' num="2"'), '2.xml')
        write(gzip.compress(topic(item()).encode()), '1.xml.gz')
        write('<!ELEMENT videoTopic>', 'videoTopic.dtd')
        assert [row.query_id for row in formats.read_qrels(tmp_path, 'trecvid-2001')] == ['001', '2']

    @pytest.mark.parametrize('known, keyword', [
        (item(stop='57s'), 'a relevant judgement needs content'), (item(stop='3s'), "end '3s' is before start"),
        ('<knownItem src="a" start="1s"/>', "the attribute 'stop' of <knownItem> is missing"),
        (item(''), "the attribute 'src' of <knownItem> is empty")])
    def test_errors(self, write: Callable[..., Path], known: str, keyword: str) -> None:
        assert message(known_items.read_qrels, write(topic(known))).startswith(f'file.xml, line 5: {keyword}')

    def test_they_are_not_written(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"^format 'trecvid-2001' can be read, but not written$"):
            formats.write_qrels([], tmp_path / 'x', 'trecvid-2001')


def results(*items: str, number: str = '001') -> str:
    return (f'<videoSearchResult tNum="{number}" pType="A" sType="K" sysId="team-1">\n{"".join(items)}'
            '</videoSearchResult>\n')


def found(number: Any = 1, source: str = 'nad28.mpg', start: str = '0m57s', stop: str = '1m1.5s') -> str:
    return f'<item seqNum="{number}" src="{source}" start="{start}" stop="{stop}"/>\n'


class TestRuns:
    def test_fields_and_order(self, write: Callable[..., Path]) -> None:
        head = '<?xml version="1.0"?>\n<!DOCTYPE videoSearchResult SYSTEM videoSearchResult.dtd>\n'
        path = write(head + results(found(9), found(2, 'UGS01.mpg', '0s', '0s')))
        assert formats.read_run(path, 'trecvid-2001') == [
            SegmentScoredDoc('001', 'ugs01.mpg', 0, 0, -2, 2, -2, None, 'team-1'),
            SegmentScoredDoc('001', 'nad28.mpg', 57, 61.5, -9, 9, -9, None, 'team-1')]

    def test_many_topics(self, write: Callable[..., Path], tmp_path: Path) -> None:
        both = results(found()) + results(found(), number='2')
        assert [row.query_id for row in known_items.read_run(write(f'<run>{both}</run>'))] == ['001', '2']
        (tmp_path / 'file.xml').unlink()
        write(results(found(), number='2'), 'a.xml')
        write(results(found()), 'b.xml')
        assert [row.query_id for row in known_items.read_run(tmp_path)] == ['2', '001']
        write(results(found()), 'c.xml')
        assert message(known_items.read_run, tmp_path).endswith(
            "c.xml, line 1: topic '001' is already there, but all items of a topic stand together: join the two, or "
            'read one run at a time')

    def test_cases_of_file_names_do_not_matter_to_measures(self, run: Any, write: Callable[..., Path]) -> None:
        qrels = write(topic(item('NAD28.MPG')), 'topic.xml')
        path = write(results(found(source='Nad28.mpg')), 'run.xml')
        args = 'T2I_AP(tau=5)', '--qrels-format', 'trecvid-2001', '--run-format', 'trecvid-2001'
        assert run('evaluate', qrels, path, *args) == (0, 'T2I_AP(tau=5)\t1.0000\n', '')
        assert T2I_AP(tau=5).calc_aggregate(known_items.read_qrels(qrels), known_items.read_run(path)) == 1

    @pytest.mark.parametrize('content, keyword', [
        (results(found(3), found(3)), "line 3: seqNum '3' is already there"),
        (results(found('1.0')), "line 2: seqNum '1.0' is not a whole number"),
        (results(found(stop='1s')), "line 2: end '1s' is before start '0m57s'"),
        (results(found(start='57')), "line 2: time '57' cannot be read"),
        (f'<run>{results()}\n{found()}</run>', 'line 4: <item> is not in <videoSearchResult>'),
        (topic(item()), 'there is no <videoSearchResult>')])
    def test_errors(self, write: Callable[..., Path], content: str, keyword: str) -> None:
        assert keyword in message(known_items.read_run, write(content))

    @given(rows=st.lists(st.builds(
        lambda start, length, score, video: SegmentScoredDoc(
            'é<1>', video, start, start + length, score, 0, 0.5, None, '"mine" & yours'),
        st.one_of(st.integers(0, 9999), st.floats(0, 1e4).map(lambda t: round(t, 3))), st.integers(0, 99),
        st.integers(-3, 3), st.sampled_from(['nad28.mpg', 'é&']))))
    def test_round_trips(self, path: Path, rows: list[SegmentScoredDoc]) -> None:
        assert formats.write_run(rows, path, 'trecvid-2001') == (['run_score'] if rows else [])
        if not rows:
            assert path.read_text().endswith('<videoSearchResult>\n</videoSearchResult>\n')
            return
        back = formats.read_run(path, 'trecvid-2001')
        ranked = sorted(rows, key=lambda row: -row.score)
        assert [(row.query_id, row.doc_id, row.start, row.end, row.run) for row in back] == [
            (row.query_id, row.doc_id, row.start, row.end, row.run) for row in ranked]
        assert formats.write_run(back, path, 'trecvid-2001') == []
        assert formats.read_run(path, 'trecvid-2001') == back

    def test_what_is_written(self, tmp_path: Path) -> None:
        rows = [TrecScoredDoc('001', 'nad28.mpg#t=1.5,20', 0.5), TrecScoredDoc('001', 'a#t=0,61', 2.0)]
        given = {'pType': 'A', 'sType': 'K', 'sysId': 'me'}
        assert known_items.write_run(rows, tmp_path / 'x.xml', attributes=given) == []
        assert (tmp_path / 'x.xml').read_text() == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<videoSearchResult tNum="001" pType="A" sType="K" sysId="me">\n'
            '   <item seqNum="1" src="a" start="0s" stop="61s"/>\n'
            '   <item seqNum="2" src="nad28.mpg" start="1.5s" stop="20s"/>\n</videoSearchResult>\n')

    @pytest.mark.parametrize('rows, sentence', [
        ([TrecScoredDoc(query, 'a#t=0,1', 1.0) for query in '12'], 'but a file has one run of one topic'),
        ([TrecScoredDoc('1', 'NAD28.mpg#t=0,1', 1.0)], "video 'NAD28.mpg' would be read as 'nad28.mpg'"),
        ([TrecScoredDoc('1', 'a#char=0,1', 1.0)], "the unit is 'char'"),
        ([TrecScoredDoc('a b', 'a#t=0,1', 1.0)], "topic 'a b' is empty or holds white space"),
        ([TrecScoredDoc('1', 'a#t=0,9999999999', 1.0)], 'time 9999999999.0 cannot be written')])
    def test_rows_that_cannot_be_written(self, tmp_path: Path, rows: list[Any], sentence: str) -> None:
        with pytest.raises(WriteError) as caught:
            formats.write_run(rows, tmp_path / 'x', 'trecvid-2001')
        assert sentence in caught.value.sentence
        assert list(tmp_path.iterdir()) == []


def test_an_empty_run_is_read_back(write: Any) -> None:
    path = write('')
    known_items.write_run([], path)
    assert known_items.read_run(path) == []
    path = write('<videoSearchResult>\n<item seqNum="1" src="a" start="0s" stop="1s"/></videoSearchResult>')
    assert "line 1: the attribute 'tNum'" in message(known_items.read_run, path)
