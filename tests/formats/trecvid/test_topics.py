"""Topics of TRECVID and of the TREC-10 Video Track, XML and lines. All files here are made up, in the true form."""

from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import message

from ir_segmeasures.formats.trecvid.judgements import TopicExample, VideoTopic, qrels_topic, read_topics

FILE_NAME = 'topics'
KIND = 'check that the file is of the kind that is being read'

# As all.topics of 2001 is: one document a topic, one after the other, and document types that are misspelt.
OF_2001 = """<!DUCTYPE videoTopic SYSTEM "videoTopic.dtd">
<videoTopic num="001"  interactive="Y-I" automatic="N-A" knownItems="Y-K">
  <!-- Shots of a lighthouse -->
  <textDescription text="Shots of a lighthouse; the
camera may move &amp; turn."/>
  <!-- imageExample src="http://example.com/images?a=1&b=2"-->
  <imageExample src="extra/1.jpg"/>
  <knownItem src="SEA28.MPG" start="00m57s" stop="00m59s"/>
  <knownItem src="sea28.mpg" start="1m01s" stop="1m1.5s" />
</videoTopic><!DOCTYPE videoTopic SYSTEM "videoTopic.dtd">
<videoTopic num="002"  interactive="N-I" automatic="Y-A" knownItems="N-K">
  <textDescription text="Scenes of boats"/>
  <videoExample src="SEA31.MPG" start="0h09m09s" stop="0h10m23s"/>
  <audioExample src="wave.wav"/>
</videoTopic>
"""
OF_SEARCH = """<!DOCTYPE videoTopics SYSTEM "videoTopics.dtd">
<videoTopics>
<!-- automatic topics -->
<videoTopic num="0221">
<textDescription text="Find shots of a person who opens a gate"/>
<videoExample src="BG_1.mpg"
   start="03m32.120s" stop="03m35.360s" desc="garden  view" />
<imageExample src="http://example.com/a%20gate.jpg"/>
</videoTopic>
</videoTopics>
"""
OF_INSTANCES = """<?xml version="1.0" encoding="UTF-8"?>
<videoInstanceTopics>
<videoInstanceTopic
 text="a black
 taxi"
 num="9099"
 type="OBJECT">
<imageExample src="9099.1.src.png" object="9099.1.mask.png" shotID="shot33_12"/>
</videoInstanceTopic>
</videoInstanceTopics>
"""


class TestXml:
    def test_2001(self, write: Callable[..., Path]) -> None:
        assert read_topics(write(OF_2001)) == [
            VideoTopic('001', 'Shots of a lighthouse; the camera may move & turn.', 'known items', (
                TopicExample('image', 'extra/1.jpg', None, None, '', ''),)),
            VideoTopic('002', 'Scenes of boats', 'general', (
                TopicExample('video', 'SEA31.MPG', 549, 623, '', ''),
                TopicExample('audio', 'wave.wav', None, None, '', '')))]

    def test_a_folder_and_a_topic_that_does_not_say_that_it_has_known_items(self, tmp_path: Path) -> None:
        for number, items in ((2, ''), (1, '<knownItem src="a" start="0s" stop="1s"/>')):
            (tmp_path / f't{number}.xml').write_text(
                f'<videoTopic num="{number}"><textDescription text="x"/>{items}</videoTopic>')
        assert [(topic.query_id, topic.type) for topic in read_topics(tmp_path)] == [('1', 'known items'), ('2', '')]

    def test_search(self, write: Callable[..., Path]) -> None:
        assert read_topics(write(OF_SEARCH)) == [VideoTopic('0221', 'Find shots of a person who opens a gate', '', (
            TopicExample('video', 'BG_1.mpg', 212.12, 215.36, '', 'garden view'),
            TopicExample('image', 'http://example.com/a%20gate.jpg', None, None, '', '')))]

    def test_instance_search(self, write: Callable[..., Path]) -> None:
        topic, = read_topics(write(OF_INSTANCES))
        assert topic == ('9099', 'a black taxi', 'OBJECT', (
            TopicExample('image', '9099.1.src.png', None, None, 'shot33_12', ''),))
        assert topic.default_text() == topic.text

    @pytest.mark.parametrize('topic, keyword', [
        ('<videoTopic><textDescription text="x"/></videoTopic>', "the attribute 'num' of <videoTopic> is missing"),
        ('<videoTopic num="1"><textDescription/></videoTopic>', "topic '1' has no text"),
        ('<videoInstanceTopic num="1"/>', "topic '1' has no text"),
        ('<a><videoInstanceTopic num="1" text="x"/><videoInstanceTopic num="1" text="x"/></a>', "topic '1' is already"),
        ('<videoTopic num="1"><imageExample/></videoTopic>', "the attribute 'src' of <imageExample> is missing"),
        ('<videoTopic num="1"><videoExample src="a" start="0:10"/></videoTopic>', "time '0:10' cannot be read")])
    def test_errors(self, write: Callable[..., Path], topic: str, keyword: str) -> None:
        assert message(read_topics, write(f'\n{topic}')).startswith(f'topics, line 2: {keyword}')

    def test_other_files(self, write: Callable[..., Path]) -> None:
        assert message(read_topics, write('<topics/>')) == f'topics: there is no <videoTopic>: {KIND}'
        assert message(read_topics, write('')) == f'topics: there is no topic: {KIND}'
        assert message(read_topics, write('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).startswith(
            "topics, line 1: the entity 'b' is not one of XML's own")


class TestLines:
    def test_ad_hoc_video_search(self, write: Callable[..., Path]) -> None:
        path = write('661  Find shots of a horse\r\n\n662\tFind shots  of two \n')
        assert read_topics(path, qrels_topic) == [
            VideoTopic('1661', 'Find shots of a horse'), VideoTopic('1662', 'Find shots of two')]

    def test_known_item_search_and_vbs(self, write: Callable[..., Path]) -> None:
        path = write('0001 KEY VISUAL CUES: bus, flags QUERY: Find the video of a bus\n'
                     'vbs22-avs-01\tFind shots of "x"\n')
        assert [tuple(topic) for topic in read_topics(path)] == [
            ('0001', 'KEY VISUAL CUES: bus, flags QUERY: Find the video of a bus', '', ()),
            ('vbs22-avs-01', 'Find shots of "x"', '', ())]

    @pytest.mark.parametrize('line', ['661', 'Find shots of a horse', '660 b'])
    def test_errors(self, write: Callable[..., Path], line: str) -> None:
        said = message(read_topics, write(f'660 a\n{line}\n'))
        assert said.startswith('topics, line 2: ') and ('is not a topic' in said or 'is already there' in said)


def test_topics_of_other_commands_have_the_ids_of_the_judgements(write: Callable[..., Path]) -> None:
    local = pytest.importorskip('ir_segmeasures.datasets.local')
    path = write('661 Find shots of a horse\n')
    for format, query_id in (('trecvid-topics', '661'), ('avs-topics', '1661')):
        assert list(local.QUERIES_FORMATS[format].read(path)) == [(query_id, 'Find shots of a horse')]
    podcasts = write('<topics><topic><num>1</num><query>a</query><description>b</description></topic></topics>')
    assert list(local.QUERIES_FORMATS['podcasts-topics'].read(podcasts)) == [('1', 'a')]
