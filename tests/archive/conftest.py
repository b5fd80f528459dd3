"""Fixtures: a folder with one finished recording, and a studio that serves the folder to all tests of a file."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.archive.served import serving_archive
from tests.overlay.support.show_server import ShowServer
from tests.support.recordings import small_contest, write


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one finished recording, `one`."""
    folder = tmp_path_factory.mktemp("data") / "recordings"
    write(folder / "one.jsonl", small_contest())
    return folder


@pytest.fixture(scope="module")
def shows(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    media = tmp_path_factory.mktemp("media")
    with serving_archive(recordings, media, "one") as (opened, _):
        yield opened
    shutil.rmtree(media)


@pytest.fixture(scope="module")
def web(shows: ShowServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shows.address, timeout=60) as client:
        yield client
