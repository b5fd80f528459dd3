"""The decisions that a bot may make, and the actions that result from them under the rules.

A check is a call of 0 chips. All-in is a raise to the whole stack, or a call if no raise is allowed.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.events import Act


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Call(Struct, frozen=True):
    """Match the current bet, or check if there is nothing to match."""


class RaiseTo(Struct, frozen=True):
    """Raise the bot's bet on this street to a total of `raise_to` chips."""

    raise_to: int


class AllIn(Struct, frozen=True):
    """Raise to the whole stack, or call if no raise is possible."""


class PostBlind(Struct, frozen=True):
    """Post the blind that is due, of `amount` chips."""

    amount: int


Decision = Fold | Call | RaiseTo | AllIn | PostBlind


class Action(Struct, frozen=True):
    """A legal action: what a decision means under the rules. `betting.resolve` returns it."""

    seat: int
    act: Act
    bet: int
    """The seat's total bet on this street after the action, which may be less than the bot wanted."""
    posts_blind: bool = False
    """Whether the action posts the blind that is due."""
    declared: Literal["all_in"] | UnsetType = UNSET
    """Set to "all_in" if the bot used this word for its action. Otherwise left out."""


class IllegalAction(ValueError):
    """The rules forbid the decision, and the hand is unchanged. The message says what is wrong and what is allowed."""
