"""With wires, one program can play in every contest. A wire reads the messages of a contest's server, turns them into
terms that all contests share, and writes the bot's answers.

No I/O. The counterpart of a wire is a dialect, the server's code for the same messages.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from server.bots.dialects.agent import ActionName, Move
from server.bots.dialects.http_calls import Request
from server.bots.dialects.messages import MILLION
from server.game.cards import Card
from server.game.events import Account, Street

MAX_NOTE_CHARACTERS = 600
"""The server keeps at most this many characters of a bot's reason for an action."""


class Opponent(Struct, frozen=True, omit_defaults=True):
    """Another seat in the hand. `bet` is that seat's total on this street, in chips."""

    seat: int
    chips: int
    bet: int
    state: Literal["active", "folded", "all_in", "out"] = "active"


class Spot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The information that a bot has when it must act. It contains only numbers, cards, and words that this program
    chooses. It contains no names of bots. Bets and raises are totals for the street. `pot` has all chips that were bet
    in the hand. `history` has the actions of the hand, if the contest's messages contain them.
    """

    hand: int
    street: Street
    you: int
    """The bot's own seat."""
    your_cards: tuple[Card, ...]
    board: tuple[Card, ...]
    pot: int
    to_call: int
    your_chips: int
    """The chips that the bot has left."""
    your_bet: int
    big_blind: int | UnsetType = UNSET
    others: tuple[Opponent, ...]
    history: tuple[str, ...] = ()
    legal: tuple[Move, ...]


class Question(Struct, frozen=True):
    """The server asks for an action. `names` are the bots' names by seat, exactly as their authors wrote them."""

    spot: Spot
    names: Mapping[int, str]


class OpponentChat(Struct, frozen=True):
    """A chat message from another bot, exactly as the server sent it."""

    name: str
    text: str


class Rejection(Struct, frozen=True):
    """The server has refused the latest message. `why` is the server's reason."""

    why: str


class Choice(Struct, frozen=True):
    """An action. For a raise, `amount` is the total for the street. `thought` is the bot's reason, on a single line.

    `account` has the tokens and dollars that the bot says it has spent.
    """

    action: ActionName
    amount: int = 0
    thought: str = ""
    account: Account | UnsetType = UNSET


class Wire(Protocol):
    """How one bot talks to the server of its contest."""

    hello: bytes
    """The message that the bot sends first after connecting, or b""."""
    timeout_message: bytes
    """The message that a bot sends if its time is up before it has an answer, or b"". The message is not an action. It
    tells the server not to wait for a late answer.
    """
    action_path: str
    """The path at which an HTTP bot is asked for actions. It is "" for other bots."""
    paths: frozenset[str]
    """All paths at which an HTTP bot answers."""

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        """Returns the request that registers the bot, or None if bots do not register. `address` is where an HTTP bot
        listens.
        """

    def read(self, message: bytes) -> Question | OpponentChat | Rejection | None:
        """Returns the meaning of a message, or None if the bot can ignore it. A message is a line, or the body of a
        request. Raises ValueError, LookupError or TypeError for anything that the server never sends.
        """

    def write(self, choice: Choice) -> bytes:
        """Returns the answer to the latest question. `choice` must be one of the question's legal moves."""


def comment_fields(choice: Choice) -> dict[str, str | int | float]:
    """Returns the fields to add to an answer in JSON: the thought and, if known, what the bot has spent."""
    fields: dict[str, str | int | float] = {"note": choice.thought} if choice.thought else {}
    account = choice.account or Account()
    if account.tokens is not UNSET:
        fields["tokens"] = account.tokens
    if account.cost_millionths is not UNSET:
        fields["cost"] = account.cost_millionths / MILLION
    return fields


def comment_lines(choice: Choice) -> bytes:
    """Returns the thought and the bot's costs as lines to send before the answer, or b"" if there are none."""
    fields = comment_fields(choice)
    if note := fields.pop("note", ""):
        fields = {"thought": " ".join(str(note).split()), **fields}
    return "".join(f"# {key}: {value}\n" for key, value in fields.items()).encode()


class LineWire:
    """The base class of wires for bots that keep a connection and do not register."""

    hello = b""
    timeout_message = b""
    action_path = ""
    paths: frozenset[str] = frozenset()

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        return None
