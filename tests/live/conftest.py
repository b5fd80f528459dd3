"""Fixtures: a studio on air, and pages of it in real browsers."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.overlay.support.show_server import ShowServer

THUMB = 44
"""CSS pixels that a thumb needs."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def shows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media")) as opened:
        yield opened


@pytest.fixture
def visit(shows: ShowServer, browser: Browser) -> Iterator[Visit]:
    """Opens a page of the show; at the end none may have complained. `tabs` are of one browser."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_(path: str, tabs: BrowserContext | None = None, script: str = "", **context: Any) -> Page:
        if tabs is None:
            tabs = browser.new_context(**{"viewport": {"width": 1000, "height": 700}, **context})
            contexts.append(tabs)
        page = tabs.new_page()
        if script:
            page.add_init_script(script)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{shows.address}/{path}{'&' if '?' in path else '?'}debug&motion=off")
        return page

    yield open_
    for each in contexts:
        each.close()
    assert not complaints
