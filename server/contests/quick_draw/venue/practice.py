"""Practice for Quick Draw: `POST /register` as in a tournament, and the page `/practice`."""

from fastapi import APIRouter, Request
from fastapi.responses import Response
from msgspec.structs import replace

from broadcast.web.routes import Route
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import short
from server.app.practice.pages import Form, page_of, warn
from server.app.practice.tcp_games import TcpGames
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.tournament import Format
from server.registration.register import register_router

FORM = Form(
    "Practice for Quick Draw",
    "/practice",
    how="POST /register with your bot's name, then connect to the port that comes back: its game begins at once. "
    "The own_url that comes back is a page for you alone; with a key of your choice the next game is on it, too.",
)


def practice_game(seats: int, hands: int) -> Format:
    """Quick Draw as it is practised."""
    return replace(short(QUICK_DRAW_FORMAT, seats, hands), title="Practice")


def practice_router(channels: PracticeChannels) -> APIRouter:
    """The request that registers a bot, and the page that lists the games."""
    router = APIRouter(route_class=Route)
    router.include_router(register_router(TcpGames(practice_game, channels).check_in, warn))
    page = page_of(channels.guests, FORM)

    @router.get(FORM.path)
    async def look(request: Request) -> Response:
        """The page that lists the games."""
        return page(request)

    return router
