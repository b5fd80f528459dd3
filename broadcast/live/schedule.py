"""The schedule of a show: what was played, what is being played, and what follows. No I/O.

The schedule depends only on what has been on air. A hand that is over at the table, but not yet on air, does not affect
the schedule. So the schedule's times never hint at how a hand ends.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from broadcast.live.contest_plan import MAX_GAMES_TO_COME, ContestPlan, Ends, Forecast, Item, NextBlinds
from broadcast.on_air.events import OnAirEntry
from broadcast.show.finish_estimator import FinishEstimator
from server.game.events import Event, GameEnded, GameStarted, HandStarted, JournalEvent, TournamentOpened

MAX_GAMES_PLAYED = 20


class Schedule(Struct, frozen=True, omit_defaults=True):
    """All items (games and later stages) in order, and the `names` of their bots, keyed by number.

    `played` counts all games that were played, including games that are not listed. `left` is the maximum number of
    games that can follow, or 0 if unknown. `due` are the bots that have to play before any other bot plays again.
    `ends` has the expected ends of the current game, its stage and the show. `blinds` are the next blinds.
    """

    items: tuple[Item, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    played: int = 0
    left: int = 0
    due: tuple[int, ...] = ()
    ends: Ends = Ends()
    blinds: NextBlinds | None = None


class RestOfSeason(Struct, frozen=True):
    """The rest of a season, as far as the public may know. Players are numbers, and `names` has the names of their
    bots.

    `game` is the number of the game on air. `games_left` is the number of games still to start, or 0 if only the time
    is limited. `playing` has the number and the players of each game that is being played. The show may put any of
    these games on air next. `due` are the players who have not challenged anybody yet in the current draw (a round).
    """

    game: int
    games_left: int
    playing: tuple[tuple[int, tuple[int, int]], ...]
    due: tuple[int, ...]
    names: Mapping[int, str]


class ScheduleRecorder:
    """Records what goes on air on one channel, and computes its schedule."""

    def __init__(self) -> None:
        self.rest_of_season: Callable[[], RestOfSeason] | None = None
        """A function that returns the rest of the season, if the channel shows a season."""
        self._estimate = FinishEstimator()
        self._hold_ends_at_ms = 0
        """When the last entry leaves the screen, in milliseconds of the show."""
        self._plan = ContestPlan()
        self._played: deque[Item] = deque(maxlen=MAX_GAMES_PLAYED)
        """The games that were played last. Here and in `_game_on_air`, `began` is in milliseconds of the show."""
        self._game_on_air: Item | None = None
        self._names: dict[int, str] = {}
        self._games_played = self._hand_number = 0

    def record(self, entry: OnAirEntry, pace: float, *, is_replay: bool) -> None:
        """Records an entry that went on air at `pace` times the normal speed. `is_replay` says whether the entry is
        part of a replay.
        """
        self._hold_ends_at_ms = entry.at_ms + entry.hold_ms
        if is_replay:
            return
        if isinstance(entry.event, JournalEvent):  # events that the show adds take no further time
            self._estimate.record(entry.event, entry.hold_ms * pace)
        self._record_event(entry.event, entry.at_ms)
        self._plan.record(entry.event)

    def schedule_at(self, now_ms: int, utc_ms: int, pace: float) -> Schedule:
        """Returns the schedule at `now_ms` of the show. `utc_ms` is the same moment in ms since 1970.

        Assumes that the show keeps its `pace`.
        """
        plan, forecast = self._plan, Forecast(self._estimate, utc_ms + max(0.0, self._hold_ends_at_ms - now_ms), pace)
        started_items = [*self._played, *([self._game_on_air] if self._game_on_air else [])]
        items = [replace(item, began=utc_ms - now_ms + item.began) for item in started_items]
        if self.rest_of_season:
            return self._season_schedule(items, self.rest_of_season(), Ends(forecast.game_ends()))
        ends = Ends(forecast.game_ends(), forecast.stage_ends(), forecast.show_ends(plan.stages_after()))
        schedule = self._schedule([*items, *plan.upcoming_items(forecast)], plan.games_left(), plan.bots_due(), ends)
        return replace(schedule, blinds=plan.next_blinds(forecast))

    def _season_schedule(self, items: Sequence[Item], season: RestOfSeason, ends: Ends) -> Schedule:
        self._names |= season.names
        next_items = [Item("", "to come", number, bots=pair) for number, pair in season.playing[:MAX_GAMES_TO_COME]]
        return self._schedule([*items, *next_items], season.games_left, season.due[:MAX_GAMES_TO_COME], ends)

    def _schedule(self, items: Sequence[Item], games_left: int, due: tuple[int, ...], ends: Ends) -> Schedule:
        bots = {bot for item in items for bot in item.bots} | {*due}
        names = {str(bot): self._names[bot] for bot in sorted(bots) if bot in self._names}
        return Schedule(tuple(items), names, self._games_played, games_left, due, ends)

    def _record_event(self, event: Event, at_ms: int) -> None:
        match event:
            case TournamentOpened(entrants=entrants):
                self._plan, self._game_on_air = ContestPlan(event), None
                self._names |= {entrant.bot: entrant.name for entrant in entrants}
            case GameStarted(seats=seats):
                self._game_on_air = replace(self._plan.next_game(), bots=seats, began=at_ms)
                self._game_on_air = (
                    replace(self._game_on_air, game=self.rest_of_season().game, games=0)
                    if self.rest_of_season
                    else self._game_on_air
                )
            case HandStarted():
                self._hand_number += 1
                self._game_on_air = self._game_on_air and replace(
                    self._game_on_air, hand=self._game_on_air.hand or self._hand_number
                )
            case GameEnded() if self._game_on_air:
                self._played.append(replace(self._game_on_air, state="played"))
                self._game_on_air, self._games_played = None, self._games_played + 1
