"""House bots that are HTTP servers: every answer is legal in every hand, over real connections."""

import asyncio
import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.app.evening.http_bots import called_bots, find_bots
from server.bots.dialects.http_calls import HttpDialect, Reply, Request
from server.bots.house.characters import CHARACTERS
from server.bots.house.http_program import Player
from server.bots.house.processes import house_hosts
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.sandbox.process_tree import descendants
from server.bots.transports.http import Address, HttpConnection
from server.contests import CONTESTS
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.venue.house import ArenaPlayer
from server.contests.enova.dialect import Enova
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.house import EnovaPlayer, nested
from server.game.events import ActionTaken, Entrant, Event, FaultNoted, SeatVacated, TournamentEnded
from server.game.rules import Level
from server.game.tournament import Format, with_blinds, with_most_hands
from server.journal.bus import Bus
from server.tournament.director import Director

SEED = bytes(range(32))
SHORT_ARENA = with_most_hands(ARENA_FORMAT, 12)
SHORT_ENOVA = replace(with_blinds(ENOVA_FORMAT, (Level(5, 10),)), starting_stack=60)


class Inside(HttpConnection):
    """A connection to a player in this process."""

    def __init__(self, player: Player) -> None:
        super().__init__(Address("", (), 0))
        self._player = player

    async def call(self, request: Request) -> Reply:
        return Reply(*self._player.answer(request.path, request.body))

    def successor(self) -> "Inside":
        return Inside(self._player)


async def contest_of(
    contest: Format, entrants: list[Entrant], bots: Callable[[Callable[[Event], object]], list[HttpBot]]
) -> list[Event]:
    """All events of a contest of HTTP bots."""
    bus = Bus(None, lambda: 0.0)
    director = Director(contest, entrants, seed=SEED, bus=bus, gate=open_gate)
    seated = bots(director.hear)
    for bot in seated:
        director.welcome(bot)
    async with asyncio.timeout(240):
        await director.run()
    for bot in seated:
        await bot.close()
    return [entry.event for entry in bus.entries]


async def open_gate() -> None:
    """A gate that is always open."""


def entered(names: list[str]) -> list[Entrant]:
    return [Entrant(bot, name, name) for bot, name in enumerate(names, 1)]


def without_fault(events: list[Event]) -> bool:
    faults = [event for event in events if isinstance(event, FaultNoted | SeatVacated)]
    return not faults and all(not event.fault for event in events if isinstance(event, ActionTaken))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("contest", "shape"), [("arena", with_most_hands(ARENA_FORMAT, 40)), ("enova", SHORT_ENOVA)])
def test_every_style_plays_without_a_fault(contest: str, shape: Format, seed: int) -> None:
    entrants = entered(list(styles()))
    ids = player_ids(entrants)

    def bots(notify: Callable[[Event], object]) -> list[HttpBot]:
        made = []
        for bot, (name, style) in enumerate(styles().items(), 1):
            dice = random.Random(f"{seed} {name}")
            player: Player = ArenaPlayer(style, dice) if contest == "arena" else EnovaPlayer(style, dice)
            dialect: HttpDialect = Arena(ids) if contest == "arena" else Enova()
            made.append(HttpBot(bot, dialect, Inside(player), notify))
        return made

    events = asyncio.run(contest_of(shape, entrants, bots))
    assert without_fault(events)
    assert isinstance(events[-1], TournamentEnded)
    acts = {event.act for event in events if isinstance(event, ActionTaken)}
    assert contest == "enova" or acts == {"fold", "check", "call", "bet", "raise"}


def test_nested_forms_are_read_as_nested_dictionaries() -> None:
    form = nested(b"blind=true&your_hand[0][suit]=D&your_hand[0][value]=3&a%5B1%5D%5Bname%5D=Bob%20%26&amount=")
    assert form == {
        "blind": "true", "your_hand": {"0": {"suit": "D", "value": "3"}}, "a": {"1": {"name": "Bob &"}}, "amount": "",
    }  # fmt: skip


@pytest.mark.parametrize(("contest", "shape"), [("arena", SHORT_ARENA), ("enova", SHORT_ENOVA)])
def test_house_bots_play_as_real_servers(contest: str, shape: Format) -> None:
    async def run() -> list[Event]:
        characters = CHARACTERS[:3]
        async with house_hosts(f"server.contests.{contest}.venue.house", characters, "7") as urls:
            found = await find_bots([*urls, "http://10.0.0.1:5000"], (), 60.0)
            assert contest == "enova" or [bot.health for bot in found] == ['{"status": "healthy"}'] * 3 + [""]
            assert found[3].address is None
            entrants = entered([character.name for character in characters])
            addresses = {bot: here.address for bot, here in enumerate(found, 1) if here.address}
            return await contest_of(
                shape, entrants, lambda notify: called_bots(CONTESTS[contest], entrants, addresses, notify)
            )

    events = asyncio.run(run())
    assert without_fault(events)
    assert isinstance(events[-1], TournamentEnded)


def test_house_bots_get_no_ctrl_c_that_is_for_us() -> None:
    async def groups() -> set[int]:
        async with house_hosts("server.contests.enova.venue.house", CHARACTERS[:2], "7"):
            return {group for pid in descendants(os.getpid()) if (group := group_of(pid))}

    def group_of(pid: int) -> int:
        """The process group of a house bot; 0 for another process, which may end at any time."""
        with contextlib.suppress(OSError):
            if b"venue.house" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return os.getpgid(pid)
        return 0

    assert len(asyncio.run(groups()) - {os.getpgid(0)}) == 2
