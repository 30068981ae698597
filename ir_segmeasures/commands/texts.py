"""Texts of queries and documents that commands are given."""

import os
from typing import Any

from ir_segmeasures.commands.inputs import dataset_of
from ir_segmeasures.formats.files.reading import FormatError, read_text

__all__ = ['query_texts', 'texts_of']


def texts_of(source: str) -> Any:
    """The texts of documents: those of a folder, or of the dataset of an id."""
    if os.path.isdir(source):
        from ir_segmeasures.formats.texts import FolderTexts  # imported when it is needed
        return FolderTexts(source)
    from ir_segmeasures.study.view.texts import DatasetTexts
    return DatasetTexts(dataset_of(source, 'no folder'))


def query_texts(path: str) -> dict[str, str]:
    """The texts of the queries in a file with lines of an id, a tab and a text."""
    queries = {}
    for number, line in enumerate(read_text(path).split('\n'), 1):
        query_id, tab, text = line.partition('\t')
        if not tab and query_id:
            raise FormatError("the line has no tab, which stands between a query's id and its text: put one "
                              'there', path, number)
        queries[query_id] = text
    return queries
