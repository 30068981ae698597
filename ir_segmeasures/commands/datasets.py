"""``ir_segmeasures datasets``: the collections that ir_datasets knows through this package."""

import argparse
import sys
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.argument_parser import FormatsHelp, UsageError, complete

KINDS = ('docs', 'queries', 'qrels', 'scoreddocs')
# The names of the formats of queries and docs: their module would import ir_datasets, which other commands do not need.
QUERIES_FORMATS = ('tsv', 'sh-queries', 'sh-anchors', 'inex-topics', 'trecvid-topics', 'avs-topics',
                   'podcasts-topics', 'vbs-tasks', 'beir')
DOCS_FORMATS = ('tsv', 'videos', 'durations', 'lengths', 'beir')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'datasets', help=help,
        description='Collections with judged segments, which ir_datasets and PyTerrier know by this package. Without '
                    'an action, the command lists their ids, what each of them has, and whether its files are on '
                    'this machine.')
    parser.set_defaults(command=_run, parser=parser)
    actions = parser.add_subparsers(metavar='ACTION')

    action = actions.add_parser('show', help='all that is known about one collection')
    complete(action.add_argument('id', metavar='ID', help='the id of the collection'), lambda: _datasets().DATASETS)
    action.set_defaults(parser=action, action='show')

    action = actions.add_parser('export', help='print judgements, queries, documents or a run')
    complete(action.add_argument('id', metavar='ID', help='the id of the collection'), lambda: _datasets().DATASETS)
    action.add_argument('what', choices=('qrels', 'queries', 'docs', 'scoreddocs'),
                        help='what to print; scoreddocs are a run')
    action.add_argument('--format', choices=('trec', 'tsv', 'jsonl'),
                        help='trec (the default of qrels and scoreddocs), tsv (the default of others) or jsonl')
    action.add_argument('--missing', choices=('error', 'drop', 'keep'),
                        help='for qrels that were made from shots: what happens to a shot whose times are not known: '
                             'an error (the default), it is left out (drop), or it keeps its id (keep)')
    action.set_defaults(parser=action, action='export')

    action = actions.add_parser(
        'add', help='make a collection of your own files', formatter_class=FormatsHelp,
        description='Make a collection of your own files. They are checked, and copied to the ir_datasets home.',
        epilog='formats of qrels:\n{formats}\nformats of queries: tsv (id, tab, text), sh-queries and '
               'sh-anchors (XML of Search & Hyperlinking), inex-topics,\ntrecvid-topics and avs-topics '
               '(XML, or lines: number text; topic 661 of AVS becomes 1661), '
               'podcasts-topics, vbs-tasks (JSON)\nformats of docs: tsv (id, tab, text), videos '
               '(id HH:MM:SS), durations (id seconds), lengths (id characters)')
    action.add_argument('name', metavar='NAME', help='the id of the collection, in lower case, such as mine/2026')
    for kind, names, default in (('qrels', formats.FORMATS, 'trec'), ('queries', QUERIES_FORMATS, 'tsv'),
                                 ('docs', DOCS_FORMATS, 'tsv')):
        action.add_argument(f'--{kind}', metavar='FILE',
                            help=f'the file of the {"documents" if kind == "docs" else kind} (also packed, as .gz)')
        action.add_argument(f'--{kind}-format', choices=names, default=default, metavar='FORMAT',
                            help=f'format of the {kind} (default: {default})')
    action.add_argument('--replace', action='store_true', help='replace a collection that was added under this name')
    action.set_defaults(parser=action, action='add')

    action = actions.add_parser('remove', help='remove a collection that was added')
    action.add_argument('name', metavar='NAME', help='the id of the collection')
    action.set_defaults(parser=action, action='remove')


def _datasets() -> Any:
    try:
        from ir_segmeasures import datasets
    except ImportError:
        raise ValueError("the datasets need ir_datasets, which is not installed: pip install 'ir_segmeasures[datasets]'"
                         ) from None
    return datasets


def _run(args: argparse.Namespace) -> None:
    action = getattr(args, 'action', None)
    if action == 'show':
        _show(args.id)
    elif action == 'export':
        _export(args.id, args.what, args.format, args.missing)
    elif action == 'add':
        if not (args.qrels or args.queries or args.docs):
            raise UsageError('give at least one of --qrels, --queries and --docs')
        dataset = _datasets().add(args.name, args.qrels, args.queries, args.docs, qrels_format=args.qrels_format,
                                  queries_format=args.queries_format, docs_format=args.docs_format,
                                  replace=args.replace)
        counts = ', '.join(f'{getattr(dataset, f"{kind}_count")()} {kind}' for kind in _handlers(dataset))
        print(f'added {args.name}: {counts}')
    elif action == 'remove':
        _datasets().remove(args.name)
    else:
        _list_all()


def _list_all() -> None:
    DATASETS = _datasets().DATASETS
    lines = [(id, ' '.join(handlers) or '-', _where(handlers)) for id, handlers in
             ((id, _handlers(dataset)) for id, dataset in sorted(DATASETS.items()))]
    id_width, kinds_width = (max(len(line[column]) for line in lines) for column in (0, 1))
    for id, kinds, where in lines:
        print(f'{id:{id_width}}  {kinds:{kinds_width}}  {where}'.rstrip())


def _show(id: str) -> None:
    dataset = _datasets().load(id)
    entry = dataset.documentation() if hasattr(dataset, 'documentation') else {}
    print(id)
    for name in ('pretty_name', 'desc', 'official_measures', 'data_access', 'source', 'licence', 'citation'):
        text = entry.get(name)
        if text:
            print(f'{name.replace("_", " ")}: {" ".join(text) if isinstance(text, list) else " ".join(text.split())}')
    for kind, handler in _handlers(dataset).items():
        fields = ', '.join(getattr(dataset, f'{kind}_cls')()._fields)
        try:
            count = getattr(dataset, f'{kind}_count')()
            print(f'{kind}: {"unknown number" if count is None else count} ({fields})')
        except (OSError, ValueError) as error:
            print(f'{kind}: cannot be read ({fields}): {error}')
        for file in getattr(handler, 'files', ()):
            print(f'  {file.location}  {_state(file)}')


def _export(id: str, what: str, format: str | None, missing: str | None) -> None:
    dataset = _datasets().load(id)
    if not dataset.has(what):
        provided = ', '.join(_handlers(dataset)) or 'nothing'
        raise ValueError(f'the dataset {id} has no {what} (it has {provided})')
    default = 'trec' if what in ('qrels', 'scoreddocs') else 'tsv'
    format = format or default
    if format == 'trec' != default:
        raise UsageError(f'{what} cannot be written in the format trec')
    if missing:
        handler: Any = dataset.qrels_handler() if what == 'qrels' else None
        if not hasattr(handler, 'missing'):
            raise UsageError(f'--missing goes with the qrels of datasets of segments of shots, not with {id}')
        handler.missing = missing
    fields = list(getattr(dataset, f'{what}_cls')()._fields)
    if what == 'qrels' and format == 'trec':
        # With fields beside them, the host would write more columns than TREC has.
        left_out = [name for name in fields if name not in ('query_id', 'doc_id', 'relevance', 'iteration')]
        if left_out:
            names = ', '.join(left_out)
            sys.stderr.write(f'ir_segmeasures: left out, since TREC qrels have no place for it: {names}\n')
        fields = ['relevance']
    import ir_datasets
    options = [] if what == 'scoreddocs' and format == 'trec' else ['--fields', *fields]
    try:
        ir_datasets.main(['export', id, what, '--format', format, *options])
    except RuntimeError as error:  # of the host's own datasets, such as downloads that fail
        raise OSError(f'the {what} of {id} cannot be read: {error}') from None


def _handlers(dataset: Any) -> dict[str, Any]:
    return {kind: getattr(dataset, f'{kind}_handler')() for kind in KINDS if dataset.has(kind)}


def _where(handlers: dict[str, Any]) -> str:
    files = {file.location: file for handler in handlers.values() for file in getattr(handler, 'files', ())}.values()
    states = [_state(file) for file in files]
    return ', '.join(f'{states.count(state)} {state}' if len(set(states)) > 1 else state
                     for state in dict.fromkeys(states))


def _state(file: Any) -> str:
    if file.exists():
        return 'here'
    return 'downloaded when first read' if file.url else 'to be put there'
