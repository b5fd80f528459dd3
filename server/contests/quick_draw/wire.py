"""Lets a program play in the contest Quick Draw: reads the server's messages, and writes answers. No I/O."""

import json

import msgspec

from server.bots.dialects.agent import Move
from server.bots.dialects.http_calls import Request
from server.bots.dialects.wire import (
    Choice,
    LineWire,
    Opponent,
    OpponentChat,
    Question,
    Rejection,
    Spot,
    comment_fields,
)
from server.contests.quick_draw import messages
from server.game.events import Street

_STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")


class _Asked(
    messages.RequestAction, frozen=True, forbid_unknown_fields=False, tag_field="command", tag="request_action"
):
    """A request. It may have fields of a later version of the protocol."""


class _Chat(messages.ReceiveChat, frozen=True, forbid_unknown_fields=False, tag_field="command", tag="receive_chat"):
    """A chat. It may have fields of a later version of the protocol."""


class _Confirmed(
    messages.ConfirmAction, frozen=True, forbid_unknown_fields=False, tag_field="command", tag="confirm_action"
):
    """A confirmation. It may have fields of a later version of the protocol."""


_read = msgspec.json.Decoder[_Asked | _Chat | _Confirmed](_Asked | _Chat | _Confirmed).decode
_READ_COMMANDS = ("request_action", "receive_chat", "confirm_action")


class QuickDrawWire(LineWire):
    """Reads the messages to one bot, and writes its answers."""

    timeout_message = b'{"command": "no_answer"}'

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        body = {"name": name, **({"secret": secret} if secret else {})}
        return Request("POST", "/register", json.dumps(body).encode(), "application/json")

    def read(self, message: bytes) -> Question | OpponentChat | Rejection | None:
        if json.loads(message).get("command") not in _READ_COMMANDS:
            return None
        match _read(message):
            case _Asked() as request:
                return _question(request)
            case _Chat(message=text, author=author):
                return OpponentChat(author.name, text)
            case _Confirmed(result="error", error=error):
                return Rejection(str(error))
        return None

    def write(self, choice: Choice) -> bytes:
        is_raise = choice.action == "raise"
        action = {
            "command": "take_action",
            "action": choice.action if choice.action in ("raise", "fold") else "call",
            **({"raise_amount": choice.amount} if is_raise else {}),
            **comment_fields(choice),
        }
        return json.dumps(action, ensure_ascii=False).encode() + b"\n"


def _question(request: _Asked) -> Question:
    players = request.players
    own_seat = next(seat for seat, player in enumerate(players) if player.hand)
    own_player = players[own_seat]
    to_call = min(request.highest_bid_value - own_player.round_bet, own_player.bank)
    all_in_total = own_player.round_bet + own_player.bank
    others = [player for player in players if player is not own_player and player.state != "folded"]
    can_be_called = any(player.round_bet + player.bank > request.highest_bid_value for player in others)
    legal = [Move("fold", 0), Move("call", to_call) if to_call else Move("check", 0)]
    if can_be_called and all_in_total > request.highest_bid_value:  # A raise that nobody can call is not allowed.
        legal.append(Move("raise", min=request.highest_bid_value + 1, max=all_in_total))
    spot = Spot(
        hand=request.hand_number,
        street=_STREETS[request.round_number],
        you=own_seat,
        your_cards=_cards(request.hand),
        board=_cards(request.community_cards),
        pot=request.total_pot_value,
        to_call=to_call,
        your_chips=own_player.bank,
        your_bet=own_player.round_bet,
        others=tuple(_opponent(seat, player) for seat, player in enumerate(players) if seat != own_seat),
        legal=tuple(legal),
    )
    return Question(spot, {seat: player.name for seat, player in enumerate(players)})


def _opponent(seat: int, player: messages.Player) -> Opponent:
    if player.state == "folded":
        return Opponent(seat, player.bank, player.round_bet, "folded")
    if not player.bank:
        return Opponent(seat, 0, player.round_bet, "all_in" if player.hand_bet else "out")
    return Opponent(seat, player.bank, player.round_bet)


def _cards(cards: tuple[messages.Card, ...]) -> tuple[str, ...]:
    return tuple(card.value + card.suit.lower() for card in cards)
