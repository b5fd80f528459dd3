"""Pages list the standings without scripts, work in any time zone and below a URL prefix, and notice dead networks."""

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from server.paths import ROOT_PATH_VARIABLE, root_path
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.overlay.support.scripted_show import NAMES
from tests.publish.hosted_show import HostedShow
from tests.support.games.recordings import aired, small_contest
from tests.support.programs.browsers import PATIENCE_MS
from tests.support.programs.in_node import Node
from tests.support.programs.nginx import nginx, static_host
from tests.support.silent_proxy import SilentProxy
from tests.web.stranger_connections import call, read_first


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


def test_health_check_without_a_host_is_answered(server: DeskServer) -> None:
    for request, status in (
        (b"GET /healthz HTTP/1.0\r\n\r\n", b"200"),
        (b"GET /healthz HTTP/1.0\r\nHost: evil.example\r\n\r\n", b"421"),
        (b"GET /healthz HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n", b"403"),
        (b"GET /control HTTP/1.0\r\n\r\n", b"403"),
        (b"GET /healthz HTTP/1.1\r\n\r\n", b"400"),
    ):
        with call(server.port, "127.0.0.1") as connection:
            connection.sendall(request)
            assert read_first(connection).split()[1] == status, request


@pytest.mark.parametrize(("path", "parts"), [(f"booth?token={TOKENS.view}", ("#clock", "#ends")), ("", ("#next",))])
def test_times_are_in_the_servers_zone(server: DeskServer, browser: Browser, path: str, parts: tuple[str, ...]) -> None:
    now = datetime.now(UTC).astimezone()
    with browser.new_context(locale="en-US", timezone_id="Asia/Kolkata") as context:  # Kolkata is UTC + 330 min.
        page = context.new_page()
        page.goto(f"{server.address}/{path}")
        for selector in parts:
            page.wait_for_function("(at) => /\\d:\\d\\d/.test(document.querySelector(at).innerText)", arg=selector)
            text = page.locator(selector).inner_text()
            assert re.search(rf"\d\d:\d\d(?: to \d\d:\d\d)? {re.escape(str(now.tzname()))}", text), text
            assert not re.search(r"[AP]M", text)
        sentence = page.locator(parts[-1]).get_by_text("Times are in ")
        sentence.wait_for()
        minutes_apart = 330 - int((now.utcoffset() or timedelta()).total_seconds()) // 60
        hours, minutes = divmod(abs(minutes_apart), 60)
        difference = " ".join([f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes))
        clock = f"your clock is {difference} {'ahead' if minutes_apart > 0 else 'behind'}"
        assert f"Times are in {now.tzname()}, as at the show; {clock}." in sentence.inner_text()


_NGINX_LOCATION = """location /poker/ {{
  proxy_pass {address}{path}; proxy_http_version 1.1; proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
}}"""
_NGINX_MAP = "map $http_upgrade $connection_upgrade { default upgrade; '' close; }"
_LINK_PATTERN = re.compile(r'(?:href|src|action|data-root|content(?=="http))="([^"#]+)')
_PATHS = ("", "control", "setup", "booth", "overlay", "projector", "recordings", "bots/", "verify", "guide", "nothing")


@pytest.mark.parametrize("path", ["/", ""], ids=["nginx strips it", "nginx keeps it"])
def test_every_link_works_below_the_prefix(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOT_PATH_VARIABLE, "/poker")
    with (
        DeskServer(tmp_path / "media", contest_events(), speed=0) as server,
        nginx(tmp_path / "nginx", _NGINX_LOCATION.format(address=server.address, path=path), more=_NGINX_MAP) as host,
        httpx.Client(timeout=60, follow_redirects=True, headers={"accept": "text/html"}) as web,
    ):
        prefix = f"{host}/poker/"
        assert str(web.get(f"{prefix}control?token={TOKENS.control}").url) == f"{prefix}control"
        addresses, visited = [urljoin(prefix, path) for path in _PATHS], set()
        while addresses:
            address = addresses.pop()
            if address in visited:
                continue
            visited.add(address)
            response = web.get(address)
            assert response.status_code == 200 or address.endswith(("nothing", "register")), address
            assert str(response.url).startswith(prefix), (address, response.url)
            if "html" not in response.headers["content-type"]:
                continue
            for link in map(unescape, _LINK_PATTERN.findall(response.text)):
                target = urljoin(str(response.url), link)
                if link.startswith(("/", "http://", "https://")) and urlsplit(target).netloc in prefix:
                    assert target.startswith(prefix), (address, link)
                if target.startswith(prefix) and "logout" not in target:
                    addresses.append(target.partition("#")[0])
        assert len(visited) > 60


@pytest.mark.parametrize("path", ["poker", "/po ker", "//evil.example", "/a/../b", "/a?b", "/\u00e9"])
def test_malformed_root_path_is_refused_at_startup(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOT_PATH_VARIABLE, path)
    with pytest.raises(ValueError, match="must be a path like /poker"):
        root_path()


SILENT_SECONDS = 12.0
_SHOWS_TECHNICAL_CARD = "document.querySelector('.cover')?.dataset.card === 'technical'"
_IS_UP = "document.documentElement.dataset.wire === 'up' && !document.querySelector('.cover')?.dataset.card"
_SAYS = "document.querySelector('{}')?.innerText.toUpperCase().includes('{}')"
_IS_CONNECTED = "!/connect/i.test(document.querySelector('{}')?.innerText || 'connecting')"
# Sends `messages` messages to the desk's page. Returns how many timers then run. Each timer could end the connection.
_COUNT_TIMERS = """async (messages, load) => {
  const { listenToRoom } = await load("/static/js/desk/socket.js");
  const timers = new Set();
  let [socket, lastTimer] = [null, 0];
  globalThis.location = new URL("http://127.0.0.1/control");
  globalThis.WebSocket = class { constructor() { socket = this; } };
  globalThis.setTimeout = () => { timers.add((lastTimer += 1)); return lastTimer; };
  globalThis.clearTimeout = (timer) => timers.delete(timer);
  listenToRoom("desk", () => "Ann", { state: () => {}, lost: () => {} });
  for (let sent = 0; sent < messages; sent += 1) socket.onmessage({ data: "{}" });
  return timers.size;
}"""
_BOT = "Annie Oddsley"
STUDIO_PAGES = {
    "overlay?x": (_SHOWS_TECHNICAL_CARD, _IS_UP),
    "projector?x": (_SHOWS_TECHNICAL_CARD, _IS_UP),
    "watch?x": (_SAYS.format("#behind", "CONNECTION LOST"), _IS_CONNECTED.format("#behind")),
    "?x": (_SAYS.format("#live", "CONNECTION LOST"), _IS_CONNECTED.format("#live")),
    f"bots/{_BOT}?x": (_SAYS.format("#waits", "CONNECTION LOST"), "document.querySelector('#waits').hidden"),
    "results": (_SAYS.format(".away", "CONNECTION LOST"), "document.querySelector('.away')?.innerText === ''"),
    "control?token=" + TOKENS.view: (_SAYS.format("#banner", "NO CONNECTION"), "document.body.dataset.wire === 'up'"),
    "booth?token=" + TOKENS.view: (
        _SAYS.format("#where", "NO CONNECTION"),
        "document.body.dataset.wire === 'up' && document.body.dataset.booth === 'up'",
    ),
}
"""Two conditions for each page: the first is true while the server is silent, and the second while it answers."""
_PUBLISHED = {"watch/index.html": "watch?x", f"bots/index.html?bot={_BOT}": f"bots/{_BOT}?x"}
PUBLISHED_PAGES = {address: STUDIO_PAGES[page] for address, page in _PUBLISHED.items()}


def test_each_message_restarts_the_desks_timeout(node: Node) -> None:
    assert node.evaluate(_COUNT_TIMERS, 5) == 1


@pytest.mark.parametrize(("to_server", "delay"), [(True, 0.0), (False, 0.0), (True, 0.25)])
def test_page_notices_silence_and_recovers(tmp_path: Path, browser: Browser, to_server: bool, delay: float) -> None:
    """The delay of 0.25 s in each direction is that of a satellite link."""
    with DeskServer(tmp_path, contest_events(hands=2), speed=0) as server:
        for seconds in fall_silent(browser, server.port, STUDIO_PAGES, to_server=to_server, delay_seconds=delay):
            assert math.inf not in seconds.values(), seconds


def test_pages_on_a_static_host_notice_silence_and_recover(tmp_path: Path, browser: Browser) -> None:
    with HostedShow(tmp_path / "site") as show, nginx(tmp_path / "nginx", static_host(show.folder)) as host:
        show.put(aired(small_contest())[:40])
        with show.publishing():
            for seconds in fall_silent(browser, int(host.rpartition(":")[2]), PUBLISHED_PAGES, to_server=True):
                assert math.inf not in seconds.values(), seconds


def fall_silent(
    browser: Browser,
    port: int,
    conditions: Mapping[str, tuple[str, str]],
    *,
    to_server: bool,
    delay_seconds: float = 0.0,
) -> tuple[dict[str, float], dict[str, float]]:
    """Drops all bytes to pages. With `to_server`, also drops all bytes from pages. The silence lasts SILENT_SECONDS, or
    until every page has noticed it, if that takes longer.

    Returns when each page noticed, and when each page recovered. Both are in seconds after the start of the silence.
    """
    with SilentProxy(port, delay_seconds) as proxy, browser.new_context() as context:
        pages = {name: context.new_page() for name in conditions}
        for name, (_, is_up) in conditions.items():
            pages[name].goto(f"{proxy.address}/{name}")
            pages[name].wait_for_function(f"() => {is_up}")
        start = time.monotonic()
        proxy.fall_silent(to_server=to_server)
        noticed = {name: time_until(pages[name], is_lost, start) for name, (is_lost, _) in conditions.items()}
        time.sleep(max(0.0, start + SILENT_SECONDS - time.monotonic()))
        proxy.heal()
        return noticed, {name: time_until(pages[name], is_up, start) for name, (_, is_up) in conditions.items()}


def time_until(page: Page, condition: str, start: float) -> float:
    """Returns how many seconds after `start` the condition becomes true. If that takes too long, returns infinity."""
    try:
        page.wait_for_function(f"() => {condition}", timeout=PATIENCE_MS // 2)
    except TooLate:
        return math.inf
    return time.monotonic() - start
