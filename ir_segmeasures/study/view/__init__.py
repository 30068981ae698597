"""Looking at runs: a page to click through (:func:`page`), and the picture of one query for a notebook (:func:`show`).

Jinja2, of the extra ``view``, is imported when a page is made.
"""

from ir_segmeasures.study.view.page import page
from ir_segmeasures.study.view.texts import DatasetTexts, text_of
from ir_segmeasures.study.view.timeline import Timeline, show

__all__ = ['page', 'show', 'Timeline', 'DatasetTexts', 'text_of']
