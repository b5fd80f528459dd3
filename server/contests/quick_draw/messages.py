"""The messages of the contest Quick Draw: JSON objects over TCP, after one request over HTTP."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.contests.contest import Chips, Cost, Count, Digits, Message, Mistake, Note, Protocol, Tokens
from server.contests.registration_messages import registration_messages

Code = Literal["INVALID_INPUT", "BAD_ACTION_TYPE", "BAD_VALUE", "INVALID_RAISE_AMOUNT", "NOT_EXPECTED"]
Act = Literal["call", "raise", "fold"]
PlayerState = Literal["not_played", "folded", "called", "raised", "all_in"]
Value = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
Suit = Literal["S", "H", "D", "C"]
ChatText = Annotated[str, Meta(pattern=r"^[^{}\r\n]*[^{}\s][^{}\r\n]*$", description="text")]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card: `{"value": "T", "suit": "H"}` is the ten of hearts."""

    value: Value
    suit: Suit


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot at the table."""

    id: Count
    """The bot's number, from the answer to `/register`."""
    name: str
    hand: tuple[Card, ...]
    """Empty while you may not see it."""
    state: PlayerState
    State: PlayerState
    """The same as `state`. The contest's rule book spells it this way."""
    round_bet: Chips
    """The bot's bets on this street."""
    hand_bet: Chips
    """The bot's bets in this hand."""
    bank: Chips
    """The bot's remaining chips."""


class Winner(Struct, frozen=True, forbid_unknown_fields=True):
    """A winner of a pot, with the same fields as in `players`. If the message would be too long, all fields except `id`
    may be missing.
    """

    id: Count
    name: str | UnsetType = UNSET
    hand: tuple[Card, ...] | UnsetType = UNSET
    state: PlayerState | UnsetType = UNSET
    State: PlayerState | UnsetType = UNSET
    round_bet: Chips | UnsetType = UNSET
    hand_bet: Chips | UnsetType = UNSET
    bank: Chips | UnsetType = UNSET


class Pot(Struct, frozen=True, forbid_unknown_fields=True):
    """A pot and who won it. The main pot comes first."""

    pot_amount: Chips
    winners: tuple[Winner, ...]


class RequestAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag="request_action"):
    """It is your turn."""

    hand: tuple[Card, ...]
    """Your two cards."""
    community_cards: tuple[Card, ...]
    """The board: 0, 3, 4 or 5 cards."""
    center_cards: tuple[Card, ...]
    """The same as `community_cards`."""
    game_number: Count
    """Games, hands and rounds are numbered from 0."""
    hand_number: Count
    round_number: Literal[0, 1, 2, 3]
    """Preflop, flop, turn or river."""
    players: tuple[Player, ...]
    """In betting order, with the big blind last. Includes bots without chips. Only your own cards are shown."""
    highest_bid_value: Chips
    """The bet to match: the highest `round_bet`."""
    total_pot_value: Chips
    """All bets of this hand so far."""


class TakeAction(Struct, frozen=True, tag_field="command", tag="take_action"):
    """Your action. It has an `action` or an `action_type`."""

    action: Act | UnsetType = UNSET
    """`call` also means a check, or an all-in if you have too few chips."""
    action_type: Act | UnsetType = UNSET
    """The same as `action`, as the contest's sample bot writes it. The server reads it only if there is no `action`."""
    raise_amount: Count | Digits = 0
    """For a raise: your total bet for this round, not the chips you add. An amount above your chips is an all-in."""
    note: Note = ""
    """Your reason, in words. After the hand, the audience sees its first 200 characters. Other bots never see it."""
    tokens: Tokens = 0
    """The tokens that your language model has used since your last note. The results show them."""
    cost: Cost = 0.0
    """What these tokens have cost."""


class NoAnswer(Struct, frozen=True, tag_field="command", tag="no_answer"):
    """Says that you will not answer the request whose time is up. Then the server sends the next request without
    waiting for a late answer.
    """


class ConfirmAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag="confirm_action"):
    """The answer to each `take_action`, and to each invalid message."""

    result: Literal["success", "error"]
    error: Code | UnsetType = UNSET
    """The reason for an error."""


class HandResult(Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag="hand_result"):
    """A hand is over."""

    game_number: Count
    hand_number: Count
    community_cards: tuple[Card, ...]
    """All five cards of the board, even if the hand ended before they were dealt."""
    center_cards: tuple[Card, ...]
    players: tuple[Player, ...]
    """The bots, with all their cards, and with their chips after the hand."""
    pots: tuple[Pot, ...]


class SendChat(Struct, frozen=True, tag_field="command", tag="send_chat"):
    """Says something to everybody. At most one message in five seconds is passed on."""

    message: ChatText
    """The first 200 characters are passed on. Do not use curly braces or new lines."""


class ReceiveChat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag="receive_chat"):
    """A bot at your table, perhaps your own, has said something."""

    message: str
    author: Player


class GetLogs(Struct, frozen=True, tag_field="command", tag="get_logs"):
    """Asks for the server's record of your bot."""


class Logs(Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag="log_data"):
    """The newest lines of the server's record of your bot, at most 2,000 bytes."""

    logs: tuple[str, ...]


_EXAMPLE_RAISE = '{"command": "take_action", "action": "raise", "raise_amount": 300}'

PROTOCOL = Protocol(
    """\
A bot registers by one HTTP request, then connects by TCP to the port that the answer names. Each message of the server
is one JSON object on a line of its own, of less than 4,096 bytes. A bot's messages are JSON objects too; new lines
between them are optional. Each message over TCP has its name in the field `command`. Unknown fields of a bot's messages
are ignored.

A bot has 3 seconds for each action, and folds if it does not answer in time. A late answer never counts for the next
turn.
""",
    (
        *registration_messages("The answer names a port: connect to it."),
        Message("request_action", "server", RequestAction, (), "Send `take_action` within 3 seconds."),
        Message(
            "take_action",
            "bot",
            TakeAction,
            (
                '{"command": "take_action", "action": "call"}',
                _EXAMPLE_RAISE,
                '{"command": "take_action", "action": "fold"}',
            ),
            "The server answers with `confirm_action`. After an error you may try again until your time is up.",
        ),
        Message("no_answer", "bot", NoAnswer, ('{"command": "no_answer"}',), "It costs no more than the missed turn."),
        Message("confirm_action", "server", ConfirmAction, ()),
        Message("hand_result", "server", HandResult, ()),
        Message(
            "send_chat",
            "bot",
            SendChat,
            ('{"command": "send_chat", "message": "Howdy!"}',),
            "It is shown to the audience, and sent to everybody at the table as `receive_chat`.",
        ),
        Message("receive_chat", "server", ReceiveChat, ()),
        Message("get_logs", "bot", GetLogs, ('{"command": "get_logs"}',), "The server answers with `log_data`."),
        Message("log_data", "server", Logs, ()),
    ),
    (
        Mistake("call", "INVALID_INPUT", "a message is a JSON object"),
        Mistake('{"action": "call"}', "INVALID_INPUT", "every message has a `command`"),
        Mistake('{"command": "take_action"}', "INVALID_INPUT", "an action has to be named"),
        Mistake('{"command": "take_action", "action": "raise"}', "INVALID_INPUT", "a raise has a `raise_amount`"),
        Mistake(
            '{"command": "take_action", "action": "check"}',
            "BAD_ACTION_TYPE",
            "an action is `call`, `raise` or `fold`; a check is a call",
        ),
        Mistake(
            '{"command": "take_action", "action": "raise", "raise_amount": 150.5}',
            "BAD_VALUE",
            "chips are whole numbers",
        ),
        Mistake(
            '{"command": "send_chat", "message": "{}"}', "BAD_VALUE", "a chat has no curly braces and no new lines"
        ),
    ),
    """\
A mistake costs nothing but time: it is answered with `confirm_action` and recorded against your bot. The first valid
action before the time is up counts. A `raise_amount` below `highest_bid_value` is `INVALID_RAISE_AMOUNT`; an action
when it is not your turn, or a second one, is `NOT_EXPECTED`.
""",
)
