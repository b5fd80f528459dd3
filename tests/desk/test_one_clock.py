"""Times of day are in the machine's zone and in one format, whatever the browser's are."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from server.game.events import ControlSet
from tests.desk.control_page import sees_answer
from tests.desk.desk_server import TOKENS, DeskServer

ZONE = datetime.now(UTC).astimezone().tzname()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser with another time zone and another way to write times."""
    with browser.new_context(locale="en-US", timezone_id="Asia/Kolkata") as context:
        yield context.new_page()


@pytest.mark.parametrize(
    ("path", "selector"),
    [(f"booth?token={TOKENS.view}", "#clock"), (f"booth?token={TOKENS.view}", "#ends"), ("", "#next")],
)
def test_times_are_in_the_machines_zone_whatever_the_browsers(
    server: DeskServer, page: Page, path: str, selector: str
) -> None:
    page.goto(f"{server.address}/{path}")
    found = page.locator(selector)
    page.wait_for_function("(selector) => /\\d:\\d\\d/.test(document.querySelector(selector).innerText)", arg=selector)
    words = found.inner_text()
    assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(ZONE))}", words), words
    assert not re.search(r"[AP]M", words)


def test_booth_clock_shows_the_machines_time(server: DeskServer, page: Page) -> None:
    page.goto(f"{server.address}/booth?token={TOKENS.view}")
    page.wait_for_selector("#clock:not(:empty)")
    before = datetime.now(UTC).astimezone()
    shown = page.inner_text("#clock").split()[0]
    assert shown in {f"{before:%H:%M}", f"{datetime.now(UTC).astimezone():%H:%M}"}


def test_break_says_in_the_machines_time_when_it_is_over(server: DeskServer, page: Page) -> None:
    page.goto(f"{server.address}/control?token={TOKENS.control}")
    page.wait_for_selector("body[data-wire='up']")
    page.fill("#minutes", "90")
    before = datetime.now(UTC).astimezone()
    page.click("#break")
    sees_answer(page, "put up the break card until")
    moments = (before, datetime.now(UTC).astimezone())
    ends = {f"break until {now + timedelta(minutes=90):%H:%M} {ZONE}" for now in moments}
    event = server.done[-1]
    assert isinstance(event, ControlSet)
    assert event.value in ends
    expect(page.locator("#minutes")).to_have_value("")
    page.click("#break")
    sees_answer(page, "took the card away")
