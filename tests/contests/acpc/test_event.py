"""What an event file may say about the ACPC, and a bot that connects to its own port."""

import asyncio
import contextlib
import time
from pathlib import Path

from server.app.evening.check_in import RETURN_SECONDS, RETURNS_AT_ONCE, CheckInDesk
from server.config.event_file import read_event
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.rules import ACPC_FORMAT
from server.game.events import BotDisconnected, Event
from server.game.rules import Level
from server.journal.bus import Bus
from server.tournament.director import Director
from tests.contests.acpc.hands import entrants_of
from tests.contests.acpc.test_matches import LOCAL
from tests.support.ports import free_ports

HEAD = 'name = "Evening"\ndate = 2026-11-21\ncontest = "acpc"\n'
ALICE = '[[entries]]\nplayer = "Ada"\nremote = true\nbot = "Alice"\n'
BOB = '[[entries]]\nplayer = "Bea"\nremote = true\nbot = "Bob"\n'


def test_event_file_sets_stack_blinds_length_and_times_of_a_match(tmp_path: Path) -> None:
    table = (
        '[table]\nstarting_stack = 5000\nblinds = ["10/20"]\nmost_hands = 30\nanswer_seconds = 2\nhand_seconds = 3\n'
    )
    match = read_event(_written(tmp_path, HEAD + table + ALICE + BOB)).arranged
    assert match.title == "Evening"
    assert (match.rules.hand_cap, match.rules.levels) == (5000, (Level(10, 20),))
    assert (match.starting_stack, match.stages[0].hands) == (30 * 5000, 30)
    assert (match.rules.think_ms, match.rules.time_bank_ms) == (2000, 30 * 3000)
    match = read_event(_written(tmp_path, HEAD + "[table]\nmost_hands = 5\nduplicate = true\n" + ALICE + BOB)).arranged
    assert (match.stages[0].duplicate, match.starting_stack) == (True, 6 * 5 * 20_000), "all orders of six"
    plain = read_event(_written(tmp_path, HEAD + ALICE + BOB)).arranged
    assert (plain.rules, plain.stages) == (ACPC_FORMAT.rules, ACPC_FORMAT.stages)


def test_bot_may_reconnect_before_the_first_hand_but_not_fill_the_journal() -> None:
    async def story() -> None:
        entrants, (port,), seen = entrants_of(1), free_ports(1), asyncio.Queue[Event]()
        bus = Bus(None, lambda: 0.0)
        bus.listeners.append(seen.put_nowait)
        director = Director(ACPC_FORMAT, entrants, seed=bytes(32), bus=bus)
        desk = CheckInDesk(entrants, director, Acpc, LOCAL, ports=[port])
        assert list((await desk.open_ports()).values()) == [port]
        started, returns = time.monotonic(), 0
        for _ in range(5 * RETURNS_AT_ONCE):
            with contextlib.suppress(ConnectionRefusedError):
                _, writer = await asyncio.open_connection(LOCAL, port)
                writer.close()
                while not isinstance(await seen.get(), BotDisconnected):
                    pass
                returns += 1
        desk.close()
        assert RETURNS_AT_ONCE <= returns <= RETURNS_AT_ONCE + 1 + (time.monotonic() - started) / RETURN_SECONDS

    asyncio.run(story())


def _written(folder: Path, text: str) -> Path:
    path = folder / "event.toml"
    path.write_text(text)
    return path
