"""Whole ACPC matches over TCP: each player connects to its own port, and the server deals."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from server.app.evening.check_in import RECONNECT_BURST, RETURN_SECONDS, CheckInDesk
from server.bots.bot import Bot
from server.bots.transports.tcp_listener import listen_for_bot
from server.contests.acpc.dealer_log import acpc_log
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import ACPC_FORMAT, duplicates_of, match_of
from server.game.events import ActionTaken, BotDisconnected, Event, FaultNoted, TournamentEnded
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.replay import cards_in
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.paths import ASSETS
from server.tournament.director import Director
from server.verify.recording import verify
from tests.contests.acpc.hands import entrants_of
from tests.support.ports import free_ports

LOCAL = "127.0.0.1"
STARTER = ASSETS / "starters/acpc/python/bot.py"
Player = Callable[[int], Coroutine[Any, Any, None]]
"""A player's program, called with the port to connect to."""


async def starter(port: int) -> None:
    """Runs the starter as a program, with HOST PORT as its arguments. Raises AssertionError if the starter fails."""
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
    """Plays `hands` hands among `players`, once or, if `duplicate`, in every order; returns the recording's entries."""
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


async def always_calling(port: int) -> None:
    """A player that answers every state with a call, even if it is another player's turn, with comments in between."""
    reader, writer = await asyncio.open_connection(LOCAL, port)
    writer.write(b"VERSION:2.0.0\r\n# every state\r\n")
    while line := (await reader.readline()).decode().strip():
        writer.write(f"; a comment\n{line}:c\r\n".encode())
    writer.close()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_programs_for_the_original_dealer_play_whole_matches(players: int) -> None:
    entries = asyncio.run(play_match([starter] * players, 20))
    assert (verify(entries).finished, verify(entries).hands) == (True, 20)
    assert not [entry for entry in entries if isinstance(entry.event, FaultNoted | BotDisconnected)]
    hands = list(recorded_hands(entries))
    assert {stack for hand in hands for stack in hand.started.stacks} == {20_000}
    ended = entries[-1].event
    assert isinstance(ended, TournamentEnded)
    text = "".join(acpc_log(hands))
    names = {entrant.name: entrant.bot for entrant in hands[0].opened.entrants}
    _, scores, order = text.splitlines()[-1].split(":")
    bank = {placing.bot: placing.stack - 20 * 20_000 for placing in ended.placings}
    assert {names[name]: int(score) for name, score in zip(order.split("|"), scores.split("|"), strict=True)} == bank


@pytest.mark.parametrize(("players", "orders"), [(2, 2), (3, 6)])
def test_duplicates_play_the_same_cards_in_every_order_of_the_players(players: int, orders: int) -> None:
    entries = asyncio.run(play_match([always_calling] * players, 4, duplicate=True))
    assert verify(entries).games == orders
    assert not [entry for entry in entries if isinstance(entry.event, ActionTaken) and entry.event.fault]
    hands = list(recorded_hands(entries))
    boards = {(hand.started.hand, cards_in(hand.events).board) for hand in hands}
    assert len(boards) == 4, "all orders must have the same four boards; everybody calls, so they are complete"
    text = "".join(acpc_log(hands)).splitlines()
    scores = [
        dict(zip(names.split("|"), map(int, won.split("|")), strict=True))
        for _, won, names in (line.split(":") for line in text if line.startswith("SCORE"))
    ]
    assert len(scores) == orders
    assert {sum(score[name] for score in scores) for name in scores[0]} == {0}, (
        "over all orders, players that play alike win nothing from each other"
    )


def only_sending_a_version(version: str) -> Player:
    """A player that sends its version and nothing else."""

    async def player(port: int) -> None:
        reader, writer = await asyncio.open_connection(LOCAL, port)
        writer.write(f"VERSION:{version}\r\n".encode())
        await reader.read()
        writer.close()

    return player


@pytest.mark.parametrize(("version", "faults", "reason"), [("2.0.0", ["timeout"], ""), ("3.0.0", [], "VERSION:3.0.0")])
def test_player_that_is_silent_or_has_another_version_is_out(version: str, faults: list[str], reason: str) -> None:
    entries = asyncio.run(
        play_match([only_sending_a_version(version), always_calling, always_calling], 6, think_ms=300)
    )
    assert (verify(entries).finished, verify(entries).hands) == (True, 6)
    events = [entry.event for entry in entries]
    assert [event.fault for event in events if isinstance(event, ActionTaken) and event.fault == "timeout"] == faults
    gone = [event for event in events if isinstance(event, BotDisconnected)]
    assert {event.bot for event in gone} == {1}
    assert reason in gone[0].reason


async def test_bot_may_reconnect_before_the_first_hand_but_cannot_fill_the_journal() -> None:
    entrants, (port,), seen = entrants_of(1), free_ports(1), asyncio.Queue[Event]()
    bus = Bus(None, lambda: 0.0)
    bus.listeners.append(seen.put_nowait)
    director = Director(ACPC_FORMAT, entrants, seed=bytes(32), bus=bus)
    desk = CheckInDesk(entrants, director, Acpc, LOCAL, ports=[port])
    assert list((await desk.open_ports()).values()) == [port]
    started, returns = time.monotonic(), 0
    for _ in range(5 * RECONNECT_BURST):
        with contextlib.suppress(ConnectionRefusedError):
            _, writer = await asyncio.open_connection(LOCAL, port)
            writer.close()
            while not isinstance(await seen.get(), BotDisconnected):
                pass
            returns += 1
    desk.close()
    assert RECONNECT_BURST <= returns <= RECONNECT_BURST + 1 + (time.monotonic() - started) / RETURN_SECONDS
