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
        if ' ' in parts.netloc:
            raise ValueError('there is a blank in it')
    except ValueError as error:
        raise ValueError(f'the address {quoted(media)} has a broken host ({error}): correct it') from None
    if parts.scheme in ('http', 'https') and not parts.hostname:
        raise ValueError(f'the address {quoted(media)} names no host: write it behind {parts.scheme}://')
    if media.replace('\\', '/').startswith('//'):
        raise ValueError(f'the address {quoted(media)} begins with //, which is another host where it looks like a '
                         'folder: begin it with https: or file:, or with one /')
    if len(parts.scheme) == 1:
        address = 'file:///' + media.replace('\\', '/')
        raise ValueError(f'the address {quoted(media)} is a path with a drive, which a page takes for a scheme: write '
                         f'{quoted(address)}')
    if parts.scheme not in ('', 'http', 'https', 'file'):
        raise ValueError(f'the address {quoted(media)} is no link to a file: begin it with https:, http: or file:, or '
                         'give a relative one')
