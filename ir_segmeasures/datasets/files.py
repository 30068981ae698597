"""The campaigns' files in the ir_datasets home: where they belong, what they must be, how they get there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import ir_datasets
from ir_datasets.util import Download, HashVerificationError, LocalDownload, RequestsDownload

from ir_segmeasures.formats.files.reading import open_bytes

__all__ = ['CampaignFile']

_BLOCK = 1 << 20


class CampaignFile:
    """A file of a campaign, in the ir_datasets home. It may be packed with gzip, with ``.gz`` at the end of its name.

    Args:
        folder: in the ir_datasets home
        name: of the file, the campaign's own where it has one
        md5: of the unpacked file, where it is known; checked whenever the file is read
        url: where it is downloaded from when it is first read; without one, people must obtain it themselves
        how: how to obtain it, in one sentence
        read: its reader, with which a download is tried where no checksum is known
    """

    def __init__(self, folder: str, name: str, md5: str | None = None, url: str | None = None, how: str = '',
                 read: Callable[[str], Any] | None = None):
        self.folder, self.name, self.md5, self.url, self.how, self.read = folder, name, md5, url, how, read

    @property
    def location(self) -> Path:
        """Where the file is, or belongs."""
        plain = Path(ir_datasets.util.home_path()) / self.folder / self.name
        packed = plain.with_name(f'{plain.name}.gz')
        return packed if packed.exists() and not plain.exists() else plain

    def exists(self) -> bool:
        """Whether the file is here; its checksum is not looked at."""
        return self.location.exists()

    def path(self, force: bool = True) -> str:
        """Where the file is, once it is there and its checksum is right.

        Raises:
            OSError: it is missing, cannot be downloaded, or is not the campaign's file
            FormatError: it is packed, and damaged
        """
        location = self.location
        if not force:
            return str(location)
        if not location.exists():
            location.parent.mkdir(parents=True, exist_ok=True)  # as ir_datasets does: it is ready for the file
            if self.url is None:
                raise FileNotFoundError(f'{location} does not exist: {self.how}')
            self._download(location)
        found = _md5(str(location), location.stat().st_mtime_ns, location.stat().st_size) if self.md5 else None
        if found != self.md5:
            again = 'remove it, and it is downloaded again' if self.url else f'replace it ({self.how})'
            raise HashVerificationError(f'{location}: the md5 of the file is {found}, but that of the campaign is '
                                        f'{self.md5}, so it is damaged or another version: {again}')
        return str(location)

    def _download(self, location: Path) -> None:
        # Under another name first: ir_datasets takes a page that says 404 for the file.
        trial = location.with_name(f'.{location.name}.download')
        sources = [RequestsDownload(self.url)]
        if self.md5 is not None:  # where ir_datasets keeps copies that people have made themselves
            copy = Path(ir_datasets.util.home_path()) / 'downloads' / self.md5
            sources.insert(0, LocalDownload(copy, f'If you have a local copy of {self.url}, you can symlink it here to '
                                                  f'avoid downloading it again: {copy}', mkdir=False))
        try:
            trial.unlink(missing_ok=True)
            Download(sources, cache_path=str(trial), expected_md5=self.md5).path()
            if self.md5 is None and self.read is not None and not self.read(str(trial)):
                raise ValueError('it is empty')
            trial.replace(location)
        except (HashVerificationError, ValueError) as error:
            raise HashVerificationError(
                f'what came from {self.url} is not the file of the campaign ({error}), so the download was cut short '
                f'or the file has changed: try again, or put the file at {location} yourself') from None
        except OSError as error:  # what requests raises too
            raise OSError(f'{self.url} cannot be downloaded ({error}): check the connection, or put the file at '
                          f'{location} yourself') from None
        finally:
            trial.unlink(missing_ok=True)


@lru_cache(maxsize=1024)
def _md5(path: str, changed: int, size: int) -> str:
    # A file that has changed has another time or size, and is read again.
    digest = hashlib.md5(usedforsecurity=False)
    with open_bytes(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
