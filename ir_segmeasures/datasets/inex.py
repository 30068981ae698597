"""INEX ad hoc 2008-10: passages of Wikipedia articles that assessors highlighted, with the best entry point of each.

No judgement of INEX can be downloaded freely from an official place: people put the files that they have into the
ir_datasets home, where they are verified as far as a checksum is known.
"""

from typing import NamedTuple

from ir_segmeasures.datasets.base import (
    CampaignDocs,
    CampaignFile,
    CampaignQrels,
    CampaignQueries,
    Documentation,
    SegmentQrels,
    register,
)
from ir_segmeasures.formats.inex.judgements import read_qrels
from ir_segmeasures.formats.inex.topics import InexTopic, read_topics

__all__ = ['InexDoc', 'register_all']

_SOURCE = 'https://inex.mmci.uni-saarland.de'
_HOW = 'no official place offers it: put the file of participants there'
_JUDGED = {0: 'no passage highlighted', 1: 'highlighted'}
_MD5 = {2010: ('1edd7dbd9bb25787ba99d0382cf28924', '85ad599320ef7e7bffd6a220b3af5ea5')}  # of judgements and topics
_COUNTS = {2010: {'docs': 37_788, 'queries': 107, 'qrels': 46_714}}
_CITATION = {
    2008: 'J. Kamps, S. Geva, A. Trotman, A. Woodley, M. Koolen: Overview of the INEX 2008 Ad Hoc Track. INEX '
          '2008.',
    2009: 'S. Geva, J. Kamps, M. Lethonen, R. Schenkel, J. A. Thom, A. Trotman: Overview of the INEX 2009 Ad Hoc '
          'Track. INEX 2009.',
    2010: 'P. Arvola, S. Geva, J. Kamps, R. Schenkel, A. Trotman, J. Vainio: Overview of the INEX 2010 Ad Hoc Track. '
          'INEX 2010.',
}


class InexDoc(NamedTuple):
    """A document that is judged for some topic. The sizes of the others are not known here, so that they do not add up
    to the length of the collection."""
    doc_id: str
    doc_size: int  # characters


def register_all() -> None:
    for year in (2008, 2009, 2010):
        id = f'inex/{year}/adhoc'
        judged_md5, topics_md5 = _MD5.get(year, (None, None))
        judged = CampaignFile(f'inex/{year}', f'inex{year}.qrels', judged_md5, how=_HOW)
        topics = CampaignFile(f'inex/{year}', 'topics.xml', topics_md5, how=_HOW)
        register(
            id,
            Documentation(
                f'INEX {year}, ad hoc', 'Highlighted passages of Wikipedia articles, in characters, with the size and '
                'the best entry point of each judged article. Documents are the judged ones.',
                ("AgP(beta=0.25,tool='inex_eval')", "AiP(tool='inex_eval')", "iP(tool='inex_eval')@0.01", 'AgP_bep'),
                _SOURCE, 'that of the participants of INEX',
                f"{_HOW}; runs are read with the formats 'inex-fol' and 'inex-xml'", _CITATION[year]),
            CampaignDocs(_documents, [judged], InexDoc, 'en', 'inex'),
            CampaignQueries(read_topics, [topics], InexTopic, 'en', 'inex'),
            CampaignQrels(SegmentQrels('inex-fol'), [judged], defs=_JUDGED, run_format='inex-fol'),
            counts=_COUNTS.get(year))


def _documents(path: str) -> list[InexDoc]:
    rows = read_qrels(path)  # files have every size
    return list({row.doc_id: InexDoc(row.doc_id, row.doc_size) for row in rows}.values())  # type: ignore[arg-type]
