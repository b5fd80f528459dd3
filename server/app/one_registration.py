"""Registration for a single bot, on a socket of its own: whoever registers there is that bot."""

import contextlib
import socket
from collections.abc import AsyncIterator, Callable

from broadcast.web.connections.limits import MOST_OF_A_BOT
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving_on
from server.registration.register import CheckedIn, Registration, register_router


@contextlib.asynccontextmanager
async def registration_on(
    listener: socket.socket, game_port: int, bot: int, heard: Callable[[Registration], object] = lambda _: None
) -> AsyncIterator[None]:
    """Answers `POST /register` on `listener` until the block ends; the socket is closed then.

    Each answer sends the bot to `game_port` as number `bot`; `heard` is called with what it said.
    """

    async def check_in(registration: Registration, _: str) -> CheckedIn:
        heard(registration)
        return CheckedIn(game_port, bot)

    app = guarded_app()
    app.include_router(register_router(check_in))
    async with serving_on(app, listener, most=MOST_OF_A_BOT, kept=0):
        yield
