"""Computes the earnings per game of a season's players. Earnings are winnings without the luck of the board."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.odds.certainty import Interval, interval_of
from broadcast.odds.earned import earned_in_each_unit
from server.journal.journal import JournalDamaged, read_journal
from server.season.files import SeasonFiles
from server.season.season_state import Standings


class EarningsPerGame(Struct, frozen=True):
    """The mean number of chips that a player earned per game, in `games` games.

    `interval` is the 95 % interval of the mean, or None after too few games. `recordings_read` is how many of the
    player's recordings were opened, including unreadable ones.
    """

    games: int
    mean: float
    interval: Interval | None
    recordings_read: int


NO_EARNINGS = EarningsPerGame(0, 0.0, None, 0)


class SeasonEarnings:
    """The earnings of each player of one season. Reads each recording once, and in the background, so that pages do not
    wait.
    """

    def __init__(self, store: SeasonFiles) -> None:
        self._store = store
        self._earnings_by_player: dict[int, EarningsPerGame] = {}
        self._earnings_by_game: dict[int, Mapping[int, float]] = {}
        """For each game number: how many chips each player earned, or {} if the recording is unreadable."""
        self.revision = 0
        """How often a player's earnings were computed. Cached pages are renewed when this number changes."""
        self._task: asyncio.Task[None] | None = None

    def update(self, standings: Standings) -> Mapping[int, EarningsPerGame]:
        """Starts to compute the earnings in the new games of `standings`. Returns the earnings so far, keyed by
        player number.
        """
        if self._task is None or self._task.done():
            players = standings.players
            outdated = {
                number: tuple(players[number].games)
                for number in standings.leaderboard
                if len(players[number].games) > self._earnings_by_player.get(number, NO_EARNINGS).recordings_read
            }
            if outdated:
                self._task = asyncio.create_task(self._compute_earnings(outdated))
        return self._earnings_by_player

    async def _compute_earnings(self, games_by_player: Mapping[int, tuple[int, ...]]) -> None:
        for game in sorted(
            {game for games in games_by_player.values() for game in games} - self._earnings_by_game.keys()
        ):
            self._earnings_by_game[game] = await asyncio.to_thread(self._read_earnings, game)
        for player, games in games_by_player.items():
            results = [self._earnings_by_game[game][player] for game in games if player in self._earnings_by_game[game]]
            self._earnings_by_player[player] = await asyncio.to_thread(_sum_up, results, len(games))
            self.revision += 1

    def _read_earnings(self, game: int) -> Mapping[int, float]:
        try:
            entries = read_journal(self._store.game_files(game).journal).entries
            # Results are counted in units. In a season, a recording has one game, which is one unit.
            (earned_by_player,) = earned_in_each_unit(entry.event for entry in entries)
        except (OSError, JournalDamaged, ValueError, LookupError):
            return {}
        return {player: float(result.earned) for player, result in earned_by_player.items()}


def _sum_up(results: Sequence[float], recordings_read: int) -> EarningsPerGame:
    mean = sum(results) / len(results) if results else 0.0
    return EarningsPerGame(len(results), mean, interval_of(results), recordings_read)
