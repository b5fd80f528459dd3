"""How bots register, by hand or by a program: what the forms have in common, and registration for a single bot."""

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs

from fastapi import Request

from broadcast.web.connections.limits import MOST_OF_A_BOT
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving_on
from server.console import plain
from server.registration.register import CheckedIn, Refused, Registration, register_router

WELCOME = "Welcome to the party!"
MOST_FIELDS = 16
_FORM = "hostname=10.23.221.24:3000&name=Bot Awesome (netid2)"
_OTHERS = {b"{": "JSON", b"[": "JSON", b"--": "multipart"}
"""How a body begins that is something else."""


def header_text(text: str) -> str:
    """Words as they may stand in a header, of which HTTP takes plain ASCII."""
    return plain(text).encode("ascii", "backslashreplace").decode()


def own_port(request: Request) -> int:
    """The port of this server that a request came to."""
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def read_fields(body: bytes) -> dict[str, str]:
    """The fields of an urlencoded form, the first of each name. Raises Refused (400) where the body is none."""
    other = next((kind for begins, kind in _OTHERS.items() if body.lstrip().startswith(begins)), "")
    if other:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded; this one is {other}")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded") from None
    return {name: values[0] for name, values in fields.items()}


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
