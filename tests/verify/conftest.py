"""A fixture: one Node process for each test module, in which the JavaScript of `/verify` checks files."""

from collections.abc import Iterator

import pytest

from tests.verify.in_javascript import Prover


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    opened = Prover(tmp_path_factory.mktemp("proved"))
    yield opened
    opened.close()
