"""Limits on request bodies that arrive after the answer, and on answers that nobody reads. Over real sockets."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from starlette.responses import StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from broadcast.web.connections import http_connection, protocol
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from tests.support.event_loop import in_event_loop
from tests.web.stranger_connections import SECONDS, call, get, read_to_end, read_until


@pytest.mark.parametrize(
    ("limit", "value", "more"), [("BODY_SECONDS", 0.5, 1), ("MAX_BODY_BYTES_AFTER_ANSWER", 1000, 1001)]
)
def test_slow_or_long_body_after_its_answer_ends_the_connection(
    limit: str, value: float, more: int, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, limit, value)
    with call(port) as line:
        line.sendall(f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9999\r\n\r\n".encode())
        read_until(line, b"\r\n\r\n")
        line.sendall(b"x" * more)
        read_to_end(line)


@in_event_loop
async def test_unread_answers_are_not_kept_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server keeps a whole page in memory, but only a part of a download."""
    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 1)
    size = 32 * 1024 * 1024

    gone: asyncio.Queue[str] = asyncio.Queue()

    async def download() -> AsyncIterator[bytes]:
        try:
            for _ in range(size // 65536):
                yield b"x" * 65536
        finally:
            gone.put_nowait("download")

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * size, "more_body": True})
        assert (await receive())["type"] == "http.disconnect"
        gone.put_nowait("page")

    app = guarded_app()
    app.router.routes.append(Route("/download", lambda _: StreamingResponse(download())))
    app.mount("/page", page)
    async with serving(app, "127.0.0.1", 0) as base, asyncio.timeout(SECONDS):
        port = int(base.rpartition(":")[2])
        with contextlib.ExitStack() as lines:
            for path in ("/download", "/page/"):
                line = lines.enter_context(await asyncio.to_thread(call, port))
                line.sendall(get(port, path))
            assert {await gone.get(), await gone.get()} == {"download", "page"}
