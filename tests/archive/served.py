"""Serves the archive of a folder of recordings to tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from broadcast.archive.archive import INDEX, Archive
from tests.overlay.support.show_server import ShowServer
from tests.support.recordings import until_listed


@contextmanager
def serving_archive(
    folder: Path, media: Path, *names: str, index: str | Path = INDEX, **options: Any
) -> Iterator[tuple[ShowServer, httpx.Client]]:
    """Serves the archive of `folder`; yields the studio and a client once the recordings in `names` are listed."""
    shows = ShowServer(media)
    shows.studio.add_archive(Archive(folder, folder / index, rescan_seconds=0, **options))
    with shows, httpx.Client(base_url=shows.address, timeout=60) as web:
        for name in names:
            until_listed(web, name)
        yield shows, web
