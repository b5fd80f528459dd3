"""The crosstable adds up: what a bot took from all others is exactly what it won."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from broadcast.commentary.statistics.hand_counts import divided
from broadcast.commentary.statistics.statistics import Statistics
from broadcast.odds.earned import HandLuck
from broadcast.on_air.table_state import with_tables
from server.game.events import Entrant, Event, GameStarted, HandEnded, HandStarted, SeatVacated, TournamentOpened
from server.game.rules import Level, Rules
from server.journal.journal import Entry, read_journal
from tests.game.random_hands import RULES, random_hand
from tests.support.recordings import KEPT, KEPT_CONTESTS

HANDS = 200
"""Random hands for each set of rules."""
ALL_RULES = {**RULES, "one ante for all": Rules(levels=(Level(50, 100, 100),), ante_from="big_blind")}


@pytest.fixture(autouse=True)
def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out luck, which would take most of the time here; tests/odds/test_luck.py checks it."""
    monkeypatch.setattr(HandLuck, "apply", lambda _luck, _event: None)


def check(entries: Sequence[Entry]) -> None:
    statistics, left_the_table, hands = Statistics(), Counter[int](), 0
    for entry in with_tables(entries):
        statistics.apply(entry.event, entry.table)
        hands += isinstance(entry.event, HandEnded)
        if isinstance(entry.event, SeatVacated):
            left_the_table[entry.table.bots[entry.event.seat]] += entry.event.amount
    counted, taken = statistics.event, Counter[int]()
    for each in counted.crosstable:
        assert each.chips > 0
        taken[each.by] += each.chips
        taken[each.of] -= each.chips
    assert counted.hands == hands > 0
    assert {row.bot: taken[row.bot] for row in counted.rows} == {
        row.bot: row.won + left_the_table[row.bot] for row in counted.rows
    }


@pytest.mark.parametrize("name", KEPT)
def test_each_bot_took_what_it_won_in_kept_recordings(name: str) -> None:
    check(read_journal(KEPT_CONTESTS / name).entries)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_each_bot_took_what_it_won_in_random_hands(rules: str) -> None:
    dice, bots = random.Random(rules), tuple(range(1, 10))
    entrants = tuple(Entrant(bot, f"bot {bot}") for bot in bots)
    events: list[Event] = [TournamentOpened("x", "x", ALL_RULES[rules], 5000, entrants, "")]
    for game in range(1, HANDS + 1):
        hand, rest = random_hand(dice, ALL_RULES[rules])
        stacks = tuple(seat.stack for seat in hand.seats)
        events.append(GameStarted(game, 0, bots[: len(stacks)], stacks))
        events.append(HandStarted(hand.number, hand.button, hand.small_blind, hand.big_blind, hand.ante, stacks, ""))
        events += rest
    check([Entry(seq, 0, event) for seq, event in enumerate(events, 1)])


@pytest.mark.parametrize("seed", range(50))
def test_losers_chips_are_divided_in_proportion_to_what_was_won(seed: int) -> None:
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
