"""``ir_segmeasures datasets``: the collections that ir_datasets knows through this package."""

import argparse
import sys
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.help import FormatsHelp
from ir_segmeasures.commands.parsing import complete

KINDS = ('docs', 'queries', 'qrels', 'scoreddocs')
# The names of the formats of queries and docs: their module would import ir_datasets, which other commands do not need.
QUERIES_FORMATS = ('tsv', 'sh-queries', 'sh-anchors', 'inex-topics', 'trecvid-topics', 'avs-topics',
                   'podcasts-topics', 'vbs-tasks')
DOCS_FORMATS = ('tsv', 'videos', 'durations', 'lengths')


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'datasets', help='list, show and export collections, or add your own',
        description='The collections with judged segments that ir_datasets and PyTerrier know through this package. '
                    'Without a further word: their ids, what each provides, and whether its files are here.')
    parser.set_defaults(command=list_all, parser=parser)
    actions = parser.add_subparsers(metavar='ACTION')

    action = actions.add_parser('show', help='all that is known about one collection')
    complete(action.add_argument('id', metavar='ID'), lambda: _datasets().DATASETS)
    action.set_defaults(command=show, parser=action)

    action = actions.add_parser('export', help='print judgements, queries, documents or a run')
    complete(action.add_argument('id', metavar='ID'), lambda: _datasets().DATASETS)
    action.add_argument('what', choices=('qrels', 'queries', 'docs', 'scoreddocs'))
    action.add_argument('--format', choices=('trec', 'tsv', 'jsonl'),
                        help='trec (the default of qrels and scoreddocs), tsv (the default of others) or jsonl')
    action.add_argument('--missing', choices=('error', 'drop', 'keep'),
                        help='for segments of shots: what becomes of shots that the tables lack (default: error)')
    action.set_defaults(command=export, parser=action)

    action = actions.add_parser(
        'add', help='make a collection of your own files', formatter_class=FormatsHelp,
        description='Make a collection of your own files. They are checked, and copied to the ir_datasets home.',
        epilog='formats of qrels:\n{formats}\nformats of queries: tsv (id, tab, text), sh-queries and '
               'sh-anchors (XML of Search & Hyperlinking), inex-topics,\ntrecvid-topics and avs-topics '
               '(XML or lines: number text; 661 of AVS is 1661), '
               'podcasts-topics, vbs-tasks (JSON)\nformats of docs: tsv (id, tab, text), videos '
               '(id HH:MM:SS), durations (id seconds), lengths (id characters)')
    action.add_argument('name', metavar='NAME', help='its id, lower case, such as mine/2026')
    for kind, names, default in (('qrels', formats.FORMATS, 'trec'), ('queries', QUERIES_FORMATS, 'tsv'),
                                 ('docs', DOCS_FORMATS, 'tsv')):
        action.add_argument(f'--{kind}', metavar='FILE', help=f'{kind} (.gz is read as it is)')
        action.add_argument(f'--{kind}-format', choices=names, default=default, metavar='FORMAT',
                            help=f'format of the {kind} (default: {default})')
    action.add_argument('--replace', action='store_true', help='replace a collection that was added under this name')
    action.set_defaults(command=add, parser=action)

    action = actions.add_parser('remove', help='remove a collection that was added')
    action.add_argument('name', metavar='NAME')
    action.set_defaults(command=remove, parser=action)


def _datasets() -> Any:
    try:
        from ir_segmeasures import datasets
    except ImportError:
        raise ValueError("the datasets need ir_datasets, which is not installed: pip install 'ir_segmeasures[datasets]'"
                         ) from None
    return datasets


def list_all(args: argparse.Namespace) -> None:
    DATASETS = _datasets().DATASETS
    lines = [(id, ' '.join(handlers) or '-', _where(handlers)) for id, handlers in
             ((id, _handlers(dataset)) for id, dataset in sorted(DATASETS.items()))]
    id_width, kinds_width = (max(len(line[column]) for line in lines) for column in (0, 1))
    for id, kinds, where in lines:
        print(f'{id:{id_width}}  {kinds:{kinds_width}}  {where}'.rstrip())


def show(args: argparse.Namespace) -> None:
    dataset = _datasets().load(args.id)
    entry = dataset.documentation() if hasattr(dataset, 'documentation') else {}
    print(args.id)
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


def export(args: argparse.Namespace) -> None:
    dataset = _datasets().load(args.id)
    if not dataset.has(args.what):
        provided = ', '.join(_handlers(dataset)) or 'nothing'
        raise ValueError(f'the dataset {args.id} has no {args.what} (it has {provided})')
    default = 'trec' if args.what in ('qrels', 'scoreddocs') else 'tsv'
    format = args.format or default
    if format == 'trec' != default:
        args.parser.error(f'{args.what} cannot be written in the format trec')
    if args.missing:
        handler: Any = dataset.qrels_handler() if args.what == 'qrels' else None
        if not hasattr(handler, 'missing'):
            args.parser.error(f'--missing goes with the qrels of datasets of segments of shots, not with {args.id}')
        handler.missing = args.missing
    fields = list(getattr(dataset, f'{args.what}_cls')()._fields)
    if args.what == 'qrels' and format == 'trec':
        # With fields beside them, the host would write more columns than TREC has.
        left_out = [name for name in fields if name not in ('query_id', 'doc_id', 'relevance', 'iteration')]
        if left_out:
            names = ', '.join(left_out)
            sys.stderr.write(f'ir_segmeasures: left out, since TREC qrels have no place for it: {names}\n')
        fields = ['relevance']
    import ir_datasets
    options = [] if args.what == 'scoreddocs' and format == 'trec' else ['--fields', *fields]
    try:
        ir_datasets.main(['export', args.id, args.what, '--format', format, *options])
    except RuntimeError as error:  # of the host's own datasets, such as downloads that fail
        raise OSError(f'the {args.what} of {args.id} cannot be read: {error}') from None


def add(args: argparse.Namespace) -> None:
    local = _datasets().local
    if not (args.qrels or args.queries or args.docs):
        args.parser.error('give at least one of --qrels, --queries and --docs')
    dataset = local.add(args.name, args.qrels, args.queries, args.docs, qrels_format=args.qrels_format,
                        queries_format=args.queries_format, docs_format=args.docs_format, replace=args.replace)
    counts = ', '.join(f'{getattr(dataset, f"{kind}_count")()} {kind}' for kind in _handlers(dataset))
    print(f'added {args.name}: {counts}')


def remove(args: argparse.Namespace) -> None:
    _datasets().remove(args.name)


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
