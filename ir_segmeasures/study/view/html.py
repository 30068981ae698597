"""Pages of one file, made of templates that have a style and a script of their own: their texts, and the addresses of
recordings, which they link and play; and the judging page, in which an assessor plays, marks and grades the units of a
pool. It holds no names of runs and no ranks. What is judged stays in the browser, and is saved to a file in the format
``judgements``.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from ir_segmeasures.segments.basics import needed, quoted
from ir_segmeasures.segments.segment import Line, Segment
from ir_segmeasures.study.campaign.pool_files import tasks_of_units
from ir_segmeasures.study.campaign.pools import JudgingUnit
from ir_segmeasures.texts.cutting import cut_text, transcript_lines


def media_sources(media: str | None) -> str:
    """The sources from which the page may take recordings, as a content security policy names them.

    Examples:
        >>> from ir_segmeasures.study.view.html import media_sources
        >>> media_sources('videos/{document}.mp4'), media_sources('https://example.org/{document}'), media_sources(None)
        ("'self' file:", 'https:', "'none'")
    """
    scheme = urlsplit(media or '').scheme
    return "'none'" if media is None else f'{scheme}:' if scheme else "'self' file:"


def check_media(media: str | None) -> None:
    """Raises a ValueError for an address that names no recording of a document, or that is not a link."""
    if media is not None and '{document}' not in media:
        raise ValueError(f"the address {quoted(media)} does not hold '{{document}}', where the id goes: add it")
    if media is not None and not (media.isprintable() and _LINK.match(media)):
        raise ValueError(f'the address {quoted(media)} is not a link to a file: begin it with https:, http: or file: '
                         '(file:///C:/ for a drive) and a host without blanks, or give a relative one, all visible')


# An address with a host, one of a file, or one that is relative.
_LINK = re.compile(r'(?:https?://[^\s/:?#\[\]]+(?::\d+)?(?:[/?#]|$)|file:|(?![a-z][\w+.-]*:|\s|[/\\]{2}))(?!.*\s$)',
                   re.IGNORECASE)


def page_templates() -> Any:
    """The templates of this folder. Raises an ImportError where Jinja2 is not installed."""
    jinja2 = needed('jinja2', 'the page needs Jinja2', 'view')
    return jinja2.Environment(loader=jinja2.PackageLoader(__package__, 'files'), autoescape=True, trim_blocks=True)


def rendered_page(templates: Any, name: str, title: str, scripts: Sequence[str], media_sources: str,
                  **content: Any) -> str:
    """A self-contained page, which runs no script and shows no style but its own.

    Args:
        templates: from :func:`page_templates`
        name: of the template and of the style, among the files of this folder
        title: of the page
        scripts: the names of the files that are its script, in order
        media_sources: from which recordings may come, as a content security policy names them
        content: what else the template takes
    """
    files = resources.files(__package__) / 'files'
    style = (files / f'{name}.css').read_text(encoding='utf-8')
    script = ''.join((files / f'{part}.js').read_text(encoding='utf-8') for part in scripts)
    return templates.get_template(f'{name}.html').render(
        title=title.encode(errors='replace').decode(), style=style, script=script, style_hash=_hash(style),
        script_hash=_hash(script), media_sources=media_sources, **content)


def _hash(text: str) -> str:
    return 'sha256-' + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class DatasetTexts:
    """The texts of the documents of a dataset of ir_datasets, for :func:`~ir_segmeasures.study.view.page`.

    Args:
        dataset: the dataset, which has documents

    Examples:
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.study.view import DatasetTexts
        >>> class Dataset:  # as ir_datasets.load() returns one
        ...     def docs_store(self):
        ...         return self
        ...     def get(self, doc_id):
        ...         return {article.doc_id: article for article in sample.articles()}[doc_id]
        >>> DatasetTexts(Dataset()).get(sample.articles()[0].doc_id)[:30]
        'The Brennick Canal leaves the '
    """

    def __init__(self, dataset: Any):
        self._store = dataset.docs_store()

    def get(self, document: str, /) -> str | None:
        """The text of a document, or None."""
        try:
            return text_of(self._store.get(document))
        except KeyError:
            return None


def text_of(row: Any) -> str | None:
    """The text of a document or a query of ir_datasets: its field ``text``, in which positions count, else its default
    text; None where it has neither, as a video or an anchor.

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.study.view import text_of
        >>> text_of(sample.queries()[0])
        'how to stop bees from swarming'
        >>> text_of(ScoredDoc('q1', 'd1', 1.)) is None
        True
    """
    return str(row.text) if hasattr(row, 'text') else str(row.default_text()) if hasattr(row, 'default_text') else None


GRADES = ('not relevant', 'relevant', 'highly relevant')
_WORD = re.compile(r'\S+\s*|\s+')


def judging_page(units: Sequence[JudgingUnit], queries: Mapping[str, str], docs: Any = None, media: str | None = None,
                 grades: Sequence[str] = GRADES, title: str = 'Judging') -> str:
    """A self-contained HTML page to judge the units of a pool, in their order, with the keyboard alone or without it.

    Args:
        units: of a pool, such as :func:`~ir_segmeasures.study.read_pool` reads
        queries: query → its text
        docs: document → its text, or the lines of its transcript, by a method ``get``
        media: where the recordings are, a URL that holds ``{document}``
        grades: what the grades from 0 on are called, at most ten
        title: of the page

    Raises:
        ValueError: no unit, a unit without query or text, no grade or more than ten, or a ``media`` that is not a URL
        ImportError: Jinja2 is not installed

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool
        >>> from ir_segmeasures.study.view import judging_page
        >>> units = pool({'a': [ScoredDoc('q', 'talk#t=5,10', 1)]}, depth=1, margin=5)
        >>> html = judging_page(units, {'q': 'bees'}, media='talks/{document}.mp3', title='Bees')
        >>> html.count('<title>Bees</title>')
        1
    """
    templates = page_templates()
    if not 2 <= len(grades) <= 10:
        raise ValueError(f'there are {len(grades)} grades, but each has a key from 0 to 9: name 2 to 10')
    if not units:
        raise ValueError('there is no unit to judge: give a pool with units')
    check_media(media)
    tasks = [{'query_id': task.query_id, 'query': task.query, 'unit': task.unit, 'document': task.segment.document,
              'counted': task.segment.unit, 'start': task.segment.start, 'end': task.segment.end,
              'from': task.context.start, 'to': task.context.end, 'media': task.media,
              'parts': _parts(task.document, task.context)} for task in tasks_of_units(units, queries, docs, media)]
    # The units, and not what is shown of them: texts may come later.
    key = hashlib.sha256('\n'.join(f'{task["query_id"]} {task["unit"]}' for task in tasks).encode()).hexdigest()[:16]
    data = json.dumps({'pool': key, 'grades': list(grades), 'tasks': tasks}, separators=(',', ':'), allow_nan=False)
    return rendered_page(templates, 'judging', title, ['judging'], 'file: http: https: data: blob:',
                         data=data.replace('<', r'\u003c'))  # which ends a data block


def _parts(value: Any, context: Segment) -> list[tuple[float, float, str]]:
    """The lines or the words of a context, with their positions in the document."""
    if value is None:
        return []
    if not isinstance(value, str):
        lines: list[Line] = transcript_lines(value)
        return [(line.start, line.end, line.text) for line in lines
                if line.start < context.end and context.start < max(line.end, line.start + 1e-6)]
    low, high = int(context.start), int(context.end)
    if context.unit == 'char':
        return [(low + word.start(), low + word.end(), word[0]) for word in _WORD.finditer(value[low:high])]
    pieces = cut_text(value, [(place, place + 1) for place in range(low, high)], context.unit or '')
    return [(piece.start, piece.end, f'{piece.text} ' if context.unit == 'word' else piece.text) for piece in pieces]
