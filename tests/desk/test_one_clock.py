"""Times of day stand in one zone, that of the machine, and in one form, whatever the browser's own are."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser

from tests.desk.desk_server import TOKENS, DeskServer

ZONE = datetime.now(UTC).astimezone().tzname()


@pytest.mark.parametrize(
    ("path", "place"),
    [(f"booth?token={TOKENS.view}", "#clock"), (f"booth?token={TOKENS.view}", "#ends"), ("", "#next")],
)
def test_times_are_the_machines_whatever_the_browsers_zone(
    server: DeskServer, browser: Browser, path: str, place: str
) -> None:
    with browser.new_context(locale="en-US", timezone_id="Asia/Kolkata") as context:
        page = context.new_page()
        page.goto(f"{server.address}/{path}")
        found = page.locator(place)
        page.wait_for_function("(place) => /\\d:\\d\\d/.test(document.querySelector(place).innerText)", arg=place)
        words = found.inner_text()
        assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(ZONE))}", words), words
        assert not re.search(r"[AP]M", words)


def test_the_clock_of_the_booth_is_the_machines(server: DeskServer, browser: Browser) -> None:
    with browser.new_context(locale="en-US", timezone_id="Asia/Kolkata") as context:
        page = context.new_page()
        page.goto(f"{server.address}/booth?token={TOKENS.view}")
        page.wait_for_selector("#clock:not(:empty)")
        before = datetime.now(UTC).astimezone()
        shown = page.inner_text("#clock").split()[0]
        assert shown in {f"{before:%H:%M}", f"{datetime.now(UTC).astimezone():%H:%M}"}
