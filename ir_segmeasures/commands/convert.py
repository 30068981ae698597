"""``ir_segmeasures convert``: a run or qrels of one campaign as a file of another."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.parser import UsageError, argument, option
from ir_segmeasures.formats.extents import read_extents
from ir_segmeasures.formats.requests import ReadRequest, files_of_kind
from ir_segmeasures.segments.tables.columns import RowError


class Convert(options.Strict, options.Reading, options.Writing):
    """Write a run or qrels in another format. Queries, segments and their order stay what they are: where the other
    format cannot hold one of them unchanged, nothing is written. A message lists the columns for which the other format
    has no place. 'ir_segmeasures formats' lists the formats.

    Args:
        input: the file to read (also packed as .gz; - is standard input)
        output: the file to write (packed if it ends in .gz; standard output as -)
        target: the format of OUT (default: the one that its ending says)
        kind: what IN is (default: run, or qrels in a format that has no runs)
        round: round positions and grades to whole numbers, for formats that have no others; a message says how
            many rows this changes
        elements: for qrels: judge the elements of a table, lines "id document start end", by the share of each that
            IN highlights
    """
    EXAMPLE = 'convert my.run my.parquet --from trec --to parquet'
    input: str = argument(metavar='IN')
    output: str = argument(metavar='OUT')
    target: str | None = option(names=('--to',), metavar='FORMAT', choices=formats.FORMATS)
    kind: str = options.kind()
    round: bool = option(False)
    elements: str | None = option(metavar='TABLE')

    def run(self) -> None:
        if not self.kind:
            return self.with_kind(self.input).run()
        request = self.request(streams.file_of(self.input), self.kind)
        ending = os.path.splitext(self.output.removesuffix('.gz'))[1].lower()
        asked = self.target or {**formats.SUFFIXES, **dict.fromkeys(('.qrels', '.run', '.trec'), 'trec')}.get(ending)
        if asked is None:
            raise UsageError(f'{self.output} does not end as the files of one format do: name it with --to')
        source, wanted = formats.FORMATS[request.true_format], formats.FORMATS[asked].files(self.kind)
        given = files_of_kind(source.name, self.kind)
        if self.elements is not None and self.kind != 'qrels':
            raise UsageError('--elements makes judgements of judgements: add --kind qrels')
        if wanted is None or wanted.write is None:
            raise UsageError(f'{self.kind} of format {asked} cannot be written')
        streams.refuse_to_replace(self, 'output', inputs.holds(self.kind, asked))
        for name in ('clip', 'normalised', 'subset', 'task'):
            if getattr(self, name) and name not in (*given.options, *wanted.write_options):
                raise UsageError(f'--{name} is not for {self.kind} of {source.name} and {asked}: leave it out')
        write_options: dict[str, Any] = {'task': self.task, 'queries': given.queries and given.queries(request.path)}
        write = partial(wanted.write, unit=source.unit, **{
            name: value for name, value in write_options.items() if value and name in wanted.write_options})
        request = replace(request, task=self.task if 'task' in given.options else None)
        if lost := self._written(request, write):
            streams.note(f'left out of {self.output}: {", ".join(lost)}')

    def _written(self, request: ReadRequest, write: Callable[..., list[str]]) -> list[str]:
        """Read and write one file. Returns what is left out, in words."""
        rows = inputs.read_rows(request, 'add --from', options.OTHER_KIND[self.kind], named=True)
        rows = inputs.as_asked(inputs.within_videos(rows, request, {}), replace(request, task=None))
        if self.elements is not None:
            from ir_segmeasures.study.elements import element_judgements
            unit = self.ids_unit or formats.FORMATS[request.true_format].unit
            rows = element_judgements(rows, read_extents(self.elements, unit))
        if self.round:
            from ir_segmeasures.formats.extents import rounded
            rows, count = rounded(rows)
            streams.note(f'{count} of {len(rows)} rows of {request.path} are rounded to whole numbers')
        try:
            if self.output != '-':
                return write(rows, self.output)
            with TemporaryDirectory() as folder:
                whole = Path(folder, 'output')
                lost = write(rows, str(whole))
                streams.write_out(whole.read_bytes(), '-')
            return lost
        except formats.WriteError as error:
            raise request.in_file(RowError(request.kind, error.row, error.sentence), request.read()) from None
