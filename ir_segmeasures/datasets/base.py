"""The parts of every dataset: the campaigns' files in the ir_datasets home (where they belong, what they must be, how
they get there), handlers that read files with the formats, and the registration with ir_datasets. Nothing is opened or
downloaded before somebody asks for rows."""

import difflib
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, BaseScoredDocs, TrecQrel
from ir_datasets.indices import DEFAULT_DOCSTORE_OPTIONS, Docstore
from ir_datasets.util import Download, HashVerificationError, MetadataComponent, MetadataProvider, RequestsDownload

from ir_segmeasures.datasets.reading import SegmentQrels
from ir_segmeasures.formats.files.reading import read_bytes
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.user_warnings import warn_user


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

    missing = 'does not exist'  # is said of one that is not there

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
                raise FileNotFoundError(f'{location} {self.missing}: {self.how}')
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


class _Handler:
    """Rows of files.

    Args:
        read: the paths of the files, one argument each → rows
        files: what they are read from
        cls: of the rows; that of ``read`` if it is not given
        lang: of the texts, where it is known
        namespace: of the ids; the beginning of the folder of the first file if it is not given
    """

    def __init__(self, read: Callable[..., Sequence[Any]], files: Sequence[CampaignFile], cls: Any = None,
                 lang: str | None = None, namespace: str | None = None):
        self.read, self.files, self.cls = read, tuple(files), cls or getattr(read, 'cls', None)
        self._lang, self._namespace = lang, namespace or self.files[0].folder.partition('/')[0]

    def __init_subclass__(cls, kind: str = '') -> None:
        """Gives the methods the names that ir_datasets asks for, such as ``docs_count``."""
        methods = {'iter': cls.iter, 'count': cls.count, 'path': cls.path, 'cls': lambda self: self.cls,
                   'lang': lambda self: self._lang, 'namespace': lambda self: self._namespace}
        for name, method in methods.items() if kind else ():
            setattr(cls, f'{kind}_{name}', method)

    def rows(self) -> Sequence[Any]:
        return self.read(*(file.path() for file in self.files))

    def iter(self) -> Any:
        """An iterator over the rows."""
        return iter(self.rows())

    def count(self) -> int | None:
        """How many rows there are; None, for the metadata to tell, where that would take a download."""
        return len(self.rows()) if all(file.exists() for file in self.files) else None

    def path(self, force: bool = True) -> str:
        """Tells where the first file is; it is downloaded before, if need be and ``force`` says so."""
        return self.files[0].path(force)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({", ".join(file.name for file in self.files)})'


class CampaignDocs(_Handler, BaseDocs, kind='docs'):
    """Documents of files, small enough for memory."""

    def iter(self) -> Any:
        return _Docs(self.rows())

    def docs_store(self, field: str = 'doc_id', options: Any = DEFAULT_DOCSTORE_OPTIONS) -> Any:
        return _Store({getattr(row, field): row for row in self.rows()}, self.cls, field, options)


class _Docs(Iterator[Any]):
    """An iterator over documents that can be sliced, as those of ir_datasets."""

    def __init__(self, rows: Sequence[Any]):
        self._rows, self._left = rows, iter(rows)

    def __next__(self) -> Any:
        return next(self._left)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return self._rows[key]
        part = ir_datasets.util.apply_sub_slice(slice(0, len(self._rows), 1), key)  # also docs_iter()[:1/3]
        return _Docs(list(self._rows)[part])


class _Store(Docstore):
    def __init__(self, rows: dict[str, Any], cls: Any, field: str, options: Any):
        super().__init__(cls, field, options)
        self._rows = rows

    def get_many_iter(self, doc_ids: Any) -> Iterator[Any]:
        return (self._rows[doc_id] for doc_id in doc_ids if doc_id in self._rows)


class CampaignQueries(_Handler, BaseQueries, kind='queries'):
    """Queries, or anchors, of files."""


class CampaignQrels(_Handler, BaseQrels, kind='qrels'):
    """Judgements of files, with segment ids.

    Args:
        read: as for all handlers, or the name of a format
        files, cls: as for all handlers; the class of ``read`` if it is not given
        defs: what the relevance scores mean
        run_format: the format of ``ir_segmeasures.formats`` that the campaign's runs are in; that of ``read`` if it
            is not given and has runs, else ``trec``
    """
    def __init__(self, read: Any, files: Sequence[CampaignFile], cls: Any = None,
                 defs: Mapping[int, str] = {}, run_format: str | None = None):
        read = SegmentQrels(read) if isinstance(read, str) else read
        super().__init__(read, files, cls or getattr(read, 'cls', TrecQrel))
        format = getattr(read, 'format', None)
        self._defs, self.run_format = defs, run_format or (format.name if format and format.run else 'trec')

    def qrels_defs(self) -> dict[int, str]:
        return dict(self._defs)


class CampaignScoredDocs(_Handler, BaseScoredDocs, kind='scoreddocs'):
    """A run of files, with segment ids."""


class Documentation:
    """The documentation of a dataset, as ir_datasets shows it, from its entry in ``documentation.yaml``; how
    files tell how to get the data.

    Args:
        id: of the dataset
        handlers: of its docs, queries, qrels and scoreddocs
    """

    def __init__(self, id: str, handlers: Sequence[Any]):
        self.id, self._handlers = id, tuple(handlers)

    def documentation(self) -> dict[str, Any]:
        """The entries of ir_datasets' own documentation, and the licence; ``bibtex`` is the entry of ``bibtex_ids``."""
        papers, known = _written()['papers'], _written()['collections']
        entries = {**known.get(self.id.partition('/')[0], {}),
                   **known.get(self.id, known.get(_YEAR.sub('{year}', self.id), {}))}
        year = next(iter(_YEAR.findall(self.id)), '')
        entries |= {name: entry.replace('{year}', year) for name, entry in entries.items() if isinstance(entry, str)}
        key = entries.pop('paper', None)
        if key is not None:
            entries |= {'bibtex_ids': [key], **papers[key]}
        files = {file.name: file for handler in self._handlers for file in getattr(handler, 'files', ())}
        how = [f'{name} is downloaded when it is first read' if file.url else f'{name}: {file.how}'
               for name, file in files.items() if not file.exists()]
        formats = dict.fromkeys(f'runs are read with the format {handler.run_format!r}' for handler in self._handlers
                                if hasattr(handler, 'run_format'))
        entries.setdefault('pretty_name', self.id)
        entries['data_access'] = '; '.join([*how, *formats]) or 'each part has an id of its own'
        return {name: entry for name, entry in entries.items() if entry}


_YEAR = re.compile(r'(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])')


@lru_cache(1)
def _written() -> Any:
    import yaml  # ir_datasets has it
    with open(os.path.join(os.path.dirname(__file__), 'documentation.yaml'), encoding='utf-8') as file:
        return yaml.safe_load(file)


def load(id: str) -> Any:
    """The dataset, as ``ir_datasets.load`` has it.

    Examples:
        >>> from ir_segmeasures import datasets
        >>> datasets.load('mediaeval-sh/2014/search').qrels_count()
        9615

    Raises:
        ValueError: there is no such dataset; the sentence names those with similar ids
    """
    try:
        return ir_datasets.load(id)
    except KeyError:
        near = difflib.get_close_matches(id, list(ir_datasets.registry), n=3)
        similar = f'similar ids are {", ".join(near)}' if near else "'ir_segmeasures datasets' lists those of segments"
        raise ValueError(f'there is no dataset {quoted(id)}: {similar}') from None


class _Metadata(MetadataProvider):
    """How many rows the handlers of a dataset have: as it is known without the files, or as the files have it."""

    def __init__(self, counts: Mapping[str, int], handlers: Dataset):
        super().__init__(dict)
        self._counts, self._handlers = dict(counts), handlers

    def get_metadata(self, dsid: str, entity_type: Any) -> dict[str, int]:
        kind = ir_datasets.EntityType(entity_type).value
        count = self._counts.get(kind)
        if count is None and self._handlers.has(kind):
            handler = getattr(self._handlers, f'{kind}_handler')()
            count = handler.count() if isinstance(handler, _Handler) else None
        return {} if count is None else {'count': count}


class _Dataset(Dataset):
    """A dataset that is whole again when it has been pickled."""

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self._beta_apis: dict[str, Any] = {}


DATASETS: dict[str, Dataset] = {}  # what was registered here, by id


def register_dataset(id: str, *handlers: Any, counts: Mapping[str, int] | None = None) -> None:
    """Makes a dataset known to ir_datasets, with a warning instead if it has another one of this id.

    Args:
        id: lower case, with ``/`` between its parts
        handlers: of its docs, queries, qrels and scoreddocs
        counts: how many of each there are, where that is known without the files
    """
    if id in DATASETS:
        return
    if id in set(ir_datasets.registry):
        warn_user(f'ir_datasets has a dataset {quoted(id)} from elsewhere, so that of ir_segmeasures is left out')
        return
    dataset = _Dataset(*handlers, Documentation(id, handlers))
    DATASETS[id] = _Dataset(MetadataComponent(id, dataset, _Metadata(counts or {}, dataset)), dataset)
    ir_datasets.registry.register(id, DATASETS[id])
