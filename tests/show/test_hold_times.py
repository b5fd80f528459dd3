"""How long each event holds the screen."""

import pytest

from broadcast.show.hold_times import (
    FOLDS_AT_MOST,
    ORDINARY,
    ORDINARY_AT_MOST,
    QUICKEST,
    SLOWEST,
    SMALL_AT_MOST,
    hold_times,
)
from server.game.cards import parse_cards
from server.game.events import ActionTaken, Award, Event, HandShown, HandStarted, PotAwarded, StreetDealt, TurnStarted

START = HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")
TURN = TurnStarted(0, 100, 101, 5000, 3000)


def action(act: str, think_ms: int = 0) -> ActionTaken:
    return ActionTaken(0, act, 100, 100, False, think_ms)  # type: ignore[arg-type]


@pytest.mark.parametrize(("thought", "shown"), [(0, 0), (700, 700), (2900, 1200)])
def test_turn_holds_for_as_long_as_its_bot_thought_up_to_a_limit(thought: int, shown: int) -> None:
    assert hold_times([START, TURN, action("call", thought)])[1] == shown


@pytest.mark.parametrize(("sound_ms", "hold"), [(0, 3500), (2900, 3500), (4200, 4200), (5000, 5000), (9000, 5000)])
def test_win_holds_until_the_winners_sound_has_played(sound_ms: int, hold: int) -> None:
    assert hold_times([PotAwarded(0, 900, (Award(2, 900),))], {2: sound_ms, 3: 5000}) == [hold]


@pytest.mark.parametrize(
    ("acts", "amount", "shown", "hold"),
    [
        (["fold"] * 5, 150, "", 2000),
        (["fold"] * 5, 3000, "", 3500),
        (["raise", *["fold"] * 5], 600, "", 2000),
        (["raise", *["fold"] * 5], 800, "", 3500),
        (["call", "check"], 600, "pair of aces, king kicker", 3500),
    ],
)
def test_small_uncontested_pot_is_shown_only_briefly(acts: list[str], amount: int, shown: str, hold: int) -> None:
    award = PotAwarded(0, amount, (Award(2, amount),))
    hand = [START, *map(action, acts), HandShown(2, parse_cards("As Kd"), shown), award]
    assert hold_times(hand)[-1] == hold


@pytest.mark.parametrize("score", [0, 10, 20, 60, 80, 100])
def test_drama_sets_the_pace_of_a_hand_within_bounds(score: int) -> None:
    hand: list[Event] = [START, TURN, action("call"), StreetDealt("flop", parse_cards("2c 3c 4c")), TURN]
    plain, paced = hold_times(hand), hold_times(hand, None, score)
    assert all(round(ms * QUICKEST) <= now <= round(ms * SLOWEST) for ms, now in zip(plain, paced, strict=True))
    assert (sum(paced) < sum(plain)) == (score < 25)


def test_folds_before_the_flop_are_shown_together() -> None:
    fold = [TURN, action("fold", 1200)]
    times = hold_times([START, *fold * 10, TURN, action("call", 1200)])
    assert 0.98 * FOLDS_AT_MOST < sum(times[1:21]) <= FOLDS_AT_MOST
    assert times[-2:] == [1200, 1200]


def test_few_folds_take_their_time() -> None:
    assert hold_times([START, TURN, action("fold", 700)])[1:] == [700, 800]


LONG = [TURN, action("bet", 1200), TURN, action("call", 1200)] * 8


@pytest.mark.parametrize(
    ("amount", "score", "most"), [(600, 0, SMALL_AT_MOST), (2000, ORDINARY, ORDINARY_AT_MOST), (2000, 90, None)]
)
def test_small_and_ordinary_hands_are_short_and_great_ones_are_not(amount: int, score: int, most: int | None) -> None:
    total = sum(hold_times([START, *LONG, PotAwarded(0, amount, (Award(2, amount),))], None, score))
    assert total > ORDINARY_AT_MOST if most is None else 0.98 * most < total <= most
