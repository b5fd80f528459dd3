"""Where a bot stands on the ladder of house bots: from all its games against rungs, and never more than is known. Pure.

A rung is beaten where the bot has earned something of it for sure: a bot that is just as good earns nothing. All such
statements hold together with 95 %, so each of them must hold with more.
"""

from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

from broadcast.odds.certainty import Interval, interval_of
from server.bots.house.ladder import LADDER, rating

MOST_RESULTS = 400
"""Games against one rung that count, the latest."""
SURE = 1 - 0.05 / len(LADDER)
"""Of one rung, so that with 95 % none of them is told wrongly (Bonferroni)."""

Results = tuple[tuple[float, ...], ...]
"""What a bot has earned in each game against each rung, in chips, the weakest rung first."""


class Step(Struct, frozen=True):
    """A rung, and what the bot earned in a game against it, in chips; its true mean lies in the interval.

    The interval is None where too few games tell nothing. The rating is that of the rung (see `ladder`).
    """

    strength: int
    name: str
    rating: float
    games: int
    earned: float
    interval: Interval | None

    @property
    def stands(self) -> str:
        """Where the rung stands, seen from the bot: "below", "above", or "" where that is not known."""
        if self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return ""
        return "below" if self.interval.low > 0 else "above"


class Place(Struct, frozen=True):
    """A bot's place: the strengths that it surely has behind it and ahead, 0 and one more than all where there is none.

    `steps` are all rungs, the strongest first; `best` and `worst` are the places that it may have, of the rungs and
    itself. They are None where it surely loses to a rung that is weaker than one from which it surely wins.
    """

    steps: tuple[Step, ...]
    above: int
    below: int
    best: int | None
    worst: int | None
    words: str
    """The place in a sentence."""


def with_result(results: Results, strength: int, earned: float) -> Results:
    """`results` with one more game against the rung of that strength."""
    padded = [*results, *([()] * (len(LADDER) - len(results)))]
    padded[strength - 1] = (*padded[strength - 1], earned)[-MOST_RESULTS:]
    return tuple(padded)


def place_of(results: Results) -> Place:
    """The place that follows from what was earned."""
    played = [*results, *([()] * len(LADDER))][: len(LADDER)]
    steps = [_step(strength, earned) for strength, earned in enumerate(played, 1)]
    above = max((step.strength for step in steps if step.stands == "below"), default=0)
    below = min((step.strength for step in steps if step.stands == "above"), default=len(LADDER) + 1)
    best, worst = (len(steps) + 2 - below, len(steps) + 1 - above) if above < below else (None, None)
    if not any(step.games for step in steps):
        words = "It has not met a rung yet."
    elif best is None:
        beaten, lost = steps[above - 1].name, steps[below - 1].name
        words = f"It wins from {beaten} and loses to {lost}, which is weaker: it has no place between them."
    else:
        places = f"place {best}" if best == worst else f"place {best} to {worst}"
        words = f"With 95 % it has {places} of {len(steps) + 1}."
    return Place(tuple(steps[::-1]), above, below, best, worst, words)


def _step(strength: int, earned: Sequence[float]) -> Step:
    rung, mean = LADDER[strength - 1], fmean(earned) if earned else 0.0
    return Step(strength, rung.name, rating(strength), len(earned), mean, interval_of(earned, SURE))
