"""How many mistakes are told, of those that change a value: ``python tests/fuzz/count_mistakes.py --seeds 1 2 3``.

The mistakes are made in files that are right (those of ``mistakes``), also in so few rows that the data cannot always
show them. With ``--commands N``, every Nth is also written to files and given to ``evaluate``, ``compare``, ``check``.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from mistakes import FACTORS, NAMES, Tables, collections, evaluated

from ir_segmeasures.commands import main as command

SHARES = (0., 0.02, 0.1, 0.5, 1.)  # of the documents, queries or rows; one of them at 0
DRAWS = 2  # of a part for each kind and share


def _chosen(ids: pd.Series, share: float, chance: random.Random, among: Any = None) -> Any:
    """The rows whose id is in a part of all ids, or of those among others."""
    known = sorted(set(ids) if among is None else set(ids) & set(among))
    return ids.isin(chance.sample(known, max(1, round(share * len(known)))))


def mistakes(tables: Tables, seed: int) -> Iterator[tuple[str, Callable[[Tables], None]]]:
    """Mistakes of all kinds: what is wrong, and a function that makes it in a copy of the tables."""
    chance = random.Random(seed)
    both = set(tables['qrels'].doc_id) & set(tables['run'].doc_id)

    def documents(side: str, share: float, change: Callable[[pd.DataFrame], Any], columns: list[str]) -> Any:
        draw = random.Random(chance.random())

        def made(copy: Tables) -> None:
            rows = _chosen(copy[side].doc_id, share, draw, both)
            copy[side].loc[rows, columns] = change(copy[side].loc[rows, columns])
        return made
    for side in ('run', 'qrels'):
        for share in SHARES:
            for _ in range(DRAWS):
                part = f'{share:.0%} of {side}' if share else f'one document of {side}'
                for form in NAMES:
                    yield f'another name, {part}', documents(side, share, lambda rows, form=form: rows.map(form), [
                        'doc_id'])
                for factor in FACTORS:
                    yield f'another unit, {part}', documents(side, share, lambda rows, factor=factor: rows * factor, [
                        'start', 'end'])
                yield f'end as length, {part}', _ends_as_lengths(side, share, chance.random())
                yield f'twice, {part}', _twice(side, share, chance.random())
    for _ in range(4 * DRAWS):
        for side in ('run', 'qrels'):
            yield f'two queries exchanged, {side}', _exchanged(side, 2, chance.random())
            yield f'five queries exchanged, {side}', _exchanged(side, 5, chance.random())
            yield f'all queries exchanged, {side}', _exchanged(side, None, chance.random())
    for share in (0.5, 1.):
        for _ in range(DRAWS):
            yield f'ranks as scores, {share:.0%}', _scored(share, chance.random(), lambda run: (
                run.groupby('query_id').cumcount() + 1))
            yield f'distances, {share:.0%}', _scored(share, chance.random(), lambda run: 1 / (
                2 + run.score - run.score.min()))
    yield 'run and qrels exchanged', lambda copy: copy.update(
        qrels=copy['run'].rename(columns={'score': 'relevance'}), run=copy['qrels'].rename(columns={
            'relevance': 'score'}))
    yield 'distances in any order', lambda copy: copy.update(
        run=copy['run'].assign(score=-copy['run'].score).sample(frac=1, random_state=seed))
    queries = tables['run'].query_id.nunique()
    for count in (1, 3, 0.4 * queries):
        yield 'few queries', lambda copy, count=count: copy.update(run=copy['run'][_chosen(
            copy['run'].query_id, count / queries, chance)])


def _ends_as_lengths(side: str, share: float, seed: float) -> Callable[[Tables], None]:
    def made(copy: Tables) -> None:
        table = copy[side]
        rows = np.random.default_rng(int(seed * 2 ** 32)).random(len(table)) < (share or 0.01)
        copy[side] = table.assign(length=table.end - table.start * ~rows).drop(columns='end')
    return made


def _twice(side: str, share: float, seed: float) -> Callable[[Tables], None]:
    def made(copy: Tables) -> None:
        again = copy[side][_chosen(copy[side].query_id, share, random.Random(seed))]
        copy[side] = pd.concat([copy[side], again], ignore_index=True)
    return made


def _exchanged(side: str, count: int | None, seed: float) -> Callable[[Tables], None]:
    def made(copy: Tables) -> None:
        ids = sorted(set(copy['run'].query_id) & set(copy['qrels'].query_id))
        draw = random.Random(seed)
        chosen = draw.sample(ids, min(count or len(ids), len(ids)))
        other = dict(zip(chosen, chosen[1:] + chosen[:1]))
        copy[side]['query_id'] = [other.get(id, id) for id in copy[side].query_id]
    return made


def _scored(share: float, seed: float, score: Callable[[pd.DataFrame], Any]) -> Callable[[Tables], None]:
    def made(copy: Tables) -> None:
        run = copy['run'].sort_values(['query_id', 'score'], ascending=[True, False], kind='stable')
        rows = _chosen(run.query_id, share, random.Random(seed))
        copy['run'] = run.assign(score=run.score.where(~rows, score(run)))
    return made


def _told(tables: Tables, before: list[float]) -> bool | None:
    """Whether a mistake is told; None where it changes no value."""
    try:
        values, sentences = evaluated(tables)
    except ValueError:
        return True
    return None if np.allclose(values, before, atol=5e-5) else bool(sentences)


def _told_by_commands(tables: Tables, folder: Path) -> dict[str, bool]:
    qrels, run = folder / 'qrels.parquet', folder / 'run.parquet'
    tables['qrels'].to_parquet(qrels)
    tables['run'].to_parquet(run)
    calls = {'evaluate': ['evaluate', qrels, run, 'T2I_AP', 'MAiSP', 'IoU_AP(iou=0.5)'],
             'compare': ['compare', qrels, run, '-m', 'T2I_AP'],
             'check': ['check', run, '--format', 'parquet', '--qrels', qrels]}
    heard = {}
    for name, words in calls.items():
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as errors:
            try:
                code: Any = command([str(word) for word in words])
            except SystemExit as error:
                code = error.code
        heard[name] = bool(code or errors.getvalue() or 'warning: ' in out.getvalue())
    return heard


def main() -> None:
    """Prints the counts of each collection, and of each kind of mistake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seeds', type=int, nargs='+', default=[1, 2, 3])
    parser.add_argument('--collections', nargs='+', metavar='NAME', help='the beginnings of their names')
    parser.add_argument('--commands', type=int, metavar='N', help='every Nth mistake is given to the commands, too')
    args = parser.parse_args()
    kinds: dict[str, Counter[str]] = {}
    for name, right, before in collections():
        if args.collections and not name.startswith(tuple(args.collections)):
            continue
        counts: Counter[str] = Counter()
        for seed in args.seeds:
            for number, (kind, make) in enumerate(mistakes(right, seed)):
                copy = {side: table.astype({'start': float, 'end': float}) for side, table in right.items()}
                make(copy)
                told = _told(copy, before)
                if told is None:
                    continue
                kinds.setdefault(kind, Counter()).update([f'{name} all', *([f'{name} told'] if told else [])])
                counts.update(['all', *(['told'] if told else [])])
                if args.commands and number % args.commands == 0:
                    with tempfile.TemporaryDirectory() as folder:
                        counts.update(f'{command} {word}' for command, heard in _told_by_commands(
                            copy, Path(folder)).items() for word in ('all', *(['told'] if heard else [])))
        print(f'{name}: {counts["told"]} of {counts["all"]} told', *(
            f'{which}: {counts[f"{which} told"]} of {counts[f"{which} all"]}' for which in (
                'evaluate', 'compare', 'check') if args.commands), sep=', ', flush=True)
    names = [name for name, *_ in collections() if any(f'{name} all' in counted for counted in kinds.values())]
    print('', 'mistake', *names, '', sep=' | ')
    for kind, counted in kinds.items():
        print('', kind, *(f'{counted[f"{name} told"]}/{counted[f"{name} all"]}' for name in names), '', sep=' | ')


if __name__ == '__main__':
    main()
