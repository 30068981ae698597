"""``python -m ir_segmeasures`` is the command ``ir_segmeasures``."""

from ir_segmeasures.commands import main

if __name__ == '__main__':
    main()
