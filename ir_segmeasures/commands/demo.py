"""``ir_segmeasures demo``: the main job on the collection that ships with the package."""

import os
from dataclasses import dataclass

from ir_segmeasures import formats, sample
from ir_segmeasures.commands.parser import Command, option
from ir_segmeasures.formats.files.replacement import whole_file
from ir_segmeasures.measures.host_measures import parse_measure
from ir_segmeasures.segments.segment import parse_segment

RUNS = ('good', 'poor')
RESULTS = 3


@dataclass(frozen=True, kw_only=True)
class Demo(Command):
    """Compare two systems on the sample collection that ships with the package, with explanations.

    Args:
        save: write the files of the collection to this folder as well
    """
    EXAMPLE = 'demo --save sample'
    save: str | None = option(metavar='FOLDER')

    def run(self) -> None:
        recordings, transcripts, queries = sample.recordings(), sample.transcripts(), sample.queries()
        length = sum(recording.duration for recording in recordings)
        qrels = formats.read_qrels(sample.path('qrels.txt'))
        runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in RUNS}
        if self.save:
            _save(self.save)

        query = queries[0]
        print(f'The sample collection: {len(recordings)} recordings, {length / 60:.0f} minutes of speech, '
              f'{len(queries)} queries.\nA result is a part of a recording, whose start and end the system chose. A '
              'judgement is such a part, too:\n')
        print(f'{query.query_id}: {query.text}')
        relevant = [parse_segment(qrel.doc_id) for qrel in qrels
                    if qrel.query_id == query.query_id and qrel.relevance > 0]
        print('  relevant: ' + ', '.join(f'{s.document} {_clock(s.start)}-{_clock(s.end)}' for s in relevant))
        for name, run in runs.items():
            print(f'  the {name} system:')
            for rank, row in enumerate([row for row in run if row.query_id == query.query_id][:RESULTS], 1):
                s = parse_segment(row.doc_id)
                spoken = next(line.text for line in transcripts if line.doc_id == s.document and line.end > s.start)
                print(f'    {rank}. {s.document} {_clock(s.start)}-{_clock(s.end)}  "{spoken[:66]}…"')

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


def _save(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for name in sample.FILES:
        with whole_file(os.path.join(folder, name)) as file, open(sample.path(name), 'rb') as source:
            file.write(source.read())


def _clock(seconds: float) -> str:
    return f'{int(seconds) // 60}:{int(seconds) % 60:02}'
