"""Pages of one file, made of templates that have a style and a script of their own."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from ir_segmeasures.segments.extras import needed

__all__ = ['embedded', 'page_templates', 'rendered_page']

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
