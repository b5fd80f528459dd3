"""The bot's side of a contest's messages: what they ask, in words that are the same everywhere, and the answers. Pure.

A dialect is the server's side. With a wire, one program plays in every contest.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from server.bots.dialects.agent import Move, Name
from server.bots.dialects.http_calls import Request
from server.bots.dialects.messages import MILLION
from server.game.cards import Card
from server.game.events import Account, Street

LONGEST_NOTE = 600
"""How many characters of a thought the server keeps."""


class Opponent(Struct, frozen=True, omit_defaults=True):
    """Another seat of the hand; `bet` is what it has put in on this street."""

    seat: int
    chips: int
    bet: int
    state: Literal["active", "folded", "all_in", "out"] = "active"


class Spot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a bot knows when it must act: numbers, cards and words of our own, but nobody's name.

    Amounts are totals for the street, but `pot` is for the hand. `history` has the actions of the hand as far as the
    contest's messages tell them.
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
    """What the bot has left."""
    your_bet: int
    big_blind: int | UnsetType = UNSET
    others: tuple[Opponent, ...]
    history: tuple[str, ...] = ()
    legal: tuple[Move, ...]


class Question(Struct, frozen=True):
    """The server asks for an action. `names` are the names at the table by seat, as their authors wrote them."""

    spot: Spot
    names: Mapping[int, str]


class Said(Struct, frozen=True):
    """A chat of another bot, exactly as the server sent it."""

    name: str
    text: str


class TurnedDown(Struct, frozen=True):
    """The server has refused the latest message; `why` is its word for the reason."""

    why: str


class Choice(Struct, frozen=True):
    """An action: for a raise, `amount` is the total for the street. `thought` is the reason, on a single line.

    `account` is what the bot says that it has spent.
    """

    action: Name
    amount: int = 0
    thought: str = ""
    account: Account | UnsetType = UNSET


class Wire(Protocol):
    """How one bot talks to the server of its contest."""

    hello: bytes
    """What the bot sends first after connecting; b"" for nothing."""
    missed: bytes
    """What the bot sends once its time is over, if it has no answer; b"" for nothing.

    It can never count as an action. It tells a server that waits for a late answer that none will come.
    """
    asked_at: str
    """The path at which the bot is asked, if it is called."""
    answers_at: frozenset[str]
    """All paths that a called bot has."""

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        """The request that enters the bot; None if it does not register. A called bot listens at `address`."""

    def read(self, message: bytes) -> Question | Said | TurnedDown | None:
        """What a message says, which is a line, or the body of a request; None if it needs no attention.

        Raises ValueError, LookupError or TypeError for a message that the server never sends.
        """

    def write(self, choice: Choice) -> bytes:
        """The answer to the latest question. `choice` is one of its legal moves."""


def remarks_of(choice: Choice) -> dict[str, str | int | float]:
    """The fields that an answer in JSON has beside the action: the thought, and what it has cost, as far as known."""
    said: dict[str, str | int | float] = {"note": choice.thought} if choice.thought else {}
    account = choice.account or Account()
    if account.tokens is not UNSET:
        said["tokens"] = account.tokens
    if account.cost_millionths is not UNSET:
        said["cost"] = account.cost_millionths / MILLION
    return said


def remark_lines(choice: Choice) -> bytes:
    """The lines before an answer in lines, with the same; b"" for none."""
    said = remarks_of(choice)
    if note := said.pop("note", ""):
        said = {"thought": " ".join(str(note).split()), **said}
    return "".join(f"# {key}: {value}\n" for key, value in said.items()).encode()


class LineWire:
    """What wires have in common whose bots neither register nor are called."""

    hello = b""
    missed = b""
    asked_at = ""
    answers_at: frozenset[str] = frozenset()

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        return None
