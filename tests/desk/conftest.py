"""Fixtures: a studio with a desk for each test file or each test, and pages of the desk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.support.programs.reused_pages import ReusedPages


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    with DeskServer(tmp_path_factory.mktemp("media"), contest_events()) as opened:
        yield opened


@pytest.fixture
def show(tmp_path: Path) -> Iterator[DeskServer]:
    """A show for one test, which may change it."""
    with DeskServer(tmp_path, contest_events(hands=1)) as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Page:
    """A browser page for all tests of a file, because new pages are expensive."""
    return browser.new_context().new_page()


@pytest.fixture
def open_desk(reused_pages: ReusedPages) -> Iterator[Callable[..., Page]]:
    """Opens `/control` without its preview as a named operator, and waits until it is connected. At the end, checks
    that no page had errors.
    """
    errors: list[str] = []
    heard: dict[str, Any] = {
        "pageerror": lambda error: errors.append(str(error)),
        "dialog": lambda dialog: errors.append(dialog.message),
    }

    def opened(server: DeskServer, name: str = "", *, token: str = TOKENS.control) -> Page:
        stored = {"operator": name, "preview": "off"}
        script = "".join(f"localStorage['highnoon:{key}'] = {stored[key]!r};" for key in stored)
        page = reused_pages.open({"width": 1280, "height": 720}, script=script, **heard)
        page.goto(f"{server.address}/control?token={token}")
        page.wait_for_selector("body[data-wire='up']")
        return page

    yield opened
    reused_pages.leave()
    assert not errors
