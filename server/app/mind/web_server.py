"""Runs a bot that asks a language model as a web server, for contests in which bots are HTTP servers."""

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import Request, Response

from broadcast.web.client_disconnect import ClientDisconnected, cancel_on_disconnect, wait_for_disconnect
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.app.mind.mind_bot import MindBot
from server.app.mind.table_connections import LINE_BYTES

NEXT_QUESTION_SECONDS = 1.0
"""How many seconds a new question waits for the earlier question to end. After that, the new question is refused. When
a contest's server gives up on an answer, it disconnects. Its next question may arrive before this program notices the
disconnection.
"""


async def serve_mind(mind_bot: MindBot, host: str, port: int, on_listening: Callable[[], Awaitable[None]]) -> None:
    """Plays as a web server until it is stopped. Calls `on_listening` once the server listens. Raises CannotServe."""
    app, question_lock = guarded_app([host]), asyncio.Lock()
    wire = mind_bot.wire

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    async def answer(path: str, request: Request) -> Response:
        if f"/{path}" not in wire.paths:
            return Response(status_code=404)
        if f"/{path}" != wire.action_path or request.method != "POST":
            return Response(b"{}", media_type="application/json")
        body = await _read_body(request)
        if body is None:
            return Response(f"A message has at most {LINE_BYTES} bytes.", 413)
        try:  # questions cost money, so the bot answers only one at a time, no matter who sends them
            await asyncio.wait_for(question_lock.acquire(), NEXT_QUESTION_SECONDS)
        except TimeoutError:
            return Response("One question at a time.", 503)
        try:
            answer_bytes = await cancel_on_disconnect(request.receive, mind_bot.answer(body))
        except ClientDisconnected:
            return Response()
        finally:
            question_lock.release()
        if answer_bytes is None:  # the turn is missed: the server gets nothing, not even an error
            await wait_for_disconnect(request.receive)
        return Response(answer_bytes or b"", media_type="application/json")

    async with serving(app, host, port):
        await on_listening()
        await asyncio.Event().wait()


async def _read_body(request: Request) -> bytes | None:
    """Returns the body, or None if it is too large."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LINE_BYTES:
            return None
    return body
