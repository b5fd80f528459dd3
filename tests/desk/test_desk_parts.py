"""Tests parts of the operators' desk without a browser: undo, the health lights, and reports that pages send."""

from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.desk.health_lights import LightBoard
from broadcast.desk.log_and_undo import DeskLog, describe_change, undo_event
from broadcast.desk.operators import DeskSocket
from broadcast.obs.state import ObsState
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.show.status import StageOnAir, stage_on_air
from broadcast.web.page_reports import MAX_OPERATOR_PAGES, MAX_VIEWER_PAGES, Obs, PageReport, PageReports, Report
from server.game.events import ControlSet, CueGiven, Event, HandEnded, StageCut, StageEnded, StageStarted
from server.journal.studio_link import BotHealth, Health
from server.tournament.control_values import Controls, evolve, set_control
from tests.support.games.hand_events import hand_events, opening

NAMES = {1: "Billy the Kid", 2: "{bot}"}
HEALTHY = Health("High Noon", entries=5, journal_bytes=4096, disk_free_bytes=1 << 40)
BOT_IN_A_BOX = BotHealth(
    1, "here", memory_bytes=34 << 20, peak_memory_bytes=56 << 20, memory_limit_bytes=100 << 20, cpu_seconds=12.3
)
GONE_BOT = BotHealth(1, "gone", note="exit status 1", since="hand 14", log="KeyError: 'pot'")
OVERLAY = Report("overlay", "a", frames=60, sound="on", level=0.1)
BLACK_OVERLAY = replace(OVERLAY, frames=0)
OBS_PAGE = Report("overlay", "b", frames=60, sound="on", level=0.1, obs=Obs("31.0", streaming=True, recording=True))


class Desk:
    def __init__(self) -> None:
        self.controls = Controls()
        self.log = DeskLog(lambda: 0.0)

    def apply(self, event: ControlSet | CueGiven) -> None:
        self.controls = evolve(self.controls, event)
        self.log.apply(event)

    def set(self, control: str, value: object, bot: int = 0) -> None:
        self.apply(set_control(self.controls, control, value, bot=bot, bots=NAMES))

    def undo(self) -> str:
        log_line = self.log.find_undoable(self.controls, 0)
        if log_line is None:
            return ""
        self.apply(undo_event(log_line, self.controls, "Ann"))
        return describe_change(log_line.event, NAMES)


def test_repeated_undo_restores_the_first_settings() -> None:
    desk = Desk()
    for control, value in (("paused", True), ("speed", 2), ("paused", False), ("card", "break")):
        desk.set(control, value)
    desk.set("chat", value=False, bot=2)
    desk.apply(CueGiven("next"))
    undone = [desk.undo() for _ in range(6)]
    assert undone[0] == "muted the chat of {bot}", "braces in a bot's name must stay as they are"
    assert undone[1:] == ["put up the break card", "let the show go on", "set the pace to 2x", "paused the show", ""]
    assert desk.controls == Controls()


def test_undo_never_starts_or_ends_a_stage_nor_lets_it_play_unseen() -> None:
    desk = Desk()
    desk.set("started", value=True)
    desk.set("stage_end", value=True)  # `stage_end`: the stage ends after this hand
    assert desk.undo() == "ended the stage after this hand"
    desk.set("stage_end", value=True)
    desk.controls = replace(desk.controls, stage_end=False)  # The end of the stage switches `stage_end` off.
    assert desk.undo() == ""

    for control in ("stage_end", "unseen"):  # `unseen`: the table plays on without a show
        desk = Desk()
        desk.set(control, value=True)
        desk.set(control, value=False)
        assert desk.undo() == ""


def page_report(
    report: Report = OVERLAY,
    *,
    age_seconds: float = 1,
    silent_seconds: float = 1,
    is_ours: bool = True,  # `is_ours`: the report comes from this machine, or with a desk token
    frozen_seconds: float = 0,
) -> PageReport:
    return PageReport(
        report, "127.0.0.1" if is_ours else "10.0.0.7", age_seconds, silent_seconds, is_ours, frozen_seconds
    )


def bot_health(health: BotHealth) -> dict[str, Health]:
    return {"health": replace(HEALTHY, bots=(health,))}


def test_light_gives_the_reason_for_its_colour() -> None:
    rows: list[tuple[str, dict[str, Any], str, str]] = [
        ("engine", {"health": None}, "red", "does not report"),
        ("engine", {"health": replace(HEALTHY, trouble="the disk is full")}, "red", "the disk is full"),
        ("engine", {"health": replace(HEALTHY, lag_ms=300.0)}, "yellow", "held up for 300 ms"),
        ("journal", {"health": replace(HEALTHY, write_ms=2000.0)}, "red", "2000.0 ms"),
        ("disk", {"health": replace(HEALTHY, disk_free_bytes=1 << 20)}, "red", "1,024 kB free"),
        ("Billy the Kid", bot_health(BotHealth(1, "here")), "green", "no turn yet"),
        ("Billy the Kid", bot_health(BotHealth(1, "here", turns=1, faults=2)), "yellow", "2 faults"),
        ("Billy the Kid", bot_health(BotHealth(1, "here", slowest_ms=2800)), "yellow", ""),
        ("Billy the Kid", bot_health(GONE_BOT), "yellow", "gone since hand 14, exit status 1"),
        ("Billy the Kid", bot_health(BotHealth(1, "withdrawn")), "grey", "withdrawn"),
        ("boxes", bot_health(BotHealth(1, "here", box="light, weak")), "yellow", "no control groups"),
        ("Billy the Kid", bot_health(BOT_IN_A_BOX), "green", "34 MB, peak 56 MB, limit 100 MB, 12.3 s of CPU time"),
        ("overlay", {}, "yellow", "no page is open"),
        ("overlay", {"pages": [page_report(BLACK_OVERLAY)]}, "red", "paints nothing"),
        ("overlay", {"pages": [page_report(age_seconds=7.0)]}, "red", "no report for 7 s"),
        ("overlay", {"pages": [page_report(replace(BLACK_OVERLAY, hidden=True))]}, "yellow", "nobody sees it"),
        ("overlay", {"pages": [page_report(frozen_seconds=5.0)]}, "red", "is frozen"),
        ("overlay", {"pages": [page_report(), page_report(BLACK_OVERLAY, is_ours=False)]}, "green", "60 frames"),
        ("overlay", {"pages": [page_report(OBS_PAGE, is_ours=False)]}, "yellow", "no page is open; 1 elsewhere"),
        ("sound", {"pages": [page_report(), page_report(is_ours=False)]}, "green", "last heard now"),
        ("sound", {"pages": [page_report(silent_seconds=-1)]}, "yellow", "nothing heard yet"),
        ("sound", {"pages": [page_report(silent_seconds=300)]}, "yellow", "5 min ago"),
        ("sound", {"pages": [page_report(), page_report()]}, "yellow", "heard twice"),
        ("sound", {"pages": [page_report(replace(OVERLAY, sound="blocked"))]}, "red", "click"),
        ("OBS", {"pages": [page_report(OBS_PAGE)]}, "green", "in the program; streaming"),
        ("OBS", {"pages": [page_report(OBS_PAGE, is_ours=False)]}, "grey", "no page runs in OBS"),
        ("OBS", {"pages": [page_report(replace(OVERLAY, obs=Obs("31.0", active=False)))]}, "yellow", "not in"),
        (
            "OBS",
            {"obs": ObsState(why_disconnected="OBS cannot be reached")},
            "yellow",
            "cannot be reached; no page runs in OBS",
        ),
        ("OBS", {"obs": ObsState(True, scene="Table", fps=60.0)}, "green", "Table, 60 frames a second, not streaming"),
        ("OBS", {"obs": ObsState(True, missing=("Replay",))}, "yellow", "has no scene Replay"),
        ("OBS", {"obs": ObsState(True, frames=1000, skipped=200)}, "yellow", "20 % of the frames skipped"),
    ]
    for subject, desk_state, colour, reason in rows:
        health, pages = desk_state.get("health", HEALTHY), desk_state.get("pages", ())
        lights = LightBoard(lambda: 100.0).lights(health, Controls(), pages, NAMES, desk_state.get("obs"))
        (light,) = [light for light in lights if light.of == subject]
        assert (light.colour, reason in light.words) == (colour, True), light.words


def test_eliminated_bot_is_shown_as_out_whatever_its_health() -> None:
    health = replace(HEALTHY, bots=(BotHealth(1, "here", turns=9, faults=2), replace(GONE_BOT, bot=2)))
    lights = LightBoard(lambda: 0.0).lights(health, Controls(), [], NAMES, out=(1, 2))
    assert [(light.colour, light.words.split(", ")[0]) for light in lights if light.bot] == [("grey", "out")] * 2
    assert lights[-1].log == "KeyError: 'pot'"


@pytest.fixture
def pages() -> PageReports:
    """Returns the page reports of a studio with a desk. The reports' clock stays at 0 seconds."""
    reports = PageReports(lambda: 0.0)
    reports.enabled = True
    return reports


def test_page_reports_need_a_desk_and_expire() -> None:
    clock_seconds = 0.0
    pages = PageReports(lambda: clock_seconds)
    assert pages.accept(OVERLAY, "127.0.0.1", is_ours=True) == "quiet"  # "quiet": the page must stop its reports
    pages.enabled = True
    assert pages.accept(OVERLAY, "127.0.0.1", is_ours=True) == ""
    clock_seconds = 11.0
    assert pages.reports() == []


def test_crowd_of_viewers_does_not_displace_the_operators_pages(pages: PageReports) -> None:
    for number in range(200):
        pages.accept(replace(OVERLAY, id=str(number)), f"10.0.0.{number}", is_ours=False)
    assert len(pages.reports()) == MAX_VIEWER_PAGES
    for number in range(200):
        pages.accept(replace(OVERLAY, id=f"ours {number}"), "127.0.0.1", is_ours=True)
    assert [page.is_ours for page in pages.reports()] == [True] * MAX_OPERATOR_PAGES + [False] * MAX_VIEWER_PAGES


def test_stranger_cannot_send_reports_for_an_operators_page(pages: PageReports) -> None:
    pages.accept(OVERLAY, "127.0.0.1", is_ours=True)
    pages.send_order("a", "reload")
    assert pages.accept(replace(OVERLAY, frames=0), "10.0.0.7", is_ours=False) == "quiet"
    assert pages.reports()[0].report.frames == 60
    assert pages.accept(OVERLAY, "127.0.0.1", is_ours=True) == "reload"


def test_page_counts_as_frozen_until_it_catches_up_with_the_show() -> None:
    clock_seconds, last_seq = 0.0, 10
    pages = PageReports(lambda: clock_seconds, lambda _: last_seq)
    pages.enabled = True

    def report(seq: int, time: float) -> float:
        nonlocal clock_seconds
        clock_seconds = time
        pages.accept(replace(OVERLAY, seq=seq), "127.0.0.1", is_ours=True)
        return pages.reports()[0].frozen_seconds

    assert [report(seq, time) for seq, time in ((10, 0), (10, 2), (10, 4))] == [0, 0, 0], (
        "while nothing goes on air, a page must not count as frozen"
    )
    last_seq = 20
    assert [report(seq, time) for seq, time in ((10, 6), (10, 8), (10, 12), (20, 14))] == [0, 2, 6, 0]
    assert report(99, 16) == 2  # entry 20 is the last on air, so entry 99 counts as no progress


def test_everybody_at_the_desk_has_a_unique_name() -> None:
    desk = DeskSocket(lambda _: b"")
    names = [desk.add_user(name, "control", "").name for name in ("Ann", "", "Ann", "", " \u202eB\x00en\n" + "x" * 99)]
    assert names == ["Ann", "desk 1", "Ann 1", "desk 2", "B en " + "x" * 19]
    desk.remove_user(desk.users[1])
    assert desk.add_user("", "view", "").name == "desk 1"


def show_state_after(*events: Event) -> State:
    show_state = State()
    for seq, event in enumerate(events, 1):
        show_state = reduce(show_state, seq, 0, 0, event)  # `reduce` applies the event
    return show_state


def chips_at_the_end(hand: list[Event]) -> list[int]:
    (ended,) = (event for event in hand if isinstance(event, HandEnded))
    return list(ended.stacks)


def test_desk_uses_chips_before_the_hand_to_predict_who_advances() -> None:
    """Until a hand is over on air, the prediction counts the chips that bots had before the hand."""
    opened, stage, *rest = opening()
    assert isinstance(stage, StageStarted)
    first_hand = next(hand for hand in map(hand_events, range(50)) if min(chips_at_the_end(hand)) > 0)
    trials = [opened, replace(stage, advance=2, next_title="High Noon"), *rest, *first_hand]
    show_state = show_state_after(*trials)
    stage_shown = stage_on_air(show_state)
    assert stage_shown is not None
    best_seats = sorted(range(6), key=lambda seat: -chips_at_the_end(first_hand)[seat])[:2]
    names = [show_state.bots[show_state.seats[seat].bot].name for seat in best_seats]
    assert (stage_shown.number, stage_shown.title) == (1, "The Trials")
    assert stage_shown.follows == f"as it stands, these 2 ride on to High Noon: {names[0]} and {names[1]}"
    second_hand = hand_events(2, chips_at_the_end(first_hand))
    for count in range(1, len(second_hand)):
        assert stage_on_air(show_state_after(*trials, *second_hand[:count])) == stage_shown


@pytest.mark.parametrize("event", [StageCut(1), StageEnded(1, (), ())])
def test_stage_counts_as_ended_when_the_table_has_ended_it(event: Event) -> None:
    log = DeskLog(lambda: 0.0)
    log.apply(event)
    stages = [log.stage_for_page(StageOnAir(number, "", "")) for number in (1, 2)]
    assert [stage and stage["ended"] for stage in stages] == [True, False]
