"""Views of runs: a page to click through (:func:`page`), and the picture of one query for a notebook (:func:`show`).
Assessors judge on a page, too (:func:`judging_page`).

Jinja2, of the extra ``view``, is imported when a page is made.
"""

from ir_segmeasures.study.view.html import DatasetTexts, judging_page, text_of
from ir_segmeasures.study.view.html_page import Timeline, page, show

__all__ = ['judging_page', 'page', 'show', 'Timeline', 'DatasetTexts', 'text_of']
