"""The messages that bots can send, and the base classes of dialects, which read and write a contest's messages."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from server.game.decisions import Decision
from server.game.events import Account, Event
from server.game.view import View
from server.text.names_and_chat import has_visible_text
from server.text.strict_json import MAX_DIGITS

_MAX_NOTE_CHARACTERS = 2_000
"""At most this many characters of a note (a bot's comment on its action) are read. Viewers see far fewer."""
MAX_TOKENS, MAX_COST_DOLLARS = 10_000_000, 1000
"""The most tokens and the most dollars that a bot may report for one answer. Larger numbers are ignored."""
MILLION = 1_000_000
_FRACTION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,18})?")
_ACTION_WORD = re.compile(r"[A-Za-z0-9_.+-]{1,20}")
THOUGHT_PREFIX = b"# thought:"
"""The beginning of a line that has a note. Some dialects accept such a line before an answer."""
_COMMENT_LINE = re.compile(rb"# (thought|tokens|cost):(.*)", re.DOTALL)
MAX_THOUGHT_BYTES = 4096
"""This many bytes of a line with a note are kept, even if a dialect keeps fewer bytes of its other lines."""
MAX_QUOTED_BYTES = 40
"""At most this many bytes of a bad line are quoted to the bot's author."""


class DecisionMessage(Struct, frozen=True):
    """A decision of the bot. The decision may be illegal. `note` is the bot's comment exactly as sent. `account` has
    the tokens and dollars that the bot says it has spent.
    """

    decision: Decision
    note: str = ""
    account: Account | UnsetType = UNSET


def note_of(answer: Mapping[str, object]) -> str:
    """Returns the note of an answer, or "" if it has none. An invalid note is left out, but the answer stays valid."""
    note = answer.get("note")
    text = note[:_MAX_NOTE_CHARACTERS] if isinstance(note, str) else ""
    return text if has_visible_text(text) else ""


def account_of(answer: Mapping[str, object]) -> Account | UnsetType:
    """Returns the tokens and dollars that a bot says it has spent on an answer, or UNSET if it says neither. Ignores
    invalid numbers, and reports no fault.
    """
    tokens, cost = whole_number(answer.get("tokens")), _dollars(answer.get("cost"))
    account = Account(
        tokens if tokens is not None and 0 <= tokens <= MAX_TOKENS else UNSET,
        round(cost * MILLION) if cost is not None and 0 <= cost <= MAX_COST_DOLLARS else UNSET,
    )
    return UNSET if account == Account() else account


def _dollars(value: object) -> float | None:
    """Reads a number or a string such as "0.25". Returns None for anything else."""
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return float(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


class CommentLines:
    """The lines `# thought: …`, `# tokens: …` and `# cost: …` before an answer, in dialects that accept such lines."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def clear(self) -> None:
        self._values.clear()

    def add_line(self, line: bytes) -> bool:
        """Keeps a comment line for the next answer. Returns whether `line` is a comment line."""
        comment = _COMMENT_LINE.fullmatch(line)
        if comment:
            self._values["note" if comment[1] == b"thought" else comment[1].decode()] = (
                comment[2].decode(errors="replace").strip()
            )
        return comment is not None

    def annotate(self, decision: Decision) -> DecisionMessage:
        """Returns the decision with the comments from these lines."""
        return DecisionMessage(decision, note_of(self._values), account_of(self._values))


def whole_number(value: object) -> int | None:
    """Reads an integer or a string of digits. Returns None for anything else, such as 2.0 or true."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS:
        return int(value)
    return value if type(value) is int else None


def whole_number_fault(key: str, value: object) -> str:
    """Explains to the bot's author that the value of `key` is not a whole number."""
    return f"the {key}{quoted(value)} must be a whole number, such as 60"


def quoted(value: object) -> str:
    """If `value` is a number with decimals or a plain word, returns a space and `value`. A word gets quotation marks.
    For any other value, returns "", so that no unsafe text gets into logs.
    """
    if isinstance(value, float):
        return f" {value}"
    return f' "{value}"' if isinstance(value, str) and _ACTION_WORD.fullmatch(value) else ""


class ChatMessage(Struct, frozen=True):
    """A chat message. `text` is exactly what the bot sent. It is made safe only when it is passed on."""

    text: str


class LogRequest(Struct, frozen=True):
    """The bot's request for its own log."""


class NoAnswer(Struct, frozen=True):
    """The bot says that it will not answer the request whose time is up. So the server need not wait for a late
    answer.
    """


class Malformed(Struct, frozen=True):
    """Bytes from the bot that are not a message of its dialect. `reason` is in this program's words. It may quote a
    plain word from the bot, or the escaped beginning of a line. `code` is the dialect's error code.
    """

    reason: str
    code: str = "INVALID_INPUT"


class Incompatible(Struct, frozen=True):
    """A message in another version of the protocol. The bot is disconnected."""

    reason: str


MessageContent = DecisionMessage | ChatMessage | LogRequest | NoAnswer | Malformed | Incompatible
"""Every kind of message that a bot can send."""


class BotMessage(Struct, frozen=True):
    """A message from a bot: its bytes, and what they mean."""

    raw: bytes
    content: MessageContent


Outcome = Literal["accepted", "not expected", "illegal"] | Malformed
"""What became of a message.

"accepted": the bot's decision is carried out. "not expected": the bot was not asked, or had already answered.
"illegal": the rules forbid the decision. In some contests, the bot may then answer again within its time. Malformed:
the bytes are not a message.
"""


class Dialect(Protocol):
    """Turns events and views (a view is a hand as one seat sees it) into bytes for a contest's bots, and bytes from the
    bots into messages. An empty message is not sent. No I/O.
    """

    @property
    def notified_events(self) -> tuple[type[Event], ...]:
        """The kinds of events that are reported to bots."""

    @property
    def allows_retry(self) -> bool:
        """Whether a bot whose answer was refused may answer again within its time."""

    def ask(self, view: View) -> bytes:
        """Returns the request that asks the seat of `view` for a decision."""

    def notify(self, event: Event, view: View) -> bytes | None:
        """Returns the message that reports `event` to the seat of `view`, or None if the dialect has none."""

    def receive(self, received: bytes) -> list[BotMessage]:
        """Returns the messages that these bytes complete, in order. The bytes may end in the middle of a message."""

    @property
    def unfinished(self) -> bytes:
        """The beginning of a message whose end has not arrived yet, or b""."""

    def answer(self, outcome: Outcome) -> bytes:
        """Returns the reply to a bot whose message had this outcome."""

    def logs(self, transcript: Sequence[str]) -> bytes:
        """Returns the reply to a bot that asks for its log. `transcript` has the lines, oldest first."""


class LineDialect:
    """The base class of line-based dialects. By default, such a dialect confirms no actions and sends no logs."""

    def __init__(self, max_bytes: int) -> None:
        """If more than `max_bytes` bytes of a line arrive without its end, these bytes are read and the rest is
        skipped. For a line with a note, the limit is at least MAX_THOUGHT_BYTES.
        """
        self._max_bytes = max_bytes
        self._unfinished_line = b""
        self._is_skipping = False
        """Whether the rest of an overlong line is being skipped."""

    def receive(self, received: bytes) -> list[BotMessage]:
        *lines, self._unfinished_line = (self._unfinished_line + received).split(b"\n")
        bot_messages = [message for line in lines for message in self._read_or_skip(line)]
        max_bytes = (
            max(self._max_bytes, MAX_THOUGHT_BYTES)
            if self._unfinished_line.startswith(THOUGHT_PREFIX)
            else self._max_bytes
        )
        if len(self._unfinished_line) > max_bytes:
            bot_messages += self._read_or_skip(self._unfinished_line)
            self._unfinished_line, self._is_skipping = b"", True
        return bot_messages

    @property
    def unfinished(self) -> bytes:
        return self._unfinished_line

    def answer(self, outcome: Outcome) -> bytes:
        return b""

    def logs(self, transcript: Sequence[str]) -> bytes:
        return b""

    def _read_or_skip(self, line: bytes) -> list[BotMessage]:
        skipped, self._is_skipping = self._is_skipping, False
        return [] if skipped else self._read(line)

    def _read(self, line: bytes) -> list[BotMessage]:
        """Returns the messages in a line, usually one or none."""
        raise NotImplementedError


def quoted_line(line: bytes) -> str:
    """Returns the beginning of a line, to quote to the bot's author."""
    return f"{line[:MAX_QUOTED_BYTES].decode(errors='replace')!a}{'…' if len(line) > MAX_QUOTED_BYTES else ''}"
