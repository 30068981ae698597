"""Views of runs: a page to click through (:func:`page`), and the picture of one query for a notebook (:func:`show`).

Jinja2, of the extra ``view``, is imported when a page is made.
"""

from ir_segmeasures.study.view.html_page import page
from ir_segmeasures.study.view.pictures import Timeline, show
from ir_segmeasures.study.view.texts import DatasetTexts, text_of

__all__ = ['page', 'show', 'Timeline', 'DatasetTexts', 'text_of']
