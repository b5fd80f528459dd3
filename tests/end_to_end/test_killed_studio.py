"""The studio is killed several times in one game: the table goes on, and viewers miss nothing."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from server.game.events import ActionTaken, GameStarted, HandStarted
from server.verify.recording import verify
from tests.end_to_end.conftest import SMALL, OpenPage
from tests.end_to_end.evening import NAMES, EventFolder, Terminal, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator, Viewer
from tests.support.program import SECONDS
from tests.support.published import published_entries, published_index

KILLS = 2
"""The benchmark of promises kills it many times and measures how soon viewers have everything again."""
SPEED = "40"
TICK_SECONDS = 0.01


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[EventFolder, Terminal]]:
    """A published evening of six bots, which starts with High Noon and lasts."""
    names = NAMES[:6]
    folder = write_evening(tmp_path, secrets_of(names), lines='start = "bots"\n[publish]\nto = "site"')
    with RemoteBots(folder.register, secrets_of(names), wild=0.0), tournament(folder, "--speed", SPEED) as terminal:
        terminal.hears("projector")
        yield folder, terminal


def studio_of(terminal: Terminal, former: int = 0) -> int:
    """Waits, by polling, for a studio other than the `former`; returns its process."""
    ends = time.monotonic() + SECONDS
    while (studio := terminal.studio) in (0, former):
        assert time.monotonic() < ends, f"there is no studio:\n{terminal.text}"
        time.sleep(TICK_SECONDS)
    return studio


def picture_of(page: Page) -> dict[str, Any]:
    return dict(page.evaluate("() => window.highnoon.state()"))


def show_of(page: Page, former: str = "") -> str:
    """Waits until the page has a picture of a show other than the `former`; returns its epoch."""
    page.wait_for_function(
        """(former) => document.documentElement.dataset.wire === "up" && window.highnoon.epoch() !== former
            && window.highnoon.state().seq > 0""",
        arg=former,
    )
    return str(page.evaluate("() => window.highnoon.epoch()"))


def goes_on(page: Page) -> None:
    """Waits until the show has gone on a little."""
    page.wait_for_function("(seq) => window.highnoon.state().seq > seq + 5", arg=picture_of(page)["seq"])


def hands_to_go_back_to(base: str) -> list[int]:
    """The hands that late viewers can watch, after a check that no entry is missing."""
    with httpx.Client(base_url=base, timeout=SECONDS) as web:
        index = web.get("/live/main/index.json").raise_for_status().json()
        at = f"/live/main/{index['epoch']}"
        paths = [f"{at}/{number}.seg" for number in range(index["open"])] + [f"{at}/open.json"]
        segments = [web.get(path).raise_for_status().json() for path in paths]
    numbers = [entry["seq"] for segment in segments for entry in segment["entries"]]
    assert numbers == list(range(1, numbers[-1] + 1))
    assert numbers[-1] >= index["last"]
    return [hand["hand"] for hand in index["outline"]["hands"]]


def _same_at_last(page: Page, fresh: Page) -> bool:
    """Whether both soon show the same: entries sent before the pause may reach one later."""
    for _ in range(600):
        if picture_of(page) == picture_of(fresh):
            return True
        page.wait_for_timeout(100)
    return False


def test_viewers_miss_nothing_when_the_studio_is_killed_in_a_game(
    running: tuple[EventFolder, Terminal], open_page: OpenPage
) -> None:
    night, terminal = running
    page = open_page(f"{night.base}/overlay?motion=off&debug", **SMALL)
    show, studio = show_of(page), 0
    with Viewer(night.base) as viewer:
        viewer.whole_at(1)
        for kill in range(KILLS):
            goes_on(page)
            studio = studio_of(terminal, studio)
            os.kill(studio, signal.SIGKILL)
            show = show_of(page, show)
            viewer.whole_at(kill + 2)
        assert not viewer.gaps
    with Operator(terminal.address) as ann:
        ann.set("paused", True)
        fresh = open_page(f"{night.base}/overlay?motion=off&debug", **SMALL)
        assert show_of(fresh) == show
        assert _same_at_last(page, fresh)
        hands = hands_to_go_back_to(night.base)
        dealt = sum(isinstance(event, HandStarted) for event in night.events)
        ann.set("paused", False)
        ann.set("stage_end", True)
        ann.set("speed", 8.0)
    page.wait_for_function("() => window.highnoon.state().scene === 'champion'")
    terminal.hears(": 1 recording;")
    terminal.hears("the show is at its end")
    assert sum(isinstance(event, GameStarted) for event in night.events) == 1
    assert dealt
    assert hands[1:] == list(range(1, len(hands)))
    assert dealt - 2 <= len(hands) - 1 <= dealt, "the show is a hand behind, and the table a hand ahead"
    assert not [event for event in night.events if isinstance(event, ActionTaken) and event.fault]
    assert verify(night.entries).finished
    published = published_to_its_end(night.file.parent / "site")
    assert "tournament_ended" in [entry["type"] for entry in published]


def published_to_its_end(site: Path) -> list[dict[str, Any]]:
    """Waits, by polling, until the show is published to its end; returns its entries."""
    ends = time.monotonic() + SECONDS
    while published_index(site)["state"] != "over":
        assert time.monotonic() < ends, "the end of the show is not published"
        time.sleep(TICK_SECONDS)
    return published_entries(site)


def test_hanging_studio_is_replaced_and_blocks_no_port(running: tuple[EventFolder, Terminal]) -> None:
    night, terminal = running
    with Viewer(night.base) as viewer:
        viewer.whole_at(1)
        os.kill(former := terminal.studio, signal.SIGSTOP)
        terminal.hears("the studio hangs; starting it again (the game goes on)")
        viewer.whole_at(2)
        assert not viewer.gaps
        assert not [event for event in night.events if isinstance(event, ActionTaken) and event.fault]
        os.kill(studio_of(terminal, former), signal.SIGSTOP)
        terminal.process.kill()
        terminal.process.wait(SECONDS)
        with tournament(night, "--speed", SPEED) as again:
            again.hears("projector")
            viewer.whole_at(3)
