"""Parts of the desk work without a browser: undo, health lights, page reports, seats, and ending the stage on air."""

from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.desk.health_lights import LightBoard
from broadcast.desk.log import DeskLog, in_words, undo_event
from broadcast.desk.operators import DeskSocket
from broadcast.obs.state import ObsState
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.show.status import StageOnAir, stage_on_air
from broadcast.web.page_reports import MAX_OPERATOR_PAGES, MAX_VIEWER_PAGES, Obs, PageReport, PageReports, Report
from server.game.events import ControlSet, CueGiven, Event, HandEnded, StageCut, StageEnded, StageStarted
from server.journal.link import BotHealth, Health
from server.tournament.control_values import Controls, evolve, set_control
from tests.support.games.hand_events import hand_events
from tests.support.games.hand_events import opening as opened

NAMES = {1: "Billy the Kid", 2: "{bot}"}
WELL = Health("High Noon", entries=5, journal_bytes=4096, disk_free_bytes=1 << 40)
MB = 1 << 20
USING = BotHealth(
    1, "here", memory_bytes=34 * MB, peak_memory_bytes=56 * MB, memory_limit_bytes=100 * MB, cpu_seconds=12.3
)
GONE = BotHealth(1, "gone", note="exit status 1", since="hand 14", log="KeyError: 'pot'")
OVERLAY = Report("overlay", "a", frames=60, sound="on", level=0.1)
IN_OBS = Report("overlay", "b", frames=60, sound="on", level=0.1, obs=Obs("31.0", streaming=True, recording=True))


class Desk:
    def __init__(self) -> None:
        self.controls = Controls()
        self.log = DeskLog(lambda: 0.0)

    def hear(self, event: ControlSet | CueGiven) -> None:
        self.controls = evolve(self.controls, event)
        self.log.hear(event)

    def set(self, control: str, value: object, bot: int = 0) -> None:
        self.hear(set_control(self.controls, control, value, bot=bot, bots=NAMES))

    def undo(self) -> str:
        line = self.log.to_undo(self.controls, 0)
        if line is None:
            return ""
        self.hear(undo_event(line, self.controls, "Ann"))
        return in_words(line.event, NAMES)


def test_repeated_undo_restores_the_first_settings() -> None:
    desk = Desk()
    for control, value in (("paused", True), ("speed", 2), ("paused", False), ("card", "break")):
        desk.set(control, value)
    desk.hear(CueGiven("next"))
    undone = [desk.undo() for _ in range(5)]
    assert undone == ["put up the break card", "let the show go on", "set the pace to 2x", "paused the show", ""]
    assert desk.controls == Controls()


def test_undo_never_takes_back_a_start_or_ends_a_stage_or_lets_the_table_play_unseen() -> None:
    desk = Desk()
    desk.set("started", value=True)
    desk.set("stage_end", value=True)
    assert desk.undo() == "ended the stage after this hand"
    desk.set("stage_end", value=True)
    desk.controls = replace(desk.controls, stage_end=False)  # the stage has ended
    assert desk.undo() == ""

    for control in ("stage_end", "unseen"):
        desk = Desk()
        desk.set(control, value=True)
        desk.set(control, value=False)
        assert desk.undo() == ""


def test_bot_name_is_never_a_format_string() -> None:
    assert in_words(ControlSet("chat", value=False, was=True, bot=2), NAMES) == "muted the chat of {bot}"


def check_light(of: str, colour: str, words: str, health: Health | None = WELL, **more: Any) -> None:
    lights = LightBoard(lambda: 100.0).lights(health, Controls(), more.get("pages", ()), NAMES, more.get("obs"))
    (found,) = [each for each in lights if each.of == of]
    assert found.colour == colour
    assert words in found.words


def page_report(
    report: Report = OVERLAY, *, age: float = 1, silent: float = 1, ours: bool = True, still: float = 0
) -> PageReport:
    return PageReport(report, "127.0.0.1" if ours else "10.0.0.7", age, silent, ours, still)


@pytest.mark.parametrize(
    ("of", "health", "colour", "words"),
    [
        ("engine", None, "red", "does not report"),
        ("engine", WELL, "green", "High Noon"),
        ("engine", replace(WELL, trouble="the disk is full"), "red", "the disk is full"),
        ("engine", replace(WELL, lag_ms=300.0), "yellow", "held up for 300 ms"),
        ("journal", WELL, "green", "5 entries, 4 kB"),
        ("journal", replace(WELL, write_ms=2000.0), "red", "2000.0 ms"),
        ("disk", WELL, "green", "1024.0 GB free"),
        ("disk", replace(WELL, disk_free_bytes=1 << 20), "red", "1,024 kB free"),
        ("Billy the Kid", replace(WELL, bots=(BotHealth(1, "here"),)), "green", "no turn yet"),
        ("Billy the Kid", replace(WELL, bots=(BotHealth(1, "here", turns=1, faults=2),)), "yellow", "2 faults"),
        ("Billy the Kid", replace(WELL, bots=(BotHealth(1, "here", slowest_ms=2800),)), "yellow", ""),
        ("Billy the Kid", replace(WELL, bots=(GONE,)), "yellow", "gone since hand 14, exit status 1"),
        ("Billy the Kid", replace(WELL, bots=(BotHealth(1, "withdrawn"),)), "grey", "withdrawn"),
        ("boxes", replace(WELL, bots=(BotHealth(1, "here", box="light, weak"),)), "yellow", "no control groups"),
        ("Billy the Kid", replace(WELL, bots=(USING,)), "green", "34 MB, peak 56 MB, limit 100 MB, 12.3 s of CPU time"),
    ],
)
def test_light_gives_the_reason_for_its_colour(of: str, health: Health | None, colour: str, words: str) -> None:
    check_light(of, colour, words, health)


def test_bot_that_viewers_saw_go_out_is_shown_as_out_whatever_its_health() -> None:
    health = replace(WELL, bots=(BotHealth(1, "here", turns=9, faults=2), replace(GONE, bot=2)))
    lights = LightBoard(lambda: 0.0).lights(health, Controls(), [], NAMES, out=(1, 2))
    assert [(each.colour, each.words.split(", ")[0]) for each in lights if each.bot] == [("grey", "out")] * 2
    assert lights[-1].log == "KeyError: 'pot'"


BLACK = replace(OVERLAY, frames=0)


@pytest.mark.parametrize(
    ("of", "pages", "colour", "words"),
    [
        ("overlay", (), "yellow", "no page is open"),
        ("overlay", (page_report(),), "green", "60 frames"),
        ("overlay", (page_report(BLACK),), "red", "paints nothing"),
        ("overlay", (page_report(age=7.0),), "red", "no report for 7 s"),
        ("overlay", (page_report(replace(BLACK, hidden=True)),), "yellow", "nobody sees it"),
        ("overlay", (page_report(still=5.0),), "red", "is frozen"),
        ("overlay", (page_report(), page_report(BLACK, ours=False)), "green", "60 frames"),
        ("overlay", (page_report(IN_OBS, ours=False),), "yellow", "no page is open; 1 elsewhere"),
        ("overlay", (page_report(BLACK), page_report(IN_OBS, ours=False)), "red", "paints nothing"),
        ("sound", (), "yellow", "no page plays the sound"),
        ("sound", (page_report(),), "green", "last heard now"),
        ("sound", (page_report(silent=-1),), "yellow", "nothing heard yet"),
        ("sound", (page_report(silent=300),), "yellow", "5 min ago"),
        ("sound", (page_report(), page_report()), "yellow", "heard twice"),
        ("sound", (page_report(), page_report(ours=False)), "green", "last heard now"),
        ("sound", (page_report(ours=False),), "yellow", "no page plays the sound"),
        ("sound", (page_report(replace(OVERLAY, sound="blocked")),), "red", "click"),
        ("OBS", (page_report(),), "grey", "no page runs in OBS"),
        ("OBS", (page_report(IN_OBS),), "green", "in the program; streaming"),
        ("OBS", (page_report(IN_OBS, ours=False),), "grey", "no page runs in OBS"),
        ("OBS", (page_report(replace(OVERLAY, obs=Obs("31.0", active=False))),), "yellow", "not in the program"),
    ],
)
def test_lights_of_pages_follow_their_reports(of: str, pages: tuple[PageReport, ...], colour: str, words: str) -> None:
    check_light(of, colour, words, pages=pages)


@pytest.fixture
def pages() -> PageReports:
    """The page reports of a studio with a desk, at the second 0."""
    reports = PageReports(lambda: 0.0)
    reports.enabled = True
    return reports


def test_silent_pages_are_forgotten_and_pages_without_a_desk_are_told_to_stop_reporting() -> None:
    now = 0.0
    pages = PageReports(lambda: now)
    assert pages.accept(OVERLAY, "127.0.0.1", ours=True) == "quiet"
    pages.enabled = True
    assert pages.accept(OVERLAY, "127.0.0.1", ours=True) == ""
    now = 11.0
    assert pages.reports() == []


def test_crowd_of_viewers_does_not_displace_the_operators_pages(pages: PageReports) -> None:
    for number in range(200):
        pages.accept(replace(OVERLAY, id=str(number)), f"10.0.0.{number}", ours=False)
    assert len(pages.reports()) == MAX_VIEWER_PAGES
    for number in range(200):
        pages.accept(replace(OVERLAY, id=f"ours {number}"), "127.0.0.1", ours=True)
    assert [page.ours for page in pages.reports()] == [True] * MAX_OPERATOR_PAGES + [False] * MAX_VIEWER_PAGES


def test_stranger_cannot_send_reports_for_an_operators_page(pages: PageReports) -> None:
    pages.accept(OVERLAY, "127.0.0.1", ours=True)
    pages.ask("a", "reload")
    assert pages.accept(replace(OVERLAY, frames=0), "10.0.0.7", ours=False) == "quiet"
    assert pages.reports()[0].report.frames == 60
    assert pages.accept(OVERLAY, "127.0.0.1", ours=True) == "reload"


def test_page_counts_as_frozen_until_it_catches_up_with_the_show() -> None:
    now, last = 0.0, 10
    pages = PageReports(lambda: now, lambda _: last)
    pages.enabled = True

    def report(seq: int, at: float) -> float:
        nonlocal now
        now = at
        pages.accept(replace(OVERLAY, seq=seq), "127.0.0.1", ours=True)
        return pages.reports()[0].still_seconds

    assert [report(seq, at) for seq, at in ((10, 0), (10, 2), (10, 4))] == [0, 0, 0]  # the show has not moved on either
    last = 20
    assert [report(seq, at) for seq, at in ((10, 6), (10, 8), (10, 12), (20, 14))] == [0, 2, 6, 0]
    assert report(99, 16) == 2  # the number of an entry of another show


def test_everybody_at_the_desk_has_a_unique_name() -> None:
    seats = DeskSocket(lambda _: b"")
    names = [seats.claim(name, "control", "").name for name in ("Ann", "", "Ann", "", " \u202eB\x00en\n" + "x" * 99)]
    assert names == ["Ann", "desk 1", "Ann 1", "desk 2", "B en " + "x" * 19]
    seats.leave(seats.seats[1])
    assert seats.claim("", "view", "").name == "desk 1"


@pytest.mark.parametrize(
    ("obs", "colour", "words"),
    [
        (None, "grey", "no page runs in OBS"),
        (ObsState(words="OBS cannot be reached"), "yellow", "OBS cannot be reached; no page runs in OBS"),
        (ObsState(True, scene="Table", fps=60.0), "green", "shows Table, 60 frames a second, not streaming"),
        (ObsState(True, scene="Table", streaming=True), "green", "streaming"),
        (ObsState(True, missing=("Replay",)), "yellow", "has no scene Replay"),
        (ObsState(True, frames=1000, skipped=200), "yellow", "20 % of the frames skipped"),
    ],
)
def test_obs_light_shows_what_obs_reports(obs: ObsState | None, colour: str, words: str) -> None:
    check_light("OBS", colour, words, obs=obs)


def picture_of(*events: Event) -> State:
    picture = State()
    for seq, event in enumerate(events, 1):
        picture = reduce(picture, seq, 0, 0, event)
    return picture


def chips_at_the_end(hand: list[Event]) -> list[int]:
    ended = hand[-1]
    assert isinstance(ended, HandEnded)
    return list(ended.stacks)


def test_desk_names_the_bots_with_most_chips_before_the_current_hand_as_advancing() -> None:
    opening, stage, *rest = opened()
    assert isinstance(stage, StageStarted)
    first = next(hand for hand in map(hand_events, range(50)) if min(chips_at_the_end(hand)) > 0)
    trials = [opening, replace(stage, advance=2, next_title="High Noon"), *rest, *first]
    picture = picture_of(*trials)
    seen = stage_on_air(picture)
    assert seen is not None
    best = sorted(range(6), key=lambda seat: -chips_at_the_end(first)[seat])[:2]
    names = [picture.bots[picture.seats[seat].bot].name for seat in best]
    assert (seen.number, seen.title) == (1, "The Trials")
    assert seen.follows == f"as it stands, these 2 ride on to High Noon: {names[0]} and {names[1]}"
    second = hand_events(2, chips_at_the_end(first))
    for count in range(1, len(second)):
        assert stage_on_air(picture_of(*trials, *second[:count])) == seen


@pytest.mark.parametrize("event", [StageCut(1), StageEnded(1, (), ())])
def test_stage_that_has_ended_at_the_table_counts_as_ended_while_it_is_still_on_air(event: Event) -> None:
    log = DeskLog(lambda: 0.0)
    log.hear(event)
    shown = [log.stage(StageOnAir(number, "", "")) for number in (1, 2)]
    assert [stage and stage["ended"] for stage in shown] == [True, False]
