"""``ir_segmeasures datasets``: the collections that ir_datasets knows through this package."""

import os
from collections import Counter
from functools import partial
from typing import Any

from ir_segmeasures import datasets, formats
from ir_segmeasures.commands import inputs, streams
from ir_segmeasures.commands.parser import Command, UsageError, argument, option
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.user_warnings import warn

_OF_TREC = 'query_id', 'doc_id', 'relevance', 'iteration', 'score'
KINDS = ('docs', 'queries', 'qrels', 'scoreddocs')
_id: Any = partial(argument, help='the id of the collection', metavar='ID', complete=lambda: datasets.DATASETS)


class List(Command):
    """List the collections with judged segments that ir_datasets and PyTerrier know by this package: their ids, what
    each of them has, and whether its files are on this machine. 'datasets show', 'export', 'add' and 'remove' do more.
    """
    EXAMPLE = 'datasets add mine/track --qrels qrels.txt --queries topics.tsv'

    def run(self) -> None:
        width = max(map(len, datasets.DATASETS))
        for id, dataset in sorted(datasets.DATASETS.items()):
            handlers = _handlers(dataset)
            files = {file.location: _state(file)
                     for handler in handlers.values() for file in getattr(handler, 'files', ())}
            states = (f'{count} {state}' if count < len(files) else state
                      for state, count in Counter(files.values()).items())
            print(f'{id:{width}}  {" ".join(handlers) or "-":23}  {", ".join(states)}'.rstrip())


class Show(Command):
    """Show all that is known about one collection."""
    EXAMPLE = 'datasets show mediaeval-sh/2014/search'
    id: str = _id()

    def run(self) -> None:
        dataset = datasets.load(self.id)
        entry = dataset.documentation() if hasattr(dataset, 'documentation') else {}
        print(self.id)
        for name in ('pretty_name', 'desc', 'official_measures', 'data_access', 'source', 'licence', 'citation'):
            if text := entry.get(name):
                print(f'{name.replace("_", " ")}: {" ".join(text if isinstance(text, list) else text.split())}')
        for kind, handler in _handlers(dataset).items():
            fields = ', '.join(getattr(dataset, f'{kind}_cls')()._fields)
            try:
                count = getattr(dataset, f'{kind}_count')()
                print(f'{kind}: {"unknown number" if count is None else count} ({fields})')
            except (OSError, ValueError) as error:
                print(f'{kind}: cannot be read ({fields}): {error}')
            for file in getattr(handler, 'files', ()):
                print(f'  {file.location}  {_state(file)}')


class Export(Command):
    """Print the judgements, queries, documents or a run of a collection.

    Args:
        what: what to print; scoreddocs are a run
        to: trec (the default of qrels and scoreddocs), tsv (the default of others) or jsonl
    """
    EXAMPLE = 'datasets export mediaeval-sh/2014/search qrels'
    id: str = _id()
    what: str = argument(choices=('qrels', 'queries', 'docs', 'scoreddocs'))
    to: str | None = option(also=('--format',), choices=('trec', 'tsv', 'jsonl'))

    def run(self) -> None:
        dataset = datasets.load(self.id)
        if not dataset.has(self.what):
            provided = ', '.join(_handlers(dataset)) or 'nothing'
            raise ValueError(f'the dataset {self.id} has no {self.what} (it has {provided})')
        in_trec = self.what in ('qrels', 'scoreddocs')
        format = self.to or ('trec' if in_trec else 'tsv')
        if format == 'trec' and not in_trec:
            raise UsageError(f'{self.what} cannot be written in the format trec')
        fields = list(getattr(dataset, f'{self.what}_cls')()._fields)
        if format == 'trec':  # with fields beside them, the host would write more columns than TREC has
            if lost := [name for name in fields if name not in _OF_TREC]:
                streams.note(f'left out, since TREC {self.what} have no place for it: {", ".join(lost)}')
            fields = ['relevance'] * (self.what == 'qrels')
        import ir_datasets
        ir_datasets.main(['export', self.id, self.what, '--format', format, *(['--fields', *fields] if fields else [])])


class Add(Command):
    """Make a collection of your own files. They are checked, and stay where they are.

    Args:
        name: the id of the collection, in lower case, such as mine/2026
        qrels: the judgements (also packed, as .gz)
        source_format: the format of the judgements, one that 'ir_segmeasures formats' lists (default: that of
            the ending, else trec)
        queries: the queries
        queries_format: the format of the queries: %(choices)s (default: tsv, lines of id, tab, text; or a
            .csv with columns such as qid and query)
        docs: the documents
        docs_format: the format of the documents: %(choices)s (default: tsv; videos are lines of id HH:MM:SS,
            durations of id seconds, lengths of id characters)
        replace: replace a collection that was added under this name
    """
    EXAMPLE = 'datasets add mine/track --qrels qrels.txt --queries topics.tsv'
    name: str = argument(metavar='NAME')
    qrels: str | None = option(metavar='FILE')
    source_format: str = option('trec', names=('--from',), also=('--qrels-format',), choices=formats.FORMATS,
                                metavar='FORMAT')
    queries: str | None = option(metavar='FILE')
    queries_format: str = option('tsv', choices=datasets.QUERIES_FORMATS, metavar='FORMAT')
    docs: str | None = option(metavar='FILE')
    docs_format: str = option('tsv', choices=datasets.DOCS_FORMATS, metavar='FORMAT')
    replace: bool = option(False, names=('--force',), also=('--replace',))

    def run(self) -> None:
        if self.docs and os.path.isdir(self.docs):
            raise UsageError(f'--docs: {self.docs} is a folder: name a file of {", ".join(datasets.DOCS_FORMATS)} by '
                             '--docs-format; transcripts take view --docs FOLDER, or pt.segments.read_transcripts')
        if self.qrels and os.path.isfile(self.qrels):
            inputs.read_rows(ReadRequest(self.qrels, 'qrels', self.source_format), swapped='give the judgements')
        try:
            dataset = datasets.add(self.name, self.qrels, self.queries, self.docs, qrels_format=self.source_format,
                                   queries_format=self.queries_format, docs_format=self.docs_format,
                                   replace=self.replace)
        except formats.FormatError as error:
            if self.docs is None or error.path != os.path.abspath(self.docs) or self.docs_format != 'tsv':
                raise
            raise formats.FormatError(f'{error.sentence}; lengths take --docs-format durations (seconds), lengths '
                                      '(characters) or videos (HH:MM:SS)', self.docs, error.line) from None
        if self.qrels and self.queries:
            known, judged = ({row.query_id for row in rows()} for rows in (dataset.queries_iter, dataset.qrels_iter))
            warn([f'none of the {len(judged)} judged queries is among the {len(known)} of {self.queries} (such as '
                  f'{quoted(min(judged))} and {quoted(min(known))}): give both the same ids, and add them with --force'
                  if judged and known and judged.isdisjoint(known) else None])
        counts = ', '.join(f'{getattr(dataset, f"{kind}_count")()} {kind}' for kind in _handlers(dataset))
        print(f"added {self.name}: {counts}; for PyTerrier it is pt.get_dataset('segments:{self.name}')")


class Remove(Command):
    """Remove a collection that was added; its files stay."""
    EXAMPLE = 'datasets remove mine/track'
    id: str = _id()

    def run(self) -> None:
        datasets.remove(self.id)


def _handlers(dataset: Any) -> dict[str, Any]:
    """Kind → its handler, which has the attribute ``files`` where it is not one of ir_datasets' own."""
    return {kind: getattr(dataset, f'{kind}_handler')() for kind in KINDS if dataset.has(kind)}


def _state(file: Any) -> str:
    return 'here' if file.exists() else 'downloaded when first read' if file.url else 'to be put there'


COMMANDS = {'': List, 'show': Show, 'export': Export, 'add': Add, 'remove': Remove}
