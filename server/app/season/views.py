"""Computes the content of a season's pages from the season's state."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.web.templates import local_time
from server.app.season.earnings import NO_EARNINGS, EarningsPerGame
from server.season.outcome import SIDES, public_fault
from server.season.season_state import Game, Player, Standings

PER_PAGE = 50
LAST_GAMES = 5
WIDTH, HEIGHT = 600, 160
"""The width and height of a chart, in SVG units."""
SMALL_CHART_POINTS = 60
"""The approximate maximum number of points in a small chart on the leaderboard."""
MIN_SPAN = 20_00
"""The smallest range of ratings that a chart shows, in hundredths of a point, so that small changes look small."""


class LeaderboardRow(Struct, frozen=True):
    """One line of the leaderboard. The player rose `moved` places over the last ten games. `plays` says whether the
    player's bot is active.
    """

    place: int
    number: int
    bot: str
    player: str
    rating: str
    moved: int
    games: int
    won: int
    lost: int
    tied: int
    plays: bool
    points: str
    """The rating chart: the `points` of an SVG polyline."""
    last: Sequence[tuple[str, int]]
    """The last games, the latest first. Each game is a pair: "won", "lost" or "tied", and the game's number."""
    earned: float | None = None
    """Chips won per game without the luck of the board cards, or None until a game is counted."""
    low: float | None = None
    """The 95 % interval of `earned` goes from `low` to `high`. Both are None after too few games."""
    high: float | None = None
    earned_games: int = 0


class GameSide(Struct, frozen=True):
    """One side of a game, as pages show it. `gained` is the change of the player's rating."""

    side: str
    player: int
    bot: str
    owner: str
    chips: int
    rating: str
    gained: str
    won: bool


class GameLine(Struct, frozen=True):
    """A game in a list, and at the top of the game's own page. `void` says that the game does not count."""

    number: int
    sides: tuple[GameSide, GameSide]
    result: str
    over: bool
    void: bool
    hands: int
    at: str


class Chart(Struct, frozen=True):
    """A chart of a rating history: the `points` of an SVG polyline, and the ratings at the top and the bottom."""

    points: str
    top: str
    bottom: str
    games: int


def leaderboard(standings: Standings, earned: Mapping[int, EarningsPerGame]) -> list[LeaderboardRow]:
    """Returns the lines of the leaderboard, best first. `earned` is keyed by the player's number."""
    return [
        _make_row(standings, standings.players[number], place, earned.get(number, NO_EARNINGS))
        for place, number in enumerate(standings.leaderboard, 1)
    ]


def _make_row(standings: Standings, player: Player, place: int, earned: EarningsPerGame) -> LeaderboardRow:
    rating_history = player.rating_history()
    thinned_history = [*rating_history[: -1 : len(rating_history) // SMALL_CHART_POINTS + 1], rating_history[-1]]
    return LeaderboardRow(
        place=place,
        number=player.number,
        bot=bot_name(standings, player),
        player=player.name,
        rating=rating_text(player.rating),
        moved=standings.places_risen(player),
        games=len(player.games),
        won=player.won,
        lost=player.lost,
        tied=player.tied,
        plays=bool(player.active),
        points=draw_chart(thinned_history).points,
        last=[
            (_describe_outcome(standings.games[number - 1], player.number), number)
            for number in reversed(player.games[-LAST_GAMES:])
        ],
        earned=round(earned.mean, 2) if earned.games else None,
        low=round(earned.interval.low, 2) if earned.interval else None,
        high=round(earned.interval.high, 2) if earned.interval else None,
        earned_games=earned.games,
    )


def bot_name(standings: Standings, player: Player) -> str:
    """Returns the name of a player's active bot. If no bot is active, returns the name of the latest upload, or "" if
    there is none.
    """
    number = player.active or (player.uploads[-1] if player.uploads else 0)
    return standings.uploads[number].name if number else ""


def game_line(standings: Standings, game: Game, began_at: float) -> GameLine:
    """Returns a game's line. `began_at` is the time when the season began, in seconds since 1970."""
    sides = _make_side(standings, game, 0), _make_side(standings, game, 1)
    result = _describe_result(game, sides)
    return GameLine(
        game.number,
        sides,
        result,
        game.over,
        bool(game.void_reason),
        game.hands,
        local_time(began_at + game.began_ms / 1000),
    )


def rating_text(rating: int) -> str:
    """Returns a rating, given in hundredths of a point, as text such as "1012.34"."""
    return f"{rating / 100:.2f}"


def draw_chart(rating_history: Sequence[tuple[int, int]]) -> Chart:
    """Returns the chart of a rating history. Each pair has a number of games, and the rating after that many games."""
    ratings = [rating for _, rating in rating_history]
    low, high = min(ratings), max(ratings)
    spare = max(MIN_SPAN - (high - low), 0) // 2
    low, high = low - spare, high + spare
    max_games = max(rating_history[-1][0], 1)
    points = (
        f"{games * WIDTH / max_games:.1f},{(high - rating) * HEIGHT / (high - low):.1f}"
        for games, rating in rating_history
    )
    return Chart(" ".join(points), rating_text(high), rating_text(low), rating_history[-1][0])


def _make_side(standings: Standings, game: Game, side_index: int) -> GameSide:
    upload = standings.uploads[game.uploads[side_index]]
    gained = (
        game.ratings_after[side_index] - game.ratings_before[side_index] if game.over and not game.void_reason else 0
    )
    return GameSide(
        side=SIDES[side_index],
        player=upload.player,
        bot=upload.name,
        owner=standings.players[upload.player].name,
        chips=game.stacks[side_index],
        rating=rating_text(game.ratings_before[side_index]),
        gained=f"{gained / 100:+.2f}",
        won=game.stacks[side_index] > game.stacks[1 - side_index],
    )


def _describe_result(game: Game, sides: tuple[GameSide, GameSide]) -> str:
    if game.void_reason:
        return "does not count: it could not be finished"
    if not game.over:
        return "being played"
    if game.forfeited >= 0:
        return f"{sides[game.forfeited].bot} lost by a fault ({public_fault(game.fault, game.reason)})"
    winner = next((side for side in sides if side.won), None)
    return f"{winner.bot} won" if winner else "tied"


def _describe_outcome(game: Game, player: int) -> str:
    side_index = game.players.index(player)
    mine, theirs = game.stacks[side_index], game.stacks[1 - side_index]
    return "won" if mine > theirs else "lost" if mine < theirs else "tied"
