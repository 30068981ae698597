"""Help that lists the formats."""

import argparse

from ir_segmeasures.commands.argparse_private import Help

__all__ = ['FormatsHelp']


class FormatsHelp(Help, argparse.RawDescriptionHelpFormatter):
    """Help whose description and epilog keep their lines."""
