"""What each bot has won, what of that was luck, and what it has earned, counted in units. Pure.

A unit is what is compared to tell how sure a result is: a game; or a whole tournament where chips are kept from table
to table until enough bots are out. Hands of one game are no units: they depend on one another.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Self

from msgspec import Struct

from broadcast.odds.luck import HandLuck
from server.game.events import Event, GameForfeited, GameStarted, HandEnded, HandStarted, StageStarted
from server.game.tournament import forfeit


class Earned(Struct, frozen=True):
    """The result of a bot over some hands, in chips: `won` is what its stack has grown by."""

    hands: int = 0
    won: int | Fraction = 0
    luck: Fraction = Fraction()
    """How much of `won` was luck of the board."""
    unknown: int = 0
    """Hands of which nobody knows all the cards; what was won in them counts as earned."""

    @property
    def earned(self) -> Fraction:
        """What is left of `won` without luck."""
        return self.won - self.luck

    def divided(self, scale: int) -> Self:
        """The same with chips that are worth `scale` times as much."""
        return type(self)(self.hands, Fraction(self.won, scale), self.luck / scale, self.unknown)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.hands + other.hands, self.won + other.won, self.luck + other.luck, self.unknown + other.unknown
        )


Unit = dict[int, Earned]
"""What was earned in one unit, by bot."""
NOTHING = Earned()


def units_of(events: Iterable[Event]) -> list[Unit]:
    """The units of a recording, those without a hand left out; a hand that was not finished does not count.

    Raises IndexError, KeyError or ValueError where the events do not follow from one another, as in a forged recording.
    """
    counting = Earnings()
    for event in events:
        counting.take(event)
    return [unit for unit in counting.units if unit]


class Earnings:
    """Counts the hands of one recording into `units`, some of which may be empty."""

    def __init__(self) -> None:
        self.units: list[Unit] = [{}]
        self._hand = HandLuck()
        self._each_game = False
        self._bots: tuple[int, ...] = ()
        self._stacks: tuple[int, ...] = ()

    def take(self, event: Event) -> None:
        """Counts `event`. Raises as `units_of`."""
        self._hand.take(event)
        match event:
            case StageStarted(games=games, carry=carry):
                self._each_game = games > 0 and not carry
                if not carry:
                    self.units.append({})
            case GameStarted(seats=bots, stacks=stacks):
                self._bots, self._stacks = bots, stacks
                if self._each_game:
                    self.units.append({})
            case HandStarted(stacks=stacks):
                self._stacks = stacks
            case HandEnded(stacks=stacks):
                self._end(stacks, 1)
            case GameForfeited(seat=seat):
                self._end(forfeit(seat, self._stacks), 0)

    def _end(self, stacks: tuple[int, ...], hands: int) -> None:
        """Counts a hand that has ended, or with no hand the chips that a fault has cost."""
        unit, luck = self.units[-1], self._hand.luck if hands else {}
        for bot, before, after in zip(self._bots, self._stacks, stacks, strict=True):
            if before:
                unknown = int(hands > 0 and bot not in luck)
                here = Earned(hands, after - before, luck.get(bot, Fraction()), unknown)
                unit[bot] = unit.get(bot, NOTHING) + here
        self._stacks = stacks
