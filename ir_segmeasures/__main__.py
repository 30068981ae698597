# PYTHON_ARGCOMPLETE_OK
"""``python -m ir_segmeasures`` is the command ``ir_segmeasures``."""

import gc
import signal
import sys


def run() -> None:
    """The process of the command."""
    # It is short and keeps all it reads: looking for garbage, above all at the end, would take a tenth of its time.
    gc.disable()
    # What tidies up after Ctrl-C does so here, too.
    signal.signal(signal.SIGTERM, _stop)
    if sys.stdout is not None:  # what its encoding cannot hold is replaced
        sys.stdout.reconfigure(errors='replace')  # type: ignore[union-attr]
    try:
        from ir_segmeasures.commands import main
        main()
    except KeyboardInterrupt:  # during an import
        sys.exit(130)
    finally:
        gc.freeze()


def _stop(number: int, _: object) -> None:
    sys.exit(128 + number)


if __name__ == '__main__':
    run()
