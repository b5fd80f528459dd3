"""House bots that are HTTP servers: every answer is legal in every hand, over real connections."""

import asyncio
import os

import pytest
from msgspec.structs import replace

from server.app.evening.http_bots import called_bots, find_bots
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.bots.sandbox.process_tree import descendants
from server.contests import CONTESTS
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.game.events import ActionTaken, Entrant, FaultNoted, SeatVacated, TournamentEnded
from server.game.rules import Level
from server.game.tournament import Format, with_blinds, with_most_hands
from server.journal.bus import Bus
from server.tournament.director import Director
from tests.support.contests import open_gate
from tests.support.event_loop import in_event_loop
from tests.support.program import command_of

BOTS = CHARACTERS[4:8]
"""Four house bots of different styles."""
ENOVA_UP_TO_THE_END = replace(with_blinds(ENOVA_FORMAT, (Level(5, 10),)), starting_stack=60)


@pytest.mark.parametrize(
    ("contest", "shape"), [("arena", with_most_hands(ARENA_FORMAT, 12)), ("enova", ENOVA_UP_TO_THE_END)]
)
@in_event_loop
async def test_house_bots_play_as_real_servers_and_ctrl_c_does_not_reach_them(contest: str, shape: Format) -> None:
    program, bus = f"server.contests.{contest}.venue.house", Bus(None, lambda: 0.0)
    entrants = [Entrant(bot, each.name, each.name) for bot, each in enumerate(BOTS, 1)]
    director = Director(shape, entrants, seed=bytes(range(32)), bus=bus, gate=open_gate)
    async with house_hosts(program, BOTS, "7") as urls:
        bots = [pid for pid in descendants(os.getpid()) if program.encode() in command_of(pid)]
        assert len({os.getpgid(pid) for pid in bots} - {os.getpgid(0)}) == len(BOTS)
        found = await find_bots([*urls, "http://10.0.0.1:5000"], (), 60.0)
        assert contest == "enova" or [bot.health for bot in found] == ['{"status": "healthy"}'] * len(BOTS) + [""]
        assert found[-1].address is None, "its address is not allowed"
        addresses = {bot: each.address for bot, each in enumerate(found, 1) if each.address}
        seated = called_bots(CONTESTS[contest], entrants, addresses, director.hear)
        for bot in seated:
            director.welcome(bot)
        async with asyncio.timeout(240):
            await director.run()
        for bot in seated:
            await bot.close()
    events = [entry.event for entry in bus.entries]
    acts = [event for event in events if isinstance(event, ActionTaken)]
    assert not [act for act in acts if act.fault]
    assert not [event for event in events if isinstance(event, FaultNoted | SeatVacated)]
    assert contest == "enova" or {act.act for act in acts} >= {"fold", "check", "call", "raise"}
    assert isinstance(events[-1], TournamentEnded)
