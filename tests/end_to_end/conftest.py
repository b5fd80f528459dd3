"""Fixtures: browser pages, a recording and, where the machine allows them, a Docker daemon and a small disk."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.bots.boxes import docker_host
from tests.support.games.contests import play_contest
from tests.support.games.recordings import write
from tests.support.programs.browsers import confirm_press
from tests.support.programs.disks import small_disk

__all__ = ["docker_host", "small_disk"]

OpenPage = Callable[..., Page]
SMALL_VIEWPORT = {"width": 480, "height": 270}
"""The size of pages whose look is not tested. Browsers paint small pages faster."""


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Yields a function that opens a page in a new browser profile. Fails at the end if pages had errors or dialogs."""
    pages: list[Page] = []
    errors: list[str] = []

    def open_address(address: str, *, width: int = 1280, height: int = 720) -> Page:
        page = browser.new_context(viewport={"width": width, "height": height}).new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append(dialog.message))
        page.goto(address)
        return page

    yield open_address
    for page in pages:
        page.context.close()
    assert not errors


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recording") / "evening.jsonl", play_contest(3, bots=4))


def press_twice(page: Page, button: str) -> None:
    page.click(f"#{button}")
    confirm_press(page, button)
