"""Follows the entries of a recording one by one, and says where in it the first one stands that is wrong."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from server.game.events import OF_A_HAND, Event, HandStarted
from server.journal.journal import Entry
from server.verify.refutation import Refuted

_INCONSISTENT = (ValueError, LookupError, ArithmeticError)
"""What the rules of the game raise where an event cannot have followed those before it."""


class Story(Protocol):
    """What has been proved of a recording so far; `take` gets its entries in order and raises Refuted."""

    @property
    def where(self) -> str:
        """The place in the recording, in words; "" at its beginning."""

    def take(self, entry: Entry) -> None:
        """Checks the next entry."""


Told = TypeVar("Told", bound=Story)


def follow(entries: Iterable[Entry], opened: Callable[[Event], Told]) -> Told:
    """What `opened` makes of the first event, once it has taken all other entries.

    Raises Refuted, with the place in the file, at the first entry that contradicts those before it.
    """
    story: Told | None = None
    lines: list[int] = []  # of the events of the last hand
    for entry in entries:
        try:
            if isinstance(entry.event, HandStarted):
                lines = []
            if isinstance(entry.event, OF_A_HAND):
                lines.append(entry.seq + 1)
            if story is None:
                story = opened(entry.event)
            else:
                story.take(entry)
        except Refuted as error:
            line = lines[error.event] if error.event >= 0 else entry.seq + 1
            raise Refuted(error.what, _where(story, line)) from None
        except _INCONSISTENT as error:
            raise Refuted("it does not follow from what came before", _where(story, entry.seq + 1)) from error
    if story is None:
        raise Refuted("the recording is empty")
    return story


def _where(story: Story | None, line: int) -> str:
    return ", ".join(filter(None, (story.where if story else "", f"line {line} of the file")))
