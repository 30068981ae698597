"""``ir_segmeasures view``: runs beside the judgements, query by query, on one page for the browser."""


from ir_segmeasures.commands import inputs, options, streams
from ir_segmeasures.commands.parser import UsageError, option
from ir_segmeasures.commands.runs import named_measures, naming_files

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


class View(options.Queried, options.Sized, options.Named, options.Reading, options.Writing):
    """Make an HTML page, one file that needs no other, to look at runs beside the judgements, query by query. It shows
    which segments are judged, which segments each run returns at which rank, which part of these is relevant and new,
    and how the measures get their values. With --judge it is the page on which assessors judge the units of a pool; it
    shows no runs and no ranks.

    Args:
        runs: one or more runs (.gz too; - is standard input)
        measures: a measure of segments (default: T2I_MAP MAiSP MAgP)
        out: the page to write (standard output as -)
        queries: the texts of the queries: lines of an id, a tab and a text, or .csv (default: those of the dataset, or
            of the judgements)
        media: where the page finds the recordings, which it links and plays, such as videos/{document}.mp4
        docs: the texts of the documents: a folder of texts or transcripts named as they are, JSON lines with doc_id
            and text, or the id of a dataset
        lengths: where documents end
        judge: make the page to judge this pool (csv or JSON lines), instead of judgements and runs
        grades: with --judge: what the grades from 0 on are called (default: "not relevant" relevant "highly
            relevant")
        title: the title of the page
    """
    EXAMPLE = 'view qrels.txt a.run b.run --docs talks --out page.html'
    qrels: str | None = options.qrels(nargs='?', default=None)
    runs: tuple[str, ...] = options.runs(nargs='*', default=())
    measures: tuple[str, ...] = options.measures()
    out: str = options.out(writes=streams.PAGE)
    judge: str | None = option(metavar='POOL')
    grades: tuple[str, ...] | None = options.several(metavar='NAME', needs='judge')
    docs: str | None = option(metavar='SOURCE', also=('--texts', '--transcripts'))
    media: str | None = option(metavar='URL')
    title: str | None = option(metavar='TITLE')

    def run(self) -> None:
        text = self._judging_page() if self.judge else self._page()
        streams.write_out(text, self.out)
        if self.out != '-':
            print(streams.with_its_name(f'{self.out}: {len(text.encode()) / 1e6:.1f} MB'))

    def _judging_page(self) -> str:
        from ir_segmeasures.study import read_pool
        from ir_segmeasures.study.view.html import GRADES, judging_page
        if self.qrels is not None or self.measures or self.lengths or self.names:
            raise UsageError('--judge makes the page of a pool: leave out judgements, measures, --lengths and --names')
        if not self.queries:
            raise UsageError('--judge needs the texts of the queries: give them with --queries')
        docs = inputs.texts_of(self.docs) if self.docs else None
        return judging_page(read_pool(self.judge or ''), inputs.query_texts(self.queries), docs, self.media,
                            self.grades or GRADES, self.title or 'Judging')

    def _page(self) -> str:
        from ir_segmeasures.study.view import page
        if self.qrels is None or not self.runs:
            raise UsageError('the judgements and a run are needed: give both, or a pool with --judge')
        names = named_measures(self.measures or DEFAULT_MEASURES)
        # Each run is read when the page asks for it, and let go of then.
        runs = self.runs_beside(self.qrels, self.runs, names, names=self.names, shows_docs=True)
        source = runs.qrels
        queries, docs = inputs.page_texts(source, self.queries, self.docs)
        unlocated = (sentence for warning in list(streams.WARNED.values())  # as soon as all runs are read
                     for sentence in getattr(warning, 'unlocated', ()))
        with naming_files(runs):
            return page(runs.judgements, runs, list(names.values()), queries=queries, docs=docs, media=self.media,
                        unit=inputs.unit_of(source, runs.format), title=self.title or 'Runs and judgements',
                        unlocated=unlocated,
                        lengths={**inputs.durations_of(source), **inputs.lengths_of(self.lengths, source)})
