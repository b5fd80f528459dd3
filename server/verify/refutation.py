"""How a proof fails: a recording contradicts the rules or itself, and the comparisons that say so."""

from collections.abc import Sequence
from contextlib import suppress

from server.game.events import Event
from server.verify.differences import difference, in_words


class Refuted(ValueError):
    """The recording contradicts the rules or itself: `what` is wrong, in words, and `where`, "" if that is not known.

    `event` is the number of the event in its hand, from 0; -1: the one that was passed in last.
    """

    def __init__(self, what: str, where: str = "", *, event: int = -1) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where
        self.event = event


def same(what: str, recorded: object, right: object) -> None:
    """Raises Refuted unless `recorded` equals `right`; `what` names the value in words."""
    if recorded != right:
        raise Refuted(f"{what} should be {in_words(right)}, but the recording says {in_words(recorded)}")


def same_events(recorded: Sequence[Event], right: Sequence[Event], begin: int = 0) -> None:
    """Raises Refuted unless the recorded events of a hand, from number `begin` on, are those that the rules lead to."""
    for number, (is_there, expected) in enumerate(zip(recorded[begin:], right, strict=False), begin):
        if is_there != expected:
            raise Refuted(difference(is_there, expected), event=number)


def key_in(digits: str, what: str) -> bytes:
    """The bytes of a key in lower-case hexadecimal digits; `what` names it. Raises Refuted for anything else."""
    with suppress(ValueError):
        key = bytes.fromhex(digits)
        if key.hex() == digits:
            return key
    raise Refuted(f"{what} is no hexadecimal number")
