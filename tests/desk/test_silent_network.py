"""Every page notices when its network falls silent without closing connections, and recovers afterwards."""

import math
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.publish.hosted_show import HostedShow
from tests.support.games.recordings import aired, small_contest
from tests.support.programs.browsers import PATIENCE_MS
from tests.support.programs.in_node import Node
from tests.support.programs.nginx import nginx, static_host
from tests.support.silent_proxy import SilentProxy

SILENT_SECONDS = 12.0
LATE_SECONDS = 0.25
"""The delay in each direction, as on a satellite link."""
_CARD = "document.querySelector('.cover')?.dataset.card === 'technical'"
_UP = "document.documentElement.dataset.wire === 'up' && !document.querySelector('.cover')?.dataset.card"
_SAYS = "document.querySelector('{}')?.innerText.toUpperCase().includes('{}')"
_WELL = "!/connect/i.test(document.querySelector('{}')?.innerText || 'connecting')"
# Sends messages over a desk's connection; returns how many timers can still give the connection up.
_TIMERS = """async (messages, load) => {
  const { listen } = await load("/static/js/desk/socket.js");
  const kept = [globalThis.location, globalThis.WebSocket, globalThis.setTimeout, globalThis.clearTimeout];
  const timers = new Set();
  let [socket, made] = [null, 0];
  globalThis.location = new URL("http://127.0.0.1/control");
  globalThis.WebSocket = class { constructor() { socket = this; } };
  globalThis.setTimeout = () => { timers.add((made += 1)); return made; };
  globalThis.clearTimeout = (timer) => timers.delete(timer);
  listen("desk", () => "Ann", { state: () => {}, lost: () => {} });
  for (let sent = 0; sent < messages; sent += 1) socket.onmessage({ data: "{}" });
  [globalThis.location, globalThis.WebSocket, globalThis.setTimeout, globalThis.clearTimeout] = kept;
  return timers.size;
}"""
_BOT = "Annie Oddsley"
AGAIN = (_SAYS.format(".away", "CONNECTION LOST"), "document.querySelector('.away')?.innerText === ''")
"""Two conditions on a page that refreshes itself. The first holds while the server is silent, the second otherwise."""
DESK = (_SAYS.format("#banner", "NO CONNECTION"), "document.body.dataset.wire === 'up'")
STUDIO = {
    "overlay?x": (_CARD, _UP),
    "projector?x": (_CARD, _UP),
    "watch?x": (_SAYS.format("#behind", "CONNECTION LOST"), _WELL.format("#behind")),
    "?x": (_SAYS.format("#live", "CONNECTION LOST"), _WELL.format("#live")),
    f"bots/{_BOT}?x": (_SAYS.format("#waits", "CONNECTION LOST"), "document.querySelector('#waits').hidden"),
    "results": AGAIN,
    "control?token=" + TOKENS.view: DESK,
    "booth?token=" + TOKENS.view: (
        _SAYS.format("#where", "NO CONNECTION"),
        "document.body.dataset.wire === 'up' && document.body.dataset.booth === 'up'",
    ),
}
"""Two conditions for each page. The first holds while the server is silent, the second otherwise."""
PUBLISHED = {"watch/index.html": STUDIO["watch?x"], f"bots/index.html?bot={_BOT}": STUDIO[f"bots/{_BOT}?x"]}


def test_desk_gives_up_a_connection_only_by_the_silence_since_its_last_message(node: Node) -> None:
    assert node.evaluate(_TIMERS, 5) == 1


@pytest.mark.parametrize(
    ("to_server", "late"),
    [(True, 0.0), (False, 0.0), (True, LATE_SECONDS)],
    ids=["both ways", "to pages only", "slow line"],
)
def test_every_page_notices_a_silent_network_and_recovers(
    tmp_path: Path, browser: Browser, to_server: bool, late: float
) -> None:
    with DeskServer(tmp_path, contest_events(hands=2), speed=0) as server:
        check_silence(browser, server.port, STUDIO, to_server=to_server, late=late)


def test_pages_on_a_static_host_notice_a_silent_network_and_recover(tmp_path: Path, browser: Browser) -> None:
    with HostedShow(tmp_path / "site") as show, nginx(tmp_path / "nginx", static_host(show.folder)) as host:
        show.put(aired(small_contest())[:40])
        with show.publishing():
            check_silence(browser, int(host.rpartition(":")[2]), PUBLISHED, to_server=True)


def check_silence(
    browser: Browser, port: int, pages: Mapping[str, tuple[str, str]], *, to_server: bool, late: float = 0.0
) -> None:
    """Silences the network in front of a server until each page has noticed; afterwards, each page must recover."""
    for seconds in fall_silent(browser, port, pages, to_server=to_server, late=late):
        assert math.inf not in seconds.values(), seconds


def fall_silent(
    browser: Browser, port: int, shown: Mapping[str, tuple[str, str]], *, to_server: bool, late: float = 0.0
) -> tuple[dict[str, float], dict[str, float]]:
    """Returns each page's seconds until it noticed the silence, and each page's seconds until it recovered."""
    with SilentProxy(port, late) as proxy, browser.new_context() as context:
        pages = {name: context.new_page() for name in shown}
        for name, (_, well) in shown.items():
            pages[name].goto(f"{proxy.address}/{name}")
            _wait(pages[name], well)
        start = time.monotonic()
        proxy.fall_silent(to_server=to_server)
        noticed = {name: _seconds(pages[name], lost, start) for name, (lost, _) in shown.items()}
        time.sleep(max(0.0, start + SILENT_SECONDS - time.monotonic()))
        proxy.heal()
        return noticed, {name: _seconds(pages[name], well, start) for name, (_, well) in shown.items()}


def _seconds(page: Page, condition: str, start: float) -> float:
    """Returns how many seconds after `start` the condition becomes true; infinity if it never does."""
    try:
        _wait(page, condition)
    except TooLate:
        return math.inf
    return time.monotonic() - start


def _wait(page: Page, condition: str) -> None:
    page.wait_for_function(f"() => {condition}", timeout=PATIENCE_MS // 2)
