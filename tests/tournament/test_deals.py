"""In a contest of deals, every bot plays each deal from every seat, and is ranked by what it wins with these cards."""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import pytest

from server.bots.bot import Answer
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game import events
from server.game.deals import MIN_DEALS
from server.game.decisions import Action, Call, Decision, Fold
from server.game.events import OUT_OF_TURN, Event
from server.game.formats import Format, as_deals
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.deal import MAX_WORDS
from server.tournament.director import Director
from server.verify.recording import verify
from tests.support.games.contests import SEED, DiceBot, play_contest
from tests.support.games.recordings import of_kind

FORMATS = [QUICK_DRAW_FORMAT, ARENA_FORMAT, ACPC_FORMAT, UPAC_FORMAT]


class Deal:
    """A recorded deal: the seat orders of its tables, and the cards that were dealt at each, without the board."""

    def __init__(self) -> None:
        self.seats: list[tuple[int, ...]] = []
        self.cards: list[dict[tuple[int, int], tuple[str, ...]]] = []
        self.decks: list[tuple[str, ...]] = []


def deals_of(entries: Sequence[Entry]) -> list[Deal]:
    deals, hand = [Deal()], 0
    for entry in entries:
        match entry.event:
            case events.GameStarted(seats=seats):
                deals[-1].seats.append(seats)
                deals[-1].cards.append({})
                deals[-1].decks.append(())
            case events.HandStarted(hand=hand, deck_commitment=deck):
                deals[-1].decks[-1] += (deck,)
            case events.HoleDealt(seat=seat, cards=cards):
                deals[-1].cards[-1][hand, seat] = cards
            case events.DealEnded():
                deals.append(Deal())
    return deals[:-1]


@pytest.mark.parametrize("contest", FORMATS, ids=lambda each: each.contest)
@pytest.mark.parametrize("hands", [1, 3])
def test_each_deal_has_the_same_cards_at_all_tables_and_every_bot_in_every_seat(contest: Format, hands: int) -> None:
    seats = contest.stages[-1].seats
    entries = play_contest(5, seats, as_deals(contest, 4, hands))
    deals = deals_of(entries)
    assert len(deals) == 4
    assert len({deck for deal in deals for deck in deal.decks[0]}) == sum(len(deal.decks[0]) for deal in deals)
    for deal in deals:
        assert len(deal.seats) == seats
        assert all(len(set(column)) == seats for column in zip(*deal.seats, strict=True))
        longest = max(deal.decks, key=len)
        assert all(longest[: len(decks)] == decks for decks in deal.decks)
        first, *others = deal.cards
        assert all(cards[key] == first[key] for cards in others for key in cards.keys() & first.keys())
    proof = verify(entries)
    assert (proof.finished, proof.deals, proof.games) == (True, 4, 4 * seats)


def test_bots_are_ranked_by_what_they_win_at_all_tables() -> None:
    entries = play_contest(6, 6, as_deals(QUICK_DRAW_FORMAT, 5))
    won: Counter[int] = Counter()
    for started, ended in zip(of_kind(entries, events.GameStarted), of_kind(entries, events.GameEnded), strict=True):
        assert set(started.stacks) == {QUICK_DRAW_FORMAT.starting_stack}, "stacks must begin anew with each deal"
        for bot, before, after in zip(started.seats, started.stacks, ended.stacks, strict=True):
            won[bot] += after - before
    (stage,) = of_kind(entries, events.StageEnded)
    assert [won[bot] for bot in stage.ranking] == sorted(won.values(), reverse=True)
    assert dict(zip(stage.ranking, stage.stacks, strict=True)) == won
    assert not of_kind(entries, events.BotEliminated), "a bot without chips must not be out"
    (over,) = of_kind(entries, events.TournamentEnded)
    assert [(each.bot, each.stack) for each in over.placings] == [(bot, won[bot]) for bot in stage.ranking]


def test_more_bots_than_seats_meet_each_other_in_groups_and_the_best_reach_the_final() -> None:
    entries = play_contest(7, 9, as_deals(QUICK_DRAW_FORMAT, 24))
    groups, final = of_kind(entries, events.StageStarted)
    met, played = Counter[tuple[int, int]](), Counter[int]()
    for deal in of_kind(entries, events.DealEnded)[: groups.deals or 0]:
        met.update(combinations(deal.bots, 2))
        played.update(deal.bots)
    assert set(played.values()) == {24 * 6 // 9}
    assert len(met) == 9 * 8 // 2
    assert max(met.values()) - min(met.values()) <= 2
    (first, last) = of_kind(entries, events.StageEnded)
    assert first.advancing == first.ranking[:6]
    assert set(final.bots) == set(first.advancing)
    assert set(last.ranking) == set(first.advancing)
    assert verify(entries).deals == 48


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
