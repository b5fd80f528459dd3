"""What the desk says about the stage it can end, and about the pace, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from server.game.events import StageEnded, StageStarted
from tests.desk.control_page import DeskPages
from tests.desk.desk_server import DeskServer, contest_events

SURE_MS = 6000
"""How long the desk waits for the confirmation."""


@pytest.fixture
def show(tmp_path: Path) -> Iterator[DeskServer]:
    with DeskServer(tmp_path, contest_events(hands=1), speed=3.0) as server:
        yield server


@pytest.fixture
def desk(show: DeskServer, browser: Browser) -> Iterator[Page]:
    """A new page for each test, as a fake clock stays installed."""
    pages = DeskPages(browser)
    desk = pages.open(show)
    desk.wait_for_selector("#end:has-text('Trials')")
    yield desk
    desk.context.close()


def means_to_end(desk: Page) -> None:
    """Presses End, and again to confirm."""
    desk.click("#end")
    desk.wait_for_selector("#end[data-sure]")
    desk.wait_for_function("(since) => performance.now() - since > 400", arg=desk.evaluate("performance.now()"))
    desk.click("#end")


def test_ending_a_stage_names_it_and_who_rides_on_and_can_be_undone(show: DeskServer, desk: Page) -> None:
    stage = next(entry.event for entry in show.bus.entries if isinstance(entry.event, StageStarted))
    desk.clock.install()
    desk.click("#end")
    desk.wait_for_selector(f"#end[data-sure]:has-text('Really end {stage.title}?')")
    desk.wait_for_selector(f"#said:has-text('End {stage.title} now: as it stands these {stage.advance} ride on')")
    desk.clock.fast_forward(SURE_MS)
    desk.wait_for_selector("#end:not([data-sure])")
    means_to_end(desk)
    desk.wait_for_selector(f"#banner:has-text('The table ends {stage.title} after the hand it plays')")
    desk.click("#play-on")
    desk.wait_for_selector("#banner", state="hidden")
    assert not show.there(lambda: show.controls.stage_end)


def test_stage_ended_at_the_table_cannot_be_ended_again_while_on_air(show: DeskServer, desk: Page) -> None:
    stage = next(entry.event for entry in show.bus.entries if isinstance(entry.event, StageStarted))
    means_to_end(desk)
    desk.wait_for_selector("#banner:has-text('The table ends')")
    ended = StageEnded(stage.stage, stage.bots, stage.stacks)
    show.there(lambda: show.bus.publish(ended))
    desk.wait_for_selector(f"#end[disabled]:has-text('End {stage.title}'):has-text('the table has ended it already')")
    desk.wait_for_selector("#banner", state="hidden")


def test_pace_is_the_same_number_everywhere(show: DeskServer, desk: Page) -> None:
    desk.wait_for_selector("#pace:text-is('3×')")  # noqa: RUF001
    for button, pace in (("faster", "3.75×"), ("faster", "4.5×"), ("slower", "3.75×"), ("normal", "3×")):  # noqa: RUF001
        if button != "normal":
            desk.wait_for_selector(f"#{button} .note:text-is('to {pace}')")
        desk.click(f"#{button}")
        desk.wait_for_selector(f"#pace:text-is('{pace}')")
        desk.wait_for_selector(f"#normal .title:text-is('{pace}')")
        desk.wait_for_selector(f"#log .line:has-text('set the pace to {pace[:-1]}x')")


def test_governor_says_what_it_does(show: DeskServer, desk: Page) -> None:
    desk.wait_for_selector("#governor:has-text('On')")
    desk.click("#governor")
    desk.wait_for_selector("#governor:has-text('Off: the pace is yours alone.')")
