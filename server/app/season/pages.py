"""The public pages of a season: leaderboard, bots, games and logs. They show only results that have been on air."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from broadcast.web.answers import JSON, Answer, KeptAnswers, compressed_answer, run_in_thread
from broadcast.web.routes import Route, WantsJson
from broadcast.web.templates import page_templates
from server.app.decisions.decisions import Decision, decisions_of
from server.app.decisions.hands import OwnGame, OwnHands
from server.app.season.earned import NOT_COUNTED, SeasonEarned
from server.app.season.public_view import PastSeason, PublicView
from server.app.season.views import PER_PAGE, Side, Standing, bot_name, chart, game_line, leaderboard, points_of
from server.app.season.visitors import PAGE_HEADERS, is_operator, number_in, visitor
from server.journal.journal import read_journal
from server.season.files import Store
from server.season.ledger import Ledger
from server.season.outcome import SIDES
from server.season.standings import Game, Standings
from server.text.regular_file import open_regular

MAX_SHOWN = 64 << 10
"""How many bytes of a log a game's page shows; the whole log has its own address."""
NO_SUCH_PAGE = "There is no such page in this season.\n"


def season_router(ledger: Ledger | PastSeason, view: PublicView, store: Store) -> APIRouter:
    """Returns the routes of the public pages. `view` is the season's public state, `ledger` knows all players, and
    `store` finds the logs.
    """
    pages = _Pages(ledger, view, store)
    router = APIRouter(route_class=Route)
    router.add_api_route("/season", pages.board)
    router.add_api_route("/season.json", pages.as_json, response_model=Sequence[Standing])
    router.add_api_route("/season/bots/{number:int}", pages.bot)
    router.add_api_route("/season/games", pages.games)
    router.add_api_route("/season/games/{number:int}", pages.game)
    router.add_api_route("/season/games/{number:int}/{log}.log", pages.log)
    router.add_api_route("/season/games/{number:int}/{side}", pages.hands, response_model=OwnHands)
    return router


class _Pages:
    def __init__(self, ledger: Ledger | PastSeason, view: PublicView, store: Store) -> None:
        self._ledger = ledger
        self._view = view
        self._store = store
        self._earned = SeasonEarned(store)
        self._kept = KeptAnswers()
        self._templates = page_templates()

    @property
    def _standings(self) -> Standings:
        """Returns the public state of the season. It may lack a new player, so visitors are looked up in the ledger
        instead.
        """
        return self._view.standings

    @property
    def _state(self) -> tuple[object, ...]:
        self._earned.update(self._standings)
        return *self._view.state, self._earned.counts

    def _rows(self) -> list[Standing]:
        return leaderboard(self._standings, self._earned.update(self._standings))

    async def board(self, request: Request) -> Response:
        """The leaderboard."""

        def about() -> dict[str, object]:
            standings = self._standings
            return {"rows": self._rows(), "playing": len(standings.open), "games": standings.counted}

        return await self._page(request, "season/season.html", about)

    async def as_json(self, request: Request) -> Response:
        """The leaderboard as JSON."""
        rows: list[Standing] = []

        async def gather() -> None:
            rows.extend(self._rows())

        make = lambda: compressed_answer(msgspec.json.encode(rows), JSON)  # noqa: E731
        return (await self._kept.get("json", self._state, make, gather)).to(request)

    async def bot(self, request: Request, number: int) -> Response:
        """One player's bot: its rating over time, its versions, its latest games."""
        standings = self._standings
        player = standings.players.get(number)
        if player is None or number not in standings.ladder:
            return _nothing()

        def about() -> dict[str, object]:
            games, _ = standings.latest(number, 1, 10)
            return {
                "player": player,
                "bot": bot_name(standings, player),
                "place": standings.place(number),
                "earned": self._earned.update(standings).get(number, NOT_COUNTED),
                "rating": points_of(player.rating),
                "chart": chart(player.history()),
                "games": [game_line(standings, game, self._view.began) for game in games],
            }

        return await self._page(request, "season/season_bot.html", about, number)

    async def games(self, request: Request) -> Response:
        """The list of all games or of one player's games, the latest first, divided into pages."""
        standings = self._standings
        of, page = (number_in(request.query_params.get(key, "")) for key in ("bot", "page"))
        if of and of not in standings.players:
            return _nothing()
        _, pages = standings.latest(of, 1, PER_PAGE)
        page = min(max(page, 1), pages)

        def about() -> dict[str, object]:
            games, _ = standings.latest(of, page, PER_PAGE)
            rows = [game_line(standings, game, self._view.began) for game in games]
            names = [(number, bot_name(standings, standings.players[number])) for number in standings.ladder]
            return {"rows": rows, "of": of, "at": page, "pages": pages, "names": names}

        return await self._page(request, "season/season_games.html", about, (of, page))

    async def game(self, request: Request, number: int) -> Response:
        """One game: its result, its public log, and links to private logs that the visitor may read."""
        game = self._standings.game(number)
        if game is None:
            return _nothing()
        public = self._store.game(number).public
        log, whole = await run_in_thread(partial(_beginning, public)) if game.over else ("", True)
        own = [side for at, side in enumerate(SIDES) if game.over and self._may_read(request, game, at)]
        line = game_line(self._standings, game, self._view.began)
        reason = game.reason if game.forfeited >= 0 and SIDES[game.forfeited] in own else ""
        about = {"game": line, "log": log, "whole": whole, "own": own, "reason": reason}
        return await self._page(request, "season/season_game.html", lambda: about, number)

    async def log(self, request: Request, number: int, log: str) -> Response:
        """A finished game's public log, or a bot's standard error, which only its owner and the operator may read."""
        game = self._standings.game(number)
        if game is None or not game.over or log not in ("public", *SIDES):
            return _nothing()
        if log in SIDES and not self._may_read(request, game, SIDES.index(log)):
            return PlainTextResponse("Only its owner may read what a bot writes to its standard error.\n", 403)
        files = self._store.game(number)
        return log_file(files.public if log == "public" else files.defender if log == SIDES[0] else files.challenger)

    async def hands(self, request: Request, number: int, side: str, as_json: WantsJson) -> Response:
        """A finished game of one bot hand by hand; with `?json` as JSON."""
        game = self._standings.game(number)
        if game is None or not game.over or game.void or side not in SIDES:
            return _nothing()
        player = game.players[SIDES.index(side)]
        line = game_line(self._standings, game, self._view.began)
        played = line.sides[SIDES.index(side)]
        make = partial(self._hand_by_hand, request, number, player, played, line.words, as_json=as_json)
        try:
            return (await self._kept.get((number, side, as_json), line, make)).to(request)
        except (OSError, ValueError, LookupError):  # its recording is missing or damaged
            return _nothing()

    def _hand_by_hand(
        self, request: Request, number: int, player: int, side: Side, words: str, *, as_json: bool
    ) -> Answer:
        entries = read_journal(self._store.game(number).journal).entries
        decisions = list(decisions_of((entry.event for entry in entries), player))
        about = {
            "request": request,
            "name": side.bot,
            "words": f"Game {number}, {side.side}: {words}. {_times(decisions)}",
            "back": f"/season/games/{number}",
            "watch": f"/replay/season/{number}",
            "log": f"/season/games/{number}/public.log",
        }
        return OwnGame(decisions).answer(about, PAGE_HEADERS, as_json=as_json)

    def _may_read(self, request: Request, game: Game, at: int) -> bool:
        player = visitor(request, self._ledger.standings)
        return is_operator(request) or (player is not None and player.number == game.players[at])

    async def _page(
        self, request: Request, template: str, about: Callable[[], dict[str, object]], key: Hashable = None
    ) -> Response:
        """Renders the page for a player or the operator. All other visitors get a cached page."""
        you, operator = visitor(request, self._ledger.standings), is_operator(request)
        common = {"season": self._standings, "on_air": self._view.on_air, "operator": operator, "you": you}

        async def gathered() -> dict[str, object]:
            return {**common, **about()}

        if you or operator:
            return self._templates.TemplateResponse(request, template, await gathered(), headers=PAGE_HEADERS)
        return await self._kept.page(
            *(request, self._templates, template, gathered),
            key=key,
            state=self._state,
            headers=PAGE_HEADERS,
        )


def log_file(path: Path) -> Response:
    """A log as plain text; empty if the file does not exist."""
    if not path.is_file():
        return PlainTextResponse("")
    return FileResponse(path, media_type="text/plain; charset=utf-8")


def _nothing() -> Response:
    return PlainTextResponse(NO_SUCH_PAGE, 404)


def _times(decisions: Sequence[Decision]) -> str:
    times = sorted(each.think_ms for each in decisions)
    if not times:
        return "It was never asked to act."
    nearly_all = times[(len(times) * 99 - 1) // 100]
    return (
        f"It answered {len(times)} time{'' if len(times) == 1 else 's'}: half within {median(times):,.0f} ms, "
        f"99 of 100 within {nearly_all:,} ms, the slowest after {times[-1]:,} ms."
    )


def _beginning(path: Path) -> tuple[str, bool]:
    """Returns the beginning of a log, and whether the beginning is the whole log. Returns "" if there is no log, as in
    a void game.
    """
    try:
        with open_regular(path) as file:
            return file.read(MAX_SHOWN).decode(errors="replace"), not file.read(1)
    except OSError:
        return "", True
