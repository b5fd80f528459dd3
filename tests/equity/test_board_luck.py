"""The luck of the board is 0 on average, however oddly bots play, so results without it can decide who is better."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW
from server.equity.luck import HandLuck
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, parse_cards
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Event, GameStarted, StreetDealt
from server.game.hand import Hand, evolve
from tests.overlay.support.scripted_show import rig_deck

STACKS = (5000, 2000, 900)
HOLES = {0: "Ah Jh", 1: "Ks Qs", 2: "7c 2d"}
FLOP = "Kh 9h 4c"
UNSEEN = [card for card in DECK if card not in parse_cards(" ".join([*HOLES.values(), FLOP]))]
Play = Callable[[Hand], Decision]
"""The decision of all bots in a hand. It may depend on the cards on the table, but never on a later card."""


def after_the_flop(hand: Hand, good: bool) -> Decision:
    """Raises all in after a card that is good for the bot, and otherwise folds to any bet."""
    turn = hand.turn
    assert turn is not None
    if good and turn.max_raise_to:
        return RaiseTo(turn.max_raise_to)
    return Call() if good or not turn.to_call else Fold()


def pay_only_after_lucky_cards(hand: Hand) -> Decision:
    """The flush draw raises after a heart and gives up after any other card; the others stay in."""
    if len(hand.board) < 4 or (hand.turn and hand.turn.seat):
        return Call()
    return after_the_flop(hand, hand.board[-1][1] == "h")


def bet_large_pots_on_the_flop(hand: Hand) -> Decision:
    """All stacks go in on the flop, with two side pots."""
    return after_the_flop(hand, good=True) if len(hand.board) == 3 else Call()


def hand_with(play: Play, turn: str, river: str) -> list[Event]:
    """The events of a hand with the given turn and river, in which all bots decide by `play`."""
    hand, happened = start_hand(QUICK_DRAW, 1, 0, STACKS, rig_deck(STACKS, 0, HOLES, f"{FLOP} {turn} {river}"))
    happened = list(happened)
    while hand.turn:
        _, follows = take_turn(hand, play(hand), think_ms=1)
        for event in follows:
            hand = evolve(hand, event)
        happened += follows
    return happened


def luck_after_the_flop(happened: list[Event]) -> dict[int, Fraction]:
    counting, flop = HandLuck(), dict[int, Fraction]()
    counting.apply(GameStarted(1, 0, (0, 1, 2), STACKS))
    for event in happened:
        counting.apply(event)
        if isinstance(event, StreetDealt) and event.street == "flop":
            flop = counting.luck
    return {bot: chips - flop[bot] for bot, chips in counting.luck.items()}


@pytest.mark.parametrize("play", [pay_only_after_lucky_cards, bet_large_pots_on_the_flop])
def test_luck_over_all_turns_and_rivers_is_exactly_zero_however_bots_play(play: Play) -> None:
    luck, hands = [Fraction()] * 3, set[int]()
    for turn, river in permutations(UNSEEN, 2):
        happened = hand_with(play, turn, river)
        hands.add(len(happened))
        for bot, chips in luck_after_the_flop(happened).items():
            luck[bot] += chips
    assert luck == [0, 0, 0]
    assert len(hands) > 1 or play is bet_large_pots_on_the_flop, "the play must depend on the cards"
