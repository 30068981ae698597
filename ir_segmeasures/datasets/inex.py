"""INEX ad hoc: 2002-07 elements of IEEE's journals and of Wikipedia articles, assessed by exhaustivity and specificity,
from 2005 on from highlighted passages; 2008-10 the passages themselves, with the best entry point of each article.

No judgement of INEX can be downloaded freely from an official place: people put the files that they have into the
ir_datasets home, where they are verified as far as a checksum is known. No file of 2002-09 is at hand: what is known
of them says :mod:`ir_segmeasures.formats.inex.assessments`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.datasets.base import CampaignDocs, CampaignQrels, CampaignQueries, Documentation, register_dataset
from ir_segmeasures.datasets.files import CampaignFile
from ir_segmeasures.datasets.papers import Paper
from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.inex.assessments import ElementQrel, read_highlighted
from ir_segmeasures.formats.inex.judgements import PassageQrel, read_qrels
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics

__all__ = ['InexDoc', 'register_all']

_SOURCE = 'https://inex.mmci.uni-saarland.de'
_DOCUMENTS_HOW = 'put the XML files of the collection there, as they were assessed'
_LICENCE = 'that of the participants of INEX'
_JUDGED = {0: 'no passage highlighted', 1: 'highlighted'}
_GRADES = {0: 'not relevant', 1: 'marginally', 2: 'fairly', 3: 'highly relevant (exhaustivity)'}
_MD5 = {2010: ('1edd7dbd9bb25787ba99d0382cf28924', '85ad599320ef7e7bffd6a220b3af5ea5')}  # of judgements and topics
_COUNTS = {2010: {'docs': 37_788, 'queries': 107, 'qrels': 46_714}}
_PAPERS = {
    2002: Paper(
        'N. Gövert, G. Kazai', 'Overview of the INitiative for the Evaluation of XML retrieval (INEX) 2002',
        'INEX 2002', 2002),
    2003: Paper(
        'N. Fuhr, S. Malik, M. Lalmas',
        'Overview of the INitiative for the Evaluation of XML Retrieval (INEX) 2003', 'INEX 2003', 2003),
    2004: Paper(
        'S. Malik, M. Lalmas, N. Fuhr', 'Overview of INEX 2004', 'INEX 2004', 2004),
    2005: Paper(
        'S. Malik, G. Kazai, M. Lalmas, N. Fuhr', 'Overview of INEX 2005', 'INEX 2005', 2005),
    2006: Paper(
        'S. Malik, A. Trotman, M. Lalmas, N. Fuhr', 'Overview of INEX 2006', 'INEX 2006', 2006),
    2007: Paper(
        'N. Fuhr, J. Kamps, M. Lalmas, S. Malik, A. Trotman', 'Overview of the INEX 2007 Ad Hoc Track',
        'INEX 2007', 2007),
    2008: Paper(
        'J. Kamps, S. Geva, A. Trotman, A. Woodley, M. Koolen', 'Overview of the INEX 2008 Ad Hoc Track',
        'INEX 2008', 2008),
    2009: Paper(
        'S. Geva, J. Kamps, M. Lethonen, R. Schenkel, J. A. Thom, A. Trotman',
        'Overview of the INEX 2009 Ad Hoc Track', 'INEX 2009', 2009),
    2010: Paper(
        'P. Arvola, S. Geva, J. Kamps, R. Schenkel, A. Trotman, J. Vainio',
        'Overview of the INEX 2010 Ad Hoc Track', 'INEX 2010', 2010),
}


class _Year(NamedTuple):
    """A year of assessed elements: its tasks, and the measures of elements and of text that are here of those it was
    evaluated with."""
    tasks: str
    elements: tuple[str, ...]
    text: tuple[str, ...] = ()


_STRICT, _GEN = "I2_Precall(quant='strict')", "I2_Precall(quant='gen')"
_XCG = (*(f"nXCG(quant='gen2005',specificity='share')@{k}" for k in (10, 25, 50)),
        "MAnXCG(quant='gen2005',specificity='share')@1500",
        "MAep(quant='gen2005',ideal='full',alpha=0,specificity='share')")
_HIXEVAL = ('SegP@10', 'SegR@1500')
_YEARS = {
    2002: _Year('content only (CO), content and structure (CAS)', (_STRICT, _GEN)),
    2003: _Year('content only (CO), content and structure with strict and vague targets (SCAS, VCAS)',
                (_STRICT, _GEN, 'I3_R', 'I3_P')),
    2004: _Year('content only (CO), content and structure with vague targets (VCAS)',
                (_STRICT, _GEN, "I2_Precall(quant='sog')")),
    2005: _Year('CO and CO with structural hints (COS), each focussed, thorough and fetch and browse; content and '
                'structure (SSCAS, SVCAS, VSCAS, VVCAS)', _XCG, _HIXEVAL),
    2006: _Year('thorough, focused, relevant in context, best in context', _XCG,
                (*_HIXEVAL, 'AgP', 'AgP_bep')),
    2007: _Year('focused, relevant in context, best in context', (), ('iP@0.01', 'AiP', 'AgP', 'AgP_bep')),
}
# Of topics: how their types begin. In 2006 and 2007 all are CO+S.
_TYPES = {'co': ('CO', 'content only'), 'cas': ('CAS', 'content and structure')}


def _how(year: int, files: str) -> str:
    """How to get the files of a year, which no page of it has."""
    return (f"no official place offers {files}: ask the track's organisers of {year}, who wrote its overview "
            f'({_PAPERS[year].citation.removesuffix(".")}), and put what participants got there')


class InexDoc(NamedTuple):
    """A document that is judged for some topic. The sizes of the others are not known here, so that they do not add up
    to the length of the collection."""
    doc_id: str
    doc_size: int  # characters


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for year, track in _YEARS.items():
        _register_elements(year, track)
    for year in (2008, 2009, 2010):
        id = f'inex/{year}/adhoc'
        judged_md5, topics_md5 = _MD5.get(year, (None, None))
        judged = CampaignFile(f'inex/{year}', f'inex{year}.qrels', judged_md5, how=_how(year, 'it'))
        topics = CampaignFile(f'inex/{year}', 'topics.xml', topics_md5, how=_how(year, 'it'))
        register_dataset(
            id,
            Documentation(
                f'INEX {year}, ad hoc', 'Highlighted passages of Wikipedia articles, in characters, with the size and '
                'the best entry point of each judged article. Documents are the judged ones.',
                ("AgP(beta=0.25,tool='inex_eval')", "AiP(tool='inex_eval')", "iP(tool='inex_eval')@0.01", 'AgP_bep'),
                _SOURCE, _LICENCE,
                f"{_how(year, 'it')}; runs are read with the formats 'inex-fol' and 'inex-xml'", _PAPERS[year]),
            CampaignDocs(_documents, [judged], InexDoc, 'en', 'inex'),
            CampaignQueries(read_topics, [topics], InexTopic, 'en', 'inex'),
            CampaignQrels(SegmentQrels('inex-fol'), [judged], defs=_JUDGED, run_format='inex-fol'),
            counts=_COUNTS.get(year))


def _register_elements(year: int, track: _Year) -> None:
    """Folders: the years had a file for each topic and assessor."""
    id, folder = f'inex/{year}/adhoc', f'inex/{year}'
    how = f"{_how(year, 'them')}, with the folders that they are in"
    assessments, topics = (CampaignFile(folder, name, how=how) for name in ('assessments', 'topics'))
    documents = CampaignFile(folder, 'documents', how=_DOCUMENTS_HOW)
    collection = "articles of IEEE's journals" if year < 2006 else 'Wikipedia articles'

    def documented(what: str, desc: str, measures: Sequence[str]) -> Documentation:
        return Documentation(
            f'INEX {year}, ad hoc{what}', f'{desc} Tasks of the year: {track.tasks}.', measures, _SOURCE, _LICENCE,
            f"{how}; runs are read with the format 'inex-xml'", _PAPERS[year])

    def add(id: str, documentation: Documentation, queries: Callable[..., Any], qrels: Callable[..., Any],
            files: Sequence[CampaignFile]) -> None:
        register_dataset(id, documentation, CampaignQueries(queries, [topics], InexTopic, 'en', 'inex'),
                         CampaignQrels(qrels, files, ElementQrel, _GRADES, 'inex-xml'))
    elements = f'Elements of {collection}, assessed by exhaustivity and specificity.'
    add(id, documented('', elements, track.elements), read_topics, SegmentQrels('inex-xml'), [assessments])
    for name, (type, called) in _TYPES.items() if year < 2006 else ():
        add(f'{id}/{name}', documented(f', {called}', f'{elements} Topics of the type {type}.', track.elements),
            partial(_topics_of, type), partial(_assessed_for, type), [assessments, topics])
    if track.text:
        desc = (f'Highlighted passages of {collection}, in characters of their plain text, with the size and the best '
                'entry point of each judged article. Documents are the judged ones.')
        register_dataset(f'{id}/passages', documented(', passages', desc, track.text),
                         CampaignDocs(_highlighted_documents, [assessments, documents], InexDoc, 'en', 'inex'),
                         CampaignQueries(read_topics, [topics], InexTopic, 'en', 'inex'),
                         CampaignQrels(_highlighted, [assessments, documents], PassageQrel, _JUDGED, 'inex-xml'))


def _topics_of(type: str, topics: str) -> list[InexTopic]:
    return [topic for topic in read_topics(topics) if topic.query_type.upper().startswith(type)]


def _assessed_for(type: str, assessments: str, topics: str) -> list[Any]:
    wanted = {topic.query_id for topic in _topics_of(type, topics)}
    return [row for row in SegmentQrels('inex-xml')(assessments) if row.query_id in wanted]


def _highlighted(assessments: str, documents: str) -> list[Any]:
    return SegmentQrels('inex-fol').rows(read_highlighted(assessments, read_extents(documents)), assessments)


def _highlighted_documents(assessments: str, documents: str) -> list[InexDoc]:
    return _sized(read_highlighted(assessments, read_extents(documents)))


def _documents(path: str) -> list[InexDoc]:
    return _sized(read_qrels(path))


def _sized(rows: Sequence[Any]) -> list[InexDoc]:
    return list({row.doc_id: InexDoc(row.doc_id, row.doc_size) for row in rows if row.doc_size is not None}.values())
