"""Fixtures: a show for each test file, and desks."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.desk.control_page import DeskPages
from tests.desk.desk_server import DeskServer, contest_events


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
    """A page for all tests of a file, because new pages are expensive."""
    return browser.new_context().new_page()


@pytest.fixture(scope="module")
def desk_pages(browser: Browser) -> DeskPages:
    return DeskPages(browser)


@pytest.fixture
def open_desk(desk_pages: DeskPages) -> Iterator[Callable[..., Page]]:
    """Opens desks like `DeskPages.open`; no page may report errors."""
    yield desk_pages.open
    assert not desk_pages.leave()
