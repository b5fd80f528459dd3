"""How much of a hand's result was luck of the board, exactly: what each of its cards was worth to whom. Pure.

Before and after a deal each pot has an exact worth to everybody who can win it, given all cards that were dealt, folded
ones too. What one gains by it others lose, so luck adds up to 0; and on average it is 0, whatever bots do.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain
from math import floor
from typing import TypeVar

from server.game.cards import Card
from server.game.events import BetsCollected, Event, GameStarted, HandStarted, HoleDealt, Pot, StreetDealt

Name = TypeVar("Name")


class HandLuck:
    """The luck of one hand after the other, counted from the events of a journal or of what is on air."""

    def __init__(self) -> None:
        self._bots: tuple[int, ...] = ()
        self._begin(())

    @property
    def luck(self) -> dict[int, Fraction]:
        """The luck of each bot that was dealt in, in chips: so far in this hand, or in all of the one that has ended.

        Together 0. Empty where it depends on cards that nobody knows, as in some published hands.
        """
        return {self._bots[seat]: luck for seat, luck in self._luck.items()} if self._known else {}

    def take(self, event: Event) -> None:
        """Counts what `event` adds. Raises IndexError or KeyError for a seat that is not there, as in a forged
        recording.
        """
        match event:
            case GameStarted(seats=bots):
                self._bots = bots
            case HandStarted(stacks=stacks):
                self._begin(stacks)
            case HoleDealt(seat=seat, cards=cards):
                self._holes[seat] = cards
            case BetsCollected(pots=pots):
                self._pots = pots
            case StreetDealt(cards=cards):
                self._deal(cards)

    def _begin(self, stacks: tuple[int, ...]) -> None:
        self._luck = {seat: Fraction() for seat, stack in enumerate(stacks) if stack}
        self._known = True
        self._holes: dict[int, tuple[Card, ...]] = {}
        self._board: tuple[Card, ...] = ()
        self._pots = ()
        """Without what nobody called, and each with the seats that had not folded when the betting ended."""

    def _deal(self, cards: tuple[Card, ...]) -> None:
        before, self._board = self._board, self._board + cards
        contested = [pot for pot in self._pots if len(pot.seats) > 1]
        try:
            for pot in contested if self._known else ():
                for seat, was, now in zip(pot.seats, self._of(pot, before), self._of(pot, self._board), strict=True):
                    self._luck[seat] += pot.amount * (now - was)
        except ValueError:  # a card that nobody knows, or one that a forged recording has twice
            self._known = False

    def _of(self, pot: Pot, board: tuple[Card, ...]) -> tuple[Fraction, ...]:
        """Which part of a pot each of its seats may expect. Raises ValueError where a card is not known."""
        hands = [(self._holes[seat][0], self._holes[seat][1]) for seat in pot.seats]
        dead = chain.from_iterable(cards for seat, cards in self._holes.items() if seat not in pot.seats)
        return parts_of(hands, board, tuple(dead))


def parts_of(hands: list[tuple[Card, Card]], board: tuple[Card, ...], dead: tuple[Card, ...]) -> tuple[Fraction, ...]:
    """Which part of a pot each of `hands` may expect, together 1; `dead` cards cannot come. Raises as `equities`."""
    from broadcast.odds.equity import WHOLE, equities  # noqa: PLC0415  brings NumPy, which a studio is not to wait for

    return tuple(Fraction(each.share, each.boards * WHOLE) for each in equities(hands, board, dead))


def in_whole_chips(luck: Mapping[Name, Fraction]) -> dict[Name, int]:
    """Luck in whole chips, each rounded up or down so that in all it adds up as before: to 0 for all bots of a hand."""
    rounded = {name: floor(each) for name, each in luck.items()}
    nearest = sorted(luck, key=lambda name: rounded[name] - luck[name])
    for name in nearest[: round(sum(luck.values())) - sum(rounded.values())]:
        rounded[name] += 1
    return rounded
