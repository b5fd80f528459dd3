"""Writes the forms for bots of the contest Enova, with nested keys such as `your_hand[0][suit]`. No I/O.

The items of a list have numbers as keys. Empty lists are left out, because real bots fail on `[]`.
"""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from server.contests.enova.rules import ROUND_BRACKETS
from server.game.cards import Card
from server.game.events import TurnStarted
from server.game.hand import Hand, seats_clockwise
from server.game.view import View

Form = Mapping[str, "Field"]
Field = str | int | Sequence["Field"] | Form
"""The value of a field: text, a number, a list, or a nested form."""


class Action(Struct, frozen=True):
    """An action on this street, in the words of the messages: "fold", "bet" or "blind". `amount` is the seat's total
    for the street.
    """

    seat: int
    action: str
    amount: int | str = ""


_PHASES = {"preflop": "pre_flop", "flop": "flop", "turn": "turn", "river": "river"}


def encode_form(form: Form) -> bytes:
    """Encodes `form` as a request's body: `your_hand[0][suit]=D&…`, without empty lists and mappings."""
    return "&".join(f"{key}={quote(str(value), safe='')}" for key, value in _pairs(form)).encode()


def _pairs(form: Form) -> Iterable[tuple[str, str | int]]:
    for name, field in form.items():
        key = _quoted_key(name)
        yield from ((key + inner_key, value) for inner_key, value in _nested(field))


def _nested(field: Field) -> Iterable[tuple[str, str | int]]:
    if isinstance(field, str | int):
        yield "", field
        return
    items = field.items() if isinstance(field, Mapping) else enumerate(field)
    for name, inner in items:
        key = f"[{_quoted_key(str(name))}]"
        yield from ((key + inner_key, value) for inner_key, value in _nested(inner))


def _quoted_key(name: str) -> str:
    """Replaces square brackets with round ones. Bots unescape a form before they parse its keys. So a bot would read
    even escaped square brackets as nested keys.
    """
    return quote(name.translate(ROUND_BRACKETS), safe="")


def seat_form(game: int) -> Form:
    """Returns the form of `POST /player/seat`. It has a "unique identifier" for each game of the tournament."""
    return {"game_table_identifier": f"game_table_{game}"}


def action_form(view: View, actions: Sequence[Action]) -> Form:
    """Returns the form of `POST /player/action` for the seat of `view`. `actions` are all actions on this street."""
    hand, turn = view.hand, view.turn
    low, high = _bet_range(hand, turn)
    seat_order = seats_clockwise(view.seat, len(hand.seats))
    return {
        "minimum_bet": low,
        "maximum_bet": high,
        "blind": "true" if turn.blind else "false",
        "your_chips": _chips(hand, view.seat),
        "your_hand": _cards(hand.seats[view.seat].cards),
        "community_cards": _cards(hand.board),
        **seat_form(view.game),
        "hand_identifier": f"hand_{view.game * 1000 + view.hand.number}",  # This is unique in the tournament.
        "betting_phase": _PHASES[hand.street],
        "active_players": [_player(view, seat, actions) for seat in seat_order if hand.seats[seat].is_live],
    }


def _bet_range(hand: Hand, turn: TurnStarted) -> tuple[int, int]:
    """Returns `minimum_bet` and `maximum_bet`, as totals for the street. If a blind is due, both are the blind.
    Otherwise the minimum is the bet to match, even if the bot cannot afford it.

    A bot that compares the minimum with `your_chips` sees whether it can afford the minimum. The maximum is "the larger
    of the shortest active stack and the current bet".
    """
    if turn.blind:
        blind = asked_blind(hand, turn)
        return blind, blind
    return hand.current_bet, turn.max_raise_to or hand.current_bet


def asked_blind(hand: Hand, turn: TurnStarted) -> int:
    """Returns the blind that a bot is asked for: the full blind, even if the seat has fewer chips. The rule book names
    fixed amounts: "a small blind (1 chip) and large blind (2 chips)".
    """
    return hand.small_blind if turn.blind == "small" else hand.big_blind


def _chips(hand: Hand, seat: int) -> int:
    """Returns a seat's chips, including its bet on this street.

    The rule book says "*excluding* your current bet in this round. This is so you can always compare minimum_bet to
    your_chips". But `minimum_bet` includes the current bet. To be comparable, these chips include it, too.
    """
    return hand.seats[seat].stack + hand.seats[seat].bet


def _player(view: View, seat: int, actions: Sequence[Action]) -> Form:
    own_actions = [{"action": action.action, "amount": action.amount} for action in actions if action.seat == seat]
    return {"name": view.entrants[seat].name, "chips": _chips(view.hand, seat), "actions_this_round": own_actions}


def _cards(cards: Sequence[Card]) -> list[Form]:
    return [{"suit": card[1].upper(), "value": card[0]} for card in cards]


def hand_ended_form(view: View, won: Mapping[int, int]) -> Form:
    """Returns the form `hand_ended`: each winner's name, hole cards and winnings. `won` has the winnings by seat."""
    winners: Form = {
        view.entrants[seat].name: {"hand": _cards(view.hand.seats[seat].cards), "chips_received": amount}
        for seat, amount in won.items()
    }
    return {"event": "hand_ended", "winners": winners}
