"""The files of INEX. What the text files of 2008-10 take is here, too: ``formats.inex.read_run(path, last='end')``."""

from ir_segmeasures.formats.inex.passages import InexQrel, InexScoredDoc, read_qrels, read_run, write_qrels, write_run

__all__ = ['InexQrel', 'InexScoredDoc', 'read_qrels', 'read_run', 'write_qrels', 'write_run']
