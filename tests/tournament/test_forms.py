"""Forms of a contest: deals, in which all tables have the same cards, a series of games, and an exhibition.

An exhibition has a thinking clock: a bot has some seconds for each decision, and a bank of seconds for each game. The
recording proves how much of its bank each bot used.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.bots.bot import Answer
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.deals import MIN_DEALS
from server.game.decisions import Action, Call, Decision, Fold
from server.game.events import ANYTIME_EVENTS, Event
from server.game.formats import StagePlan, as_exhibition, as_series, with_hand_limit
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from server.tournament.play_deal import MAX_ANYTIME_EVENTS
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import SEED, DiceBot, play_contest
from tests.support.games.deals import play_deals
from tests.support.games.recordings import of_kind


class TableBot(DiceBot):
    """A bot of one table. Bot 1 always calls, and others fold to any bet. `met` has the hands in which it was asked."""

    def __init__(self, bot: int, dice: random.Random, notify: Callable[[Event], object]) -> None:
        super().__init__(bot, dice, notify)
        self.met: list[tuple[int, int]] = []

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self.met.append((view.game, view.hand.number))
        await asyncio.sleep(0)
        return Answer(resolve(Fold() if view.turn.to_call and self.id > 1 else Call()), 1)


def at_tables(deals: int, sure_percent: int = 0) -> tuple[list[Entry], list[TableBot]]:
    """Plays deals of three bots at three tables; returns the entries, and the bots of each table."""
    seated = list[TableBot]()

    class SeatedBot(TableBot):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            seated.append(self)

    return play_deals(3, deals, sure_percent=sure_percent, kind=SeatedBot), seated


def test_no_instance_of_a_bot_meets_a_deal_twice() -> None:
    entries, seated = at_tables(6)
    assert len(seated) == 9
    for bot in seated:
        assert len({game for game, _ in bot.met}) <= 6
        assert bot.met == sorted(bot.met), "all tables must play a deal before any table plays the next"
    assert verify(entries).deals == 6


class Chatterbox(DiceBot):
    """Chats a thousand times at each turn. Bot 1 also leaves its table."""

    def __init__(self, bot: int, dice: random.Random, notify: Callable[[Event], object]) -> None:
        super().__init__(bot, dice, notify)
        if bot == 1:
            notify(events.BotDisconnected(1, "it has had enough"))

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        for number in range(1000):
            self._notify(events.ChatSent(self.id, f"{number}"))
        return await super().ask(view, resolve)


def test_words_of_bots_during_a_deal_are_limited_at_each_table() -> None:
    entries = play_deals(3, 2, kind=Chatterbox)
    tables = [list[Event]()]
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            tables.append([])
        tables[-1].append(entry.event)
    said = [sum(isinstance(event, ANYTIME_EVENTS) for event in table) for table in tables[1:]]
    assert said == [MAX_ANYTIME_EVENTS] * 6
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


THREE_GAMES = as_series(replace(ARENA_FORMAT, starting_stack=300), 3)
BOTS = 5


class FoldingBot(DiceBot):
    def _decide(self, view: View) -> Decision:
        assert view.hand.turn is not None, "a bot is asked only on its turn"
        return Fold() if view.hand.turn.to_call else Call()


def test_equal_stacks_after_the_last_hand_are_ranked_by_lot() -> None:
    """Everybody has paid and won the blinds equally often, so all end with equal stacks."""
    played = play_contest(1, 4, as_series(with_hand_limit(ARENA_FORMAT, 4), 12), kind=FoldingBot)
    winners = set()
    for started, ended in zip(of_kind(played, events.GameStarted), of_kind(played, events.GameEnded), strict=True):
        left = dict(zip(started.seats, ended.stacks, strict=True))
        assert sum(stack == max(ended.stacks) for stack in ended.stacks) > 1
        assert left[ended.ranking[0]] == max(ended.stacks)
        winners.add(started.seats.index(ended.ranking[0]))
    assert len(winners) > 1, "neither the seat nor the bot's number may decide"
    assert verify(played).broken_ties >= 12


@pytest.mark.parametrize(("last", "ranked"), [(events.HandEnded, [BOTS]), (events.GameStarted, [BOTS, 0])])
async def test_a_game_that_the_operator_ends_has_a_winner_only_after_a_hand(
    last: type[Event], ranked: list[int]
) -> None:
    """The operator ends the stage at the second event of the kind `last`."""
    bus = Bus(None, lambda: 0.0)
    entrants = [events.Entrant(bot, f"Bot {bot}") for bot in range(1, BOTS + 1)]

    def cut() -> bool:
        return len(of_kind(bus.entries, last)) == 2

    director = Director(THREE_GAMES, entrants, seed=SEED, bus=bus, is_stage_cut=cut)
    for bot in range(1, BOTS + 1):
        director.add_bot(DiceBot(bot, random.Random(f"5 {bot}"), director.record_bot_event))
    await director.run()
    played = bus.entries
    assert [len(ended.ranking) for ended in of_kind(played, events.GameEnded)] == ranked
    assert verify(played).series_games == 1


def test_recording_of_a_series_proves_who_won_and_needs_no_remark_on_the_number_of_games() -> None:
    proof = verify(play_contest(8, BOTS, THREE_GAMES))
    assert (proof.series_games, proof.finished) == (3, True)
    assert not [each for each in proof.remarks if "announced" in each]


SECONDS, BANK = 10, 30
SLOW, QUICK = 1, 2
THOUGHT_MS = 22_000
STAGES = (StagePlan("High Noon", games=2, hands=3),)
EXHIBITION = as_exhibition(replace(QUICK_DRAW_FORMAT, stages=STAGES), 1000 * SECONDS, 1000 * BANK)


class Thinker(DiceBot):
    """Always calls. The slow bot thinks for 22 s, or times out if it may not think as long."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        assert view.turn.think_ms >= 1000 * SECONDS
        thought_ms = THOUGHT_MS if self.id == SLOW else 900
        if thought_ms > view.turn.think_ms:
            return Answer(None, view.turn.think_ms, "timeout")
        return Answer(resolve(Call()), thought_ms)


@pytest.fixture(scope="module")
def exhibition() -> Sequence[Entry]:
    return play_contest(1, 2, EXHIBITION, kind=Thinker)


def banks(entries: Iterable[Entry]) -> list[tuple[int, ...]]:
    """The seconds in the banks of the slow and the quick bot before each hand."""
    found: list[tuple[int, ...]] = []
    seats: tuple[int, ...] = ()
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            seats = entry.event.seats
        if isinstance(entry.event, events.HandStarted):
            assert entry.event.banks_ms is not UNSET
            by_bot = dict(zip(seats, entry.event.banks_ms, strict=True))
            found.append((by_bot[SLOW] // 1000, by_bot[QUICK] // 1000))
    return found


def test_bank_pays_for_thinking_beyond_the_seconds_until_it_is_empty_and_is_full_in_the_next_game(
    exhibition: Sequence[Entry],
) -> None:
    proof = verify(exhibition)
    remark = "an exhibition: 10 s for each decision, and 30 s in a game for decisions that take longer"
    assert (proof.finished, proof.remarks[0]) == (True, remark)
    first, second, _, full, *_ = banks(exhibition)
    assert first == full == (BANK, BANK), "each game begins with full banks"
    assert second == (0, BANK), "three decisions of 22 s take 12 s each from the slow bot's bank, which holds 30 s"
    allowed = [turn.think_ms // 1000 for turn in of_kind(exhibition, events.TurnStarted)]
    taken = of_kind(exhibition, events.ActionTaken)
    slow = [(seconds, act) for seconds, act in zip(allowed, taken, strict=True) if act.think_ms > 900]
    late = [act for _, act in slow if act.fault]
    assert [seconds for seconds, _ in slow[:4]] == [40, 28, 16, 10]
    assert {event.fault for event in late} == {"timeout"}
    assert late[0].think_ms == 16_000, "the third time, only 6 s were left in the bank beside the usual 10 s"


FORGED = (
    (events.HandStarted, {"banks_ms": (30_000, 29_000)}, "the time in the banks before the hand should be"),
    (events.HandStarted, {"banks_ms": UNSET}, "the time in the banks before the hand should be"),
    (events.TurnStarted, {"think_ms": 3000}, "think_ms in turn_started should be 40000"),
    (events.ActionTaken, {"fault": "timeout", "think_ms": 9000}, "did not lose its turn: its clock gave it 40 s, but"),
)


@pytest.mark.parametrize(("kind", "changes", "why"), FORGED, ids=[why for *_, why in FORGED])
def test_verify_refuses_what_the_clock_did_not_allow(
    kind: type[Event], changes: dict[str, object], why: str, exhibition: Sequence[Entry]
) -> None:
    log = [*exhibition]
    used = THOUGHT_MS  # an answer that has used its bank is no forgery
    at = next(
        at for at, each in enumerate(log) if isinstance(each.event, kind) and getattr(each.event, "think_ms", 0) != used
    )
    log[at] = replace(log[at], event=replace(log[at].event, **changes))
    with pytest.raises(Refuted, match=why):
        verify(log)
