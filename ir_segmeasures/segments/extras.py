"""Packages of extras: imported where they are needed, with a sentence on how to install those that are missing."""

import re
from importlib import import_module
from typing import Any


def needed(package: str, use: str, extra: str) -> Any:
    """Import a package, or a module of one.

    Args:
        package: of the extra
        use: begins the sentence about a missing one, such as ``'Parquet files are read with pyarrow'``
        extra: the extra of this package that has it

    Raises:
        ImportError: the package cannot be imported; the sentence says how to install it
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f'{use}, which cannot be imported ({error}): {install_command(extra)}') from error


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, as the metadata of this package names them."""
    found = dict.fromkeys(_packages(extra))
    return ' '.join(['python -m pip install', *(f"'{package}'" for package in found or [f'.[{extra}]'])])


def _packages(extra: str) -> list[str]:
    from importlib.metadata import PackageNotFoundError, requires  # most calls miss no package
    try:
        wanted = requires('ir_segmeasures') or []
    except PackageNotFoundError:  # it is run from a checkout
        return []
    found: list[str] = []
    for requirement in wanted:
        package, _, condition = requirement.partition(';')
        if re.search(f'extra == .{extra}.', condition):
            within = re.fullmatch(r'ir[_-]segmeasures\[(\w+)\]', package.strip())
            found += _packages(within[1]) if within else [package.strip()]
    return found
