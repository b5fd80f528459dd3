"""What the overlay's pages load, and what they show before their channel opens and after it closes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket

from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import SHOWN
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.esbuild import needs_esbuild
from tests.support.reused_pages import ReusedPages

LOADED = """() => performance.getEntries().filter((entry) => "encodedBodySize" in entry)
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
"""Returns each address that the page has loaded, with the bytes that were transferred."""


CALL_ELSEWHERE = """() => new Promise((done) => {
  document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  new WebSocket("ws://127.0.0.9:9/").addEventListener("error", () => setTimeout(done, 0, "it was called"));
})"""
"""Tries to call another server; returns the rule of the content security policy that prevents the call."""


@needs_esbuild
def test_show_loads_at_most_50_kilobytes_of_scripts_and_styles_and_150_in_all(open_screen: OpenScreen) -> None:
    screen = open_screen(fresh=True)
    screen.settle()
    loaded: list[list[Any]] = screen.page.evaluate(LOADED)
    assert all(name.startswith(screen.shows.address) for name, _ in loaded)
    written = {name: size for name, size in loaded if name.endswith((".js", ".css"))}
    assert (len(written), sum(written.values()) <= 50_000) == (2, True), written
    assert sum(size for _, size in loaded) <= 150_000, loaded


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


WHY = "Billy registered and did not connect in time: there is no game."


@pytest.fixture
def page(reused_pages: ReusedPages) -> Iterator[Page]:
    """A page whose console must stay empty."""
    messages: list[str] = []
    yield reused_pages.open({"width": 640, "height": 360}, console=lambda message: messages.append(message.text))
    reused_pages.leave()
    assert not messages


def test_page_waits_without_a_message_until_its_channel_opens(shows: ShowServer, page: Page) -> None:
    with page.expect_websocket() as first:
        page.goto(f"{shows.address}/overlay?channel=later&debug")
    with page.expect_websocket():  # the page reconnects
        first.value.wait_for_event("close")
    assert page.locator(".absent").text_content() == ""
    air = shows.channel("later", SCENES["dealt"]().entries)
    page.locator("html[data-wire=up]").wait_for(state="attached")
    page.evaluate(SHOWN, [air.last, PATIENCE_MS])
    state = page.evaluate("() => JSON.stringify(window.highnoon.state())")
    assert json.loads(state) == json.loads(shows.picture(air))["state"]


def test_page_keeps_its_last_picture_when_its_channel_closes(
    shows: ShowServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shows.studio, "why_absent", lambda _: WHY)
    air = shows.channel("gone")
    page.goto(f"{shows.address}/overlay?channel=gone&debug=1")
    page.locator("html[data-wire=up]").wait_for(state="attached")
    shows.close(air)
    with page.expect_websocket() as again:
        page.evaluate("() => window.highnoon.drop()")
    again.value.wait_for_event("close")
    assert page.locator(".absent").text_content() == ""
