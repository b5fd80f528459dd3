"""What the overlay's pages load: every file is there, and the total stays small."""

import gzip
import re
from typing import Any

import pytest
from playwright.sync_api import WebSocket

from broadcast.web.bundle import bundle_of
from server.paths import ROOT, STATIC, TEMPLATES
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.show_server import ShowServer
from tests.support.esbuild import needs_esbuild
from tests.support.reused_pages import ReusedPages

LOADED = """() => performance.getEntries().filter((entry) => "encodedBodySize" in entry)
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
"""Every response and its bytes as transferred."""


CALL_ELSEWHERE = """() => new Promise((done) => {
  document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  new WebSocket("ws://127.0.0.9:9/").addEventListener("error", () => setTimeout(done, 0, "it was called"));
})"""
"""The rule that keeps a page from calling another server."""


def test_pages_name_only_files_that_exist() -> None:
    named = {
        name
        for page in TEMPLATES.rglob("*.html")
        for name in re.findall(
            r'(?:href|src)="(?:/|{{ program }})((?:static|assets)/[^"{]+)', page.read_text(encoding="utf-8")
        )
    }
    of_sheets = {
        sheet.parent / name
        for sheet in (STATIC / "css").rglob("*.css")
        for name in re.findall(r'url\("([^"]+)"\)', sheet.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert len(of_sheets) > 5
    assert not [name for name in (*(ROOT / name for name in named), *of_sheets) if not name.is_file()]


@needs_esbuild
def test_show_loads_49_kilobytes_of_scripts_and_styles_and_150_in_all(open_screen: OpenScreen) -> None:
    screen = open_screen(fresh=True)
    screen.settle()
    loaded: list[list[Any]] = screen.page.evaluate(LOADED)
    assert all(name.startswith(screen.shows.address) for name, _ in loaded)
    written = {name: size for name, size in loaded if name.endswith((".js", ".css"))}
    assert (len(written), sum(written.values()) <= 49_000) == (2, True), written
    assert sum(size for _, size in loaded) <= 150_000, loaded


@needs_esbuild
@pytest.mark.parametrize("page", ["watch", ""])
def test_pages_for_spectators_load_at_most_60_kilobytes_more(page: str, open_screen: OpenScreen) -> None:
    """They draw the same picture, and phones on slow lines load them."""
    screen = open_screen()
    screen.page.goto(f"{screen.shows.address}/{page}?channel={screen.channel}", wait_until="load")
    loaded: list[list[Any]] = screen.page.evaluate(LOADED)
    written = {name: size for name, size in loaded if name.endswith((".js", ".css"))}
    assert len(written) > 1
    assert sum(written.values()) <= 42_000 + 60_000, written


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_page_connects_to_its_own_server_and_to_no_other(
    host: str, shows: ShowServer, reused_pages: ReusedPages
) -> None:
    shows.channel("heard")
    called: list[str] = []
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        called.append(socket.url)
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page = reused_pages.open({"width": 640, "height": 360}, websocket=listen)
    page.goto(f"{shows.address.replace('127.0.0.1', host)}/overlay?channel=heard")
    page.wait_for_function("() => document.documentElement.dataset.wire === 'up'")
    assert '"welcome"' in frames[0]
    assert all(address.startswith(f"ws://{host}:") for address in called), called
    assert page.evaluate(CALL_ELSEWHERE) == "connect-src"
    reused_pages.leave()


@needs_esbuild
def test_desk_loads_at_most_20_kilobytes_gzipped() -> None:
    bundle = bundle_of(STATIC)
    assert bundle, "run: make bundle"
    written = b"".join((bundle / name).read_bytes() for name in ("js/desk/main.js", "css/desk/desk.css"))
    assert len(gzip.compress(written)) <= 20_000
