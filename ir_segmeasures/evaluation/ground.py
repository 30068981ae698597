"""The ground of a measure, which every measure names: it is light, since importing a measure loads no table."""

from typing import NamedTuple


class Ground(NamedTuple):
    """The rows that a measure looks at, and how; measures of one ground share a walk.

    Attributes:
        rel: the relevance from which content is relevant; minus infinity for all that is judged
        condensed: whether content that nobody judged, and items without judged content, are left out
        apart: whether relevant segments that only touch stay two spans
        everywhere: whether items in documents without relevant content are needed too
        sized: whether the whole of each document is, from 0 to the column ``doc_size``
    """
    rel: float = 1
    condensed: bool = False
    apart: bool = False
    everywhere: bool = False
    sized: bool = False
