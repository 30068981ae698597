"""The files of TRECVID and of the Video Browser Showdown. Runs of shots can be had from here."""

from ir_segmeasures.formats.trecvid.shot_runs import ShotScoredDoc, read_avs_run, run_topic, write_avs_run
from ir_segmeasures.formats.trecvid.topics import qrels_topic

__all__ = ['ShotScoredDoc', 'qrels_topic', 'read_avs_run', 'run_topic', 'write_avs_run']
