"""What is taken down of one bot for its author: every message in both directions, and what was wrong."""

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from server.game.events import Fault
from server.game.hand import Hand

Way = Literal[">", "<", "!"]
"""`>` to the bot, `<` from it, `!` is what happened instead, in our own words."""


class Wrong(Struct, frozen=True):
    """A fault, and why, in our own words.

    `sent` is the very message, as it came, or as much of it as came; b"" where none did. `hand` is what it had to
    answer, None where it was not asked. `late`: it is an answer to an earlier request, whose time was up.
    """

    fault: Fault
    reason: str
    sent: bytes
    hand: Hand | None
    late: bool = False


class Record(Protocol):
    """Takes down. It must be quick, and keep what strangers send within its own limits."""

    def note(self, way: Way, message: bytes) -> None:
        """A message has gone to the bot, or come from it; the bytes may be cut anywhere."""

    def wrong(self, wrong: Wrong) -> None:
        """The bot has done something wrong."""


class NoRecord:
    """Takes nothing down."""

    def note(self, way: Way, message: bytes) -> None:
        """Does nothing."""

    def wrong(self, wrong: Wrong) -> None:
        """Does nothing."""


RecordOf = Callable[[int], Record]
"""The record of a bot, by its number."""


def no_record(_bot: int) -> Record:
    """Takes down nothing of any bot."""
    return NoRecord()
