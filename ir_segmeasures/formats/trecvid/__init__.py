"""The files of TRECVID and of the Video Browser Showdown. Judged shots, and runs of shots, can be had from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel, read_shots, read_strata, write_shots, write_strata
    from ir_segmeasures.formats.trecvid.shot_runs import (
        ShotScoredDoc,
        qrels_topic,
        read_avs_run,
        read_shot_run,
        run_topic,
        write_avs_run,
        write_shot_run,
    )

__all__ = ['ShotQrel', 'ShotScoredDoc', 'qrels_topic', 'read_avs_run', 'read_shot_run', 'read_shots',
           'read_strata', 'run_topic', 'write_avs_run', 'write_shot_run', 'write_shots', 'write_strata']


def __getattr__(name: str) -> Any:
    if name in __all__:
        from ir_segmeasures.formats.trecvid import judged_shots, shot_runs
        return getattr(judged_shots if hasattr(judged_shots, name) else shot_runs, name)
    from ir_segmeasures.segments.old_names import renamed
    return renamed(__name__, 5)(name)
