"""Where a request comes from in the server's view, and what the server prints on the terminal."""

import asyncio
import contextlib
from pathlib import Path

import httpx
import pytest
from fastapi import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import address_of, listen, serving, serving_on
from tests.web.stranger_connections import SECONDS, call, first_words, get, with_strangers


@pytest.mark.parametrize(("proxy", "seen"), [("", "127.0.0.1"), ("127.0.0.1", "203.0.113.9")])
def test_forwarded_address_is_trusted_only_from_a_named_proxy(
    proxy: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxy)

    async def client(request: Request) -> Response:
        assert request.client
        return PlainTextResponse(request.client.host)

    async def story() -> str:
        app = guarded_app()
        app.router.routes.append(Route("/", client))
        async with serving(app, "127.0.0.1", 0) as base, httpx.AsyncClient(timeout=SECONDS) as web:
            return (await web.get(base, headers={"X-Forwarded-For": "203.0.113.9"})).text

    assert asyncio.run(story()) == seen


def test_one_line_reports_all_who_are_turned_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def act(port: int) -> None:
        for words in (b"nonsense\r\n\r\n", get(port)):
            with contextlib.ExitStack() as lines:
                for line in [lines.enter_context(call(port)) for _ in range(100)]:
                    with contextlib.suppress(ConnectionError):
                        line.sendall(words)
                    first_words(line)

    with_strangers(act, tmp_path, max_connections=8)
    printed = capsys.readouterr().err.splitlines()
    assert sorted(line.split()[1] for line in printed) == ["Connections", "Invalid"]


def test_overlapping_servers_do_not_hide_tracebacks_of_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    async def fall(request: Request) -> Response:
        raise ZeroDivisionError

    async def story() -> int:
        app = guarded_app()
        app.router.routes.append(Route("/", fall))
        first, second, last = (listen("127.0.0.1", 0) for _ in range(3))
        async with contextlib.AsyncExitStack() as one, contextlib.AsyncExitStack() as two:
            await one.enter_async_context(serving_on(app, first))
            await two.enter_async_context(serving_on(app, second))
            async with serving_on(app, last), httpx.AsyncClient(base_url=address_of(last), timeout=SECONDS) as web:
                await asyncio.gather(one.aclose(), two.aclose())
                return (await web.get("/")).status_code

    assert asyncio.run(story()) == 500
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_request_cut_off_by_the_end_of_the_server_logs_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        asked = asyncio.Event()

        async def never(request: Request) -> Response:
            asked.set()
            await asyncio.Event().wait()
            return Response()

        app = guarded_app()
        app.router.routes.append(Route("/", never))
        async with serving(app, "127.0.0.1", 0) as base:
            port = int(base.rpartition(":")[2])
            with await asyncio.to_thread(call, port) as line:
                line.sendall(get(port, "/"))
                await asked.wait()

    asyncio.run(story())
    assert not capsys.readouterr().err
