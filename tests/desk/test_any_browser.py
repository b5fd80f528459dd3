"""Pages work in browsers without scripts and with other time zones, and proxies can check the server's health."""

import re
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.desk.desk_server import TOKENS, DeskServer
from tests.overlay.support.scripted_show import NAMES


@pytest.mark.parametrize("path", ["", "watch", "projector", "overlay", "bots/Annie%20Oddsley"])
def test_page_without_scripts_says_so_and_lists_the_standings(server: DeskServer, browser: Browser, path: str) -> None:
    with browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{server.address}/{path}")
        expect(page.locator(".plain p")).to_be_visible()
        rows = page.locator(".plain li")
        assert rows.count() == len(NAMES)
        assert any(re.fullmatch(r"Annie Oddsley: [\d,]+ chips", row) for row in rows.all_inner_texts())
        assert "starts here" not in page.inner_text("body")


def test_proxys_health_check_without_a_host_is_answered(server: DeskServer) -> None:
    assert _status(server, b"GET /healthz HTTP/1.0\r\n\r\n") == b"200"
    assert _status(server, b"GET /healthz HTTP/1.0\r\nHost: evil.example\r\n\r\n") == b"421"
    assert _status(server, b"GET /healthz HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n") == b"403"
    assert _status(server, b"GET /control HTTP/1.0\r\n\r\n") == b"403"
    assert _status(server, b"GET /healthz HTTP/1.1\r\n\r\n") == b"400"


def _status(server: DeskServer, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), 60) as line:
        line.sendall(request)
        return line.makefile("rb").readline().split()[1]


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
def test_times_on_pages_are_in_the_servers_time_zone_whatever_the_browsers(
    server: DeskServer, page: Page, path: str, selector: str
) -> None:
    page.goto(f"{server.address}/{path}")
    page.wait_for_function("(selector) => /\\d:\\d\\d/.test(document.querySelector(selector).innerText)", arg=selector)
    text = page.locator(selector).inner_text()
    assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(ZONE))}", text), text
    assert not re.search(r"[AP]M", text)


@pytest.mark.parametrize(("path", "selector"), [(f"booth?token={TOKENS.view}", "#ends"), ("", "#next")])
def test_visitor_in_another_time_zone_is_told_the_difference(
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
