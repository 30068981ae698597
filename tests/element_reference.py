"""Slow and obvious reference of the element measures for one query, in exact fractions.

It shares no code with the package. An element is (document, path), an element contains another if its path is the
beginning of the other's, and content is a set of positions. Judgements are a dict element → (e, s), the ranking is a
list of elements, and extents is a dict element → (start, end) for all of them.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any, NamedTuple

Element = tuple[str, str]
Number = int | float | str | Fraction
Model = Callable[['Case', Element, Element, list[Element]], Fraction]
ZERO, ONE = Fraction(0), Fraction(1)

GEN = {'33': '1', '23': '.75', '13': '.5', '32': '.75', '22': '.5', '12': '.25', '31': '.75', '21': '.5', '11': '.25'}
SOG = {'33': '1', '23': '.9', '13': '.75', '32': '.75', '22': '.5', '12': '.25', '31': '.25', '21': '.1', '11': '.1'}


class Case(NamedTuple):
    """Judgements and a ranking of one query."""
    extents: dict[Element, tuple[int, int]]
    judged: dict[Element, Any]  # (e, s)
    ranking: list[Element]


def exact(number: Number) -> Fraction:
    """The decimal as written."""
    return Fraction(str(number))


def content(case: Case, element: Element) -> set[tuple[str, int]]:
    return {(element[0], position) for position in range(*case.extents[element])}


def contains(outer: Element, inner: Element) -> bool:
    return outer[0] == inner[0] and inner[1].startswith(f'{outer[1]}/')


def relevant(case: Case, quant: str = 'sog') -> list[Element]:
    return [element for element, (e, s) in case.judged.items() if s and (e or quant == 'lifted2005')]


def q(case: Case, element: Element, quant: str = 'sog', specificity: str = 'grades') -> Fraction:
    """What an element is worth."""
    if element not in relevant(case, quant):
        return ZERO
    e, s = case.judged[element]
    if quant in ('product', 'so'):
        return Fraction(e, 3) * exact(s) / (3 if specificity == 'grades' else 1)
    if quant == 'binary':
        return ONE
    if quant.endswith('2005'):
        s = exact(s)
        return {'strict2005': Fraction(e == 2 and s == 1), 'gen2005': e * s / 2, 'lifted2005': (e + 1) * s / 3}[quant]
    table = {'strict': {'33': '1'}, 'gen': GEN, 'sog': SOG}[quant]
    return Fraction(table.get(f'{e}{s}', '0'))


def leaves(case: Case, quant: str = 'sog') -> list[Element]:
    return [one for one in relevant(case, quant)
            if not any(contains(one, other) for other in relevant(case, quant))]


def ideal_base(case: Case, ideal: str = 'kazai', **quantised: str) -> list[Element]:
    """The ideal recall base."""
    def worth(element: Element) -> Fraction:
        return q(case, element, **quantised)

    elements = list(case.judged)
    if ideal == 'full':
        return [x for x in elements if worth(x) > 0]
    if ideal == 'piwowarski':
        return [x for x in elements if worth(x) > 0
                and all(worth(z) < worth(x) for z in elements if contains(x, z))
                and all(worth(x) >= worth(y) or any(worth(z) >= worth(y) for z in elements if contains(y, z))
                        for y in elements if contains(y, x))]
    if ideal == 'focused':
        # Section 2.3: an element stays if none that is left and overlaps it is better, and those that overlap it go.
        def better(x: Element, y: Element) -> bool:
            (e, s), (f, t) = case.judged[x], case.judged[y]
            return (s, e) > (t, f) or ((s, e) == (t, f) and contains(x, y))

        left, base = relevant(case, quantised.get('quant', 'sog')), []
        while left:
            best = next(x for x in left if not any(better(y, x) for y in left
                                                   if contains(x, y) or contains(y, x)))
            base.append(best)
            left = [x for x in left if x != best and not contains(x, best) and not contains(best, x)]
        return [x for x in elements if x in base and worth(x) > 0]
    survivors = set()
    for leaf in leaves(case, quantised.get('quant', 'sog')):
        path = [leaf, *(x for x in elements if contains(x, leaf))]
        while len(path) > 1:  # of two components the one of the higher value, of equal ones the deeper
            one, other, *rest = path
            deep, high = (one, other) if contains(other, one) else (other, one)
            path = [high if worth(high) > worth(deep) else deep, *rest]
        survivors.add(path[0])
    return [x for x in elements if x in survivors and worth(x) > 0 and not any(contains(y, x) for y in survivors)]


def I2_Precall(case: Case, recall: Number | None = None, cutoff: int | None = None, **quantised: str) -> Fraction:
    n = sum((q(case, element, **quantised) for element in case.judged), ZERO)
    levels = [Fraction(i, 100) for i in range(1, 101)] if recall is None else [exact(recall)]
    return sum((_precall(case.ranking[:cutoff], level * n, lambda c: q(case, c, **quantised)) for level in levels),
               ZERO) / len(levels)


def _precall(ranking: list[Element], wanted: Fraction, worth: Callable[[Element], Fraction]) -> Fraction:
    found = j = ZERO
    for rank, element in enumerate(ranking):
        r = ZERO if element in ranking[:rank] else worth(element)
        i = 1 - r
        if wanted and found + r >= wanted:
            s = wanted - found
            return wanted / (wanted + j + s * i / (r + 1))
        found += r
        j += i
    return ZERO


def _new_parts(case: Case, cutoff: int | None, budget: int | None = None) -> list[tuple[Element, int, int]]:
    """The elements up to the cut-off, how much of each is new, and their sizes; no more than the budget is read."""
    seen: set[tuple[str, int]] = set()
    parts = []
    for element in case.ranking[:cutoff]:
        own = sorted(content(case, element))
        read = own if budget is None else own[:budget]
        parts.append((element, len(set(read) - seen), len(own)))
        seen.update(read)
        budget = None if budget is None else budget - len(read)
    return parts


def I3_R(case: Case, cutoff: int | None = None, specificity: str = 'grades', budget: int | None = None) -> Fraction:
    rel = sum((Fraction(case.judged[leaf][0], 3) for leaf in leaves(case)), ZERO)
    gained = sum((Fraction(case.judged.get(element, (0, 0))[0], 3) * Fraction(new, size)
                  for element, new, size in _new_parts(case, cutoff, budget)), ZERO)
    return gained / rel if rel else ZERO


def I3_P(case: Case, cutoff: int | None = None, specificity: str = 'grades', budget: int | None = None,
         recall: Number | None = None) -> Fraction:
    if not leaves(case):
        return ZERO
    if recall is not None:
        ranks = range(1, len(case.ranking[:cutoff]) + 1)
        return max((I3_P(case, rank, specificity, budget) for rank in ranks
                    if I3_R(case, rank, specificity, budget) >= exact(recall)), default=ZERO)
    parts = _new_parts(case, cutoff, budget)
    scale = 3 if specificity == 'grades' else 1
    total = sum(new for _, new, _ in parts)
    specific = sum((exact(case.judged.get(element, (0, 0))[1]) / scale * new for element, new, _ in parts), ZERO)
    return specific / total if total else ZERO


def gains(case: Case, alpha: Number = 1, ideal: str = 'kazai', **quantised: str) -> list[Fraction]:
    """What each rank gains."""
    a, base = exact(alpha), ideal_base(case, ideal, **quantised)
    seen: set[tuple[str, int]] = set()

    def rv(c: Element) -> Fraction:
        own, worth = content(case, c), q(case, c, **quantised)
        if not own & seen:
            return worth
        if own <= seen:
            return (1 - a) * worth
        inside = [x for x in relevant(case, quantised.get('quant', 'sog')) if contains(c, x)]
        children = [x for x in inside if not any(contains(y, x) for y in inside)]
        return a * sum((rv(x) * len(content(case, x)) for x in children), ZERO) / len(own) + (1 - a) * worth

    gained: list[Fraction] = []
    for rank, element in enumerate(case.ranking):
        gain = rv(element)
        for x in base:
            if x == element or (contains(x, element) and ideal != 'full'):
                before = sum((gained[i] for i in range(rank) if case.ranking[i] == x
                              or (contains(x, case.ranking[i]) and ideal != 'full')), ZERO)
                gain = min(gain, q(case, x, **quantised) - before)
        gained.append(gain)
        seen |= content(case, element)
    return gained


def XCG(case: Case, cutoff: int | None = None, **params: str) -> Fraction:
    return sum(gains(case, **params)[:cutoff], ZERO)


def nXCG(case: Case, cutoff: int | None = None, alpha: Number = 1, ideal: str = 'kazai', **quantised: str) -> Fraction:
    values = sorted((q(case, x, **quantised) for x in ideal_base(case, ideal, **quantised)), reverse=True)
    best = sum(values[:cutoff], ZERO)
    return sum(gains(case, alpha, ideal, **quantised)[:cutoff], ZERO) / best if best else ZERO


def MAnXCG(case: Case, cutoff: int, **params: str) -> Fraction:
    return sum((nXCG(case, rank, **params) for rank in range(1, cutoff + 1)), ZERO) / cutoff


def _curves(case: Case, **params: Any) -> tuple[list[Fraction], list[Fraction]]:
    """What the ideal recall base and the ranking have gained after 0, 1, 2 … ranks."""
    quantised = {name: params[name] for name in ('quant', 'specificity') if name in params}
    base = ideal_base(case, params.get('ideal', 'kazai'), **quantised)
    best = sorted((q(case, x, **quantised) for x in base), reverse=True)
    curves = [[ZERO], [ZERO]]
    for curve, gained in zip(curves, (best, gains(case, **params))):
        for gain in gained:
            curve.append(curve[-1] + gain)
    return curves[0], curves[1]


def ep(case: Case, recall: Number | Fraction, cutoff: int | None = None, **params: Any) -> Fraction:
    """The paper's horizontal line: where it meets both curves."""
    ideal, run = _curves(case._replace(ranking=case.ranking[:cutoff]), **params)
    wanted = exact(recall) * ideal[-1]
    if not wanted or run[-1] < wanted:
        return ZERO
    return Fraction(min(i for i, gain in enumerate(ideal) if gain >= wanted),
                    min(i for i, gain in enumerate(run) if gain >= wanted))


def gr(case: Case, cutoff: int | None = None, **params: Any) -> Fraction:
    ideal, run = _curves(case, **params)
    return run[-1 if cutoff is None else min(cutoff, len(case.ranking))] / ideal[-1] if ideal[-1] else ZERO


def MAep(case: Case, cutoff: int | None = None, **params: Any) -> Fraction:
    ideal, run = _curves(case._replace(ranking=case.ranking[:cutoff]), **params)
    if not ideal[-1]:
        return ZERO
    ranks = [rank for rank in range(1, len(run)) if run[rank] > run[rank - 1]]
    efforts = [Fraction(min((i for i, gain in enumerate(ideal) if gain >= run[rank]), default=len(ideal) - 1), rank)
               for rank in ranks]
    return sum(efforts, ZERO) / max(len(ranks), len(ideal) - 1)


def iMAep(case: Case, points: int = 100, cutoff: int | None = None, **params: Any) -> Fraction:
    return sum((ep(case, Fraction(i, points), cutoff, **params) for i in range(1, points + 1)), ZERO) / points


def none(case: Case, element: Element, unit: Element, units: list[Element]) -> Fraction:
    return Fraction(element == unit)


def hierarchical(case: Case, element: Element, unit: Element, units: list[Element]) -> Fraction:
    if element == unit or contains(element, unit):
        return ONE
    return Fraction(len(content(case, element)), len(content(case, unit))) if contains(unit, element) else ZERO


def t2i(tau: Number) -> Model:
    """The user sees a unit if every stretch without units on the way to it is shorter than tau."""
    def model(case: Case, element: Element, unit: Element, units: list[Element]) -> Fraction:
        start, end = case.extents[element][0], case.extents[unit][1]
        if element[0] != unit[0] or end <= start:
            return ZERO
        in_units = {place for x in units for place in content(case, x)}
        stretch = 0
        for position in range(start, case.extents[unit][0] + 1):
            if (unit[0], position) in in_units:
                stretch = 0
            else:
                stretch += 1
                if stretch >= exact(tau):
                    return ZERO
        return ONE
    return model


def PRUM(case: Case, model: Model = none, recall: Number | None = None, cutoff: int | None = None,
         ideal: str = 'kazai', **quantised: str) -> Fraction:
    """Every set of relevant units, and in each everything that may happen on the way down the list."""
    units = ideal_base(case, ideal, **quantised)
    ranking = case.ranking[:cutoff]
    looks = [{unit: model(case, element, unit, units) if element not in ranking[:rank] else ZERO for unit in units}
             for rank, element in enumerate(ranking)]
    worths = [q(case, unit, **quantised) for unit in units]
    levels = [Fraction(i, 100) for i in range(1, 101)] if recall is None else [exact(recall)]
    total = ZERO
    for level in levels:
        consulted = leading = ZERO
        for is_relevant in product((False, True), repeat=len(units)):
            p = ONE
            for worth, yes in zip(worths, is_relevant):
                p *= worth if yes else 1 - worth
            wanted = {unit for unit, yes in zip(units, is_relevant) if yes}
            if p:
                expected = _go(looks, wanted, len(wanted) - ceil(level * len(wanted)))
                consulted += p * expected[0]
                leading += p * expected[1]
        total += leading / consulted if consulted else ZERO
    return total / len(levels)


def _go(looks: Sequence[dict[Element, Fraction]], unseen: set[Element], enough: int) -> tuple[Fraction, Fraction]:
    """How many elements a user consults who goes on until `enough` units are unseen, and how many lead to one."""
    if len(unseen) <= enough or not looks:
        return ZERO, ZERO
    consulted, leading = ONE, ZERO
    chances = [unit for unit in unseen if looks[0][unit]]
    for seen in product((False, True), repeat=len(chances)):
        p = ONE
        for unit, yes in zip(chances, seen):
            p *= looks[0][unit] if yes else 1 - looks[0][unit]
        if p:
            after = _go(looks[1:], unseen - {unit for unit, yes in zip(chances, seen) if yes}, enough)
            consulted += p * after[0]
            leading += p * (after[1] + any(seen))
    return consulted, leading


def PRUM_collection(case: Case, collection: int, model: Model = none, recall: Number = 1, cutoff: int | None = None,
                    ideal: str = 'kazai', **quantised: str) -> Fraction:
    """Section 6.2: for each number of relevant units, the user goes on until the expected number of those seen is what
    is wanted. Expectations are taken over every set of relevant units and everything that may be seen down the list.
    """
    units = ideal_base(case, ideal, **quantised)
    ranking = case.ranking[:cutoff]
    worths = [q(case, unit, **quantised) for unit in units]
    worlds: list[tuple[Fraction, set[Element]]] = []
    for is_relevant in product((False, True), repeat=len(units)):
        p = ONE
        for worth, yes in zip(worths, is_relevant):
            p *= worth if yes else 1 - worth
        if p:
            worlds.append((p, {unit for unit, yes in zip(units, is_relevant) if yes}))
    # Rank by rank: in expectation, how many relevant units have been seen, and whether the element leads to a new one.
    states = [(p, wanted, frozenset[Element]()) for p, wanted in worlds]
    expected, leads = [ZERO], []
    for rank, element in enumerate(ranking):
        after: dict[tuple[frozenset[Element], frozenset[Element]], Fraction] = {}
        lead = ZERO
        for p, wanted, seen in states:
            looks = {unit: model(case, element, unit, units) if element not in ranking[:rank] else ZERO
                     for unit in wanted - seen}
            chances = [unit for unit in looks if looks[unit]]
            for yes in product((False, True), repeat=len(chances)):
                share = p
                for unit, is_seen in zip(chances, yes):
                    share *= looks[unit] if is_seen else 1 - looks[unit]
                lead += share * any(yes)
                key = frozenset(wanted), seen | {unit for unit, is_seen in zip(chances, yes) if is_seen}
                after[key] = after.get(key, ZERO) + share
        states = [(p, set(wanted), seen) for (wanted, seen), p in after.items() if p]
        expected.append(sum((p * len(seen) for p, _, seen in states), ZERO))
        leads.append(lead)
    rest = collection - len(set(ranking))
    left = sum((p * len(wanted - seen - set(ranking)) for p, wanted, seen in states), ZERO)
    total = some = ZERO
    for p, wanted in worlds:
        if not wanted:
            continue
        some += p
        n = ceil(exact(recall) * len(wanted))
        rank = next((rank for rank in range(len(ranking) + 1) if expected[rank] >= n), len(ranking))
        leading = sum((min(leads[i], n - expected[i]) for i in range(rank)), ZERO)
        consulted = Fraction(rank)
        if expected[rank] < n:
            lacking = n - expected[rank]
            if left and lacking <= left:
                consulted += lacking + lacking * (rest - left) / (left + 1)
                leading += lacking
            else:
                consulted += rest
                leading += left
        total += p * (leading / consulted if consulted else ZERO)
    return total / some if some else ZERO
