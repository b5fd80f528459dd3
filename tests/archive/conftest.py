"""One studio with one recording for all tests of a file, and one browser for those that look at it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from broadcast.archive.archive import INDEX, Archive
from tests.archive.made import small_contest, until_listed, write
from tests.overlay.support.theatre import Theatre


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one finished recording, `one`."""
    folder = tmp_path_factory.mktemp("data") / "recordings"
    write(folder / "one.jsonl", small_contest())
    return folder


@pytest.fixture(scope="module")
def theatre(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    media = tmp_path_factory.mktemp("media")
    opened = Theatre(media)
    opened.studio.add_archive(Archive(recordings, recordings / INDEX, again_seconds=0))
    with opened, httpx.Client(base_url=opened.address, timeout=60) as web:
        until_listed(web, "one")
        yield opened
    shutil.rmtree(media)
