"""Pictures in PGF, which LaTeX draws with the fonts of its document."""

import io
from typing import Any

from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import RendererPgf
from matplotlib.figure import Figure
from matplotlib.textpath import text_to_path

from ir_segmeasures.study.tables import LATEX

__all__ = ['pgf_picture']


class _Renderer(RendererPgf):
    """A renderer that needs no LaTeX: it measures text in the fonts of matplotlib, which are wider than most, and
    escapes what LaTeX would take for its own.
    """

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False,
                  mtext: Any = None) -> None:
        super().draw_text(gc, x, y, s if ismath else s.translate(LATEX), prop, angle, ismath, mtext)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        scale = self.points_to_pixels(1)
        width, height, descent = text_to_path.get_text_width_height_descent(s, prop, ismath)
        return width * scale, height * scale, descent * scale


def pgf_picture(figure: Figure) -> str:
    """The figure as a ``pgfpicture``."""
    text, (width, height) = io.StringIO(), figure.get_size_inches()
    text.write('% \\usepackage{pgf} in the preamble, then \\input this file.\n'
               '\\begingroup%\n\\makeatletter%\n\\begin{pgfpicture}%\n'
               f'\\pgfpathrectangle{{\\pgfpointorigin}}{{\\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}%\n'
               '\\pgfusepath{use as bounding box, clip}%\n')
    renderer: Any = MixedModeRenderer(figure, width, height, figure.dpi, _Renderer(figure, text))
    figure.draw(renderer)
    text.write('\\end{pgfpicture}%\n\\makeatother%\n\\endgroup%\n')
    return text.getvalue()
