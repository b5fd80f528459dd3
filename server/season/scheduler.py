"""Schedules a season: draws opponents, starts games, and writes results and ratings to the ledger (its journal)."""

import asyncio
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from server.config.event_file import EveningPlan
from server.console import say
from server.game.events import Entrant, Event
from server.journal.journal import JournalDamaged
from server.season.builds import Builds
from server.season.events import DrawBegun, GamePaired, GameRated, GameVoided, SeasonEnded
from server.season.ledger import Ledger
from server.season.local_games import GamePlan, GameRunner
from server.season.outcome import SIDES, GameOutcome
from server.season.pairing import draw_order, next_pairing
from server.season.season_state import Game, Upload
from server.shuffle import key_of
from server.submissions.folder_rules import VERSION_DIGITS
from server.tournament.resumable_log import Diverged

MAX_REASON_CHARACTERS = 300
"""At most this many characters of the reason why a game was lost or is void are written to the ledger."""
POLL_SECONDS = 0.5
"""How many seconds pass between two checks whether another game can start. Workers may join and leave at any time."""
MakeEntrant = Callable[[Upload], Entrant]
"""A function that returns an upload's bot with the name and the pictures that viewers see."""


class Scheduler:
    """Runs the games of one season. Continues where the season's ledger ends."""

    def __init__(
        self,
        ledger: Ledger,
        builds: Builds,
        runner: GameRunner,
        plan: EveningPlan,
        *,
        seed: bytes,
        make_entrant: MakeEntrant | None = None,
    ) -> None:
        """Lets `runner` play the games of `plan`, as many at once as `runner` has slots.

        If the plan sets `season_games_at_once`, that many games are open at once, and results are counted in the order
        in which games began. So the same bots and seed always lead to the same events. All draws and cards follow from
        `seed`.

        `make_entrant` returns a bot as viewers see it. By default, bots have no pictures.
        """
        self._ledger = ledger
        self._builds = builds
        self._runner = runner
        self._seed = seed
        self._plan = plan
        self._result_tasks: dict[int, asyncio.Task[Event]] = {}
        """The tasks of open games, keyed by game number, if `season_games_at_once` is set. Each task returns its
        game's result as an event.
        """
        self._make_entrant = make_entrant or self._plain_entrant
        self._next_draw_at = 0.0

    async def run(self) -> None:
        """Plays the season to its end, beginning with interrupted games. Then publishes the seed in the ledger. Raises
        OSError.
        """
        standings = self._ledger.standings
        async with asyncio.TaskGroup() as tasks:
            for number in sorted(standings.open_games):
                self._start(tasks, number)
            while not (self._has_all_games() and not standings.open_games):
                new_events = await self._ledger.write(self._next_events)
                for event in new_events:
                    if isinstance(event, GamePaired):
                        self._start(tasks, event.game)
                if not new_events:
                    await self._wait()
        if not standings.seed:
            await self._ledger.write(lambda: [SeasonEnded(self._seed.hex())])

    def _start(self, tasks: asyncio.TaskGroup, number: int) -> None:
        game = self._ledger.standings.games[number - 1]
        if self._plan.season_games_at_once:
            self._result_tasks[number] = tasks.create_task(self._play(game))
        else:
            tasks.create_task(self._play_and_count(game))

    async def _wait(self) -> None:
        """Waits until it may be possible to start another game. If `season_games_at_once` is set, waits for the oldest
        open game and writes the game's result.
        """
        seconds_to_draw = self._next_draw_at - time.monotonic()
        if self._result_tasks and seconds_to_draw <= 0:
            result = await self._result_tasks[min(self._result_tasks)]
            del self._result_tasks[min(self._result_tasks)]
            await self._ledger.write(lambda: [result])
        else:
            seconds = min(seconds_to_draw, POLL_SECONDS) if seconds_to_draw > 0 else POLL_SECONDS
            await self._ledger.wait_for_change(seconds)

    def _has_all_games(self) -> bool:
        standings = self._ledger.standings
        return bool(standings.seed) or 0 < self._plan.season_games <= standings.counted_games

    def _next_events(self) -> Sequence[Event]:
        """Returns the event that starts the next game or draw. Returns () if no game and no draw can start now."""
        standings = self._ledger.standings
        if self._has_all_games() or len(standings.open_games) >= (
            self._plan.season_games_at_once or self._runner.slot_count
        ):
            return ()
        number = len(standings.games) + 1
        if pair := next_pairing(
            self._seed, number, standings.challengers_left, standings.ranking(), standings.busy_players()
        ):
            defender, challenger = (standings.players[player] for player in pair)
            uploads, ratings = (defender.active, challenger.active), (defender.rating, challenger.rating)
            return (GamePaired(number, standings.draw, uploads, ratings),)
        if (
            (standings.challengers_left and standings.open_games)
            or time.monotonic() < self._next_draw_at
            or len(standings.ranking()) < 2
        ):
            return ()
        self._next_draw_at = time.monotonic() + self._plan.season_pause_seconds
        return (DrawBegun(standings.draw + 1, draw_order(self._seed, standings.draw + 1, standings.ranking())),)

    async def _play_and_count(self, game: Game) -> None:
        result = await self._play(game)
        await self._ledger.write(lambda: [result])

    async def _play(self, game: Game) -> Event:
        """Plays or resumes a game. Returns the event that records the game's result."""
        if not self._builds.start_functions.keys() >= set(game.uploads):
            return GameVoided(game.number, "one of its bots can no longer be built")
        try:
            return _rating_event(game, await self._runner.play(self._game_plan(game)))
        except (OSError, Diverged, JournalDamaged) as error:
            say(f"game {game.number} does not count: {error}")
            return GameVoided(game.number, str(error)[:MAX_REASON_CHARACTERS])

    def _game_plan(self, game: Game) -> GamePlan:
        defender, challenger = (self._ledger.standings.uploads[upload] for upload in game.uploads)
        entrants = (
            replace(self._make_entrant(defender), rating=game.ratings_before[0]),
            replace(self._make_entrant(challenger), rating=game.ratings_before[1]),
        )
        return GamePlan(game.number, (defender, challenger), entrants, key_of(self._seed, f"game {game.number}"))

    def _plain_entrant(self, upload: Upload) -> Entrant:
        player = self._ledger.standings.players[upload.player].name
        return Entrant(upload.player, upload.name, player, version=upload.digest[:VERSION_DIGITS])


def _rating_event(game: Game, outcome: GameOutcome) -> GameRated:
    ratings = outcome.ratings if all(outcome.ratings) else game.ratings_before
    forfeited = SIDES.index(outcome.forfeited) if outcome.forfeited else -1
    why = outcome.reason[:MAX_REASON_CHARACTERS]
    return GameRated(game.number, outcome.stacks, ratings, outcome.rounds, forfeited, outcome.fault, why)
