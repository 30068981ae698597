"""Plots of measures and systems for a paper: precision against recall, scores against a parameter, differences of two
runs by query, means over groups of queries, the timeline of one query, what holes in the judgements do.

Each function draws on the Axes that it is given, or on new ones that fit a column of a two-column paper (85 mm, 8 pt),
and returns them; :func:`save` writes their figure to a file. matplotlib, of the extra ``plots``, is imported when it is
first needed. Systems differ in colour (Okabe and Ito's, which colour-blind readers tell apart) and in the shape of
their line, and parts of a timeline in their hatching, so that print in grey will do.
"""

from ir_segmeasures.study.plots.charts import *
from ir_segmeasures.study.plots.figures import save as save
from ir_segmeasures.study.plots.lanes import *
