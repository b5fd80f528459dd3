"""The operators at the desk: one seat for every open page, each with a unique name."""

from typing import Literal

from msgspec import Struct

LONGEST_NAME = 24
"""Characters."""


class DeskSeat(Struct, frozen=True):
    """An operator's page: its name, its right at the desk, and its IP address."""

    name: str
    right: Literal["", "view", "control"]
    address: str


class DeskSeats:
    """The seats that are taken, in the order in which the pages were opened."""

    def __init__(self) -> None:
        self.taken: list[DeskSeat] = []

    def take(self, name: str, right: Literal["", "view", "control"], address: str) -> DeskSeat:
        """Takes a seat under `name`, with a number where it is taken; without a name "desk 1", "desk 2" and so on."""
        given = fit_name(name)
        names = {seat.name for seat in self.taken}
        choices = ([given] if given else []) + [f"{given or 'desk'} {number}" for number in range(1, len(names) + 2)]
        free = next(each for each in choices if each not in names)
        seat = DeskSeat(free, right, address)
        self.taken = [*self.taken, seat]
        return seat

    def leave(self, seat: DeskSeat) -> None:
        """Frees `seat`; does nothing if it is not taken."""
        self.taken = [other for other in self.taken if other is not seat]


def fit_name(name: str) -> str:
    """An operator's name made fit for journal and page: one line of printable characters, at most `LONGEST_NAME`."""
    return one_line(name, LONGEST_NAME)


def one_line(text: str, most: int) -> str:
    """A text as one line of printable characters, at most so many; it may be empty."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:most].strip()
