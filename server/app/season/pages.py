"""The public pages of a season: leaderboard, bots, games and logs. They show only results that have been on air."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from broadcast.web.answers import JSON, Answer, AnswerCache, compressed_answer, run_in_thread
from broadcast.web.routes import Route, WantsJson
from broadcast.web.templates import page_templates
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.game_review import GameReview, HandReviews
from server.app.season.earnings import NO_EARNINGS, SeasonEarnings
from server.app.season.public_view import PastSeason, PublicView
from server.app.season.views import (
    PER_PAGE,
    GameSide,
    LeaderboardRow,
    bot_name,
    draw_chart,
    game_line,
    leaderboard,
    rating_text,
)
from server.app.season.visitors import PAGE_HEADERS, find_player, is_operator, parse_number
from server.journal.journal import read_journal
from server.season.files import SeasonFiles
from server.season.ledger import Ledger
from server.season.outcome import SIDES
from server.season.season_state import Game, Standings
from server.text.regular_file import open_regular

MAX_SHOWN_BYTES = 64 << 10
"""A game's page shows at most this many bytes of a log. The whole log has its own address."""
NO_SUCH_PAGE = "There is no such page in this season.\n"


def season_router(ledger: Ledger | PastSeason, view: PublicView, store: SeasonFiles) -> APIRouter:
    """Returns the routes of the public pages. `view` is the season's public state, `ledger` knows all players, and
    `store` finds the logs.
    """
    pages = _Pages(ledger, view, store)
    router = APIRouter(route_class=Route)
    router.add_api_route("/season", pages.board)
    router.add_api_route("/season.json", pages.as_json, response_model=Sequence[LeaderboardRow])
    router.add_api_route("/season/bots/{number:int}", pages.bot)
    router.add_api_route("/season/games", pages.games)
    router.add_api_route("/season/games/{number:int}", pages.game)
    router.add_api_route("/season/games/{number:int}/{log}.log", pages.log)
    router.add_api_route("/season/games/{number:int}/{side}", pages.hands, response_model=HandReviews)
    return router


class _Pages:
    def __init__(self, ledger: Ledger | PastSeason, view: PublicView, store: SeasonFiles) -> None:
        self._ledger = ledger
        self._view = view
        self._store = store
        self._earnings = SeasonEarnings(store)
        self._cache = AnswerCache()
        self._templates = page_templates()

    @property
    def _standings(self) -> Standings:
        """Returns the public state of the season. A new player may be missing from it, so visitors are looked up in the
        ledger, the season's whole record.
        """
        return self._view.standings

    @property
    def _page_state(self) -> tuple[object, ...]:
        self._earnings.update(self._standings)
        return *self._view.state, self._earnings.revision

    def _rows(self) -> list[LeaderboardRow]:
        return leaderboard(self._standings, self._earnings.update(self._standings))

    async def board(self, request: Request) -> Response:
        """The leaderboard."""

        def make_values() -> dict[str, object]:
            standings = self._standings
            return {"rows": self._rows(), "playing": len(standings.open_games), "games": standings.counted_games}

        return await self._page(request, "season/season.html", make_values)

    async def as_json(self, request: Request) -> Response:
        """The leaderboard as JSON."""
        rows: list[LeaderboardRow] = []

        async def gather() -> None:
            rows.extend(self._rows())

        make = lambda: compressed_answer(msgspec.json.encode(rows), JSON)  # noqa: E731
        return (await self._cache.get("json", self._page_state, make, gather)).response_for(request)

    async def bot(self, request: Request, number: int) -> Response:
        """One player's bot: its rating over time, its versions, its latest games."""
        standings = self._standings
        player = standings.players.get(number)
        if player is None or number not in standings.leaderboard:
            return _not_found_page()

        def make_values() -> dict[str, object]:
            games, _ = standings.finished_games_page(number, 1, 10)
            return {
                "player": player,
                "bot": bot_name(standings, player),
                "place": standings.place(number),
                "earned": self._earnings.update(standings).get(number, NO_EARNINGS),
                "rating": rating_text(player.rating),
                "chart": draw_chart(player.rating_history()),
                "games": [game_line(standings, game, self._view.began_at) for game in games],
            }

        return await self._page(request, "season/season_bot.html", make_values, number)

    async def games(self, request: Request) -> Response:
        """The list of all games or of one player's games, the latest first, divided into pages."""
        standings = self._standings
        player_number, page = (parse_number(request.query_params.get(key, "")) for key in ("bot", "page"))
        if player_number and player_number not in standings.players:
            return _not_found_page()
        _, pages = standings.finished_games_page(player_number, 1, PER_PAGE)
        page = min(max(page, 1), pages)

        def make_values() -> dict[str, object]:
            games, _ = standings.finished_games_page(player_number, page, PER_PAGE)
            rows = [game_line(standings, game, self._view.began_at) for game in games]
            names = [(number, bot_name(standings, standings.players[number])) for number in standings.leaderboard]
            return {"rows": rows, "of": player_number, "at": page, "pages": pages, "names": names}

        return await self._page(request, "season/season_games.html", make_values, (player_number, page))

    async def game(self, request: Request, number: int) -> Response:
        """One game: its result, its public log, and links to private logs that the visitor may read."""
        game = self._standings.game(number)
        if game is None:
            return _not_found_page()
        public_log = self._store.game_files(number).public_log
        log, is_whole = await run_in_thread(partial(_read_beginning, public_log)) if game.over else ("", True)
        readable_sides = [
            side for index, side in enumerate(SIDES) if game.over and self._may_read(request, game, index)
        ]
        line = game_line(self._standings, game, self._view.began_at)
        reason = game.reason if game.forfeited >= 0 and SIDES[game.forfeited] in readable_sides else ""
        values = {"game": line, "log": log, "whole": is_whole, "own": readable_sides, "reason": reason}
        return await self._page(request, "season/season_game.html", lambda: values, number)

    async def log(self, request: Request, number: int, log: str) -> Response:
        """A finished game's public log, or a bot's standard error for the bot's owner and the operator."""
        game = self._standings.game(number)
        if game is None or not game.over or log not in ("public", *SIDES):
            return _not_found_page()
        if log in SIDES and not self._may_read(request, game, SIDES.index(log)):
            return PlainTextResponse("Only its owner may read what a bot writes to its standard error.\n", 403)
        files = self._store.game_files(number)
        return log_file(
            files.public_log if log == "public" else files.defender_log if log == SIDES[0] else files.challenger_log
        )

    async def hands(self, request: Request, number: int, side: str, as_json: WantsJson) -> Response:
        """A finished game of one bot, hand by hand. With `?json`, the answer is JSON."""
        game = self._standings.game(number)
        if game is None or not game.over or game.void_reason or side not in SIDES:
            return _not_found_page()
        player = game.players[SIDES.index(side)]
        line = game_line(self._standings, game, self._view.began_at)
        side_view = line.sides[SIDES.index(side)]
        make = partial(self._hand_by_hand, request, number, player, side_view, line.result, as_json=as_json)
        try:
            return (await self._cache.get((number, side, as_json), line, make)).response_for(request)
        except (OSError, ValueError, LookupError):  # the game's recording is missing or damaged
            return _not_found_page()

    def _hand_by_hand(
        self, request: Request, number: int, player: int, side: GameSide, result_text: str, *, as_json: bool
    ) -> Answer:
        entries = read_journal(self._store.game_files(number).journal).entries
        decisions = list(decisions_of((entry.event for entry in entries), player))
        values = {
            "request": request,
            "name": side.bot,
            "words": f"Game {number}, {side.side}: {result_text}. {_describe_times(decisions)}",
            "back": f"/season/games/{number}",
            "watch": f"/replay/season/{number}",
            "log": f"/season/games/{number}/public.log",
        }
        return GameReview(decisions).answer(values, PAGE_HEADERS, as_json=as_json)

    def _may_read(self, request: Request, game: Game, side_index: int) -> bool:
        player = find_player(request, self._ledger.standings)
        return is_operator(request) or (player is not None and player.number == game.players[side_index])

    async def _page(
        self, request: Request, template: str, make_values: Callable[[], dict[str, object]], key: Hashable = None
    ) -> Response:
        """Renders the page for a player or the operator. All other visitors get a cached page."""
        you, operator = find_player(request, self._ledger.standings), is_operator(request)
        common = {"season": self._standings, "on_air": self._view.on_air, "operator": operator, "you": you}

        async def all_values() -> dict[str, object]:
            return {**common, **make_values()}

        if you or operator:
            return self._templates.TemplateResponse(request, template, await all_values(), headers=PAGE_HEADERS)
        return await self._cache.page(
            *(request, self._templates, template, all_values),
            key=key,
            state=self._page_state,
            headers=PAGE_HEADERS,
        )


def log_file(path: Path) -> Response:
    """Returns a log as plain text, which is empty if the file does not exist."""
    if not path.is_file():
        return PlainTextResponse("")
    return FileResponse(path, media_type="text/plain; charset=utf-8")


def _not_found_page() -> Response:
    return PlainTextResponse(NO_SUCH_PAGE, 404)


def _describe_times(decisions: Sequence[Decision]) -> str:
    times = sorted(decision.think_ms for decision in decisions)
    if not times:
        return "It was never asked to act."
    nearly_all = times[(len(times) * 99 - 1) // 100]
    return (
        f"It answered {len(times)} time{'' if len(times) == 1 else 's'}: half within {median(times):,.0f} ms, "
        f"99 of 100 within {nearly_all:,} ms, the slowest after {times[-1]:,} ms."
    )


def _read_beginning(path: Path) -> tuple[str, bool]:
    """Returns the beginning of a log, and whether it is the whole log. Returns "" as the beginning if there is no log,
    as in a game that does not count.
    """
    try:
        with open_regular(path) as file:
            return file.read(MAX_SHOWN_BYTES).decode(errors="replace"), not file.read(1)
    except OSError:
        return "", True
