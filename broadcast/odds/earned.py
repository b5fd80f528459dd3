"""Computes what each bot won in a game, how much of that was luck of the board, and what it earned. All exact and pure.

If all cards are known, even folded ones, each bot's expected share of each pot has an exact value before and after each
deal. One bot's gain is another's loss, so the luck in a hand adds up to 0. On average each bot's luck is 0, however it
plays.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain
from math import floor
from typing import Self, TypeVar

from msgspec import Struct

from server.game import events
from server.game.cards import Card
from server.game.events import Event
from server.game.tournament import forfeit

Name = TypeVar("Name")


class Earned(Struct, frozen=True):
    """A bot's result over some hands, in chips. `won` is the growth of its stack."""

    hands: int = 0
    won: int | Fraction = 0
    luck: Fraction = Fraction()
    """The part of `won` that was luck of the board."""
    unknown: int = 0
    """The number of hands with unknown cards. Chips won in these hands count as earned."""
    others: Fraction = Fraction()
    """In deals, the part of its earnings that came from the other bots' play (see `others_play`)."""

    @property
    def earned(self) -> Fraction:
        """`won` minus `luck`."""
        return self.won - self.luck

    def divided(self, scale: int) -> Self:
        """Returns the same result in chips that are each worth `scale` times as much."""
        return type(self)(self.hands, Fraction(self.won, scale), self.luck / scale, self.unknown, self.others / scale)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.hands + other.hands,
            self.won + other.won,
            self.luck + other.luck,
            self.unknown + other.unknown,
            self.others + other.others,
        )


Unit = dict[int, Earned]
"""The results of one unit, by bot. A unit is a game, or a whole tournament if bots keep their stacks from game to game.
In a stage of deals, a unit is a deal at all its tables. Unlike the hands of a game, units are independent, so their
differences show how certain a result is.
"""
NOTHING = Earned()


def units_of(recorded: Iterable[Event]) -> list[Unit]:
    """The units of a recording that have hands. An unfinished hand does not count.

    Raises IndexError, KeyError or ValueError if the events contradict one another, as they may in a forged recording.
    """
    counting = Earnings()
    for event in recorded:
        counting.apply(event)
    return [unit for unit in counting.units if unit]


class Earnings:
    """Adds up the hands of one recording in `units`; some units may be empty."""

    def __init__(self) -> None:
        self.units: list[Unit] = [{}]
        self._hand = HandLuck()
        self._each_game = self._has_deals = False
        self._bots: tuple[int, ...] = ()
        self._stacks: tuple[int, ...] = ()

    @property
    def luck(self) -> dict[int, Fraction]:
        """Returns each bot's luck so far in the current or last hand; empty if luck depends on unknown cards."""
        return self._hand.luck

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises what `units_of` raises."""
        self._hand.apply(event)
        match event:
            case events.StageStarted(games=games, carry=carry, deals=deals):
                self._each_game, self._has_deals = games > 0 and not carry, bool(deals)
                if not carry:
                    self.units.append({})
            case events.GameStarted(seats=bots, stacks=stacks):
                self._bots, self._stacks = bots, stacks
                if self._each_game and not (self._has_deals and event.dealt_as):
                    self.units.append({})
            case events.HandStarted(stacks=stacks):
                self._stacks = stacks
            case events.HandEnded(stacks=stacks):
                self._end(stacks, 1)
            case events.GameForfeited(seat=seat):
                self._end(forfeit(seat, self._stacks), 0)

    def _end(self, stacks: tuple[int, ...], hands: int) -> None:
        """Adds the result of a hand that has ended (`hands` is 1), or of a forfeit (`hands` is 0)."""
        unit, luck = self.units[-1], self._hand.luck if hands else {}
        for bot, before, after in zip(self._bots, self._stacks, stacks, strict=True):
            if before:
                unknown = int(hands > 0 and bot not in luck)
                result = Earned(hands, after - before, luck.get(bot, Fraction()), unknown)
                unit[bot] = unit.get(bot, NOTHING) + result
        self._stacks = stacks


class HandLuck:
    """The luck in each hand, counted from the events of a journal or a show."""

    def __init__(self) -> None:
        self._bots: tuple[int, ...] = ()
        self._begin(())

    @property
    def luck(self) -> dict[int, Fraction]:
        """The luck so far, in chips, of each bot that was dealt in to the current or last hand. The values add up to 0.

        Empty if luck depends on unknown cards, as in some published hands.
        """
        return {self._bots[seat]: luck for seat, luck in self._luck.items()} if self._known else {}

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises IndexError or KeyError for an unknown seat, as in a forged recording."""
        match event:
            case events.GameStarted(seats=bots):
                self._bots = bots
            case events.HandStarted(stacks=stacks):
                self._begin(stacks)
            case events.HoleDealt(seat=seat, cards=cards):
                self._holes[seat] = cards
            case events.BetsCollected(pots=pots):
                self._pots = pots
            case events.StreetDealt(cards=cards):
                self._deal(cards)

    def _begin(self, stacks: tuple[int, ...]) -> None:
        self._luck = {seat: Fraction() for seat, stack in enumerate(stacks) if stack}
        self._known = True
        self._holes: dict[int, tuple[Card, ...]] = {}
        self._board: tuple[Card, ...] = ()
        self._pots = ()
        """The pots after the last betting round, without uncalled bets, each with the seats that had not folded."""

    def _deal(self, cards: tuple[Card, ...]) -> None:
        before, self._board = self._board, self._board + cards
        contested = [pot for pot in self._pots if len(pot.seats) > 1]
        try:
            for pot in contested if self._known else ():
                for seat, was, now in zip(pot.seats, self._of(pot, before), self._of(pot, self._board), strict=True):
                    self._luck[seat] += pot.amount * (now - was)
        except ValueError:  # an unknown card, or, in a forged recording, the same card twice
            self._known = False

    def _of(self, pot: events.Pot, board: tuple[Card, ...]) -> tuple[Fraction, ...]:
        """The share of a pot that each of its seats can expect. Raises ValueError if a card is unknown."""
        hands = [(self._holes[seat][0], self._holes[seat][1]) for seat in pot.seats]
        dead = chain.from_iterable(cards for seat, cards in self._holes.items() if seat not in pot.seats)
        return parts_of(hands, board, tuple(dead))


def parts_of(hands: list[tuple[Card, Card]], board: tuple[Card, ...], dead: tuple[Card, ...]) -> tuple[Fraction, ...]:
    """The share of a pot that each of `hands` can expect; the shares add up to 1.

    `dead` cards cannot be dealt. Raises what `equities` raises.
    """
    from broadcast.odds.equity import WHOLE, equities  # noqa: PLC0415  NumPy would delay a studio's start

    return tuple(Fraction(each.share, each.boards * WHOLE) for each in equities(hands, board, dead))


def in_whole_chips(luck: Mapping[Name, Fraction]) -> dict[Name, int]:
    """Rounds luck to whole chips, up or down, and keeps the sum, which is 0 for all bots of a hand."""
    rounded = {name: floor(each) for name, each in luck.items()}
    nearest = sorted(luck, key=lambda name: rounded[name] - luck[name])
    for name in nearest[: round(sum(luck.values())) - sum(rounded.values())]:
        rounded[name] += 1
    return rounded
