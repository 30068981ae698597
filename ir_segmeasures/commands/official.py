"""``ir_segmeasures official``: the scores that a campaign's or benchmark's own program prints, from its own files."""

import json
import os
import re
from collections.abc import Mapping
from math import isnan
from typing import Any

from ir_segmeasures.commands import options, streams
from ir_segmeasures.commands.parser import UsageError, advice, argument, option
from ir_segmeasures.commands.runs import run_names
from ir_segmeasures.segments.user_warnings import collected_warnings, warn
from ir_segmeasures.study.official_figures import PROGRAMS, described_programs, official, official_by_query
from ir_segmeasures.study.tables import figure, render


class Official(options.Named, options.Strict):
    """Print every score that a campaign's or benchmark's own program prints, under its names, from the files that it
    reads. Without NAME, list the programs and their files. With several systems, the table has a row for each.

    Args:
        name: the program
        truth: what is true: a file (also packed as .gz; - is standard input), or the id of its dataset
        predictions: the predictions of each system; a file that has the truth in it can stand alone
        by_query: print the scores of each query as well, where the program has them
        scores: the scores that are printed, in this order (default: all)
    """
    EXAMPLE = 'official qvhighlights truth.jsonl predictions.jsonl -o latex'
    name: str | None = argument(None, nargs='?', metavar='NAME', complete=lambda: PROGRAMS)
    truth: str | None = argument(None, nargs='?', metavar='TRUTH')
    predictions: tuple[str, ...] = argument((), nargs='*', metavar='PREDICTIONS')
    by_query: bool = option(False, names=('--by-query', '-q'))
    scores: tuple[str, ...] = options.several(
        (), more=lambda word: word not in PROGRAMS and not os.path.isfile(word), metavar='SCORE')
    output_format: str = options.table(default='tsv', choices=('tsv', 'csv', 'markdown', 'latex', 'json'))

    def run(self) -> None:
        if self.name is None:
            print(described_programs())
            return
        if self.name not in PROGRAMS:
            raise UsageError(f'no program is called {self.name!r}: {advice(self.name, PROGRAMS)}')
        program, files = PROGRAMS[self.name], [self.truth, *self.predictions]
        if self.truth is None or (len(files) < 2 and program.truth_format):
            raise UsageError(f'the program of {self.name} reads two files: name TRUTH and PREDICTIONS')
        if self.by_query and (program.by_query is None or len(files) > 2):
            raise UsageError(f'the program of {self.name} has no scores of single queries here: leave out --by-query')
        predictions = self.predictions or (self.truth,)
        systems = run_names(predictions, self.names)
        truth = streams.file_of(self.truth) if program.truth_format else None
        found: dict[str, Mapping[str, float]] = {}
        for system, path in systems.items():
            file = streams.file_of(path)
            try:
                with collected_warnings() as doubts:
                    found |= official_by_query(self.name, truth, file) if self.by_query else {}
                    found['all' if len(systems) == 1 else system] = official(self.name, truth, file)
            except ValueError as error:
                if truth and self._can_read(file, truth):
                    raise ValueError(f'{truth} looks like predictions, and {file} like the truth: are the two swapped? '
                                     'Name the truth first, and predictions behind it') from None
                is_named = any(name and name in str(error) for name in (truth, file))
                of = truth if re.search(' of the truth (is|has) ', str(error)) else file
                raise error if is_named else ValueError(f'{of}: {error}') from None
            warn(f'{system}: {doubt}' if len(systems) > 1 and 'predict' in doubt else doubt for doubt in doubts)
        for values in found.values() if self.scores else ():
            for name in (name for name in self.scores if name not in values):
                raise UsageError(f'--scores: the program of {self.name} has no {name!r}: {advice(name, values)}')
        found = {row: {name: values[name] for name in self.scores or values} for row, values in found.items()}
        print(self._written(found, len(systems) > 1, program.decimals), end='')

    def _can_read(self, truth: str, predictions: str) -> bool:
        try:
            with collected_warnings():
                return bool(official(str(self.name), truth, predictions))
        except (ValueError, OSError):
            return False

    def _written(self, found: dict[str, Mapping[str, float]], are_systems: bool, decimals: int | None) -> str:
        if self.output_format == 'json':
            plain = {row: {name: None if isnan(value) else value for name, value in values.items()}
                     for row, values in found.items()}  # JSON has no NaN
            return json.dumps(plain if self.by_query or are_systems else plain['all'], indent=1) + '\n'
        places = -1 if decimals is None else decimals
        rows: list[dict[str, Any]] = (
            [{'system': system, **values} for system, values in found.items()] if are_systems else
            [{**({'query': row} if self.by_query else {}), 'figure': name, 'value': value}
             for row, values in found.items() for name, value in values.items()])
        if self.output_format == 'tsv':
            head = ['\t'.join(rows[0]) + '\n'] if are_systems else []
            return ''.join(head + ['\t'.join(figure(value, places) for value in row.values()) + '\n' for row in rows])
        return render(rows, self.output_format, places)
