"""Addresses of recordings, which the page links and plays."""

from urllib.parse import urlsplit

from ir_segmeasures.segments.quoting import quoted

__all__ = ['check_media', 'media_sources']


def media_sources(media: str | None) -> str:
    """The sources from which the page may take recordings, as a content security policy names them.

    Examples:
        >>> from ir_segmeasures.study.view.media import media_sources
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
    if media != media.strip() or not media.isprintable():
        raise ValueError(f'the address {quoted(media)} begins or ends with a blank, or holds a character that nobody '
                         'sees: take it out')
    try:
        parts = urlsplit(media)
        parts.port  # noqa: B018 -- raises for one that cannot be
        broken = ' ' in parts.netloc or (parts.scheme in ('http', 'https') and not parts.hostname)
    except ValueError:
        broken = True
    if broken:
        raise ValueError(f'the address {quoted(media)} has a broken host: correct it')
    if parts.scheme not in ('', 'http', 'https', 'file') or media.replace('\\', '/').startswith('//'):
        raise ValueError(f'the address {quoted(media)} is not a link to a file: begin it with https:, http: or file: '
                         '(file:///C:/ for a drive), or give a relative one')
