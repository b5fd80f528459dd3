"""A page waits without a message until its channel opens, and keeps its last picture when the channel closes."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import SHOWN
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.reused_pages import ReusedPages

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
    with page.expect_websocket():  # it reconnects
        first.value.wait_for_event("close")
    assert page.locator(".absent").text_content() == ""
    air = shows.channel("later", SCENES["dealt"]().entries)
    page.locator("html[data-wire=up]").wait_for(state="attached")
    page.evaluate(SHOWN, [air.last, PATIENCE_MS])
    assert page.evaluate("() => window.highnoon.state()") == json.loads(shows.picture(air))["state"]


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
