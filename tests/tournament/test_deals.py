"""In a contest of deals, every bot plays each deal from every seat, and is ranked by what it wins with these cards."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from server.bots.bot import Answer
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.deals import MIN_DEALS
from server.game.decisions import Action, Call, Decision, Fold
from server.game.events import OUT_OF_TURN, Event
from server.game.formats import as_deals
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.deal import MAX_WORDS
from server.tournament.director import Director
from server.verify.recording import verify
from tests.support.games.contests import SEED, DiceBot
from tests.support.games.recordings import of_kind


class TableBot(DiceBot):
    """A bot of one table. Adds each hand that it meets to `seen`. Bot 1 always calls, and others fold to any bet."""

    def __init__(self, bot: int, table: int, seen: dict[tuple[int, int], list[tuple[int, int]]]) -> None:
        super().__init__(bot, random.Random(bot), lambda _: None)
        self._seen = seen[bot, table]

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self._seen.append((view.game, view.hand.number))
        await asyncio.sleep(0)
        turn = view.hand.turn
        return Answer(resolve(Fold() if turn and turn.to_call and self.id > 1 else Call()), 1)


def at_tables(
    deals: int, sure_percent: int = 0, tables_at_once: int = 3
) -> tuple[list[Entry], dict[tuple[int, int], list[tuple[int, int]]]]:
    """Plays deals at three tables; returns the entries, and the (game, hand) pairs that each (bot, table) has met."""
    seen: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)

    async def run() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        entrants = [events.Entrant(bot, f"Bot {bot}") for bot in range(1, 4)]
        contest = as_deals(QUICK_DRAW_FORMAT, deals, sure_percent=sure_percent)
        director = Director(contest, entrants, seed=SEED, bus=bus, tables_at_once=tables_at_once)
        for table in range(3):
            for entrant in entrants:
                director.welcome_at(table, TableBot(entrant.bot, table, seen))
        await director.run()
        return bus.entries

    return asyncio.run(run()), seen


def test_no_instance_of_a_bot_meets_a_deal_twice() -> None:
    entries, seen = at_tables(6)
    assert len(seen) == 9
    for hands in seen.values():
        assert len({game for game, _ in hands}) <= 6
        assert hands == sorted(hands), "all tables must play a deal before any table plays the next"
    assert verify(entries).deals == 6


class Chatterbox(TableBot):
    """Says a thousand things whenever it is asked."""

    def __init__(self, bot: int, table: int, say: Callable[[Event], object]) -> None:
        super().__init__(bot, table, defaultdict(list))
        self._say = say

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        for number in range(1000):
            self._say(events.ChatSent(self.id, f"{number}"))
        return await super().ask(view, resolve)


def test_words_of_bots_during_a_deal_are_limited_at_each_table() -> None:
    async def run() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        entrants = [events.Entrant(bot, f"Bot {bot}") for bot in range(1, 4)]
        director = Director(as_deals(QUICK_DRAW_FORMAT, 2), entrants, seed=SEED, bus=bus)
        for table in range(3):
            for entrant in entrants:
                director.welcome_at(table, Chatterbox(entrant.bot, table, partial(director.hear_at, table)))
            director.hear_at(table, events.BotDisconnected(1, "it has had enough"))
        await director.run()
        return bus.entries

    entries = asyncio.run(run())
    tables = [list[Event]()]
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            tables.append([])
        tables[-1].append(entry.event)
    assert [sum(isinstance(event, OUT_OF_TURN) for event in table) for table in tables[1:]] == [MAX_WORDS] * 6
    assert not of_kind(entries, events.BotDisconnected), "the bot must play on at other tables"
    assert [each.detail for each in of_kind(entries, events.FaultNoted)] == [
        f"at table {table}: it has had enough" for table in (1, 2, 3)
    ]
    assert verify(entries).deals == 2


def test_evening_ends_once_the_title_is_as_certain_as_the_organiser_asked() -> None:
    entries, _ = at_tables(100, sure_percent=97)
    results = of_kind(entries, events.DealEnded)
    assert MIN_DEALS <= len(results) < 100
    assert [each.decided for each in results] == [*[False] * (len(results) - 1), True]
    assert verify(entries).finished
