"""Chunks of texts that were changed on the way, with the places that they were cut from: the study of locating them."""

import re
import tarfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from ir_segmeasures.texts.cutting import windows
from ir_segmeasures.texts.locating.collection import located_together
from ir_segmeasures.texts.locating.index import QuoteIndex
from ir_segmeasures.texts.splitters import paragraphs, sentences

Span = tuple[int, int]

_LIGATURES = {'ffi': 'ﬃ', 'ffl': 'ﬄ', 'ff': 'ﬀ', 'fi': 'ﬁ', 'fl': 'ﬂ', '...': '…', '1/2': '½', '(1)': '⑴'}
_QUOTES = [{'“': '"', '”': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '‑': '-'},
           {'"': '”', "'": '’', '-': '–'}, {'"': '«', "'": '‘', '-': '—'},
           {'“': "''", '"': "''", '—': '--', '–': ' - '}]
_CONTEXTS = ('Title: {}\n\n', '{} - ', '# {}\n',
             'This chunk is from the document "{}", where its main points are told. ',
             'The following passage describes what the document {} has to say, and in which order it says so.\n')


class Chunk(NamedTuple):
    """A chunk as a user has it, and the place in the text where it was cut."""
    text: str
    place: Span


class Case(NamedTuple):
    """A text and its chunks, in order."""
    text: str
    chunks: list[Chunk]


class Outcome(NamedTuple):
    """How many chunks there are, how many of them are located, and how many of these at a wrong place.

    An exact place is the true one to the character.
    """
    chunks: int
    located: int
    wrong: int
    ambiguous: int
    missing: int
    exact: int


def texts(folder: Path) -> dict[str, str]:
    """The real texts: five of chunking_evaluation, and those of LegalBench-RAG joined by folder."""
    found = {path.stem: path.read_text(encoding='utf-8')
             for path in sorted((folder / 'chunking-evaluation' / 'corpora').glob('*.md'))}
    with tarfile.open(folder / 'legalbench-rag' / 'corpus.tar.gz') as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                found[member.name] = file.read().decode('utf-8')
    return found


# --- ways to cut -----------------------------------------------------------------------------------------------------

def cut(text: str, size: int, overlap: int = 0) -> list[Span]:
    """Windows of characters that begin and end where a word does."""
    spans = []
    for start, end in windows(len(text), size, size - overlap):
        while 0 < start < end and not text[start - 1].isspace():
            start += 1
        while end < len(text) and not text[end].isspace():
            end += 1
        spans += _trimmed(text, start, end)
    return list(dict.fromkeys(spans))


def by_sentences(text: str, size: int) -> list[Span]:
    """Neighbouring sentences, together as long as the size at least."""
    spans: list[Span] = []
    for start, end in sentences(text):
        if spans and spans[-1][1] - spans[-1][0] < size:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return [(start + left, start + len(piece.rstrip()))] if left < len(piece) else []


CUTS: dict[str, Callable[[str], list[Span]]] = {
    '200 characters': lambda text: cut(text, 200), '400, overlap 100': lambda text: cut(text, 400, 100),
    '1000 characters': lambda text: cut(text, 1000), 'sentences': lambda text: by_sentences(text, 150),
    'paragraphs': paragraphs}


# --- ways to change --------------------------------------------------------------------------------------------------

Way = Callable[[str, list[Span], Random], Case]


def _chunks(change: Callable[[str, Random], str]) -> Way:
    """A way that changes chunks, each in itself."""
    return lambda text, spans, random: Case(text, [Chunk(change(text[start:end], random), (start, end))
                                                   for start, end in spans])


def _text(change: Callable[[str, Random], str], undo: Callable[[str, Random], str]) -> Way:
    """A way that changes the text between white space, and undoes it in the chunks."""
    def way(text: str, spans: list[Span], random: Random) -> Case:
        pieces, starts, ends, length = [], {}, {}, 0
        for match in re.finditer(r'\s+|\S+', text):
            piece = match[0] if match[0].isspace() else change(match[0], random)
            pieces.append(piece)
            starts[match.start()], ends[match.end()] = length, length + len(piece)
            length += len(piece)
        changed = ''.join(pieces)
        places = [(starts[start], ends[end]) for start, end in spans if start in starts and end in ends]
        return Case(changed, [Chunk(undo(changed[start:end], random), (start, end)) for start, end in places])
    return way


def white_space(text: str, random: Random) -> str:
    kind = random.randrange(4)
    if kind == 0:
        return ' '.join(text.split())
    if kind == 1:
        return '\n'.join(line.strip() for line in text.splitlines() if line.strip())
    if kind == 2:
        return text.replace('\n', '\r\n').replace(' ', '\u00a0 ')
    return re.sub(r'\s+', lambda match: random.choice((' ', '  ', '\n', '\n\n', '\t')), text)


def marked(word: str, random: Random) -> str:
    """A word with Markdown around it, now and then."""
    kind = random.randrange(40)
    forms = (f'**{word}**', f'*{word}*', f'`{word}`', f'[{word}](https://example.org/{random.randrange(1000)}_a)',
             f'# {word}', f'- {word}', f'> {word}', f'~~{word}~~', f'__{word}__')
    return forms[kind] if kind < len(forms) else word


def unmarked(text: str, random: Random) -> str:
    text = re.sub(r'!?\[([^\]]*)\]\([^()]*\)', r'\1', text)
    text = re.sub(r'(^|\s)(?:#+|[-*>])(?=\s)', r'\1', text)
    return re.sub(r'\*\*|__|~~|[*`|]', '', text)


def quotes_and_dashes(text: str, random: Random) -> str:
    table = random.choice(_QUOTES)
    return ''.join(table.get(character, character) for character in text)


def hyphenated(text: str, random: Random) -> str:
    """The text with hyphens and line ends in every tenth of its long words."""
    def change(match: re.Match[str]) -> str:
        if random.random() < 0.9:
            return match[0]
        return match[0][:3] + random.choice('--\u2010\u00ad') + random.choice(('\n', '  \n')) + match[0][3:]
    return re.sub(r'[^\W\d_]{6,}', change, text)


def prefixed(text: str, random: Random) -> str:
    title = ' '.join(random.choice(('Annual', 'report', 'of', 'the', 'board', 'on', 'health', 'revenue', 'Chapter'))
                     for _ in range(random.randrange(1, 7)))
    return random.choice(_CONTEXTS).format(title) + text


def composed(text: str, random: Random) -> str:
    return unicodedata.normalize(random.choice(('NFKC', 'NFKC', 'NFD', 'NFKD')), text)


def ligated(word: str, random: Random) -> str:
    for plain, sign in _LIGATURES.items():
        word = word.replace(plain, sign)
    return word


def joined(text: str, random: Random) -> str:
    return random.choice(('', ' ', '\n', '\n\n')).join(text[start:end] for start, end in sentences(text))


WAYS: dict[str, Way] = {
    'exact': _chunks(lambda text, random: text),
    'white space': _chunks(white_space),
    'Markdown stripped': _text(marked, unmarked),
    'quotes and dashes': _chunks(quotes_and_dashes),
    'hyphenation': _chunks(hyphenated),
    'prefixes': _chunks(prefixed),
    'NFKC': _text(ligated, composed),
    'sentence joins': _chunks(joined),
}


# --- the study -------------------------------------------------------------------------------------------------------

def case(text: str, spans: list[Span], way: Way, seed: str) -> Case:
    """The text and its chunks, changed in a way that the seed decides; none is without letters and digits."""
    made = way(text, [span for span in spans if any(map(str.isalnum, text[slice(*span)]))], Random(seed))
    return Case(made.text, [chunk for chunk in made.chunks if any(map(str.isalnum, chunk.text))])


def outcome(case: Case) -> Outcome:
    """What locating the chunks of a case together comes to."""
    found = located_together([chunk.text for chunk in case.chunks], QuoteIndex(case.text))
    counts = Counter(len(chunk.places) if len(chunk.places) < 2 else 2 for chunk in found)
    places = [(chunk.place, answer.places[0]) for chunk, answer in zip(case.chunks, found) if len(answer.places) == 1]
    return Outcome(len(case.chunks), counts[1], sum(not is_right(case.text, *pair) for pair in places), counts[2],
                   counts[0], sum(true == place for true, place in places))


def is_right(text: str, true: Span, place: Span) -> bool:
    """Whether two places have at least four fifths of their letters in common, those of tags and links apart."""
    def letters(start: int, end: int) -> int:
        return sum(map(str.isalnum, re.sub(r'\]\([^()]*\)|<[^<>]*>', '', text[start:end])))
    common = letters(max(true[0], place[0]), min(true[1], place[1]))
    return common >= 0.8 * (letters(*true) + letters(*place) - common)


def shuffled(quote: str, random: Random) -> str:
    """The words of a quote in another order."""
    words = quote.split()
    random.shuffle(words)
    return ' '.join(words)


def outcomes(texts: dict[str, str], ways: dict[str, Way]) -> Iterator[tuple[str, str, str, Outcome]]:
    """The outcome of each text, way to cut it and way to change its chunks."""
    for name, text in texts.items():
        for kind, division in CUTS.items():
            spans = division(text)
            for way in ways:
                yield name, kind, way, outcome(case(text, spans, ways[way], f'{name} {kind} {way}'))


def total(results: Iterator[Outcome]) -> Outcome:
    return Outcome(*map(sum, zip(*results)))
