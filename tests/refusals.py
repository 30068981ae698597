"""What tests of readers share: the sentence with which a file is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.formats import FormatError


def message(reader: Callable[..., Any], path: Path, *arguments: Any, **options: Any) -> str:
    """The one line that the reader says about a bad file, without the folder."""
    with pytest.raises(FormatError) as caught:
        reader(path, *arguments, **options)
    assert str(caught.value).startswith(str(path.parent))
    assert '\n' not in str(caught.value)
    return str(caught.value).replace(f'{path.parent}/', '')
