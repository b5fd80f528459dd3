"""Requests that break off or continue with nonsense, and a handshake that nobody answers: each is ended."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from fastapi import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from broadcast.web.connections import http_connection, page_socket
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from tests.on_air.in_loop import in_loop
from tests.web.stranger_connections import SECONDS, call, ended, handshake, read_until, with_strangers


@pytest.mark.parametrize("more", ["", "Transfer-Encoding: chunked\r\n"], ids=["next", "body"])
def test_nonsense_after_a_head_request_is_refused(
    more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\nnonsense\r\n\r\n".encode())
            assert b"HTTP/1.1 400 " in ended(line)

    with_strangers(act, tmp_path)
    assert "Traceback" not in capsys.readouterr().err


def test_answering_a_client_that_sends_nonsense_logs_no_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> bytes:
        asked, answered = asyncio.Event(), asyncio.Event()
        read = http_connection.HttpConnection.data_received

        def received(self: http_connection.HttpConnection, data: bytes) -> None:
            if data == b"nonsense":
                answered.set()  # the answer is written in the turn after the one in which the nonsense is read
            read(self, data)

        monkeypatch.setattr(http_connection.HttpConnection, "data_received", received)

        async def slow(_: Request) -> Response:
            asked.set()
            await answered.wait()
            return PlainTextResponse("late")

        app = guarded_app()
        app.router.routes.append(Route("/", slow))
        async with serving(app, "127.0.0.1", 0) as base, asyncio.timeout(SECONDS):
            port = int(base.rpartition(":")[2])
            with await asyncio.to_thread(call, port) as line:
                line.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                await asked.wait()
                line.sendall(b"nonsense")
                return await asyncio.to_thread(ended, line)

    assert asyncio.run(story()).startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in capsys.readouterr().err


def test_five_hundred_half_heads_delay_no_other_address(tmp_path: Path) -> None:
    def act(port: int) -> None:
        with contextlib.ExitStack() as lines:
            half = [lines.enter_context(call(port)) for _ in range(500)]
            for line in half:
                line.sendall(handshake(port)[:-2])
            for line in half:
                line.sendall(b"\r\n")
            other = lines.enter_context(call(port, "127.0.0.3"))
            other.sendall(handshake(port))
            read_until(other, b'"type":"welcome"')

    with_strangers(act, tmp_path, max_connections=4096)


@in_loop
async def test_handshake_that_the_application_never_answers_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "HANDSHAKE_SECONDS", 1.0)

    app = guarded_app()
    asked = asyncio.Event()

    async def never(_: WebSocket) -> None:
        asked.set()
        await asyncio.Event().wait()

    app.router.routes.append(WebSocketRoute("/ws/show", never))
    async with serving(app, "127.0.0.1", 0) as base:
        port = int(base.rpartition(":")[2])
        with await asyncio.to_thread(call, port) as line:
            line.sendall(handshake(port))
            assert await asyncio.to_thread(ended, line) == b""
    assert asked.is_set()
