"""Over real sockets, strangers' requests take turns by address, and operators' requests go first."""

import asyncio
import contextlib
import itertools
import threading
import time
from functools import partial

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from broadcast.web.access import Keyring
from broadcast.web.connections import limits
from broadcast.web.connections.context import CALLBACKS_PER_TURN, RoundRobin
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from tests.desk.desk_server import TOKENS
from tests.web.stranger_connections import SECONDS, call, first_words, get, read_until

HERE = "127.0.0.1"
EXPENSIVE_SECONDS = 0.2


class Numbering:
    """An application that numbers its answers; a request for /hold blocks it until `go` is set."""

    def __init__(self) -> None:
        self.held, self.go = threading.Event(), threading.Event()
        numbers = itertools.count(1)

        async def number(_: Request) -> Response:
            return PlainTextResponse(f"number {next(numbers)}.\n")

        async def hold(_: Request) -> Response:
            self.held.set()
            self.go.wait(SECONDS)  # blocks the whole event loop
            return PlainTextResponse("held.")

        async def expensive(_: Request) -> Response:
            until = time.thread_time() + EXPENSIVE_SECONDS
            while time.thread_time() < until:
                pass
            return PlainTextResponse("expensive.")

        keys = Keyring()
        keys.tokens = TOKENS
        self.app = guarded_app(keys=keys)
        self.app.router.routes += [Route("/number", number), Route("/hold", hold), Route("/expensive", expensive)]


async def test_operators_are_served_first_and_a_visitor_waits_for_only_a_few_requests_of_a_crowd() -> None:
    """While the server is held up, first the crowd sends its requests, then the operators and two visitors do."""
    served, crowd = Numbering(), [("127.0.0.2", "")] * 30
    callers = [*crowd, (HERE, ""), ("127.0.0.5", TOKENS.cookie("view")), ("127.0.0.3", ""), ("127.0.0.4", "")]

    def act(port: int) -> list[int]:
        with contextlib.ExitStack() as opened:
            lines = [opened.enter_context(call(port, source)) for source, _ in callers]
            for line in lines:
                line.sendall(get(port, "/number"))
                read_until(line, b".\n")
            held = opened.enter_context(call(port, HERE))
            held.sendall(get(port, "/hold"))
            assert served.held.wait(SECONDS)
            for line, (_, shown) in zip(lines, callers, strict=True):
                cookie = f"\r\nCookie: desk_{port}={shown}\r\n\r\n".encode() if shown else b"\r\n\r\n"
                line.sendall(get(port, "/number").replace(b"\r\n\r\n", cookie))
            served.go.set()
            read_until(held, b"held.")
            numbers = [int(read_until(line, b".\n").split()[-1][:-1]) for line in lines]
            return [number - len(callers) for number in numbers[len(crowd) :]]

    async with serving(served.app, HERE, 0) as base:
        here, holder, *visitors = await asyncio.to_thread(act, int(base.rpartition(":")[2]))
    assert sorted((here, holder)) == [1, 2]
    assert max(visitors) <= 8


async def test_address_that_has_requested_an_expensive_page_is_refused_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PROCESSOR_SECONDS", EXPENSIVE_SECONDS / 2)
    monkeypatch.setattr(limits, "PROCESSOR_SHARE", EXPENSIVE_SECONDS / SECONDS)

    def act(port: int) -> None:
        with call(port, "127.0.0.2") as line, call(port, "127.0.0.3") as other:
            line.sendall(get(port, "/expensive"))
            read_until(line, b"expensive.")
            for each, status in ((line, b"429"), (other, b"200")):
                each.sendall(get(port, "/number"))
                assert first_words(each)[9:12] == status

    async with serving(Numbering().app, HERE, 0) as base:
        await asyncio.to_thread(act, int(base.rpartition(":")[2]))


async def run_queue(turns_of_loop: int, *waiting: str) -> list[str]:
    """Queues a callback for each group; returns the groups of the callbacks that ran in `turns_of_loop`."""
    groups: list[str] = []
    turns = RoundRobin(asyncio.get_running_loop())
    for group in waiting:
        turns.wait(group.partition("/")[0], group, partial(groups.append, group))
    for _ in range(turns_of_loop):
        await asyncio.sleep(0)
    return list(groups)


async def test_neither_a_large_group_nor_a_site_with_many_groups_delays_others() -> None:
    groups = await run_queue(100, *["large"] * 50, "small", *["large"] * 50, "other")
    assert groups[:6] == ["large", "small", "other", "large", "large", "large"]
    assert len(groups) == 102
    groups = await run_queue(100, *(f"large/{number}" for number in range(50)), "small", "large/0")
    assert groups[:4] == ["large/0", "small", "large/1", "large/2"]
    assert groups[-1] == "large/0"


async def test_nobody_has_a_turn_until_all_rests_are_over() -> None:
    loop = asyncio.get_running_loop()
    turns, start = RoundRobin(loop, at_once=1), loop.time()
    for _ in range(3):
        turns.rest(0.01)
    await turns.turn("one", "one")
    assert loop.time() >= start + 0.03


async def test_only_a_few_callbacks_run_in_one_turn_of_the_loop() -> None:
    many = ["one"] * 100
    for turns in (1, 2, 3, 60):
        assert len(await run_queue(turns, *many)) == min(100, turns * CALLBACKS_PER_TURN)
