"""Writes the server's messages in the contest Quick Draw: JSON lines. The messages have the keys of the contest's rule
book, and also the keys that the original server sent. No I/O.

The sample bot "does one recv(4096) and splits on \\n". So a message may have at most 4,095 bytes. If it would be
longer, data is left out, first of all data that the message contains twice.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from server.game.cards import Card
from server.game.events import Award
from server.game.hand import Seat
from server.game.view import View
from server.text.names_and_chat import clip_bytes

MAX_LINE_BYTES = 4095
"""The maximum size of a line, in bytes: "every message under 4096 bytes including the newline"."""
MAX_LOG_LINE_BYTES = 2000
"""The maximum size of a line of `log_data`, in bytes, with the newline: "This will be capped at 2k characters (2k
bytes)".
"""

Json = dict[str, object]

_STATES = {"": "not_played", "fold": "folded", "check": "called", "call": "called", "bet": "raised", "raise": "raised"}
_ROUND_NUMBERS = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}


class _Detail(Struct, frozen=True):
    name_bytes: int = 120
    """The maximum size of a name, in bytes."""
    winners: Literal["full", "no cards", "named", "id"] = "full"
    """Which fields of `players` are repeated in the list `winners`, for each winner."""


# In a tie of six all-ins for different amounts, the full message would need 6,000 bytes. So the message is shorter at
# each level. The first levels leave out data that `players` already has, and the last level shortens names the most.
_DETAIL_LEVELS = (
    _Detail(),
    _Detail(winners="no cards"),
    _Detail(winners="named"),
    _Detail(24, "named"),
    _Detail(24, "id"),
    _Detail(8, "id"),
)


def encode_line(message: Json) -> bytes:
    """Encodes `message` as one compact line of UTF-8, with the newline."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def request_action(view: View) -> bytes:
    """Returns the line of `request_action` for the seat of `view`."""
    return _encode_first_fit(_request(view, detail) for detail in _DETAIL_LEVELS)


def hand_result(view: View) -> bytes:
    """Returns the line of `hand_result`, "revealing EACH player's hand (regardless of their status or if they won the
    pot)".
    """
    return _encode_first_fit(_result(view, detail) for detail in _DETAIL_LEVELS)


def receive_chat(view: View, bot: int, text: str) -> bytes | None:
    """Returns the line that passes on a chat from `bot`, or None if the bot is not at the table of `view`.

    The rule book calls the message both `receive_chat` and `receive_message`. Real bots expect `receive_chat`.
    """
    authors = [index for index, entrant in enumerate(view.entrants) if entrant.bot == bot]
    if not authors:
        return None
    return encode_line({"command": "receive_chat", "message": text, "author": _player(view, authors[0], _Detail())})


def log_data(lines: Sequence[str]) -> bytes:
    """Returns the line of `log_data`. It has as many of the newest `lines` as fit into 2,000 bytes, oldest first."""
    newest: list[str] = []
    for text in reversed(lines):
        if len(encode_line({"command": "log_data", "logs": [text, *newest]})) > MAX_LOG_LINE_BYTES:
            break
        newest.insert(0, text)
    return encode_line({"command": "log_data", "logs": newest})


def _encode_first_fit(messages: Iterable[Json]) -> bytes:
    """Returns the line of the first message that is short enough. If all are too long, returns the last line."""
    encoded = b""
    for message in messages:
        encoded = encode_line(message)
        if len(encoded) <= MAX_LINE_BYTES:
            break
    return encoded


def _request(view: View, detail: _Detail) -> Json:
    hand = view.hand
    return {
        "command": "request_action",
        "hand": _cards(hand.seats[view.seat].cards),
        **_board(hand.board),
        **_game_and_hand(view),
        "round_number": _ROUND_NUMBERS[hand.street],
        "players": _players(view, detail),
        "highest_bid_value": hand.current_bet,
        "total_pot_value": sum(seat.committed for seat in hand.seats),
    }


def _result(view: View, detail: _Detail) -> Json:
    return {
        "command": "hand_result",
        **_game_and_hand(view),
        **_board(view.full_board),
        "players": _players(view, detail),
        "pots": [
            {"pot_amount": pot.amount, "winners": [_winner(view, award, detail) for award in pot.awards]}
            for pot in view.hand.pot_awards
        ],
    }


def _game_and_hand(view: View) -> Json:
    """Returns the numbers of the game and the hand. In the messages, both count from 0."""
    return {"game_number": view.game - 1, "hand_number": view.hand.number - 1}


def _board(board: Sequence[Card]) -> Json:
    cards = _cards(board)
    return {"community_cards": cards, "center_cards": cards}


def _cards(cards: Iterable[Card]) -> list[Json]:
    return [{"value": card[0], "suit": card[1].upper()} for card in cards]


def _players(view: View, detail: _Detail) -> list[Json]:
    """Returns the bots "in betting order": on every street, the player after the big blind is first and the big blind
    is last.
    """
    return [_player(view, seat, detail) for seat in view.hand.preflop_order]


def _player(view: View, index: int, detail: _Detail) -> Json:
    seat = view.hand.seats[index]
    won = sum(award.amount for pot in view.hand.pot_awards for award in pot.awards if award.seat == index)
    state = _state(seat, won)
    return {
        **_name(view, index, detail),
        "hand": _cards(seat.cards),
        "State": state,
        "state": state,
        "round_bet": seat.bet,
        "hand_bet": seat.committed,
        "bank": seat.stack,
    }


def _name(view: View, index: int, detail: _Detail) -> Json:
    entrant = view.entrants[index]
    return {"id": entrant.bot, "name": clip_bytes(entrant.name, detail.name_bytes)}


def _state(seat: Seat, won: int) -> str:
    """Returns one of the rule book's five states. A player without chips stays in the list, as folded. A player who
    had no chips left before winning `won` is all in.
    """
    if not seat.is_live:
        return "folded"
    return "all_in" if seat.stack == won else _STATES[seat.act]


def _winner(view: View, award: Award, detail: _Detail) -> Json:
    match detail.winners:
        case "id":
            return {"id": view.entrants[award.seat].bot}
        case "named":
            return _name(view, award.seat, detail)
        case "no cards":
            return {**_player(view, award.seat, detail), "hand": []}
        case _:
            return _player(view, award.seat, detail)
