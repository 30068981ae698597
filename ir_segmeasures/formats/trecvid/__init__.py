"""The files of TRECVID and of the Video Browser Showdown. Judged shots, and runs of shots, can be had from here."""

from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel
from ir_segmeasures.formats.trecvid.shot_runs import (
    ShotScoredDoc,
    read_avs_run,
    read_shot_run,
    run_topic,
    write_avs_run,
    write_shot_run,
)
from ir_segmeasures.formats.trecvid.topics import qrels_topic

__all__ = ['ShotQrel', 'ShotScoredDoc', 'qrels_topic', 'read_avs_run', 'read_shot_run', 'run_topic', 'write_avs_run',
           'write_shot_run']
