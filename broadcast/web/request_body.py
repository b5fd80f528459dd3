"""The body of a request, read before any route is asked: none is endless, none is slow.

The web server sets no limit of its own.
"""

import asyncio
import contextlib

from starlette.types import Message, Receive, Scope

from broadcast.web.connections.refusal import Refusal

LONGEST = 8192
"""Bytes of a body."""
SECONDS = 5.0
"""The whole body must be here by then."""
UNWANTED_SECONDS = 1.0
"""And one of a request that is refused by then."""
LARGE = ("/upload",)
"""Where more is taken: the route itself sets limits of size, time and number."""


async def read_ahead(scope: Scope, receive: Receive) -> tuple[Receive, Refusal | None]:
    """The same request with its whole body at hand, or why it is refused."""
    if scope["path"] in LARGE or not _has_body(scope):
        return receive, None
    try:
        async with asyncio.timeout(SECONDS):
            body, whole = await _read(receive)
    except TimeoutError:
        return receive, Refusal(408, "The body took too long")
    if len(body) > LONGEST:
        return receive, Refusal(413, "The body must be at most 8 KiB")
    if not whole:
        return receive, Refusal(400, "The body is not complete")
    return _replayed(body, receive), None


async def read_out(scope: Scope, receive: Receive) -> None:
    """Takes in a body that nobody wants, if it is short and quick: closing over it would cut the answer off."""
    if _has_body(scope):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(UNWANTED_SECONDS):
                await _read(receive)


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read(receive: Receive) -> tuple[bytes, bool]:
    """What came, at most a piece more than is allowed, and whether that is all: the other end can be gone before."""
    body = b""
    while len(body) <= LONGEST:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body, False
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body, True
    return body, False


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return replay
