"""Each address gets a limited number of connections. Addresses take turns. A server with too many open files waits."""

import asyncio
import contextlib
import itertools
import logging
import resource
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from broadcast.web.access import Keyring
from broadcast.web.connections import limits
from broadcast.web.connections.acceptor import NO_FILES_SECONDS
from broadcast.web.connections.context import CALLBACKS_PER_TURN, RoundRobin
from broadcast.web.connections.limits import MIN_PER_ADDRESS, RESERVED_SLOTS, ConnectionLimits, Slot
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import raise_file_limit, serving
from tests.bench.common.scales import processor_seconds
from tests.desk.desk_server import TOKENS, DeskServer, contest_events, handshake_status, make_headers
from tests.support.source_files import ROOT
from tests.web.stranger_connections import SECONDS, call, get, handshake, read_first, read_until, studio_in_thread

LOCALHOST = "127.0.0.1"


class FakeServer:
    """A server's connection slots. Only tests move the clock, `now`. `closed_numbers` lists closed connections."""

    def __init__(self, max_connections: int, reserved: int = RESERVED_SLOTS) -> None:
        self.now = 0.0
        self.closed_numbers: list[int] = []
        self.slots = ConnectionLimits(max_connections, lambda: self.now, reserved)

    def connect(self, address: str, number: int = 0) -> Slot | None:
        return self.slots.acquire(address, lambda: self.closed_numbers.append(number))

    def enter(self, address: str, number: int = 0) -> Slot:
        slot = self.connect(address, number)
        assert slot
        return slot


def is_served(slot: Slot | None) -> bool:
    return slot is not None and slot.check_request() is None


def test_address_or_ipv6_network_gets_at_most_a_quarter_of_slots() -> None:
    for address, same, other in (
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", "2001:db8:0:2::1"),
    ):
        server = FakeServer(80)
        assert all(is_served(server.connect(address)) for _ in range(20))
        server.now += 1
        assert not is_served(server.connect(same)), same
        assert is_served(server.connect(other)), other


def test_address_that_connects_often_or_floods_must_wait() -> None:
    server = FakeServer(80)
    for _ in range(20):
        server.enter("192.0.2.1").release()
    assert server.connect("192.0.2.1") is None
    assert is_served(server.connect("192.0.2.2"))
    server.now += 1 / limits.ARRIVALS_PER_SECOND
    assert is_served(server.connect("192.0.2.1"))
    server = FakeServer(80)
    flooder = server.enter("192.0.2.1")
    flooder.charge_flood()
    allowed = 20 - 1 - limits.COST_OF_A_FLOOD
    assert [server.connect("192.0.2.1") is not None for _ in range(allowed + 1)] == [True] * allowed + [False]
    assert is_served(server.connect("192.0.2.2"))
    for _ in range(3):
        flooder.charge_flood()
    server.now += (3 * limits.COST_OF_A_FLOOD + 1) / limits.ARRIVALS_PER_SECOND
    assert server.connect("192.0.2.1")


def test_address_with_the_most_waiting_connections_gives_way_first() -> None:
    server = FakeServer(1, reserved=3)
    server.enter("198.51.100.1")
    operator = server.enter("192.0.2.1", 1)
    for number in range(2, 9):
        server.connect("192.0.2.2", number)
    operator.move_to_desk()
    assert server.closed_numbers == [2, 3, 4, 5, 6]
    assert is_served(operator)


def test_addresses_without_connections_are_forgotten() -> None:
    server = FakeServer(10)
    for number in range(20_000):
        server.now += 0.01
        slot = server.enter(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1")
        if number % 2:
            slot.move_to_address("192.0.2.1")
        slot.release()
    assert len(server.slots._addresses) <= 1024


def test_owner_of_many_ipv6_networks_leaves_half_of_the_slots_to_others() -> None:
    server = FakeServer(80, reserved=8)
    owners = [server.connect(f"2001:db8:0:{number:x}::1") for number in range(200)]
    assert sum(map(is_served, owners)) == 40
    others = [server.connect(f"2001:db8:{number:x}::1", number) for number in range(1, 41)]
    assert all(map(is_served, others))
    server.enter("192.0.2.1", 99)
    assert 99 not in server.closed_numbers


def strangers_browser(server: DeskServer) -> httpx.Client:
    """Returns a client that seems to be on another machine."""
    transport = httpx.HTTPTransport(local_address="127.0.0.2")
    return httpx.Client(base_url=server.address, timeout=SECONDS, transport=transport)


def test_token_holders_are_served_while_silent_sockets_hold_all_slots(tmp_path: Path) -> None:
    with (
        DeskServer(tmp_path, contest_events(hands=1), max_connections=12) as server,
        httpx.Client(base_url=server.address, timeout=SECONDS) as browser,
        contextlib.ExitStack() as closing,
    ):
        for number in range(200):
            closing.enter_context(call(server.port, f"127.0.0.{3 + number % 8}"))
        for token in ("", "wrong"):
            with strangers_browser(server) as web:
                headers = {"cookie": f"desk_{server.port}={token}"} if token else {}
                response = web.get("/overlay", headers=headers, params={"token": token} if token else {})
                assert (response.status_code, "full" in response.text) == (503, True)
        for page in ("/overlay", "/projector"):
            with strangers_browser(server) as web:
                response = web.get(page, params={"token": TOKENS.view, "channel": "main"})
                assert (response.status_code, response.headers["location"]) == (303, f"{page}?channel=main")
                assert web.get(response.headers["location"]).status_code == 200
        assert browser.get("/control", params={"token": TOKENS.control}).status_code == 303
        assert browser.get("/control").status_code == 200
        change = {"control": "held", "value": True}  # "held": The show pauses after this hand.
        assert browser.post("/api/desk/set", json=change, headers={"Origin": server.address}).status_code == 200
        assert handshake_status(server, "/ws/desk", make_headers(server, "control")) == 101
        assert handshake_status(server, "/ws/show", make_headers(server, "view")) == 101


@pytest.mark.parametrize(
    ("trusted", "header", "slots"),
    [
        (LOCALHOST, "X-Forwarded-For: 192.0.2.{}", 12),
        ("", "X-Forwarded-For: 192.0.2.{}", MIN_PER_ADDRESS),
        ("", "Forwarded: for=192.0.2.{}", MIN_PER_ADDRESS),
        ("", "X-Real-IP: 192.0.2.{}", MIN_PER_ADDRESS),
        ("", "Via: 1.1 tunnel-{}", MIN_PER_ADDRESS),
    ],
)
def test_local_obs_connects_while_strangers_crowd_the_proxy(
    trusted: str, header: str, slots: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trusted proxy passes on each stranger's address. Behind any other proxy, strangers share one address."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    with DeskServer(tmp_path, contest_events(hands=1), max_connections=12) as proxied, contextlib.ExitStack() as stack:
        answers = []
        for number in range(100):
            connection = stack.enter_context(call(proxied.port, LOCALHOST))
            connection.sendall(handshake(proxied.port, f"{header.format(number)}\r\n"))
            answers.append(read_first(connection)[9:12])
        assert answers == [b"101"] * slots + [b"503"] * (100 - slots)
        assert httpx.get(f"{proxied.address}/overlay", timeout=SECONDS).status_code == 200
        assert handshake_status(proxied, "/ws/show", make_headers(proxied)) == 101


def test_one_log_line_reports_all_refused_connections(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Servers of other tests may still run. Their filters of this log could drop the lines that this test counts.
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])
    with studio_in_thread(tmp_path, max_connections=8) as port:
        for request in (b"nonsense\r\n\r\n", get(port)):
            with contextlib.ExitStack() as closing:
                for connection in [closing.enter_context(call(port)) for _ in range(100)]:
                    with contextlib.suppress(ConnectionError):
                        connection.sendall(request)
                    read_first(connection)
    assert sorted(line.split()[1] for line in capsys.readouterr().err.splitlines()) == ["Connections", "Invalid"]


def test_limit_of_open_files_is_raised_as_far_as_the_system_allows() -> None:
    file_limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, file_limits[1]), file_limits[1]))
        assert raise_file_limit() == min(file_limits[1], 65_536) == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, file_limits)


SERVER = """
import asyncio
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving

async def serve_forever():
    async with serving(guarded_app(), "127.0.0.1", 0) as base:
        print(base.rpartition(":")[2], flush=True)
        await asyncio.Event().wait()

asyncio.run(serve_forever())
"""


def test_server_that_may_open_no_more_files_waits_until_some_are_closed() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with server, contextlib.ExitStack() as closing:
        closing.callback(server.kill)
        assert server.stdout
        assert server.stderr
        port = int(server.stdout.readline())
        with call(port, "127.0.0.1") as first:
            first.sendall(get(port))
            assert read_first(first)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (40, 40))
        waiting = [closing.enter_context(call(port, "127.0.0.1")) for _ in range(60)]
        for connection in waiting:
            connection.sendall(get(port))
        assert b"Too many open files" in server.stderr.readline()
        seconds_before = processor_seconds(server.pid)
        waiting[-1].settimeout(2 * NO_FILES_SECONDS)
        with pytest.raises(TimeoutError):
            waiting[-1].recv(1)
        assert processor_seconds(server.pid) - seconds_before < NO_FILES_SECONDS / 10
        waiting[-1].settimeout(SECONDS)
        for connection in waiting:
            assert read_first(connection).startswith(b"HTTP/1.1 404 ")
            connection.shutdown(socket.SHUT_RDWR)
        server.kill()
        assert b"Traceback" not in server.stderr.read()


EXPENSIVE_SECONDS = 0.2


class NumberedAnswers:
    """An application that numbers its answers. A request for /hold blocks the server until `may_continue` is set."""

    def __init__(self) -> None:
        self.is_blocked, self.may_continue = threading.Event(), threading.Event()
        numbers = itertools.count(1)

        async def number(_: Request) -> Response:
            return PlainTextResponse(f"number {next(numbers)}.\n")

        async def hold(_: Request) -> Response:
            self.is_blocked.set()
            self.may_continue.wait(SECONDS)  # This blocks the whole event loop.
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


async def test_crowd_does_not_delay_operators_and_hardly_delays_visitors() -> None:
    """While one request blocks the server, the crowd asks first. Operators and visitors ask after the crowd."""
    application, crowd, holder_cookie = NumberedAnswers(), [("127.0.0.2", "")] * 30, TOKENS.cookie_value("view")
    callers = [*crowd, (LOCALHOST, ""), ("127.0.0.5", holder_cookie), ("127.0.0.3", ""), ("127.0.0.4", "")]

    def ask_for_numbers(port: int) -> list[int]:
        with contextlib.ExitStack() as closing:
            connections = [closing.enter_context(call(port, source)) for source, _ in callers]
            for connection in connections:
                connection.sendall(get(port, "/number"))
                read_until(connection, b".\n")
            blocking_connection = closing.enter_context(call(port, LOCALHOST))
            blocking_connection.sendall(get(port, "/hold"))
            assert application.is_blocked.wait(SECONDS)
            for connection, (_, cookie_value) in zip(connections, callers, strict=True):
                head_end = f"\r\nCookie: desk_{port}={cookie_value}\r\n\r\n".encode() if cookie_value else b"\r\n\r\n"
                connection.sendall(get(port, "/number").replace(b"\r\n\r\n", head_end))
            application.may_continue.set()
            read_until(blocking_connection, b"held.")
            numbers = [int(read_until(connection, b".\n").split()[-1][:-1]) for connection in connections]
            return [number - len(callers) for number in numbers[len(crowd) :]]

    async with serving(application.app, LOCALHOST, 0) as base:
        local_number, holder_number, *visitors = await asyncio.to_thread(ask_for_numbers, int(base.rpartition(":")[2]))
    assert sorted((local_number, holder_number)) == [1, 2]  # This machine and the token's holder come first.
    assert max(visitors) <= 8


async def test_address_that_requested_an_expensive_page_is_refused_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROCESSOR_SECONDS", EXPENSIVE_SECONDS / 2)
    monkeypatch.setattr(limits, "PROCESSOR_SHARE", EXPENSIVE_SECONDS / SECONDS)

    def request_expensive_page(port: int) -> None:
        with call(port, "127.0.0.2") as connection, call(port, "127.0.0.3") as other:
            connection.sendall(get(port, "/expensive"))
            read_until(connection, b"expensive.")
            for visitor, status in ((connection, b"429"), (other, b"200")):
                visitor.sendall(get(port, "/number"))
                assert read_first(visitor)[9:12] == status

    async with serving(NumberedAnswers().app, LOCALHOST, 0) as base:
        await asyncio.to_thread(request_expensive_page, int(base.rpartition(":")[2]))


async def run_queue(turns_of_loop: int, *waiting: str) -> list[str]:
    """Queues a callback for each group in `waiting`. The group "a/1" belongs to the site "a".

    Returns, in order, the groups whose callbacks ran within `turns_of_loop` turns of the event loop.
    """
    groups: list[str] = []
    turns = RoundRobin(asyncio.get_running_loop())
    for group in waiting:
        turns.enqueue(group.partition("/")[0], group, partial(groups.append, group))
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


async def test_nobody_gets_a_turn_until_all_pauses_are_over() -> None:
    loop = asyncio.get_running_loop()
    turns, start = RoundRobin(loop, per_turn=1), loop.time()
    for _ in range(3):
        turns.pause(0.01)
    await turns.wait_for_turn("one", "one")
    assert loop.time() >= start + 0.03


async def test_only_a_few_callbacks_run_in_one_turn_of_the_loop() -> None:
    many = ["one"] * 100
    for turns in (1, 2, 3, 60):
        assert len(await run_queue(turns, *many)) == min(100, turns * CALLBACKS_PER_TURN)
