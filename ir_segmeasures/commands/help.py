"""Help that lists the formats. Their modules are imported for people who ask, not for every command."""

import argparse

from ir_segmeasures import formats
from ir_segmeasures.commands.parsing import Help

__all__ = ['FormatsHelp']


class FormatsHelp(Help, argparse.RawDescriptionHelpFormatter):
    """Writes the formats, with their descriptions, in the place of ``{formats}``."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        # argparse has no other place at which a formatter can change a text.
        if '{formats}' in text:
            text = text.replace('{formats}', formats.described())
        return super()._fill_text(text, width, indent)
