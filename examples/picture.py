"""Draw the picture of the README, once for a light and once for a dark background: one query of two systems, with what
is judged relevant, what they return at which rank, and the values of three measures.

    python picture.py

It writes timeline.svg and timeline-dark.svg to the folder of the pages, which show them too; their text is text.
"""

from html import escape
from pathlib import Path

import ir_measures

from ir_segmeasures import SegmentTable, formats, sample
from ir_segmeasures.study.view.timelines import LEGEND, build_timelines

PAGES = Path(__file__).resolve().parents[1] / 'ir_segmeasures' / 'pt_docs'
QUERY, DOCUMENTS, MEASURES = 'q1', 2, ['T2I_MAP', 'MAgP', 'MAiSP']
LEFT, WIDTH, ROW, DIGIT = 76, 560, 22, 6  # pixels
THEMES = {'': {'ink': '#1c2129', 'soft': '#646b78', 'lane': '#f0f1f4'},
          '-dark': {'ink': '#e6e8ec', 'soft': '#9aa1ad', 'lane': '#22262e', 'relevant': '#c3c9d4', 'rest': '#4d5563',
                    'new': '#2cbb95', 'continued': '#1c7a62', 'repeated': '#d9a02c'}}


def picture(theme: dict[str, str]) -> str:
    """The picture as SVG, in the colours of a theme and, where it names none, of the legend of all timelines."""
    colours = {kind: entry.colour for kind, entry in LEGEND.items()} | theme
    qrels = SegmentTable.from_qrels(formats.read_qrels(sample.path('qrels.txt'))).of_queries([QUERY])
    runs = {name: SegmentTable.from_run(formats.read_run(sample.path(f'{name}.run'))).of_queries([QUERY])
            for name in ('poor', 'good')}
    query, = sample.queries()[:1]
    timelines = build_timelines(qrels, runs.items())
    documents, _ = timelines.queries[0].documents(DOCUMENTS, 10)
    scale = WIDTH / max(document.extent for document in documents)
    drawn = []

    def text(x: float, y: float, words: str, colour: str = 'soft', more: str = '') -> None:
        drawn.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="{colours[colour]}"{more}>{escape(words)}</text>')

    def bar(start: float, end: float, y: float, height: int, colour: str) -> None:
        drawn.append(f'<rect x="{LEFT + start * scale:.1f}" y="{y:.0f}" width="{(end - start) * scale:.1f}" '
                     f'height="{height}" rx="2" fill="{colours[colour]}"/>')
    text(0, 16, f'“{query.text}”', 'ink', ' font-size="15" font-weight="600"')
    y = 34.
    for document in documents:
        text(0, y + 15, timelines.documents[document.document], 'ink')
        bar(0, document.extent, y, ROW, 'lane')
        for span in document.relevant:
            bar(span.start, span.end, y + 6, 10, 'relevant')
        y += ROW + 2
        for name, items in zip(runs, document.runs):
            text(0, y + 17, name)
            ends: list[float] = []  # of the last bar in each row
            for item in sorted(items, key=lambda item: item.start):
                row = next((row for row, end in enumerate(ends) if end <= item.start), len(ends))
                ends[row:row + 1] = [max(item.end, item.start + (len(str(item.rank)) + 1) * DIGIT / scale)]
                text(LEFT + item.start * scale, y + row * ROW + 9, str(item.rank), more=' font-size="10"')
                bar(item.start, item.end, y + row * ROW + 11, 8, 'rest')
                for part in item.parts:
                    bar(part.start, part.end, y + row * ROW + 11, 8, part.kind)
            y += max(1, len(ends)) * ROW
        y += 10
    for place, name in enumerate(runs):
        found = ir_measures.calc_aggregate(list(map(ir_measures.parse_measure, MEASURES)), qrels, runs[name])
        values = {str(measure): value for measure, value in found.items()}
        text(LEFT, y + 14 + 18 * place, f'{name}: ' + ', '.join(
            f'{measure} {values[measure]:.2f}' for measure in MEASURES), 'ink')
    y += 14 + 18 * len(runs)
    x = 0
    for kind in ('relevant', 'new', 'continued', 'repeated', 'rest'):
        bar((x - LEFT) / scale, (x - LEFT + 14) / scale, y, 8, kind)
        text(x + 18, y + 8, LEGEND[kind].label, more=' font-size="11"')
        x += 34 + int(5.8 * len(LEGEND[kind].label))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 24} {y + 16:.0f}" '
            f'font-family="system-ui, sans-serif" font-size="13" role="img">\n'
            f'<title>What two systems return for a query, and the values of three measures</title>\n'
            + '\n'.join(drawn) + '\n</svg>\n')


if __name__ == '__main__':
    for name, theme in THEMES.items():
        (PAGES / f'timeline{name}.svg').write_text(picture(theme), encoding='utf-8')
