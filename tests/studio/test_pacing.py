"""How long things hold the screen: the pace of the show."""

from collections.abc import Sequence

import pytest

from broadcast.pacing import holds
from server.game.cards import parse_cards
from server.game.events import (
    ActionTaken,
    Award,
    ChatSent,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    HoleDealt,
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
    return holds(events)[list(events).index(wanted)]


@pytest.mark.parametrize(("act", "ms"), [("fold", 800), ("check", 900), ("call", 1200), ("bet", 1700), ("raise", 1700)])
def test_every_act_has_its_time(act: str, ms: int) -> None:
    assert holds([acted(act)]) == [ms]


def test_an_all_in_holds_longest() -> None:
    assert holds([acted("call", all_in=True)]) == [3000]


@pytest.mark.parametrize("players", [2, 6, 12])
def test_a_deal_takes_the_same_time_for_any_number_of_players(players: int) -> None:
    deal: list[Event] = [HoleDealt(seat, parse_cards("As Kd")) for seat in range(players)]
    assert sum(holds(deal)) == 2400


@pytest.mark.parametrize(("thought", "shown"), [(0, 0), (700, 700), (2900, 1200)])
def test_a_turn_holds_as_long_as_its_bot_thought_but_not_longer_than_people_like(thought: int, shown: int) -> None:
    turn = asked()
    assert hold_of(turn, [started(), turn, acted("call", think_ms=thought)]) == shown


def test_a_run_out_is_slower_and_begins_after_a_beat() -> None:
    last = acted("call", all_in=True)
    flop = StreetDealt("flop", parse_cards("2c 3c 4c"))
    turn = StreetDealt("turn", parse_cards("5c"))
    hand = [started(), asked(), last, flop, turn, HandEnded((), "")]
    assert (hold_of(last, hand), hold_of(flop, hand), hold_of(turn, hand)) == (3000 + 2500, 3520, 2880)


def test_streets_with_betting_on_them_keep_their_pace() -> None:
    flop = StreetDealt("flop", parse_cards("2c 3c 4c"))
    assert hold_of(flop, [started(), asked(), acted("call"), flop, asked(1), acted("check"), HandEnded((), "")]) == 2200


@pytest.mark.parametrize(("ranking", "ms"), [("pair of aces, king kicker", 4500), ("", 2000)])
def test_all_hands_are_shown_together(ranking: str, ms: int) -> None:
    shown: list[Event] = [HandShown(seat, parse_cards("As Kd"), ranking) for seat in range(3)]
    assert holds(shown) == [0, 0, ms]


def test_chat_never_holds_the_show_up() -> None:
    assert holds([ChatSent(1, "howdy")]) == [0]


@pytest.mark.parametrize(("sound_ms", "hold"), [(0, 3500), (2900, 3500), (4200, 4200), (5000, 5000), (9000, 5000)])
def test_a_win_holds_until_the_winners_sound_has_been_heard(sound_ms: int, hold: int) -> None:
    assert holds([PotAwarded(0, 900, (Award(2, 900),))], {2: sound_ms, 3: 5000}) == [hold]
