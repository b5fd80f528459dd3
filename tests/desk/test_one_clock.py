"""Times of day are in the machine's time zone and always in the same format, regardless of the browser."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page

from tests.desk.desk_server import TOKENS, DeskServer

ZONE = datetime.now(UTC).astimezone().tzname()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a browser with another time zone and another format of times."""
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
    page.wait_for_function("(selector) => /\\d:\\d\\d/.test(document.querySelector(selector).innerText)", arg=selector)
    text = page.locator(selector).inner_text()
    assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(ZONE))}", text), text
    assert not re.search(r"[AP]M", text)
