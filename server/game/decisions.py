"""What a bot may want. A check is a call of nothing; going all-in is a raise to everything one has."""

from msgspec import Struct


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Call(Struct, frozen=True):
    """Match the current bet, or check when there is nothing to match."""


class RaiseTo(Struct, frozen=True):
    """Bring one's own bet on this street to `amount` chips in all."""

    amount: int


class PostBlind(Struct, frozen=True):
    """Post a blind of `amount` chips, where blinds are asked for."""

    amount: int


Decision = Fold | Call | RaiseTo | PostBlind


class IllegalAction(ValueError):
    """The rules forbid the decision; the hand has not changed. The text says what was wrong and what is allowed."""
