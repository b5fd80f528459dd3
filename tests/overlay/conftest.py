"""Fixtures: one show server for all files of tests, and browser pages that watch its channels."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser

from tests.overlay.support.scenes import tess_wins
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import Browsers
from tests.support.reused_pages import ReusedPages

OpenScreen = Callable[..., Screen]
WINDOW = (640, 360)
"""A third of the stage: what is asked of a page holds at any size, and painting costs most. Whoever compares pictures
asks for more."""
TALL = (837, 1488)
"""The stage of the tall picture."""


@pytest.fixture(scope="session")
def shows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media")) as show_server:
        yield show_server


@pytest.fixture
def open_screen(shows: ShowServer, browser: Browser, reused_pages: ReusedPages) -> Iterator[OpenScreen]:
    """Opens a page on a channel of its own; at the end no page may have complained.

    It is a `fresh` one, and nobody's after, for what a page remembers: a click, a clock, its files; and where its
    pictures are compared to the last shade, for it paints a second show otherwise.
    """
    screens: list[Screen] = []

    def opened(
        settings: str = "", *, page: str = "overlay", width: int = WINDOW[0], height: int = WINDOW[1],
        phone: bool = False, fresh: bool = False,
    ) -> Screen:  # fmt: skip
        blank = reused_pages.open({"width": width, "height": height}, phone, phone, fresh=fresh)
        name = f"show-{next(_NUMBERS)}"
        screens.append(Screen(shows, browser, name, settings, page=page, width=width, height=height, blank=blank))
        return screens[-1]

    yield opened
    for screen in screens:
        screen.leave()
    reused_pages.leave()
    assert not [complaint for screen in screens for complaint in screen.complaints]


@pytest.fixture
def won() -> Script:
    """A hand that Two-Pair Tess wins, at the pace of a show."""
    return tess_wins(speed=1)


@pytest.fixture(scope="session")
def still_screen(shows: ShowServer, browsers: Browsers) -> Screen:
    return unmoved(shows, browsers, "wide", 1920, 1080)


@pytest.fixture
def still(still_screen: Screen) -> Iterator[Screen]:
    """The one page on which nothing moves; the tests of all files show their scenes on it in turn."""
    yield still_screen
    still_screen.tidy()
    assert not still_screen.complaints


@pytest.fixture(scope="session")
def tall_screen(shows: ShowServer, browsers: Browsers) -> Screen:
    return unmoved(shows, browsers, "tall", *TALL)


@pytest.fixture
def tall(tall_screen: Screen) -> Iterator[Screen]:
    """The one tall page on which nothing moves."""
    yield tall_screen
    tall_screen.tidy()
    assert not tall_screen.complaints


def unmoved(shows: ShowServer, browsers: Browsers, shape: str, width: int, height: int) -> Screen:
    """A page on which nothing moves, for all files of tests."""
    profile = browsers.lasting()
    assert profile.browser
    settings = f"motion=off&still&shape={shape}"
    return Screen(
        shows, profile.browser, f"still {shape}", settings, width=width, height=height, blank=profile.new_page()
    )


_NUMBERS = count(1)
