"""Three forms of contests: deals (all tables get the same cards), series of games, exhibitions (with a time bank)."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.bots.bot import Answer
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.decisions import Action, Call, Decision, Fold
from server.game.events import ANYTIME_EVENTS, Event
from server.game.formats import StagePlan, as_exhibition, as_series, with_hand_limit
from server.game.view import View
from server.journal.journal import Entry
from server.tournament.play_deal import MAX_ANYTIME_EVENTS
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.deals import play_deals
from tests.support.games.recordings import of_kind


class TableBot(DiceBot):
    """Bot 1 always calls, and all others fold to any bet. `games` lists the game number of each action."""

    def __init__(self, bot: int, dice: random.Random, notify: Callable[[Event], object]) -> None:
        super().__init__(bot, dice, notify)
        self.games: list[int] = []

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self.games.append(view.game)
        await asyncio.sleep(0)
        return Answer(resolve(Fold() if view.turn.to_call and self.id > 1 else Call()), 1)


def play_at_tables(deals: int, sure_percent: int = 0) -> tuple[list[Entry], list[TableBot]]:
    """Plays deals at three tables. Each of three bots has an instance at every table. Returns entries and instances.

    Play ends early once the best bot is known with `sure_percent` percent certainty. With 0, play never ends early.
    """
    bots = list[TableBot]()

    class SeatedBot(TableBot):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            bots.append(self)

    return play_deals(3, deals, sure_percent=sure_percent, kind=SeatedBot), bots


def test_all_tables_play_a_deal_before_any_plays_the_next() -> None:
    entries, bots = play_at_tables(6)
    assert len(bots) == 9
    for bot in bots:
        assert len({*bot.games}) <= 6, "an instance must play each deal at one table"
        assert bot.games == sorted(bot.games)
    assert verify(entries).deals == 6


class Chatterbox(DiceBot):
    """A bot that chats a thousand times before each action. Bot 1 also leaves each of its tables."""

    def __init__(self, bot: int, dice: random.Random, notify: Callable[[Event], object]) -> None:
        super().__init__(bot, dice, notify)
        if bot == 1:
            notify(events.BotDisconnected(1, "it has had enough"))

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        for number in range(1000):
            self._notify(events.ChatSent(self.id, f"{number}"))
        return await super().ask(view, resolve)


def test_bots_messages_are_limited_at_each_table_of_a_deal() -> None:
    entries = play_deals(3, 2, kind=Chatterbox)
    tables = [list[Event]()]
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            tables.append([])
        tables[-1].append(entry.event)
    counts = [sum(isinstance(event, ANYTIME_EVENTS) for event in table) for table in tables[1:]]
    assert counts == [MAX_ANYTIME_EVENTS] * 6
    assert not of_kind(entries, events.BotDisconnected), "a bot that leaves a table must stay in the contest"
    faults = [fault.detail for fault in of_kind(entries, events.FaultNoted)]
    assert faults == [f"at table {table}: it has had enough" for table in (1, 2, 3)]
    assert verify(entries).deals == 2


class FoldingBot(DiceBot):
    def _decide(self, view: View) -> Decision:
        return Fold() if view.turn.to_call else Call()


@pytest.mark.parametrize("bots", [2, 4])
def test_equal_stacks_after_the_last_hand_are_ranked_by_lot(bots: int) -> None:
    """All bots fold to any bet, so each pays and wins the blinds equally often, and all stacks end equal."""
    series = play_contest(1, bots, as_series(with_hand_limit(ARENA_FORMAT, 4), 12), kind=FoldingBot)
    games = zip(of_kind(series, events.GameStarted), of_kind(series, events.GameEnded), strict=True)
    winning_seats = {start.seats.index(end.ranking[0]) for start, end in games}
    assert len(winning_seats) > 1, "neither the seat nor the bot's number may break ties"
    proof = verify(series)
    assert (proof.series_games, proof.finished, proof.remarks) == (12, True, [])
    assert proof.broken_ties >= 12  # `broken_ties`: the number of ties broken by lot


@pytest.mark.parametrize(("event_type", "ranked"), [(events.HandEnded, [5]), (events.GameStarted, [5, 0])])
def test_game_ended_by_the_operator_has_a_winner_only_after_a_hand(event_type: type[Event], ranked: list[int]) -> None:
    """The operator ends the stage after the second event of type `event_type`."""
    series = as_series(replace(ARENA_FORMAT, starting_stack=300), 3)
    played = play_contest(5, 5, series, is_stage_ended=lambda entries: len(of_kind(entries, event_type)) == 2)
    assert [len(end.ranking) for end in of_kind(played, events.GameEnded)] == ranked
    assert verify(played).series_games == 1


SLOW_BOT, THOUGHT_MS = 1, 22_000


class Thinker(DiceBot):
    """A bot that always calls. Bot number SLOW_BOT thinks for 22 s, or times out if it has less time."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        thought_ms = THOUGHT_MS if self.id == SLOW_BOT else 900
        if thought_ms > view.turn.think_ms:
            return Answer(None, view.turn.think_ms, "timeout")
        return Answer(resolve(Call()), thought_ms)


@pytest.fixture(scope="module")
def exhibition() -> Sequence[Entry]:
    two_games = replace(QUICK_DRAW_FORMAT, stages=(StagePlan("High Noon", games=2, hands=3),))
    return play_contest(1, 2, as_exhibition(two_games, 10_000, 30_000), kind=Thinker)


def test_time_bank_pays_for_long_thoughts_and_is_refilled_for_each_game(exhibition: Sequence[Entry]) -> None:
    proof = verify(exhibition)
    remark = "an exhibition: 10 s for each decision, and 30 s in a game for decisions that take longer"
    assert (proof.finished, proof.remarks[0]) == (True, remark)
    actions = of_kind(exhibition, events.ActionTaken)
    limits = [turn.think_ms // 1000 for turn in of_kind(exhibition, events.TurnStarted)]
    slow_bot_limits = [seconds for seconds, action in zip(limits, actions, strict=True) if action.think_ms > 900]
    assert slow_bot_limits[:4] == [40, 28, 16, 10]
    assert slow_bot_limits.count(40) == 2, "each of the two games must begin with a full bank"
    assert limits.count(40) == 2 + len(actions) - len(slow_bot_limits), "the other bot must never need its bank"
    late = [action for action in actions if action.fault]
    assert {action.fault for action in late} == {"timeout"}
    assert late[0].think_ms == 16_000, "at its third turn, the bot had the usual 10 s and only 6 s left in its bank"


def test_event_that_contradicts_the_thinking_clock_is_refuted(exhibition: Sequence[Entry]) -> None:
    forgeries: tuple[tuple[type[Event], dict[str, object], str], ...] = (
        (events.HandStarted, {"banks_ms": (30_000, 29_000)}, "the time in the banks before the hand should be"),
        (events.HandStarted, {"banks_ms": UNSET}, "the time in the banks before the hand should be"),
        (events.ActionTaken, {"fault": "timeout", "think_ms": 9000}, "did not lose its turn: its clock gave it 40 s"),
    )
    for event_type, changes, fault in forgeries:
        event = next(event for event in of_kind(exhibition, event_type) if getattr(event, "think_ms", 0) != THOUGHT_MS)
        forged_event = replace(event, **changes)
        forged = [replace(entry, event=forged_event) if entry.event is event else entry for entry in exhibition]
        with pytest.raises(Refuted, match=fault):
            verify(forged)
