"""``ir_segmeasures formats``: the list of the formats of runs and judgements."""


from ir_segmeasures import formats
from ir_segmeasures.commands.parser import Command


class Formats(Command):
    """List the formats of runs and qrels, with what each of them can do."""
    EXAMPLE = 'formats'

    def run(self) -> None:
        print(formats.described())
