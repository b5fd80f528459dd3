"""Fixtures: a studio (web server) that all tests of the overlay share, and browser pages that show its channels."""

from collections.abc import Callable, Iterator
from secrets import token_hex

import pytest
from playwright.sync_api import Browser

from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.browsers import Browsers
from tests.support.programs.reused_pages import ReusedPages

OpenScreen = Callable[..., Screen]
WINDOW = (640, 360)
"""The default width and height of a window, in pixels. Most tests work at any size, and a small window paints fast."""
TALL_WINDOW = (837, 1488)
SHAPES = {"wide": (1920, 1080), "tall": TALL_WINDOW}
"""For each shape of the picture, the width and height of its window in pixels."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowServer]:
    with ShowServer(tmp_path_factory.mktemp("media")) as show_server:
        yield show_server


@pytest.fixture
def open_screen(server: ShowServer, browser: Browser, reused_pages: ReusedPages) -> Iterator[OpenScreen]:
    """Yields a function that opens a page with its own channel. After the test, fails if a page has reported an error.

    Most pages are reused. Earlier tests may have stopped the clock of a reused page. A `fresh` page is new.
    """
    screens: list[Screen] = []

    def open_page(
        settings: str = "", *, page: str = "overlay", width: int = WINDOW[0], height: int = WINDOW[1],
        phone: bool = False, fresh: bool = False,
    ) -> Screen:  # fmt: skip
        blank = reused_pages.open({"width": width, "height": height}, phone, phone, fresh=fresh)
        name = token_hex(8)
        screens.append(Screen(server, browser, name, settings, page=page, width=width, height=height, blank=blank))
        return screens[-1]

    yield open_page
    for screen in screens:
        screen.leave()
    reused_pages.leave()
    assert not [complaint for screen in screens for complaint in screen.complaints]


@pytest.fixture(scope="session")
def motionless_screens(server: ShowServer, browsers: Browsers) -> dict[str, Screen]:
    """Returns one page for each shape of the picture. Nothing moves on these pages. They stay open for all tests."""
    pages = {}
    for shape, (width, height) in SHAPES.items():
        profile = browsers.open_profile()
        assert profile.browser
        settings, blank = f"motion=off&still&shape={shape}", profile.new_page()
        pages[shape] = Screen(server, profile.browser, shape, settings, width=width, height=height, blank=blank)
    return pages


@pytest.fixture
def wide(motionless_screens: dict[str, Screen]) -> Iterator[Screen]:
    yield from tidy_after_test(motionless_screens["wide"])


@pytest.fixture
def tall(motionless_screens: dict[str, Screen]) -> Iterator[Screen]:
    yield from tidy_after_test(motionless_screens["tall"])


@pytest.fixture(params=SHAPES)
def screen(request: pytest.FixtureRequest, motionless_screens: dict[str, Screen]) -> Iterator[Screen]:
    yield from tidy_after_test(motionless_screens[request.param])


def tidy_after_test(screen: Screen) -> Iterator[Screen]:
    yield screen
    screen.tidy()
    assert not screen.complaints
