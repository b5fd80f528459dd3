"""Stakes are shown if they matter, and tell the bot's place after a fold, a lost call and a won call."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.contest_state import ContestState
from broadcast.commentary.stakes import stakes_events
from broadcast.on_air.events import StakesShown
from broadcast.on_air.shared_types import Outcome
from broadcast.show.hold_times import STAKES_MS
from server.game.events import BetsCollected, Pot, StageStarted, TournamentOpened, TurnStarted
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.games.hand_events import hand_events, opening


def stakes_of(script: Script) -> dict[str, Outcome]:
    last = script.entries[-1].event
    return {outcome.case: outcome for outcome in last.outcomes} if isinstance(last, StakesShown) else {}


def final(stacks: Sequence[int], acts: str, hands: int = 24, **more: Any) -> Script:
    """Plays one hand in the last stage. Seat 0 has the button."""
    script = Script(NAMES[: len(stacks)]).connect().stage("High Noon", games=1, hands=hands, advance=0)
    return script.game(range(1, len(stacks) + 1), stacks, hands=hands).hand(acts, **more)


def trials(stacks: Sequence[int], acts: str, advance: int = 2) -> Script:
    """Plays one hand in a stage from which `advance` bots ride on."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=3, advance=advance)
    return script.game(range(1, len(stacks) + 1), stacks).hand(acts)


def tables(stacks: Sequence[int], acts: str) -> Script:
    """Plays one hand of Enova's first stage, in which bots keep their chips and four of them ride on."""
    script = Script(NAMES[:5], contest="enova").connect()
    script.stage("The Tables", games=0, hands=8, advance=4, onto="The Last Table")
    return script.game(range(1, len(stacks) + 1), stacks, hands=8).hand(acts)


def series(stacks: Sequence[int], acts: str) -> Script:
    bots = tuple(range(1, len(stacks) + 1))
    script = Script(NAMES[: len(stacks)]).put(StageStarted(1, "The Arena", 2, 0, bots, tuple(stacks), series=True))
    return script.game(bots, stacks, hands=0).hand(acts)


def rated(ratings: Sequence[int], acts: str) -> Script:
    """Plays one hand between two bots with these ratings, in hundredths of a point."""
    script = Script(NAMES[:2])
    opened = script.entries[0].event
    assert isinstance(opened, TournamentOpened)
    entrants = (replace(entrant, rating=rating) for entrant, rating in zip(opened.entrants, ratings, strict=True))
    script.put(replace(opened, entrants=tuple(entrants))).stage(games=1, hands=100, advance=0)
    return script.game((1, 2), hands=100).hand(acts)


TURN = "call call call call raise:2000"
RIVER = "call call call call call call raise:2000"
ACES, KINGS, DRY = "Ah Ad", "Kh Kd", "2c 7d 9h Ts 3c"
NINES, LOW = "9c 9d", "2s 3d"
AHEAD = {0: ACES, 1: KINGS}
"""The hands of the bot that is asked, seat 0, and of the other bot."""


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (lambda: final((5000, 5000, 5000), "call"), {}),  # neither the call nor the pot is large
        # Seat 1 has 3,000 and is asked for 2,000: if it wins, it has 5,100, seat 2 has 3,900 and seat 0 has 3,000.
        (lambda: final((5000, 3000, 4000), "raise:2000"),
            {"wins": "1st by 1,200", "loses": "3rd, 2,900 behind 3", "folds": "3rd, 950 behind 3"}),
        (lambda: final((5000, 5000), "raise:5000"),
            {"wins": "wins it all", "loses": "out in 2nd place", "folds": "2nd, 200 behind 2"}),
        # The other bots in the pot may have any hands, so they may come in any order.
        (lambda: final((6000, 3000, 3000, 3000), "raise:2000 call"),
            {"wins": "1st by 3,100", "loses": "3rd or 4th", "folds": "2nd or 3rd"}),
        (lambda: final((2000, 2000, 1000, 6000), "raise:2000 call call"),
            {"wins": "1st or 2nd", "loses": "out in 4th place", "folds": "2nd or 3rd"}),
        # Lots are drawn between bots that lose equal stacks in the same hand.
        (lambda: final((2000, 2000, 2000, 6000), "raise:2000 call"),
            {"wins": "1st by 2,100", "loses": "out in 3rd or 4th place", "folds": "2nd or 3rd"}),
        (lambda: trials((5000, 4000, 3000, 6000), "raise:2000"), {
            "wins": "1st, 3,200 chips above the line", "loses": "3rd, 950 chips below the line",
            "folds": "2nd, 1,050 chips above the line",
        }),
        (lambda: trials((4000, 4000, 3000), "raise:4000"),
            {"wins": "rides on to High Noon", "loses": "out in 3rd place", "folds": "2nd, 1,050 chips above the line"}),
        (lambda: trials((6000, 1000, 3000, 3000, 4000), "call raise:1000 call"),
            {"wins": "2nd, 200 chips above the line", "loses": "out in 5th place", "folds": "5th, below the line"}),
        (lambda: trials((6000, 1000, 3000, 3000, 4000), "raise:3000 call call call", 3),
            {"wins": "rides on to High Noon", "loses": "out in 3rd to 5th place", "folds": "2nd to 4th"}),
        (lambda: series((5000, 4000), "raise:4000"),
            {"wins": "wins the game", "loses": "2nd, 7,000 behind 2", "folds": "1st by 800"}),
        # The weaker bot can lose 12 / (1 + 10 ** (80 / 400)) points, which is 4.6, and gain 12 minus that.
        (lambda: rated((960_00, 1040_00), "raise:5000"), {
            "wins": "wins the game: rated 967.4 (+7.4)", "loses": "loses the game: rated 955.4 (-4.6)",
            "folds": "rated 961.2 (+1.2)",
        }),
        # With open cards, the river has one outcome. On the turn, outcomes that no river card can bring are left out.
        (lambda: final((5000, 5000), RIVER, holes=AHEAD, board=DRY),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
        (lambda: final((5000, 5000), RIVER, holes={0: ACES, 1: "As Ac"}, board=DRY),
            {"shares": "1st, level with 2", "folds": "2nd, 200 behind 2"}),
        (lambda: final((5000, 5000), TURN, holes={0: NINES, 1: LOW}, board="9s 9h Ah Ts 3c"),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
    ],
)  # fmt: skip
def test_stakes_say_the_place_after_each_outcome(play: Callable[[], Script], expected: dict[str, str]) -> None:
    found = stakes_of(play())
    assert {case: f"{each.text} {each.rival or ''}".rstrip() for case, each in found.items()} == expected


@pytest.mark.parametrize(
    ("play", "chances"),
    [
        (lambda: final((5000, 3000, 4000), "raise:2000", hands=1), {"wins": 1000, "loses": 0, "folds": 0}),
        (lambda: final((5000, 5000), RIVER, holes=AHEAD, board=DRY), {"wins": 848, "folds": 469}),
        (lambda: trials((5000, 4000, 3000, 6000), "raise:2000"), dict.fromkeys(("wins", "loses", "folds"))),
        # The stage is a freezeout, so a bot's chance to win the title is its share of all chips.
        (lambda: tables((5000, 4000, 3000, 3000, 5000), "call raise:2000"), {"wins": 362, "loses": 150, "folds": 250}),
    ],
)
def test_stakes_have_the_chance_to_win_the_title_where_chips_decide_it(
    play: Callable[[], Script], chances: dict[str, int | None]
) -> None:
    assert {case: each.title for case, each in stakes_of(play()).items()} == chances


def test_stakes_stay_long_enough_to_read_and_disappear_after_the_decision() -> None:
    script = final((5000, 3000, 4000), "raise:2000 call")
    at = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, StakesShown))
    stakes = picture_after(script.entries[: at + 1]).stakes
    assert stakes
    assert stakes.seat == 1
    assert picture_after(script.entries[: at + 2]).stakes is None
    slow = Script(NAMES[:3], speed=1).connect().stage("High Noon", games=1, hands=24, advance=0)
    slow.game((1, 2, 3), (5000, 3000, 4000), hands=24).hand("raise:2000 call")
    assert all(entry.hold_ms >= STAKES_MS for entry in slow.entries if isinstance(entry.event, StakesShown))


def test_impossible_turn_of_a_forged_hand_is_shown_without_stakes() -> None:
    contest = ContestState()
    for event in [*opening(), *hand_events(3)[:9]]:
        contest.apply(event)
    for forged in (TurnStarted(9, 5000, 0, 0, 0), TurnStarted(0, 5000, 0, 0, 0)):
        contest.apply(BetsCollected((Pot(10, (7,)),)))
        assert stakes_events(contest, forged) == []
