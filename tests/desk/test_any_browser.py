"""Pages work without scripts, in other time zones and behind a path prefix, and proxies can check the server."""

import re
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from server.paths import ROOT_PATH, root_path
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.overlay.support.scripted_show import NAMES
from tests.support.programs.nginx import nginx


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


@pytest.mark.parametrize(("path", "selectors"), [(f"booth?token={TOKENS.view}", ("#clock", "#ends")), ("", ("#next",))])
def test_times_are_in_the_servers_time_zone_and_visitors_in_another_are_told_the_difference(
    server: DeskServer, page: Page, path: str, selectors: tuple[str, ...]
) -> None:
    page.goto(f"{server.address}/{path}")
    for selector in selectors:
        page.wait_for_function("(at) => /\\d:\\d\\d/.test(document.querySelector(at).innerText)", arg=selector)
        text = page.locator(selector).inner_text()
        assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(ZONE))}", text), text
        assert not re.search(r"[AP]M", text)
    words = page.locator(selectors[-1]).get_by_text("Times are in ")
    words.wait_for()
    apart = 330 - int((datetime.now(UTC).astimezone().utcoffset() or timedelta()).total_seconds()) // 60
    hours, minutes = divmod(abs(apart), 60)
    told = " ".join([f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes))
    assert f"Times are in {ZONE}, as at the show; your clock is {told} {'ahead' if apart > 0 else 'behind'}." in (
        words.inner_text()
    )


_PROXY = """location /poker/ {{
  proxy_pass {address}{path}; proxy_http_version 1.1; proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
}}"""
_UPGRADE = "map $http_upgrade $connection_upgrade { default upgrade; '' close; }"
_LINK = re.compile(r'(?:href|src|action|data-root|content(?=="http))="([^"#]+)')
_START = ("", "control", "setup", "booth", "overlay", "projector", "recordings", "bots/", "verify", "guide", "nothing")


@pytest.fixture(params=["/", ""], ids=["nginx strips it", "nginx keeps it"])
def prefixed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of all pages, "http://127.0.0.1:1234/poker/"."""
    monkeypatch.setenv(ROOT_PATH, "/poker")
    with DeskServer(tmp_path / "media", contest_events(), speed=0) as server:
        proxy = _PROXY.format(address=server.address, path=request.param)
        with nginx(tmp_path / "nginx", proxy, more=_UPGRADE) as address:
            yield f"{address}/poker/"


def test_every_link_of_every_page_stays_below_the_prefix_and_is_served(prefixed: str) -> None:
    with httpx.Client(timeout=60, follow_redirects=True, headers={"accept": "text/html"}) as web:
        assert str(web.get(f"{prefixed}control?token={TOKENS.control}").url) == f"{prefixed}control"
        waiting, seen = [urljoin(prefixed, path) for path in _START], set()
        while waiting:
            address = waiting.pop()
            if address in seen:
                continue
            seen.add(address)
            answer = web.get(address)
            assert answer.status_code == 200 or address.endswith(("nothing", "register")), address
            assert str(answer.url).startswith(prefixed), (address, answer.url)
            if "html" not in answer.headers["content-type"]:
                continue
            for link in map(unescape, _LINK.findall(answer.text)):
                target = urljoin(str(answer.url), link)
                if link.startswith(("/", "http://", "https://")) and urlsplit(target).netloc in prefixed:
                    assert target.startswith(prefixed), (address, link)
                if target.startswith(prefixed) and "logout" not in target:
                    waiting.append(target.partition("#")[0])
        assert len(seen) > 60


@pytest.mark.parametrize("wrong", ["poker", "/po ker", "//evil.example", "/a/../b", "/a?b", "/\u00e9"])
def test_malformed_root_path_is_refused_at_startup(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOT_PATH, wrong)
    with pytest.raises(ValueError, match="must be a path like /poker"):
        root_path()
