# PYTHON_ARGCOMPLETE_OK
"""``python -m ir_segmeasures`` is the command ``ir_segmeasures``."""

import gc
import os
import signal
import sys


def run() -> None:
    """The process of the command."""
    # It is short and keeps all it reads: looking for garbage, above all at the end, would take a tenth of its time.
    gc.disable()
    # What tidies up after Ctrl-C does so here, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    for name in ('stdout', 'stderr'):
        if getattr(sys, name) is None:  # closed
            setattr(sys, name, open(os.devnull, 'w', encoding='utf-8'))  # noqa: SIM115
    sys.stdout.reconfigure(errors='replace')  # type: ignore[union-attr]  # what its encoding cannot hold
    try:
        from ir_segmeasures.commands import main
        main()
    except KeyboardInterrupt:  # during an import
        sys.exit(130)
    finally:
        gc.freeze()


if __name__ == '__main__':
    run()
