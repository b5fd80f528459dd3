"""Bad requests and floods harm only their senders. The server sends the same bytes to many viewers at once."""

import asyncio
import contextlib
import ctypes
import os
import re
import socket
import struct
import time
import tomllib
from array import array
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from starlette.responses import StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.web.connections import acceptor, batch_send, http_connection, page_socket
from broadcast.web.connections.batch_send import MAX_BATCH, BatchSender, Ring, batch_sender
from broadcast.web.connections.http_connection import HttpConnection
from broadcast.web.connections.page_socket import MAX_FULL_READS, MAX_MESSAGE_BYTES, READ_BYTES
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving
from server.system.processes import LINUX
from tests.support.idle_loop import settle
from tests.support.source_files import ROOT
from tests.web.stranger_connections import (
    SECONDS,
    call,
    get,
    handshake,
    read_first,
    read_to_end,
    read_until,
    send_repeatedly,
    small_studio,
    studio_in_thread,
)


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Yields the port of a studio that serves strangers (clients without a token)."""
    with studio_in_thread(tmp_path) as served:
        yield served


def test_malformed_handshake_is_refused_with_a_reason(port: int) -> None:
    for right, wrong, status in (
        (b"GET /ws/show", b"POST /ws/show", b"405"),
        (b"GET /ws/show", b"GET /ws/\xfc", b"400"),
        (b"Version: 13", b"Version: 8", b"400"),
        (b"Key: A", b"Key: ", b"400"),
        (b"Connection: Upgrade", b"Connection: keep-alive", b"426"),
        (b"Host: ", b"Content-Length: 5\r\nHost: ", b"400"),
        (b"Host: ", b" folded\r\nHost: ", b"400"),
        (b"Host: ", b"a: b\r\n" * 128 + b"Host: ", b"400"),
        (b"\r\n", b"\n", b"400"),
    ):
        with call(port) as connection:
            connection.sendall(handshake(port).replace(right, wrong))
            head, _, body = read_to_end(connection).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 " + status), wrong
            assert b"handshake" in body or b"connection: " in body, wrong


def test_endless_or_nonsensical_head_is_refused(port: int) -> None:
    """The server counts the bytes of an endless head, and parses none of its lines."""
    for head in (b"GET /" + b"x" * 20_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 2_000, b"\x16\x03" * 8_000):
        with call(port) as connection:
            send_repeatedly(connection, head, len(head))
            assert read_to_end(connection).startswith(b"HTTP/1.1 400 ")
    with call(port) as connection:
        connection.sendall(b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nnonsense\r\n\r\n")
        assert b"HTTP/1.1 400 " in read_to_end(connection)


def test_requests_sent_byte_by_byte_over_one_connection_are_answered(port: int) -> None:
    """Proxies send several requests over one connection. A WebSocket's handshake may follow another request."""
    with call(port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for request, words in ((get(port), b'"status":"ok"'), (handshake(port), b'"type":"welcome"')):
            for byte in request:
                connection.sendall(bytes((byte,)))
            read_until(connection, words)


@pytest.mark.parametrize(("request_for", "status"), [(handshake, b" 101 "), (get, b" 200 ")], ids=["socket", "page"])
async def test_request_in_time_is_answered_even_if_the_server_was_suspended(
    request_for: Callable[[int], bytes], status: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a script's connection is reset, the browser does not load the script again, so the page stays dead."""
    monkeypatch.setattr(http_connection, "HEAD_SECONDS", 2.0)
    async with small_studio(tmp_path) as port, asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await settle()  # Now the server has the connection, and the request's timeout runs.
        writer.write(request_for(port))
        time.sleep(2.5)  # noqa: ASYNC251 (must stop the server's event loop, as a busy machine does)
        assert status in await reader.readline()
        writer.close()


@pytest.mark.parametrize("request_for", [handshake, get], ids=["socket", "page"])
def test_connections_that_strangers_reset_keep_nobody_out(
    request_for: Callable[[int], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with studio_in_thread(tmp_path) as port:
        for _ in range(50):
            with call(port) as connection:
                connection.sendall(request_for(port))
                # With this option, the end of the `with` block resets the connection.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with call(port, "127.0.0.3") as other:
            other.sendall(handshake(port))
            read_until(other, b'"type":"welcome"')
    assert "Traceback" not in capsys.readouterr().err


def test_five_hundred_incomplete_heads_delay_no_other_address(tmp_path: Path) -> None:
    with studio_in_thread(tmp_path, max_connections=4096) as port, contextlib.ExitStack() as closing:
        connections = [closing.enter_context(call(port)) for _ in range(500)]
        for connection in connections:
            connection.sendall(handshake(port)[:-2])
        for connection in connections:
            connection.sendall(b"\r\n")
        other = closing.enter_context(call(port, "127.0.0.3"))
        other.sendall(handshake(port))
        read_until(other, b'"type":"welcome"')


async def test_handshake_that_the_application_never_answers_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "HANDSHAKE_SECONDS", 1.0)
    app, was_asked = guarded_app(), asyncio.Event()

    async def never(_: WebSocket) -> None:
        was_asked.set()
        await asyncio.Event().wait()

    app.router.routes.append(WebSocketRoute("/ws/show", never))
    async with serving(app, "127.0.0.1", 0) as base:
        port = int(base.rpartition(":")[2])
        with await asyncio.to_thread(call, port) as connection:
            connection.sendall(handshake(port))
            assert await asyncio.to_thread(read_to_end, connection) == b""
    assert was_asked.is_set()


def test_pinned_uvicorn_calls_every_method_that_we_override() -> None:
    """Uvicorn may rename these methods, which are not part of its API. Then ours would never be called."""
    methods = {name for name, member in vars(HttpConnection).items() if callable(member) and name[0] != "_"}
    assert len(methods) > 2
    assert methods - {"begin", "abort"} <= {*vars(H11Protocol)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (pin,) = (each for each in project["dependencies"] if each.startswith("uvicorn"))
    lowest, limit = (int(part) for part in re.findall(r"0\.(\d+)", pin))
    assert limit == lowest + 1


@pytest.mark.parametrize(
    ("limit", "value", "count"), [("BODY_SECONDS_AFTER_ANSWER", 0.5, 1), ("MAX_BODY_BYTES_AFTER_ANSWER", 1000, 1001)]
)
def test_body_that_continues_after_the_answer_ends_the_connection(
    limit: str, value: float, count: int, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, limit, value)
    with call(port) as connection:
        connection.sendall(f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9999\r\n\r\n".encode())
        read_until(connection, b"\r\n\r\n")
        connection.sendall(b"x" * count)
        read_to_end(connection)


async def test_unread_answers_are_not_kept_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server keeps the whole of an unread page and a part of an unread download, but only for a limited time."""
    monkeypatch.setattr(acceptor, "UNREAD_SECONDS", 1)
    size, disconnected = 32 * 1024 * 1024, asyncio.Queue[str]()

    async def download() -> AsyncIterator[bytes]:
        try:
            for _ in range(size // 65536):
                yield b"x" * 65536
        finally:
            disconnected.put_nowait("download")

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * size, "more_body": True})
        assert (await receive())["type"] == "http.disconnect"
        disconnected.put_nowait("page")

    app = guarded_app()
    app.router.routes.append(Route("/download", lambda _: StreamingResponse(download())))
    app.mount("/page", page)
    async with serving(app, "127.0.0.1", 0) as base, asyncio.timeout(SECONDS):
        port = int(base.rpartition(":")[2])
        with contextlib.ExitStack() as closing:
            for path in ("/download", "/page/"):
                closing.enter_context(await asyncio.to_thread(call, port)).sendall(get(port, path))
            assert {await disconnected.get(), await disconnected.get()} == {"download", "page"}


FLOODS = {
    "empty pings": b"\x89\x80\0\0\0\0",
    "empty pongs": b"\x8a\x80\0\0\0\0",
    "full pings": b"\x89\xfd\0\0\0\0" + b"x" * 125,
    "continuations": b"\x00\x80\0\0\0\0",
    "texts": b"\x81\x82\0\0\0\0hi",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_flooding_page_is_disconnected_at_the_limit(flood: str, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The server pauses before it reads on from a page that floods. With this high limit, the pauses are short.
    monkeypatch.setattr(page_socket, "BYTES_PER_SECOND", 100_000.0)
    with call(port) as connection, call(port) as other:
        for viewer in (connection, other):
            viewer.sendall(handshake(port))
            assert b" 101 " in read_first(viewer)
        send_repeatedly(connection, FLOODS[flood] * 1000, 64 * 1024 * 1024)
        read_to_end(connection)
        other.sendall(b"\x89\x81\0\0\0\0!")
        read_until(other, b"\x8a\x01!")
    with call(port) as connection:
        connection.sendall(handshake(port))
        assert b" 101 " in read_first(connection)
        send_repeatedly(connection, FLOODS["empty pings"] * 1000, 200_000)
        answers = read_to_end(connection).count(b"\x8a\x00")  # Each parsed ping gets one pong.
        assert answers <= (MAX_FULL_READS + 1) * READ_BYTES // 6, "pings above the page's limit must not be parsed"


def test_page_that_does_not_answer_a_ping_is_disconnected(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "PING_SECONDS", 0.2)
    with call(port) as connection:
        connection.sendall(handshake(port))
        assert read_to_end(connection).count(b"\x89\x00") == 1


def test_page_with_a_bad_frame_gets_the_reason_at_once(port: int) -> None:
    long_frame = b"\x81\xfe" + (MAX_MESSAGE_BYTES + 1).to_bytes(2, "big")
    endless_frame = b"\x82\xff" + (1 << 62).to_bytes(8, "big")
    unmasked_frame = b"\x89\x00"
    for frames, code in ((long_frame, 1009), (endless_frame, 1009), (unmasked_frame, 1002)):
        with call(port) as connection:
            connection.sendall(handshake(port))
            read_until(connection, b"howdy")
            connection.sendall(frames)
            assert read_to_end(connection).rpartition(b"\x88")[2][1:3] == code.to_bytes(2, "big"), frames


def has_io_uring() -> bool:
    """Asks the kernel for io_uring, which containers may forbid. A broken `Ring` must fail its tests, not skip them."""
    file: int = ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(120)) if LINUX else -1  # io_uring_setup
    if file >= 0:
        os.close(file)
    return file >= 0


NEEDS_RING = pytest.mark.skipif(not has_io_uring(), reason="io_uring is missing or not allowed")
Pairs = list[tuple[socket.socket, socket.socket]]


@pytest.fixture(params=[pytest.param(Ring, marks=NEEDS_RING), BatchSender])
def sender(request: pytest.FixtureRequest) -> BatchSender:
    sender: BatchSender = request.param()
    return sender


@contextlib.contextmanager
def connect_pairs(count: int) -> Iterator[Pairs]:
    """Yields both ends of each of `count` TCP connections: our end, which does not block, and the far end."""
    with contextlib.ExitStack() as closing:
        listener = closing.enter_context(socket.create_server(("127.0.0.1", 0), backlog=count))
        pairs = []
        for _ in range(count):
            far_end = closing.enter_context(socket.create_connection(listener.getsockname(), timeout=60))
            our_end = closing.enter_context(listener.accept()[0])
            our_end.setblocking(False)
            pairs.append((our_end, far_end))
        yield pairs


def test_all_sockets_get_all_bytes_even_of_the_largest_batch(sender: BatchSender) -> None:
    with connect_pairs(40) as pairs:
        for turn in range(60):
            chosen_pairs = pairs[: 1 + turn * 7 % 40]
            message = b"message %d " % turn * (1 + turn)
            assert sender.send(array("i", (our_end.fileno() for our_end, _ in chosen_pairs)), message) == {}
            assert {read_until(far_end, message) for _, far_end in chosen_pairs} == {message}
    with connect_pairs(1) as ((our_end, far_end),):
        for letter in (b"a", b"b", b"c"):
            assert sender.send(array("i", [our_end.fileno()]) * MAX_BATCH, letter) == {}
            assert read_until(far_end, letter * MAX_BATCH) == letter * MAX_BATCH


def test_sockets_that_accept_nothing_are_reported_and_others_get_everything(sender: BatchSender) -> None:
    with connect_pairs(5) as pairs:
        (full_socket, far_end), (closed_socket, _) = pairs[1], pairs[3]
        count = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                count += full_socket.send(bytes(65536))
        descriptors = array("i", (our_end.fileno() for our_end, _ in pairs))
        closed_socket.shutdown(socket.SHUT_WR)
        descriptors.append(-1)
        assert sender.send(descriptors, b"hello") == {1: 0, 3: 0, 5: 0}
        assert [read_until(pairs[index][1], b"hello") for index in (0, 2, 4)] == [b"hello"] * 3
        assert read_until(far_end, bytes(count)) == bytes(count)
        full_socket.send(b"end")
        assert read_until(far_end, b"end") == b"end", "bytes that a socket refused must not be sent later"


@NEEDS_RING
def test_no_other_process_inherits_a_ring() -> None:
    def rings() -> set[int]:
        files = Path("/proc/self/fd").iterdir()
        return {int(file.name) for file in files if file.is_symlink() and "io_uring" in os.readlink(file)}

    rings_before = rings()
    ring = Ring()
    assert rings() - rings_before
    assert not any(os.get_inheritable(file) for file in rings())
    maps = Path("/proc/self/smaps").read_text().split("[io_uring]")[1:]
    assert maps
    for file in maps:
        flags = next(line for line in file.splitlines() if line.startswith("VmFlags"))
        assert "dc" in flags.split(), "a fork must not copy the ring's memory"
    del ring
    assert rings() == rings_before, "a deleted ring must be closed"


def test_system_without_io_uring_sends_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_send, "IO_URING_SETUP", 99_999)  # No kernel has a system call of this number.
    assert batch_sender().name == "one by one"
