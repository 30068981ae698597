"""INEX ad hoc: 2002-07 elements of IEEE's journals and of Wikipedia articles, assessed by exhaustivity and specificity,
from 2005 on from highlighted passages; 2008-10 the passages themselves, with the best entry point of each article.

No judgement of INEX can be downloaded freely from an official place: people put the files that they have into the
ir_datasets home, where they are verified as far as a checksum is known. No file of 2002-09 is at hand: what is known
of them says :mod:`ir_segmeasures.formats.inex.assessments`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.datasets.base import CampaignDocs, CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.inex.assessments import ElementQrel, read_highlighted
from ir_segmeasures.formats.inex.passages import PassageQrel, read_qrels
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics

_DOCUMENTS_HOW = 'put the XML files of the collection there, as they were assessed'
_JUDGED = {0: 'no passage highlighted', 1: 'highlighted'}
_GRADES = {0: 'not relevant', 1: 'marginally', 2: 'fairly', 3: 'highly relevant (exhaustivity)'}
_MD5 = {2010: ('1edd7dbd9bb25787ba99d0382cf28924', '85ad599320ef7e7bffd6a220b3af5ea5')}  # of judgements and topics
_COUNTS = {2010: {'docs': 37_788, 'queries': 107, 'qrels': 46_714}}


# Beginnings of the types of topics; in 2006 and 2007 all are CO+S.
_TYPES = {'co': 'CO', 'cas': 'CAS'}


def _how(year: int, files: str) -> str:
    """How to get the files of a year, which no page of it has."""
    return (f"no official place offers {files}: ask the track's organisers of {year}, who wrote its overview, and put "
            'what participants got there')


class InexDoc(NamedTuple):
    """A document that is judged for some topic. The sizes of the others are not known here, so that they do not add up
    to the length of the collection."""
    doc_id: str
    doc_size: int  # characters


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year in range(2002, 2008):
        _register_elements(year)
    for year in (2008, 2009, 2010):
        judged, topics = (CampaignFile(f'inex/{year}', name, md5, how=_how(year, 'it')) for name, md5 in zip(
            (f'inex{year}.qrels', 'topics.xml'), _MD5.get(year, (None, None))))
        register_dataset(
            f'inex/{year}/adhoc', CampaignDocs(_documents, [judged], InexDoc, 'en'), _queries(topics),
            CampaignQrels('inex-fol', [judged], defs=_JUDGED), counts=_COUNTS.get(year))


def _queries(topics: CampaignFile, read: Callable[..., Any] = read_topics) -> CampaignQueries:
    return CampaignQueries(read, [topics], InexTopic, 'en')


def _register_elements(year: int) -> None:
    """Register a year of assessed elements, in folders: it had a file for each topic and assessor."""
    id, folder = f'inex/{year}/adhoc', f'inex/{year}'
    how = f"{_how(year, 'them')}, with the folders that they are in"
    assessments, topics = (CampaignFile(folder, name, how=how) for name in ('assessments', 'topics'))
    documents = CampaignFile(folder, 'documents', how=_DOCUMENTS_HOW)

    register_dataset(id, _queries(topics), CampaignQrels('inex-xml', [assessments], defs=_GRADES))
    for name, type in _TYPES.items() if year < 2006 else ():
        register_dataset(f'{id}/{name}', _queries(topics, partial(_topics_of, type)), CampaignQrels(
            partial(_assessed_for, type), [assessments, topics], ElementQrel, _GRADES, 'inex-xml'))
    if year >= 2005:  # passages were highlighted
        both = [assessments, documents]
        register_dataset(f'{id}/passages', CampaignDocs(_documents, both, InexDoc, 'en'), _queries(topics),
                         CampaignQrels(_highlighted, both, PassageQrel, _JUDGED, 'inex-xml'))


def _topics_of(type: str, topics: str) -> list[InexTopic]:
    return [topic for topic in read_topics(topics) if topic.query_type.upper().startswith(type)]


def _assessed_for(type: str, assessments: str, topics: str) -> list[Any]:
    wanted = {topic.query_id for topic in _topics_of(type, topics)}
    return [row for row in SegmentQrels('inex-xml')(assessments) if row.query_id in wanted]


def _highlighted(assessments: str, documents: str) -> list[Any]:
    return SegmentQrels('inex-fol').rows(read_highlighted(assessments, read_extents(documents)), assessments)


def _documents(judged: str, *documents: str) -> list[InexDoc]:
    rows = read_highlighted(judged, read_extents(*documents)) if documents else read_qrels(judged)
    return list({row.doc_id: InexDoc(row.doc_id, row.doc_size) for row in rows if row.doc_size is not None}.values())
