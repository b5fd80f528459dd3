"""Random hands by standard rules give the same turns, raise ranges and stacks in our engine and in pokerkit.

Pokerkit numbers players from the small blind (heads-up from the big blind), so seats are rotated before comparing.
"""

import random

import pytest
from pokerkit import Automation, NoLimitTexasHoldem, State

from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import ActionTaken
from server.game.hand import Hand, blind_seats, evolve
from server.game.rules import Level, Rules
from tests.game.random_hands import random_decision, random_deck

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
HANDS = 200


@pytest.mark.parametrize("ante", [0, 10])
def test_random_hands_are_played_as_in_pokerkit(ante: int) -> None:
    dice = random.Random(ante)
    for _ in range(HANDS // 2):
        play_side_by_side(dice, Rules(levels=(Level(50, 100, ante),)))


def play_side_by_side(dice: random.Random, rules: Rules) -> None:
    count = dice.randint(2, 9)
    least = (
        rules.levels[0].big + rules.levels[0].ante
    )  # in pokerkit, a blind of a shorter stack would be the bet to match
    stacks = [dice.choice((least, 3 * least, dice.randint(least, 4000))) for _ in range(count)]
    button = dice.randrange(count)
    hand, _ = start_hand(rules, 1, button, stacks, random_deck(dice))
    seats = seats_of_players(hand)
    blinds, players = (hand.small_blind, hand.big_blind), tuple(stacks[seat] for seat in seats)
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, hand.ante, blinds, hand.big_blind, players, count)
    while (player := state.hole_dealee_index) is not None:
        state.deal_hole("".join(hand.seats[seats[player]].cards))
    raised = False
    while not hand.over:
        deal_board(state, hand)
        assert_same_turn(state, hand, seats)
        decision = same_rules_decision(random_decision(dice, hand), hand, raised)
        act_in_pokerkit(state, decision)
        street = hand.street
        _, following = take_turn(hand, decision)
        for event in following:
            hand = evolve(hand, event)
        bet = isinstance(taken := following[0], ActionTaken) and taken.act in ("bet", "raise")
        raised = hand.street == street and (raised or bet)
    if state.actor_index is not None:  # pokerkit also asks the last player with chips although nobody else can bet
        assert state.checking_or_calling_amount == 0
        assert not state.can_complete_bet_or_raise_to()
        state.check_or_call()
    deal_board(state, hand)
    assert not state.status
    assert [hand.seats[seat].stack for seat in seats] == list(state.stacks)


def same_rules_decision(decision: Decision, hand: Hand, raised: bool) -> Decision:
    """Returns the decision, or a call where pokerkit's rules differ.

    Pokerkit refuses a fold where a check is possible, and a short all-in reopens the betting if it is the first raise
    of a street.
    """
    match decision:
        case Fold() if hand.turn is not None and hand.turn.to_call == 0:
            return Call()
        case RaiseTo(raise_to=raise_to) if not raised and raise_to < hand.current_bet + hand.last_raise:
            return Call()
    return decision


def seats_of_players(hand: Hand) -> list[int]:
    """Returns our seat numbers in the order of pokerkit's players."""
    first = blind_seats(hand.rules, hand.button, [1] * len(hand.seats))[0 if len(hand.seats) > 2 else 1]
    return [(first + step) % len(hand.seats) for step in range(len(hand.seats))]


def deal_board(state: State, hand: Hand) -> None:
    """Burns and deals in pokerkit what our engine has dealt."""
    deck = hand.deck.cards
    used = 2 * len(hand.dealt_order())
    while state.can_burn_card():
        state.burn_card("??")
        shown = sum(1 for _ in state.get_board_cards(0))
        cards = hand.runout()[shown : shown + (0 if shown else 2) + 1]
        assert deck[used + shown] == cards[0]
        assert set(cards) <= set(hand.board), "our engine must have dealt this street, too"
        state.deal_board("".join(cards))


def assert_same_turn(state: State, hand: Hand, seats: list[int]) -> None:
    turn = hand.turn
    assert turn is not None
    assert state.actor_index is not None
    assert seats[state.actor_index] == turn.seat
    assert state.checking_or_calling_amount == turn.to_call
    assert (state.min_completion_betting_or_raising_to_amount or 0) == turn.min_raise_to
    assert (state.max_completion_betting_or_raising_to_amount or 0) == turn.max_raise_to
    assert [state.bets[player] for player in range(len(seats))] == [hand.seats[seat].bet for seat in seats]
    assert [state.stacks[player] for player in range(len(seats))] == [hand.seats[seat].stack for seat in seats]


def act_in_pokerkit(state: State, decision: Decision) -> None:
    match decision:
        case Fold():
            state.fold()
        case Call():
            state.check_or_call()
        case RaiseTo(raise_to=raise_to):
            state.complete_bet_or_raise_to(raise_to)
