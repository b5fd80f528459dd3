"""Plays a hand on after a decision, to find how it can end: after a call that wins or loses, and after a fold. No I/O.

After the decision, all other bots check or, if they cannot, fold. Before the river, the cards are made up. If the call
wins, the acting bot has the best hand. If the call loses, that bot has the worst hand. The order of the other bots'
hands may decide who wins a pot, so all orders that lead to different payouts are tried. On the turn, a case is left out
if no river card could cause it with the real cards. On the river, viewers see all cards, and so the real cards decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal

from msgspec.structs import replace

from server.game.betting import take_turn
from server.game.cards import DECK, Deck, parse_cards
from server.game.decisions import Call, Decision, Fold
from server.game.events import HandEnded, HandShown, Pot, PotAwarded
from server.game.hand import Hand, evolve
from server.game.ranking import strength
from server.game.showdown import closing_events

Case = Literal["wins", "loses", "shares", "folds"]
Stacks = tuple[tuple[int, ...], ...]
"""For each way in which the other bots may share the pots, the stacks of all seats at the end of the hand."""
_ANY_BOARD = parse_cards("2c 3d 7h 8s Kd")
_HOLES = tuple(
    map(parse_cards, ["KcKh", "8d8h", "7c7d", "3c3h", "2d2h", "AcAd", "QcQd", "JcJd", "TcTd", "9c9d", "6c6d", "5c5d"])
)
"""On the board `_ANY_BOARD`, each of these hands beats all that follow it."""
_BOARD_CARDS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
MAX_TURNS = 200
"""By the rules, every hand has fewer turns than this."""
MAX_ORDERS = 32
"""At most this many ways of sharing the pots are tried. A case with more ways is left out."""


def possible_endings(hand: Hand) -> dict[Case, Stacks]:
    """Returns the possible stacks after `hand` for each case. The acting seat folds, or it calls and then wins, loses
    or shares the pot. Leaves out cases that cannot be computed.

    Raises ValueError if nobody is to act or the hand breaks the rules.
    """
    if hand.turn is None:
        raise ValueError("nobody is asked to act")
    seat = hand.turn.seat
    are_cards_known = hand.street == "river" and all(len(hand.seats[index].cards) == 2 for index in hand.live)
    start = hand if are_cards_known else _with_fake_cards(hand)
    after_call, after_fold = _play_on(start, Call()), _play_on(start, Fold())
    if are_cards_known:
        return {
            _call_result(after_call, seat): (_stacks_after_payout(after_call),),
            "folds": (_stacks_after_payout(after_fold),),
        }
    others = [other for other in after_call.live if other != seat]
    other_pots = [pot for pot in after_call.pots if seat not in pot.seats]
    endings: dict[Case, Stacks] = {
        "wins": _stacks_by_order(after_call, ([seat, *order] for order in _hand_orders(other_pots, others))),
        "loses": _stacks_by_order(after_call, ([*order, seat] for order in _hand_orders(after_call.pots, others))),
        "folds": _stacks_by_order(after_fold, _hand_orders(after_fold.pots, after_fold.live)),
    }
    impossible = _find_impossible(hand, seat, others)
    return {case: stacks for case, stacks in endings.items() if stacks and case not in impossible}


def _find_impossible(hand: Hand, seat: int, others: Sequence[int]) -> set[Case]:
    """Returns the cases that no river card can cause for `seat` against `others`.

    Returns an empty set unless the street is the turn and all cards of these seats are known.
    """
    if hand.street != "turn" or not all(len(hand.seats[index].cards) == 2 for index in (seat, *others)):
        return set()
    known_cards = {*hand.board, *(card for dealt in hand.seats for card in dealt.cards)}
    impossible: set[Case] = {"wins", "loses"}
    for river in DECK:
        if river in known_cards:
            continue
        board = (*hand.board, river)
        own_strength = strength((*hand.seats[seat].cards, *board))
        best = max((strength((*hand.seats[other].cards, *board)) for other in others), default=0)
        impossible -= {"wins"} if own_strength > best else {"loses"} if own_strength < best else set()
        if not impossible:
            break
    return impossible


def pots_if_called(hand: Hand) -> tuple[Pot, ...] | None:
    """Returns the pots after a call by the acting seat, without uncalled chips. Returns None if somebody has to act
    after the call.

    Raises ValueError if nobody is to act.
    """
    if hand.turn is None:
        raise ValueError("nobody is asked to act")
    start = _with_fake_cards(hand)
    return _play_on(start, Call()).pots if take_turn(start, Call())[0].over else None


def _with_fake_cards(hand: Hand) -> Hand:
    """Returns the hand with made-up cards, because the engine needs cards to play it."""
    seats = tuple(
        replace(seat, cards=cards) if seat.dealt_in else seat for seat, cards in zip(hand.seats, _HOLES, strict=False)
    )
    used = 2 * sum(seat.dealt_in for seat in seats)
    return replace(
        hand, seats=seats, board=_ANY_BOARD[: _BOARD_CARDS[hand.street]], deck=Deck(("",) * used + _ANY_BOARD)
    )


def _play_on(hand: Hand, decision: Decision) -> Hand:
    """Plays `hand` on after `decision` until everybody has acted. Returns the hand before cards are shown and pots are
    paid.
    """
    for _ in range(MAX_TURNS):
        next_hand, events = take_turn(hand, decision)
        if next_hand.over:
            for event in events:
                if isinstance(event, HandShown | PotAwarded):
                    break
                hand = evolve(hand, event)
            return hand
        hand = next_hand
        assert hand.turn is not None, "a hand that is not over has somebody to act"
        decision = Fold() if hand.turn.to_call else Call()
    raise ValueError("the hand never ends")


def _stacks_by_order(hand: Hand, orders: Iterable[list[int]]) -> Stacks:
    """Returns the stacks after the pots are paid, for each order of hands. An order begins with the best hand. Returns
    () if there are too many orders.
    """
    tried = list(islice(orders, MAX_ORDERS + 1))
    if len(tried) > MAX_ORDERS:
        return ()
    return tuple(dict.fromkeys(_stacks_after_payout(_with_cards_in_order(hand, order)) for order in tried))


def _with_cards_in_order(hand: Hand, order: Sequence[int]) -> Hand:
    seats = list(hand.seats)
    for seat, cards in zip(order, _HOLES, strict=False):
        seats[seat] = replace(seats[seat], cards=cards)
    return replace(hand, seats=tuple(seats))


def _hand_orders(pots: Sequence[Pot], live: Sequence[int]) -> Iterator[list[int]]:
    """Yields orders of the `live` hands, best first: one order for each way in which `pots` may be paid."""
    open_pots = [pot for pot in pots if not {*pot.seats}.isdisjoint(live)]
    if not open_pots:
        yield list(live)
    for best in live:
        others = [other for other in live if other != best]
        pots_left = [pot for pot in open_pots if best not in pot.seats]
        if len(pots_left) < len(open_pots):
            for order in _hand_orders(pots_left, others):
                yield [best, *order]


def _call_result(hand_after_call: Hand, seat: int) -> Case:
    """Returns how a call on the river turns out with the real cards."""
    awarded = [event for event in closing_events(hand_after_call) if isinstance(event, PotAwarded)]
    winners_of_pots = [[award.seat for award in event.awards] for event in awarded]
    own_wins = [
        winners == [seat]
        for pot, winners in zip(hand_after_call.pots, winners_of_pots, strict=True)
        if seat in pot.seats
    ]
    return "wins" if all(own_wins) else "shares" if any(seat in winners for winners in winners_of_pots) else "loses"


def _stacks_after_payout(hand: Hand) -> tuple[int, ...]:
    """Returns the stacks after the pots are paid according to the cards in `hand`."""
    return next(event.stacks for event in closing_events(hand) if isinstance(event, HandEnded))
