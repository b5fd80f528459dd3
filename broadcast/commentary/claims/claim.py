"""What is found in a bot's thought: claims that can be checked, and its estimates of winning. Pure."""

from msgspec import Struct

FAR_OFF = 0.5
"""An estimate of winning is very wrong if the real chance differs by more than this."""


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

    A share of a tie counts as that share of a win. `real` is the chance with all cards of the hands still live; None if
    some are unknown. `shown` is it as the seat shows it, without ties: "16%", or "tie 7%" if a tie is likelier.
    """

    start: int
    end: int
    value: float
    real: float | None
    shown: str = ""

    @property
    def far_off(self) -> bool:
        """Whether it is more than half of all chances off. Less may be due to cards that the bot could not know."""
        return self.real is not None and abs(self.value - self.real) > FAR_OFF


class Reading(Struct, frozen=True):
    """What a bot said at action number `action` (from 1) of the latest hand, checked; `bot` sits in `seat`."""

    bot: int
    seat: int
    action: int
    claims: tuple[Claim, ...]
    estimates: tuple[Estimate, ...] = ()
