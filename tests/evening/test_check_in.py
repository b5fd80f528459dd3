"""Bots that run on their authors' machines check in over real sockets, and may leave and return until the start."""

import asyncio

import pytest

from server.app.evening.check_in import CheckInDesk
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotDisconnected, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import Registration
from server.tournament.director import Director
from tests.support.event_loop import in_event_loop

LOCAL = "127.0.0.1"
ADA = Registration("Ada", secret="a secret")  # noqa: S106 (of a bot in a test)


def desk_for_ada() -> tuple[CheckInDesk, asyncio.Queue[Event]]:
    """The desk of a tournament with one bot, and all its events."""
    entrants, seen, bus = [Entrant(1, ADA.name)], asyncio.Queue[Event](), Bus(None, lambda: 0.0)
    bus.listeners.append(seen.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=bytes(32), bus=bus)
    return CheckInDesk(entrants, director, QuickDraw, LOCAL, {1: ADA.secret}), seen


@in_event_loop
async def test_bot_that_registers_again_has_only_its_latest_port() -> None:
    desk, _ = desk_for_ada()
    earlier, latest = [await desk.check_in(ADA, LOCAL) for _ in range(2)]
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LOCAL, earlier.port)
    _, writer = await asyncio.open_connection(LOCAL, latest.port)
    await desk.all_connected.wait()
    writer.close()
    desk.close()


@in_event_loop
async def test_bots_are_no_longer_all_there_when_one_leaves() -> None:
    desk, seen = desk_for_ada()
    for _ in range(2):
        _, writer = await asyncio.open_connection(LOCAL, (await desk.check_in(ADA, LOCAL)).port)
        await desk.all_connected.wait()
        writer.close()
        while not isinstance(await seen.get(), BotDisconnected):
            pass
        assert not desk.all_connected.is_set()
    desk.close()
