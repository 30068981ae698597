"""Chunks for a language model: how to cut texts so that what is read of them holds the evidence.

    python examples/rag_chunks.py
    python examples/rag_chunks.py FOLDER EVIDENCE.json

Without arguments it takes the sample collection. FOLDER has texts (files in UTF-8), EVIDENCE.json questions with the
spans of characters that answer them, as LegalBench-RAG has them:
{"tests": [{"query": "...", "snippets": [{"file_path": "a/terms.txt", "span": [16, 43]}]}]}

It takes PyTerrier and PISA, an engine without Java: pip install '.[pyterrier]' pyterrier-pisa

A list of chunks is a run, and the evidence spans are its judgements. Chunks of different sizes are compared at equal
cost: a budget of characters, read in rank order, the last chunk cut where the budget ends. SegR is the share of the
evidence that was read. SegIoU also pays for what was read and is not evidence; CharAP has no budget, and looks at how
early in the whole list the evidence comes. What the table of the sample shows (`*`: differs from paragraphs, by a
paired t-test with Holm's correction):

- The smaller the budget, the more the cut matters. With 1,000 characters, paragraphs hold most of the evidence; one
  window of 1,600 does not even fit. With 4,000, about one article, all but the shortest chunks have 0.8 of it or more.
- Chunks can be too short. A sentence, or 200 characters, is found only if it shares a word with the question, and much
  of the evidence does not: all sentences that are found at all have two thirds of it.
- Windows that overlap, as they come, spend the budget twice on the same. With no_overlap('trim') it is read once, and
  more evidence with it. SegIoU falls all the same: it counts content once, so that reading the same again looks like
  reading less. At equal budget, compare SegR.

What it does not show: that paragraphs are best anywhere else. The collection is tiny (12 articles, 16 questions), and
was written with one thought to a paragraph and with evidence of whole sentences. Chance is large as well: windows of 80
words are about as long as those of 400 characters, and yet their figures differ by up to 0.09.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyterrier as pt
from pisa import bm25, quiet

from ir_segmeasures import CharAP, SegIoU, SegR, chunks, sample

MEASURES = {'SegR 1000': SegR(budget=1000), 'SegR 2000': SegR(budget=2000), 'SegR 4000': SegR(budget=4000),
            'SegIoU 2000': SegIoU(budget=2000), 'CharAP': CharAP}
BASELINE = 'paragraphs'


def three_sentences(text: str) -> list[tuple[int, int]]:
    """A splitter of one's own: spans of up to three sentences, none across the end of a paragraph."""
    spans = []
    for begin, end in pt.segments.paragraphs(text):
        inside = [span for span in pt.segments.sentences(text) if begin <= span[0] < end]
        groups = [inside[i:i + 3] for i in range(0, len(inside), 3)]
        spans += [(group[0][0], group[-1][1]) for group in groups]
    return spans


CUTS = {
    'sentences': pt.segments.by_boundaries(pt.segments.sentences),
    'three sentences': pt.segments.by_boundaries(three_sentences, unit='char'),
    BASELINE: pt.segments.by_boundaries(pt.segments.paragraphs),
    '200 characters': pt.segments.sliding(200, 200, 'char'),
    '400 characters': pt.segments.sliding(400, 400, 'char'),
    # The evidence is given in characters, so the chunks are named by them as well.
    '80 words': pt.segments.sliding(80, 80, 'word', offsets='char'),
    '800 characters': pt.segments.sliding(800, 800, 'char'),
    '1600 characters': pt.segments.sliding(1600, 1600, 'char'),
    '800 characters, every 400': pt.segments.sliding(800, 400, 'char'),
}


def the_sample() -> tuple[pd.DataFrame, pd.DataFrame, list[dict[str, Any]]]:
    """Questions, evidence and documents of the sample collection."""
    documents = [{'docno': article.doc_id, 'text': article.text} for article in sample.articles()]
    return (pt.segments.read_topics(sample.path('questions.tsv')), pt.segments.read_qrels(sample.path('evidence.txt')),
            documents)


def your_own(folder: str, evidence: str) -> tuple[pd.DataFrame, pd.DataFrame, list[dict[str, Any]]]:
    """Questions, evidence and documents of a folder of texts and a file of spans."""
    texts: dict[str, str] = {}
    read: set[Path] = set()
    questions, judgements = [], []
    for number, test in enumerate(json.loads(Path(evidence).read_text(encoding='utf-8'))['tests'], 1):
        qid = f'q{number}'
        questions.append({'qid': qid, 'query': test['query']})
        for snippet in test['snippets']:
            name, (start, end) = snippet['file_path'], snippet['span']
            if name not in texts:
                path = Path(folder, name)
                if not path.exists():  # some file systems have no colon in names
                    path = Path(folder, name.replace(':', '_'))
                # As bytes: the offsets count the line breaks as they are.
                texts[name] = path.read_bytes().decode('utf-8')
                read.add(path)
            there = texts[name][start:end]
            if not 0 <= start < end <= len(texts[name]) or snippet.get('answer', there) != there:
                sys.exit(f'{evidence}, question {number}: {name} has other text from {start} to {end} than its answer')
            judgements.append({'qid': qid, 'docno': f'{chunks.quote_id(name)}#char={start},{end}', 'label': 1})
    for path in sorted(Path(folder).rglob('*')):
        if path.is_file() and path not in read and path.name[0] != '.' and not path.samefile(evidence):
            texts[path.relative_to(folder).as_posix()] = path.read_bytes().decode('utf-8')
    documents = [{'docno': chunks.quote_id(name), 'text': text} for name, text in texts.items()]
    return pd.DataFrame(questions), pd.DataFrame(judgements), documents


def main() -> None:
    if len(sys.argv) not in (1, 3):
        sys.exit('usage: python examples/rag_chunks.py [FOLDER EVIDENCE.json]')
    topics, qrels, documents = your_own(*sys.argv[1:]) if len(sys.argv) == 3 else the_sample()
    pieces = {name: cut(documents) for name, cut in CUTS.items()}

    with TemporaryDirectory() as folder, quiet():
        systems = {name: bm25(folder, str(number), cut) for number, (name, cut) in enumerate(pieces.items())}
        systems["... no_overlap('trim')"] = systems['800 characters, every 400'] >> pt.segments.no_overlap('trim')
        table = pt.Experiment(systems, topics, qrels, list(MEASURES.values()), baseline=BASELINE, correction='holm')

    print(f'{"chunks":26}{"number":>7}' + ''.join(f'{name:>12}' for name in MEASURES))
    for row in table.to_dict('records'):
        number = len(pieces[row['name']]) if row['name'] in pieces else ''
        print(f'{row["name"]:26}{number:>7} ' + ''.join(
            f'{row[str(measure)]:11.3f}{"*" if row.get(f"{measure} p-value corrected", 1) < 0.05 else " "}'
            for measure in MEASURES.values()).rstrip())


if __name__ == '__main__':
    main()
