"""An Arena contest that broke off at any point is resumed: the journal is the same, and bots get the same questions."""

import asyncio
import random
from collections.abc import Sequence

from server.bots.dialects.http_calls import Reply, Request
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.venue.house import ArenaPlayer
from server.game.events import OUT_OF_TURN, ActionTaken, Entrant, Event, GameEnded, HandEnded
from server.game.tournament import Format, as_series, with_most_hands
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from tests.bots.fakes import FakeClock

ENTRANTS = [Entrant(bot, name, name) for bot, name in enumerate(("ann", "bob", "cid", "dot"), 1)]


class Oracle(HttpConnection):
    """A connection to a bot that decides by what it is asked alone, now and then against the rules."""

    def __init__(self, asked: list[bytes]) -> None:
        super().__init__(Address("", (), 0))
        self._asked = asked

    async def call(self, request: Request) -> Reply:
        self._asked.append(request.body)
        dice = random.Random(request.body)
        if dice.random() < 0.1:
            return dice.choice([Reply(200, b'{"action": "check"}'), Reply(200, b"fold"), Reply(500)])
        return Reply(*ArenaPlayer(styles()["loose"], dice).answer(request.path, request.body))

    def successor(self) -> "Oracle":
        return Oracle(self._asked)


SIX_HANDS = with_most_hands(ARENA_FORMAT, 6)
THREE_GAMES = as_series(with_most_hands(ARENA_FORMAT, 2), 3)


def played(before: Sequence[Entry] = (), contest: Format = SIX_HANDS) -> tuple[list[Entry], list[bytes]]:
    """The log of a contest that goes on from `before`, and the requests that were sent in it."""

    async def run() -> tuple[list[Entry], list[bytes]]:
        bus = Bus(None, lambda: 0.0)
        bus.load(before)
        director = Director(contest, ENTRANTS, seed=bytes(32), bus=bus, gate=open_gate)
        asked: list[bytes] = []
        for entrant in ENTRANTS:
            dialect = Arena(player_ids(ENTRANTS))
            director.welcome(HttpBot(entrant.bot, dialect, Oracle(asked), director.hear, FakeClock()))
        await director.run()
        return bus.entries, asked

    return asyncio.run(run())


async def open_gate() -> None:
    """A gate that is always open."""


def facts(entries: Sequence[Entry]) -> list[Event]:
    return [entry.event for entry in entries if not isinstance(entry.event, OUT_OF_TURN)]


def test_same_seed_same_answers_same_journal() -> None:
    assert facts(played()[0]) == facts(played()[0])


def test_a_contest_that_broke_off_goes_on_with_the_same_requests() -> None:
    whole, asked = played()
    events = facts(whole)
    assert any(isinstance(event, ActionTaken) and event.fault for event in events)
    assert sum(isinstance(event, HandEnded) for event in events) == 6
    for cut in range(1, len(whole), 9):
        again, asked_again = played(whole[:cut])
        assert facts(again) == events
        assert asked_again == asked[len(asked) - len(asked_again) :], f"after entry {cut}"


def test_a_series_that_broke_off_in_any_of_its_games_goes_on_with_the_same_requests_and_winners() -> None:
    whole, asked = played(contest=THREE_GAMES)
    events = facts(whole)
    assert sum(isinstance(event, GameEnded) and bool(event.ranking) for event in events) == 3
    for cut in range(1, len(whole), 7):
        again, asked_again = played(whole[:cut], THREE_GAMES)
        assert facts(again) == events
        assert asked_again == asked[len(asked) - len(asked_again) :], f"after entry {cut}"
