"""Forms of a contest: deals, in which all tables have the same cards, a series of games, and an exhibition.

An exhibition has a thinking clock: a bot has some seconds for each decision, and a bank of seconds for each game. The
recording proves how much of its bank each bot used.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

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
from server.game.formats import StagePlan, as_deals, as_exhibition, as_series, with_hand_limit
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from server.tournament.play_deal import MAX_ANYTIME_EVENTS
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import SEED, DiceBot, play_contest
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
                director.add_table_bot(table, TableBot(entrant.bot, table, seen))
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
                director.add_table_bot(
                    table, Chatterbox(entrant.bot, table, partial(director.record_table_event, table))
                )
            director.record_table_event(table, events.BotDisconnected(1, "it has had enough"))
        await director.run()
        return bus.entries

    entries = asyncio.run(run())
    tables = [list[Event]()]
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            tables.append([])
        tables[-1].append(entry.event)
    assert [sum(isinstance(event, ANYTIME_EVENTS) for event in table) for table in tables[1:]] == [
        MAX_ANYTIME_EVENTS
    ] * 6
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


EXHIBITION_SEED = bytes(31) + b"\x07"
SECONDS, BANK = 10, 30
SLOW, QUICK = 1, 2
THOUGHT_MS = 22_000
GAMES = 2
STAGES = (StagePlan("High Noon", games=GAMES, hands=3),)
EXHIBITION = as_exhibition(replace(QUICK_DRAW_FORMAT, stages=STAGES), 1000 * SECONDS, 1000 * BANK)


class Thinker:
    """A bot that calls after thinking for `thinks_ms`, or times out if that is longer than it may think."""

    news_types = ()

    def __init__(self, bot: int, thinks_ms: int) -> None:
        self.id = bot
        self._thinks_ms = thinks_ms

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        assert view.turn.think_ms >= 1000 * SECONDS
        if self._thinks_ms > view.turn.think_ms:
            return Answer(None, view.turn.think_ms, "timeout")
        return Answer(resolve(Call()), self._thinks_ms)

    def notify(self, event: events.Event, view: View) -> None:
        """Ignores every event."""


def play_exhibition(before: Sequence[Entry] = ()) -> list[Entry]:
    """Plays an exhibition of a slow and a quick bot, from its start or from the entries `before`; returns its log."""

    async def play() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        bus.load(before)
        entrants = [events.Entrant(SLOW, "Slow"), events.Entrant(QUICK, "Quick")]
        director = Director(EXHIBITION, entrants, seed=EXHIBITION_SEED, bus=bus)
        director.add_bot(Thinker(SLOW, THOUGHT_MS))
        director.add_bot(Thinker(QUICK, 900))
        await director.run()
        return bus.entries

    return asyncio.run(play())


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


def test_bank_pays_for_thinking_beyond_the_seconds_until_it_is_empty_and_is_full_in_the_next_game() -> None:
    log = play_exhibition()
    proof = verify(log)
    remark = "an exhibition: 10 s for each decision, and 30 s in a game for decisions that take longer"
    assert (proof.finished, proof.remarks[0]) == (True, remark)
    first, second, _, full, *_ = banks(log)
    assert first == full == (BANK, BANK), "each game begins with full banks"
    assert second == (0, BANK), "three decisions of 22 s take 12 s each from the slow bot's bank, which holds 30 s"
    given = [turn.think_ms // 1000 for turn in of_kind(log, events.TurnStarted)]
    taken = of_kind(log, events.ActionTaken)
    slow = [(seconds, act) for seconds, act in zip(given, taken, strict=True) if act.think_ms > 900]
    late = [act for _, act in slow if act.fault]
    assert [seconds for seconds, _ in slow[:4]] == [40, 28, 16, 10]
    assert {event.fault for event in late} == {"timeout"}
    assert late[0].think_ms == 16_000, "the third time, only 6 s were left in the bank beside the usual 10 s"


def test_exhibition_goes_on_with_the_same_banks_wherever_it_was_interrupted() -> None:
    log = play_exhibition()
    for cut in range(1, len(log), 5):
        assert at_the_table(play_exhibition(log[:cut])) == at_the_table(log), f"cut after {cut}"


def at_the_table(log: Iterable[Entry]) -> list[events.Event]:
    return [entry.event for entry in log if not isinstance(entry.event, events.BotConnected)]


FORGED = (
    (events.HandStarted, {"banks_ms": (30_000, 29_000)}, "the time in the banks before the hand should be"),
    (events.HandStarted, {"banks_ms": UNSET}, "the time in the banks before the hand should be"),
    (events.TurnStarted, {"think_ms": 3000}, "think_ms in turn_started should be 40000"),
    (events.ActionTaken, {"fault": "timeout", "think_ms": 9000}, "did not lose its turn: its clock gave it 40 s, but"),
)


@pytest.mark.parametrize(("kind", "changes", "why"), FORGED, ids=[why for *_, why in FORGED])
def test_verify_refuses_what_the_clock_did_not_allow(
    kind: type[events.Event], changes: dict[str, object], why: str
) -> None:
    log = play_exhibition()
    used = THOUGHT_MS  # an answer that has used its bank is no forgery
    at = next(
        at for at, each in enumerate(log) if isinstance(each.event, kind) and getattr(each.event, "think_ms", 0) != used
    )
    log[at] = replace(log[at], event=replace(log[at].event, **changes))
    with pytest.raises(Refuted, match=why):
        verify(log)
