"""How bots talk: what every dialect shares, what a bot has said, what came of it, and a dialect itself."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from server.game.decisions import Decision
from server.game.events import Event
from server.game.view import View
from server.text.names_and_chat import shows_something
from server.text.strict_json import MOST_DIGITS

_MOST_READ = 2_000
"""Characters of a note that are looked at, of which far fewer are shown."""
_WORD = re.compile(r"[A-Za-z0-9_.+-]{1,20}")
QUOTED = 40
"""How many bytes of a line are quoted to its author."""


class Decided(Struct, frozen=True):
    """The bot has decided; whether the rules allow it is open. `note` is its own words on it, as they were sent."""

    decision: Decision
    note: str = ""


def note_of(answer: Mapping[str, object]) -> str:
    """The note of an answer, "" where there is none to show: a note never makes an answer wrong."""
    note = answer.get("note")
    text = note[:_MOST_READ] if isinstance(note, str) else ""
    return text if shows_something(text) else ""


def whole_number(value: object) -> int | None:
    """The number that an answer gives, also in digits as a string; None for all others, such as 2.0 and true."""
    match value:
        case bool():
            return None
        case int():
            return value
        case str() as digits if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS:
            return int(digits)
        case _:
            return None


def no_whole_number(key: str, value: object) -> str:
    """Why the value of `key` is not taken, in words for its author."""
    return f"the {key}{quoted(value)} must be a whole number, such as 60"


def quoted(value: object) -> str:
    """A plain word or a fraction as it was sent, for its author; of all else nothing, for this stands in logs."""
    match value:
        case float():
            return f" {value}"
        case str() if _WORD.fullmatch(value):
            return f' "{value}"'
        case _:
            return ""


class Chatted(Struct, frozen=True):
    """The bot chats, with the text as it was sent: only what is passed on is worth making safe to show."""

    text: str


class WantsLogs(Struct, frozen=True):
    """The bot asks for its own log."""


class Malformed(Struct, frozen=True):
    """What the bot said is no message of its dialect.

    `reason` is in our own words and quotes plain words at most; `code` is the dialect's error code.
    """

    reason: str
    code: str = "INVALID_INPUT"


class Incompatible(Struct, frozen=True):
    """The bot speaks another version of the protocol: nothing that it says can be understood, and it is let go."""

    reason: str


Said = Decided | Chatted | WantsLogs | Malformed | Incompatible
"""Everything a bot can have said."""


class Heard(Struct, frozen=True):
    """A message of a bot: its bytes, and what they mean."""

    sent: bytes
    said: Said


Outcome = Literal["taken", "not expected", "illegal"] | Malformed
"""What comes of what a bot said: its decision counts; nobody asked, or it had answered already; the rules forbid it.

After the last of these it may try again while its time runs, where its contest allows that.
"""


class Dialect(Protocol):
    """How a contest's bots talk: events and views in, bytes out, and back. Pure. An answer of no bytes is not sent."""

    @property
    def news(self) -> tuple[type[Event], ...]:
        """The kinds of events that bots are told of."""

    @property
    def second_try(self) -> bool:
        """Whether a bot whose answer was refused may give another one in its time."""

    def ask(self, view: View) -> bytes:
        """The request for a decision of the seat of `view`."""

    def tell(self, event: Event, view: View) -> bytes | None:
        """The message that tells the seat of `view` of `event`; None where its contest has none."""

    def receive(self, received: bytes) -> list[Heard]:
        """What the bot has said with the bytes so far, in order; the bytes may be cut anywhere."""

    @property
    def unfinished(self) -> bytes:
        """The beginning of a message whose end has not come; b"" for none."""

    def answer(self, outcome: Outcome) -> bytes:
        """The reply to what the bot said."""

    def logs(self, transcript: Sequence[str]) -> bytes:
        """The reply to a bot that wants its own log; `transcript` has the lines, oldest first."""


class LineDialect:
    """What dialects of lines have in common. They confirm no action, and no bot can ask for its log."""

    def __init__(self, longest: int) -> None:
        """`longest` is the most bytes of a line."""
        self._longest = longest
        self._line = b""
        self._skipping = False
        """Whether what comes is the rest of a line that was too long."""

    def receive(self, received: bytes) -> list[Heard]:
        *whole, self._line = (self._line + received).split(b"\n")
        heard = [each for line in whole for each in self._next(line)]
        if len(self._line) > self._longest:
            heard += self._next(self._line)
            self._line, self._skipping = b"", True
        return heard

    @property
    def unfinished(self) -> bytes:
        return self._line

    def answer(self, outcome: Outcome) -> bytes:
        return b""

    def logs(self, transcript: Sequence[str]) -> bytes:
        return b""

    def _next(self, line: bytes) -> list[Heard]:
        skipped, self._skipping = self._skipping, False
        return [] if skipped else self._read(line)

    def _read(self, line: bytes) -> list[Heard]:
        """What a line says: nothing, a message, or more."""
        raise NotImplementedError


def quoted_line(line: bytes) -> str:
    """The beginning of a line, for its author."""
    return f"{line[:QUOTED].decode(errors='replace')!a}{'…' if len(line) > QUOTED else ''}"
