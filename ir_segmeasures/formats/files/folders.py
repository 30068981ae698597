"""Files of folders, chosen by the ends of their names."""

import os
from collections.abc import Iterable

from ir_segmeasures.formats.files.reading import FormatError, StrPath


def files_of(path: StrPath | Iterable[StrPath], suffixes: tuple[str, ...], deep: bool = False) -> list[StrPath]:
    """The files that a path stands for: a file, those of a folder with one of the suffixes (in lower case, ``.gz`` may
    follow) in the order of their names, with ``deep`` those of folders inside too, or those of a list.

    Raises:
        FormatError: a folder has none, or something else of such a name
    """
    if not isinstance(path, str | os.PathLike):
        return list(path)
    if not os.path.isdir(path):
        return [path]
    found = ((os.path.relpath(folder, path), names) for folder, _, names in os.walk(path)) if deep else [
        ('', os.listdir(path))]
    names = sorted(os.path.normpath(os.path.join(folder, name)) for folder, inside in found for name in inside
                   if stem(name, suffixes) != name and not name.startswith('.'))
    if not names:
        raise FormatError(f'the folder has no file whose name ends in {" or ".join(suffixes)}: check the path, or name '
                          'a file', path)
    files: list[StrPath] = [os.path.join(path, name) for name in names]
    for file in files:
        if os.path.exists(file) and not os.path.isfile(file):  # reading a pipe would wait for ever
            raise FormatError('this is no file, but its name is that of the files of the folder: take it out', file)
    return files


def stem(path: StrPath, suffixes: tuple[str, ...]) -> str:
    """The name of a file without the first of the suffixes that it has, and ``.gz``; the name itself if it has none or
    is one."""
    name = os.path.basename(os.fspath(path))
    bare = name[:-3] if name.lower().endswith('.gz') else name
    return next((bare[:-len(suffix)] for suffix in suffixes if bare.lower()[1:].endswith(suffix)), name)
