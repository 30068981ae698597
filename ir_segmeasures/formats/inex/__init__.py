"""The files of INEX. What the text files of 2008-10 take is here, too: ``formats.inex.read_run(path, last='end')``."""

from __future__ import annotations

__path__ = __import__('pkgutil').extend_path(__path__, __name__)  # old names of modules

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_segmeasures.formats.inex.passages import (
        InexQrel,
        InexScoredDoc,
        read_qrels,
        read_run,
        write_qrels,
        write_run,
    )

__all__ = ['InexQrel', 'InexScoredDoc', 'read_qrels', 'read_run', 'write_qrels', 'write_run']


def __getattr__(name: str) -> Any:
    if name in __all__:  # the XML files have no need of them
        from ir_segmeasures.formats.inex import passages
        return getattr(passages, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
