"""What a season has ahead, for the schedule of its show: nothing but what its public pages say, too."""

from collections.abc import Callable

from broadcast.live.schedule import Ahead
from server.app.season.public_view import PublicView
from server.app.season.views import bot_name


def season_ahead(view: PublicView, games: int) -> Callable[[], Ahead]:
    """A function that tells what a season of `games` games in all (0: as many as there is time for) has ahead."""

    def ahead() -> Ahead:
        standings, on_air = view.standings, view.on_air
        playing = [standings.games[number - 1] for number in sorted(standings.open) if number != on_air]
        names = {
            player: standings.uploads[upload].name
            for game in playing
            for player, upload in zip(game.players, game.uploads, strict=True)
        }
        due = [number for number in standings.turns if standings.players[number].active]
        names |= {number: bot_name(standings, standings.players[number]) for number in due}
        left = 0 if standings.seed else max(0, games - standings.counted)
        return Ahead(on_air, left, tuple((game.number, game.players) for game in playing), tuple(due), names)

    return ahead
