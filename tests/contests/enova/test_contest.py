"""A whole Enova tournament over real HTTP: registration, readiness, two tables, the last table, and verification."""

import asyncio
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.contests.enova.dialect import Enova
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.ready_check import ready_check
from server.contests.enova.venue.registry import EnovaRegistry
from server.game.events import ActionTaken, BotConnected, Event, FaultNoted, GameStarted, StageStarted, TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bots.fakes import FakeClock
from tests.contests.enova.enova_servers import EnovaServer, by_dice, player, serving_bots

SEED = bytes(range(32))


async def play(folder: Path, servers: Mapping[str, EnovaServer], past: Sequence[Entry] = ()) -> list[Entry]:
    """Plays a tournament from registration on, or resumes it after the entries `past`; returns all its entries.

    `servers` are the bots, keyed by name.
    """
    async with serving_bots(list(servers.values())):
        registry = EnovaRegistry(folder / "bots.json")
        for name, server in servers.items():
            await registry.register(server.host, name, "127.0.0.1")
        registry.is_open = False
        seated = await ready_check(registry.registered)
        assert [entrant.name for entrant in seated.entrants] == list(servers)
        bus = Bus(None, lambda: 0.0)
        bus.load(past)
        contest = replace(ENOVA_FORMAT, starting_stack=12)
        director = Director(contest, seated.entrants, seed=SEED, bus=bus)
        bots = []
        for entrant in seated.entrants:
            wire = HttpConnection(seated.addresses[entrant.bot])
            bots.append(HttpBot(entrant.bot, Enova(), wire, director.hear, FakeClock()))
            director.welcome(bots[-1])
        async with asyncio.timeout(180):
            await director.run()
            for bot in bots:
                await bot.deliver_news(5.0)
        for bot in bots:
            await bot.close()
    return bus.entries


def ten_bots() -> dict[str, EnovaServer]:
    """Ten bots, keyed by name, whose answers depend only on the form, so that they are the same in every run.

    They are so careful that at least eight are left once both tables have played.
    """
    calm_tables = ("game_table_1", "game_table_2")

    def bot(number: int) -> EnovaServer:
        return player(random.Random(), lambda form: by_dice(form, random.Random(f"b{number} {form}"), calm_tables))

    return {f"Bot {number}": bot(number) for number in range(10)}


def test_ten_bots_play_at_two_tables_and_then_at_one_even_when_resumed(tmp_path: Path) -> None:
    servers = ten_bots()
    entries = asyncio.run(play(tmp_path, servers))
    events = [entry.event for entry in entries]
    proof = verify(entries)
    assert proof.finished
    assert [len(event.seats) for event in events if isinstance(event, GameStarted)] == [5, 5, 8]
    assert [event.carry for event in events if isinstance(event, StageStarted)] == [False, True]
    ended = events[-1]
    assert isinstance(ended, TournamentEnded)
    assert sum(placing.stack for placing in ended.placings) == 120, "no bot left with chips"
    assert not [event for event in events if isinstance(event, FaultNoted)]
    for number, server in enumerate(servers.values(), 1):
        games = [f"game_table_{each.game}" for each in events if isinstance(each, GameStarted) and number in each.seats]
        seats = [form["game_table_identifier"] for path, form in server.heard if path == "/player/seat"]
        assert seats == ["game_table_0", *games]
        asked = {form["game_table_identifier"] for path, form in server.heard if path == "/player/action"}
        assert asked <= set(games), "nothing is sent about other tables"
        champion = number == ended.placings[0].bot
        assert server.paths()[-2:] == (["won_chips", "hand_ended"] if champion else ["hand_ended", "unseated"])
    taken = [number for number, event in enumerate(events) if isinstance(event, ActionTaken)]
    cut = taken[len(taken) // 2]
    resumed = asyncio.run(play(tmp_path / "later", ten_bots(), entries[:cut]))
    assert list(_table_talk(resumed)) == list(_table_talk(entries)), "resumed in the middle of a hand"


def _table_talk(entries: Sequence[Entry]) -> Iterator[Event]:
    return (entry.event for entry in entries if not isinstance(entry.event, BotConnected))
