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
    try:
        parts = urlsplit(media)
        parts.port  # noqa: B018 -- raises for one that cannot be
        right = not (parts.scheme in ('http', 'https') and not parts.hostname) and ' ' not in parts.netloc
    except ValueError:
        right = False
    if not right or media != media.strip() or not media.isprintable() or media.replace('\\', '/').startswith('//') or (
            parts.scheme not in ('', 'http', 'https', 'file')):
        raise ValueError(f'the address {quoted(media)} is not a link to a file: begin it with https:, http: or file: '
                         '(file:///C:/ for a drive) and a host without blanks, or give a relative one, without '
                         'characters that nobody sees')
