"""The messages of the contest Enova: forms in HTTP requests to the bot, and JSON in its answers."""

from typing import Literal

from msgspec import Struct

from server.contests.contest import Chips, Cost, Count, Digits, Message, Mistake, Name, Note, Protocol, Tokens
from server.contests.registration_messages import PracticeOptionFields

Value = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
Suit = Literal["S", "H", "D", "C"]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card: `your_hand[0][suit]=D&your_hand[0][value]=3` is the three of diamonds."""

    suit: Suit
    value: Value


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    """An action of a bot on this street."""

    action: Literal["fold", "bet", "blind"]
    amount: Chips = 0
    """The total of the bot's bets on this street. Empty for a fold."""


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that has not folded."""

    name: str
    chips: Chips
    """Includes the bot's bets on this street, which are deducted when the street ends."""
    actions_this_round: tuple[Done, ...] = ()


class Register(PracticeOptionFields, frozen=True, kw_only=True):
    """The form of `POST /tournament/register`, which a bot or its author sends."""

    hostname: str
    """Where your bot listens, such as `10.23.221.24:3000`."""
    name: Name


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of `POST /player/seat`: you sit down at a table."""

    game_table_identifier: str


class ActionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of `POST /player/action`: it is your turn, or your blind is due."""

    minimum_bet: Chips
    """The bet to match, as your total for this street. If a blind is due, this is the blind."""
    maximum_bet: Chips
    """The highest total that you can bet on this street."""
    blind: Literal["true", "false"]
    """Whether you must post a blind now."""
    your_chips: Chips
    """Includes your bets on this street, so that you can compare this number with `minimum_bet`."""
    your_hand: tuple[Card, ...]
    game_table_identifier: str
    hand_identifier: str
    """Unique in the tournament."""
    betting_phase: Literal["pre_flop", "flop", "turn", "river"]
    community_cards: tuple[Card, ...] = ()
    active_players: tuple[Player, ...] = ()
    """In the order of their turns, starting with you."""


class Won(Struct, frozen=True, forbid_unknown_fields=True):
    """The chips that a bot has won, and its cards."""

    chips_received: Chips
    hand: tuple[Card, ...] = ()


class Folded(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="folded"):
    """A form of `POST /player/notify`: you have folded, or were forced to fold."""


class WonChips(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="won_chips"):
    """A form of `POST /player/notify`: you have won chips."""

    amount: Chips


class HandEnded(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="hand_ended"):
    """A form of `POST /player/notify`: the hand is over."""

    winners: dict[str, Won] = {}
    """Keyed by name."""


class Unseated(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="unseated"):
    """A form of `POST /player/notify`: you have left the table."""


class Answer(Struct, frozen=True):
    """The body of your answer to `POST /player/action`, JSON with status 200. Other fields are ignored."""

    action: Literal["blind", "bet", "fold"]
    amount: Count | Digits = 0
    """The total of your bets on this street: `minimum_bet` is a call, or a check if there is nothing to call."""
    note: Note = ""
    """Your reason, in words. After the hand, the audience sees its first 200 characters. Other bots never see it."""
    tokens: Tokens = 0
    """The tokens that your language model has used since your last note. The results show them."""
    cost: Cost = 0.0
    """What these tokens have cost."""


_STATUS_200 = "Answer with status 200; the answer's body does not matter."

PROTOCOL = Protocol(
    """\
A bot is a web server. It gets forms (`application/x-www-form-urlencoded`) with nested keys:
`your_hand[0][suit]=D`. Lists are numbered from 0, and empty lists are left out. A bot's answer to a turn is JSON.

Once registration is closed, a bot gets `GET /player/ready` and must answer with status 200. A bot has 5 seconds
for each answer.
""",
    (
        Message(
            "POST /tournament/register", "bot", Register, ("hostname=10.23.221.24:3000&name=Bot%20Awesome",),
            "The answer's status and text say whether your bot was accepted. In practice games, its headers say more: "
            "`Watch-Url` is where the game can be watched, `Own-Url` is your own page, and `House-Bots` says how the "
            "house bots play if you asked for a strength. `Warnings` says which of your settings were not accepted.",
        ),
        Message("POST /player/seat", "server", Seat, (), _STATUS_200),
        Message("POST /player/action", "server", ActionForm, (), "Answer with status 200 and an action."),
        Message(
            "answer", "bot", Answer,
            ('{"action": "blind", "amount": 1}', '{"action": "bet", "amount": "4"}', '{"action": "fold"}'),
        ),
        Message("POST /player/notify: folded", "server", Folded, (), _STATUS_200),
        Message("POST /player/notify: won_chips", "server", WonChips, (), _STATUS_200),
        Message("POST /player/notify: hand_ended", "server", HandEnded, (), _STATUS_200),
        Message("POST /player/notify: unseated", "server", Unseated, (), _STATUS_200),
    ),
    (
        Mistake('{"amount": 4}', "no action", "an answer has an action"),
        Mistake(
            '{"action": "call", "amount": 2}',
            'the action "call" is not one of blind, bet, fold',
            "a call is a bet of `minimum_bet`",
        ),
        Mistake('{"action": "bet"}', "a bet without an amount", "a bet has an amount"),
        Mistake('{"action": "bet", "amount": 2.5}', "the amount 2.5 must be a whole number", "chips are whole"),
    ),
    """\
The bot folds, and is notified by `folded`, if it does not answer in time, or answers with a status other than 200,
without JSON, or with an amount outside `minimum_bet` and `maximum_bet`. A bot that does not post its blind leaves the
table with the chips it has. Every mistake is recorded against your bot.
""",
)  # fmt: skip
