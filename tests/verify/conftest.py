"""Fixture: one Node process in which the browser's prover checks the files of a test module."""

from collections.abc import Iterator

import pytest

from tests.verify.in_javascript import Prover


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    """The JavaScript of `/verify`."""
    opened = Prover(tmp_path_factory.mktemp("proved"))
    yield opened
    opened.close()
