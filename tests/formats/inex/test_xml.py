"""INEX' XML files: runs of elements, assessments of all years, and topics."""

import re
from pathlib import Path
from typing import Any

import pytest
from ir_measures import ScoredDoc
from refusals import message

from ir_segmeasures import AgP, formats, resolve
from ir_segmeasures.formats import FormatError, InexElement, InexPathScoredDoc, InexQrel
from ir_segmeasures.formats.inex import assessments as inex_assessments, xml as inex_xml
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics
from ir_segmeasures.measures.elements.base import QUANT
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.texts.elements import Elements
from ir_segmeasures.texts.xml import read_elements

FILE_NAME = 'file.xml'

WHOLE = 'is not a whole number from 0 to 999999999'


def result(inside: str) -> str:
    return f'<inex-submission run-id="r">\n<topic topic-id="1">\n<result>{inside}</result>\n</topic></inex-submission>'


class TestRuns:
    def test_a_run_with_everything_around_it(self, write: Any) -> None:
        path = write("""<?xml version="1.0" encoding="ISO-8859-1"?>
            <!DOCTYPE inex-submission SYSTEM "http://inex.example/nowhere.dtd" [
              <!ELEMENT inex-submission (description?, collections?, topic+)> ]>
            <inex-submission participant-id="25" run-id=" my run " task="Focused" query="automatic">
              <description>fa\xe7on &lt;path&gt; &amp; co</description>
              <topic topic-id="128">
                <result><file> co/2001/r7022 </file>
                  <path>/article[1]/bdy[1]/sec[6]</path><rank>2</rank><rsv>0.9</rsv></result>
                <result><in>x</in><file>9996</file><rank>1</rank><path>/article[1]</path></result>
                <result><file>9996</file><fol offset="10" length="5"/><rank>2</rank></result>
              </topic>
              <topic topic-id="12"><result><file>a</file><path>/b[1]</path><rsv>-1e3</rsv></result>
                <result><file>a</file><path>/b[2]</path><path>/b[3]</path><rsv>7</rsv></result>
                <result><file>a</file><path>/b[4]</path><rsv>7.0</rsv></result></topic>
              <topic topic-id="13"/>
            </inex-submission>""".encode('latin-1'))
        assert formats.read_run(path, 'inex-xml') == [
            InexPathScoredDoc('128', '9996#xpath=/article[1]', -1, 1, -1, 'my run'),
            InexPathScoredDoc('128', 'co/2001/r7022#xpath=/article[1]/bdy[1]/sec[6]', -2, 2, 0.9, 'my run'),
            InexPathScoredDoc('128', '9996#char=10,15', -3, 2, -3, 'my run'),
            InexPathScoredDoc('12', 'a#xpath=/b[2]', -1, 1, 7.0, 'my run'),
            InexPathScoredDoc('12', 'a#xpath=/b[3]', -2, 2, 7.0, 'my run'),
            InexPathScoredDoc('12', 'a#xpath=/b[4]', -3, 3, 7.0, 'my run'),
            InexPathScoredDoc('12', 'a#xpath=/b[1]', -4, 4, -1000.0, 'my run'),
        ]
        assert inex_xml.read_run(write('<inex-submission/>')) == []

    def test_ranges_of_elements_and_passages(self, write: Any, tmp_path: Path) -> None:
        pytest.importorskip('lxml', reason='lxml, of the extra texts, is not installed')
        places = [('/a[1]/p[1]', '/a[1]/p[2]'), ('/a[1]/p[2]/text()[1].1', '/a[1]/p[3]/text()[1].2'),
                  ('/a[1]', '/a[1]'), ('/a[1]/p[3]/text()[1].1', '/a[1]/p[3]/text()[1].1')]
        results = [f'<file>f</file><passage start="{start}" end="{end}"/><rank>{rank}</rank>'
                   for rank, (start, end) in enumerate(places, 1)]
        path = write(result('</result><result>'.join(results)))
        rows = formats.read_run(path, 'inex-xml')
        assert [row.doc_id for row in rows] == [
            'f#xpath=/a[1]/p[1],/a[1]/p[2]', 'f#xpath=/a[1]/p[2]/text()[1].1,/a[1]/p[3]/text()[1].2', 'f#xpath=/a[1]',
            'f#xpath=/a[1]/p[3]/text()[1].1,/a[1]/p[3]/text()[1].1']
        (tmp_path / 'documents').mkdir()
        (tmp_path / 'documents' / 'f.xml').write_text('<a><p>one</p>, <p>two</p>, <p>three</p></a>')
        text, table = 'one, two, three', Elements(tmp_path / 'documents')
        found = [parse_segment(row.doc_id, elements=True) for row in resolve(rows, table)]
        assert [text[segment.start:segment.end] for segment in found] == ['one, two', 'wo, th', text, '']
        assert [segment.path for segment in found] == [None, None, '/a[1]', None]
        formats.write_run(rows, tmp_path / 'again.xml', 'inex-xml')
        assert [row.doc_id for row in formats.read_run(tmp_path / 'again.xml', 'inex-xml')] == [
            row.doc_id for row in rows]

    def test_collections(self, write: Any) -> None:
        def documents(collections: str, *insides: str) -> list[str]:
            results = ''.join(f'<result>{inside}<file>f</file><path>/a[1]</path><rank>1</rank></result>'
                              for inside in insides)
            path = write(f'<inex-submission>{collections}\n<topic topic-id="1">{results}</topic></inex-submission>')
            assert {row.doc_id for row in inex_xml.read_run(path)} == {'f#xpath=/a[1]'}
            return [row.doc_id for row in inex_xml.read_run(path, collections=True)]
        one = '<collections><collection> wiki </collection></collections>'
        assert documents(one, '', '<in>ieee</in>') == ['wiki/f#xpath=/a[1]', 'ieee/f#xpath=/a[1]']
        with pytest.raises(FormatError, match='line 2: <result> has no <in>, and the run has 0 collections'):
            documents('', '')


class TestAssessments:
    def test_2002(self, write: Any) -> None:
        # The name of the attribute with the topic is not known: it is the only one.
        for name in ('topic', 'query', 'number'):
            path = write(f'<assessments {name}="31"><file file="a/1">\n<path path="/article[1]" relevance="3" '
                         'coverage="E"/><path path="/article[1]/p[2]" relevance="0" coverage="N"/></file>'
                         '</assessments>')
            rows = [InexElement('31', 'a/1#xpath=/article[1]', 3, '0', 3, 3, coverage='E'),
                    InexElement('31', 'a/1#xpath=/article[1]/p[2]', 0, '0', 0, 0, coverage='N')]
            assert formats.read_qrels(path, 'inex-xml') == rows
        path.write_text(path.read_text().replace('"N"', '"X"'))
        assert "line 2: coverage 'X' is none of 'N'" in message(inex_assessments.read_qrels, path)

    def test_the_quantisations_of_2002(self) -> None:
        """Gövert & Kazai 2002, as remembered: what an element of a relevance and a coverage is worth."""
        worth = {'3E': 1, '2E': .75, '3L': .75, '1E': .5, '2L': .5, '2S': .5, '1S': .25, '1L': .25}
        for judged, generalised in worth.items():
            e, s = int(judged[0]), inex_assessments.COVERAGE[judged[1]]
            assert QUANT.functions['gen'](e, s) == generalised
            assert QUANT.functions['strict'](e, s) == (judged == '3E')
        assert inex_assessments.COVERAGE['N'] == 0

    def test_2003_and_2004(self, write: Any) -> None:
        for name in ('exhaustiveness', 'exhaustivity'):
            path = write(f'<top><assessments topic-id=" 91 ">'
                         f'<path file="a/1" path=" /article[1] " {name}="3" specificity="2"/>'
                         f'<path file="a/2" path="/article[1]" {name}="1" specificity="0"/></assessments></top>')
            assert inex_assessments.read_qrels(path) == [
                InexElement('91', 'a/1#xpath=/article[1]', 3, '0', 3, 2),
                InexElement('91', 'a/2#xpath=/article[1]', 0, '0', 1, 0)]

    def test_the_file_of_2004(self, write: Any) -> None:
        path = write("""<?xml version="1.0"?>
            <!DOCTYPE assessments SYSTEM "../../assessments.dtd">
            <assessments pool='12' topic='127'>
            \t\t<file file='co/2000/r7108'>
            \t\t\t<path path='/article[1]' exhaustiveness='3' specificity='1' inferred='true' inpool='true'/>
            \t\t\t<path path='/article[1]/fm[1]' inpool='true'/>
            \t\t\t<path path='/article[1]/bm[1]' exhaustiveness='U' specificity='U'/>
            \t\t\t<path path='/article[1]/bdy[1]' exhaustiveness='0' specificity='0' inconsistant='true'/>
            \t\t</file>
            </assessments>""".lstrip())
        start = 'co/2000/r7108#xpath=/article[1]'
        assert inex_assessments.read_qrels(path) == [  # what was not assessed is left out
            InexElement('127', start, 3, '0', 3, 1), InexElement('127', f'{start}/bdy[1]', 0, '0', 0, 0)]

    def test_the_first_files_of_2005(self, write: Any) -> None:
        path = write("""<assessments pool="1" topic="202" version="2">
            <inex_topic topic_id="202" query_type="CO+S" ct_no="7"><title>t</title></inex_topic>
            <file collection="ieee" name="co/2000/r7108">
            <element path="/article[1]" exhaustivity="2" specificity="0.37"/>
            <element path="/article[1]/fm[1]" exhaustivity="?" specificity="1"/></file></assessments>""")
        start = 'co/2000/r7108#xpath=/article[1]'
        assert inex_assessments.read_qrels(path) == [
            InexElement('202', start, 2, '0', 2, 0.37), InexElement('202', f'{start}/fm[1]', 0, '0', 0, 1, None, None,
                                                                    True)]
        assert message(inex_assessments.read_qrels, write(path.read_text().replace('0.37', '1.5'))).startswith(
            "file.xml, line 4: specificity '1.5' of <element> is not a number from 0 to 1, the share of its text")

    LATE = """<assessments pool="352" topic="202" version="2">
        <file collection="ieee" name="co/2000/r7108">
            <passage start="/article[1]/bdy[1]/p[1]/text()[1].0" end="/article[1]/bdy[1]/p[2]/text()[3].15" size="60"/>
            <element path="/article[1]" exhaustivity="2" size="200" rsize="50"/>
            <element path="/article[1]/bdy[1]" exhaustivity="?" size="60" rsize="60"/>
            <element path="/article[1]/bdy[1]/p[1]" size="8" rsize="2"/>
            <element path="/article[1]/fig[1]" exhaustivity="1" size="0" rsize="0"/>
            <best-entry-point path="/article[1]/bdy[1]/p[1]/text()[1].0"/>
        </file>
        <file name="empty"><best-entry-point path="/article[1]"/></file>
        <file name="b"><passage start="/a[1]/text()[1].2" end="/a[1]/text()[1].7" size="5"/></file>
    </assessments>"""

    def test_from_2005_on(self, write: Any) -> None:
        path = write(self.LATE)
        start = 'co/2000/r7108#xpath=/article[1]'
        assert inex_assessments.read_qrels(path) == [
            InexElement('202', start, 2, '0', 2, 0.25, 200, 50),
            InexElement('202', f'{start}/bdy[1]', 0, '0', 0, 1.0, 60, 60, True),
            InexElement('202', f'{start}/bdy[1]/p[1]', 1, '0', None, 0.25, 8, 2),
            InexElement('202', f'{start}/fig[1]', 0, '0', 1, 0.0, 0, 0),
        ]

    def test_folders(self, write: Any, tmp_path: Path) -> None:
        write(self.LATE, '2.xml')
        write('<a topic="1"><file name="f"><element path="/x[1]" size="4" rsize="1"/></file></a>', '1.XML')
        write('no XML at all', 'readme.txt')
        (tmp_path / 'unpacked.xml').mkdir()  # a folder below is looked into, whatever its name
        assert [row.query_id for row in inex_assessments.read_qrels(tmp_path)] == ['1', '202', '202', '202', '202']
        write(self.LATE, '3.xml')
        with pytest.raises(FormatError, match=r"3\.xml, line 4: .* is already assessed for topic '202' in .*2\.xml"):
            formats.read_qrels(tmp_path, 'inex-xml')

    def test_collections(self, write: Any, tmp_path: Path) -> None:
        def assessed(name: str, collection: str, topic: int) -> Path:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            return write(f'<a topic="{topic}"><file name="f" {collection}><e path="/x[1]" size="4" rsize="1"/>\n'
                         '<passage start="/x[1]/text()[1].0" end="/x[1]/text()[1].1" size="1"/></file></a>', name)
        assessed('ieee/1.xml', 'collection="ieee"', 1)
        assessed('ieee/2.xml', 'collection=" ieee"', 2)
        assessed('3.xml', '', 3)
        assessed('wiki/1.xml', 'collection="wiki"', 4)
        rows = inex_assessments.read_qrels(tmp_path)
        assert [(row.query_id, row.doc_id) for row in rows] == [(topic, 'f#xpath=/x[1]') for topic in '3124']
        # In one topic, they are told apart by the collection in the id.
        assessed('wiki/2.xml', 'collection="wiki"', 1)
        with pytest.raises(FormatError, match="line 1: file 'f' is of the collection 'wiki', but before of 'ieee'"):
            inex_assessments.read_qrels(tmp_path)
        ids = [row.doc_id for row in inex_assessments.read_qrels(tmp_path, collections=True)]
        assert ids == [f'{document}#xpath=/x[1]' for document in ('f', 'ieee/f', 'ieee/f', 'wiki/f', 'wiki/f')]

class TestHighlights:
    DOCUMENT = '<article><p>First <b>bold</b> words.</p>\n<p>Sec\u00f6nd one.</p><fig/><p>Last.</p></article>'
    ASSESSED = """<assessments topic="289"><file collection="wikien" name="12">
        <best-entry-point path="/article[1]/p[2]/text()[1].4"/>
        <passage start="/article[1]/p[2]/text()[1].2" end="/article[1]/p[3]" size="20"/>
        <passage start="/article[1]/p[1]/b[1]/text()[1].0" end="/article[1]/p[1]/text()[2].3" size="7"/>
        <element path="/article[1]" exhaustivity="2" size="50" rsize="27"/></file>
        <file collection="wikien" name="13"/><file collection="wikien" name="14"/></assessments>"""

    @pytest.fixture
    def table(self, tmp_path: Path) -> Any:
        (tmp_path / 'xml').mkdir()
        for name, content in (('12', self.DOCUMENT), ('13', '<article>abc</article>')):
            (tmp_path / 'xml' / f'{name}.xml').write_text(content, encoding='utf-8')
        return Elements(tmp_path / 'xml')

    def test_as_characters(self, write: Any, table: Any, tmp_path: Path) -> None:
        text, _ = read_elements(self.DOCUMENT)
        rows = inex_assessments.read_highlighted(write(self.ASSESSED), table)
        assert [text[row.start:row.end] for row in rows if row.relevance] == ['bold wo', 'c\xf6nd one.Last.']
        size = len(text)
        assert rows == [InexQrel('289', '12', 6, 13, 1, 'Q0', size, 22), InexQrel('289', '12', 20, size, 1, 'Q0', size,
                                                                                  22),
                        InexQrel('289', '13', 0, 3, 0, 'Q0', 3), InexQrel('289', '14', 0, 0, 0, 'Q0')]
        # They can be written as INEX has them from 2008 on, and are what measures of passages take.
        assert formats.write_qrels(rows[:3], tmp_path / 'qrels', 'inex-fol') == []
        assert (tmp_path / 'qrels').read_text() == (
            f'289 Q0 12 {7 + size - 20} {size} 22 6:7 20:{size - 20}\n289 Q0 13 0 3\n')
        run = [ScoredDoc('289', '12#char=0,13', 2), ScoredDoc('289', '13', 1)]
        run = resolve(run, table)
        P, R = 7 / 13, 7 / (7 + size - 20)
        assert AgP.calc_aggregate(rows, run) == pytest.approx(2 * P * R / (P + R))

    @pytest.mark.parametrize('old, new, sentence', [
        ('text()[2].3', 'text()[9].3', "the table lacks '12#xpath=/article[1]/p[1]/text()[9]', where a passage starts"),
        ('text()[2].3', 'text()[2].30', 'the passage from 6 to 40 of '),
        ('/b[1]/text()[1].0', '/text()[2].3', 'the passage from 13 to 13 of '),
        ('name="14"/>', 'name="14"><passage start="/a[1]" end="/a[1]" size="1"/></file>',
         "the table lacks the document '14', in which passages are highlighted: add it"),
        ('text()[2].3', 'text()', "path '/article[1]/p[1]/text()' cannot be read"),
        ('name="14"/>', 'name="14"><element path="/a[1]" size="9" rsize="3"/></file>',
         "'14' has elements with relevant text for topic '289', and no passage"),
    ])
    def test_what_cannot_be(self, write: Any, table: Any, old: str, new: str, sentence: str) -> None:
        assert old in self.ASSESSED
        assert sentence in message(inex_assessments.read_highlighted, write(self.ASSESSED.replace(old, new)), table)

    def test_a_document_is_judged_once(self, write: Any, table: Any, tmp_path: Path) -> None:
        for name in '12':
            write(self.ASSESSED, f'{name}.xml')
        with pytest.raises(FormatError, match=r"2\.xml, line 1: '12' is already assessed .* in .*1\.xml"):
            inex_assessments.read_highlighted(tmp_path, table)


class TestOffsets:

    def test_the_command_converts_what_a_text_file_holds(self, run: Any, write: Any, tmp_path: Path) -> None:
        path = write(TestAssessments.LATE)
        found = run('convert', path, tmp_path / 'x', '--from', 'inex-xml', '--to', 'trec', '--kind', 'qrels')
        assert (found.code, found.err) == (
            0, f'ir_segmeasures: left out of {tmp_path}/x: exhaustivity, specificity, size, relevant_size, '
               'too_small\n')
        assert (tmp_path / 'x').read_text().split('\n')[0] == '202 0 co/2000/r7108#xpath=/article[1] 2'


class TestWriting:
    def test_runs_are_read_back(self, tmp_path: Path) -> None:
        rows = [InexPathScoredDoc('2', 'co/a&b#xpath=/article[1]/bdy[1]', -1, 1, 2.5, 'me'),
                InexPathScoredDoc('2', 'co/c#char=10,30', -2, 2, 0.5, 'me'),
                InexPathScoredDoc('1', 'co/c#xpath=/article[1]', -1, 1, 7, 'me')]
        path = tmp_path / 'run.xml.gz'
        assert formats.write_run([rows[0], rows[2], rows[1]], path, 'inex-xml') == []
        assert list(formats.read_run(path, 'inex-xml')) == rows
        assert formats.write_run([], path, 'inex-xml') == []
        assert list(formats.read_run(path, 'inex-xml')) == []

    @pytest.mark.parametrize('id, sentence', [
        ('f#xpath=/a/b', '/a/b'), ('f', 'whole document'), ('f#t=1,2', "the unit is 't'"),
        ('f\x01#xpath=/a[1]', 'which files cannot carry'),
    ])
    def test_what_the_file_cannot_hold(self, tmp_path: Path, id: str, sentence: str) -> None:
        with pytest.raises(formats.WriteError, match=re.escape(sentence)):
            formats.write_run([InexPathScoredDoc('2', id, -1, 1, 2.5, 'me')], tmp_path / 'x', 'inex-xml')
        assert not (tmp_path / 'x').exists()


class TestTopics:
    def test_of_2010(self, shared_data: Path) -> None:
        topics = read_topics(shared_data / 'inex-2010' / 'topics.xml')
        assert len(topics) == len({topic.query_id for topic in topics}) == 107
        assert topics[0][:5] == (
            '2010001', 'landslide malaysia', '//*[about(., landslide malaysia)]', 'landslides in malaysia',
            'Find information about landslides that occur in Malaysia.')
        assert all(topic.title and topic.castitle and topic.narrative for topic in topics)

    def test_of_other_years(self, write: Any, tmp_path: Path) -> None:
        write('<inex_topic topic_id="7"><title>a  <b>b</b>\n c</title><x>d</x></inex_topic>', '7.xml')
        write('<topics><topic id="6"><title>e</title><narrative/></topic><topic topic-id="8"><title/></topic></topics>',
              '6.xml')
        assert read_topics(tmp_path) == [
            InexTopic('6', 'e', '', '', '', ''), InexTopic('8', '', '', '', '', ''),
            InexTopic('7', 'a b c', '', '', '', '')]

        write('<inex-topic-file/>', '8.xml')
        with pytest.raises(FormatError, match=r'8\.xml: there is no <topic>'):
            read_topics(tmp_path)

    def test_types_of_topics(self, write: Any, tmp_path: Path) -> None:
        for folder in ('2002', '2003', '2005'):
            (tmp_path / folder).mkdir()
        write("""<INEX-Topic topic-id="09" query-type="CAS" ct-no="048"><Title><te>article</te>
            <cw>non-monotonic
            reasoning</cw><ce>bdy/sec</ce><cw>1999</cw><ce>hdr//yr</ce></Title><Description>d</Description>
            <Narrative>n</Narrative><Keywords>k</Keywords></INEX-Topic>""", '2002/9.xml')
        write("""<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE inex_topic SYSTEM "topic.dtd">
            <inex_topic topic_id="61" query_type="CAS" ct_no="3"><title>//article[about(.,'caf\xe9')]//sec</title>
            <description>d</description><narrative>n</narrative><keywords>k, l</keywords></inex_topic>
            """.strip().encode('latin-1'), '2003/61.xml')
        write('<inex_topic topic_id="91" query_type="CO" ct_no="3"><title>"internet traffic" +x</title><description>d'
              '</description><narrative>n</narrative></inex_topic>', '2003/91.xml')
        write("""<inex_topic topic_id="202" query_type="CO+S" ct_no="1"><InitialTopicStatement>i</InitialTopicStatement>
            <title>a b</title><castitle>//article[about(., a)]//sec[about(., b)]</castitle><parent/><description>d
            </description><narrative>n</narrative></inex_topic>""", '2005/202.xml')
        write('<inex_topic topic_id="244" query_type="CAS" ct_no="1"><castitle>//sec[about(., b)]</castitle><parent>202'
              '</parent><ontopic_keywords>o</ontopic_keywords></inex_topic>', '2005/244.xml')
        topics = read_topics(tmp_path)
        nexi = "//article[about(.,'café')]//sec"
        assert topics == [
            InexTopic('09', 'non-monotonic reasoning 1999', '<te>article</te> <cw>non-monotonic reasoning</cw> '
                      '<ce>bdy/sec</ce> <cw>1999</cw> <ce>hdr//yr</ce>', '', 'd', 'n', 'k', 'CAS'),
            InexTopic('61', nexi, nexi, '', 'd', 'n', 'k, l', 'CAS'),
            InexTopic('91', '"internet traffic" +x', '', '', 'd', 'n', '', 'CO'),
            InexTopic('202', 'a b', '//article[about(., a)]//sec[about(., b)]', '', 'd', 'n', '', 'CO+S'),
            InexTopic('244', '', '//sec[about(., b)]', '', '', '', 'o', 'CAS', '202')]
        assert [topic.default_text() for topic in topics[-2:]] == ['a b', '//sec[about(., b)]']
