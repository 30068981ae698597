"""Sentences about packages that are missing."""

from importlib import metadata

import pytest

from ir_segmeasures.segments.basics import install_command, needed


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, 'requires', lambda name: [
        'numpy>=1', "scipy>=1.10; extra == 'study'", "pandas>=2.0; extra == 'study'",
        "ir-segmeasures[study]; extra == 'plots'", "matplotlib>=3.7 ; extra == 'plots'"])


@pytest.mark.usefixtures('packages')
def test_the_packages_of_an_extra_are_named() -> None:
    assert install_command('study') == "python -m pip install 'scipy>=1.10' 'pandas>=2.0'"
    assert install_command('plots') == "python -m pip install 'scipy>=1.10' 'pandas>=2.0' 'matplotlib>=3.7'"
    with pytest.raises(ImportError, match=r"^cows are milked with none_such, which cannot be imported \(.*\): "
                                          "python -m pip install 'scipy>=1.10'"):
        needed('none_such', 'cows are milked with none_such', 'study')


def test_a_checkout_is_installed_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> None:
        raise metadata.PackageNotFoundError(name)
    monkeypatch.setattr(metadata, 'requires', not_installed)
    assert install_command('view') == "python -m pip install '.[view]'"
