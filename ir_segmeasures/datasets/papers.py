"""The papers that datasets are cited by, for people and in BibTeX."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = ['Paper']

_HOLDER = {'inproceedings': 'booktitle', 'article': 'journal', 'techreport': 'institution', 'misc': 'howpublished'}


class Paper(NamedTuple):
    """A paper.

    Attributes:
        authors: with commas between them; ``et al.`` at the end stands for others
        title: without a full stop
        venue: the proceedings, the journal with its volume, or where else it appeared
        year: of the publication
        url: a link to it, such as that of its DOI
        kind: of BibTeX: ``'inproceedings'``, ``'article'``, ``'techreport'`` or ``'misc'``
        id: the key in BibTeX; where it is not given, made as ir_datasets makes its own: first author, year, a word
    """

    authors: str
    title: str
    venue: str
    year: int
    url: str = ''
    kind: str = 'inproceedings'
    id: str = ''

    @property
    def key(self) -> str:
        """The key of the entry in BibTeX, in ASCII."""
        if self.id:
            return self.id
        surname = re.split(r',| et al\.', self.authors)[0].split()[-1]
        word = max(re.findall(r'\w+', self.title.partition(':')[0]), key=len).capitalize()
        plain = unicodedata.normalize('NFKD', f'{surname}{self.year}{word}')
        return re.sub('[^A-Za-z0-9]', '', plain)

    @property
    def citation(self) -> str:
        """The paper in one line for people."""
        year = '' if str(self.year) in self.venue else f', {self.year}'
        end = '' if self.title[-1] in '?!' else '.'
        place = f'{self.venue}{year}'.removeprefix(', ')
        return f'{self.authors}: {self.title}{end} {place}.{self.url and f" {self.url}"}'

    @property
    def bibtex(self) -> str:
        """The paper as an entry of BibTeX."""
        authors = self.authors.replace(' et al.', ', others').replace(', ', ' and ')
        fields = {'author': authors, 'title': f'{{{self.title}}}', _HOLDER[self.kind]: self.venue,
                  'year': str(self.year), 'url': self.url}
        lines = [f'  {name} = {{{value}}},\n' for name, value in fields.items() if value]
        return f'@{self.kind}{{{self.key},\n{"".join(lines)}}}\n'
