"""How long each event holds the screen."""

from collections.abc import Sequence

import pytest

from broadcast.show.hold_times import QUICKEST, SLOWEST, hold_times
from server.game.cards import parse_cards
from server.game.events import (
    ActionTaken,
    Award,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    PotAwarded,
    StreetDealt,
    TurnStarted,
)


def started() -> HandStarted:
    return HandStarted(1, 0, 50, 100, 0, (5000,) * 6, "")


def asked(seat: int = 0) -> TurnStarted:
    return TurnStarted(seat, 100, 101, 5000, 3000)


def acted(act: str, *, think_ms: int = 0, all_in: bool = False) -> ActionTaken:
    return ActionTaken(0, act, 100, 100, all_in, think_ms)  # type: ignore[arg-type]


def hold_of(wanted: Event, events: Sequence[Event]) -> int:
    return hold_times(events)[list(events).index(wanted)]


@pytest.mark.parametrize(("thought", "shown"), [(0, 0), (700, 700), (2900, 1200)])
def test_turn_holds_as_long_as_its_bot_thought_up_to_a_limit(thought: int, shown: int) -> None:
    turn = asked()
    assert hold_of(turn, [started(), turn, acted("call", think_ms=thought)]) == shown


def test_run_out_is_slower_and_begins_after_a_beat() -> None:
    last = acted("call", all_in=True)
    flop = StreetDealt("flop", parse_cards("2c 3c 4c"))
    turn = StreetDealt("turn", parse_cards("5c"))
    hand = [started(), asked(), last, flop, turn, HandEnded((), "")]
    assert (hold_of(last, hand), hold_of(flop, hand), hold_of(turn, hand)) == (3000 + 2500, 3520, 2880)


@pytest.mark.parametrize(("ranking", "ms"), [("pair of aces, king kicker", 4500), ("", 2000)])
def test_all_hands_are_shown_together(ranking: str, ms: int) -> None:
    shown: list[Event] = [HandShown(seat, parse_cards("As Kd"), ranking) for seat in range(3)]
    assert hold_times(shown) == [0, 0, ms]


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
def test_small_pot_that_nobody_fights_for_holds_for_a_nod(acts: list[str], amount: int, shown: str, hold: int) -> None:
    award = PotAwarded(0, amount, (Award(2, amount),))
    hand = [started(), *map(acted, acts), HandShown(2, parse_cards("As Kd"), shown), award]
    assert hold_times(hand)[-1] == hold


@pytest.mark.parametrize("score", [0, 10, 45, 80, 100])
def test_drama_sets_the_pace_of_a_hand_within_bounds(score: int) -> None:
    hand: list[Event] = [started(), asked(), acted("call"), StreetDealt("flop", parse_cards("2c 3c 4c")), asked(1)]
    plain, paced = hold_times(hand), hold_times(hand, None, score)
    assert all(round(ms * QUICKEST) <= now <= round(ms * SLOWEST) for ms, now in zip(plain, paced, strict=True))
    assert (sum(paced) < sum(plain)) == (score < 45)


def test_drama_changes_neither_thinking_times_nor_winners_sounds() -> None:
    award = PotAwarded(0, 900, (Award(2, 900),))
    hand: list[Event] = [started(), asked(), acted("call", think_ms=800), award]
    assert [hold_times(hand, {2: 4200}, score)[1::2] for score in (0, 100)] == [[800, 4200], [800, 4200]]


def test_beat_before_a_run_out_grows_with_the_drama() -> None:
    last = acted("call", all_in=True)
    hand = [started(), asked(), last, StreetDealt("flop", parse_cards("2c 3c 4c")), HandEnded((), "")]
    assert [hold_times(hand, None, score)[2] for score in (0, 100)] == [2100 + 2500, 3900 + 4500]
