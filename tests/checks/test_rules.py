"""Every rule of every format: one row for each, a small file that breaks it, and what is said about it."""

from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import checks, formats

EPISODE = 'spotify:episode:0BrvXC9DNmicnpCtHmFltv'
HEADER = 'taskName junk item start_fr start_s end_fr end_s stratum judgement\n'


def many(line: str, number: int) -> str:
    return ''.join(f'{line.format(n)}\n' for n in range(1, number + 1))


def xml(format: str, *items: str, run: str = '', topic: str = ' elapsedTime="1"', number: str = '661') -> str:
    name = 'videoAdhocSearch' if format == 'trecvid-avs' else 'videoSearch'
    given = run or ' trType="F" class="F" pType="F" pid="me" priority="1" desc="x"'
    return (f'<{name}Results><{name}RunResult{given}><{name}TopicResult tNum="{number}"{topic}>{"".join(items)}'
            f'</{name}TopicResult></{name}RunResult></{name}Results>')


def shots(*ids: str) -> list[str]:
    return [f'<item seqNum="{number}" shotId="{id}"/>' for number, id in enumerate(ids, 1)]


def of_2001(*extents: str, numbers: str = 'tNum="1" pType="A" sType="K" sysId="me"') -> str:
    return f'<videoSearchResult {numbers}>' + ''.join(
        '<item seqNum="{}" src="{}" start="{}s" stop="{}s"/>'.format(number, *extent.split())
        for number, extent in enumerate(extents, 1)) + '</videoSearchResult>'


def moments(*windows: list[float], key: str = 'pred_relevant_windows', query: int = 1, more: str = '') -> str:
    return f'{{"qid": {query}, "vid": "v", "{key}": {list(windows)}{more}}}\n'


TOPICS = {'queries': '<topics><top><queryId>q</queryId><queryText/></top><top><queryId>r</queryId><queryText/></top>'
                     '</topics>',
          'lines': '661 a\n662 b\n', 'inex': '<topics><topic id="1"><title>a</title></topic></topics>',
          'videos': 'v 00:05:00\n', 'anchor': '<a><anchor><anchorId>q</anchorId><fileName>v</fileName><startTime>'
          '1.00</startTime><endTime>2.00</endTime></anchor></a>'}
SH = 'q Q0 v 1.00 2.00 1.00 1 9 me\n'
LINK = 'q Q0 v 1.00 1.30 1 9 me\n'

# (format, kind, rule), the file, other files, what the first finding of the rule says in its middle
RUNS: list[tuple[str, str, str, dict[str, str], str]] = [
    ('trec', 'readable', 'q Q0 v#t=0,5 1 x me\n', {}, "score 'x' is not a finite number"),
    ('trec', 'retrieved_once', 'q Q0 v#t=0,5 1 2 me\n' * 2, {}, "is already retrieved for 'q' in line 1"),
    ('trec', 'known_query', 's Q0 v 1 2 me\n', {'queries': TOPICS['queries']}, "'s' is not among the ids of"),
    ('trec', 'known_video', 'q Q0 w#t=0,5 1 2 me\n', {'videos': TOPICS['videos']}, "'w' is not among the ids of"),
    ('trec', 'one_run', 'q Q0 v 1 2 me\nq Q0 w 2 1 you\n', {}, "the run is called 'you', but 'me' in line 1"),
    ('trec', 'scores_follow_ranks', 'q Q0 v 1 1 me\nq Q0 w 2 3 me\n', {},
     "rank 2 of 'q' has the score 3, but rank 1 in line 1 has 1"),
    ('trec', 'tied_scores', 'q Q0 v 1 2 me\nq Q0 w 2 2 me\n', {}, '2 of the 2 items of the run have the score'),
    ('trec', 'judged_query', 's Q0 v 1 2 me\n', {'qrels': 'q 0 v 1\n'}, "'s' has no judgements in"),
    ('trec', 'answered_queries', 's Q0 v 1 2 me\n', {'qrels': 'q 0 v 1\ns 0 v 1\n'}, "have no items, such as 'q'"),
    ('trec', 'overlap', 'q Q0 v#t=0,5 1 2 me\nq Q0 v#t=4,9 2 1 me\n', {}, "4-9 of 'v' overlaps 0-5 in line 1"),
    ('trec', 'within_the_document', 'q Q0 v#t=290,301 1 2 me\n', {'videos': TOPICS['videos']},
     'ends after the end of the video, which is 300 s long'),
    ('trec', 'whole_file', 'q Q0 v#t=0,5 1 2 me\nq Q0 v#char=7,9 2 1 me\n', {}, "are in 'char' and in 't'"),
    ('trec', 'whole_file', 'q Q0 v#t=0,5 1 2 me\n', {'qrels': 'q 0 v#char=0,5 1\n'}, "'char'"),
    ('trec', 'known_end', 'q Q0 v#t=5, 1 2 me\n', {}, "runs to the document's end, which is not known"),
    ('sh-search', 'apart_from_earlier_ones', SH + SH.replace(' 1 9', ' 2 8'), {}, 'is the same segment as that in'),
    ('sh-search', 'consecutive_ranks', SH.replace(' 1 9', ' 2 9'), {}, "rank 2 of 'q' is its first, but 1 is next"),
    ('sh-search', 'lines_together', SH + SH.replace('q', 'r') + SH.replace(' 1 9', ' 2 9'), {}, "'q' goes on after"),
    ('sh-search', 'most_items', many('q Q0 v{0} 1.00 2.00 1.00 {0} 1', 1001), {},
     "is item 1,001 of 'q', but the campaign takes 1,000 of a query at most"),
    ('sh-linking', 'target_length', LINK.replace('1.30', '1.05'), {}, 'is 5 s long, but targets of links are 10 to'),
    ('sh-linking', 'apart_from_the_anchor', LINK, {'anchors': TOPICS['anchor']}, "overlaps the anchor 'q'"),
    ('genomics', 'ids_of_the_campaign', '1 PMC7 1 9 10 5 me\n', {}, "'PMC7' is not an id of this campaign"),
    ('moments', 'readable', moments([5, 2]), {}, 'their times are put in order'),
    ('inex-fol', 'apart_in_focused_runs', '1 Q0 d 1 9 me 1 9\n1 Q0 d 2 8 me 5 2\n', {}, 'overlaps 1-10'),
    ('inex-fol', 'documents_together', '1 Q0 d 1 9 me 1 2\n1 Q0 e 2 8 me 1 2\n1 Q0 d 3 7 me 9 2\n', {}, 'comes back'),
    ('trecvid-avs', 'with_attributes', xml('trecvid-avs', *shots('shot1_1'), topic=''), {}, "has no 'elapsedTime'"),
    ('trecvid-search', 'ids_of_the_campaign', xml('trecvid-search', *shots('x_1')), {}, "'x_1' (rank 1 of '"),
    ('trecvid-search', 'answered_queries', xml('trecvid-search', *shots('shot1_1')), {'queries': TOPICS['lines']},
     'have no items'),
    ('trecvid-2001', 'with_attributes', of_2001('v 0 5', numbers='tNum="1" pType="X" sType="K" sysId="me"'), {},
     "has no 'pType' of A or I, which the campaign wants"),
    ('podcasts', 'on_the_minute', f'1 Q0 {EPISODE}_90.5 1 9 me\n', {}, 'segments of the track start every 60 s'),
]
QRELS: list[tuple[str, str, str, dict[str, str], str]] = [
    ('trec', 'readable', 'q 0 v#t=0,5 x\n', {}, "'x' is not"),
    ('trec', 'whole_file', 'q 0 v#t=5,5 1\n', {}, 'content'),
    ('trec', 'judged_once', 'q 0 v#t=0,5 1\n' * 2, {}, 'is already judged 1'),
    ('trec', 'judged_without_contradiction', 'q 0 v#t=0,5 1\nq 0 v#t=0,5 0\n', {}, "is judged 0 for 'q', but 1"),
    ('sh-known-item', 'overlap', 'q v 1.00 2.00\nq v 1.30 2.00\n', {}, 'overlaps 1.00-2.00'),
    ('sh-linking', 'within_the_document', 'q Q0 v 1.00 6.00 1\n', {'videos': TOPICS['videos']}, 'ends after the end'),
    ('inex-xml', 'readable', '<a>', {}, 'malformed'),
    ('trecvid-search', 'known_query', '700 0 shot1_1 1\n', {'queries': TOPICS['lines']}, 'is not among the ids'),
    ('trecvid-strata', 'readable', '661 0 shot1_1 1 1\n' * 2, {}, 'lines repeat an earlier one exactly'),
]
CASES = [(format, 'run', *rest) for format, *rest in RUNS] + [(format, 'qrels', *rest) for format, *rest in QRELS]


@pytest.mark.parametrize('format, kind, rule, text, others, sentence', CASES,
                         ids=[f'{format}-{kind}-{rule}' for format, kind, rule, *_ in CASES])
def test_a_file_that_breaks_the_rule(format: str, kind: str, rule: str, text: str, others: dict[str, str],
                                     sentence: str, tmp_path: Path) -> None:
    paths: dict[str, Any] = {}
    for name, content in {'file': text, **others}.items():
        paths[name] = tmp_path / name
        paths[name].write_text(content)
    found = checks.check(paths.pop('file'), format, kind, **paths)
    said = [finding for finding in found if finding.rule == rule]
    assert said, [str(finding) for finding in found]
    assert any(sentence in finding.sentence for finding in said)
    rules = formats.FORMATS[format].rules(kind)
    assert rules is not None
    if rule != 'readable' and rule in checks.RULES:
        assert said[0].is_warning == (rule not in rules.violations)


def test_every_rule_is_one_of_a_format_and_has_a_row() -> None:
    named = {rule for format in formats.FORMATS.values() for kind in ('run', 'qrels') if (rules := format.rules(kind))
             for names in (rules.violations, rules.warnings, *rules.tasks.values()) for rule in names}
    ours = {'most_items', 'ids_of_the_campaign', 'known_end', 'known_length'}
    assert named | ours == set(checks.RULES)
    assert set(checks.RULES) - {rule for _, _, rule, *_ in CASES} == {
        'one_item_a_document', 'known_length'}  # of a task; of lengths, which are no file
