"""The card room runs games, and reports its health. Operators can end a stage only while it is played and shown."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from broadcast.web.connections.limits import MAX_BOT_CONNECTIONS
from broadcast.web.serve import listen
from server.app.decisions.author_reports import AuthorReports, ProgramEnd, read_end
from server.app.evening.boxed_bots import BotEntry, BoxedBots
from server.app.evening.card_room import CardRoom, begin_recording, finish_time_question
from server.app.evening.health import TableHealth
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import CannotRun, Exit, Runner, Say, Usage
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.events import BotConnected, Event, FaultNoted, HandStarted, StageStarted
from server.game.formats import as_exhibition
from server.journal.journal import Journal

BOTS = tuple(range(1, 8))
ENTRANTS = [events.Entrant(number, f"Bot {number}") for number in range(1, 13)]
HAND_START = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
TRIALS_START = StageStarted(1, "The Trials", 15, 6, BOTS, (5000,) * 7, 6)
END_STAGE = events.ControlSet("stage_end", value=True, was=False)
NOON = datetime.fromisoformat("2026-11-21T12:00").timestamp()
"""Noon in this machine's own time zone."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    recording = begin_recording(tmp_path / "x.jsonl")
    room = CardRoom(recording, ENTRANTS[:7], contest_format=QUICK_DRAW_FORMAT, seed=bytes(32), prizes_cents=())
    yield room
    room.bus.close()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "recordings" / "x.jsonl")
    yield journal
    journal.close()


def test_stage_can_be_ended_and_continued_only_while_on_air_and_at_the_table(room: CardRoom) -> None:
    room.health.make_notice = lambda: ask_at_noon(16.0)
    assert room.health.report().notice == ask_at_noon(16.0), "the desk must show the notice"
    assert room.request(END_STAGE, 0) == "no stage is on air"
    room.bus.publish(TRIALS_START, HAND_START, HAND_START)
    assert room.health.report().notice == "", "the notice must disappear once the first stage has begun"
    assert room.request(END_STAGE, 2) == "that stage has not begun at the table"
    assert not room.pause_gate.controls.stage_end
    assert room.request(END_STAGE, 1) == ""
    assert room.pause_gate.controls.stage_end
    assert room.request(events.ControlSet("stage_end", value=False, was=True), 1) == ""
    assert not room.pause_gate.controls.stage_end


@pytest.mark.parametrize("hands_shown", [0, 1, 2])
def test_ending_the_trials_on_air_does_not_end_high_noon_at_the_table(room: CardRoom, hands_shown: int) -> None:
    """Viewers still see The Trials (the first stage) while the table already plays High Noon (the last stage)."""
    room.bus.publish(TRIALS_START, HAND_START, HAND_START)
    room.bus.publish(events.StageEnded(1, BOTS, (5000,) * 7, BOTS[:6], ""))
    room.bus.publish(StageStarted(2, "High Noon", 1, 24, BOTS[:6], (5000,) * 6, 0), HAND_START)
    room.pause_gate.set_hands_shown(hands_shown)
    assert room.request(END_STAGE, 1) == "the table has already ended The Trials; only its show is still running"
    assert not room.pause_gate.controls.stage_end
    assert room.request(END_STAGE, 2) == ""


def test_unlimited_games_and_hands_are_reported_without_a_total(journal: Journal) -> None:
    health = TableHealth(journal, time.monotonic)
    assert health.report().disk_free_bytes
    journal.path.unlink()
    journal.path.parent.rmdir()
    for games, hands, doing in (
        (0, 8, "The Tables, game 1, hand 3 of 8"),
        (1, 0, "The Tables, hand 3"),
        (15, 6, "The Tables, game 1 of 15, hand 3 of 6"),
    ):
        health.apply(StageStarted(1, "The Tables", games, hands, (1, 2), (40, 40)))
        health.apply(events.GameStarted(1, hands, (1, 2), (40, 40), ""))
        health.apply(HandStarted(3, 0, 1, 2, 0, (40, 40), ""))
        assert (health.report().doing, health.report().disk_free_bytes) == (doing, 0)


def test_desk_estimates_the_time_left_from_the_deals_that_were_played(journal: Journal) -> None:
    clock_readings = [0.0]
    health = TableHealth(journal, lambda: clock_readings[-1])
    health.apply(StageStarted(1, "The Final", 30, 1, (1, 2), (40, 40), deals=15))
    assert health.report().doing == "The Final, deal 1 of 15"
    for deal, seconds, estimate in (
        (1, 20.0, ", about 5 minutes left"),
        (2, 40.0, ", about 4 minutes left"),
        (3, 3640.0, ", about 4 minutes left"),
        (4, 9000.0, ""),  # All earlier durations were forgotten before this deal.
        (5, 9006.0, ", about 60 s left"),
    ):
        if not estimate:
            health.pace.forget_durations()
        clock_readings.append(seconds)
        health.apply(events.DealEnded(deal, (1, 2), (0, 0)))
        assert health.report().doing == f"The Final, deal {deal + 1} of 15{estimate}"


def test_desk_sees_the_last_and_the_slowest_answer_of_a_bot(room: CardRoom) -> None:
    room.bus.publish(TRIALS_START, events.GameStarted(1, 6, BOTS[:6], (5000,) * 6, ""), HAND_START)
    for think_ms in (2100, 900, 300):
        room.bus.publish(events.ActionTaken(1, "fold", 0, 0, all_in=False, think_ms=think_ms))
    bot = room.health.bots[BOTS[1]]
    assert (bot.turns, bot.last_ms, bot.slowest_ms) == (3, 300, 2100)


def test_exhibition_answer_is_slow_only_if_it_uses_the_bank(journal: Journal) -> None:
    health = TableHealth(journal, time.monotonic)
    exhibition = as_exhibition(QUICK_DRAW_FORMAT, 30_000, 120_000)
    for rules, slow_ms in ((QUICK_DRAW_FORMAT.rules, 2000), (exhibition.rules, 30_001)):
        health.apply(events.TournamentOpened("quick-draw", "Evening", rules, 5000, tuple(ENTRANTS), ""))
        assert {bot.slow_ms for bot in health.bots.values()} == {slow_ms}


def ask_at_noon(hours: float, *, pace: float = 1.0, bots: int = 12) -> str:
    """Returns what the organiser is asked at noon if the first stage must end `hours` later, or "" for no question."""
    return finish_time_question(QUICK_DRAW_FORMAT, ENTRANTS[:bots], NOON + hours * 3600, pace, NOON)


def test_organiser_is_asked_about_an_impossible_end_of_the_first_stage() -> None:
    for hours, pace in ((0.2, 1.0), (0.5, 1.0), (1.0, 1.0), (3.0, 0.2), (16.0, 0.0)):
        assert ask_at_noon(hours, pace=pace) == "", hours
        assert finish_time_question(QUICK_DRAW_FORMAT, ENTRANTS, 0.0, pace, NOON) == "", "0.0 means that no time is set"
    zone = datetime.fromtimestamp(NOON).astimezone().tzname()
    forecast = f"If The Trials starts now, at Saturday 12:00 {zone}, it will end between"
    for hours, finish in ((-1, "Saturday 11:00"), (8.25, "Saturday 20:15"), (16, "Sunday 04:00")):
        assert f"finish_trials_by is {finish} {zone}. {forecast}" in ask_at_noon(hours)
    assert "If High Noon starts now" in ask_at_noon(16.0, bots=6)
    assert finish_time_question(replace(QUICK_DRAW_FORMAT, stages=()), ENTRANTS, NOON + 99 * 3600, 1.0, NOON) == ""


class BotWithoutBox:
    """Stands in for the runner of boxes (sandboxes), and for a bot in a box. The build of bot 2 fails."""

    kind = box = "none"
    remarks: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.register_socket, self.game_socket = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.crashed = asyncio.Event()

    async def build(self, name: str, folder: Path, say: Say) -> str:
        if name == "Bot 2":
            raise KeyError(name)
        return ""

    async def start(self, name: str, built: str, log: Path, *, strict: bool = True) -> "BotWithoutBox":
        if not strict:
            raise CannotRun("one attempt is enough")
        await asyncio.to_thread(log.write_text, "Traceback\nZeroDivisionError\n")
        return self

    async def wait_for_exit(self) -> Exit:
        await self.crashed.wait()
        return Exit(1, "ended with status 1")

    async def usage(self) -> Usage:
        return Usage(5 << 20, 9 << 20, 0.5)

    async def stop(self) -> None:
        self.register_socket.close()
        self.game_socket.close()

    close = stop


def test_log_is_named_after_its_bot() -> None:
    names = ("Calamity José ☠ 牛仔", "../../etc/passwd", "-rf_*\n")
    assert [BotEntry(7, name).file_name for name in names] == ["calamity-josé-牛仔-07", "etc-passwd-07", "rf-07"]


def flood_registration(register: tuple[str, int], game: tuple[str, int]) -> tuple[Sequence[bytes], socket.socket]:
    """Registers under a wrong name over many connections. Returns the answers, and a connection to the game port."""
    body = json.dumps({"name": "Zoe"}).encode()
    request = b"POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    connections = [socket.create_connection(register, timeout=60) for _ in range(3 * MAX_BOT_CONNECTIONS)]
    answers = []
    for connection in connections:
        with suppress(ConnectionError):
            connection.sendall(request)
            answers.append(connection.recv(4096))
    bot_connection = socket.create_connection(game)
    for connection in connections:
        connection.close()
    return answers, bot_connection


async def test_bot_that_floods_its_registration_does_not_affect_others(room: CardRoom, tmp_path: Path) -> None:
    recorded_events = list[Event]()
    room.bus.listeners.append(recorded_events.append)
    runner, folder = BotWithoutBox(), tmp_path / "reports"
    reports = AuthorReports(folder, "quick-draw")
    boxed_bots = BoxedBots(cast(Runner, runner), room, reports, tmp_path / "logs", CONTESTS["quick-draw"])
    entries = [BotEntry(entrant.bot, entrant.name, tmp_path) for entrant in ENTRANTS[:2]]
    starting = asyncio.create_task(boxed_bots.start_all(entries))
    await asyncio.sleep(0)
    addresses = [listener.getsockname() for listener in (runner.register_socket, runner.game_socket)]
    answers, bot_connection = await asyncio.to_thread(flood_registration, *addresses)
    with bot_connection:
        await starting
        health = room.health.bots[1]
        assert (health.memory_bytes, health.peak_memory_bytes, health.cpu_seconds) == (5 << 20, 9 << 20, 0.5)
        assert health.memory_limit_bytes == Limits().memory_bytes
        assert reports.record_of(1).usage == Usage(5 << 20, 9 << 20, 0.5), "the author must see what the desk shows"
        assert not read_end(folder, 1).how
        runner.crashed.set()
        while not (end := read_end(folder, 1)).how:
            await asyncio.to_thread(time.sleep, 0.01)
        assert end == ProgramEnd("its program ended with status 1", "Traceback\nZeroDivisionError")
        await boxed_bots.stop_all()
    await reports.wait_until_written()
    assert 0 < sum(map(bool, answers)) <= MAX_BOT_CONNECTIONS, "connections beyond the limit must be closed"
    faults = [event for event in recorded_events if isinstance(event, FaultNoted) and event.fault == "illegal"]
    assert len(faults) == 1, "the wrong name must be recorded only once"
    assert BotConnected(1) in recorded_events, "the failure of bot 2 must not affect bot 1"
