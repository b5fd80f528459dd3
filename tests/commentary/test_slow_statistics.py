"""Statistics on air are those of a second program that reads recordings.

Rounding is all that the crosstables may differ by: less than a chip for each pot.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import pytest

from broadcast.commentary.statistics.hand_counts import divided
from broadcast.commentary.statistics.statistics import Statistics
from broadcast.odds.earned import HandLuck
from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.table_state import with_tables
from server.game.events import Entrant, Event, GameStarted, HandStarted, TournamentOpened
from server.game.hand import Hand
from server.game.rules import Rules
from server.journal.journal import Entry, read_journal
from tests.commentary import slow_statistics as slow
from tests.game.random_hands import RULES, random_hand
from tests.support.recordings import KEPT, KEPT_CONTESTS

RANDOM_HANDS = 200
"""Contests for each set of rules."""


@pytest.fixture(autouse=True)
def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out luck, which another file checks by counting every board; it would take most of the time here."""
    monkeypatch.setattr(HandLuck, "apply", lambda _luck, _event: None)


def statistics_of(entries: Sequence[Entry]) -> StatisticsChanged:
    statistics = Statistics()
    for entry in with_tables(entries):
        statistics.apply(entry.event, entry.table)
    return statistics.event


def differences(events: Sequence[slow.Row], on_air: StatisticsChanged) -> list[str]:
    """Every figure on which the two programs differ."""
    second = slow.statistics(events)
    return [
        f"{name} of bot {row.bot}: {getattr(row, name)}, not {expected}"
        for row in on_air.rows
        for name in slow.STATISTICS
        if getattr(row, name) != (expected := second.get(row.bot, {}).get(name, 0))
    ]


def check_crosstable(events: Sequence[slow.Row], on_air: StatisticsChanged) -> None:
    """Asserts that each bot's row adds up to what it won, and that each pair is right except for rounding."""
    table: dict[tuple[int, int], int] = defaultdict(int)
    for taken in on_air.crosstable:
        assert taken.chips > 0
        table[taken.by, taken.of] += taken.chips
        table[taken.of, taken.by] -= taken.chips
    gone = slow.gone_with(events)
    for row in on_air.rows:
        assert sum(chips for (by, _), chips in table.items() if by == row.bot) == row.won + gone[row.bot]
    exact: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for seats, hand in slow.hands_of(events):
        for (by, of), chips in slow.takings(hand).items():
            exact[seats[by], seats[of]] += chips
            exact[seats[of], seats[by]] -= chips
    if any(event["type"] == "game_forfeited" for event in events):
        return
    pots = sum(event["type"] == "pot_awarded" for event in events)
    assert not [pair for pair, chips in exact.items() if abs(chips - table[pair]) > 2 * pots]


@pytest.mark.parametrize("name", KEPT)
def test_statistics_of_recordings_equal_those_of_a_second_program(name: str) -> None:
    path = KEPT_CONTESTS / name
    events, on_air = slow.lines_of(path.read_text(encoding="utf-8")), statistics_of(read_journal(path).entries)
    assert on_air.hands == len(slow.hands_of(events)) > 0
    assert differences(events, on_air) == []
    check_crosstable(events, on_air)


@pytest.mark.parametrize("rules", RULES)
def test_statistics_of_random_hands_equal_those_of_a_second_program(rules: str) -> None:
    events = random_game(random.Random(rules), RULES[rules])
    on_air = statistics_of([Entry(seq, 0, event) for seq, event in enumerate(events, 1)])
    lines = [msgspec.json.decode(msgspec.json.encode(event)) for event in events]
    assert differences(lines, on_air) == []
    check_crosstable(lines, on_air)
    tried = ("three_bet_chances", "c_bet_chances", "flops", "showdowns", "aggressive_chances")
    assert all(sum(getattr(row, name) for row in on_air.rows) for name in tried)


def random_game(dice: random.Random, rules: Rules) -> list[Event]:
    bots = tuple(range(1, 10))
    opened = TournamentOpened("x", "x", rules, 5000, tuple(Entrant(bot, f"bot {bot}") for bot in bots), "")
    events: list[Event] = [opened]
    for game in range(1, RANDOM_HANDS + 1):
        hand, rest = random_hand(dice, rules)
        events += [GameStarted(game, 0, bots[: len(hand.seats)], stacks_of(hand)), started(hand), *rest]
    return events


def started(hand: Hand) -> HandStarted:
    return HandStarted(hand.number, hand.button, hand.small_blind, hand.big_blind, hand.ante, stacks_of(hand), "")


def stacks_of(hand: Hand) -> tuple[int, ...]:
    return tuple(seat.stack for seat in hand.seats)


@pytest.mark.parametrize("seed", range(50))
def test_crosstable_adds_up_both_ways_and_is_nearly_proportional(seed: int) -> None:
    dice = random.Random(seed)
    change = {seat: dice.randrange(-500, 500) for seat in range(dice.randint(2, 9))}
    change[99] = -sum(change.values())
    taken = divided(change)
    gained = sum(chips for chips in change.values() if chips > 0)
    for seat, chips in change.items():
        assert sum(amount for (by, _), amount in taken.items() if by == seat) == max(0, chips)
        assert sum(amount for (_, of), amount in taken.items() if of == seat) == max(0, -chips)
    assert all(
        amount >= 0 and abs(amount - Fraction(-change[of] * change[by], gained)) < len(change)
        for (by, of), amount in taken.items()
    )


def test_big_blind_ante_is_lost_by_the_bot_that_paid_it() -> None:
    rules = Rules(levels=(RULES["standard with antes"].levels[0],), ante_from="big_blind")
    events = random_game(random.Random(3), rules)
    on_air = statistics_of([Entry(seq, 0, event) for seq, event in enumerate(events, 1)])
    taken = {row.bot: 0 for row in on_air.rows}
    for each in on_air.crosstable:
        taken[each.by] += each.chips
        taken[each.of] -= each.chips
    assert taken == {row.bot: row.won for row in on_air.rows}
