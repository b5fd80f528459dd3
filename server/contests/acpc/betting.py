"""A hand in the protocol's notation: betting, cards and positions, from events and back. Pure.

Position 0 is the first seat after the button: the small blind, or heads-up the big blind.
"""

import re
from collections.abc import Mapping, Sequence

from server.contests.acpc.game_definition import Game
from server.game.cards import Card
from server.game.events import ActionTaken, BlindPosted, Event, StreetDealt
from server.game.hand import circle

_ACT = re.compile(r"f|c|r[0-9]{1,10}|/")


class Betting:
    """The actions of one hand, "r300c/cr600f"; raises are totals of the whole hand.

    `text` has the actions so far, `paid` the chips by seat, `board` the cards of each street.
    """

    def __init__(self) -> None:
        self.text = ""
        self.paid: dict[int, int] = {}
        self.board: list[tuple[Card, ...]] = []

    def apply(self, event: Event) -> None:
        """Applies the next event of the hand."""
        match event:
            case BlindPosted(seat=seat, amount=amount):
                self._pay(seat, amount)
            case ActionTaken(seat=seat, amount=amount, act=act):
                self._pay(seat, amount)
                self.text += "f" if act == "fold" else "c" if act in ("check", "call") else f"r{self.paid[seat]}"
            case StreetDealt(cards=cards):
                self.text += "/"
                self.board.append(cards)

    def cards(self, hole: Mapping[int, Sequence[Card]], positions: Sequence[int]) -> str:
        """The cards field, such as "TdAs|/2c8c3h": the known hole cards by position, then the board."""
        return "/".join(["|".join("".join(hole[seat]) for seat in positions), *map("".join, self.board)])

    def _pay(self, seat: int, amount: int) -> None:
        self.paid[seat] = self.paid.get(seat, 0) + amount


def acts_of(betting: str) -> list[str]:
    """The actions in "r300c/cr600f", with "/" between the rounds. Raises ValueError for anything else."""
    acts = _ACT.findall(betting)
    if "".join(acts) != betting:
        raise ValueError(f"its betting {betting[:40]!r} has more than f, c, r with a total, and /")
    return acts


class Turns:
    """The betting of one hand, action by action. Players are positions.

    `spent` is each player's chips in the hand, `earlier` the highest of them before this round.
    """

    def __init__(self, game: Game) -> None:
        self._stack, self._big = game.stack, game.level.big
        self.spent = game.blinds
        self.folded: set[int] = set()
        self.earlier = 0
        self._raised_by = self._big
        """The size of the round's largest raise; at least the big blind."""
        self._due = self._able_from(1 if game.players == 2 else 2)
        """The positions that are still to act in this round, in order."""

    @property
    def acting(self) -> int | None:
        """The position whose turn it is; None if the round or the hand is over."""
        return self._due[0] if self._due and len(self.folded) < len(self.spent) - 1 else None

    @property
    def least(self) -> int:
        """The lowest total of a raise, unless a player has less."""
        return max(self.spent) + self._raised_by

    def apply(self, act: str) -> int:
        """Applies "f", "c" or "r300"; returns who acted. Raises ValueError if it is nobody's turn."""
        at = self.acting
        if at is None:
            raise ValueError("there is an action where nobody is left to act")
        if act == "f":
            self.folded.add(at)
        elif act == "c":
            self.spent[at] = max(self.spent)
        else:
            self._raised_by = max(self._raised_by, int(act[1:]) - max(self.spent))
            self.spent[at] = int(act[1:])
        self._due = [other for other in self._able_from(at + 1) if other != at] if act[1:] else self._due[1:]
        return at

    def next_street(self) -> None:
        """Begins the next round. Nobody acts in it without an opponent to bet against."""
        self.earlier, self._raised_by = max(self.spent), self._big
        able = self._able_from(0)
        self._due = able if len(able) > 1 else []

    def _able_from(self, first: int) -> list[int]:
        """The positions that are neither folded nor all-in, clockwise."""
        seats = circle(first, len(self.spent))
        return [at for at in seats if at not in self.folded and self.spent[at] < self._stack]
