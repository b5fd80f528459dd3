"""No studio stays up: the table waits, the operator decides on a phone, and the journal has the decision."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from server.game.events import ActionTaken, ControlSet, HandStarted
from server.tournament.pause_gate import HANDS_AHEAD
from server.verify.recording import verify
from tests.end_to_end.evening import NAMES, EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.killer import Killer
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator, Viewer
from tests.support.program import SECONDS
from tests.verify.in_javascript import Prover

PHONE = {"width": 390, "height": 844}
SPEED = "40"
TICK_SECONDS = 0.05


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[EventFolder, Terminal]]:
    """An evening of six bots, which starts with High Noon and lasts."""
    names = NAMES[:6]
    folder = write_evening(tmp_path, secrets_of(names))
    with RemoteBots(folder.register, secrets_of(names), wild=0.0), tournament(folder, "--speed", SPEED) as terminal:
        terminal.hears("projector")
        yield folder, terminal


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=3)  # type: ignore[arg-type]
    page = context.new_page()
    yield page
    context.close()


def dealt(night: EventFolder) -> int:
    return sum(isinstance(event, HandStarted) for event in night.events)


def wait_for_hands(night: EventFolder, hands: int) -> None:
    """Waits until that many hands have been dealt."""
    ends = time.monotonic() + SECONDS
    while dealt(night) < hands:
        assert time.monotonic() < ends, f"the table stands at hand {dealt(night)}"
        time.sleep(TICK_SECONDS)


def decisions_of(night: EventFolder) -> list[tuple[object, str]]:
    """The decisions whether to play on unseen, and whose they were."""
    changes = [event for event in night.events if isinstance(event, ControlSet) and event.control == "unseen"]
    return [(event.value, event.operator) for event in changes]


def test_table_waits_for_the_operator_until_the_studio_is_back(
    running: tuple[EventFolder, Terminal], phone: Page, tmp_path: Path
) -> None:
    night, terminal = running
    desk = terminal.address
    with Viewer(night.base) as viewer:
        viewer.whole_at(1)
    with Killer(terminal):
        terminal.hears("the studio is missed")
        before = dealt(night)
        phone.goto(desk)
        phone.wait_for_selector("#table:has-text('The table waits and deals nothing')")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert httpx.get(f"{night.base}/projector", timeout=SECONDS).status_code == 503
        assert dealt(night) <= before + HANDS_AHEAD + 1
        _tap_twice(phone, "unseen")
        phone.wait_for_selector("#table:has-text('The table plays on unseen')")
        wait_for_hands(night, before + 4)
        phone.tap("#wait")
        phone.wait_for_selector("#table:has-text('The table waits and deals nothing')")
        _tap_twice(phone, "unseen")
        phone.wait_for_selector("#unseen[aria-pressed='true']")
    phone.tap("#restart")
    phone.wait_for_selector("#pause")
    terminal.hears("the studio is back")
    with Operator(desk) as ann:
        seen = ann.sees(lambda state: not state["controls"]["unseen"])
        assert seen["status"]["hands_ahead"] > HANDS_AHEAD
        assert ann.set("unseen", True) == "the studio is there: the table plays as the show goes on"
        ann.set("speed", 8.0)
        ann.set("stage_end", True)
    terminal.hears("the show is at its end")
    assert decisions_of(night) == [(True, ""), (False, ""), (True, ""), (False, "the studio")]
    assert not [event for event in night.events if isinstance(event, ActionTaken) and event.fault]
    assert verify(night.entries).finished
    prover = Prover(tmp_path)
    verdict = prover.file(night.journal)
    prover.close()
    assert (verdict["holds"], verdict["fault"]) == (True, "")


def _tap_twice(phone: Page, button: str) -> None:
    """Taps a button, and again when it asks to confirm."""
    phone.tap(f"#{button}")
    phone.wait_for_selector(f"#{button}[data-sure]")
    phone.wait_for_function("(since) => performance.now() - since > 400", arg=phone.evaluate("performance.now()"))
    phone.tap(f"#{button}")
