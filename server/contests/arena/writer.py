"""What an Arena bot is sent: the `game_state` of the document, and in it every move that is legal. Pure.

Amounts are whole chips, always. Keys that the document does not have but the original sends come along (`hand_bet`).
"""

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.game.events import ActionTaken, BlindPosted, Street, TurnStarted
from server.game.hand import Hand, Seat, blind_seats
from server.game.view import View
from server.text.strict_json import JsonObject

_BLINDS = {"small": "small_blind", "big": "big_blind", "ante": "ante"}


class Done(Struct, frozen=True):
    """One entry of the hand's history: what was done, and on which street."""

    street: Street
    event: BlindPosted | ActionTaken


def game_state(view: View, turn: TurnStarted, history: Sequence[Done], ids: Sequence[str]) -> bytes:
    """The body of `POST /action`; `ids` are the players' by seat.

    Players come in seat order: the original sorted them by id, so that its `dealer_index` pointed at anybody.
    """
    hand = view.hand
    small, big = blind_seats(hand.rules, hand.button, [seat.dealt_in for seat in hand.seats])
    roles = {"is_dealer": hand.button, "is_small_blind": small, "is_big_blind": big}
    state = {
        "game_id": f"holdem_{view.game:06x}",
        "phase": hand.street,
        "hand_number": hand.number,
        "pot": sum(seat.committed for seat in hand.seats),
        "community_cards": list(hand.board),
        "current_bet": hand.current_bet,
        "min_raise": hand.last_raise,
        "current_player": ids[turn.seat],
        "players": {ids[at]: _player(view, at, ids[at], roles) for at in range(len(hand.seats))},
        "action_history": [_done(done, ids) for done in history],
        "dealer_index": dealer_index(hand),
        "small_blind": hand.small_blind,
        "big_blind": hand.big_blind,
        "valid_actions": valid_actions(hand, turn),
    }
    return json.dumps(state).encode()


def valid_actions(hand: Hand, turn: TurnStarted) -> list[JsonObject]:
    """ "A crucial list of all legal moves your AI can make".

    A raise that is not everything must be a full one, so it is left out where that is more than one has; `all_in`,
    where it is neither a raise nor a call with the last chip.
    """
    chips = hand.seats[turn.seat].stack
    actions: list[JsonObject] = [{"action": "fold", "amount": 0}]
    if turn.to_call:
        actions.append({"action": "call", "amount": turn.to_call})
    else:
        actions.append({"action": "check", "amount": 0})
    least, most = hand.current_bet + hand.last_raise, turn.max_raise_to
    if least <= most:
        actions.append({"action": "raise", "amount": {"min": least, "max": most}})
    if chips <= turn.to_call or most:
        actions.append({"action": "all_in", "amount": chips})
    return actions


def dealer_index(hand: Hand) -> int:
    """The place of the dealer in `players`, from 0, when only players with chips are counted."""
    return sum(seat.dealt_in for seat in hand.seats[: hand.button])


def _player(view: View, at: int, player_id: str, roles: Mapping[str, int]) -> JsonObject:
    seat = view.hand.seats[at]
    return {
        "player_id": player_id,
        "name": view.entrants[at].name,
        "chips": seat.stack,
        "hole_cards": list(seat.cards),
        "state": _state(seat),
        "current_bet": seat.bet,
        "hand_bet": seat.committed,
        **{role: seat.dealt_in and holder == at for role, holder in roles.items()},
    }


def _state(seat: Seat) -> str:
    if not seat.dealt_in:
        return "out"
    if seat.folded:
        return "folded"
    return "all_in" if seat.all_in else "active"


def _done(done: Done, ids: Sequence[str]) -> JsonObject:
    """A raise's amount is the total for the street, anything else's what went in."""
    match done.event:
        case BlindPosted(seat=seat, blind=blind, amount=amount):
            action = _BLINDS[blind]
        case ActionTaken(seat=seat, declared="all_in", amount=amount):
            action = "all_in"
        case ActionTaken(seat=seat, act="bet" | "raise", bet=amount):
            action = "raise"
        case ActionTaken(seat=seat, act=action, amount=amount):
            pass
    return {"player_id": ids[seat], "action": action, "amount": amount, "phase": done.street}
