from ir_segmeasures.segments.old_names import moved

moved(__name__)
