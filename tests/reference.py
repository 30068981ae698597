"""Slow and obvious reference of the measures for one query, in exact fractions.

It shares no code with the package, so that the two can be compared. The user is simulated step by step, and content is
measured in the elementary pieces between all boundaries of a document. Every function takes the judgements as a list of
(document, start, end, relevance) and the ranking as a list of (document, start, end), and returns a Fraction.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, log, log2
from typing import NamedTuple

Number = int | float | str | Fraction
Qrels = Sequence[tuple[str, Number, Number, int]]
Run = Sequence[tuple[str, Number, Number]]
Span = tuple[Fraction, Fraction]
ZERO = Fraction(0)


@cache
def exact(number: Number) -> Fraction:
    """The decimal as written, so 0.1 is one tenth."""
    return Fraction(str(number))


def relevant_spans(qrels: Qrels, rel: int = 1, apart: bool = False) -> dict[str, list[Span]]:
    """The judged segments with relevance >= rel, merged in each document where they overlap or (unless `apart`) touch,
    in order."""
    spans: dict[str, list[Span]] = {}
    for document, start, end, relevance in qrels:
        if relevance >= rel:
            spans.setdefault(document, []).append((exact(start), exact(end)))
    return {document: merged(segments, apart) for document, segments in spans.items()}


def merged(segments: list[Span], apart: bool = False) -> list[Span]:
    """Join two segments that overlap or touch (or are one), again and again until no two do."""
    segments = list(segments)
    while True:
        pair = next(((first, second) for i, first in enumerate(segments) for second in segments[i + 1:]
                     if (shares(first, second) if apart else first[0] <= second[1] and second[0] <= first[1])), None)
        if pair is None:
            return sorted(segments)
        first, second = pair
        segments.remove(first)
        segments.remove(second)
        segments.append((min(first[0], second[0]), max(first[1], second[1])))


def ranking(run: Run, cutoff: int | None = None) -> list[tuple[str, Fraction, Fraction]]:
    """The first `cutoff` items of the run (all by default), with exact numbers."""
    items = run if cutoff is None else run[:cutoff]
    return [(document, exact(start), exact(end)) for document, start, end in items]


def count(spans: dict[str, list[Span]]) -> int:
    """R: the number of relevant spans of the query."""
    return sum(len(of_document) for of_document in spans.values())


def total(spans: dict[str, list[Span]]) -> Fraction:
    """T_rel: the total length of the relevant spans of the query."""
    return sum((end - start for of_document in spans.values() for start, end in of_document), ZERO)


# The tolerance-to-irrelevance user


class Event(NamedTuple):
    """Something that happens to the user: what, at which rank, and the effort wasted until then."""

    kind: str  # 'found' (one span) or 'timeout'
    rank: int
    wasted: Fraction


def walk(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]], tau: Number, keepviewing: bool,
         init: Number) -> tuple[list[Event], Fraction]:
    """Go through the list as the user does: all events in order, and the effort wasted in the whole list."""
    tolerance = exact(tau)
    unseen = {document: list(of_document) for document, of_document in spans.items()}
    events = []
    wasted = ZERO
    for rank, (document, position, _) in enumerate(items, start=1):
        wasted += exact(init)
        while True:
            ahead = [(a, b) for a, b in unseen.get(document, [])
                     if b > position and (a <= position or a - position < tolerance)]
            if not ahead:
                wasted += tolerance
                events.append(Event('timeout', rank, wasted))
                break
            a, b = min(ahead)
            wasted += max(ZERO, a - position)
            unseen[document].remove((a, b))
            events.append(Event('found', rank, wasted))
            position = b
            if not keepviewing:
                break
    return events, wasted


def found_at_ranks(events: list[Event]) -> dict[int, int]:
    """n_k: the number of spans found at each rank where there is one."""
    found: dict[int, int] = {}
    for event in events:
        if event.kind == 'found':
            found[event.rank] = found.get(event.rank, 0) + 1
    return found


def T2I_AP(qrels: Qrels, run: Run, *, tau: Number = 15, keepviewing: bool = False, init: Number = 0, rel: int = 1,
           apart: bool = False, cutoff: int | None = None) -> Fraction:
    """(1/R) times the sum over ranks k of: spans found at k, times hits up to k, over k."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    events, _ = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    found = found_at_ranks(events)
    credit = ZERO
    for k, n_k in found.items():
        hits = len([rank for rank in found if rank <= k])
        credit += n_k * Fraction(hits, k)
    return credit / count(spans)


def P_tol(qrels: Qrels, run: Run, *, cutoff: int, tau: Number = 15, keepviewing: bool = False, init: Number = 0,
          rel: int = 1, apart: bool = False) -> Fraction:
    """Items that find a span among the first `cutoff`, over `cutoff` (however long the list is)."""
    spans = relevant_spans(qrels, rel, apart)
    events, _ = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    return Fraction(len(found_at_ranks(events)), cutoff)


def R_tol(qrels: Qrels, run: Run, *, cutoff: int, tau: Number = 15, keepviewing: bool = False, init: Number = 0,
          rel: int = 1, apart: bool = False) -> Fraction:
    """Spans found from the first `cutoff` items, over all spans."""
    spans = relevant_spans(qrels, rel, apart)
    events, _ = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    return share(Fraction(sum(found_at_ranks(events).values())), Fraction(count(spans)))


def T2I_P(qrels: Qrels, run: Run, *, T: Number, tau: Number = 15, keepviewing: bool = False, init: Number = 0,
          norm: str = 'items', rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """Mean over t = 1 … T/tau of the precision at the t-th timeout.

    With f spans found before it, the precision is f / (f + t) for norm='items', f / t for norm='effort'.
    """
    steps = exact(T) / exact(tau)
    if steps.denominator != 1 or steps < 1:
        raise ValueError(f'T={T} is not a positive multiple of tau={tau}')
    spans = relevant_spans(qrels, rel, apart)
    events, _ = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    precisions = []
    for t in range(1, int(steps) + 1):
        found = timeouts = 0
        for event in events:
            if event.kind == 'found':
                found += 1
            else:
                timeouts += 1
                if timeouts == t:
                    break
        precisions.append(Fraction(found, found + t) if norm == 'items' else Fraction(found, t))
    return sum(precisions, ZERO) / steps


class Search(NamedTuple):
    """How far a list brings a user who wants S spans: spans found, timeouts and wasted effort until then or its end."""

    satisfied: bool
    found: int
    timeouts: int
    wasted: Fraction


def search(events: list[Event], wasted: Fraction, S: Fraction) -> Search:
    """Follow the events until `found >= S`, or to the end of the list."""
    found = timeouts = 0
    for event in events:
        if event.kind == 'timeout':
            timeouts += 1
        else:
            found += 1
            if found >= S:
                return Search(True, found, timeouts, event.wasted)
    return Search(False, found, timeouts, wasted)


def desired(S: Number | None, R: int) -> Fraction:
    """The spans that the user wants: all by default, and never more than there are."""
    return Fraction(R) if S is None else min(exact(S), Fraction(R))


def T2I_Found(qrels: Qrels, run: Run, *, T: Number, tau: Number = 15, keepviewing: bool = False, init: Number = 0,
              share: bool = False, rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """How many spans are found at an effort of at most T, or their share of all."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    events, _ = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    found = Fraction(len([event for event in events if event.kind == 'found' and event.wasted <= exact(T)]))
    return found / count(spans) if share else found


def irrelevant_effort(spans: dict[str, list[Span]], D: Number) -> Fraction:
    """D - D_R: the effort to inspect what is not relevant in the whole collection."""
    if exact(D) <= total(spans):
        raise ValueError(f'D={D} is not more than the relevant content, {total(spans)}')
    return exact(D) - total(spans)


def search_length(spans: dict[str, list[Span]], result: Search, S: Fraction, tau: Number, D: Number) -> Fraction:
    """j where S spans are found, else j + s·i/(r + 1): random search for the s missing ones among the r not found."""
    if result.satisfied:
        return Fraction(result.timeouts)
    whole = ceil(irrelevant_effort(spans, D) / exact(tau))
    i = max(0, whole - result.timeouts)
    s = S - result.found
    r = count(spans) - result.found
    return result.timeouts + s * i / (r + 1)


def ESL(qrels: Qrels, run: Run, *, D: Number, S: Number | None = None, tau: Number = 15, keepviewing: bool = False,
        init: Number = 0, rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """Expected search length: the timeouts until S spans are found, in the list and then in a random search."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    irrelevant_effort(spans, D)  # D is wrong or right whatever the ranking finds
    wanted = desired(S, count(spans))
    events, wasted = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    return search_length(spans, search(events, wasted, wanted), wanted, tau, D)


def ESLRF(qrels: Qrels, run: Run, *, D: Number, S: Number | None = None, tau: Number = 15, keepviewing: bool = False,
          init: Number = 0, rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """1 minus ESL over the search length of a random search, S·I/(R + 1)."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    length = ESL(qrels, run, D=D, S=S, tau=tau, keepviewing=keepviewing, init=init, rel=rel, apart=apart,
                 cutoff=cutoff)
    whole = ceil(irrelevant_effort(spans, D) / exact(tau))
    R = count(spans)
    return 1 - length * (R + 1) / (desired(S, R) * whole)


def ESD(qrels: Qrels, run: Run, *, D: Number, S: Number | None = None, tau: Number = 15, keepviewing: bool = False,
        init: Number = 0, rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """Expected search duration: the effort wasted, w, where S spans are found, else w + s·(D - D_R - w)/(r + 1)."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    irrelevant = irrelevant_effort(spans, D)
    wanted = desired(S, count(spans))
    events, wasted = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    result = search(events, wasted, wanted)
    if result.satisfied:
        return result.wasted
    s = wanted - result.found
    r = count(spans) - result.found
    return result.wasted + s * max(ZERO, irrelevant - result.wasted) / (r + 1)


def Precall(qrels: Qrels, run: Run, *, D: Number, recall: Number | None = None, tau: Number = 15,
            keepviewing: bool = False, init: Number = 0, rel: int = 1, apart: bool = False,
            cutoff: int | None = None) -> Fraction:
    """S / (S + ESL at S) with S = recall·R, a real number; without `recall` the mean over 0.01, 0.02, … 1.00."""
    spans = relevant_spans(qrels, rel, apart)
    if not spans:
        return ZERO
    irrelevant_effort(spans, D)
    events, wasted = walk(spans, ranking(run, cutoff), tau, keepviewing, init)
    levels = [Fraction(i, 100) for i in range(1, 101)] if recall is None else [exact(recall)]
    values = []
    for level in levels:
        S = level * count(spans)
        values.append(S / (S + search_length(spans, search(events, wasted, S), S, tau, D)))
    return sum(values, ZERO) / len(values)


# Segment precision


def pieces(intervals: list[Span]) -> list[Span]:
    """The elementary pieces between all boundaries of the intervals, in order."""
    boundaries = sorted({boundary for interval in intervals for boundary in interval})
    return list(pairwise(boundaries))


def inside(piece: Span, intervals: list[Span]) -> bool:
    """Whether an elementary piece lies in one of the intervals."""
    return any(start <= piece[0] and piece[1] <= end for start, end in intervals)


def new_pieces(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]], user: str,
               overhead: Number = 0) -> list[tuple[str, Span, Fraction]]:
    """Watch item by item; the pieces of newly seen relevant content: document, piece, all effort until its end."""
    of_document = {document: pieces(spans.get(document, []) + [(a, b) for d, a, b in items if d == document])
                   for document, _, _ in items}
    seen: set[tuple[str, Span]] = set()
    W = ZERO
    found = []
    for document, start, end in items:
        W += exact(overhead)
        if start == end:  # no content, nothing to watch, although its position may lie in a span
            continue
        until = end
        if user == 'rel':
            for a, b in spans.get(document, []):
                if a < end and start < b:
                    unseen = [piece for piece in of_document[document]
                              if inside(piece, [(a, b)]) and (document, piece) not in seen]
                    until = max([until] + [piece[1] for piece in unseen])
        for piece in of_document[document]:
            if not inside(piece, [(start, until)]):
                continue
            W += piece[1] - piece[0]
            if (document, piece) not in seen and inside(piece, spans.get(document, [])):
                found.append((document, piece, W))
            seen.add((document, piece))
    return found


def watch(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]],
          user: str) -> list[tuple[Fraction, Fraction]]:
    """(V, W) after every piece of newly seen relevant content.

    W is the time watched so far, V the relevant part of it that was new. There may be several points in one relevant
    stretch; precision rises inside it, so only its end can be a maximum and the others do no harm.
    """
    V, points = ZERO, []
    for _, (start, end), W in new_pieces(spans, items, user):
        V += end - start
        points.append((V, W))
    return points


def interpolated(points: list[tuple[Fraction, Fraction]], level: Fraction, T_rel: Fraction) -> Fraction:
    """The highest V/W among the points with V >= level·T_rel, 0 if there is none."""
    return max([V / W for V, W in points if V >= level * T_rel], default=ZERO)


def AiSP(qrels: Qrels, run: Run, *, user: str = 'rel', points: int = 101, rel: int = 1,
         cutoff: int | None = None) -> Fraction:
    """Mean of the interpolated segment precision over equally spaced recall levels from 0 to 1."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    watched = watch(spans, ranking(run, cutoff), user)
    levels = [Fraction(i, points - 1) for i in range(points)]
    return sum((interpolated(watched, level, total(spans)) for level in levels), ZERO) / points


def iSP(qrels: Qrels, run: Run, *, recall: Number, user: str = 'rel', rel: int = 1,
        cutoff: int | None = None) -> Fraction:
    """Interpolated segment precision: the highest V/W where V is at least `recall` of the relevant content."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    return interpolated(watch(spans, ranking(run, cutoff), user), exact(recall), total(spans))


# In-context retrieval


def document_ranking(run: Run) -> list[str]:
    """The documents in the order of their first items."""
    documents: list[str] = []
    for document, _, _ in run:
        if document not in documents:
            documents.append(document)
    return documents


def document_score(spans: dict[str, list[Span]], run: Run, document: str, score: str, beta: Number) -> Fraction:
    """S(d): precision, recall or F of the union of all the run's parts of a document against its relevant content."""
    parts = [(start, end) for d, start, end in ranking(run) if d == document]
    relevant = spans.get(document, [])
    size = rsize = both = ZERO
    for piece in pieces(parts + relevant):
        length = piece[1] - piece[0]
        if inside(piece, parts):
            size += length
        if inside(piece, relevant):
            rsize += length
        if inside(piece, parts) and inside(piece, relevant):
            both += length
    if both == 0:
        return ZERO
    precision, recall = both / size, both / rsize
    if score == 'P':
        return precision
    if score == 'R':
        return recall
    weight = exact(beta) ** 2
    return (1 + weight) * precision * recall / (weight * precision + recall)


def gP(qrels: Qrels, run: Run, *, cutoff: int, score: str = 'F', beta: Number = 1, rel: int = 1) -> Fraction:
    """Sum of the scores of the first `cutoff` documents, over `cutoff`; documents beyond the list's end score 0."""
    spans = relevant_spans(qrels, rel)
    documents = document_ranking(run)[:cutoff]
    return sum((document_score(spans, run, document, score, beta) for document in documents), ZERO) / cutoff


def gR(qrels: Qrels, run: Run, *, cutoff: int, recall: str = 'docs', rel: int = 1) -> Fraction:
    """Relevant documents among the first `cutoff` over all relevant documents (recall='docs').

    With recall='length': all relevant content of these documents, retrieved or not, over all relevant content.
    """
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    reached = {document: spans[document] for document in document_ranking(run)[:cutoff] if document in spans}
    return Fraction(len(reached), len(spans)) if recall == 'docs' else total(reached) / total(spans)


def AgP(qrels: Qrels, run: Run, *, beta: Number = 1, score: str = 'F', recall: str = 'docs', scaled: bool = False,
        rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Sum of gP at the ranks of the relevant documents, each weighted with what it adds to gR.

    With recall='length', scaled=True: the mean of gP at these ranks, times gR by length of the whole list.
    """
    if scaled and recall != 'length':
        raise ValueError("scaled needs recall='length'")
    spans = relevant_spans(qrels, rel)
    documents = document_ranking(run)[:cutoff]
    at_relevant = {document: gP(qrels, run, cutoff=rank, score=score, beta=beta, rel=rel)
                   for rank, document in enumerate(documents, start=1) if document in spans}
    if not at_relevant:
        return ZERO
    if scaled:
        mean = sum(at_relevant.values(), ZERO) / len(at_relevant)
        return gR(qrels, run, cutoff=len(documents), recall='length', rel=rel) * mean
    if recall == 'length':
        return sum((total({document: spans[document]}) / total(spans) * value
                    for document, value in at_relevant.items()), ZERO)
    return sum(at_relevant.values(), ZERO) / len(spans)


def igP(qrels: Qrels, run: Run, *, level: Number, recall: str = 'docs', score: str = 'F', beta: Number = 1,
        rel: int = 1, cutoff: int | None = None) -> Fraction:
    """The highest gP at a rank where gR is at least `level`, 0 if there is none."""
    if not relevant_spans(qrels, rel):
        return ZERO
    ranks = range(1, len(document_ranking(run)[:cutoff]) + 1)
    return max([gP(qrels, run, cutoff=r, score=score, beta=beta, rel=rel) for r in ranks
                if gR(qrels, run, cutoff=r, recall=recall, rel=rel) >= exact(level)], default=ZERO)


def ranked_precision(relevant: list[bool], cutoff: int | None = None) -> Fraction:
    """The sum of the precisions at the ranks that are relevant."""
    relevant = relevant if cutoff is None else relevant[:cutoff]
    return sum((Fraction(sum(relevant[:k]), k) for k in range(1, len(relevant) + 1) if relevant[k - 1]), ZERO)


def shares(first: Span, second: Span) -> bool:
    """Whether two half-open intervals have content in common."""
    return max(first[0], second[0]) < min(first[1], second[1])


def overlaps_relevant(spans: dict[str, list[Span]], run: Run) -> list[bool]:
    """For each item, whether it shares content with a relevant span."""
    return [any(shares((start, end), span) for span in spans.get(document, []))
            for document, start, end in ranking(run)]


def AP_over(qrels: Qrels, run: Run, *, rel: int = 1, apart: bool = False, cutoff: int | None = None) -> Fraction:
    """The precisions at the items that overlap a relevant span, over the number of spans."""
    spans = relevant_spans(qrels, rel, apart)
    return ranked_precision(overlaps_relevant(spans, run), cutoff) / count(spans) if spans else ZERO


def P_over(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1, apart: bool = False) -> Fraction:
    """The items that overlap a relevant span in the first k, over k."""
    return Fraction(sum(overlaps_relevant(relevant_spans(qrels, rel, apart), run)[:cutoff]), cutoff)


def bins_of(start: Fraction, end: Fraction, bin: Fraction) -> list[int]:
    """The bins that an interval shares content with, found by trying all up to its end."""
    return [i for i in range(ceil(end / bin) + 1) if shares((start, end), (i * bin, (i + 1) * bin))]


def ranking_of_bins(run: Run, bin: Fraction, expand: bool) -> list[tuple[str, int]]:
    """The distinct bins that the items stand for, each at its best rank."""
    listed = []
    for document, start, end in ranking(run):
        for i in bins_of(start, end, bin) if expand else [start // bin]:
            if (document, i) not in listed:
                listed.append((document, i))
    return listed


def relevant_bins(qrels: Qrels, bin: Fraction, rel: int) -> list[tuple[str, int]]:
    """The bins that a relevant judged segment overlaps."""
    return sorted({(document, i) for document, start, end, relevance in qrels if relevance >= rel
                   for i in bins_of(exact(start), exact(end), bin)})


def AP_bin(qrels: Qrels, run: Run, *, bin: Number = 300, expand: bool = True, rel: int = 1,
           cutoff: int | None = None) -> Fraction:
    """Average precision over the ranking of bins."""
    relevant = relevant_bins(qrels, exact(bin), rel)
    hits = [place in relevant for place in ranking_of_bins(run, exact(bin), expand)]
    return ranked_precision(hits, cutoff) / len(relevant) if relevant else ZERO


def P_bin(qrels: Qrels, run: Run, *, cutoff: int, bin: Number = 300, expand: bool = True, rel: int = 1) -> Fraction:
    """The relevant bins among the first k of the ranking of bins, over k."""
    relevant = relevant_bins(qrels, exact(bin), rel)
    return Fraction(sum(place in relevant for place in ranking_of_bins(run, exact(bin), expand)[:cutoff]), cutoff)


def judged_spans(qrels: Qrels) -> dict[str, list[Span]]:
    """The content of all judged segments, of any relevance."""
    return relevant_spans(qrels, -1)


def Judged_over(qrels: Qrels, run: Run, *, cutoff: int) -> Fraction:
    """The items that overlap a judged segment in the first k, over k."""
    return Fraction(sum(overlaps_relevant(judged_spans(qrels), run)[:cutoff]), cutoff)


def Judged_bin(qrels: Qrels, run: Run, *, cutoff: int, bin: Number = 300, expand: bool = True) -> Fraction:
    """The bins that a judged segment overlaps among the first k of the ranking of bins, over k."""
    return P_bin(qrels, run, cutoff=cutoff, bin=bin, expand=expand, rel=-1)


def Judged_tol(qrels: Qrels, run: Run, *, cutoff: int, tau: Number = 15) -> Fraction:
    """The items that start in a judged segment, or less than tau before one, in the first k, over k."""
    judged = judged_spans(qrels)
    return Fraction(sum(any(first <= start < last or 0 <= first - start < exact(tau)
                            for first, last in judged.get(document, []))
                        for document, start, _ in ranking(run, cutoff)), cutoff)


def watched_after_items(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]],
                        user: str) -> list[tuple[Fraction, Fraction]]:
    """(V, W) after every item: the relevant content among all that has been watched, and the time spent watching."""
    watched: list[tuple[str, Fraction, Fraction]] = []
    after = []
    for document, start, end in items:
        until = end
        if user == 'rel':
            seen = [(a, b) for d, a, b in watched if d == document]
            for span in spans.get(document, []):
                if shares((start, end), span):
                    unseen = [piece for piece in pieces([span, *seen])
                              if inside(piece, [span]) and not inside(piece, seen)]
                    until = max([until] + [last for _, last in unseen])
        watched.append((document, start, until))
        V = contents(spans, watched).both
        W = sum((last - first for _, first, last in watched), ZERO)
        after.append((V, W))
    return after


def ASP(qrels: Qrels, run: Run, *, user: str = 'rel', rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Mean over the spans of V/W after the item that first shares content with the span, 0 where none does."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    items = ranking(run, cutoff)
    after = watched_after_items(spans, items, user)
    credit = ZERO
    for document, of_document in spans.items():
        for span in of_document:
            met = [k for k, (d, start, end) in enumerate(items) if d == document and shares((start, end), span)]
            if met:
                V, W = after[met[0]]
                credit += V / W
    return credit / count(spans)


# Retrieved and relevant content as sets


class Contents(NamedTuple):
    """Lengths of the content that is retrieved, that is relevant, and that is both."""

    retrieved: Fraction
    relevant: Fraction
    both: Fraction


def contents(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]]) -> Contents:
    """How much content the items and the spans have, counted once however often it is retrieved."""
    retrieved = relevant = both = ZERO
    for document in {document for document, _, _ in items} | set(spans):
        parts = [(start, end) for d, start, end in items if d == document]
        for piece in pieces(parts + spans.get(document, [])):
            length = piece[1] - piece[0]
            in_parts, in_spans = inside(piece, parts), inside(piece, spans.get(document, []))
            retrieved += length * in_parts
            relevant += length * in_spans
            both += length * (in_parts and in_spans)
    return Contents(retrieved, relevant, both)


def read(run: Run, cutoff: int | None, budget: Number | None) -> list[tuple[str, Fraction, Fraction]]:
    """The first `cutoff` items, and of these the beginning that a reader of `budget` units gets to.

    What is read again is paid again. The item in which the budget ends is kept up to there.
    """
    items = ranking(run, cutoff)
    if budget is None:
        return items
    left = exact(budget)
    kept = []
    for document, start, end in items:
        affordable = min(end - start, left)
        kept.append((document, start, start + affordable))
        left -= affordable
    return kept


def retrieved_contents(qrels: Qrels, run: Run, rel: int, cutoff: int | None, budget: Number | None) -> Contents:
    """The contents of what is read of a run."""
    return contents(relevant_spans(qrels, rel), read(run, cutoff, budget))


def share(part: Fraction, whole: Fraction) -> Fraction:
    """part/whole, where 0/0 is 0."""
    return part / whole if whole else ZERO


def SegP(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None, budget: Number | None = None) -> Fraction:
    """The share of the retrieved content that is relevant."""
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return share(content.both, content.retrieved)


def Judged_content(qrels: Qrels, run: Run, *, cutoff: int) -> Fraction:
    """The share of the retrieved content that is judged."""
    return SegP(qrels, run, rel=-1, cutoff=cutoff)


def shares_of_new_content(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]],
                          is_inside: bool) -> list[Fraction]:
    """Of each item the share that lies in spans, or in none, and that no item before it has."""
    found = []
    for place, (document, start, end) in enumerate(items):
        before = [(s, e) for d, s, e in items[:place] if d == document]
        of_document = spans.get(document, [])
        new = sum((high - low for low, high in pieces([(start, end), *before, *of_document])
                   if inside((low, high), [(start, end)]) and not inside((low, high), before)
                   and inside((low, high), of_document) == is_inside), ZERO)
        found.append(share(new, end - start))
    return found


def RBP_seg(qrels: Qrels, run: Run, *, p: Number = 0.8, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """(1 - p) Σ p^(k-1) g_k, where g_k is the share of item k that is relevant and new."""
    shares = shares_of_new_content(relevant_spans(qrels, rel), ranking(run, cutoff), True)
    return (1 - exact(p)) * sum((exact(p) ** place * part for place, part in enumerate(shares)), ZERO)


def RBP_residual(qrels: Qrels, run: Run, *, p: Number = 0.8, cutoff: int | None = None) -> Fraction:
    """(1 - p) Σ p^(k-1) u_k + p^n, where u_k is the share of item k that is neither judged nor seen before."""
    shares = shares_of_new_content(judged_spans(qrels), ranking(run, cutoff), False)
    return ((1 - exact(p)) * sum((exact(p) ** place * part for place, part in enumerate(shares)), ZERO)
            + exact(p) ** len(shares))


def bpref_seg(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """(1/R) Σ (1 - min(n, m) / m) over the items that are first to meet a relevant span, with n the items before that
    meet judgements which are not relevant, and nothing relevant."""
    spans = [(document, *span) for document, of_document in relevant_spans(qrels, rel).items() for span in of_document]
    judged = [*qrels, ('elsewhere', 0, 1, 0)]  # query_values.py adds it
    others = [(document, *span) for document, of_document in relevant_spans(
        [row for row in judged if row[3] < rel], 0).items() for span in of_document]
    N = sum(all(common(other, span) < size(other) for span in spans) for other in others)
    met: set[int] = set()
    n, value, m = 0, ZERO, min(len(spans), N)
    for item in ranking(run, cutoff):
        here = {place for place, span in enumerate(spans) if common(item, span) > 0}
        if here - met:
            value += 1 - Fraction(min(n, m), m) if n else 1
        elif not here:
            n += any(common(item, other) > 0 for other in others)
        met |= here
    return share(value, Fraction(len(spans)))


def SegR(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None, budget: Number | None = None) -> Fraction:
    """The share of the relevant content that is retrieved."""
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return share(content.both, content.relevant)


def SegF(qrels: Qrels, run: Run, *, beta: Number = 1, rel: int = 1, cutoff: int | None = None,
         budget: Number | None = None) -> Fraction:
    """(1 + β²)PR / (β²P + R) of SegP and SegR."""
    P = SegP(qrels, run, rel=rel, cutoff=cutoff, budget=budget)
    R = SegR(qrels, run, rel=rel, cutoff=cutoff, budget=budget)
    weight = exact(beta) ** 2
    return share((1 + weight) * P * R, weight * P + R)


def SegIoU(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None,
           budget: Number | None = None) -> Fraction:
    """The content that is retrieved and relevant, over the content that is retrieved or relevant."""
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return share(content.both, content.retrieved + content.relevant - content.both)


def SegP_omega(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """SegP of the items that share content with relevant segments, and of what of these no item has."""
    segments = relevant_segments(qrels, rel)
    items = [item for item in ranking(run, cutoff) if any(common(item, segment) > 0 for segment in segments)]
    content = contents(relevant_spans(qrels, rel), items)
    return share(content.both, content.retrieved + content.relevant - content.both)


def SegFallout(qrels: Qrels, run: Run, *, D: Number, rel: int = 1, cutoff: int | None = None,
               budget: Number | None = None) -> Fraction:
    """The share of the collection's irrelevant content, D - T_rel, that is retrieved."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return (content.retrieved - content.both) / irrelevant_effort(spans, D)


def SegMiss(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None,
            budget: Number | None = None) -> Fraction:
    """The share of the relevant content that is not retrieved."""
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return share(content.relevant - content.both, content.relevant)


def SegNoise(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None,
             budget: Number | None = None) -> Fraction:
    """The share of the retrieved content that is not relevant."""
    if not relevant_spans(qrels, rel):
        return ZERO
    content = retrieved_contents(qrels, run, rel, cutoff, budget)
    return share(content.retrieved - content.both, content.retrieved)


def SegGenerality(qrels: Qrels, run: Run, *, D: Number, rel: int = 1) -> Fraction:
    """The share of the collection that is relevant, whatever the ranking is."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    irrelevant_effort(spans, D)
    return total(spans) / exact(D)


# Judged segments as they are, unmerged


def relevant_segments(qrels: Qrels, rel: int) -> list[tuple[str, Fraction, Fraction]]:
    """The judged segments with relevance >= rel in the order of the judgements, overlapping or repeated as they are."""
    return [(document, exact(start), exact(end)) for document, start, end, relevance in qrels if relevance >= rel]


def common(first: tuple[str, Fraction, Fraction], second: tuple[str, Fraction, Fraction]) -> Fraction:
    """How much content two segments share."""
    if first[0] != second[0]:
        return ZERO
    return max(ZERO, min(first[2], second[2]) - max(first[1], second[1]))


def size(segment: tuple[str, Fraction, Fraction]) -> Fraction:
    """The length of a segment."""
    return segment[2] - segment[1]


def fraction_near(number: Number) -> Fraction:
    """The simple fraction that a float stands for: 1/3 is one third."""
    return Fraction(number).limit_denominator(10**6)


def covers(item: tuple[str, Fraction, Fraction], reference: tuple[str, Fraction, Fraction], ki: Number,
           ri: Number) -> bool:
    """Whether the common content is at least `ki` of the reference and at least `ri` of the item; none never is."""
    both = common(item, reference)
    return both > 0 and both / size(reference) >= fraction_near(ki) and both / size(item) >= fraction_near(ri)


def P_cov(qrels: Qrels, run: Run, *, ki: Number = 1 / 3, ri: Number = 2 / 3, rel: int = 1,
          cutoff: int | None = None) -> Fraction:
    """The items that cover a reference over all items, or over `cutoff` (however long the list is)."""
    references = relevant_segments(qrels, rel)
    items = ranking(run, cutoff)
    hits = [item for item in items if any(covers(item, reference, ki, ri) for reference in references)]
    return share(Fraction(len(hits)), Fraction(len(items) if cutoff is None else cutoff))


def R_cov(qrels: Qrels, run: Run, *, ki: Number = 1 / 3, ri: Number = 2 / 3, rel: int = 1,
          cutoff: int | None = None) -> Fraction:
    """The references that an item covers over all references."""
    references = relevant_segments(qrels, rel)
    hit = [reference for reference in references
           if any(covers(item, reference, ki, ri) for item in ranking(run, cutoff))]
    return share(Fraction(len(hit)), Fraction(len(references)))


def CharAP(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Average precision over characters; positions are whole numbers.

    A relevant character that is new counts as read and as relevant and is credited with relevant/read; one seen before
    is skipped; a character that is not relevant counts as read every time.
    """
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    items = ranking(run, cutoff)
    if any(position.denominator != 1
           for _, *bounds in [*items, *relevant_segments(qrels, rel)] for position in bounds):
        raise ValueError('CharAP counts characters: positions must be whole numbers')
    of_document = {document: pieces(spans.get(document, []) + [(a, b) for d, a, b in items if d == document])
                   for document, _, _ in items}
    seen: set[tuple[str, Span]] = set()
    credit = ZERO
    n = d = 0
    for document, start, end in items:
        for piece in of_document[document]:
            if not inside(piece, [(start, end)]):
                continue
            length = int(piece[1] - piece[0])
            if not inside(piece, spans.get(document, [])):
                d += length
            elif (document, piece) not in seen:
                seen.add((document, piece))
                credit += sum((Fraction(n + i, d + i) for i in range(1, length + 1)), ZERO)
                n += length
                d += length
    return credit / total(spans)


def PassageAP(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Precision by characters at the items that share some with a passage, over these items and the passages left out.

    An item belongs to the first passage, in the order of the judgements, that it shares characters with. A passage that
    is judged twice is one.
    """
    passages = relevant_segments(qrels, rel)
    n = d = credit = ZERO
    relevant_items = 0
    matched = set()
    for item in ranking(run, cutoff):
        d += size(item)
        belongs = [index for index, passage in enumerate(passages) if common(item, passage) > 0]
        if belongs:
            n += common(item, passages[belongs[0]])
            matched.add(passages[belongs[0]])
            relevant_items += 1
            credit += n / d
    return share(credit, Fraction(relevant_items + len(set(passages) - matched)))


def R_over(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1, apart: bool = False) -> Fraction:
    """The spans that one of the first k items overlaps, over all spans."""
    spans = relevant_spans(qrels, rel, apart)
    found = sum(any(document == other and shares((start, end), span) for other, start, end in ranking(run, cutoff))
                for document, of_document in spans.items() for span in of_document)
    return share(Fraction(found), Fraction(count(spans)))


@cache
def iou_of(first: tuple[str, Fraction, Fraction], second: tuple[str, Fraction, Fraction]) -> Fraction:
    """Common content over the content of either."""
    both = common(first, second)
    return share(both, size(first) + size(second) - both)


def IoU_AP(qrels: Qrels, run: Run, *, iou: Number, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Area under the interpolated precision over recall, where an item is a hit if it matches a window not yet matched.

    An item matches the free window of the highest IoU, the first judged of equal ones, if that is at least `iou`.
    """
    windows = relevant_segments(qrels, rel)
    free = list(range(len(windows)))
    hits = []
    for item in ranking(run, cutoff):
        best = max(free, key=lambda index: (iou_of(item, windows[index]), -index), default=None)
        hits.append(best is not None and iou_of(item, windows[best]) >= exact(iou))
        if hits[-1]:
            free.remove(best)
    precisions = [Fraction(sum(hits[:k]), k) for k in range(1, len(hits) + 1)]
    area = sum((max(precisions[k:]) for k, hit in enumerate(hits) if hit), ZERO)
    return share(area, Fraction(len(windows)))


def mIoU_AP(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Mean of IoU_AP over the thresholds 0.50, 0.55, … 0.95."""
    return sum((IoU_AP(qrels, run, iou=Fraction(percent, 100), rel=rel, cutoff=cutoff)
                for percent in range(50, 100, 5)), ZERO) / 10


def IoU_R(qrels: Qrels, run: Run, *, iou: Number, cutoff: int, rel: int = 1, strict: bool = False) -> Fraction:
    """1 if one of the first `cutoff` items has at least this IoU with a window, `strict`: a higher one, else 0."""
    found = mIoU(qrels, run, cutoff=cutoff, rel=rel)
    return Fraction(found > exact(iou) if strict else found >= exact(iou))


def mIoU(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1) -> Fraction:
    """The highest IoU of one of the first `cutoff` items with a window."""
    return max((iou_of(item, window) for item in ranking(run, cutoff) for window in relevant_segments(qrels, rel)),
               default=ZERO)


def mIoP(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1) -> Fraction:
    """The highest share of one of the first `cutoff` items that is in one window."""
    return max((share(common(item, window), size(item)) for item in ranking(run, cutoff)
                for window in relevant_segments(qrels, rel)), default=ZERO)


def IoP_R(qrels: Qrels, run: Run, *, cutoff: int, iop: Number = 0.5, rel: int = 1) -> Fraction:
    """1 if one of the first `cutoff` items has at least this share in one window, else 0."""
    return Fraction(mIoP(qrels, run, cutoff=cutoff, rel=rel) >= exact(iop))


# INEX: interpolated precision of what is retrieved


def retrieved_so_far(spans: dict[str, list[Span]], items: list[tuple[str, Fraction, Fraction]],
                     overlap: str) -> list[tuple[Fraction, Fraction]]:
    """(relevant, all) content retrieved up to each item that is not all empty, every bit of it counted once."""
    if overlap == 'error' and any(first[0] == second[0] and shares(first[1:], second[1:])
                                  for k, second in enumerate(items) for first in items[:k]):
        raise ValueError('an item repeats content of an earlier one')
    after = [contents(spans, items[:k]) for k in range(1, len(items) + 1)]
    return [(content.both, content.retrieved) for content in after if content.retrieved]


def iP(qrels: Qrels, run: Run, *, recall: Number, overlap: str = 'trim', rel: int = 1,
       cutoff: int | None = None) -> Fraction:
    """The best precision of what is retrieved, at this recall or a higher one."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    return interpolated(retrieved_so_far(spans, ranking(run, cutoff), overlap), exact(recall), total(spans))


def AiP(qrels: Qrels, run: Run, *, overlap: str = 'trim', rel: int = 1, cutoff: int | None = None) -> Fraction:
    """Mean of iP over recall 0, 0.01, … 1."""
    spans = relevant_spans(qrels, rel)
    if not spans:
        return ZERO
    points = retrieved_so_far(spans, ranking(run, cutoff), overlap)
    return sum((interpolated(points, Fraction(i, 100), total(spans)) for i in range(101)), ZERO) / 101


def GAP(qrels: Qrels, run: Run, *, grain: Number = 15, window: Number = 150, rel: int = 1,
        cutoff: int | None = None) -> Fraction:
    """Each item takes the nearest onset left in its document, of two equally near the earlier one."""
    left = {document: [start for start, _ in spans] for document, spans in relevant_spans(qrels, rel).items()}
    N = sum(map(len, left.values()))
    rewards: list[Fraction] = []
    value = ZERO
    for k, (document, start, _) in enumerate(ranking(run, cutoff), 1):
        onsets = left.get(document, [])
        reward = ZERO
        if onsets:
            nearest = min(onsets, key=lambda onset: (abs(start - onset), onset))
            steps = abs(start - nearest) // exact(grain)
            reward = max(ZERO, 1 - exact(grain) * steps / exact(window))
            if reward:
                onsets.remove(nearest)
        rewards.append(reward)
        if reward:
            value += sum(rewards) / k
    return value / N if N else ZERO


def AigP(qrels: Qrels, run: Run, *, points: int = 11, recall: str = 'docs', score: str = 'F', beta: Number = 1,
         rel: int = 1, cutoff: int | None = None) -> Fraction:
    return sum((igP(qrels, run, level=Fraction(i, points - 1), recall=recall, score=score, beta=beta, rel=rel,
                    cutoff=cutoff) for i in range(points)), ZERO) / points


def SegRejection(qrels: Qrels, run: Run, *, D: Number, rel: int = 1, cutoff: int | None = None,
                 budget: Number | None = None) -> Fraction:
    fallout = SegFallout(qrels, run, D=D, rel=rel, cutoff=cutoff, budget=budget)
    return 1 - fallout if relevant_spans(qrels, rel) else ZERO


def first_meetings(qrels: Qrels, run: Run, rel: int) -> list[bool]:
    """For each item, whether it shares content with a relevant segment that no item before shares content with."""
    met: set[tuple[str, Fraction, Fraction]] = set()
    first = []
    for item in ranking(run):
        meets = {segment for segment in relevant_segments(qrels, rel) if common(item, segment) > 0}
        first.append(bool(meets - met))
        met |= meets
    return first


def RR_over(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    relevant = overlaps_relevant(relevant_spans(qrels, rel), run)[:cutoff]
    return Fraction(1, relevant.index(True) + 1) if True in relevant else ZERO


def P_new(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1) -> Fraction:
    return Fraction(sum(first_meetings(qrels, run, rel)[:cutoff]), cutoff)


def Rprec_new(qrels: Qrels, run: Run, *, rel: int = 1, cutoff: int | None = None) -> Fraction:
    n = len(relevant_segments(qrels, rel))  # judgements, also of one segment
    return Fraction(sum(first_meetings(qrels, run, rel)[:n][:cutoff]), n) if n else ZERO


# Effort, and recall at k


def watched_pieces(qrels: Qrels, run: Run, user: str, overhead: Number, rel: int,
                   cutoff: int | None) -> list[tuple[str, Span, Fraction, Fraction]]:
    """New relevant content as it is watched: document, span, effort from, effort to; every item costs the overhead."""
    spans = relevant_spans(qrels, rel)
    return [(document, next(span for span in spans[document] if inside((start, end), [span])), W - (end - start), W)
            for document, (start, end), W in new_pieces(spans, ranking(run, cutoff), user, overhead)]


def TBG(qrels: Qrels, run: Run, *, halflife: Number, user: str = 'ret', overhead: Number = 0, norm: bool = True,
        gain: str = 'content', rel: int = 1, cutoff: int | None = None) -> float:
    """The integral of 2^(-t/h) over the effort of new relevant content, or its value where spans are first seen."""
    spans, h, seen, value = relevant_spans(qrels, rel), float(halflife), set(), 0.
    for document, span, begin, end in watched_pieces(qrels, run, user, overhead, rel, cutoff):
        if gain == 'content':
            value += h / log(2) * (2 ** (-float(begin) / h) - 2 ** (-float(end) / h))
        elif (document, span) not in seen:
            value += 2 ** (-float(begin) / h)
        seen.add((document, span))
    whole = float(total(spans)) if gain == 'content' else count(spans)
    return value / whole if norm and whole else value


def U(qrels: Qrels, run: Run, *, L: Number, user: str = 'ret', overhead: Number = 0, norm: bool = True, rel: int = 1,
      cutoff: int | None = None) -> Fraction:
    """The integral of max(0, 1 - t/L) over the effort of new relevant content."""
    def integral(t: Fraction) -> Fraction:
        t = min(t, exact(L))
        return t - t * t / (2 * exact(L))
    value = sum((integral(end) - integral(begin) for _, _, begin, end in watched_pieces(
        qrels, run, user, overhead, rel, cutoff)), ZERO)
    return share(value, total(relevant_spans(qrels, rel))) if norm else value


def AxIoU(qrels: Qrels, run: Run, *, cutoff: int, rel: int = 1) -> Fraction:
    """The mean of mIoU at all ranks up to the cut-off."""
    return sum((mIoU(qrels, run, cutoff=k, rel=rel) for k in range(1, cutoff + 1)), ZERO) / cutoff


def nDCG_IoU(qrels: Qrels, run: Run, *, cutoff: int, iou: Number = 0.5, dcg: str = 'exp-log2') -> float:
    """Each item takes the free window of the greatest IoU, of equal ones the earlier; gains by grade, discounted."""
    def gain(grade: int) -> int:
        return 2 ** grade - 1 if dcg == 'exp-log2' else grade
    free = sorted((exact(start), exact(end), place) for place, (_, start, end, grade) in enumerate(qrels) if grade > 0)
    value = 0.
    for rank, item in enumerate(ranking(run, cutoff), 1):
        fits = [(-iou_of(item, (qrels[place][0], start, end)), start, end, place) for start, end, place in free
                if qrels[place][0] == item[0]]
        if fits and -min(fits)[0] >= exact(iou):
            _, start, end, place = min(fits)
            free.remove((start, end, place))
            value += gain(qrels[place][3]) / log2(rank + 1)
    grades = sorted((grade for *_, grade in qrels if grade > 0), reverse=True)[:cutoff]
    ideal = sum(gain(grade) / log2(rank + 1) for rank, grade in enumerate(grades, 1))
    return value / ideal if ideal else 0.
