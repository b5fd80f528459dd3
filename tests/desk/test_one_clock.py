"""Times of day are in the machine's time zone and always in the same format, regardless of the browser."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

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


@pytest.mark.parametrize(("path", "selector"), [(f"booth?token={TOKENS.view}", "#ends"), ("", "#next")])
def test_a_visitor_with_another_zone_is_told_how_far_the_clocks_are_apart(
    server: DeskServer, page: Page, path: str, selector: str
) -> None:
    page.goto(f"{server.address}/{path}")
    words = page.locator(selector).get_by_text("Times are in ")
    words.wait_for()
    apart = 330 - int((datetime.now(UTC).astimezone().utcoffset() or timedelta()).total_seconds()) // 60
    hours, minutes = divmod(abs(apart), 60)
    told = " ".join([f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes))
    assert f"Times are in {ZONE}, as at the show; your clock is {told} {'ahead' if apart > 0 else 'behind'}." in (
        words.inner_text()
    )
