"""Reads a request's body before its route runs, with limits of size and time: uvicorn has none."""

import asyncio
import contextlib

from starlette.types import Message, Receive, Scope

from broadcast.web.connections.limits import Refusal

MOST_BYTES = 8192
"""The longest body, in bytes."""
MOST_SECONDS = 5.0
"""Within so much time the whole body must have come."""
MOST_DISCARD_SECONDS = 1.0
"""How long the body of a refused request is read before the connection is closed."""
PATHS_WITH_LARGE_BODIES = ("/upload",)
"""Paths whose routes read the body themselves, with limits of their own."""


async def read_body(scope: Scope, receive: Receive) -> tuple[Receive, Refusal | None]:
    """Returns a `receive` that gives the body in one message, and None; or a Refusal (status 400, 408 or 413)."""
    if scope["path"] in PATHS_WITH_LARGE_BODIES or not _has_body(scope):
        return receive, None
    try:
        async with asyncio.timeout(MOST_SECONDS):
            body, whole = await _read(receive)
    except TimeoutError:
        return receive, Refusal(408, "The body took too long")
    if len(body) > MOST_BYTES:
        return receive, Refusal(413, "The body must be at most 8 KiB")
    if not whole:
        return receive, Refusal(400, "The body is not complete")
    return _replayed(body, receive), None


async def discard_body(scope: Scope, receive: Receive) -> None:
    """Reads and drops the body of a refused request: closing with unread bytes would cut the answer off.

    Gives up after `MOST_BYTES` or `MOST_DISCARD_SECONDS`. Does not raise.
    """
    if _has_body(scope):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOST_DISCARD_SECONDS):
                await _read(receive)


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read(receive: Receive) -> tuple[bytes, bool]:
    """The body, up to the first piece beyond `MOST_BYTES`, and whether it is complete."""
    body = b""
    while len(body) <= MOST_BYTES:
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
