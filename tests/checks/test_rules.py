"""Every rule of every format: one row for each, a small file that breaks it, and what is said about it."""

import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import checks, formats
from ir_segmeasures.checks import evaluation_rules

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


OTHER_2001 = of_2001('v 0 5', numbers='tNum="2" pType="A" sType="K" sysId="you"')


def known(*extents: str) -> str:
    return '<videoTopic num="1">' + ''.join(
        '<knownItem src="{}" start="{}s" stop="{}s"/>'.format(*extent.split()) for extent in extents) + '</videoTopic>'


def inex(*items: tuple[str, str]) -> str:
    results = ''.join(f'<result><file>{file}</file><path>{path}</path><rank>{rank}</rank><rsv>1</rsv></result>'
                      for rank, (file, path) in enumerate(items, 1))
    return f'<inex-submission run-id="me"><topic topic-id="1">{results}</topic></inex-submission>'


def moments(*windows: list[float], key: str = 'pred_relevant_windows', query: int = 1, more: str = '') -> str:
    return f'{{"qid": {query}, "vid": "v", "{key}": {list(windows)}{more}}}\n'


def clips(scores: list[list[int]], query: int = 1) -> str:
    return json.dumps({'qid': query, 'vid': 'v', 'duration': 9, 'relevant_clip_ids': list(range(len(scores))),
                       'saliency_scores': scores}) + '\n'


PREDICTED_CLIPS = '{"qid": 1, "vid": "v", "pred_saliency_scores": [0.5]}\n'


def nlq(*windows: list[float]) -> str:
    return json.dumps({'results': [{'clip_uid': 'v', 'annotation_uid': 'a', 'query_idx': 0,
                                    'predicted_times': windows}]})


def of_nlq(*windows: list[float], annotation: str = 'a') -> str:
    queries = [{'clip_start_sec': start, 'clip_end_sec': end} for start, end in windows]
    return json.dumps({'videos': [{'clips': [{
        'clip_uid': 'v', 'video_start_sec': 0, 'video_end_sec': 9,
        'annotations': [{'annotation_uid': annotation, 'language_queries': queries}]}]}]})


def detected(*windows: list[float]) -> str:
    return json.dumps({'results': {'v': [{'label': 'a', 'score': 1, 'segment': window} for window in windows]}})


def of_detection(*windows: list[float], label: str = 'a') -> str:
    return json.dumps({'database': {'v': {'subset': 'validation', 'duration': 9, 'annotations': [
        {'label': label, 'segment': window} for window in windows]}}})


def tvr(*predictions: list[float], query: int = 1) -> str:
    return f'{{"video2idx": {{"v": 0}}, "VCMR": [{{"desc_id": {query}, "predictions": {list(predictions)}}}]}}'


ASSESSED = ('<assessments topic="9"><file name="f"><element path="/a[1]" size="9" rsize="3"/></file>'
            '</assessments>')
OF_TVR = '{"desc_id": 1, "vid_name": "v", "ts": [0, 2.5], "duration": 10, "desc": "x", "type": "v"}\n'


def vbs(*extents: tuple[str, int, int]) -> str:
    return '[' + ', '.join(
        f'{{"query_name": "{name}", "hints": [], "answer": "v", "videorange": {{"start": {start}, "end": {end}}}}}'
        for name, start, end in extents) + ']'


TOPICS = {'queries': '<topics><top><queryId>q</queryId><queryText/></top><top><queryId>r</queryId><queryText/></top>'
                     '</topics>',
          'lines': '661 a\n662 b\n', 'inex': '<topics><topic id="1"><title>a</title></topic></topics>',
          'podcasts': '<t><topic><num>1</num><query>a</query><description>b</description></topic></t>',
          'videos': 'v 00:05:00\n', 'anchor': '<a><anchor><anchorId>q</anchorId><fileName>v</fileName><startTime>1.00'
          '</startTime><endTime>2.00</endTime></anchor></a>', 'vbs': vbs(('a', 1, 2))}
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
    ('trec', 'one_unit', 'q Q0 v#t=0,5 1 2 me\nq Q0 v#char=7,9 2 1 me\n', {}, "is in 'char', but an earlier"),
    ('trec', 'unit_of_the_judgements', 'q Q0 v#t=0,5 1 2 me\n', {'qrels': 'q 0 v#char=0,5 1\n'}, "'char'"),
    ('trec', 'known_end', 'q Q0 v#t=5, 1 2 me\n', {}, "runs to the document's end, which is not known"),
    ('sh-search', 'readable', SH.replace('2.00', '2.60'), {}, "time '2.60' has 60 seconds"),
    ('sh-search', 'apart_from_earlier_ones', SH + SH.replace(' 1 9', ' 2 8'), {}, 'is the same segment as that in'),
    ('sh-search', 'consecutive_ranks', SH.replace(' 1 9', ' 2 9'), {}, "rank 2 of 'q' is its first, but 1 is next"),
    ('sh-search', 'lines_together', SH + SH.replace('q', 'r') + SH.replace(' 1 9', ' 2 9'), {}, "'q' goes on after"),
    ('sh-search', 'known_query', SH.replace('q', 's'), {'queries': TOPICS['queries']}, "'s' is not among the ids"),
    ('sh-search', 'known_video', SH.replace('v', 'w'), {'videos': TOPICS['videos']}, "'w' is not among the ids"),
    ('sh-search', 'one_run', SH + SH.replace('me', 'you').replace(' 1 9', ' 2 9'), {}, "the run is called 'you'"),
    ('sh-search', 'scores_follow_ranks', SH + SH.replace(' 1 9', ' 2 10'), {}, "rank 2 of 'q' has the score 10"),
    ('sh-search', 'at_most_so_many', many('q Q0 v{0} 1.00 2.00 1.00 {0} 1', 1001), {},
     "is item 1,001 of 'q', but the campaign takes 1,000 of a query at most"),
    ('sh-search', 'judged_query', SH.replace('q', 's'), {'qrels': 'q Q0 v 1.00 2.00 1\n'}, "'s' has no judgements"),
    ('sh-search', 'answered_queries', SH, {'queries': TOPICS['queries']}, "have no items, such as 'r'"),
    ('sh-search', 'jump_in_within_the_item', SH.replace('2.00 1.00', '2.00 3.00'), {}, 'the jump-in point 3.00 lies'),
    ('sh-search', 'within_the_document', SH.replace('2.00 1.00', '5.01 1.00'), {'videos': TOPICS['videos']},
     'ends after the end of the video, which is 5.00 long'),
    ('sh-linking', 'readable', LINK.replace('1.00', '1'), {}, "time '1' has no dot"),
    ('sh-linking', 'apart_from_earlier_ones', LINK + LINK.replace('1.30 1', '1.20 2'), {}, 'overlaps 1.00-1.30'),
    ('sh-linking', 'consecutive_ranks', LINK.replace('1.30 1', '1.30 3'), {}, 'but 1 is next'),
    ('sh-linking', 'lines_together', LINK + LINK.replace('q', 'r') + LINK.replace('1.30 1', '1.30 2'), {}, 'goes on'),
    ('sh-linking', 'known_query', LINK.replace('q', 's'), {'anchors': TOPICS['anchor']}, 'is not among the ids'),
    ('sh-linking', 'known_video', LINK.replace('v', 'w'), {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('sh-linking', 'target_length', LINK.replace('1.30', '1.05'), {}, 'is 5 s long, but targets of links are 10 to'),
    ('sh-linking', 'apart_from_the_anchor', LINK, {'anchors': TOPICS['anchor']}, "overlaps the anchor 'q'"),
    ('sh-linking', 'one_run', LINK + LINK.replace('me', 'you').replace('1.30 1', '1.30 2'), {}, 'the run is called'),
    ('sh-linking', 'scores_follow_ranks', LINK + LINK.replace('1.30 1 9', '1.30 2 10'), {}, 'has the score 10'),
    ('sh-linking', 'at_most_so_many', many('q Q0 v{0} 1.00 1.30 {0} 1 me', 1001), {}, "is item 1,001 of 'q'"),
    ('sh-linking', 'judged_query', LINK.replace('q', 's'), {'qrels': 'q Q0 v 1.00 2.00 1\n'}, 'has no judgements'),
    ('sh-linking', 'answered_queries', LINK.replace('q', 's'), {'anchors': TOPICS['anchor']}, 'have no items'),
    ('sh-linking', 'within_the_document', LINK.replace('1.00 1.30', '4.45 5.01'), {'videos': TOPICS['videos']},
     'ends after the end of the video'),
    ('sh-anchoring', 'readable', 'v Q0 1.00 2.00 1 9\n', {}, 'the line has 6 fields'),
    ('sh-anchoring', 'retrieved_once', 'v Q0 1.00 2.00 1 9 me\n' * 2, {}, 'is already retrieved'),
    ('sh-anchoring', 'lines_together', 'v Q0 1.00 2.00 1 9 me\nw Q0 1.00 2.00 1 9 me\nv Q0 3.00 4.00 2 8 me\n', {},
     'goes on after'),
    ('sh-anchoring', 'known_video', 'w Q0 1.00 2.00 1 9 me\n', {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('sh-anchoring', 'one_run', 'v Q0 1.00 2.00 1 9 me\nv Q0 3.00 4.00 2 8 you\n', {}, "the run is called 'you'"),
    ('sh-anchoring', 'scores_follow_ranks', 'v Q0 1.00 2.00 1 8 me\nv Q0 3.00 4.00 2 9 me\n', {}, 'has the score 9'),
    ('sh-anchoring', 'at_most_so_many', many('v Q0 {0}.00 {0}.10 {0} 1 me', 1001), {}, "is item 1,001 of 'v'"),
    ('sh-anchoring', 'judged_query', 'w Q0 1.00 2.00 1 9 me\n', {'qrels': 'v 1.00 2.00 1\n'}, 'has no judgements'),
    ('sh-anchoring', 'answered_queries', 'w Q0 1.00 2.00 1 9 me\n', {'qrels': 'v 1.00 2.00 1\nw 1.00 2.00 1\n'},
     'have no items'),
    ('sh-anchoring', 'overlap', 'v Q0 1.00 2.00 1 9 me\nv Q0 1.30 4.00 2 8 me\n', {}, 'overlaps 1.00-2.00'),
    ('sh-anchoring', 'within_the_document', 'v Q0 1.00 6.00 1 9 me\n', {'videos': TOPICS['videos']}, 'ends after'),
    ('genomics', 'readable', '1 7 1 9 10 x me\n', {}, "'x' is not"),
    ('genomics', 'known_query', '9 7 1 9 10 5 me\n', {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('genomics', 'one_run', '1 7 1 9 10 5 me\n1 7 2 8 20 5 you\n', {}, "the run is called 'you'"),
    ('genomics', 'scores_follow_ranks', '1 7 1 8 10 5 me\n1 7 2 9 20 5 me\n', {}, 'has the score 9, but rank 1'),
    ('genomics', 'at_most_so_many', many('1 {0} {0} 1 0 5 me', 1001), {}, "is item 1,001 of '1'"),
    ('genomics', 'judged_query', '2 7 1 9 10 5 me\n', {'qrels': '1\t7\t10\t5\tA\n'}, 'has no judgements'),
    ('genomics', 'answered_queries', '2 7 1 9 10 5 me\n', {'qrels': '1\t7\t10\t5\tA\n2\t7\t10\t5\tA\n'},
     'have no items'),
    ('genomics', 'retrieved_once', '1 7 1 9 10 5 me\n1 7 2 8 10 5 me\n', {}, 'is already retrieved'),
    ('genomics', 'overlap', '1 7 1 9 10 5 me\n1 7 2 8 12 5 me\n', {}, "12-17 of '7' overlaps 10-15"),
    ('genomics', 'ids_of_the_campaign', '1 PMC7 1 9 10 5 me\n', {}, "'PMC7' is no id of this campaign"),
    ('moments', 'readable', moments([1]), {}, 'is not [start, end'),
    ('moments', 'doubtful', moments([5, 2]), {}, 'its times are put in order'),
    ('saliency', 'readable', clips([[1, 2]]), {}, "the line has no 'pred_saliency_scores'"),
    ('saliency', 'one_line_a_query', PREDICTED_CLIPS * 2, {}, "query '1' is already in line 1"),
    ('saliency', 'known_query', PREDICTED_CLIPS, {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('saliency', 'known_video', PREDICTED_CLIPS, {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('saliency', 'judged_query', PREDICTED_CLIPS, {'qrels': clips([[1, 2, 3]], query=2)}, 'has no judgements'),
    ('saliency', 'answered_queries', PREDICTED_CLIPS, {
        'qrels': clips([[1, 2, 3]]) + clips([[1, 2, 3]], query=2)}, 'have no items'),
    ('ego4d-nlq', '', '{"results": 3}', {}, 'but it has to be a list of the answers'),
    ('ego4d-nlq', 'retrieved_once', nlq([1, 2], [1, 2]), {}, 'is already retrieved'),
    ('ego4d-nlq', 'judged_query', nlq([1, 2]), {'qrels': of_nlq([1, 2], annotation='b')}, 'has no judgements'),
    ('ego4d-nlq', 'answered_queries', nlq([1, 2]), {'qrels': of_nlq([1, 2], [1, 2])}, 'have no items'),
    ('ego4d-nlq', 'overlap', nlq([1, 3], [2, 4]), {}, 'overlaps 1-3'),
    ('ego4d-nlq', 'within_the_document', nlq([1, 99]), {'qrels': of_nlq([1, 2])}, 'ends after the end'),
    ('activitynet', '', '{"results": 3}', {}, 'but it has to be an object'),
    ('activitynet', 'judged_query', detected([1, 2]), {'qrels': of_detection([1, 2], label='b')}, 'has no judgements'),
    ('activitynet', 'answered_queries', detected([1, 2]), {
        'qrels': of_detection([1, 2]).replace('}]', '}, {"label": "b", "segment": [1, 2]}]')}, 'have no items'),
    ('activitynet', 'within_the_document', detected([1, 99]), {'qrels': of_detection([1, 2])}, 'ends after the end'),
    ('answers', '', '{"v>>>a>>>[0, 1]": 3}', {}, 'windows are read in text'),
    ('moments', 'one_line_a_query', moments() * 2, {}, "query '1' is already in line 1"),
    ('moments', 'known_query', moments([1, 2, 3], query=9), {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('moments', 'known_video', moments([1, 2, 3]), {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('moments', 'retrieved_once', moments([1, 2, 3], [1, 2, 2]), {}, 'is already retrieved'),
    ('moments', 'judged_query', moments([1, 2, 3]), {'qrels': moments(key='relevant_windows', query=2)},
     'has no judgements'),
    ('moments', 'answered_queries', moments([1, 2, 3]), {'qrels': moments([1, 2], key='relevant_windows', query=2)
                                                         + moments([1, 2], key='relevant_windows')}, 'have no items'),
    ('moments', 'overlap', moments([1, 3, 3], [2, 4, 2]), {}, 'overlaps 1-3'),
    ('moments', 'within_the_document', moments([1, 301, 3]), {'videos': TOPICS['videos']}, 'ends after the end'),
    ('inex-fol', 'readable', '1 Q0 d 1 9 me 10 x\n', {}, "'x' is not"),
    ('inex-fol', 'lines_together', '1 Q0 d 1 9 me 1 2\n2 Q0 d 1 9 me 1 2\n1 Q0 e 2 8 me 1 2\n', {}, 'goes on after'),
    ('inex-fol', 'known_query', '2 Q0 d 1 9 me 1 2\n', {'queries': TOPICS['inex']}, 'is not among the ids'),
    ('inex-fol', 'one_run', '1 Q0 d 1 9 me 1 2\n1 Q0 e 2 8 you 1 2\n', {}, "the run is called 'you'"),
    ('inex-fol', 'scores_follow_ranks', '1 Q0 d 1 8 me 1 2\n1 Q0 e 2 9 me 1 2\n', {}, 'has the score 9'),
    ('inex-fol', 'at_most_so_many', many('1 Q0 d{0} {0} 1 me 1 2', 1501), {}, "is item 1,501 of '1'"),
    ('inex-fol', 'lengths_and_no_ends', ''.join(f'1 Q0 d{n} {n} 1 me {n} {n + 20}\n' for n in range(1, 102)), {},
     'the last column may be the end offset'),
    ('inex-fol', 'judged_query', '2 Q0 d 1 9 me 1 2\n', {'qrels': '1 Q0 d 0 9\n'}, 'has no judgements'),
    ('inex-fol', 'answered_queries', '2 Q0 d 1 9 me 1 2\n', {'qrels': '1 Q0 d 0 9\n2 Q0 d 0 9\n'}, 'have no items'),
    ('inex-fol', 'apart_in_focused_runs', '1 Q0 d 1 9 me 1 9\n1 Q0 d 2 8 me 5 2\n', {}, 'overlaps 1-10'),
    ('inex-fol', 'documents_together', '1 Q0 d 1 9 me 1 2\n1 Q0 e 2 8 me 1 2\n1 Q0 d 3 7 me 9 2\n', {}, 'comes back'),
    ('inex-fol', 'within_the_document', '1 Q0 d 1 9 me 1 20\n', {'qrels': '1 Q0 d 0 9\n'}, 'ends after the end'),
    ('inex-xml', 'judged_query', inex(('a', '/a[1]')), {'qrels': ASSESSED}, "'1' has no judgements"),
    ('inex-xml', '', inex(('a b', '/a[1]')), {}, 'white space'),
    ('inex-xml', 'scores_follow_ranks', inex(('a', '/a[1]'), ('b', '/a[1]')).replace('<rsv>1</rsv>', '<rsv>0</rsv>', 1),
     {}, "rank 2 of '1' has the score 1, but rank 1 has 0"),
    ('inex-xml', 'known_query', inex(('a', '/a[1]')).replace('"1"', '"2"'), {'queries': TOPICS['inex']}, 'not among'),
    ('inex-xml', 'at_most_so_many', inex(*((f'a{n}', '/a[1]') for n in range(1501))), {}, "is item 1,501 of '1'"),
    ('inex-xml', 'apart_in_focused_runs', inex(('a', '/a[1]'), ('a', '/a[1]/b[1]')), {}, 'overlaps /a[1]'),
    ('inex-xml', 'documents_together', inex(('a', '/a[1]'), ('b', '/a[1]'), ('a', '/a[2]')), {}, 'comes back'),
    ('inex-xml', 'answered_queries', inex(('a', '/a[1]')).replace('"1"', '"2"'), {'queries': TOPICS['inex']},
     'have no items'),
    *((format, rule, *rest) for format in ('trecvid-avs', 'trecvid-search') for rule, *rest in (
        ('readable', xml(format, *shots('shot 1')), {}, 'white space'),
        ('retrieved_once', xml(format, *shots('shot1_1', 'shot1_1')), {}, 'is already retrieved'),
        ('known_query', xml(format, *shots('shot1_1'), number='700'), {'queries': TOPICS['lines']}, 'not among'),
        ('with_attributes', xml(format, *shots('shot1_1'), run=' x=""'), {}, "'priority', 'desc', but the document"),
        ('with_attributes', xml(format, *shots('shot1_1'), topic=''), {}, "has no 'elapsedTime'"),
        ('judged_query', xml(format, *shots('shot1_1')),
         {'qrels': f'9 0 shot1_1 {"1 " if format == "trecvid-avs" else ""}1\n'}, 'has no judgements'),
        ('answered_queries', xml(format, *shots('shot1_1')), {'queries': TOPICS['lines']}, 'have no items'),
        ('ids_of_the_campaign', xml(format, *shots('x_1')), {}, "'x_1' (rank 1 of '")) ),
    ('trecvid-2001', '', of_2001('v 0 x'), {}, "time 'xs' cannot be read"),
    ('trecvid-2001', 'known_query', of_2001('v 0 5').replace('"1"', '"2"', 1), {'queries': '1 a\n'}, 'not among'),
    ('trecvid-2001', 'known_video', of_2001('w 0 5'), {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('trecvid-2001', 'with_attributes', of_2001('v 0 5', numbers='tNum="1" pType="X" sType="K" sysId="me"'), {},
     "has pType 'X', but the document type of the track wants A or I"),
    ('trecvid-2001', 'one_run', f'<a>{of_2001("v 0 5")}{OTHER_2001}</a>', {}, "the run is called 'you', but 'me'"),
    ('trecvid-2001', 'retrieved_once', of_2001('v 0 5', 'v 0 5'), {}, 'is already retrieved'),
    ('trecvid-2001', 'judged_query', of_2001('v 0 5').replace('"1"', '"2"', 1), {'qrels': known('v 0 5')}, 'has no'),
    ('trecvid-2001', 'answered_queries', of_2001('v 0 5').replace('"1"', '"2"', 1), {'queries': '1 a\n2 b\n'},
     'have no items'),
    ('trecvid-2001', 'overlap', of_2001('v 0 5', 'v 4 9'), {}, 'overlaps 0-5'),
    ('trecvid-2001', 'within_the_document', of_2001('v 0 301'), {'videos': TOPICS['videos']}, 'ends after the end'),
    ('tvr', '', '{', {}, 'the file is not JSON'),
    ('tvr', 'retrieved_once', tvr([0, 1, 5, 2], [0, 1, 5, 1]), {}, 'is already retrieved'),
    ('tvr', 'known_query', tvr([0, 1, 5, 2], query=9), {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('tvr', 'known_video', tvr([0, 1, 5, 2]), {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('tvr', 'judged_query', tvr([0, 1, 5, 2], query=9), {'qrels': OF_TVR}, "'9' has no judgements"),
    ('tvr', 'answered_queries', tvr([0, 1, 5, 2]), {'qrels': OF_TVR + OF_TVR.replace('1', '9', 1)}, 'have no items'),
    ('tvr', 'overlap', tvr([0, 1, 5, 2], [0, 4, 9, 1]), {}, 'overlaps 1-5'),
    ('tvr', 'within_the_document', tvr([0, 1, 99, 2]), {'qrels': OF_TVR}, 'ends after the end'),
    ('podcasts', 'readable', '1 Q0 ep 1 9 me\n', {}, "'ep' is no segment"),
    ('podcasts', 'retrieved_once', f'1 Q0 {EPISODE}_60.0 1 9 me\n' * 2, {}, 'is already retrieved'),
    ('podcasts', 'known_query', f'2 Q0 {EPISODE}_60.0 1 9 me\n', {'queries': TOPICS['podcasts']}, 'not among'),
    ('podcasts', 'tied_scores', f'1 Q0 {EPISODE}_60.0 1 9 me\n1 Q0 {EPISODE}_0.0 2 9 me\n', {}, '2 of the 2 items'),
    ('podcasts', 'one_run', f'1 Q0 {EPISODE}_60.0 1 9 me\n1 Q0 {EPISODE}_0.0 2 8 you\n', {}, "is called 'you'"),
    ('podcasts', 'scores_follow_ranks', f'1 Q0 {EPISODE}_60.0 1 8 me\n1 Q0 {EPISODE}_0.0 2 9 me\n', {}, 'score 9'),
    ('podcasts', 'at_most_so_many', many(f'1 Q0 {EPISODE}_{{0}}.0 {{0}} 1 me', 1001), {}, "is item 1,001 of '1'"),
    ('podcasts', 'judged_query', f'2 Q0 {EPISODE}_60.0 1 9 me\n', {'qrels': f'1 0 {EPISODE}_0.0 1\n'}, 'has no'),
    ('podcasts', 'answered_queries', f'1 Q0 {EPISODE}_60.0 1 9 me\n', {'qrels': many(f'{{0}} 0 {EPISODE}_0.0 1', 2)},
     'have no items'),
    ('podcasts', 'on_the_minute', f'1 Q0 {EPISODE}_90.5 1 9 me\n', {}, 'segments of the track start every 60 s'),
    ('podcasts', 'ids_of_the_campaign', '1 Q0 ep_60.0 1 9 me\n', {}, "'ep' is no id of this campaign"),
]
QRELS: list[tuple[str, str, str, dict[str, str], str]] = [
    ('trec', 'readable', 'q 0 v#t=0,5 x\n', {}, "'x' is not"),
    ('trec', 'one_unit', 'q 0 v#t=0,5 1\nq 0 v#char=7,9 1\n', {}, "is in 'char'"),
    ('trec', 'judged_with_content', 'q 0 v#t=5,5 1\n', {}, 'content'),
    ('trec', 'judged_once', 'q 0 v#t=0,5 1\n' * 2, {}, 'is already judged 1'),
    ('trec', 'judged_without_contradiction', 'q 0 v#t=0,5 1\nq 0 v#t=0,5 0\n', {}, "is judged 0 for 'q', but 1"),
    ('trec', 'known_query', 's 0 v 1\n', {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('trec', 'known_video', 'q 0 w#t=0,5 1\n', {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('trec', 'overlap', 'q 0 v#t=0,5 1\nq 0 v#t=4,9 1\n', {}, 'overlaps 0-5'),
    ('trec', 'within_the_document', 'q 0 v#t=0,301 1\n', {'videos': TOPICS['videos']}, 'ends after the end'),
    *((format, rule, *rest) for format, line in (
        ('sh-search', 'q Q0 v 1.00 2.00 1\n'), ('sh-linking', 'q Q0 v 1.00 2.00 1\n'),
        ('sh-known-item', 'q v 1.00 2.00\n')) for rule, *rest in (
        ('readable', line.replace('2.00', '0.10'), {}, 'before start time'),
        ('judged_once', line * 2, {}, 'is already judged 1'),
        ('known_query', line.replace('q', 's'), {'queries': TOPICS['queries']}, 'is not among the ids'),
        ('known_video', line.replace('v', 'w'), {'videos': TOPICS['videos']}, 'is not among the ids'),
        ('overlap', line + line.replace('1.00', '1.30'), {}, 'overlaps 1.00-2.00'),
        ('within_the_document', line.replace('2.00', '6.00'), {'videos': TOPICS['videos']}, 'ends after the end'))),
    ('sh-anchoring', 'judged_without_contradiction', 'v 1.00 2.00 1\nv 1.00 2.00 0\n', {}, 'is judged 0'),
    ('sh-anchoring', 'known_video', 'w 1.00 2.00 1\n', {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('sh-anchoring', 'readable', 'v 1.00 2.00\n', {}, 'the line has 3 fields'),
    ('sh-anchoring', 'judged_once', 'v 1.00 2.00 1\n' * 2, {}, 'is already judged'),
    ('sh-anchoring', 'overlap', 'v 1.00 2.00 1\nv 1.30 3.00 1\n', {}, 'overlaps 1.00-2.00'),
    ('sh-anchoring', 'within_the_document', 'v 1.00 6.00 1\n', {'videos': TOPICS['videos']}, 'ends after the end'),
    *((format, 'judged_without_contradiction', 'q Q0 v 1.00 2.00 1\nq Q0 v 1.00 2.00 0\n', {}, 'is judged 0')
      for format in ('sh-search', 'sh-linking')),
    ('genomics', 'readable', '1\t7\tx\t5\tA\n', {}, "'x' is not"),
    ('genomics', 'known_query', '9\t7\t10\t5\tA\n', {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('genomics', 'judged_once', '1\t7\t10\t5\tA\n' * 2, {}, 'is already judged'),
    ('genomics', 'overlap', '1\t7\t10\t5\tA\n1\t7\t12\t5\tA\n', {}, 'overlaps 10-15'),
    ('genomics', 'ids_of_the_campaign', '1\tPMC7\t10\t5\tA\n', {}, "'PMC7' is no id of this campaign"),
    ('moments', 'one_line_a_query', moments(key='relevant_windows') * 2, {}, 'is already in line 1'),
    ('tvr', 'one_line_a_query', moments(key='relevant_windows') * 2, {}, 'is already in line 1'),
    ('moments', 'readable', '{', {}, 'is not JSON'),
    ('saliency', 'readable', clips([[1, 2]]), {}, 'has [1, 2] in saliency_scores'),
    ('saliency', 'one_line_a_query', clips([[1, 2, 3]]) * 2, {}, "query '1' is already in line 1"),
    ('saliency', 'known_query', clips([[1, 2, 3]]), {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('saliency', 'known_video', clips([[1, 2, 3]]), {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('ego4d-nlq', '', '{"videos": 3}', {}, 'but it has to be a list of videos'),
    ('ego4d-nlq', 'within_the_document', of_nlq([1, 99]), {}, 'ends after the end'),
    ('activitynet', '', '{"database": 3}', {}, 'but it has to be an object'),
    ('activitynet', 'judged_once', of_detection([1, 2], [1, 2]), {}, 'is already judged'),
    ('activitynet', 'within_the_document', of_detection([1, 99]), {}, 'ends after the end'),
    ('answers', '', '{"v>>>a>>>here": "0 to 1"}', {}, 'does not end in a window'),
    ('moments', 'known_query', moments([1, 2], key='relevant_windows'), {'queries': TOPICS['queries']}, 'not among'),
    ('moments', 'known_video', moments([1, 2], key='relevant_windows'), {'videos': 'w 00:05:00\n'}, 'not among'),
    ('moments', 'overlap', moments([1, 3], [2, 4], key='relevant_windows'), {}, 'overlaps 1-3'),
    ('tvr', 'readable', '{', {}, 'is not JSON'),
    ('tvr', 'judged_once', OF_TVR * 2, {}, 'is already judged'),
    ('tvr', 'known_query', OF_TVR, {'queries': TOPICS['queries']}, 'is not among the ids'),
    ('tvr', 'known_video', OF_TVR, {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('tvr', 'overlap', OF_TVR + OF_TVR.replace('[0', '[1'), {}, 'overlaps 0-2.5'),
    ('tvr', 'within_the_document', OF_TVR.replace('2.5', '12'), {}, 'ends after the end'),
    ('moments', 'judged_once', moments([1, 2], [1, 2], key='relevant_windows'), {}, 'is already judged'),
    ('moments', 'within_the_document', moments([1, 9], key='relevant_windows', more=', "duration": 5'), {}, 'ends'),
    ('inex-fol', 'readable', '1 Q0 d 0\n', {}, 'the line has 4 fields'),
    ('inex-xml', '', '<a>', {}, 'malformed'),
    ('inex-xml', 'known_query', ASSESSED, {'queries': TOPICS['inex']}, "'9' is not among the ids"),
    ('inex-fol', 'one_line_a_document', '1 Q0 d 0 9\n1 Q0 d 0 9\n', {}, 'is already judged in line 1'),
    ('inex-fol', 'doubtful', '1 Q0 d 3 9 1 2:0 1:3\n', {}, "passage '2:0' has no content, which counts for nothing"),
    ('inex-fol', 'known_query', '2 Q0 d 0 9\n', {'queries': TOPICS['inex']}, 'is not among the ids'),
    *((format, rule, *rest) for format, stratum in (
        ('trecvid-shots', ''), ('trecvid-search', ''), ('trecvid-strata', '1 '), ('trecvid-avs', '1 '))
      for rule, *rest in (
        ('readable', f'661 0 shot1_1 {stratum}x\n', {}, "relevance 'x' is not"),
        ('sampled_without_contradiction', f'661 0 shot1_1 {stratum}1\n661 0 shot1_1 {stratum}0\n', {}, 'only one can'),
        ('known_query', f'700 0 shot1_1 {stratum}1\n', {'queries': TOPICS['lines']}, 'is not among the ids'),
        ('sampled_once', f'661 0 shot1_1 {stratum}1\n' * 2, {}, 'is already judged the same'),
        ('ids_of_the_campaign', f'661 0 video1 {stratum}1\n', {}, "'video1' is no id of this campaign"))),
    ('vbs-dres', 'readable', f'{HEADER}t 0 v 0 9 9 3 1 1\n', {}, 'is before start_s'),
    ('vbs-dres', 'sampled_without_contradiction', f'{HEADER}t 0 v 0 0 9 3 1 1\nt 0 v 0 0 9 3 2 1\n', {},
     'stratum 2 is 1'),
    ('vbs-dres', 'known_video', f'{HEADER}t 0 w 0 0 9 3 1 1\n', {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('vbs-dres', 'sampled_once', HEADER + 't 0 v 0 0 9 3 1 1\n' * 2, {}, 'the same for'),
    ('vbs-dres', 'single_frame', f'{HEADER}t 0 v 0 3 9 3 1 1\n', {}, 'is a single frame'),
    ('vbs-dres', 'overlap', f'{HEADER}t 0 v 0 0 9 3 1 1\nt 0 v 0 2 9 4 1 1\n', {}, 'overlaps 0-3'),
    ('vbs-dres', 'within_the_document', f'{HEADER}t 0 v 0 0 9 301 1 1\n', {'videos': TOPICS['videos']}, 'ends after'),
    ('vbs-kis', '', '[', {}, 'the file is not JSON'),
    ('vbs-kis', 'known_query', vbs(('b', 1, 2)), {'queries': TOPICS['vbs']}, 'is not among the ids'),
    ('vbs-kis', 'known_video', vbs(('a', 1, 2)), {'videos': 'w 00:05:00\n'}, 'is not among the ids'),
    ('vbs-kis', 'within_the_document', vbs(('a', 1, 301000)), {'videos': TOPICS['videos']}, 'ends after the end'),
    ('trecvid-2001', '', known('v 5 0'), {}, "stop '0s' is before start '5s'"),
    ('trecvid-2001', 'judged_once', known('v 0 5', 'v 0 5'), {}, 'is already judged'),
    ('trecvid-2001', 'known_query', known('v 0 5'), {'queries': '2 a\n'}, 'is not among the ids'),
    ('trecvid-2001', 'known_video', known('w 0 5'), {'videos': TOPICS['videos']}, 'is not among the ids'),
    ('trecvid-2001', 'overlap', known('v 0 5', 'v 4 9'), {}, 'overlaps 0-5'),
    ('trecvid-2001', 'within_the_document', known('v 0 301'), {'videos': TOPICS['videos']}, 'ends after the end'),
    ('podcasts', 'readable', f'1 0 {EPISODE}_0.0 5\n', {}, "grade '5' is not a whole number from 0 to 4"),
    ('podcasts', 'judged_once', f'1 0 {EPISODE}_0.0 1\n' * 2, {}, 'is already judged'),
    ('podcasts', 'judged_without_contradiction', f'1 0 {EPISODE}_0.0 1\n1 0 {EPISODE}_0.0 2\n', {}, 'is judged 2'),
    ('podcasts', 'known_query', f'2 0 {EPISODE}_0.0 1\n', {'queries': TOPICS['podcasts']}, 'is not among the ids'),
    ('podcasts', 'on_the_minute', f'1 0 {EPISODE}_90.5 1\n', {}, 'start every 60 s'),
    ('podcasts', 'ids_of_the_campaign', '1 0 ep_60.0 1\n', {}, "'ep' is no id of this campaign"),
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
    assert sentence in said[-1 if rule == 'with_attributes' else 0].sentence
    of_kind = checks.rules_of(formats.FORMATS[format], kind)
    assert of_kind is not None
    assert said[0].is_warning == (rule in {known.__name__ for known in of_kind.warnings})


# What no file can break, since its reader takes the file as a whole or refuses it, or all that is judged is relevant.
NEVER = {
    *(('inex-xml', kind, 'readable') for kind in ('run', 'qrels')), ('inex-xml', 'run', 'one_run'),
    ('tvr', 'run', 'readable'), ('tvr', 'run', 'one_run'), ('tvr', 'run', 'scores_follow_ranks'),
    *(('trecvid-2001', kind, 'readable') for kind in ('run', 'qrels')),
    *((format, kind, 'readable') for format in ('answers', 'ego4d-nlq', 'activitynet') for kind in ('run', 'qrels')),
    *((*key, 'readable') for key in checks._OF_SEVERAL_FORMS),
    *(('vbs-kis', 'qrels', rule) for rule in ('readable', 'judged_once', 'overlap')),
    *((format, 'qrels', 'judged_without_contradiction') for format in (
        'sh-known-item', 'genomics', 'moments', 'tvr', 'vbs-kis')),
}


def test_every_rule_of_every_format_is_here() -> None:
    tested = {(format, kind, rule) for format, kind, rule, *_ in CASES if rule}
    assert not tested & NEVER
    # What evaluation refuses can break where ids say what they are in.
    rules = {(name, kind, rule.__name__) for name, format in formats.FORMATS.items() for kind in ('run', 'qrels')
             for group in checks.rules_of(format, kind) or () for rule in group
             if name not in ('parquet', 'csv', 'tsv', 'beir', 'ranx', 'msmarco')  # which have the rules of trec
             if name == 'trec' or rule.__module__ != evaluation_rules.__name__}
    assert rules - tested == NEVER
    assert tested <= rules
