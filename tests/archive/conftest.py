"""Serves folders of recordings to tests. The fixture `recordings` has one finished recording, named `one`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from broadcast.archive.archive import INDEX_FILE, Archive
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import small_contest, wait_until_listed, write


@contextmanager
def serving_archive(folder: Path, media: Path, *names: str, **options: Any) -> Iterator[httpx.Client]:
    """Serves the archive of `folder`. Yields a client once the archive lists the recordings in `names`."""
    server = ShowServer(media)
    server.studio.add_archive(Archive(folder, folder / INDEX_FILE, rescan_seconds=0, **options))
    with server, httpx.Client(base_url=server.address, timeout=60) as web:
        for name in names:
            wait_until_listed(web, name)
        yield web


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "recordings"
    write(folder / "one.jsonl", small_contest())
    return folder


@pytest.fixture(scope="module")
def web(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving_archive(recordings, tmp_path_factory.mktemp("media"), "one") as client:
        yield client
