"""
What every dataset here shares: files with checksums, handlers that read them with the formats, and the registration
with ir_datasets. Nothing is opened or downloaded before somebody asks for rows.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, BaseScoredDocs, GenericScoredDoc, TrecQrel
from ir_datasets.indices import DEFAULT_DOCSTORE_OPTIONS, Docstore
from ir_datasets.util import HashVerificationError, MetadataComponent, MetadataProvider, _DownloadConfig

from ir_segmeasures.datasets.rows import ElementQrel, InexQrel, StratumQrel
from ir_segmeasures.documents import with_ids
from ir_segmeasures.formats import FORMATS, read_qrels, read_run

__all__ = ['DATASETS', 'CampaignDocs', 'CampaignFile', 'CampaignQrels', 'CampaignQueries', 'CampaignScoredDocs',
           'Documentation', 'SegmentQrels', 'SegmentRun', 'register']

_BLOCK = 1 << 20


class CampaignFile:
    """
    A file of a campaign, in the ir_datasets home. It may be packed with gzip, with ``.gz`` at the end of its name.

    Args:
        folder: in the ir_datasets home
        name: of the file, the campaign's own where it has one
        md5: of the unpacked file, where it is known; checked whenever the file is read
        url: where it is downloaded from when it is first read; without one, people must obtain it themselves
        how: how to obtain it, in one sentence
    """

    def __init__(self, folder: str, name: str, md5: str | None = None, url: str | None = None, how: str = ''):
        self.folder, self.name, self.md5, self.url, self.how = folder, name, md5, url, how

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
        """
        Where the file is, once it is there and its checksum is right.

        Raises:
            OSError: it is missing, cannot be downloaded, or is not the campaign's file.
        """
        location = self.location
        if not force:
            return str(location)
        if not location.exists():
            if self.url is None:
                location.parent.mkdir(parents=True, exist_ok=True)  # as ir_datasets does: it is ready for the file
                raise FileNotFoundError(f'{location} does not exist: {self.how}')
            self._download(location)
        found = _md5(str(location), location.stat().st_mtime_ns, location.stat().st_size) if self.md5 else None
        if found != self.md5:
            again = 'remove it, and it is downloaded again' if self.url else f'replace it ({self.how})'
            raise HashVerificationError(f'{location}: the md5 of the file is {found}, but that of the campaign is '
                                        f'{self.md5}, so it is damaged or another version: {again}')
        return str(location)

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """The bytes of the file, unpacked. Raises as :meth:`path`."""
        path = self.path()
        with gzip.open(path) if path.endswith('.gz') else open(path, 'rb') as file:
            yield file  # type: ignore[misc]

    def _download(self, location: Path) -> None:
        source = {'url': self.url, 'expected_md5': self.md5, 'cache_path': location.name}
        try:
            _DownloadConfig(contents={'file': source}, base_path=str(location.parent))['file'].path()
        except HashVerificationError as error:
            raise HashVerificationError(
                f'what came from {self.url} is not the file of the campaign ({error}), so the download was cut short '
                f'or the file has changed: try again, or put the file at {location} yourself') from None
        except OSError as error:  # what requests raises too
            raise OSError(f'{self.url} cannot be downloaded ({error}): check the connection, or put the file at '
                          f'{location} yourself') from None


@lru_cache(maxsize=1024)
def _md5(path: str, changed: int, size: int) -> str:
    # A file that has changed has another time or size, and is read again.
    digest = hashlib.md5(usedforsecurity=False)
    try:
        with gzip.open(path) if path.endswith('.gz') else open(path, 'rb') as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except EOFError:
        raise OSError(f'{path}: the gzip data end before their end, so the file was cut short: get it again') from None
    return digest.hexdigest()


class _Handler:
    """
    Rows of files.

    Args:
        read: the paths of the files, one argument each → rows
        files: what they are read from
        cls: of the rows
    """

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any):
        self.read, self.files, self.cls = read, tuple(files), cls

    def rows(self) -> Sequence[Any]:
        return self.read(*(file.path() for file in self.files))

    def are_here(self) -> bool:
        """Whether the files can be read without a download."""
        return all(file.exists() for file in self.files)

    def count(self) -> int | None:
        """How many rows there are; None, for the metadata to tell, where that would take a download."""
        return len(self.rows()) if self.are_here() else None

    def __repr__(self) -> str:
        return f'{type(self).__name__}({", ".join(file.name for file in self.files)})'


class CampaignDocs(_Handler, BaseDocs):
    """Documents of files, small enough for memory."""

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any,
                 lang: str | None = None, namespace: str | None = None):
        super().__init__(read, files, cls)
        self._lang, self._namespace = lang, namespace

    def docs_iter(self) -> Any:
        return _Docs(self.rows())

    def docs_cls(self) -> Any:
        return self.cls

    def docs_count(self) -> int | None:
        return self.count()

    def docs_store(self, field: str = 'doc_id', options: Any = DEFAULT_DOCSTORE_OPTIONS) -> Any:
        return _Store(self.rows(), self.cls, field, options)

    def docs_path(self, force: bool = True) -> str:
        return self.files[0].path(force)

    def docs_lang(self) -> str | None:
        return self._lang

    def docs_namespace(self) -> str | None:
        return self._namespace


class _Docs:
    """An iterator over documents that can be sliced, as those of ir_datasets."""

    def __init__(self, rows: Sequence[Any]):
        self._rows, self._left = rows, iter(rows)

    def __iter__(self) -> _Docs:
        return self

    def __next__(self) -> Any:
        return next(self._left)

    def __getitem__(self, key: Any) -> Any:
        return _Docs(list(self._rows)[key]) if isinstance(key, slice) else self._rows[key]


class _Store(Docstore):
    def __init__(self, rows: Sequence[Any], cls: Any, field: str, options: Any):
        super().__init__(cls, field, options)
        self._rows = {getattr(row, field): row for row in rows}

    def get_many_iter(self, doc_ids: Any) -> Iterator[Any]:
        return (self._rows[doc_id] for doc_id in doc_ids if doc_id in self._rows)

    def built(self) -> bool:
        return True

    def count(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows.values())


class CampaignQueries(_Handler, BaseQueries):
    """Queries, or anchors, of files."""

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any,
                 lang: str | None = None, namespace: str | None = None):
        super().__init__(read, files, cls)
        self._lang, self._namespace = lang, namespace

    def queries_iter(self) -> Iterator[Any]:
        return iter(self.rows())

    def queries_cls(self) -> Any:
        return self.cls

    def queries_count(self) -> int | None:
        return self.count()

    def queries_path(self) -> str:
        return self.files[0].path()

    def queries_lang(self) -> str | None:
        return self._lang

    def queries_namespace(self) -> str | None:
        return self._namespace


class CampaignQrels(_Handler, BaseQrels):
    """
    Judgements of files, with segment ids.

    Args:
        read, files: as for all handlers
        cls: of the rows; that of ``read`` if it is not given
        defs: what the relevance scores mean
        run_format: the format of ``ir_segmeasures.formats`` that the campaign's runs are in
    """

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any = None,
                 defs: Mapping[int, str] = {}, run_format: str = 'trec'):
        super().__init__(read, files, cls or getattr(read, 'cls', TrecQrel))
        self._defs, self.run_format = defs, run_format

    def qrels_iter(self) -> Iterator[Any]:
        return iter(self.rows())

    def qrels_cls(self) -> Any:
        return self.cls

    def qrels_count(self) -> int | None:
        return self.count()

    def qrels_path(self) -> str:
        return self.files[0].path()

    def qrels_defs(self) -> dict[int, str]:
        return dict(self._defs)


class CampaignScoredDocs(_Handler, BaseScoredDocs):
    """A run of files, with segment ids."""

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any = GenericScoredDoc):
        super().__init__(read, files, cls)

    def scoreddocs_iter(self) -> Iterator[Any]:
        return iter(self.rows())

    def scoreddocs_cls(self) -> Any:
        return self.cls

    def scoreddocs_count(self) -> int | None:
        return self.count()

    def scoreddocs_path(self) -> str:
        return self.files[0].path()


_QREL_CLASSES = {'trecvid-strata': StratumQrel, 'vbs-dres': StratumQrel, 'inex-fol': InexQrel, 'inex-xml': ElementQrel}


class SegmentQrels:
    """
    Reads judgements in one of ``FORMATS``, with the segment in ``doc_id``: the four fields of TREC, and those that the
    measures of the campaign need beside them. ``cls`` is their class.
    """

    def __init__(self, format: str = 'trec'):
        self.format = format
        self.cls: Any = _QREL_CLASSES.get(format, TrecQrel)

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        return self.rows(read_qrels(path, self.format))

    def rows(self, judgements: Sequence[Any]) -> list[Any]:
        """The same for rows that are read already."""
        rows = with_ids(judgements, FORMATS[self.format].unit or 't')
        return [self.cls(*(getattr(row, field) for field in self.cls._fields)) for row in rows]


class SegmentRun:
    """Reads a run in one of ``FORMATS``, with the segment in ``doc_id``: the three fields of ir_datasets."""

    cls = GenericScoredDoc

    def __init__(self, format: str = 'trec'):
        self.format = format

    def __call__(self, path: str | os.PathLike[str]) -> list[Any]:
        rows = with_ids(read_run(path, self.format), FORMATS[self.format].unit or 't')
        return [GenericScoredDoc(row.query_id, row.doc_id, row.score) for row in rows]


class Documentation:
    """
    What ir_datasets tells about a dataset.

    Args:
        pretty_name, desc: title, and one or two sentences
        official_measures: in the syntax of ir-measures
        source: a link to where the campaign tells about the data
        licence: as far as it is known
        how: how to get the data
        citation: the paper to cite
    """

    def __init__(self, pretty_name: str, desc: str, official_measures: Sequence[str] = (), source: str = '',
                 licence: str = '', how: str = '', citation: str = ''):
        self._entries = {'pretty_name': pretty_name, 'desc': desc, 'official_measures': list(official_measures),
                         'source': source, 'licence': licence, 'data_access': how, 'citation': citation}

    def documentation(self) -> dict[str, Any]:
        return {name: entry for name, entry in self._entries.items() if entry}


DATASETS: dict[str, Dataset] = {}  # what was registered here, by id


def register(id: str, documentation: Documentation, *handlers: _Handler,
             counts: Mapping[str, int] | None = None) -> None:
    """
    Make a dataset known to ir_datasets, unless an id is known already.

    Args:
        id: lower case, with ``/`` between its parts
        handlers: of its docs, queries, qrels and scoreddocs
        counts: how many of each there are, where that is known without the files
    """
    if id in DATASETS:
        return
    if id in set(ir_datasets.registry):
        raise ValueError(f'{id!r} is a dataset of ir_datasets already: give it another name')
    dataset = Dataset(*handlers, documentation)
    metadata = {id: {kind: {'count': count} for kind, count in (counts or {}).items()}}
    DATASETS[id] = Dataset(MetadataComponent(id, dataset, MetadataProvider(lambda: metadata)), dataset)
    ir_datasets.registry.register(id, DATASETS[id])
