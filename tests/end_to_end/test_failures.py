"""An evening (tournament and show) survives a full disk, and a studio (the show's process) that dies or hangs."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from server.game.events import ActionTaken, ControlSet, GameStarted, HandStarted
from server.tournament.pause_gate import MAX_HANDS_AHEAD
from tests.end_to_end.conftest import SMALL_VIEWPORT, OpenPage, press_twice
from tests.end_to_end.evening import (
    NAMES,
    EventFolder,
    Operator,
    RemoteBots,
    Terminal,
    Viewer,
    kill_every_studio,
    tournament,
    write_evening,
)
from tests.support.program import SECONDS, wait_until
from tests.support.published import published_entries, published_index

SIX_BOTS, SPEED = NAMES[:6], "40"
Evening = tuple[EventFolder, Terminal]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A long evening in progress, which publishes its show. With only six bots, it begins with the last stage."""
    folder = write_evening(tmp_path, SIX_BOTS, lines='start = "bots"\n[publish]\nto = "site"')
    with RemoteBots(folder.register, SIX_BOTS, all_in_rate=0.0), tournament(folder, "--speed", SPEED) as terminal:
        terminal.wait_for_output("projector")
        yield folder, terminal


def wait_for_studio(terminal: Terminal, former_pid: int = 0) -> int:
    """Polls until a studio other than the process `former_pid` runs. Returns the studio's process id."""
    return wait_until(
        lambda: pid if (pid := terminal.studio_pid) != former_pid else 0,
        lambda: f"there is no studio:\n{terminal.text}",
    )


def count_hands(night: EventFolder) -> int:
    return sum(isinstance(event, HandStarted) for event in night.events)


def wait_for_show(page: Page, former_epoch: str = "") -> str:
    """Waits until the page follows a run of the show other than `former_epoch`. Returns the new run's id (epoch)."""
    page.wait_for_function(
        """(formerEpoch) => document.documentElement.dataset.wire === "up" && window.highnoon.epoch() !== formerEpoch
            && window.highnoon.state().seq > 0""",
        arg=former_epoch,
    )
    return str(page.evaluate("() => window.highnoon.epoch()"))


def test_viewers_miss_nothing_when_the_studio_is_killed_in_a_game(evening: Evening, open_page: OpenPage) -> None:
    night, terminal = evening
    page = open_page(f"{night.base}/overlay?motion=off&debug", **SMALL_VIEWPORT)
    epoch, studio_pid = wait_for_show(page), 0
    with Viewer(night.base) as viewer:
        viewer.wait_for_run(1)
        for kill in range(2):  # Two kills are enough, because a benchmark kills the studio more often.
            seq = page.evaluate("() => window.highnoon.state().seq")
            page.wait_for_function("(seq) => window.highnoon.state().seq > seq + 5", arg=seq)
            studio_pid = wait_for_studio(terminal, studio_pid)
            os.kill(studio_pid, signal.SIGKILL)
            epoch = wait_for_show(page, epoch)
            viewer.wait_for_run(kill + 2)
        assert not viewer.gaps
    with Operator(terminal.address) as ann:
        ann.set("stage_end", True)  # The stage ends after this hand.
        ann.set("speed", 8.0)
    page.wait_for_function("() => window.highnoon.state().scene === 'champion'")
    terminal.wait_for_output(": 1 recording;")
    terminal.wait_for_output("the show has ended")
    assert sum(isinstance(event, GameStarted) for event in night.events) == 1
    night.verify_recording()
    site = night.file.parent / "site"
    wait_until(lambda: published_index(site)["state"] == "over", lambda: "the end of the show was never published")
    assert "tournament_ended" in [entry["type"] for entry in published_entries(site)]


def test_hanging_studio_is_replaced_and_blocks_no_port(evening: Evening) -> None:
    night, terminal = evening
    with Viewer(night.base) as viewer:
        viewer.wait_for_run(1)
        os.kill(former_pid := terminal.studio_pid, signal.SIGSTOP)
        terminal.wait_for_output("the studio hangs; starting it again (the game continues)")
        viewer.wait_for_run(2)
        assert not viewer.gaps
        assert not [event for event in night.events if isinstance(event, ActionTaken) and event.fault]
        os.kill(wait_for_studio(terminal, former_pid), signal.SIGSTOP)
        terminal.process.kill()
        terminal.process.wait(SECONDS)
        with tournament(night, "--speed", SPEED) as resumed:
            resumed.wait_for_output("projector")
            viewer.wait_for_run(3)


def test_without_a_studio_the_operator_decides_whether_the_table_plays_on(evening: Evening, browser: Browser) -> None:
    night, terminal = evening
    desk = terminal.address
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    phone = context.new_page()
    with Viewer(night.base) as viewer:
        viewer.wait_for_run(1)
    with kill_every_studio(terminal):
        terminal.wait_for_output("the studio is gone")
        hands = count_hands(night)
        phone.goto(desk)
        phone.wait_for_selector("#table:has-text('The table waits and deals nothing')")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        assert httpx.get(f"{night.base}/projector", timeout=SECONDS).status_code == 503
        assert count_hands(night) <= hands + MAX_HANDS_AHEAD + 1  # The table may run this far ahead of the show.
        press_twice(phone, "unseen")
        phone.wait_for_selector("#table:has-text('The table plays on unseen')")
        wait_until(lambda: count_hands(night) >= hands + 4, lambda: f"the table is stuck at hand {count_hands(night)}")
        phone.tap("#wait")
        phone.wait_for_selector("#table:has-text('The table waits and deals nothing')")
        press_twice(phone, "unseen")
        phone.wait_for_selector("#unseen[aria-pressed='true']")
    phone.tap("#restart")
    phone.wait_for_selector("#pause")
    context.close()
    terminal.wait_for_output("the studio is back")
    with Operator(desk) as ann:
        desk_state = ann.wait_until(lambda state: not state["controls"]["unseen"])
        assert desk_state["status"]["hands_ahead"] > MAX_HANDS_AHEAD
        assert ann.set("unseen", True) == "the studio is running: the table plays as the show continues"
        ann.set("speed", 8.0)
        ann.set("stage_end", True)
    terminal.wait_for_output("the show has ended")
    changes = [event for event in night.events if isinstance(event, ControlSet) and event.control == "unseen"]
    decisions = [(event.value, event.operator) for event in changes]
    assert decisions == [(True, ""), (False, ""), (True, ""), (False, "the studio")]
    night.verify_recording()


def fill_disk(disk: Path) -> Path:
    """Fills the disk with one file, and returns its path. Another call fills the space that was freed meanwhile."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    return ballast


def test_full_disk_is_shown_and_the_game_continues_once_there_is_room(tmp_path: Path, small_disk: Path) -> None:
    trouble = "the disk is full: the game waits until there is room"
    refusal = "the journal cannot be written: No space left on device"
    folder = write_evening(tmp_path, SIX_BOTS)
    os.symlink(small_disk, folder.data)
    with (
        RemoteBots(folder.register, SIX_BOTS, all_in_rate=0.0),
        tournament(folder, "--speed", "20") as terminal,  # At this speed, the desk notices the full disk in time.
        Operator(terminal.address) as ann,
        Viewer(folder.base) as viewer,
    ):
        ann.wait_until(lambda desk: desk["status"]["hands_shown"] >= 1)
        ballast = fill_disk(small_disk)
        desk = ann.wait_until(lambda desk: desk["trouble"])
        assert desk["trouble"] == trouble
        assert desk["lights"][0] == {"of": "engine", "colour": "red", "words": trouble, "bot": 0, "log": ""}
        # The first changes may succeed: the archive of recordings may free space by dropping an unfinished index.
        replies = (fill_disk(small_disk) and ann.set("sound", bool(turn % 2)) for turn in range(100))
        assert next(reply for reply in replies if reply not in ("muted everything", "turned the sound on")) == refusal
        entries_before = len(folder.entries)
        ballast.unlink()
        ann.wait_until(lambda desk: not desk["trouble"] and desk["status"]["hands_shown"] >= 2)
        ann.set("stage_end", True)
        terminal.wait_for_output("the show has ended")
        assert terminal.interrupt() == 0, terminal.text
    assert viewer.troubles[:2] == [trouble, ""]
    assert len(folder.entries) > entries_before
    folder.verify_recording()
    controls = [event.control for event in folder.events if isinstance(event, ControlSet) and event.control != "sound"]
    assert controls == ["started", "stage_end"]
