"""An Arena contest that is resumed after any entry has the same journal, and its bots get the same requests."""

import random
from collections.abc import Sequence

import pytest

from server.bots.dialects.http_calls import Reply, Request
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.venue.house import ArenaPlayer
from server.game.events import OUT_OF_TURN, ActionTaken, Entrant, Event, GameEnded, HandEnded
from server.game.formats import Format, as_series, with_most_hands
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from tests.bots.fakes import FakeClock

ENTRANTS = [Entrant(bot, name, name) for bot, name in enumerate(("ann", "bob", "cid", "dot"), 1)]


class RepeatableBot(HttpConnection):
    """A connection to a bot whose answers depend only on the request, and sometimes break the rules."""

    def __init__(self, asked: list[bytes]) -> None:
        super().__init__(Address("", (), 0))
        self._asked = asked

    async def call(self, request: Request) -> Reply:
        self._asked.append(request.body)
        dice = random.Random(request.body)
        if dice.random() < 0.1:
            return dice.choice([Reply(200, b'{"action": "check"}'), Reply(200, b"fold"), Reply(500)])
        return Reply(*ArenaPlayer(styles()["loose"], dice).answer(request.path, request.body))

    def successor(self) -> "RepeatableBot":
        return RepeatableBot(self._asked)


SIX_HANDS = with_most_hands(ARENA_FORMAT, 6)
THREE_GAMES = as_series(with_most_hands(ARENA_FORMAT, 2), 3)


async def play_contest(before: Sequence[Entry] = (), contest: Format = SIX_HANDS) -> tuple[list[Entry], list[bytes]]:
    """Plays a contest to its end, from the entries `before`; returns its entries and the requests to its bots."""
    bus = Bus(None, lambda: 0.0)
    bus.load(before)
    director = Director(contest, ENTRANTS, seed=bytes(32), bus=bus)
    asked: list[bytes] = []
    for entrant in ENTRANTS:
        dialect = Arena(player_ids(ENTRANTS))
        director.welcome(HttpBot(entrant.bot, dialect, RepeatableBot(asked), director.hear, FakeClock()))
    await director.run()
    return bus.entries, asked


def facts(entries: Sequence[Entry]) -> list[Event]:
    return [entry.event for entry in entries if not isinstance(entry.event, OUT_OF_TURN)]


@pytest.mark.parametrize(
    ("contest", "end", "count", "step"), [(SIX_HANDS, HandEnded, 6, 9), (THREE_GAMES, GameEnded, 3, 7)]
)
async def test_resumed_contest_has_the_same_events_and_requests(
    contest: Format, end: type[Event], count: int, step: int
) -> None:
    whole, asked = await play_contest(contest=contest)
    events = facts(whole)
    assert sum(isinstance(event, end) for event in events) == count
    assert end is GameEnded or any(isinstance(event, ActionTaken) and event.fault for event in events)
    for cut in range(1, len(whole), step):
        again, asked_again = await play_contest(whole[:cut], contest)
        assert facts(again) == events
        assert asked_again == asked[len(asked) - len(asked_again) :], f"after entry {cut}"
