"""Predicts the rest of a contest: which games and stages follow, and about when. The times are estimated from the hands
that have been on air so far. No I/O.
"""

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from broadcast.show.finish_estimator import FinishEstimator
from server.contests import CONTESTS
from server.game.events import Event, GameStarted, HandStarted, StageStarted, TournamentOpened
from server.game.formats import StagePlan
from server.game.rules import Rules, level_of
from server.game.tournament import Tournament, evolve, open_tournament

MAX_GAMES_TO_COME = 20
EARLY_FACTOR, LATE_FACTOR = 0.5, 1.4
"""Nine of ten stages take between EARLY_FACTOR and LATE_FACTOR times the expected time. Many stages end early because
bots go broke.
"""
EARLY_GAME_FACTOR = 0.75
"""Used instead of `EARLY_FACTOR` for the starts of games and hands."""
LATE_GAME_FACTOR = 1.75
"""Used instead of `LATE_FACTOR` for the end of a game. A game has few hands, and all of them may be shown slowly."""
MINUTE_MS = 60_000


class Moment(Struct, frozen=True, array_like=True):
    """An expected time: the most likely time, then the earliest and the latest time in most shows.

    Times are in milliseconds since 1970, rounded to minutes. Encoded as an array.
    """

    likely: int
    earliest: int
    latest: int


class Ends(Struct, frozen=True, omit_defaults=True):
    """When the current game, its stage and the whole show are expected to end, or None if unknown."""

    game: Moment | None = None
    stage: Moment | None = None
    show: Moment | None = None


class Forecast:
    """Turns an `estimate` into times, for a show that continues at this `pace`. Pace 1 is the normal speed. At pace 0,
    as fast as possible, no time can be predicted. The estimate begins at `since_ms`, in milliseconds since 1970.
    """

    def __init__(self, estimate: FinishEstimator, since_ms: float, pace: float) -> None:
        self._estimate = estimate
        self._since_ms = since_ms
        self._pace = pace

    def game_ends(self) -> Moment | None:
        """Returns when the current game ends and the leaderboard follows, or None if unknown."""
        left_ms = self._estimate.game_left_ms() if self._estimate.is_planned else 0.0
        return self._moment(left_ms, late=LATE_GAME_FACTOR) if left_ms else None

    def game_begins(self, games_between: int) -> Moment | None:
        """Returns when a later game starts, or None if the stage may be over by then. `games_between` is the number of
        games between the current game and the later one.
        """
        estimate = self._estimate
        left_ms = estimate.game_left_ms() + games_between * estimate.game_ms()
        is_likely = estimate.is_planned and left_ms < estimate.stage_left_ms()
        return self._moment(left_ms, EARLY_GAME_FACTOR) if is_likely else None

    def hand_begins(self, hands_between: int) -> Moment | None:
        """Returns when a later hand starts, if the game lasts that long. `hands_between` is the number of hands between
        the current hand and the later one.
        """
        return self._moment(self._estimate.hands_ms(hands_between), EARLY_GAME_FACTOR)

    def stage_ends(self) -> Moment | None:
        """Returns the end of the current stage, or None if unknown."""
        return self._moment(self._estimate.stage_left_ms()) if self._estimate.is_planned else None

    def show_ends(self, stages: Sequence[StageStarted] | None) -> Moment | None:
        """Returns the end of the show if these `stages` follow the current one, or None if unknown."""
        estimates = [self._estimate, *map(_estimate_for, stages or ())]
        if stages is None or not all(estimate.is_planned for estimate in estimates):
            return None
        return self._moment(sum(estimate.stage_left_ms() for estimate in estimates))

    def _moment(self, likely_ms: float, early: float = EARLY_FACTOR, late: float = LATE_FACTOR) -> Moment | None:
        if not self._pace:
            return None
        return Moment(
            round(self._utc_minutes_after(likely_ms)) * MINUTE_MS,
            math.floor(self._utc_minutes_after(likely_ms * early)) * MINUTE_MS,
            math.ceil(self._utc_minutes_after(likely_ms * late)) * MINUTE_MS,
        )

    def _utc_minutes_after(self, ms: float) -> float:
        """Returns the time when the show will be `ms` milliseconds further. The time is in minutes since 1970."""
        return (self._since_ms + ms / self._pace) / MINUTE_MS


def _estimate_for(stage: StageStarted) -> FinishEstimator:
    """Returns the estimate for a stage that has not started."""
    estimate = FinishEstimator()
    estimate.record(stage, 0)
    return estimate


class Item(Struct, frozen=True, omit_defaults=True):
    """A line of a schedule: a game, or a whole later stage. `title` is the stage's title. JSON omits empty fields."""

    title: str
    state: Literal["played", "on", "to come"]
    game: int = 0
    """The number of the game in its stage or season, or 0 if the item is a whole stage."""
    games: int = 0
    """The maximum number of games of the stage, or 0 for no limit."""
    bots: tuple[int, ...] = ()
    """The bots that play. For a later game, these are only the bots that are sure to play."""
    hand: int = 0
    """The number of the item's first hand in the outline, or 0 if it has no hand yet."""
    began: int = 0
    """When the item went on air, in milliseconds since 1970. If the show was interrupted since then, the item really
    went on air earlier.
    """
    begins: Moment | None = None
    """When the item is expected to start, or None if unknown."""
    deals: bool = False
    """Whether each game of the item is a deal: several tables play it with the same cards."""


class NextBlinds(Struct, frozen=True):
    """The next blinds, in chips, and when they are expected if the game lasts that long."""

    small: int
    big: int
    begins: Moment | None


class ContestPlan:
    """Records the part of a contest that has been on air, and says what is still planned."""

    def __init__(self, opened: TournamentOpened | None = None) -> None:
        self._contest = opened.contest if opened else ""
        self._rules = opened.rules if opened else Rules()
        self._tournament = open_tournament(opened) if opened else Tournament({}, ())
        self._hands_dealt = 0
        """How many hands of the current game were dealt."""

    def record(self, event: Event) -> None:
        """Records that `event` was shown. Raises KeyError for an unknown bot, as in a forged recording."""
        if isinstance(event, StageStarted) and event.deals:  # of the games with the same cards, only one is on air
            event = replace(event, games=event.deals)
        self._tournament = evolve(self._tournament, event)
        if isinstance(event, GameStarted | HandStarted):
            self._hands_dealt = event.hand if isinstance(event, HandStarted) else 0

    def next_game(self) -> Item:
        """Returns the game that starts now, without its bots."""
        stage = self._tournament.stage
        if stage is None:
            return Item("", "on")
        return Item(stage.title, "on", self._tournament.games_in_stage + 1, stage.games, deals=bool(stage.deals))

    def upcoming_items(self, forecast: Forecast) -> list[Item]:
        """Returns the next games of the current stage, then the stages after it. In a stage of deals, returns only the
        next deal, because all deals have the same bots.
        """
        items, stage = list[Item](), self._tournament.stage
        if stage is None:
            return items
        for ahead in range(min(self._games_to_start(stage), 1 if stage.deals else MAX_GAMES_TO_COME)):
            bots = () if ahead and not stage.series else self._sure_bots(stage)
            number, begins = self._tournament.games_in_stage + ahead + 1, forecast.game_begins(ahead)
            deals = bool(stage.deals)
            items.append(Item(stage.title, "to come", number, stage.games, bots, begins=begins, deals=deals))
        for ahead, (title, plan) in enumerate(self._later_stages(stage)):
            begins = None if ahead else forecast.stage_ends()
            items.append(Item(title, "to come", games=plan.games if plan else 0, begins=begins))
        return items

    def stages_after(self) -> list[StageStarted] | None:
        """Returns the expected StageStarted event of each later stage, or None if the plan of one is unknown."""
        stages, stage = list[StageStarted](), self._tournament.stage
        for title, plan in self._later_stages(stage) if stage else ():
            if plan is None:
                return None
            bots = tuple(range(stage.advance if stage else 0))
            stages.append(StageStarted(0, title, plan.games, plan.hands, bots, (), plan.advance, plan.seats))
        return stages

    def games_left(self) -> int:
        """Returns the maximum number of games that can still follow, or 0 if unknown."""
        stage = self._tournament.stage
        if stage is None or (self._tournament.in_stage and not stage.games):
            return 0
        later_games = [plan.games if plan else 0 for _, plan in self._later_stages(stage)]
        return self._games_to_start(stage) + sum(later_games) if all(later_games) else 0

    def next_blinds(self, forecast: Forecast) -> NextBlinds | None:
        """Returns the next blinds, or None if the blinds do not change or nobody plays."""
        hands = self._rules.hands_per_level
        next_level_hand = (
            (self._hands_dealt - 1) // hands * hands + hands + 1
            if hands and self._hands_dealt and self._tournament.game
            else 0
        )
        if not next_level_hand or (level := level_of(self._rules, next_level_hand)) == level_of(
            self._rules, self._hands_dealt
        ):
            return None
        return NextBlinds(level.small, level.big, forecast.hand_begins(next_level_hand - self._hands_dealt - 1))

    def bots_due(self) -> tuple[int, ...]:
        """Returns the bots that have played the fewest games and are not playing now, or () if all have played equally
        often.
        """
        bots_playing, next_bots = self._bots_playing, self._bots_with_fewest_games()
        are_all_equal = len(next_bots) == len(self._tournament.remaining_bots())
        return (
            ()
            if are_all_equal or not self._tournament.in_stage
            else tuple(bot for bot in next_bots if bot not in bots_playing)
        )

    def _games_to_start(self, stage: StageStarted) -> int:
        """Returns how many games of the stage may still start, or 1 if the stage has no limit."""
        if not self._tournament.in_stage or len(self._tournament.remaining_bots()) <= max(stage.advance, 1):
            return 0
        return stage.games - self._tournament.games_in_stage if stage.games else 1

    @property
    def _bots_playing(self) -> tuple[int, ...]:
        return self._tournament.game.seats if self._tournament.game else ()

    def _bots_with_fewest_games(self) -> list[int]:
        """Returns the remaining bots that have played the fewest games. They are seated first."""
        playing, records = self._tournament.remaining_bots(), self._tournament.records
        fewest = min((records[bot].games_played for bot in playing), default=0)
        return [bot for bot in playing if records[bot].games_played == fewest]

    def _sure_bots(self, stage: StageStarted) -> tuple[int, ...]:
        """Returns the bots that are sure to be seated next.

        A bot that is playing now may go broke. It is sure to be seated again only in a series of separate games, or in
        a stage of deals.
        """
        first = self._bots_with_fewest_games()
        if len(first) > stage.seats:
            return ()
        return tuple(bot for bot in first if stage.series or stage.deals or bot not in self._bots_playing)

    def _later_stages(self, stage: StageStarted) -> list[tuple[str, StagePlan | None]]:
        """Returns the title and the plan of each later stage. An unknown plan is None."""
        if not stage.advance:
            return []
        planned_stages = CONTESTS[self._contest].format.stages if self._contest in CONTESTS else ()
        current_plans, later_plans = planned_stages[stage.stage - 1 : stage.stage], planned_stages[stage.stage :]
        if not (
            current_plans
            and later_plans
            and later_plans[0].title == stage.next_title
            and _is_as_planned(stage, current_plans[0])
        ):
            return [(stage.next_title or "The next stage", None)]
        return [(plan.title, plan) for plan in later_plans]


def _is_as_planned(stage: StageStarted, plan: StagePlan) -> bool:
    return (stage.title, stage.games, stage.hands, stage.advance) == (plan.title, plan.games, plan.hands, plan.advance)
