"""``ir_segmeasures official``: what a campaign's or benchmark's own program prints, of its own files."""

import argparse
from collections.abc import Iterable
from math import isnan
from typing import Any

from ir_segmeasures.commands.argument_parser import FormatsHelp, UsageError, complete, similar_names
from ir_segmeasures.commands.inputs import warning_once
from ir_segmeasures.commands.options import PACKED, add_strict
from ir_segmeasures.commands.standard_input import file_of

MEANS = 'all'
OUTPUT_FORMATS = ('tsv', 'csv', 'markdown', 'latex', 'json')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'official', help=help, formatter_class=FormatsHelp,
        description="Print every figure that a campaign's or benchmark's own program prints, under its names, of the "
                    'files that it reads.',
        epilog='programs:\n{programs}')
    complete(parser.add_argument('name', metavar='NAME', help='the program, one of those below'), _names)
    parser.add_argument('truth', metavar='TRUTH', help=f'the file of what is true ({PACKED}), or the id of its dataset')
    parser.add_argument('predictions', metavar='PREDICTIONS', nargs='?',
                        help='the file of predictions; where that has the truth in it, it can stand alone')
    parser.add_argument('--by-query', '-q', action='store_true',
                        help='print the figures of each query as well, where the program has them')
    parser.add_argument('--output-format', '-o', choices=OUTPUT_FORMATS, default='tsv',
                        help='tsv (the default), csv, markdown, latex (booktabs) or json, which is not rounded; the '
                             'others have as many decimals as the program prints')
    add_strict(parser)
    parser.set_defaults(command=_run, parser=parser)


def _names() -> Iterable[str]:
    from ir_segmeasures.study.official_figures import PROGRAMS
    return PROGRAMS


def _run(args: argparse.Namespace) -> None:
    from ir_segmeasures.study.official_figures import PROGRAMS, official, official_by_query
    if args.name not in PROGRAMS:
        like = similar_names(args.name, PROGRAMS)
        raise UsageError(f'no program is called {args.name!r}: '
                         + (f'did you mean {" or ".join(like)}?' if like else f'choose from {", ".join(PROGRAMS)}'))
    program = PROGRAMS[args.name]
    if args.predictions is None and program.truth_format:
        raise UsageError(f'the program of {args.name} reads two files: name that of the predictions as well')
    if args.by_query and program.by_query is None:
        raise UsageError(f'the program of {args.name} has no figures of single queries: leave out --by-query (-q)')
    if args.truth == args.predictions == '-':
        raise UsageError('- is standard input, and has either the truth or the predictions: name a file for the other')
    predictions = file_of(args.predictions or args.truth)
    truth = file_of(args.truth) if program.truth_format else None
    with warning_once(args.strict):
        queries = official_by_query(args.name, truth, predictions) if args.by_query else {}
        queries[MEANS] = official(args.name, truth, predictions)
    print(_written(queries, args.by_query, args.output_format, program.decimals), end='')


def _written(queries: dict[str, dict[str, float]], by_query: bool, format: str, decimals: int | None) -> str:
    if format == 'json':
        import json
        plain = {query: {name: None if isnan(value) else value for name, value in figures.items()}
                 for query, figures in queries.items()}  # JSON has no NaN
        return json.dumps(plain if by_query else plain[MEANS], indent=1, ensure_ascii=False) + '\n'
    from ir_segmeasures.study.tables import figure, render
    places = -1 if decimals is None else decimals
    rows = [{**({'query': query} if by_query else {}), 'figure': name, 'value': value}
            for query, figures in queries.items() for name, value in figures.items()]
    if format == 'tsv':
        return ''.join('\t'.join(figure(value, places) for value in row.values()) + '\n' for row in rows)
    return render(rows, format, places)
