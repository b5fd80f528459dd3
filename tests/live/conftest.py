"""Fixtures: a studio (a show's server), what a show puts on air, and the studio's pages in real browsers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.on_air.events import OnAirEntry
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import aired, small_contest, wait_until_listed, write
from tests.support.programs.reused_pages import ReusedPages

READY = "() => document.body?.dataset.ready === 'yes'"
ENTRY_NUMBERS = """async () => {
  const { film } = window.highnoon;
  const all = await Promise.all(film.outline.hands.map((_, n) => film.segment(n)));
  return all.flatMap(({ entries }) => entries.map(({ seq }) => seq));
}"""
"""A script that returns the numbers of all entries in a page's film. The film is what the show has put on air."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

Entries = Sequence[OnAirEntry]
"""Everything that a show puts on air."""
Opener = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    """A studio that has the recording "one"."""
    folder = tmp_path_factory.mktemp("data") / "recordings"
    write(folder / "one.jsonl", small_contest())
    server = ShowServer(tmp_path_factory.mktemp("media"))
    server.studio.add_archive(Archive(folder, folder / INDEX_FILE, rescan_seconds=0))
    with server, httpx.Client(base_url=server.address, timeout=60) as web:
        wait_until_listed(web, "one")
        yield server


@pytest.fixture
def open_page(server: ShowServer, reused_pages: ReusedPages) -> Iterator[Opener]:
    """Yields a function that opens a page. If another page is given as `beside`, both share a browser profile.
    Fails if a page has an error.
    """
    errors: list[str] = []

    def open_and_go(path: str, beside: Page | None = None, script: str = "", **context: Any) -> Page:
        settings: dict[str, Any] = {"viewport": {"width": 1000, "height": 700}, **context}
        page = reused_pages.open(
            **settings, beside=beside, script=script, pageerror=lambda error: errors.append(str(error))
        )
        page.goto(f"{server.address}/{path}{'&' if '?' in path else '?'}debug&motion=off")
        return page

    yield open_and_go
    reused_pages.leave()
    assert not errors


@pytest.fixture(scope="session")
def entries() -> Entries:
    return aired(small_contest())


@pytest.fixture
def load_page(open_page: Opener) -> Opener:
    """Returns a function that opens a page like `open_page`, and waits until the page has drawn its picture."""

    def open_when_ready(path: str, **context: Any) -> Page:
        page = open_page(path, **{"viewport": {"width": 1280, "height": 720}, **context})
        page.wait_for_function(READY)
        return page

    return open_when_ready
