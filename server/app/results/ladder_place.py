"""Computes a bot's place on the ladder from its games. The rungs of the ladder are house bots of rising strength.

A bot beats a rung if the bot certainly earns chips from the rung in the long run. All such statements about a bot
together must be true with 95 % confidence. So each single statement needs a higher confidence.
"""

from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

from broadcast.odds.certainty import Interval, interval_of
from server.bots.house.ladder import LADDER, ladder_bb_per_100

MAX_RESULTS = 400
"""The place depends on at most this many of the latest games against each rung. Earlier games are forgotten."""
RUNG_CONFIDENCE = 1 - 0.05 / len(LADDER)
"""The confidence of each rung's interval. With it, all intervals together are right with 95 % confidence (Bonferroni's
correction).
"""

RungResults = tuple[tuple[float, ...], ...]
"""The chips that a bot earned in each game against each rung, the weakest rung first."""


class RungStanding(Struct, frozen=True):
    """A rung, and the mean of the chips that the bot `earned` per game against the rung. `interval` is the confidence
    interval of this mean, or None after too few games. `rating` is the rung's strength in big blinds per 100 hands.
    """

    strength: int
    name: str
    rating: float
    games: int
    earned: float
    interval: Interval | None

    @property
    def relative_place(self) -> str:
        """Whether the rung is "below" or "above" the bot, or "" if this is uncertain."""
        if self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return ""
        return "below" if self.interval.low > 0 else "above"


class Place(Struct, frozen=True):
    """A bot's place. The bot is above rung number `above`, the strongest that it surely beats, or 0. Rungs are numbered
    from the weakest.

    The bot is below rung number `below`, the weakest that surely beats the bot. If there is none, `below` is the number
    of rungs plus 1. `steps` are all rungs, the strongest first. If the bot is ranked among the rungs, its place lies
    between `best` and `worst`. Both are None if the bot beats a rung but loses to a weaker rung. `words` describes the
    place.
    """

    steps: tuple[RungStanding, ...]
    above: int
    below: int
    best: int | None
    worst: int | None
    words: str


def add_result(results: RungResults, strength: int, earned: float) -> RungResults:
    """Returns `results` with one more game, against the rung of this strength."""
    padded = [*results, *([()] * (len(LADDER) - len(results)))]
    padded[strength - 1] = (*padded[strength - 1], earned)[-MAX_RESULTS:]
    return tuple(padded)


def compute_place(results: RungResults) -> Place:
    """Returns the place that follows from these results."""
    results_by_rung = [*results, *([()] * len(LADDER))][: len(LADDER)]
    steps = [_make_standing(strength, earned) for strength, earned in enumerate(results_by_rung, 1)]
    above = max((step.strength for step in steps if step.relative_place == "below"), default=0)
    below = min((step.strength for step in steps if step.relative_place == "above"), default=len(LADDER) + 1)
    best, worst = (len(steps) + 2 - below, len(steps) + 1 - above) if above < below else (None, None)
    if not any(step.games for step in steps):
        words = "It has not played against a rung yet."
    elif best is None:
        beaten, lost_to = steps[above - 1].name, steps[below - 1].name
        words = f"It beats {beaten} and loses to {lost_to}, which is weaker, so it has no definite place."
    else:
        places = f"place {best}" if best == worst else f"place {best} to {worst}"
        words = f"At 95 % confidence it is in {places} of {len(steps) + 1}."
    return Place(tuple(steps[::-1]), above, below, best, worst, words)


def _make_standing(strength: int, earned: Sequence[float]) -> RungStanding:
    rung, mean = LADDER[strength - 1], fmean(earned) if earned else 0.0
    return RungStanding(
        strength, rung.name, ladder_bb_per_100(strength), len(earned), mean, interval_of(earned, RUNG_CONFIDENCE)
    )
