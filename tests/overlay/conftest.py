"""One browser and one theatre for each file, and screens on which shows are put.

Not for each worker: Playwright keeps an event loop running, and other tests of the worker run their own.
"""

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.overlay.support.screen import FLAGS, Screen
from tests.overlay.support.theatre import Theatre

OpenScreen = Callable[..., Screen]
WINDOW = (640, 360)
"""A third of the stage: what is asked of a page holds at any size, and painting costs most. Whoever compares pictures
asks for more."""


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with Theatre(tmp_path_factory.mktemp("media")) as open_theatre:
        yield open_theatre


@pytest.fixture(scope="module")
def browser(chromium_path: str | None) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_screen(theatre: Theatre, browser: Browser) -> Iterator[OpenScreen]:
    """Opens a page on a channel of its own; at the end no page may have complained."""
    screens: list[Screen] = []

    def opened(
        settings: str = "", *, page: str = "overlay", width: int = WINDOW[0], height: int = WINDOW[1],
        phone: bool = False,
    ) -> Screen:  # fmt: skip
        name = f"show-{next(_NUMBERS)}"
        screens.append(Screen(theatre, browser, name, settings, page=page, width=width, height=height, phone=phone))
        return screens[-1]

    yield opened
    for screen in screens:
        screen.close()
    assert not [complaint for screen in screens for complaint in screen.complaints]


@pytest.fixture(scope="module")
def still_screen(theatre: Theatre, browser: Browser) -> Iterator[Screen]:
    screen = Screen(theatre, browser, "still", "motion=off&still")
    yield screen
    screen.close()


@pytest.fixture
def still(still_screen: Screen) -> Iterator[Screen]:
    """The one page of the file on which nothing moves: shows follow one another on it."""
    yield still_screen
    still_screen.tidy()
    assert not still_screen.complaints


_NUMBERS = count(1)
