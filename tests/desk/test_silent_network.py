"""No screen freezes: a network that passes nothing on, and closes nothing, is noticed by every page, and survived."""

import math
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.support.browsers import PATIENCE_MS
from tests.support.silent_proxy import silent_proxy

NOTICED_SECONDS = 10.0
SILENT_SECONDS = 12.0
BACK_SECONDS = 25.0
_CARD = "document.querySelector('.cover')?.dataset.card === 'technical'"
_UP = "document.documentElement.dataset.wire === 'up' && !document.querySelector('.cover')?.dataset.card"
_SAYS = "document.querySelector('{}')?.innerText.toUpperCase().includes('{}')"
_WELL = "!/connect/i.test(document.querySelector('{}')?.innerText || 'connecting')"
_BOT = "Annie Oddsley"
PAGES = {
    "overlay?x": (_CARD, _UP),
    "projector?x": (_CARD, _UP),
    "watch?x": (_SAYS.format("#behind", "CONNECTION LOST"), _WELL.format("#behind")),
    "?x": (_SAYS.format("#live", "CONNECTION LOST"), _WELL.format("#live")),
    f"bots/{_BOT}?x": (_SAYS.format("#waits", "CONNECTION LOST"), "document.querySelector('#waits').hidden"),
    "control?token=" + TOKENS.view: (
        _SAYS.format("#banner", "NO CONNECTION"),
        "document.body.dataset.wire === 'up'",
    ),
    "booth?token=" + TOKENS.view: (
        _SAYS.format("#where", "NO CONNECTION"),
        "document.body.dataset.wire === 'up' && document.body.dataset.booth === 'up'",
    ),
}
"""Each page: what it shows when the server says nothing, and when all is well."""


@pytest.mark.parametrize("to_server", [True, False], ids=["both ways", "to pages only"])
def test_every_page_notices_a_silent_network_and_comes_back(tmp_path: Path, browser: Browser, to_server: bool) -> None:
    noticed, back = fall_silent(tmp_path, browser, to_server=to_server)
    assert not {name: took for name, took in noticed.items() if took > NOTICED_SECONDS}
    assert not {name: took for name, took in back.items() if took > BACK_SECONDS}


def fall_silent(folder: Path, browser: Browser, *, to_server: bool) -> tuple[dict[str, float], dict[str, float]]:
    """Has the network fall silent for a while; after how many seconds each page said so, and was back."""
    with (
        DeskServer(folder, contest_events(hands=2), speed=0) as server,
        silent_proxy(server.port) as proxy,
        browser.new_context() as context,
    ):
        pages = {name: context.new_page() for name in PAGES}
        for name, (_, well) in PAGES.items():
            pages[name].goto(f"{proxy.address}/{name}")
            _wait(pages[name], well)
        begun = time.monotonic()
        proxy.fall_silent(to_server=to_server)
        noticed = {name: _seconds(pages[name], lost, begun) for name, (lost, _) in PAGES.items()}
        time.sleep(max(0.0, begun + SILENT_SECONDS - time.monotonic()))
        proxy.heal()
        return noticed, {name: _seconds(pages[name], well, begun) for name, (_, well) in PAGES.items()}


def _seconds(page: Page, condition: str, begun: float) -> float:
    """How long after `begun` it holds; infinite where it does not at all."""
    try:
        _wait(page, condition)
    except TooLate:
        return math.inf
    return time.monotonic() - begun


def _wait(page: Page, condition: str) -> None:
    page.wait_for_function(f"() => {condition}", timeout=PATIENCE_MS // 2)
