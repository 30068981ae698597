"""The campaigns' files in the ir_datasets home: where they belong, what they must be, how they get there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_datasets
from ir_datasets.util import Download, HashVerificationError, RequestsDownload

from ir_segmeasures.formats.files.reading import read_bytes


class CampaignFile:
    """A file of a campaign, in the ir_datasets home. It may be packed with gzip, with ``.gz`` at the end of its name.

    Args:
        folder: in the ir_datasets home, or anywhere, by its whole path
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
        """Tells where the file is, or belongs."""
        return Path(self.find()[0])

    def exists(self) -> bool:
        """Tells whether the file is here; its checksum is not looked at."""
        return self.find()[1]

    def find(self) -> tuple[str, bool]:
        """Tells where the file, or the packed one, is or belongs, and whether it is there."""
        plain = os.path.join(ir_datasets_home(), self.folder, self.name)
        return next(((path, True) for path in (plain, f'{plain}.gz') if os.path.exists(path)), (plain, False))

    def path(self, force: bool = True) -> str:
        """Tells where the file is, once it is there and its checksum is right.

        Raises:
            OSError: it is missing, cannot be downloaded, or is not the campaign's file
            FormatError: it is packed, and damaged
        """
        location, is_here = self.find()
        if not force:
            return location
        if not is_here:
            if self.url is None:
                raise FileNotFoundError(f'{location} does not exist: {self.how}')
            self._download(Path(location))
        found = hashlib.md5(read_bytes(location), usedforsecurity=False).hexdigest() if self.md5 else None
        if found != self.md5:
            again = 'remove it, and it is downloaded again' if self.url else f'replace it ({self.how})'
            raise HashVerificationError(f'{location}: the md5 of the file is {found}, but that of the campaign is '
                                        f'{self.md5}, so it is damaged or another version: {again}')
        return location

    def _download(self, location: Path) -> None:
        location.parent.mkdir(parents=True, exist_ok=True)
        # Under another name first: ir_datasets takes a page that says 404 for the file.
        trial = location.with_name(f'.{location.name}.download')
        try:
            trial.unlink(missing_ok=True)
            Download([RequestsDownload(self.url)], cache_path=str(trial), expected_md5=self.md5).path()
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


def ir_datasets_home() -> str:
    """The home of ir_datasets."""
    return str(ir_datasets.util.home_path())
