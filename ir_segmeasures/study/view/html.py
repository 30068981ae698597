"""Pages of one file, made of templates that have a style and a script of their own: their texts, and the addresses of
recordings, which they link and play.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from ir_segmeasures.segments.extras import needed
from ir_segmeasures.segments.quoting import quoted


def media_sources(media: str | None) -> str:
    """The sources from which the page may take recordings, as a content security policy names them.

    Examples:
        >>> from ir_segmeasures.study.view.html import media_sources
        >>> media_sources('videos/{document}.mp4'), media_sources('https://example.org/{document}'), media_sources(None)
        ("'self' file:", 'https:', "'none'")
    """
    if media is None:
        return "'none'"
    scheme = urlsplit(media).scheme
    return f'{scheme}:' if scheme else "'self' file:"


def check_media(media: str) -> None:
    """Raises a ValueError for an address that names no recording of a document, or that is no link."""
    if '{document}' not in media:
        raise ValueError(f"the address {quoted(media)} does not hold '{{document}}', where the document's id goes: add "
                         "it")
    if not media.isprintable() or not _LINK.match(media):
        raise ValueError(f'the address {quoted(media)} is not a link to a file: begin it with https:, http: or file: '
                         '(file:///C:/ for a drive) and a host without blanks, or give a relative one, without '
                         'characters that nobody sees')


# An address with a host, one of a file, or one that is relative.
_LINK = re.compile(r'(?:https?://[^\s/:?#\[\]]+(?::\d+)?(?:[/?#]|$)|file:|(?![a-z][\w+.-]*:|\s|[/\\]{2}))(?!.*\s$)',
                   re.IGNORECASE)
# A data block ends where the parser of HTML says, and a script where the one of JavaScript does.
_UNSAFE = re.compile('[<>&\u2028\u2029\ud800-\udfff]')


def embedded(value: Any) -> str:
    """The value as JSON that can stand in a page wherever it comes from."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False)
    return _UNSAFE.sub(lambda found: f'\\u{ord(found[0]):04x}', text)


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
    if hasattr(row, 'text'):
        return str(row.text)
    return str(row.default_text()) if hasattr(row, 'default_text') else None
