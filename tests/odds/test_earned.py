"""What was won, lucky and earned, by unit: a game, or a whole tournament if chips are kept."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest

from broadcast.odds.earned import NOTHING, Earned, HandLuck, Unit, units_of
from server.contests import CONTESTS
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import (
    Event,
    GameForfeited,
    GameStarted,
    HandEnded,
    HandStarted,
    TournamentOpened,
)
from server.game.tournament import as_series
from server.journal.journal import read_journal
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.contests import play_contest
from tests.support.recordings import KEPT, KEPT_CONTESTS

CONTESTS_HERE = {**{each.id: each.format for each in CONTESTS.values()}, "arena series": as_series(ARENA_FORMAT, 3)}


def played(contest: str) -> list[Event]:
    """A whole contest with random decisions."""
    return [entry.event for entry in play_contest(4, 2 if contest == "upac" else 11, CONTESTS_HERE[contest])]


def in_all(units: Iterable[Unit]) -> dict[int, Earned]:
    totals: dict[int, Earned] = {}
    for unit in units:
        for bot, result in unit.items():
            totals[bot] = totals.get(bot, NOTHING) + result
    return totals


def by_hand(events: Sequence[Event]) -> dict[int, tuple[int, Fraction]]:
    """Each bot's hands and luck, counted hand by hand."""
    luck, found = HandLuck(), dict[int, tuple[int, Fraction]]()
    for event in events:
        luck.apply(event)
        if isinstance(event, HandEnded):
            for bot, chips in luck.luck.items():
                hands, total = found.get(bot, (0, Fraction()))
                found[bot] = hands + 1, total + chips
    return found


@pytest.mark.parametrize(
    ("contest", "unit"),
    [("quick-draw", "games"), ("upac", "games"), ("arena series", "games"), ("arena", "one"), ("enova", "one")],
)
def test_units_are_games_unless_chips_are_kept_and_add_up_to_all_hands(contest: str, unit: str) -> None:
    events = played(contest)
    units, games = units_of(events), sum(isinstance(event, GameStarted) for event in events)
    assert len(units) == (games if unit == "games" else 1)
    assert games > 1 or contest in ("upac", "arena")
    totals = in_all(units)
    assert {bot: (total.hands, total.luck) for bot, total in totals.items()} == by_hand(events)
    assert sum(total.luck for total in totals.values()) == 0
    assert all(total.won == total.luck + total.earned for total in totals.values())


def test_upac_forfeit_is_won_and_lost_without_luck() -> None:
    script = Script(NAMES[:2]).connect().stage(games=1, advance=0).game((1, 2), (500, 500)).hand("fold")
    before = in_all(units_of(entry.event for entry in script.entries))
    script.tell(GameForfeited(1, 0, "timeout"))
    totals = in_all(units_of(entry.event for entry in script.entries))
    assert [totals[bot].won for bot in (1, 2)] == [-500, 500]
    assert all(totals[bot].hands == before[bot].hands == 1 and not totals[bot].luck for bot in (1, 2))


def test_unfinished_hand_does_not_count() -> None:
    events = played("quick-draw")
    last = max(at for at, event in enumerate(events) if isinstance(event, HandEnded))
    begun = max(at for at, event in enumerate(events[:last]) if isinstance(event, HandStarted))
    assert units_of(events[:last]) == units_of(events[:begun])
    assert units_of(events[:3]) == []


@pytest.mark.parametrize("recording", KEPT)
def test_kept_recordings_can_be_counted(recording: str) -> None:
    events = [entry.event for entry in read_journal(KEPT_CONTESTS / recording).entries]
    (opened,) = (event for event in events if isinstance(event, TournamentOpened))
    totals = in_all(units_of(events))
    assert {*totals} == {entrant.bot for entrant in opened.entrants}
    assert not any(total.unknown for total in totals.values())
    assert sum(total.luck for total in totals.values()) == 0
