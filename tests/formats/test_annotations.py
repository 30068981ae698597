"""Annotations of tools, and files of judges, become judgements with the names of the assessors."""

import json
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures import formats
from ir_segmeasures.formats import FormatError
from ir_segmeasures.formats.annotations.marks import JudgedUnit, Mark, grade_of, unit_qrels
from ir_segmeasures.segments.segment import Segment

TEXT = 'Bees 🐝 swarm in May.'
UNIT = {'query_id': 'q1', 'query': 'bees', 'unit': 'd#char=100,121', 'offset': 100}


def region(start: Any, end: Any, label: str, **more: Any) -> dict[str, Any]:
    return {'type': 'labels', 'from_name': 'grade', 'to_name': 'text',
            'value': {'start': start, 'end': end, 'labels': [label], **more}}


def label_studio(*annotations: Any, **data: Any) -> str:
    return json.dumps([{'id': 7, 'data': UNIT | data, 'annotations': list(annotations), 'predictions': []}])


def by(assessor: Any, *result: Any) -> dict[str, Any]:
    return {'completed_by': assessor, 'was_cancelled': False, 'result': list(result)}


@pytest.fixture
def rows(tmp_path: Path) -> Any:
    def rows(text: str, format: str, name: str = 'file', **options: Any) -> list[tuple[Any, ...]]:
        path = tmp_path / name
        path.write_text(text, encoding='utf-8')
        return [tuple(row) for row in formats.read_qrels(path, format, **options)]
    return rows


class TestLabelStudio:
    def test_stretches_of_a_recording(self, rows: Any) -> None:
        text = label_studio(by({'id': 3, 'email': 'ann@x.org'}, region(12.5, 20, '2 highly relevant'),
                               region(10, 60, 'unjudged')), unit='talk#t=10,60', offset=5, audio='talk.mp3')
        assert rows(text, 'label-studio') == [('q1', 'talk#t=12.5,20', 2, 'ann@x.org')]

    def test_an_annotation_begins_with_the_region_of_its_unit(self, rows: Any) -> None:
        unit = {**region(10, 60, 'unjudged', channel=0), 'origin': 'prediction'}
        moved = {**region(20.5, 70.5, 'unjudged', channel=0), 'origin': 'prediction-changed'}
        graded = {**region(10, 60, '1', channel=0), 'origin': 'prediction-changed'}
        text = label_studio(by(1, unit), by(2, moved), by(3, unit, region(12, 20, '1')), by(4, graded),
                            unit='talk#t=10,60', audio='talk.mp3')
        assert rows(text, 'label-studio') == [
            ('q1', 'talk#t=12,20', 1, '3'), ('q1', 'talk#t=10,12', 0, '3'), ('q1', 'talk#t=20,60', 0, '3'),
            ('q1', 'talk#t=10,60', 1, '4')]

    @pytest.mark.parametrize('name', ['fps', 'framerate'])
    def test_frames_of_a_video(self, rows: Any, name: str) -> None:
        result = {'type': 'timelinelabels', 'from_name': 'grade', 'to_name': 'video', 'value': {
            'ranges': [{'start': 251, 'end': 300}], 'timelinelabels': ['2 highly']}}
        text = label_studio(by(1, result), unit='talk#t=10,14', offset=5, video='talk.mp4', **{name: 25})
        assert rows(text, 'label-studio') == [('q1', 'talk#t=10,12', 2, '1'), ('q1', 'talk#t=12,14', 0, '1')]

    def test_the_rest_of_a_unit_is_not_relevant(self, rows: Any) -> None:
        text = label_studio(by(3, region(12.5, 20, '2')), by(4), {**by(5), 'was_cancelled': True}, unit='talk#t=10,60')
        assert rows(text, 'label-studio') == [
            ('q1', 'talk#t=12.5,20', 2, '3'), ('q1', 'talk#t=10,12.5', 0, '3'), ('q1', 'talk#t=20,60', 0, '3'),
            ('q1', 'talk#t=10,60', 0, '4')]

    @pytest.mark.parametrize('result', [{'type': 'choices', 'value': {'choices': ['2 relevant']}},
                                        {'type': 'rating', 'value': {'rating': 2}}])
    def test_a_grade_of_the_whole_unit(self, rows: Any, result: Any) -> None:
        assert rows(label_studio(by(3, result)), 'label-studio') == [('q1', 'd#char=100,121', 2, '3')]

    @pytest.mark.parametrize(('start', 'end'), [(7, 12), (8, 13)])  # in characters, and as JavaScript counts
    def test_stretches_of_a_text(self, rows: Any, start: int, end: int) -> None:
        text = label_studio(by(3, region(start, end, '1', text='swarm')), text=TEXT, unit='d#char=107,112')
        assert rows(text, 'label-studio') == [('q1', 'd#char=107,112', 1, '3')]

    @pytest.mark.parametrize(('text', 'sentence'), [
        ('{', 'the file is not JSON at column 2 (Expecting property name enclosed in double quotes'),
        ('{}', 'the file is not a list of tasks, as the export in JSON is: export it once more'),
        ('[{"data": {}}]', "task 1 has no 'query_id' (there is no key at all), but it"),
        ('[{"data": {"query_id": "q"}}]', 'task 1: the unit is None, but it is the id of a segment, as in the tasks'),
        (label_studio(by(1), unit='d'), "task 1: the unit 'd' is no segment with a start and an end: take those"),
        (label_studio(by(1, region(5, 2, '1'))), 'task 1: a mark goes from 5 to 2, but it is a stretch'),
        (label_studio(by(1, region(2, 5, 'bees'))), "task 1: the label 'bees' is no grade: begin it with a number"),
        (label_studio(by(1, region(0, 5, '1', text='wasps')), text=TEXT), "task 1: the marked text 'wasps' does not"),
        (label_studio(by(1, {'type': 'timelinelabels', 'value': {'ranges': []}})), 'task 1: a stretch counts frames'),
        (label_studio(by(1, {'value': {'ranges': [{'start': 1}]}}), fps=25), "task 1: a stretch has no 'end'"),
        ('[{"query_id": "q", "id": 1, "annotator": 2, "annotation_id": 3}]', 'the file is the export JSON-MIN'),
        (label_studio(by(1, 5)), 'task 1: a result has no value: export it once more')])
    def test_refusals(self, rows: Any, text: str, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(text, 'label-studio')
        assert found.value.sentence.startswith(sentence)


class TestDoccano:
    def test_marks_of_a_user(self, rows: Any) -> None:
        line = json.dumps({'id': 1, 'text': TEXT, 'label': [[0, 4, '2'], [5, 6, 'not relevant']], **UNIT})
        assert rows(line + '\n\n', 'doccano', 'ann.jsonl') == [
            ('q1', 'd#char=100,104', 2, 'ann'), ('q1', 'd#char=105,106', 0, 'ann'), ('q1', 'd#char=104,105', 0, 'ann'),
            ('q1', 'd#char=106,121', 0, 'ann')]

    def test_entities_and_the_file_of_all(self, rows: Any) -> None:
        entity = {'id': 0, 'start_offset': 0, 'end_offset': 21, 'label': 'relevant'}
        line = json.dumps({'text': TEXT, 'entities': [entity], 'relations': [], **UNIT})
        assert rows(line, 'doccano', 'all.jsonl') == [('q1', 'd#char=100,121', 1, '0')]

    def test_a_folder_has_a_file_for_each_user(self, tmp_path: Path) -> None:
        for name in ('ann', 'ben'):
            (tmp_path / f'{name}.jsonl').write_text(json.dumps({'text': TEXT, 'label': [], **UNIT}))
        assert [row.iteration for row in formats.read_qrels(tmp_path, 'doccano')] == ['ann', 'ben']

    @pytest.mark.parametrize(('line', 'sentence'), [
        ('{', 'the line is not JSON at column 2'), ('{"text": ""}', "the text has no 'query_id' (there is"),
        (json.dumps({**UNIT, 'label': [[1, 2]]}), 'the mark [1, 2] is not [start, end, label]'),
        (json.dumps({**UNIT, 'offset': 'x'}), "'offset' of the text is \"x\", but it has to be a whole number"),
        (json.dumps({**UNIT, 'label': [[1, 2, 'PER']]}), "the label 'PER' is no grade: begin it with a number")])
    def test_refusals(self, rows: Any, line: str, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(json.dumps({**UNIT, 'label': []}) + '\n' + line, 'doccano')
        assert (found.value.line, found.value.sentence[:len(sentence)]) == (2, sentence)


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_SP=webanno.custom.Relevance|query|grade


#Text=Bees 🐝 swarm in May.
1-1\t0-4\tBees\t_\t_\tq1\t2
1-2\t5-7\t🐝\t*[1]\tX[1]\tq1[2]|q\\_2[3]\t1[2]|3[3]
1-3\t8-13\tswarm\t*[1]\tX[1]\tq1[2]|q\\_2[3]\t1[2]|3[3]
1-4\t14-16\tin\t_\t_\tq\\_2[3]\t3[3]
1-5\t17-20\tMay\t_\t_\t_\t_
1-5.1\t17-18\tM\t_\t_\tq1\t*
1-6\t20-21\t.\t_\t_\t_\t_
"""


CAS = json.dumps({'%TYPES': {}, '%FEATURE_STRUCTURES': [
    {'%ID': 1, '%TYPE': 'uima.cas.Sofa', 'sofaNum': 1, 'sofaID': '_InitialView', 'sofaString': TEXT},
    {'%ID': 2, '%TYPE': 'de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData', '@sofa': 1, 'begin': 0,
     'end': 21, 'documentTitle': 'my doc.txt', 'documentId': 'Ann B.'},
    {'%ID': 3, '%TYPE': 'webanno.custom.Relevance', '@sofa': 1, 'begin': 5, 'end': 13, 'query': 'q1',
     'grade': '2 highly'},
    {'%ID': 4, '%TYPE': 'webanno.custom.Relevance', '@sofa': 1, 'query': 'q2', 'begin': 17, 'end': 18}]})
XMI = f"""<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmi:version="2.0"
 xmlns:custom="http:///webanno/custom.ecore" xmlns:type="http:///core/api/metadata/type.ecore">
 <cas:NULL xmi:id="0"/>
 <type:DocumentMetaData xmi:id="2" sofa="1" begin="0" end="21" documentTitle="my doc.txt" documentId="Ann B."/>
 <custom:Relevance xmi:id="3" sofa="1" begin="5" end="13" query="q1" grade="2 highly"/>
 <custom:Relevance xmi:id="4" sofa="1" begin="17" end="18" query="q2"/>
 <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{TEXT}"/>
 <cas:View sofa="1" members="2 3 4"/>
</xmi:XMI>
"""


class TestInception:
    def test_spans_of_several_tokens_and_layers(self, rows: Any) -> None:
        assert rows(TSV, 'inception', 'd.txt.tsv') == [
            ('q1', 'd#char=0,4', 2, '0'), ('q1', 'd#char=5,12', 1, '0'), ('q_2', 'd#char=5,15', 3, '0'),
            ('q1', 'd#char=16,17', 1, '0')]

    def test_a_grade_is_that_of_its_layer(self, rows: Any) -> None:
        text = TSV.replace('Relevance|query|grade', 'Relevance|query\n#T_SP=webanno.custom.Other|query_id')
        assert [(query, grade) for query, _, grade, _ in rows(text.replace('q1\t2', 'q1\t_').replace('*\n', '_\n'),
                                                              'inception')] == [
            ('q1', 1), ('q1', 1), ('q_2', 1), ('1', 1), ('3', 1), ('q1', 1)]

    def test_positions_are_those_of_the_text(self) -> None:
        assert (TEXT[5:12], TEXT[16:17]) == ('🐝 swarm', 'M')

    def test_the_export_of_a_project(self, tmp_path: Path) -> None:
        for name in ('ann', 'ben'):
            path = tmp_path / 'annotation' / 'my doc.txt' / f'{name}.tsv'
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TSV)
        found = formats.read_qrels(tmp_path, 'inception')
        assert len(found) == 8 and tuple(found[-1]) == ('q1', 'my%20doc#char=16,17', 1, 'ben')

    def test_exports_as_zip(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / 'document.zip', 'w') as archive:
            archive.writestr('a.xmi', XMI)
            archive.writestr('TypeSystem.xml', '<typeSystemDescription/>')
        with zipfile.ZipFile(tmp_path / 'project.zip', 'w') as archive:
            archive.writestr('exportedproject.json', '{}')
            archive.writestr('source/b.tsv', 'a table')
            archive.write(tmp_path / 'document.zip', 'annotation/my doc.txt/Ann.zip')
            archive.writestr('annotation/b.tsv/ben.tsv', TSV)
            archive.writestr('__MACOSX/annotation/b.tsv/._ben.tsv', 'hidden')
        alone = formats.read_qrels(tmp_path / 'document.zip', 'inception')
        assert [row.doc_id for row in alone] == ['my%20doc#char=5,12', 'my%20doc#char=16,17']
        found = formats.read_qrels(tmp_path / 'project.zip', 'inception')
        assert found[4:] == alone and tuple(found[0]) == ('q1', 'b#char=0,4', 2, 'ben')
        zipfile.ZipFile(tmp_path / 'project.zip').extractall(tmp_path / 'project')
        assert formats.read_qrels(tmp_path / 'project', 'inception') == found

    def test_refusals_of_a_zip(self, tmp_path: Path) -> None:
        path = tmp_path / 'a.zip'
        for sentence, format in ((r'a\.zip: the \.zip has no file whose name ends in \.tsv or', 'inception'),
                                 (r'a\.zip: the file is packed as \.zip, which holds files: unpack', 'doccano')):
            with zipfile.ZipFile(path, 'w') as archive:
                archive.writestr('a.txt', b'\xff')
            with pytest.raises(FormatError, match=sentence):
                formats.read_qrels(path, format)
        path.write_bytes(path.read_bytes()[:-9])
        with pytest.raises(FormatError, match=r'a\.zip: the \.zip cannot be unpacked \('):
            formats.read_qrels(path, 'inception')

    def test_an_export_in_a_pipe(self, tmp_path: Path) -> None:
        pipe = tmp_path / 'pipe'
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(XMI,))
        writer.start()
        assert [row.query_id for row in formats.read_qrels(pipe, 'inception')] == ['q1', 'q2']
        writer.join()

    def test_positions_of_a_cas_count_as_java_does(self, rows: Any) -> None:
        expected = [('q1', 'my%20doc#char=5,12', 2, 'Ann%20B.'), ('q2', 'my%20doc#char=16,17', 1, 'Ann%20B.')]
        for text, name in ((CAS, 'file.json'), (XMI, 'file.xmi'), ('\ufeff' + XMI, 'file')):
            assert rows(text, 'inception', name) == expected

    def test_a_cas_without_metadata_has_the_names_of_its_file(self, rows: Any) -> None:
        text = CAS.replace('DocumentMetaData', 'Other')
        assert rows(text, 'inception', 'd.json') == [('q1', 'd#char=5,12', 2, '0'), ('q2', 'd#char=16,17', 1, '0')]

    @pytest.mark.parametrize(('kind', 'name'), [('to_json', 'file.json'), ('to_xmi', 'file.xmi')])
    def test_exports_of_another_program(self, rows: Any, kind: str, name: str) -> None:
        cassis = pytest.importorskip('cassis')
        types = cassis.TypeSystem()
        layer = types.create_type('webanno.custom.Relevance', 'uima.tcas.Annotation')
        for feature in ('query', 'grade'):
            types.create_feature(layer, feature, 'uima.cas.String')
        cas = cassis.Cas(types)
        cas.sofa_string = TEXT
        cas.add(layer(begin=5, end=12, query='q1', grade='2 <highly> & "more"'))
        assert rows(getattr(cas, kind)(), 'inception', name) == [('q1', 'file#char=5,12', 2, '0')]

    def test_a_cas_without_a_query_is_told(self, rows: Any) -> None:
        with pytest.warns(UserWarning, match='no annotation has the feature "query"'):
            assert rows(CAS.replace('query', 'topic'), 'inception') == []
        assert rows(CAS.replace('query', 'topic').replace('Ann B.', 'INITIAL_CAS'), 'inception') == []

    @pytest.mark.parametrize(('text', 'sentence'), [
        ('{}', "the file has no '%FEATURE_STRUCTURES' (there is no key at all), but it"),
        ('<a/>', '<a> stands here, but files of UIMA CAS XMI have <xmi:XMI>'),
        (CAS.replace('"query": "q2", ', ''), "annotation 4: the query '' is no id, which has no white space"),
        (CAS.replace('"end": 18', '"end": 99'), 'annotation 4: the annotation goes from 17 to 99, but its text from 0 '
                                                'to 21: export the document once more'),
        (CAS.replace('Sofa', 'Sofia'), 'annotation 3: its text is not in the file'),
        (XMI.replace('17', 'x'), "annotation '4': the annotation goes from 'x' to 18"),
        (XMI.replace('2 highly', 'good'), "annotation '3': the label 'good' is no grade")])
    def test_refusals_of_a_cas(self, rows: Any, text: str, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(text, 'inception')
        assert found.value.sentence[:len(sentence)] == sentence

    @pytest.mark.parametrize(('text', 'line', 'sentence'), [
        ('Bees', 1, 'the file does not begin with #FORMAT=WebAnno TSV 3'),
        (TSV.replace('query|', 'topic|'), None, 'no layer of spans has the feature "query"'),
        (TSV.replace('0-4', '0'), 7, 'the line is no token with its place and its columns'),
        (TSV.replace('q1\t2', 'q1\tX'), 7, "the label 'X' is no grade"),
        (TSV.replace('q1\t2', '*\t2'), 7, "the query '' is no id, which has no white space: correct it")])
    def test_refusals(self, rows: Any, text: str, line: int | None, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(text, 'inception')
        assert (found.value.line, found.value.sentence[:len(sentence)]) == (line, sentence)


EAF = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0">
 <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"><MEDIA_DESCRIPTOR MEDIA_URL="file:///x/talk.wav"/></HEADER>
 <TIME_ORDER>
  <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="12500"/><TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="20000"/>
  <TIME_SLOT TIME_SLOT_ID="ts3"/>
 </TIME_ORDER>
 <TIER ANNOTATOR="Ann B." LINGUISTIC_TYPE_REF="default-lt" TIER_ID="q1@Ann">
  <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
   <ANNOTATION_VALUE>2 highly</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
 </TIER>
 <TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="q2">
  <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
   <ANNOTATION_VALUE/></ALIGNABLE_ANNOTATION></ANNOTATION>
  <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a3" ANNOTATION_REF="a2">
   <ANNOTATION_VALUE>a remark</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
 </TIER>
</ANNOTATION_DOCUMENT>
"""


class TestRecordings:
    def test_elan(self, rows: Any) -> None:
        assert rows(EAF, 'elan', 'talk.eaf') == [
            ('q1', 'talk#t=12.5,20', 2, 'Ann%20B.'), ('q2', 'talk#t=12.5,20', 1, '0')]

    @pytest.mark.parametrize(('old', 'new', 'line', 'sentence'), [
        ('"20000"', '"x"', 5, "the time 'x' is no whole number of milliseconds"),
        ('REF2="ts2"', 'REF2="ts3"', 10, "an annotation of the tier 'q1' has no time at its start or its end"),
        ('2 highly', 'good', 10, "the label 'good' is no grade"), ('REF1="ts1"', 'REF1="ts2"', 10, 'a mark goes from')])
    def test_refusals_of_elan(self, rows: Any, old: str, new: str, line: int, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(EAF.replace(old, new, 1), 'elan')
        assert (found.value.line, found.value.sentence[:len(sentence)]) == (line, sentence)

    def test_other_files_of_xml_are_none_of_elan(self, rows: Any) -> None:
        with pytest.raises(FormatError, match='the root is <xmi:XMI>, but that of files of ELAN is'):
            rows(XMI, 'elan')

    def test_audacity(self, rows: Any) -> None:
        text = '12.500000\t20.000000\tq1 2\n\\\t100.0\t200.0\n30,5\t31\tq2\n32\t33\tq2 unjudged\n'
        assert rows(text, 'audacity', 'talk.txt') == [
            ('q1', 'talk#t=12.5,20', 2, '0'), ('q2', 'talk#t=30.5,31', 1, '0')]

    def test_folders_of_recordings(self, tmp_path: Path) -> None:
        for name in ('a', 'b'):
            (tmp_path / f'{name}.txt').write_text('0\t5\tq1\n')
            (tmp_path / f'{name}.eaf').write_text(EAF)
        assert [row.doc_id for row in formats.read_qrels(tmp_path, 'audacity')] == ['a#t=0,5', 'b#t=0,5']
        assert len(formats.read_qrels(tmp_path, 'elan')) == 4

    @pytest.mark.parametrize(('line', 'sentence'), [
        ('1\t2', 'the line is not a start, an end and a text'), ('1\tx\tq1', "'x' is no number of seconds"),
        ('5\t5\tq1', 'a mark goes from 5.0 to 5.0, but it is'), ('1\t2\t ', 'the label is empty, but it names'),
        ('1\tnan\tq', 'a mark goes from 1.0 to nan, but it is'), ('1\t2\tq bees', "the label 'bees' is no grade")])
    def test_refusals_of_audacity(self, rows: Any, line: str, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(f'0\t5\tq1\n{line}\n', 'audacity')
        assert (found.value.line, found.value.sentence[:len(sentence)]) == (2, sentence)


PROMPT = {'query': {'qid': 'q1', 'text': 'bees'}, 'candidates': [
    {'docid': 'd#t=0,5', 'doc': {'segment': 'Hm.'}}, {'docid': 'd#t=9,12', 'doc': {'segment': 'Hm.'}}]}


class TestModels:
    def judged(self, grade: Any, **more: Any) -> str:
        return json.dumps({'model': 'gpt', 'query': 'bees', 'passage': 'Hm.', 'judgment': grade, **more}) + '\n'

    def test_units_are_found_by_their_prompts(self, rows: Any, tmp_path: Path) -> None:
        (tmp_path / 'prompts').write_text(json.dumps(PROMPT))
        found = rows(self.judged(3) + self.judged(0), 'umbrela', texts=tmp_path / 'prompts')
        assert found == [('q1', 'd#t=0,5', 3, 'gpt'), ('q1', 'd#t=9,12', 0, 'gpt')]

    def test_answers_without_a_grade(self, rows: Any, tmp_path: Path) -> None:
        (tmp_path / 'prompts').write_text(json.dumps(PROMPT))
        with pytest.warns(UserWarning, match='1 of 2 answers of the model have no grade, and are left out'):
            found = rows(self.judged(0, result_status=0) + self.judged(2), 'umbrela', texts=tmp_path / 'prompts')
        assert found == [('q1', 'd#t=9,12', 2, 'gpt')]

    @pytest.mark.parametrize(('lines', 'sentence'), [
        (3, "no prompt asks, or asks so often, for the passage 'Hm.' of the query 'bees': give the prompts"),
        (0, None)])
    def test_what_no_prompt_asks_for(self, rows: Any, tmp_path: Path, lines: int, sentence: str | None) -> None:
        (tmp_path / 'prompts').write_text(json.dumps(PROMPT))
        with pytest.raises(FormatError) as found:
            rows(self.judged(1) * (lines or 2), 'umbrela', **({'texts': tmp_path / 'prompts'} if lines else {}))
        assert found.value.sentence.startswith(sentence or 'its lines have no ids of units')
        assert found.value.line == (lines or None)

    def test_texts_are_found_by_their_md5(self, rows: Any, tmp_path: Path) -> None:
        (tmp_path / 'prompts').write_text(json.dumps(PROMPT))
        code = 'c6d2310a7aa6795b2b904c0e417a139c'  # echo -n Hm. | md5sum
        expected = [('q1', 'd#t=0,5', 3, 'gpt'), ('q1', 'd#t=9,12', 3, 'gpt')]
        assert rows(f'q1 gpt {code} 3\n', 'auto-judge', texts=tmp_path / 'prompts') == expected
        assert rows(f'q1 gpt md5:{code.upper()} 3\n', 'auto-judge', texts=tmp_path / 'prompts') == expected
        with pytest.raises(FormatError, match="no prompt of query 'q2' has a text with the MD5"):
            rows(f'q2 gpt {code} 3\n', 'auto-judge', texts=tmp_path / 'prompts')

    def test_qrels_of_models_are_those_of_trec(self, rows: Any) -> None:
        assert rows('q1 0 d#t=0,5 3\n', 'trec') == [('q1', 'd#t=0,5', 3, '0')]


class TestJudgingPage:
    def test_marks_grades_and_what_is_left(self, rows: Any) -> None:
        content = {'assessor': 'Ann B.', 'judgements': [
            {'query_id': 'q', 'unit': 'd#t=0,10', 'grade': None, 'marks': [{'start': 2, 'end': 4.5, 'grade': 2}]},
            {'query_id': 'q', 'unit': 'd#t=20,30', 'grade': 1, 'marks': []},
            {'query_id': 'q', 'unit': 'd#t=40,50', 'grade': None, 'marks': []}]}
        assert rows(json.dumps(content), 'judgements') == [
            ('q', 'd#t=2,4.5', 2, 'Ann%20B.'), ('q', 'd#t=0,2', 0, 'Ann%20B.'), ('q', 'd#t=4.5,10', 0, 'Ann%20B.'),
            ('q', 'd#t=20,30', 1, 'Ann%20B.')]

    @pytest.mark.parametrize(('content', 'sentence'), [
        ([], "the file has no 'assessor' (there is []), but it"),
        ({'assessor': 'a', 'judgements': [{'query_id': 'q', 'unit': 'd', 'grade': 1}]}, "judgement 1: the unit 'd' is"),
        ({'assessor': 'a', 'judgements': [{'query_id': 'q', 'unit': 'd#t=0,1', 'marks': [3]}]},
         'judgement 1: "marks" is no list of objects')])
    def test_refusals(self, rows: Any, content: Any, sentence: str) -> None:
        with pytest.raises(FormatError) as found:
            rows(json.dumps(content), 'judgements')
        assert found.value.sentence.startswith(sentence)


@pytest.mark.parametrize(('label', 'grade'), [
    (2, 2), (.5, .5), ('2', 2), ('0.5', .5), ('-1 spam', -1), ('Relevant', 1), ('', 1), ('NOT  relevant', 0),
    ('unjudged', None)])
def test_grades_of_labels(label: Any, grade: Any) -> None:
    assert grade_of(label) == grade


@pytest.mark.parametrize('label', ['bees', '2nd', 'x 2', None, True, float('nan'), []])
def test_labels_that_are_no_grade(label: Any) -> None:
    with pytest.raises(ValueError, match='is no grade: begin it with a number, such as'):
        grade_of(label)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9), st.sampled_from([None, 0, 1, 2])), max_size=4))
def test_each_moment_of_a_unit_is_judged_once_or_marked(marks: list[tuple[int, int, Any]]) -> None:
    found = [Mark(start, start + length, grade) for start, length, grade in marks]
    rows = unit_qrels([JudgedUnit('q', Segment('d', 5, 15, 't'), found, None, 'ann')])
    seconds: dict[int, list[Any]] = {second: [] for second in range(5, 15)}
    for row in rows:
        start, end = map(int, row.doc_id.partition('=')[2].split(','))
        for second in set(range(start, end)) & set(seconds):
            seconds[second].append(row.relevance)
    for second, grades in seconds.items():
        marked = [mark.grade for mark in found if mark.start <= second < mark.end]
        assert sorted(grades) == ([0] if not marked else sorted(grade for grade in marked if grade is not None))


def test_assessors_stand_in_files_of_trec(run: Any, tmp_path: Path) -> None:
    (tmp_path / 'export.json').write_text(label_studio(by({'email': 'ann b@x.org'}), unit='d#t=0,5'))
    found = run('convert', tmp_path / 'export.json', '-', '--from', 'label-studio', '--to', 'trec', '--kind', 'qrels')
    assert (found.out, found.err) == ('q1 ann%20b@x.org d#t=0,5 0\n', '')
