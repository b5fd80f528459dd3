"""The whole chain: the program runs a contest of bots over TCP, and a real browser shows it."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from broadcast.on_air.log import AirLog
from broadcast.show.showrunner import Showrunner
from server.game.events import HandEnded
from server.journal.bus import Bus
from server.journal.journal import Journal, read_journal
from tests.support.contests import play_contest
from tests.support.program import serving_program

AS_SHOWN = ("seq", "at_ms", "chat", "marks", "statistics")
"""What depends on how it was shown: when, and whether there was time to reckon the chances that marks come from."""
STATE = "() => window.highnoon.state()"


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A recording, and the picture the studio's own fold of it ends in, but for moments and numbers of entries."""
    recording = tmp_path_factory.mktemp("contest") / "contest.jsonl"
    journal = Journal(recording)
    journal.append(play_contest(3, bots=7))
    journal.close()
    air = AirLog("main", 0)
    bus = Bus(None, lambda: 0.0)
    bus.load(read_journal(recording).entries)
    bus.close()
    with ThreadPoolExecutor(1) as aside:  # the browser has an event loop in this thread
        aside.submit(lambda: asyncio.run(Showrunner(air, clock=lambda: 0.0).run(bus.follow()))).result()
    picture = json.loads(air.snapshot())["state"]
    return recording, {key: value for key, value in picture.items() if key not in AS_SHOWN}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that may not complain."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 640, "height": 360})
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    yield page
    context.close()
    assert complaints == []


def wait_for(page: Page, condition: str) -> dict[str, Any]:
    """The picture once `condition` holds for it."""
    page.wait_for_function(f"() => {{ const state = window.highnoon.state(); return {condition}; }}")
    return dict(page.evaluate(STATE))


def on_seats(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [state["bots"][str(seat["bot"])] for seat in state["seats"]]


def test_a_live_contest_is_on_screen_hand_after_hand(page: Page, tmp_path: Path) -> None:
    with serving_program("demo", "--speed", "40", "--data", str(tmp_path), "--seed", "7") as program:
        page.goto(f"{program.base}/overlay?motion=off&debug")
        first = wait_for(page, 'state.scene === "table" && state.seats.every((seat) => seat.cards.length === 2)')
        assert len(first["seats"]) == 6
        words = " ".join(page.inner_text("body").split())
        assert [bot["name"] for bot in on_seats(first) if bot["name"] not in words] == []
        later = wait_for(page, f"state.hand && state.seq > {first['seq']} && state.hand.hand >= 2")
        (recording,) = (tmp_path / "recordings").glob("*.jsonl")
        dealt = sum(isinstance(entry.event, HandEnded) for entry in read_journal(recording).entries)
        assert later["hand"]["hand"] <= dealt
        page.goto("about:blank")  # A page that loses its server says so on its console.


def test_a_replay_ends_in_the_picture_the_studio_has(
    contest: tuple[Path, dict[str, Any]], page: Page, tmp_path: Path
) -> None:
    recording, picture = contest
    with serving_program("replay", str(recording), "--speed", "1000", "--data", str(tmp_path)) as program:
        page.goto(f"{program.base}/projector?motion=off&debug")
        shown = wait_for(page, 'state.scene === "champion"')
        assert page.get_by_text("1st").first.is_visible()
        page.goto("about:blank")  # A page that loses its server says so on its console.
    assert {key: shown[key] for key in picture} == picture
