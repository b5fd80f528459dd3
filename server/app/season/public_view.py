"""Computes what the public may know of a season: all events of its ledger (its record) before the first result that the
show still has to reveal.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from broadcast.archive.archive import FindUnlisted
from broadcast.archive.indexing import SEASON_PREFIX
from broadcast.archive.showable_recording import UnlistedRecording
from broadcast.live.schedule import RestOfSeason
from server.app.season.show import SeasonShow
from server.app.season.views import bot_name
from server.app.season.visitors import parse_number
from server.season.files import SeasonFiles
from server.season.ledger import Ledger, read_ledger
from server.season.season_state import Standings
from server.shuffle import parse_seed
from server.verify.season import check_ledger


class PastSeason:
    """A finished season. All its results are public."""

    on_air = 0
    state = 0, 0

    def __init__(self, path: Path) -> None:
        """Reads and verifies the ledger at `path`.

        Raises OSError if the ledger cannot be read. Raises ValueError if the season is not over or the ledger is
        invalid.
        """
        recording = read_ledger(path)
        seed = check_ledger(recording.entries, b"").seed
        self.standings: Standings = check_ledger(recording.entries, parse_seed(seed))
        self.began_at = datetime.fromisoformat(recording.header.begun).timestamp()
        self.store = SeasonFiles(path)


class LivePublicView:
    """The public state of a season that is being played. It lacks the results that the show still has to reveal."""

    def __init__(self, ledger: Ledger, show: SeasonShow) -> None:
        self._ledger = ledger
        self._show = show
        self._standings = Standings()
        self.began_at = ledger.began_at
        self._applied_count = 0

    @property
    def standings(self) -> Standings:
        """Returns the state just before the first result that the show still has to reveal."""
        entries = self._ledger.entries
        while self._applied_count < len(entries) and not self._show.withholds(entries[self._applied_count].event):
            self._standings.apply(entries[self._applied_count].event, entries[self._applied_count].at_ms)
            self._applied_count += 1
        return self._standings

    @property
    def on_air(self) -> int:
        """The number of the game on air, or 0 for none."""
        return self._show.on_air

    @property
    def state(self) -> tuple[int, int]:
        """A value that changes with the public state."""
        _ = self.standings
        return self._applied_count, self.on_air


PublicView = LivePublicView | PastSeason


def make_game_finder(view: PublicView, store: SeasonFiles) -> FindUnlisted:
    """Returns a function that finds a public game's recording by name, such as "season/12"."""

    def find(name: str) -> UnlistedRecording | None:
        folder, _, number = name.partition("/")
        standings = view.standings
        game = standings.game(parse_number(number)) if folder == SEASON_PREFIX else None
        if game is None or not game.over or game.void_reason or number != str(game.number):
            return None
        defender, challenger = (standings.uploads[upload].name for upload in game.uploads)
        title = f"Game {number}: {defender} and {challenger}"
        begun = datetime.fromtimestamp(view.began_at + game.began_ms / 1000, UTC)
        return UnlistedRecording(
            store.game_files(game.number).journal, title, begun.isoformat(), f"/season/games/{number}"
        )

    return find


def make_rest_of_season(view: PublicView, games: int) -> Callable[[], RestOfSeason]:
    """Returns a function that says how much of a season is still to come. The season has `games` games. If the number
    of games is not fixed, `games` is 0.
    """

    def count_rest() -> RestOfSeason:
        standings, on_air = view.standings, view.on_air
        playing = [standings.games[number - 1] for number in sorted(standings.open_games) if number != on_air]
        names = {
            player: standings.uploads[upload].name
            for game in playing
            for player, upload in zip(game.players, game.uploads, strict=True)
        }
        next_challengers = [number for number in standings.challengers_left if standings.players[number].active]
        names |= {number: bot_name(standings, standings.players[number]) for number in next_challengers}
        games_left = 0 if standings.seed else max(0, games - standings.counted_games)
        return RestOfSeason(
            on_air, games_left, tuple((game.number, game.players) for game in playing), tuple(next_challengers), names
        )

    return count_rest
