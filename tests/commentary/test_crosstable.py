"""The crosstable adds up: a bot took from all others exactly what it won."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from broadcast.commentary.statistics.hand_counts import divided
from broadcast.commentary.statistics.statistics import Statistics
from broadcast.odds.earned import HandLuck
from broadcast.on_air.table_state import with_tables
from server.game.events import HandEnded, SeatVacated
from server.journal.journal import read_journal
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS


@pytest.fixture(autouse=True)
def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out luck, which would take most of the time here; tests/odds/test_luck.py tests it."""
    monkeypatch.setattr(HandLuck, "apply", lambda _luck, _event: None)


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_each_bot_took_what_it_won_in_kept_recordings(name: str) -> None:
    statistics, left_the_table, hands = Statistics(), Counter[int](), 0
    for entry in with_tables(read_journal(KEPT_CONTESTS / name).entries):
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
