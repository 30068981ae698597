"""Collections with segment judgements in ir_datasets. Importing this registers them: ``ir_datasets.load(id)`` then
takes their ids, as ``D`` of the effort measures does.

No file of a dataset is opened or downloaded by that. ``ir_segmeasures datasets`` lists what there is.
"""

from importlib import import_module

from ir_segmeasures.segments.basics import needed

needed('ir_datasets', 'the datasets need ir_datasets', 'datasets')
from ir_segmeasures.datasets.base import DATASETS, load  # noqa: E402
from ir_segmeasures.datasets.local import DOCS_FORMATS, QUERIES_FORMATS, add, length, remove  # noqa: E402

__all__ = ['DATASETS', 'DOCS_FORMATS', 'QUERIES_FORMATS', 'add', 'length', 'load', 'register', 'remove']


def register() -> None:
    """Registers what is not registered yet; the import of this package has done so.

    Examples:
        >>> import ir_datasets
        >>> from ir_segmeasures import datasets
        >>> datasets.register()
        >>> ir_datasets.load('mediaeval-sh/2014/search').has_qrels()
        True
    """
    for campaign in ('mediaeval', 'trecvid', 'trec', 'inex', 'moments', 'chunks', 'local'):
        import_module(f'{__name__}.{campaign}').register_all()


register()
