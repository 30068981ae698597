"""The files of INEX; those of 2008-10, in text, are read and written from here, too."""

from ir_segmeasures.formats.inex.passages import InexQrel, InexScoredDoc, read_qrels, read_run, write_qrels

__all__ = ['InexQrel', 'InexScoredDoc', 'read_qrels', 'read_run', 'write_qrels']
