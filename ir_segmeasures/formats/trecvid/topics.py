"""Topics of TRECVID's search tasks and of the TREC-10 Video Track. Their examples, pictures and videos, are not read.

Source: https://trecvid.nist.gov/topics/all/all.topics (2001),
https://www-nlpir.nist.gov/projects/tv2008/pastdata/topics/topics.2008.xml (search), the elements and attributes of
``ins.auto.topics.2019.xml`` (instance search), and ``tv22.avs.topics.txt`` (ad hoc video search).
"""

import re
from collections.abc import Callable
from sys import intern
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import nine_digits, refuse_again
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, files_of, numbered_rows, read_bytes
from ir_segmeasures.formats.files.xml import attribute, read_xml
from ir_segmeasures.segments.quoting import quoted

__all__ = ['VideoTopic', 'qrels_topic', 'read_topics']

_TOPICS = ('videoTopic', 'videoInstanceTopic')
_NUMBER = re.compile(r'\S*[0-9]\S*')
KNOWN_ITEMS, GENERAL = 'known items', 'general'


class VideoTopic(NamedTuple):
    """A topic.

    Attributes:
        query_id: the topic, as the judgements write it
        text: what is looked for
        type: of instance search such as ``'PERSON'``; of 2001 ``'known items'`` or ``'general'``; else empty
    """

    query_id: str
    text: str
    type: str = ''

    def default_text(self) -> str:
        """The text of the query, under the name that ir_datasets and PyTerrier ask for."""
        return self.text


def qrels_topic(number: str) -> str:
    """The topic of a run in XML as AVS's judgements and runs in TREC's format write it: with a 1 before three digits,
    so that 661 is 1661. Anything else stays as it is. All 20 topics of 2021 are named like this; that those of other
    years are is this project's assumption."""
    return f'1{number}' if len(number) == 3 and nine_digits(number) is not None else number


def read_topics(path: StrPath, topic: Callable[[str], str] = str) -> list[VideoTopic]:
    """Reads topics, in XML if the file begins with ``<``, else one a line.

    In XML they are every ``<videoTopic num>`` with its ``<textDescription text>`` (2001, and search), and every
    ``<videoInstanceTopic num text type>``. Several documents may stand in one file, one after the other, and document
    types may be malformed, as in 2001. White space in texts is reduced to single blanks. Other elements are ignored.

    A line is a number or name with a digit in it, white space, and a text (ad hoc and known-item search, VBS).

    Args:
        path: a file, ``.gz`` by suffix, or a folder with ``.xml`` files, which are read in the order of their names
        topic: makes the id of the number, such as :func:`qrels_topic` for ad hoc video search

    Raises:
        FormatError: the XML is malformed behind its document type, or declares entities; a topic lacks its number or
            text, or is there twice; a line is no number and text; there is no topic
        OSError: a file cannot be opened
    """
    topics: dict[str, VideoTopic] = {}
    for file in files_of(path, ('.xml',)):
        before = len(topics)
        (_read_xml if _is_xml(file) else _read_lines)(file, topic, topics)
        if len(topics) == before:
            raise FormatError('there is no topic: check that the file is of the kind that is being read', file)
    return list(topics.values())


def _is_xml(path: StrPath) -> bool:
    return read_bytes(path, 1024).lstrip(b'\xef\xbb\xbf \t\r\n').startswith(b'<')


def _read_lines(path: StrPath, topic: Callable[[str], str], topics: dict[str, VideoTopic]) -> None:
    def row(fields: list[str]) -> None:
        if len(fields) != 2 or not _NUMBER.fullmatch(fields[0]):
            raise ValueError(f'{quoted(" ".join(fields))} is no topic, but each line is a number and a text: write it '
                             'as 661 Find shots of a horse')
        query_id = topic(fields[0])
        refuse_again(query_id, topics)
        topics[query_id] = VideoTopic(query_id, ' '.join(fields[1].split()))
    numbered_rows(path, row, lambda line: line.split(None, 1))


def _read_xml(path: StrPath, topic: Callable[[str], str], topics: dict[str, VideoTopic]) -> None:
    for element in read_xml(path, any_doctype=True).iter(*_TOPICS):
        with errors_in(path, element.line):
            query_id = topic(attribute(element.attributes, 'num', element.name))
            refuse_again(query_id, topics)
            text = next((part.attributes.get('text', '') for part in element.all('textDescription')),
                        element.attributes.get('text', ''))
            words = ' '.join(text.split())
            if not words:
                raise ValueError(f'topic {quoted(query_id)} has no text, but every topic says what is looked for: add '
                                 f'it to <{"textDescription" if element.name == _TOPICS[0] else element.name}>')
            # The answer of 2001 is yes or no, and its first letter, such as Y-K.
            given = element.attributes.get('knownItems', '')
            type = element.attributes.get('type') or (given and (KNOWN_ITEMS if given.startswith('Y') else GENERAL))
            if any(element.all('knownItem')):
                type = KNOWN_ITEMS
            topics[query_id] = VideoTopic(query_id, words, intern(type))
