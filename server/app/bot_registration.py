"""Helps the servers of all contests to register bots, and serves `POST /register` for a single bot."""

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs

from fastapi import Request

from broadcast.web.connections.limits import MAX_BOT_CONNECTIONS
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving_on
from server.registration.register import CheckedIn, Registration, RegistrationRefused, register_router
from server.text.characters import printable

WELCOME = "Welcome to the party!"
MAX_FIELDS = 16
_EXAMPLE_FORM = "hostname=10.23.221.24:3000&name=Bot Awesome (netid2)"
_WRONG_FORMATS = {b"{": "JSON", b"[": "JSON", b"--": "multipart"}
"""The formats that bots often send by mistake, keyed by the first bytes of a body."""


def header_text(text: str) -> str:
    """`text` in ASCII, for an HTTP header."""
    return printable(text).encode("ascii", "backslashreplace").decode()


def server_port(request: Request) -> int:
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def read_fields(body: bytes) -> dict[str, str]:
    """The first value of each field in an urlencoded form. Raises RegistrationRefused (400) for any other body."""
    wrong_format = next((name for start, name in _WRONG_FORMATS.items() if body.lstrip().startswith(start)), "")
    if wrong_format:
        raise RegistrationRefused(
            400, f"The body must be a urlencoded form such as {_EXAMPLE_FORM}; this one is {wrong_format}"
        )
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise RegistrationRefused(400, f"The body must be a urlencoded form such as {_EXAMPLE_FORM}") from None
    return {name: values[0] for name, values in fields.items()}


@contextlib.asynccontextmanager
async def serve_registration(
    listener: socket.socket,
    game_port: int,
    bot: int,
    on_registration: Callable[[Registration], object] = lambda _: None,
    *,
    has_registration: bool = True,
) -> AsyncIterator[None]:
    """Serves `POST /register` on `listener` until the context ends. If `has_registration` is false, closes `listener`
    at once. Tells the bot its number (`bot`) and the port to connect to (`game_port`). Calls `on_registration` with
    each registration. `on_registration` may raise RegistrationRefused to turn the bot away.
    """
    if not has_registration:
        listener.close()
        yield
        return

    async def check_in(registration: Registration, _: str) -> CheckedIn:
        on_registration(registration)
        return CheckedIn(game_port, bot)

    app = guarded_app()
    app.include_router(register_router(check_in))
    async with serving_on(app, listener, max_connections=MAX_BOT_CONNECTIONS, reserved=0):
        yield
