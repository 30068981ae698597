"""Benchmarks of chunks for language models: questions, and the spans of texts, in characters, that answer them.

Names of texts become ids by :func:`~ir_segmeasures.segments.segment.quote_id`, so that blanks and colons are
percent-encoded. Every span is compared with its text when it is read.
"""
# Annotations are types here and not their names: PyTerrier loads the fields whose annotation is ``str``.

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ir_datasets.formats import GenericQuery, TrecQrel

from ir_segmeasures.datasets.base import CampaignDocs, CampaignFile, CampaignQrels, CampaignQueries, register_dataset
from ir_segmeasures.formats import FormatError
from ir_segmeasures.formats.evidence import read_evidence
from ir_segmeasures.formats.files.reading import read_utf8
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import Segment, format_segment, quote_id

_LEGAL, _CHROMA = 'legalbench-rag', 'chunking-evaluation'
_LEGAL_SOURCE = 'https://github.com/zeroentropy-ai/legalbenchrag'
_LEGAL_HOW = (f'download the benchmark from the link at {_LEGAL_SOURCE}, and put its folders benchmarks and corpus '
              f'into the folder {_LEGAL} of the ir_datasets home')
_LEGAL_MD5 = {'contractnli': '3e3a0b2fb6d8036c5e88faa871b35522', 'cuad': None, 'maud': None,
              'privacy_qa': '9b6513632274ad49b15699ab46debe97'}
_LEGAL_COUNTS = {'contractnli': {'queries': 977, 'qrels': 1389}, 'privacy_qa': {'queries': 194, 'qrels': 453}}
_CHROMA_SOURCE = 'https://github.com/brandonstarxel/chunking_evaluation'
_CHROMA_RAW = ('https://raw.githubusercontent.com/brandonstarxel/chunking_evaluation/35440b84e4564663157b825faec5968d43'
               '75399d/src/chunking_evaluation/evaluation_framework/general_evaluation_data')
_CHROMA_MD5 = {'chatlogs': 'e6619b559cbf7730aaec727b544b5373', 'finance': 'fbd4f7590c7318b4a1bde9ef63bcdbb6',
               'pubmed': 'bf9329c275dded0db18be995e3be9a1c', 'state_of_the_union': '08979efeee5d0697386f8a382bcf311b',
               'wikitexts': '5ae5ef44a74aa9ed6c8da39c48a32e4f'}
_ANSWERS = {1: 'answers the question'}


class Text(NamedTuple):
    """A text.

    Attributes:
        doc_id: its name, percent-encoded
        text: all of it
        length: in characters
    """

    doc_id: str
    text: str
    length: int

    def default_text(self) -> str:
        """The text, under the name that ir_datasets asks for."""
        return self.text


_Texts = Callable[..., dict[str, str]]  # the paths of the files → each text by its name


def _legal_texts(path: str, folder: str) -> dict[str, str]:
    # A name with a colon, which some file systems do not have, is stored with _ in its place.
    names = {answer['doc_id'].replace(':', '_'): answer['doc_id']
             for answers in read_evidence(path, _LEGAL).evidence.values() for answer in answers}
    files = {file.relative_to(Path(folder).parent).as_posix(): file for file in sorted(Path(folder).rglob('*.txt'))
             if not file.name.startswith('.')}
    return {names.get(name, name): read_utf8(file) for name, file in files.items()}


def _chroma_texts(*paths: str) -> dict[str, str]:
    return dict(zip(_CHROMA_MD5, map(read_utf8, paths[-len(_CHROMA_MD5):])))


def _documents(texts: _Texts, *paths: str) -> list[Text]:
    return [Text(quote_id(name), text, len(text)) for name, text in texts(*paths).items()]


def _queries(format: str, path: str) -> list[GenericQuery]:
    return list(map(GenericQuery._make, read_evidence(path, format).questions.items()))


def _qrels(format: str, texts: _Texts, path: str, *others: str) -> list[TrecQrel]:
    """The judgements of a file, each compared with its text.

    Raises:
        FormatError: a span is not what its text has there, or its text is not there
    """
    known, judged = texts(path, *others), []
    for number, answers in read_evidence(path, format).evidence.items():
        for name, start, end, content in map(dict.values, answers):
            where = f'question {number}: the span {start} to {end} of {quoted(name)}'
            if name not in known:
                raise FormatError(f'{where} is of a text that is not there: put it there', path)
            if known[name][start:end] != content:
                raise FormatError(f'{where} is not what the text has there, so that one of them is another version: '
                                  'get both from one place', path)
            judged.append(TrecQrel(number, format_segment(Segment(quote_id(name), start, end, 'char')), 1, '0'))
    return judged


def _register(id: str, format: str, texts: _Texts, asked: CampaignFile, documents: list[CampaignFile],
              judged: list[CampaignFile], counts: dict[str, int] | None) -> None:
    register_dataset(
        id, CampaignDocs(partial(_documents, texts), documents, Text, 'en'),
        CampaignQueries(partial(_queries, format), [asked], GenericQuery, 'en'),
        CampaignQrels(partial(_qrels, format, texts), judged, TrecQrel, _ANSWERS), counts=counts)


def register_all() -> None:
    """Registers the datasets of this module with ir_datasets; those that it has already stay as they are."""
    for part, md5 in _LEGAL_MD5.items():
        both = [CampaignFile(f'{_LEGAL}/benchmarks', f'{part}.json', md5, how=_LEGAL_HOW),
                CampaignFile(f'{_LEGAL}/corpus', part, how=_LEGAL_HOW)]
        _register(f'{_LEGAL}/{part}', _LEGAL, _legal_texts, both[0], both, both, _LEGAL_COUNTS.get(part))
    how = f'get it from {_CHROMA_SOURCE}, where it is below general_evaluation_data'
    asked = CampaignFile(_CHROMA, 'questions_df.csv', '05df81857a0ecd5e65606aaf1effbf9d',
                         f'{_CHROMA_RAW}/questions_df.csv', how)
    texts = [CampaignFile(f'{_CHROMA}/corpora', f'{name}.md', md5, f'{_CHROMA_RAW}/corpora/{name}.md', how)
             for name, md5 in _CHROMA_MD5.items()]
    _register(_CHROMA, _CHROMA, _chroma_texts, asked, texts, [asked, *texts], {'docs': 5, 'queries': 472, 'qrels': 790})
