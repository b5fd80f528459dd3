"""A bot's side of the messages of the contest Quick Draw. Pure."""

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
    """A request that may have fields of a later version."""


class _Chat(messages.ReceiveChat, frozen=True, forbid_unknown_fields=False, tag_field="command", tag="receive_chat"):
    """A chat that may have fields of a later version."""


class _Confirmed(
    messages.ConfirmAction, frozen=True, forbid_unknown_fields=False, tag_field="command", tag="confirm_action"
):
    """A confirmation that may have fields of a later version."""


_read = msgspec.json.Decoder[_Asked | _Chat | _Confirmed](_Asked | _Chat | _Confirmed).decode
_READ_COMMANDS = ("request_action", "receive_chat", "confirm_action")


class QuickDrawWire(LineWire):
    """The wire of one bot."""

    timeout_message = b'{"command": "no_answer"}'

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        body = {"name": name, **({"secret": secret} if secret else {})}
        return Request("POST", "/register", json.dumps(body).encode(), "application/json")

    def read(self, message: bytes) -> Question | OpponentChat | Rejection | None:
        if json.loads(message).get("command") not in _READ_COMMANDS:
            return None
        match _read(message):
            case _Asked() as asked:
                return _question(asked)
            case _Chat(message=text, author=author):
                return OpponentChat(author.name, text)
            case _Confirmed(result="error", error=error):
                return Rejection(str(error))
        return None

    def write(self, choice: Choice) -> bytes:
        raises = choice.action == "raise"
        action = {
            "command": "take_action",
            "action": choice.action if choice.action in ("raise", "fold") else "call",
            **({"raise_amount": choice.amount} if raises else {}),
            **comment_fields(choice),
        }
        return json.dumps(action, ensure_ascii=False).encode() + b"\n"


def _question(asked: _Asked) -> Question:
    players = asked.players
    you = next(seat for seat, player in enumerate(players) if player.hand)
    me = players[you]
    to_call = min(asked.highest_bid_value - me.round_bet, me.bank)
    all_in_total = me.round_bet + me.bank
    others = [player for player in players if player is not me and player.state != "folded"]
    can_be_called = any(player.round_bet + player.bank > asked.highest_bid_value for player in others)
    legal = [Move("fold", 0), Move("call", to_call) if to_call else Move("check", 0)]
    if can_be_called and all_in_total > asked.highest_bid_value:  # A raise that nobody can call is not allowed.
        legal.append(Move("raise", min=asked.highest_bid_value + 1, max=all_in_total))
    spot = Spot(
        hand=asked.hand_number,
        street=_STREETS[asked.round_number],
        you=you,
        your_cards=_cards(asked.hand),
        board=_cards(asked.community_cards),
        pot=asked.total_pot_value,
        to_call=to_call,
        your_chips=me.bank,
        your_bet=me.round_bet,
        others=tuple(_opponent(seat, player) for seat, player in enumerate(players) if seat != you),
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
