"""Hypothesis strategies for the whole test suite: small cases in which boundaries meet all the time."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from hypothesis import settings, strategies as st

Number = int | float
Qrels = Sequence[tuple[str, Number, Number, int]]
Run = Sequence[tuple[str, Number, Number]]

LAST_TIME = 120
USUAL_TAUS = (1, 5, 10, 15, 30)
DOCUMENTS = ('v1', 'v2', 'v3')
# No judgement is ever in this document.
UNJUDGED = 'w'
# No relevant content can be longer than this, so any D above it is valid.
LONGEST_T_REL = LAST_TIME * len(DOCUMENTS)


def examples(times: float) -> settings:
    """So many times the examples of the profile: more where one is cheap, or stands for all measures, fewer where each
    measure has its own."""
    return settings(deadline=None, max_examples=int(times * settings().max_examples))


def hundredths(value: int) -> Number:
    """The number of `value` hundredths: an integer where it is one, else the float whose str is the decimal."""
    # One division of integers is rounded once, so the float prints as the decimal that is meant.
    return value // 100 if value % 100 == 0 else value / 100


def decimals(least: Number, most: Number) -> st.SearchStrategy[Number]:
    """Numbers from least to most with no, one or two decimal places; integers are often ints, sometimes floats."""
    low, high = round(least * 100), round(most * 100)
    integers = st.integers(-(-low // 100), high // 100)
    return st.one_of(
        integers,
        integers.map(float),
        st.integers(-(-low // 10), high // 10).map(lambda tenths: hundredths(tenths * 10)),
        st.integers(low, high).map(hundredths),
    )


# The first is drawn more often, so that most cases have a document in which much happens.
documents = st.sampled_from((DOCUMENTS[0], *DOCUMENTS))
run_documents = st.sampled_from((DOCUMENTS[0], *DOCUMENTS, UNJUDGED))
times = decimals(0, LAST_TIME)
pools = st.lists(times, min_size=2, max_size=6)
relevances = st.sampled_from((1, 1, 2, 0))


def weighted(*choices: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """One of the strategies, as often as its weight says."""
    # st.one_of flattens what it is given, so a strategy made of many alternatives would crowd out the others.
    strategies = [strategy for weight, strategy in choices for _ in range(weight)]
    return st.sampled_from(range(len(strategies))).flatmap(lambda index: strategies[index])


def from_pool(pool: list[Number]) -> st.SearchStrategy[Number]:
    """Times of which most come from a few, so that segments touch, share a boundary or are the same."""
    return weighted((3, st.sampled_from(pool)), (1, times))


def before(instant: Number, lead: int) -> Number:
    """The time `lead` before an instant, not before 0, as a decimal without the error of a float's difference."""
    return max(0, hundredths(round(instant * 100) - lead * 100))


@st.composite
def qrels(draw: st.DrawFn, pool: list[Number] | None = None, min_size: int = 0, max_size: int = 8) -> Qrels:
    """Judgements: (document, start, end, relevance 0..2) with end > start; often overlapping, touching or repeated."""
    instants = from_pool(draw(pools) if pool is None else pool)
    bounds = st.tuples(instants, instants).filter(lambda pair: pair[0] != pair[1]).map(sorted)
    segments = st.tuples(documents, bounds, relevances).map(lambda drawn: (drawn[0], *drawn[1], drawn[2]))
    return draw(st.lists(segments, min_size=min_size, max_size=max_size))


@st.composite
def runs(draw: st.DrawFn, pool: list[Number] | None = None, min_size: int = 0, max_size: int = 12) -> Run:
    """A ranking: (document, start, end) with end >= start; entry points, repeats and a document without judgements."""
    pool = draw(pools) if pool is None else pool
    # Starting exactly one of the usual tolerances before a boundary is where `<` and `<=` differ.
    early = st.builds(before, st.sampled_from(pool), st.sampled_from(USUAL_TAUS))
    instants = weighted((3, from_pool(pool)), (1, early))
    segments = st.tuples(instants, instants).filter(lambda pair: pair[0] != pair[1]).map(sorted)
    entry_points = instants.map(lambda instant: [instant, instant])
    bounds = weighted((3, segments), (1, entry_points))
    items = st.tuples(run_documents, bounds).map(lambda drawn: (drawn[0], *drawn[1]))
    run = draw(st.lists(items, min_size=min_size, max_size=max_size))
    if run:
        # Chance alone repeats an item too rarely for what redundancy costs to be seen.
        repeated = draw(st.lists(st.sampled_from(run), max_size=max_size - len(run)))
        run = draw(st.permutations(run + repeated)) if repeated else run
    return run


@st.composite
def cases_of(draw: st.DrawFn, min_qrels: int = 0, min_run: int = 0) -> tuple[Qrels, Run]:
    """Judgements and a ranking of one query that share many boundaries."""
    pool = draw(pools)
    return draw(qrels(pool, min_size=min_qrels)), draw(runs(pool, min_size=min_run))


# Left to itself hypothesis makes a third of the cases empty on one side, where nearly every measure is 0.
cases = weighted((2, cases_of(3, 4)), (1, cases_of(1, 1)), (1, cases_of()))


def in_whole_numbers(case: tuple[Qrels, Run]) -> tuple[Qrels, Run]:
    """The case with every time rounded; what is shared stays shared, and a judgement keeps some content."""
    qrels, run = case
    return ([(document, round(start), max(round(end), round(start) + 1), relevance)
             for document, start, end, relevance in qrels],
            [(document, round(start), round(end)) for document, start, end in run])


# For measures that count characters.
whole_cases = cases.map(in_whole_numbers)
rels = st.sampled_from((1, 1, 1, 2))
cutoffs = st.integers(1, 14)
optional_cutoffs = st.one_of(st.none(), cutoffs)
# A tolerance beyond the documents' ends makes I small, so that a list can waste more than the whole collection.
taus = st.one_of(st.sampled_from(USUAL_TAUS), decimals(0.25, 60), st.integers(60, 300))
# Nothing divides by tau in T2I_AP and P_tol, so it may be 0: only an entry inside a span finds it.
taus_or_0 = st.one_of(taus, st.just(0))
inits = st.one_of(st.just(0), decimals(0, 5))
betas = st.one_of(st.sampled_from((0, 0.25, 0.5, 1, 2)), decimals(0, 4))
# Recall levels as they are written; 0.68 of 75 spans is the kind that a float misses.
levels = st.one_of(st.sampled_from((0, 0.1, 0.3, 0.5, 0.75, 1)), decimals(0, 1))
positive_levels = levels.filter(bool)
spans_desired = st.one_of(st.none(), st.integers(1, 6), decimals(0.01, 8))
scores = st.sampled_from(('F', 'P', 'R'))
users = st.sampled_from(('rel', 'ret'))
recalls = st.sampled_from(('docs', 'length'))
# Not too short: the reference tries every bin.
bin_lengths = st.one_of(st.sampled_from((0.5, 1, 7.5, 20, 60, 300)), decimals(0.5, 80))
durations = st.one_of(decimals(LONGEST_T_REL + 1, 600), st.integers(LONGEST_T_REL + 1, 20_000))
# The same for measures of what is retrieved: all content, also of the document without judgements (rounding adds 1).
WHOLE = (LAST_TIME + 1) * (len(DOCUMENTS) + 1)
whole_durations = st.one_of(decimals(WHOLE, 600), st.integers(WHOLE, 20_000))

# What a reader can spend: less than one item, a few of them, more than the whole list.
budgets = st.one_of(decimals(0.5, 200), st.integers(1, 2000))
optional_budgets = st.one_of(st.none(), budgets)
# Thresholds on shares of content; a third and two thirds are not decimals.
coverages = st.one_of(st.sampled_from((1 / 3, 2 / 3, 0.5, 1)), decimals(0.05, 1))
persistences = st.one_of(st.sampled_from((0.5, 0.8, 0.95)), decimals(0.05, 1).filter(lambda p: p < 1))
ious = st.one_of(st.sampled_from((0.3, 0.5, 0.7, 1)), decimals(0.05, 1))


@st.composite
def tau_and_T(draw: st.DrawFn) -> dict[str, Number]:
    """A tolerance and an effort that is a multiple of it."""
    tau = draw(taus)
    return {'tau': tau, 'T': hundredths(round(tau * 100) * draw(st.integers(1, 12)))}


NO_LENGTH = st.just(0)


def user(tau: st.SearchStrategy[Number] = taus, init: st.SearchStrategy[Number] = NO_LENGTH) -> dict[
        str, st.SearchStrategy[Any]]:
    """What all measures of the tolerance-to-irrelevance user share; some sum effort, and so take ``init``."""
    return {'tau': tau, 'keepviewing': st.booleans(), 'init': init, 'rel': rels, 'apart': st.booleans()}


def effort() -> dict[str, st.SearchStrategy[Any]]:
    """What the measures of effort share."""
    return {'user': users, 'overhead': inits, 'norm': st.booleans(), 'rel': rels, 'cutoff': optional_cutoffs}


def keywords(required: dict[str, st.SearchStrategy[Any]] | None = None,
             **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Keyword dicts; the optional ones are left out often enough for the defaults to be tried."""
    return st.fixed_dictionaries(required or {}, optional=optional)


def _t2i_p() -> st.SearchStrategy[dict[str, Any]]:
    optional = {name: strategy for name, strategy in user().items() if name != 'tau'}
    rest = keywords(norm=st.sampled_from(('items', 'effort')), cutoff=optional_cutoffs, **optional)
    return st.tuples(tau_and_T(), rest).map(lambda drawn: drawn[0] | drawn[1])


def _read() -> dict[str, st.SearchStrategy[Any]]:
    """What all measures of retrieved and relevant content as sets share."""
    return {'rel': rels, 'cutoff': optional_cutoffs, 'budget': optional_budgets}


def _agp() -> st.SearchStrategy[dict[str, Any]]:
    recall = st.sampled_from(({}, {'recall': 'docs'}, {'recall': 'length'}, {'recall': 'length', 'scaled': False},
                              {'recall': 'length', 'scaled': True}))
    rest = keywords(beta=betas, score=scores, rel=rels, cutoff=optional_cutoffs)
    return st.tuples(recall, rest).map(lambda drawn: drawn[0] | drawn[1])


PARAMETERS: dict[str, Callable[[], st.SearchStrategy[dict[str, Any]]]] = {
    'T2I_AP': lambda: keywords(**user(taus_or_0), cutoff=optional_cutoffs),
    'P_tol': lambda: keywords({'cutoff': cutoffs}, **user(taus_or_0)),
    'R_tol': lambda: keywords({'cutoff': cutoffs}, **user(taus_or_0)),
    'T2I_P': _t2i_p,
    'T2I_Found': lambda: keywords({'T': durations}, **user(init=inits), share=st.booleans(), cutoff=optional_cutoffs),
    'ESL': lambda: keywords({'D': durations}, **user(), S=spans_desired, cutoff=optional_cutoffs),
    'ESLRF': lambda: keywords({'D': durations}, **user(), S=spans_desired, cutoff=optional_cutoffs),
    'ESD': lambda: keywords({'D': durations}, **user(init=inits), S=spans_desired, cutoff=optional_cutoffs),
    'Precall': lambda: keywords({'D': durations}, **user(), recall=st.one_of(st.none(), positive_levels),
                                cutoff=optional_cutoffs),
    'AiSP': lambda: keywords(user=users, points=st.one_of(st.just(101), st.integers(2, 30)), rel=rels,
                             cutoff=optional_cutoffs),
    'iSP': lambda: keywords({'recall': levels}, user=users, rel=rels, cutoff=optional_cutoffs),
    'AgP': _agp,
    'gP': lambda: keywords({'cutoff': cutoffs}, score=scores, beta=betas, rel=rels),
    'gR': lambda: keywords({'cutoff': cutoffs}, recall=recalls, rel=rels),
    'igP': lambda: keywords({'level': levels}, recall=recalls, score=scores, beta=betas, rel=rels,
                            cutoff=optional_cutoffs),
    'AigP': lambda: keywords(points=st.integers(2, 12), recall=recalls, score=scores, beta=betas, rel=rels,
                             cutoff=optional_cutoffs),
    'TBG': lambda: keywords({'halflife': bin_lengths}, gain=st.sampled_from(('content', 'spans')), **effort()),
    'U': lambda: keywords({'L': bin_lengths}, **effort()),
    'GAP': lambda: keywords(grain=bin_lengths, window=bin_lengths, rel=rels, cutoff=optional_cutoffs),
    'RR_over': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'P_new': lambda: keywords({'cutoff': cutoffs}, rel=rels),
    'Rprec_new': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'AiP': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'iP': lambda: keywords({'recall': levels}, rel=rels, cutoff=optional_cutoffs),
    'AP_over': lambda: keywords(rel=rels, cutoff=optional_cutoffs, apart=st.booleans()),
    'P_over': lambda: keywords({'cutoff': cutoffs}, rel=rels, apart=st.booleans()),
    'R_over': lambda: keywords({'cutoff': cutoffs}, rel=rels, apart=st.booleans()),
    'AP_bin': lambda: keywords(bin=bin_lengths, expand=st.booleans(), rel=rels, cutoff=optional_cutoffs),
    'P_bin': lambda: keywords({'cutoff': cutoffs}, bin=bin_lengths, expand=st.booleans(), rel=rels),
    'Judged_over': lambda: keywords({'cutoff': cutoffs}),
    'Judged_bin': lambda: keywords({'cutoff': cutoffs}, bin=bin_lengths, expand=st.booleans()),
    'Judged_tol': lambda: keywords({'cutoff': cutoffs}, tau=taus_or_0),
    'ASP': lambda: keywords(user=users, rel=rels, cutoff=optional_cutoffs),
    'SegP': lambda: keywords(**_read()),
    'SegR': lambda: keywords(**_read()),
    'SegF': lambda: keywords(beta=betas, **_read()),
    'SegIoU': lambda: keywords(**_read()),
    'Judged_content': lambda: keywords({'cutoff': cutoffs}),
    'RBP_seg': lambda: keywords(p=persistences, rel=rels, cutoff=optional_cutoffs),
    'bpref_seg': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'RBP_residual': lambda: keywords(p=persistences, cutoff=optional_cutoffs),
    'SegP_omega': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'SegFallout': lambda: keywords({'D': whole_durations}, **_read()),
    'SegRejection': lambda: keywords({'D': whole_durations}, **_read()),
    'SegMiss': lambda: keywords(**_read()),
    'SegNoise': lambda: keywords(**_read()),
    'SegGenerality': lambda: keywords({'D': durations}, rel=rels),
    'P_cov': lambda: keywords(ki=coverages, ri=coverages, rel=rels, cutoff=optional_cutoffs),
    'R_cov': lambda: keywords(ki=coverages, ri=coverages, rel=rels, cutoff=optional_cutoffs),
    'CharAP': lambda: keywords(rel=rels, cutoff=optional_cutoffs),  # only for whole_cases
    'PassageAP': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'IoU_AP': lambda: keywords({'iou': ious}, rel=rels, cutoff=optional_cutoffs),
    'mIoU_AP': lambda: keywords(rel=rels, cutoff=optional_cutoffs),
    'IoU_R': lambda: keywords({'iou': ious, 'cutoff': cutoffs}, rel=rels, strict=st.booleans()),
    'mIoU': lambda: keywords({'cutoff': cutoffs}, rel=rels),
    'mIoP': lambda: keywords({'cutoff': cutoffs}, rel=rels),
    'IoP_R': lambda: keywords({'cutoff': cutoffs}, iop=ious, rel=rels),
    'AxIoU': lambda: keywords({'cutoff': cutoffs}, rel=rels),
    'nDCG_IoU': lambda: keywords({'cutoff': cutoffs}, iou=ious, dcg=st.sampled_from(('exp-log2', 'log2'))),
}


@cache
def parameters(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Valid keyword dicts for the reference function of this name."""
    return PARAMETERS[name]()


def parameters_of(*names: str) -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    """Keyword dicts for several measures, which can share a case: drawing one takes longer than evaluating it."""
    return st.fixed_dictionaries({name: parameters(name) for name in names})


# What an id may hold before its fragment: everything but white space and the quotation mark, and often our own marks.
id_pieces = st.sampled_from(('v', '1', '/', '#', 't=', 'char=', 'word=', 'xpath=', '&', ',', '%', '%23', '.', ':', 'é',
                             '文'))
id_characters = st.characters(codec='utf-8', exclude_categories=('Cc',), exclude_characters='"\ufeff').filter(
    lambda character: not character.isspace())
document_ids = st.one_of(st.text(id_characters, min_size=1, max_size=8),
                         st.lists(id_pieces, min_size=1, max_size=6).map(''.join))
# A decimal in its shortest form, with up to 6 places.
decimal_texts = st.builds('{}{}'.format, st.integers(0, 10**6), st.one_of(st.just(''), st.from_regex(
    r'\.[0-9]{0,5}[1-9]', fullmatch=True)))
whole_texts = st.integers(0, 10**9).map(str)


@st.composite
def plain_ids(draw: st.DrawFn, documents: st.SearchStrategy[str] = document_ids,
              units: Sequence[str] = ('t', 'char', 'word', 'line', 'page')) -> str:
    """Canonical segment ids, document#unit=start,end; of a single page, document#page=number."""
    unit = draw(st.sampled_from(units))
    number = decimal_texts if unit == 't' else whole_texts
    if unit == 'page':  # the first has the number 1
        number = number.map(lambda text: f'1{text}' if float(text) < 1 else text)
    start, end = sorted((draw(number), draw(number)), key=float)
    if unit == 'page' and float(end) == float(start) + 1:
        return f'{draw(documents)}#page={start}'
    return f'{draw(documents)}#{unit}={start},{end}'
