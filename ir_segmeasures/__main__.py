"""``python -m ir_segmeasures`` is the command ``ir_segmeasures``."""

import gc

from ir_segmeasures.commands import main


def run() -> None:
    """The process of the command."""
    # It is short and keeps all it reads: looking for garbage, above all at the end, would take a tenth of its time.
    gc.disable()
    try:
        main()
    finally:
        gc.freeze()


if __name__ == '__main__':
    run()
