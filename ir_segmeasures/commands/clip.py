"""``--task`` and ``--clip``: what readers of moments are told."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

__all__ = ['add_options', 'cut_off', 'options_of', 'ranked_videos']


def add_options(parser: argparse.ArgumentParser,
                task: str = 'which predictions of a run in the format tvr (default: VCMR)',
                ends: str = 'at 0, and at the durations that the qrels or their dataset tell') -> None:
    """Adds the options to a command."""
    parser.add_argument('--task', choices=('VCMR', 'SVMR', 'VR'), help=task)
    parser.add_argument('--clip', action='store_true',
                        help=f'with a run in the format moments or tvr: cut windows off {ends}')


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """The options that are there, for :func:`ir_segmeasures.formats.read_run`."""
    return {name: getattr(args, name) for name in ('task', 'clip') if getattr(args, name, None)}


def ranked_videos(rows: Sequence[Any], args: argparse.Namespace) -> Sequence[Any]:
    """A run or its judgements as those of whole videos, where the task is to rank these (VR)."""
    if getattr(args, 'task', None) != 'VR':
        return rows
    from ir_measures import Qrel, ScoredDoc

    from ir_segmeasures.ids.documents import to_documents
    return [Qrel(row.query_id, row.doc_id, row.relevance) if hasattr(row, 'relevance') else
            ScoredDoc(row.query_id, row.doc_id, row.score) for row in to_documents(rows)]


def cut_off(rows: Sequence[Any], args: argparse.Namespace, file: str, qrels: Sequence[Any] = ()) -> Sequence[Any]:
    """The rows within their videos, where that is asked for; says how many were cut."""
    if not args.clip:
        return rows
    from ir_segmeasures.formats.clipping import clipped
    durations = {row.doc_id: row.duration for row in qrels if getattr(row, 'duration', None) is not None}
    if not durations and hasattr(args, 'qrels'):
        durations = _of_dataset(args.qrels)
    rows, count = clipped(rows, durations)
    where = 'at 0 or at the end of their video' if durations else 'at 0 (no durations are known)'
    sys.stderr.write(f'ir_segmeasures: {count} of {len(rows)} windows of {file} are cut off {where}\n')
    return rows


def _of_dataset(id: str) -> dict[str, float]:
    try:
        from ir_segmeasures import datasets
        dataset = datasets.load(id)
    except (ImportError, ValueError):  # a file
        return {}
    if not (dataset.has_docs() and 'duration' in dataset.docs_cls()._fields):
        return {}
    return {document.doc_id: document.duration for document in dataset.docs_iter()}
