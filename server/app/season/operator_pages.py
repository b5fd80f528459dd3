"""The operator's two pages of a season. On the first page, the operator admits players. The second page lists the games
that are being played.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from broadcast.web.access import RightFromRequest
from broadcast.web.routes import Json, PlainError, Route
from broadcast.web.templates import page_templates
from server.app.season.upload_page import refusal_for
from server.app.season.views import bot_name
from server.app.season.visitors import PAGE_HEADERS, ShortForm, find_player, parse_number
from server.season.local_games import GamesStatus
from server.season.season_state import Standings
from server.season.uploads.upload_request import RequestRefused
from server.season.uploads.uploads import Uploads

_MAX_GAMES = 20
"""The page lists the oldest unfinished games, at most this many."""
_RELOAD_SECONDS = 2
OPERATOR_ONLY = (
    "This page is for the operator only. Open the control desk first, with the address printed at the start.\n"
)


async def operators_only(right: RightFromRequest) -> None:
    """Raises PlainError (403) unless the request's token or cookie gives control of the desk."""
    if right != "control":
        raise PlainError(403, OPERATOR_ONLY)


def operator_router(uploads: Uploads, status: Callable[[], GamesStatus]) -> APIRouter:
    """Returns the routes of the operator's pages. At `/season/players`, the operator admits and removes players. The
    page `/season/workers` lists the games, also as JSON.

    `status` returns the games and queues for `/season/workers`.
    """
    pages = _OperatorPages(uploads, status)
    router = APIRouter(route_class=Route, dependencies=[Depends(operators_only)])
    router.add_api_route("/season/players", pages.players)
    router.add_api_route("/season/players", pages.decide, methods=["POST"])
    router.add_api_route("/season/workers", pages.workers)
    router.add_api_route("/season/workers.json", pages.workers_json, response_model=GamesStatus)
    return router


class _OperatorPages:
    def __init__(self, uploads: Uploads, status: Callable[[], GamesStatus]) -> None:
        self._uploads = uploads
        self._upload_senders = uploads.senders
        self._status = status
        self._templates = page_templates()
        self._actions: dict[str, Callable[[int], Awaitable[None]]] = {
            "let in": uploads.admit_newcomer,
            "turn away": uploads.reject_newcomer,
            "remove": uploads.remove,
        }

    async def players(self, request: Request) -> Response:
        """The newcomers who are waiting, and all players."""
        return self._players_page(request)

    async def decide(self, request: Request, fields: ShortForm) -> Response:
        """Applies the operator's decision to the chosen players. The page then lists the players for whom the decision
        failed.
        """
        if "origin" not in request.headers:
            raise PlainError(403, OPERATOR_ONLY)
        action = fields.get("do", [""])[0]
        if action in ("invite", "ask"):
            self._upload_senders.accepts_invitations = action == "invite"
        elif action not in self._actions:
            return PlainTextResponse("The form does not say what to do.\n", 400)
        faults: list[str] = []
        for number in fields.get("who", []) if action in self._actions else ():
            try:
                await self._actions[action](parse_number(number))
            except (RequestRefused, OSError) as error:
                faults += refusal_for(error).faults
        return self._players_page(request, faults) if faults else RedirectResponse("/season/players", 303)

    async def workers(self, request: Request) -> Response:
        """The games being played, and the machines that play them."""
        values = {"status": self._status(), "most_games": _MAX_GAMES, "again": _RELOAD_SECONDS}
        return self._page(request, "season/season_workers.html", values)

    async def workers_json(self) -> Json:
        """The games and queues, for programs."""
        return Json(self._status(), headers=PAGE_HEADERS)

    def _players_page(self, request: Request, faults: Sequence[str] = ()) -> Response:
        values = {
            "faults": faults,
            "waiting": self._uploads.newcomers.waiting_list(),
            "players": [
                (
                    player,
                    bot_name(self._standings, player),
                    self._upload_senders.player_addresses.get(player.number, ""),
                )
                for player in self._standings.members()
            ],
            "has_invitations": self._upload_senders.has_invitations,
            "by_invitation": self._upload_senders.accepts_invitations,
        }
        return self._page(request, "season/season_players.html", values, 409 if faults else 200)

    @property
    def _standings(self) -> Standings:
        return self._uploads.ledger.standings

    def _page(self, request: Request, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        common = {"season": self._standings, "you": find_player(request, self._standings), "operator": True}
        return self._templates.TemplateResponse(request, template, {**common, **values}, status, headers=PAGE_HEADERS)
