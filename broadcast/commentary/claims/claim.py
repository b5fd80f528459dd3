"""The types for what is found in a bot's thought: claims that can be checked, and estimates of winning. No I/O."""

from msgspec import Struct

MAX_CLOSE_POINTS, MAX_POINTS_OFF = 10, 20
"""An estimate of winning is close if it is at most MAX_CLOSE_POINTS percentage points from the real chance. It is far
off if it is more than MAX_POINTS_OFF percentage points from that chance.
"""
MAX_CERTAIN_POINTS = 2
"""If the real chance is 0 or 100 %, a close estimate is at most this many percentage points from it."""


class Claim(Struct, frozen=True):
    """A claim: the words from `start` to `end` of a thought say something that the bot could check.

    `kind` is what the claim is about, such as "made hand". `right` says whether the claim is true. `truth` corrects a
    false claim in a few words, such as "has: one pair". If the claim is true, `truth` is "".
    """

    start: int
    end: int
    kind: str
    right: bool
    truth: str = ""


class Estimate(Struct, frozen=True):
    """A bot's estimate of its chance to win, in the words from `start` to `end` of a thought. Chances are from 0 to 1.

    `estimated_chance` is the estimate. `real_chance` is the share of the pot that the bot can expect, computed from all
    cards of the live hands. If some cards are unknown, `real_chance` is None. `shown` is the chance that viewers see at
    the seat when the bot has to act, such as "16%". The estimate is compared with `compared_chance`. If a tie is
    likelier than a win, `shown` is a text such as "4%, and 7% to tie", and `compared_chance` is `real_chance`.
    Otherwise `compared_chance` is the shown chance as a number.
    """

    start: int
    end: int
    estimated_chance: float
    real_chance: float | None
    shown: str = ""
    compared_chance: float | None = None

    @property
    def is_close(self) -> bool:
        """Whether the estimate is at most MAX_CLOSE_POINTS percentage points from `compared_chance`. If
        `compared_chance` is 0 or 100 %, the limit is MAX_CERTAIN_POINTS.
        """
        return self._points_off is not None and self._points_off <= (
            MAX_CERTAIN_POINTS if self.compared_chance in (0, 1) else MAX_CLOSE_POINTS
        )

    @property
    def is_far_off(self) -> bool:
        """Whether the estimate is more than MAX_POINTS_OFF percentage points from `compared_chance`."""
        return self._points_off is not None and self._points_off > MAX_POINTS_OFF

    @property
    def _points_off(self) -> int | None:
        return None if self.compared_chance is None else round(abs(self.estimated_chance - self.compared_chance) * 100)


class Reading(Struct, frozen=True):
    """The claims and estimates found in a bot's note, which the bot gave with an action of the latest hand.

    `action` is the number of the action in the hand, counted from 1. `bot` is the bot's number, and `seat` its seat.
    """

    bot: int
    seat: int
    action: int
    claims: tuple[Claim, ...]
    estimates: tuple[Estimate, ...] = ()
