"""The outlook: about when a game, a stage and the show end, from how long was taken by what has been on air. Pure."""

import math
from collections.abc import Sequence

from msgspec import Struct

from broadcast.show.finish_by import FinishBy
from server.game.events import StageStarted

EARLY, LATE = 0.5, 1.25
"""Nine of ten ends come between these shares of the time that they are expected to take: bots may go broke early."""
EARLY_GAME = 0.75
"""The same for the beginnings of games that do come."""
MINUTE_MS = 60_000


class Moment(Struct, frozen=True, array_like=True):
    """About when something comes: the likeliest time, and the earliest and latest in most shows.

    Milliseconds since 1970, in whole minutes. In JSON an array of the three.
    """

    likely: int
    earliest: int
    latest: int


class Ends(Struct, frozen=True, omit_defaults=True):
    """About when the present game, its stage and the whole show end; None where nobody knows."""

    game: Moment | None = None
    stage: Moment | None = None
    show: Moment | None = None


class Forecast:
    """When things end by an `estimate`, if the show goes on at `since_ms` since 1970 and at `pace`."""

    def __init__(self, estimate: FinishBy, since_ms: float, pace: float) -> None:
        self._estimate = estimate
        self._since_ms = since_ms
        self._pace = pace

    def game_ends(self) -> Moment | None:
        """The end of the present game, its leaderboard not counted."""
        left_ms = self._estimate.game_left_ms() if self._estimate.is_planned else 0.0
        return self._moment(left_ms) if left_ms else None

    def game_begins(self, ahead: int) -> Moment | None:
        """The beginning of the game after the next `ahead` ones; None where the stage may well be over by then."""
        estimate = self._estimate
        left_ms = estimate.game_left_ms() + ahead * estimate.game_ms()
        comes = estimate.is_planned and left_ms < estimate.left_ms()
        return self._moment(left_ms, EARLY_GAME) if comes else None

    def hand_begins(self, ahead: int) -> Moment | None:
        """The beginning of the hand after the next `ahead` ones, if the game lasts so long."""
        return self._moment(self._estimate.hands_ms(ahead), EARLY_GAME)

    def stage_ends(self) -> Moment | None:
        """The end of the present stage."""
        return self._moment(self._estimate.left_ms()) if self._estimate.is_planned else None

    def show_ends(self, stages: Sequence[StageStarted] | None) -> Moment | None:
        """The end of the show, if after the present stage these come; None: nobody knows which."""
        estimates = [self._estimate, *map(_before, stages or ())]
        if stages is None or not all(each.is_planned for each in estimates):
            return None
        return self._moment(sum(each.left_ms() for each in estimates))

    def _moment(self, likely_ms: float, early: float = EARLY) -> Moment | None:
        if not self._pace:
            return None
        return Moment(
            round(self._after(likely_ms)) * MINUTE_MS,
            math.floor(self._after(likely_ms * early)) * MINUTE_MS,
            math.ceil(self._after(likely_ms * LATE)) * MINUTE_MS,
        )

    def _after(self, ms: float) -> float:
        """Minutes since 1970 when so much more has been shown."""
        return (self._since_ms + ms / self._pace) / MINUTE_MS


def _before(stage: StageStarted) -> FinishBy:
    """The estimate of a stage that has not begun."""
    estimate = FinishBy()
    estimate.note(stage, 0)
    return estimate
