"""Places of the formats: the module of each, and of what else :mod:`ir_segmeasures.formats` gives."""

__all__ = ['HOMES', 'MODULES', 'SUFFIXES']

# Where the object of a format is. A command needs one format of many, so each is imported when it is first used.
MODULES = {
    'trec': '.trec:TREC',
    'sh-search': '.mediaeval:SEARCH',
    'sh-linking': '.mediaeval:LINKING',
    'sh-known-item': '.mediaeval:KNOWN_ITEM',
    'sh-anchoring': '.mediaeval:ANCHORING',
    'genomics': '.genomics:GENOMICS',
    'moments': '.moments:MOMENTS',
    'saliency': '.saliency:SALIENCY',
    'tvr': '.tvr:TVR',
    'ego4d-nlq': '.ego4d_nlq:EGO4D_NLQ',
    'activitynet': '.activitynet:ACTIVITYNET',
    'answers': '.answers:ANSWERS',
    'inex-fol': '.inex.passages:FOL',
    'inex-xml': '.inex.xml:XML',
    'trecvid-shots': '.trecvid.judged_shots:SHOTS',
    'trecvid-strata': '.trecvid.judged_shots:STRATA',
    'trecvid-avs': '.trecvid.shot_runs:AVS',
    'trecvid-search': '.trecvid.shot_runs:SEARCH',
    'vbs-dres': '.trecvid.vbs:DRES',
    'vbs-kis': '.trecvid.vbs_tasks:KIS',
    'trecvid-2001': '.trecvid.known_items:KNOWN_ITEMS',
    'podcasts': '.podcasts:PODCASTS',
    'parquet': '.parquet:PARQUET',
    'csv': '.spreadsheets:CSV',
    'tsv': '.spreadsheets:TSV',
    'beir': '.text_benchmarks:BEIR',
    'ranx': '.text_benchmarks:RANX',
    'msmarco': '.text_benchmarks:MSMARCO',
    'evidence': '.evidence:EVIDENCE',
    'chunking-evaluation': '.questions:CHUNKING_EVALUATION',
    'legalbench-rag': '.questions:LEGALBENCH_RAG',
    'squad': '.evidence:SQUAD',
    'trec-rag': '.citations:TREC_RAG',
    'judgements': '.annotations.judging_files:JUDGEMENTS',
    'label-studio': '.annotations.label_studio:LABEL_STUDIO',
    'audacity': '.annotations.timed_labels:AUDACITY',
}
# The endings of files that are in one format whoever wrote them; of those of spreadsheets, some are TREC's.
SUFFIXES = {'.parquet': 'parquet', '.csv': 'csv', '.tsv': 'tsv', '.xlsx': 'csv'}
# What can be had from here beside the modules of this package, and where it is.
HOMES = {
    'ColumnFile': '.files.columns:ColumnFile', 'DresQrel': '.trecvid.vbs:DresQrel',
    'GenomicsQrel': '.genomics:GenomicsQrel', 'InexElement': '.inex.assessments:InexElement',
    'InexPathScoredDoc': '.inex.paths:InexPathScoredDoc', 'InexQrel': '.inex.passages:InexQrel',
    'InexScoredDoc': '.inex.passages:InexScoredDoc', 'MomentQrel': '.moment_windows:MomentQrel',
    'ReadRequest': '.requests:ReadRequest', 'ShotQrel': '.trecvid.judged_shots:ShotQrel',
    'ShotScoredDoc': '.trecvid.shot_runs:ShotScoredDoc', 'WriteError': '.files.writing:WriteError',
    'in_file': '.lines:in_file', 'inex_assessments': '.inex.assessments', 'inex_paths': '.inex.paths',
    'inex_xml': '.inex.xml', 'known_items': '.trecvid.known_items', 'line_of': '.lines:line_of',
    'read_transcript': '.transcripts:read_transcript', 'read_transcripts': '.transcripts:read_transcripts',
    'shots': '.trecvid.shot_tables', 'vbs': '.trecvid.vbs', 'walk_rows': '.lines:walk_rows'}
