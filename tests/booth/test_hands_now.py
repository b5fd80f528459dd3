"""Which hand leads, since when, and how many outs the others have, checked against pokerkit."""

import random
from collections.abc import Sequence

import pytest
from pokerkit import StandardHighHand

from broadcast.booth.hands_now import HandNow, hands_now
from broadcast.on_air.picture_state import Seat, State
from server.game.cards import DECK, Card

SEATS = 5


def table_state(holes: Sequence[Sequence[Card]], board: Sequence[Card], folded: Sequence[int] = ()) -> State:
    seats = (
        Seat(at + 1, 1000, cards=tuple(cards), dealt_in=bool(cards), folded=at in folded)
        for at, cards in enumerate(holes)
    )
    return State(board=tuple(board), seats=tuple(seats))


def find_leaders(holes: Sequence[Sequence[Card]], board: Sequence[Card], live: Sequence[int]) -> set[int]:
    """Returns the seats with the best hand, according to pokerkit."""
    hands = {at: StandardHighHand.from_game("".join(holes[at]), "".join(board)) for at in live}
    best = max(hands.values())
    return {at for at, hand in hands.items() if hand == best}


@pytest.mark.parametrize("seed", range(12))
def test_leaders_and_outs_match_pokerkit(seed: int) -> None:
    dice = random.Random(seed)
    deck = dice.sample(DECK, 2 * SEATS + 5)
    holes = [(deck[2 * at], deck[2 * at + 1]) for at in range(SEATS)]
    full = deck[2 * SEATS : 2 * SEATS + 5]
    folded = dice.sample(range(SEATS), dice.randint(0, 3))
    live = [at for at in range(SEATS) if at not in folded]
    for cards_dealt in (3, 4, 5):
        board = full[:cards_dealt]
        hands = {each.seat: each for each in hands_now(table_state(holes, board, folded))}
        assert [*hands] == live
        leading = find_leaders(holes, board, live)
        assert {seat for seat, each in hands.items() if each.since} == leading
        unseen = [card for card in DECK if card not in board and not any(card in cards for cards in holes)]
        outs = [find_leaders(holes, [*board, card], live) for card in unseen] if cards_dealt < 5 else []
        for seat, each in hands.items():
            expected = None if cards_dealt == 5 or seat in leading else sum(seat in winners for winners in outs)
            assert each.outs == expected


def test_leader_has_led_without_a_break_since_the_named_street() -> None:
    holes = (("As", "Ah"), ("Kd", "Kc"), ("7h", "2d"))
    assert hands_now(table_state(holes, ("Qs", "8d", "3c", "Kh"), folded=(2,))) == [
        HandNow(0, "pair", "", 2),
        HandNow(1, "three of a kind", "turn", None),
    ]
    river = hands_now(table_state(holes, ("Qs", "8d", "3c", "Kh", "Ad"), folded=(2,)))
    assert [each.since for each in river] == ["river", ""]


def test_no_hand_is_named_preflop_or_for_a_sole_survivor_or_with_unknown_cards() -> None:
    holes = (("As", "Ah"), ("Kd", "Kc"))
    assert hands_now(table_state(holes, ())) == []
    assert hands_now(table_state(holes, ("Qs", "8d", "3c"), folded=(1,))) == []
    unknown = (("As", "Ah"), ("", ""))
    assert hands_now(table_state(unknown, ("Qs", "8d", "3c"))) == []
