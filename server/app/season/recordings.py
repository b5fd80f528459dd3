"""Finds the recordings of a season's games for replays: those of finished games that count."""

from datetime import UTC, datetime

from broadcast.archive.archive import FindUnlisted
from broadcast.archive.indexing import SEASON
from broadcast.archive.showable_recording import Unlisted
from server.app.season.public_view import PublicView
from server.season.files import Store


def find_season_game(view: PublicView, store: Store) -> FindUnlisted:
    """A function that finds the recording of a public game by its name, "season/12"; None where there is none."""

    def find(name: str) -> Unlisted | None:
        folder, _, number = name.partition("/")
        known = folder == SEASON and number.isascii() and number.isdigit() and len(number) < 9
        standings = view.standings
        game = standings.game(int(number)) if known else None
        if game is None or not game.over or game.void or number != str(game.number):
            return None
        defender, challenger = (standings.uploads[upload].name for upload in game.uploads)
        title = f"Game {number}: {defender} and {challenger}"
        begun = datetime.fromtimestamp(view.began + game.began_ms / 1000, UTC)
        return Unlisted(store.game(game.number).journal, title, begun.isoformat(), f"/season/games/{number}")

    return find
