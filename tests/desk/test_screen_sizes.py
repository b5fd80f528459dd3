"""The desk and its setup page fit every screen of an operator, and every button fits a thumb."""

import pytest
from playwright.sync_api import Browser

from tests.desk.desk_server import TOKENS, DeskServer

_SIZES = """() => [...document.querySelectorAll("button, .button")].filter((each) => each.offsetParent)
  .map((each) => Math.min(each.offsetWidth, each.offsetHeight))"""
_BOARD = _SIZES.replace("button, .button", "#board button")


@pytest.mark.parametrize(("path", "ready", "sizes"), [("control", "#bots .light", _BOARD), ("setup", ".step", _SIZES)])
def test_nothing_is_wider_than_the_screen_and_no_button_is_small(
    path: str, ready: str, sizes: str, server: DeskServer, browser: Browser
) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.address}/{path}?token={TOKENS.control}")
        page.wait_for_selector(ready)
        for width, height in ((360, 740), (390, 844), (1280, 720), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert min(page.evaluate(sizes)) >= 44, width
