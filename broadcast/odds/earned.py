"""Divides what each bot won in a game into luck of the board and earned chips. All results are exact. No I/O.

Luck is what the board was worth to a bot. `server.equity.luck` explains why a bot's luck is 0 on average, however the
bot plays.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import Self, TypeVar

from msgspec import Struct

from server.equity.luck import HandLuck
from server.game import events
from server.game.events import Event
from server.game.tournament import stacks_after_forfeit

Name = TypeVar("Name")


class Earned(Struct, frozen=True):
    """A bot's result over some hands, in chips. `won` is the growth of its stack."""

    hands: int = 0
    won: int | Fraction = 0
    luck: Fraction = Fraction()
    """The part of `won` that was luck of the board."""
    unknown: int = 0
    """The number of hands with unknown cards. All chips won in these hands are treated as earned."""
    others: Fraction = Fraction()
    """The part of `earned` that came from the other bots' play in a stage of deals (see
    `broadcast.odds.others_play`).
    """

    @property
    def earned(self) -> Fraction:
        """`won` minus `luck`."""
        return self.won - self.luck

    def divided(self, scale: int) -> Self:
        """Returns the same result with all amounts divided by `scale`."""
        return type(self)(self.hands, Fraction(self.won, scale), self.luck / scale, self.unknown, self.others / scale)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.hands + other.hands,
            self.won + other.won,
            self.luck + other.luck,
            self.unknown + other.unknown,
            self.others + other.others,
        )


EarnedByBot = dict[int, Earned]
"""The bots' results in one unit, keyed by bot. A unit is a game, or a whole tournament if bots keep their stacks from
game to game. In a stage of deals, a unit is one deal, with the results of all its tables added up. The hands of a game
depend on one another, but units are independent. So the variation from unit to unit shows how certain the results are.
"""
NOTHING_EARNED = Earned()


def earned_in_each_unit(recorded: Iterable[Event]) -> list[EarnedByBot]:
    """Returns the bots' results in each unit of a recording. Leaves out units without results, and an unfinished hand.

    Raises IndexError, KeyError or ValueError if the events contradict one another, as they may in a forged recording.
    """
    earnings = Earnings()
    for event in recorded:
        earnings.apply(event)
    return [unit for unit in earnings.units if unit]


class Earnings:
    """Adds up the results of one recording in `units`. Some units may be empty."""

    def __init__(self) -> None:
        self.units: list[EarnedByBot] = [{}]
        self._hand = HandLuck()
        self._is_unit_per_game = self._has_deals = False
        self._bots: tuple[int, ...] = ()
        self._stacks: tuple[int, ...] = ()

    @property
    def luck(self) -> dict[int, Fraction]:
        """Returns each bot's luck so far in the current or last hand. Returns {} if luck depends on unknown cards."""
        return self._hand.luck

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises what `earned_in_each_unit` raises."""
        self._hand.apply(event)
        match event:
            case events.StageStarted(games=games, carry=carry, deals=deals):
                self._is_unit_per_game, self._has_deals = games > 0 and not carry, bool(deals)
                if not carry:
                    self.units.append({})
            case events.GameStarted(seats=bots, stacks=stacks):
                self._bots, self._stacks = bots, stacks
                # A game with `dealt_as` repeats the decks of an earlier game: it is another table of the same deal.
                if self._is_unit_per_game and not (self._has_deals and event.dealt_as):
                    self.units.append({})
            case events.HandStarted(stacks=stacks):
                self._stacks = stacks
            case events.HandEnded(stacks=stacks):
                self._end(stacks, 1)
            case events.GameForfeited(seat=seat):
                self._end(stacks_after_forfeit(seat, self._stacks), 0)

    def _end(self, stacks: tuple[int, ...], hands: int) -> None:
        """Adds the result of a hand that has ended (`hands` is 1), or of a forfeit (`hands` is 0)."""
        unit, luck = self.units[-1], self._hand.luck if hands else {}
        for bot, before, after in zip(self._bots, self._stacks, stacks, strict=True):
            if before:
                unknown = int(hands > 0 and bot not in luck)
                result = Earned(hands, after - before, luck.get(bot, Fraction()), unknown)
                unit[bot] = unit.get(bot, NOTHING_EARNED) + result
        self._stacks = stacks


def in_whole_chips(luck: Mapping[Name, Fraction]) -> dict[Name, int]:
    """Rounds each bot's luck up or down to a whole chip, so that the sum over all bots stays the same. In one hand,
    this sum is 0.
    """
    rounded = {name: floor(amount) for name, amount in luck.items()}
    nearest = sorted(luck, key=lambda name: rounded[name] - luck[name])
    for name in nearest[: round(sum(luck.values())) - sum(rounded.values())]:
        rounded[name] += 1
    return rounded
