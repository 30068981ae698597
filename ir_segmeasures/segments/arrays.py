"""Types of NumPy's arrays, for annotations. ``numpy.typing`` has them too, but takes longer to import."""

from typing import Any, TypeVar

import numpy as np

Number = TypeVar('Number', bound=np.generic)

Array = np.ndarray[Any, np.dtype[Number]]
Bools = Array[np.bool_]
Floats = Array[np.float64]
Ints = Array[np.intp]
