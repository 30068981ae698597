"""Warnings that point at the line of the user, not at ours or at one of the packages between the two."""

import os
import sys
import warnings
from inspect import currentframe

__all__ = ['warn_user']

# Packages that call this one for the user, or that this one calls.
_BETWEEN = ('ir_measures', 'ir_datasets', 'pyterrier', 'pyterrier_alpha', 'pandas', 'joblib', 'tqdm', 'contextlib',
            'functools')
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def warn_user(sentence: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Issues a warning at the innermost line that is neither in this package nor in one between it and the user, so
    that Python shows a sentence once that two evaluators issue for one line. A warning has its own category.

    Examples:
        >>> import warnings
        >>> from ir_segmeasures import MAiSP
        >>> with warnings.catch_warnings(record=True) as found:
        ...     warnings.simplefilter('always')
        ...     values = MAiSP.calc_aggregate({'q1': {'rec#t=0,60': 1}}, {'q2': {'rec#t=0,60': 1.5}})
        >>> 'ir_segmeasures/' in found[0].filename, 'ir_measures/' in found[0].filename
        (False, False)
    """
    inside = [_OURS, '<frozen importlib']
    for name in _BETWEEN:
        file = getattr(sys.modules.get(name), '__file__', None)
        if file:
            inside.append(os.path.dirname(file) + os.sep if os.path.basename(file) == '__init__.py' else file)
    prefixes = tuple(inside)
    frame = currentframe()
    while (frame is not None and frame.f_back is not None  # as of ``python -m ir_segmeasures``, which is ours
           and frame.f_code.co_filename.startswith(prefixes)):
        frame = frame.f_back
    if frame is None:  # of a Python without frames
        warnings.warn(sentence, category, stacklevel=2)
        return
    names = frame.f_globals
    warnings.warn_explicit(sentence, category, frame.f_code.co_filename, frame.f_lineno, names.get('__name__', ''),
                           names.setdefault('__warningregistry__', {}))
