"""Focused retrieval from long texts: articles are the ranking, passages are what a reader is shown of each.

    python examples/focused_text.py
    python examples/focused_text.py TOPICS QRELS FOLDER

Without arguments it takes the sample collection. Your own are a file of topics, judgements in TREC's form (of segments
such as a.txt#char=100,460) and a folder of text files in UTF-8, named as the documents.

It takes PyTerrier and PISA, an engine without Java: pip install '.[pyterrier]' pyterrier-pisa

The task is the one that INEX called relevant in context. Every system ends with in_context(), which puts the passages
of an article together, in the order of the text. What the table shows, on 12 small articles and 16 questions (`*`:
differs from whole articles, by a paired t-test with Holm's correction):

- gR@1, the share of the relevant articles that the first one is, is about the same for all systems; gP@1, how well the
  passages of the first article match its evidence, is not. P and R are MAgP with an article scored by the precision, or
  the recall, of its passages alone. A whole article has all of its evidence (R), but that is a small part of its 3,900
  characters or so, and the reader has to go through the rest (P).
- Sentences have the better P, paragraphs the better R. MAgP, which weighs both, comes out alike, and puts all systems
  that choose passages above whole articles. Merged with their neighbours, sentences gain more R than they lose P.
- With the article's score in that of its sentences, these come from fewer articles: R rises and P falls.
- The last line is the system above it, with the best passage of all first. AgP and its family compare sets of passages
  in a ranking of articles, so they are the same; MAiSP follows the reader from passage to passage, who in context comes
  to the best ones later.

Below the table is what a reader is shown for one question.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

import pandas as pd
import pyterrier as pt
from pisa import bm25, quiet

from ir_segmeasures import AgP, MAgP, MAiSP, gP, gR, parse_segment, sample
from ir_segmeasures.texts.chunks import quote_id

MEASURES = {'gR@1': gR@1, 'gP@1': gP@1, 'MAgP': MAgP, 'P': AgP(score='P'), 'R': AgP(score='R'), 'MAiSP': MAiSP}
BASELINE = 'whole articles'
QUESTION = 'a2'
SHOWN = 3


def main() -> None:
    if len(sys.argv) not in (1, 4):
        sys.exit('usage: python examples/focused_text.py [TOPICS QRELS FOLDER]')
    if len(sys.argv) == 4:
        topics_file, qrels_file, folder = sys.argv[1:]
        # As bytes: the offsets count the line breaks as they are.
        texts = {quote_id(path.name): path.read_bytes().decode() for path in sorted(Path(folder).iterdir())}
        titles = {id: id for id in texts}
    else:
        topics_file, qrels_file = sample.path('questions.tsv'), sample.path('evidence.txt')
        texts = {article.doc_id: article.text for article in sample.articles()}
        titles = {article.doc_id: article.title for article in sample.articles()}
    topics, qrels = pt.segments.read_topics(topics_file), pt.segments.read_qrels(qrels_file)
    question = QUESTION if QUESTION in set(topics['qid']) else topics['qid'].iloc[0]
    documents = [{'docno': id, 'text': text} for id, text in texts.items()]

    with TemporaryDirectory() as folder, quiet():
        articles = bm25(folder, 'articles', documents)
        paragraphs = bm25(folder, 'paragraphs', pt.segments.by_boundaries(pt.segments.paragraphs)(documents))
        sentences = bm25(folder, 'sentences', pt.segments.by_boundaries(pt.segments.sentences)(documents))
        in_context = pt.segments.in_context()
        # Two sentences with one between them are shown with it.
        merged = sentences % 10 >> pt.segments.merge(gap=300)
        with_article = (sentences >> pt.segments.with_document_score(articles, 0.3, 'min-max')) % 10
        systems = {
            # A whole article is a segment too, once its end is known.
            BASELINE: articles % 5 >> pt.segments.resolve({id: (id, 0, len(text)) for id, text in texts.items()},
                                                          unit='char'),
            'paragraphs, best 3': paragraphs % 3 >> in_context,
            'sentences, best 10': sentences % 10 >> in_context,
            'sentences, best 10, merge()': merged >> in_context,
            '... with_document_score()': with_article >> pt.segments.merge(gap=300) >> in_context,
            '... not in_context()': with_article >> pt.segments.merge(gap=300),
        }
        table = pt.Experiment(systems, topics, qrels, list(MEASURES.values()), baseline=BASELINE, correction='holm')
        reading = merged >> in_context >> pt.segments.get_text(texts)
        passages = reading(topics[topics['qid'] == question])

    print(f'{"system":29}' + ''.join(f'{name:>9}' for name in MEASURES))
    for row in table.to_dict('records'):
        print(f'{row["name"]:30}' + ''.join(
            f'{row[str(measure)]:8.3f}{"*" if row.get(f"{measure} p-value corrected", 1) < 0.05 else " "}'
            for measure in MEASURES.values()).rstrip())
    if len(passages):
        show(passages, qrels[qrels['qid'] == question], texts, titles)


def show(passages: pd.DataFrame, qrels: pd.DataFrame, texts: dict[str, str], titles: dict[str, str]) -> None:
    """The first articles with their passages, and a mark on those that hold evidence."""
    evidence = [parse_segment(id) for id in qrels['docno']]
    print(f'\n{passages["query"].iloc[0]}?')
    ranking: dict[str, list[str]] = {}
    for id, text in zip(passages['docno'], passages['text']):
        passage = parse_segment(id)
        found = any(span.document == passage.document and span.start < passage.end and passage.start < span.end
                    for span in evidence)
        # The text of a segment in characters is exactly what stands there.
        assert text == texts[passage.document][int(passage.start):int(passage.end)]
        ranking.setdefault(passage.document, []).append(
            f'   {"+" if found else " "} {passage.start:4.0f}  {shorten(text, 100, placeholder=" …")}')
    for rank, (document, lines) in enumerate(list(ranking.items())[:SHOWN], 1):
        print(f'{rank}. {titles[document]}', *lines, sep='\n')


if __name__ == '__main__':
    main()
