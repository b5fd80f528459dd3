"""What a bot may want, and what that comes to under the rules.

A check is a call of nothing; going all-in is a raise to everything one has, or a call where nobody may raise.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.events import Act


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Call(Struct, frozen=True):
    """Match the current bet, or check when there is nothing to match."""


class RaiseTo(Struct, frozen=True):
    """Bring one's own bet on this street to `raise_to` chips in all."""

    raise_to: int


class AllIn(Struct, frozen=True):
    """Put in everything where that is a raise, else call."""


class PostBlind(Struct, frozen=True):
    """Post a blind of `amount` chips, where blinds are asked for."""

    amount: int


Decision = Fold | Call | RaiseTo | AllIn | PostBlind


class Action(Struct, frozen=True):
    """A decision as the rules take it, made by `decide.resolve`: it is legal for the hand that it was made for."""

    seat: int
    act: Act
    bet: int
    """Chips that the seat has bet on this street once it has acted; a raise may come to less than was asked for."""
    posts_blind: bool = False
    """Whether this is a blind that was asked for."""
    declared: Literal["all_in"] | UnsetType = UNSET
    """See `ActionTaken`."""


class IllegalAction(ValueError):
    """The rules forbid the decision; the hand has not changed. The text says what was wrong and what is allowed."""
