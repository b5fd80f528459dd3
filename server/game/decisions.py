"""The decisions a bot may make, and the actions they result in under the rules.

A check is a call of nothing; all-in is a raise to the whole stack, or a call if no raise is allowed.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.events import Act


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Call(Struct, frozen=True):
    """Match the current bet, or check if there is nothing to match."""


class RaiseTo(Struct, frozen=True):
    """Raise one's bet on this street to a total of `raise_to` chips."""

    raise_to: int


class AllIn(Struct, frozen=True):
    """Put in the whole stack if that is a raise, else call."""


class PostBlind(Struct, frozen=True):
    """Post a blind of `amount` chips, when asked for it."""

    amount: int


Decision = Fold | Call | RaiseTo | AllIn | PostBlind


class Action(Struct, frozen=True):
    """A decision under the rules, as `betting.resolve` returns it; it is legal in that hand."""

    seat: int
    act: Act
    bet: int
    """The seat's total bet on this street after the action; a raise may be smaller than the bot wanted."""
    posts_blind: bool = False
    """Whether this is a blind that was asked for."""
    declared: Literal["all_in"] | UnsetType = UNSET
    """See `ActionTaken`."""


class IllegalAction(ValueError):
    """The rules forbid the decision, and the hand has not changed. The text says what was wrong and what is allowed."""
