"""Practice for the ACPC: `POST /register` gives a port, and the match begins once the player connects there."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Form, page_of, warn
from server.app.practice.tcp_games import TcpGames
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import match_of
from server.game.tournament import Format
from server.registration.register import register_router

CONNECT_SECONDS = 120.0
"""How long a port waits for a player that is started by hand."""
FORM = Form(
    "Practice for the ACPC",
    "/practice",
    how="POST /register with your bot's name, then start it with this host and the port_number that comes back: its "
    "match begins at once. The own_url that comes back is a page for you alone; with a key of your choice the next "
    "match is on it, too.",
)


def practice_match(seats: int, hands: int) -> Format:
    """The ACPC as it is practised."""
    return match_of(Game(seats), hands, "Practice", draw=False)


def practice_router(channels: PracticeChannels) -> APIRouter:
    """The request that gives a player its port, and the page that lists the matches."""
    router = register_router(TcpGames(practice_match, channels, connect_seconds=CONNECT_SECONDS).check_in, warn)
    page = page_of(channels.guests, FORM)

    @router.get(FORM.path)
    async def look(request: Request) -> Response:
        """The page that lists the matches."""
        return page(request)

    return router
