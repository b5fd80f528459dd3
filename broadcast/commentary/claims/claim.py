"""What is found in a bot's thought: claims that can be checked, and its estimates of winning. Pure."""

from msgspec import Struct

CLOSE, FAR_OFF = 10, 20
"""An estimate of winning is close if it is at most the first number of points off the real chance, and far off if it is
more than the second.
"""
SURE = 2
"""If the real chance is 0 or 100 %, an estimate is close only up to this number of points."""


class Claim(Struct, frozen=True):
    """A claim: the words from `start` to `end` of a thought say something that the bot could check.

    `kind` is what the claim is about, such as "made hand". If it is not `right`, `truth` says the truth in a few words:
    "has: one pair"; otherwise `truth` is "".
    """

    start: int
    end: int
    kind: str
    right: bool
    truth: str = ""


class Estimate(Struct, frozen=True):
    """A bot's estimate of its chance to win, from `start` to `end` of its thought. All chances are from 0 to 1.

    `real` is the bot's exact share of the pot, given all cards of the live hands, where a tie counts as a part of a
    win. None if some cards are unknown. `shown` is the chance as the seat shows it when the bot has to act: "16%",
    or "4%, and 7% to tie" if a tie is likelier than a win. `badge` is that chance as a number; for a tie, it is `real`.
    """

    start: int
    end: int
    value: float
    real: float | None
    shown: str = ""
    badge: float | None = None

    @property
    def close(self) -> bool:
        """Whether the estimate is at most 10 points from the badge, or 2 points from a badge of 0 or 100 %."""
        return self._points_off is not None and self._points_off <= (SURE if self.badge in (0, 1) else CLOSE)

    @property
    def far_off(self) -> bool:
        """Whether the estimate is more than 20 points from the badge."""
        return self._points_off is not None and self._points_off > FAR_OFF

    @property
    def _points_off(self) -> int | None:
        return None if self.badge is None else round(abs(self.value - self.badge) * 100)


class Reading(Struct, frozen=True):
    """What a bot said at action number `action` (from 1) of the latest hand, checked; `bot` sits in `seat`."""

    bot: int
    seat: int
    action: int
    claims: tuple[Claim, ...]
    estimates: tuple[Estimate, ...] = ()
