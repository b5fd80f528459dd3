"""Fixtures that serve a show with the operators' desk: `server` for all tests of a file, and `show` for one test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.desk_server import DeskServer, contest_events


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    with DeskServer(tmp_path_factory.mktemp("media"), contest_events()) as desk_server:
        yield desk_server


@pytest.fixture
def show(tmp_path: Path) -> Iterator[DeskServer]:
    with DeskServer(tmp_path, contest_events(hands=1)) as desk_server:
        yield desk_server
