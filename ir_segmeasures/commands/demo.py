"""``ir_segmeasures demo``: the main job on the collection that ships with the package."""

import os
from pathlib import Path

from ir_segmeasures import formats, sample
from ir_segmeasures.commands.parser import Command, UsageError, option
from ir_segmeasures.commands.streams import write_out
from ir_segmeasures.measures.host_measures import parse_measure
from ir_segmeasures.segments.segment import parse_segment

RUNS = ('good', 'poor')
RESULTS = 3


class Demo(Command):
    """Compare two systems on the sample collection that ships with the package, with explanations.

    Args:
        save: write the files of the collection to this folder as well
    """
    EXAMPLE = 'demo --save sample'
    save: str | None = option(metavar='FOLDER')

    def run(self) -> None:
        if self.save:
            os.makedirs(self.save, exist_ok=True)
            for name in sample.FILES:
                path, content = os.path.join(self.save, name), Path(sample.path(name)).read_bytes()
                if os.path.exists(path) and Path(path).read_bytes() != content:
                    raise UsageError(f'{path} is there with another content: name another folder')
                write_out(content, path)
        recordings, queries = sample.recordings(), sample.queries()
        length = sum(recording.duration for recording in recordings)
        qrels = formats.read_qrels(sample.path('qrels.txt'))
        runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in RUNS}
        print(f'The sample collection: {len(recordings)} recordings, {length / 60:.0f} minutes of speech, '
              f'{len(queries)} queries.\nA result is a part of a recording, whose start and end the system chose. A '
              f'judgement is such a part, too:\n\n{queries[0].query_id}: {queries[0].text}')
        judged = [row for row in qrels if row.relevance > 0]
        for name, rows in {'relevant': judged, **{f'the {name} system': run for name, run in runs.items()}}.items():
            of_query = [parse_segment(row.doc_id) for row in rows if row.query_id == queries[0].query_id]
            shown = ', '.join(f'{s.document} {_clock(s.start)}-{_clock(s.end)}' for s in of_query[:RESULTS])
            print(f'  {name}: {shown}')

        D = round(length)
        lines = [  # the names that the README teaches: printed, an alias is the measure under its own name
            ('T2I_MAP(tau=15)', 'average precision, where an item is right if a user who watches from its\n'
             f'{"":38}start sees something relevant and new within 15 s'),
            ('MAiSP', 'the share of the watched time that is relevant and new'),
            ('MAgP', 'how well the segments of a recording match its relevant parts'),
            (f'ESL(D={D})@1', 'how often the user gives up before the first relevant part; lower is better'),
            (f'ESL(D={D})@5', 'how often before the first five of them, or all if there are fewer')]
        print(f'\nOver all queries:\n  {"measure":15}' + ''.join(f'{system:>10}' for system in RUNS))
        for name, text in lines:
            measure = parse_measure(name)
            means = ''.join(f'{measure.calc_aggregate(qrels, run):10.4f}' for run in runs.values())
            print(f'  {name:15}{means}  {text}')
        folder = self.save or os.path.dirname(sample.path('qrels.txt'))
        print('\nThe same values from the files:\n  ir_segmeasures evaluate '
              f'{os.path.join(folder, "qrels.txt")} {os.path.join(folder, "good.run")} "T2I_MAP(tau=15)" MAiSP MAgP')


def _clock(seconds: float) -> str:
    return f'{int(seconds) // 60}:{int(seconds) % 60:02}'
