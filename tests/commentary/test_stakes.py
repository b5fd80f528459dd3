"""Stakes are shown if they matter, and follow only from what is on air. A slow checker confirms them."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.contest_state import ContestState
from broadcast.commentary.stakes import stakes
from broadcast.on_air.events import StakesShown
from broadcast.on_air.facts import Outcome
from broadcast.on_air.table_state import with_tables
from broadcast.show.hold_times import STAKES
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game.events import BetsCollected, Pot, TurnStarted
from server.game.ratings import START
from server.game.tournament import Format, as_series
from server.journal.journal import Entry, read_journal
from tests.commentary.slow_stakes import SlowStakes
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.contests import play_contest
from tests.support.hand_events import hand_events, opening
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS

KINDS: dict[str, tuple[Format, int]] = {
    "quick draw": (QUICK_DRAW_FORMAT, 9),
    "arena": (replace(ARENA_FORMAT, starting_stack=400), 6),
    "series": (as_series(replace(ARENA_FORMAT, starting_stack=200), 2), 4),
    "enova": (replace(ENOVA_FORMAT, starting_stack=40), 10),
    "upac": (UPAC_FORMAT, 2),
}


def stakes_of(script: Script) -> dict[str, Outcome]:
    """The stakes shown at the end of a script, by case."""
    last = script.entries[-1].event
    return {outcome.case: outcome for outcome in last.outcomes} if isinstance(last, StakesShown) else {}


def final(stacks: Sequence[int], acts: str, hands: int = 24, **more: Any) -> Script:
    """Plays one hand in the last stage."""
    script = Script(NAMES[: len(stacks)]).connect().stage("High Noon", games=1, hands=hands, advance=0)
    return script.game(range(1, len(stacks) + 1), stacks, hands=hands).hand(acts, **more)


def check(entries: Sequence[Entry]) -> tuple[list[str], int]:
    """The faults that the slow checker finds, and the number of statements that it checked."""
    contest, found, count = ContestState(), list[str](), 0
    for entry in with_tables(entries):
        contest.apply(entry.event)
        for event in stakes(contest, entry.event):
            assert isinstance(event, StakesShown)
            assert isinstance(entry.event, TurnStarted)
            found += SlowStakes(contest, entry.table, entry.event).wrong(event)
            count += 1
    return found, count


def test_stakes_say_with_open_cards_on_the_river_that_a_call_shares_the_pot() -> None:
    acts = "call call call call call call raise:2000"
    script = final((5000, 5000), acts, holes={0: "Ah Ad", 1: "As Ac"}, board="2c 7d 9h Ts 3c")
    assert set(stakes_of(script)) == {"shares", "folds"}


def test_no_stakes_are_shown_if_neither_the_call_nor_the_pot_is_large() -> None:
    assert stakes_of(final((5000, 5000, 5000), "call")) == {}
    assert stakes_of(final((9000, 5000, 2000), "raise:300")) == {}


def test_stakes_stay_long_enough_to_read_and_disappear_after_the_decision() -> None:
    script = final((5000, 3000, 4000), "raise:2000 call")
    shown = [at for at, entry in enumerate(script.entries) if isinstance(entry.event, StakesShown)]
    slow = Script(NAMES[:3], speed=1).connect().stage("High Noon", games=1, hands=24, advance=0)
    slow.game((1, 2, 3), (5000, 3000, 4000), hands=24).hand("raise:2000 call")
    stakes = picture_after(script.entries[: shown[0] + 1]).stakes
    assert stakes
    assert stakes.seat == 1
    assert picture_after(script.entries[: shown[0] + 2]).stakes is None
    assert all(entry.hold_ms >= STAKES for entry in slow.entries if isinstance(entry.event, StakesShown))


def test_impossible_turn_of_a_forged_hand_is_shown_without_stakes() -> None:
    contest = ContestState()
    for event in [*opening(), *hand_events(3)[:9]]:
        contest.apply(event)
    for forged in (TurnStarted(9, 5000, 0, 0, 0), TurnStarted(0, 5000, 0, 0, 0)):
        contest.apply(BetsCollected((Pot(10, (7,)),)))
        assert stakes(contest, forged) == []


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_slow_checker_confirms_the_stakes_of_kept_recordings(name: str) -> None:
    assert check(read_journal(KEPT_CONTESTS / name).entries)[0] == []


@pytest.mark.parametrize("kind", KINDS)
def test_slow_checker_confirms_the_stakes_of_random_contests(kind: str) -> None:
    contest, bots = KINDS[kind]
    counted = 0
    for seed in range(2):
        found, count = check(play_contest(seed, bots, contest, rating=START if kind == "upac" else 0))
        assert found == []
        counted += count
    assert counted > (0 if kind == "upac" else 10)
