"""What the players of a season have earned a game, luck taken out, counted from the recordings beside the pages."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from broadcast.odds.certainty import Interval, interval_of
from broadcast.odds.earned import units_of
from server.journal.journal import JournalDamaged, read_journal
from server.season.files import Store
from server.season.standings import Standings

PlayersGames = dict[int, tuple[int, ...]]


class EarnedAGame(Struct, frozen=True):
    """What a player has earned a game, in chips, over `games` of its games; `looked_at` counts unreadable ones, too.

    `interval` holds the true mean with 95 %; None where the games are too few to tell.
    """

    games: int
    mean: float
    interval: Interval | None
    looked_at: int


NOT_COUNTED = EarnedAGame(0, 0.0, None, 0)


class SeasonEarned:
    """What each player of one season has earned. A recording is read once, while no page waits for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._players: dict[int, EarnedAGame] = {}
        self._games: dict[int, Mapping[int, float]] = {}
        """What the players of a game earned in it, by its number; nothing where its recording cannot be read."""
        self.counts = 0
        """How often something was counted anew."""
        self._work: asyncio.Task[None] | None = None

    def of(self, standings: Standings) -> Mapping[int, EarnedAGame]:
        """By player, what has been counted so far; games of `standings` that are missing are counted from now on."""
        if (self._work is None or self._work.done()) and (behind := dict(self._behind(standings))):
            self._work = asyncio.create_task(self._count(behind))
        return self._players

    async def counted(self) -> None:
        """Returns when nothing is being counted."""
        if self._work:
            await asyncio.wait([self._work])

    def _behind(self, standings: Standings) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The players of whom games are missing, each with all its games."""
        for number in standings.ladder:
            games = standings.players[number].games
            if len(games) > self._players.get(number, NOT_COUNTED).looked_at:
                yield number, tuple(games)

    async def _count(self, behind: PlayersGames) -> None:
        for game in sorted({game for games in behind.values() for game in games} - self._games.keys()):
            self._games[game] = await asyncio.to_thread(self._earned_in, game)
        for player, games in behind.items():
            results = [self._games[game][player] for game in games if player in self._games[game]]
            self._players[player] = await asyncio.to_thread(_summed_up, results, len(games))
            self.counts += 1

    def _earned_in(self, game: int) -> Mapping[int, float]:
        try:
            entries = read_journal(self._store.game(game).journal).entries
            (unit,) = units_of(entry.event for entry in entries)
        except (OSError, JournalDamaged, ValueError, LookupError):
            return {}
        return {player: float(result.earned) for player, result in unit.items()}


def _summed_up(results: Sequence[float], looked_at: int) -> EarnedAGame:
    mean = sum(results) / len(results) if results else 0.0
    return EarnedAGame(len(results), mean, interval_of(results), looked_at)
