"""Matches over real TCP: each player connects to a port of its own, and the server's own table deals."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import duplicates_of, match_of
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.paths import ASSETS
from server.tournament.director import Director
from tests.contests.acpc.hands import entrants_of

LOCAL = "127.0.0.1"
STARTER = ASSETS / "starters/acpc/python/bot.py"
Player = Callable[[int], Coroutine[Any, Any, None]]
"""A player, given the port to connect to."""


async def starter(port: int) -> None:
    """The starter, as a program of its own: PROGRAM HOST PORT. Raises AssertionError if it fails."""
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(sys.executable, STARTER, LOCAL, str(port), stderr=pipe)
    try:
        _, said = await program.communicate()
    finally:
        if program.returncode is None:
            program.kill()
    assert program.returncode == 0, said.decode()[-2000:]


async def play_match(
    players: Sequence[Player], hands: int, think_ms: int = 10_000, *, duplicate: bool = False
) -> list[Entry]:
    """The recording of a match, or of duplicates, of that many hands among `players`."""
    match = match_of(Game(len(players)), hands)
    match = duplicates_of(match) if duplicate else match
    match = replace(match, rules=replace(match.rules, think_ms=think_ms))
    bus, entrants = Bus(None, lambda: 0.0), entrants_of(len(players))
    director = Director(match, entrants, seed=bytes(32), bus=bus)
    bots, tasks = list[Bot](), list[asyncio.Task[None]]()
    for entrant, player in zip(entrants, players, strict=True):
        listener = await listen_for_bot(LOCAL, LOCAL, 60.0)
        tasks.append(asyncio.create_task(player(listener.port)))
        bots.append(Bot(entrant.bot, Acpc(), await listener.accept(), director.hear))
        director.welcome(bots[-1])
    await director.run()
    for bot in bots:
        bot.hang_up()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks)
    return bus.entries
