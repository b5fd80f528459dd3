"""What one stranger's connection may cost: each limit is reached over a real socket, and the others go on."""

import asyncio
import contextlib
import resource
import socket
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from broadcast.app import Studio
from broadcast.web.connections import page_socket, protocol
from broadcast.web.connections.page_socket import FULL_READS, READ_BYTES
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import address_of, listen, open_files, serving, serving_on
from server.game.events import ChatSent
from tests.desk.desk_server import TOKENS, DeskServer, evening
from tests.desk.http_requests import handshake_status, headers

ELSEWHERE = "127.0.0.2"
"""To the server a stranger's address: only 127.0.0.1 is this machine's own."""
SECONDS = 60.0
"""Nothing here takes as long, on a busy machine either."""
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
FLOODS = {
    "empty pings": b"\x89\x80\0\0\0\0",
    "empty pongs": b"\x8a\x80\0\0\0\0",
    "full pings": b"\x89\xfd\0\0\0\0" + b"x" * 125,
    "continuations": b"\x00\x80\0\0\0\0",
    "texts": b"\x81\x82\0\0\0\0hi",
}


def with_strangers(act: Callable[[int], None], folder: Path, most: int = 64) -> None:
    """Lets `act` call on a studio with something on air; it is given the port."""

    async def story() -> None:
        studio = Studio(folder, time.monotonic)
        studio.open_channel("main", 1).put(ChatSent(1, "howdy"), 0, 0)
        async with serving(studio.app, "127.0.0.1", 0, most=most) as base:
            await asyncio.to_thread(act, int(base.rpartition(":")[2]))

    asyncio.run(story())


def call(port: int, source: str = ELSEWHERE) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS, source_address=(source, 0))


def handshake(port: int, more: str = "") -> bytes:
    return f"GET /ws/show HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{UPGRADE}{more}\r\n".encode()


def get(port: int, path: str = "/healthz") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


def first_words(line: socket.socket) -> bytes:
    """The first bytes received; none if the other end closes the connection."""
    with contextlib.suppress(ConnectionError):
        return line.recv(65536)
    return b""


def hear(line: socket.socket, words: bytes) -> None:
    """Returns once `words` have come."""
    heard = b""
    while words not in heard:
        piece = line.recv(65536)
        assert piece, "it hung up"
        heard += piece


def ended(line: socket.socket) -> bytes:
    """Everything received until the other end closes or resets the connection."""
    answer = b""
    with contextlib.suppress(ConnectionError):
        while piece := line.recv(65536):
            answer += piece
    return answer


def reset(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def pour(line: socket.socket, frames: bytes, most: int) -> int:
    """Sends whole frames again and again, at most so many bytes; how many were sent until it was cut off."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            line.sendall(frames)
            sent += len(frames)
    return sent


# -- frames ----------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long before more is read of it."""
    monkeypatch.setattr(page_socket, "SAID_A_SECOND", 100_000.0)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("kind", FLOODS)
def test_a_page_that_floods_its_socket_is_cut_off_after_the_burst(kind: str, tmp_path: Path) -> None:
    def act(port: int) -> None:
        with call(port) as line, call(port) as other:
            for each in (line, other):
                each.sendall(handshake(port))
                assert b" 101 " in first_words(each)
            pour(line, FLOODS[kind] * 1000, 64 * 1024 * 1024)
            ended(line)
            other.sendall(b"\x89\x81\0\0\0\0!")
            hear(other, b"\x8a\x01!")

    with_strangers(act, tmp_path)


@pytest.mark.usefixtures("quick")
def test_of_a_flood_only_the_burst_is_parsed(tmp_path: Path) -> None:
    """Each ping is answered, so the answers tell how many were."""

    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(handshake(port))
            assert b" 101 " in first_words(line)
            pour(line, FLOODS["empty pings"] * 1000, 200_000)
            assert ended(line).count(b"\x8a\x00") <= (FULL_READS + 1) * READ_BYTES // 6

    with_strangers(act, tmp_path)


def test_a_page_that_says_little_is_heard_for_ever(tmp_path: Path) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(handshake(port))
            assert b" 101 " in first_words(line)
            for number in range(30):
                line.sendall(b"\x89\x81\0\0\0\0" + bytes((number,)))
                hear(line, b"\x8a\x01" + bytes((number,)))

    with_strangers(act, tmp_path)


# -- handshakes, and answers that nobody reads -----------------------------------------------------


def test_a_handshake_with_a_line_too_long_is_answered_in_words_at_once(tmp_path: Path) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(handshake(port, f"X-Long: {'x' * 9000}\r\n"))
            assert ended(line).startswith(b"HTTP/1.1 400 ")

    with_strangers(act, tmp_path)


def test_a_head_that_never_ends_is_refused_by_its_bytes(tmp_path: Path) -> None:
    """Its bytes are counted whatever they are: no line of it is ever parsed."""

    def act(port: int) -> None:
        for head in (b"GET /" + b"x" * 20_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 2_000, b"\x16\x03" * 8_000):
            with call(port) as line:
                pour(line, head, len(head))
                assert ended(line).startswith(b"HTTP/1.1 400 ")

    with_strangers(act, tmp_path)


def test_a_head_in_single_bytes_is_heard(tmp_path: Path) -> None:
    def act(port: int) -> None:
        for words, status in ((handshake(port), b" 101 "), (get(port), b" 200 ")):
            with call(port) as line:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for byte in words:
                    line.sendall(bytes((byte,)))
                assert status in first_words(line)

    with_strangers(act, tmp_path)


def test_a_socket_may_follow_another_request_on_its_connection(tmp_path: Path) -> None:
    """As proxies do, which keep connections."""

    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(get(port))
            hear(line, b'"status":"ok"')
            line.sendall(handshake(port))
            hear(line, b'"type":"welcome"')

    with_strangers(act, tmp_path)


@pytest.mark.parametrize("words", [handshake, get], ids=["a handshake", "a request"])
def test_strangers_who_reset_what_they_have_just_asked_keep_nobody_out(
    words: Callable[[int], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def act(port: int) -> None:
        for _ in range(50):
            with call(port) as line:
                line.sendall(words(port))
                reset(line)
        with call(port, "127.0.0.3") as other:
            other.sendall(handshake(port))
            hear(other, b'"type":"welcome"')

    with_strangers(act, tmp_path)
    assert "Traceback" not in capsys.readouterr().err


def test_a_page_that_leaves_while_it_is_refused_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    class Refusing:
        async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            reset(line)
            try:
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": 4404, "reason": ""})
            finally:
                done.set()

    async def story() -> None:
        app = guarded_app()
        app.router.routes.append(WebSocketRoute("/ws/show", Refusing()))
        async with serving(app, "127.0.0.1", 0) as base, asyncio.timeout(SECONDS):
            port = int(base.rpartition(":")[2])
            line.connect(("127.0.0.1", port))
            line.sendall(handshake(port))
            await done.wait()

    line, done = socket.socket(), asyncio.Event()
    asyncio.run(story())
    assert not capsys.readouterr().err


def test_what_a_page_says_after_its_close_counts_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(handshake(port))
            hear(line, b'"type":"welcome"')
            line.sendall(b"\x88\x80\0\0\0\0" + FLOODS["empty pings"] * 15)
            assert b"\x8a\x00" not in ended(line)

    with_strangers(act, tmp_path)
    assert not caplog.records


@pytest.mark.parametrize("more", ["", "Transfer-Encoding: chunked\r\n"], ids=["next", "body"])
def test_nonsense_behind_a_head_request_is_refused_in_words(
    more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\nnonsense\r\n\r\n".encode())
            assert b"HTTP/1.1 400 " in ended(line)

    with_strangers(act, tmp_path)
    assert "Traceback" not in capsys.readouterr().err


def test_an_answer_to_one_who_goes_on_with_nonsense_is_no_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> bytes:
        asked, answered = asyncio.Event(), asyncio.Event()
        read = protocol.HttpConnection.data_received

        def received(self: protocol.HttpConnection, data: bytes) -> None:
            if data == b"nonsense":
                answered.set()  # the answer is written in the turn after the one in which the nonsense is read
            read(self, data)

        monkeypatch.setattr(protocol.HttpConnection, "data_received", received)

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


def test_five_hundred_half_heads_hold_up_nobody_of_another_address(tmp_path: Path) -> None:
    def act(port: int) -> None:
        with contextlib.ExitStack() as lines:
            half = [lines.enter_context(call(port)) for _ in range(500)]
            for line in half:
                line.sendall(handshake(port)[:-2])
            for line in half:
                line.sendall(b"\r\n")
            other = lines.enter_context(call(port, "127.0.0.3"))
            other.sendall(handshake(port))
            hear(other, b'"type":"welcome"')

    with_strangers(act, tmp_path, most=4096)


def test_a_handshake_that_the_application_never_answers_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "HANDSHAKE_SECONDS", 1.0)

    async def story() -> None:
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

    asyncio.run(story())


def test_a_body_that_trickles_in_after_its_answer_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "BODY_SECONDS", 0.5)

    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n\r\n".encode())
            hear(line, b"\r\n\r\n")
            line.sendall(b"x")
            ended(line)

    with_strangers(act, tmp_path)


def test_a_body_that_pours_in_after_its_answer_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_BODY_BYTES", 1000)

    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9999\r\n\r\n".encode())
            hear(line, b"\r\n\r\n")
            line.sendall(b"x" * 1001)
            ended(line)

    with_strangers(act, tmp_path)


@pytest.mark.parametrize("more", [1, 999])
def test_the_next_request_is_answered_once_the_body_of_the_last_is_there(more: int, tmp_path: Path) -> None:
    def act(port: int) -> None:
        with call(port) as line:
            line.sendall(f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n\r\n".encode())
            hear(line, b"\r\n\r\n")
            for piece in (b"x" * (1000 - more), b"x" * more):
                line.sendall(piece)
            line.sendall(get(port))
            hear(line, b'"status":"ok"')

    with_strangers(act, tmp_path)


def test_answers_that_nobody_reads_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page stands in the server's memory as a whole, a download waits piece by piece."""
    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 1)
    size = 32 * 1024 * 1024

    async def story() -> None:
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

    asyncio.run(story())


# -- places ----------------------------------------------------------------------------------------


def test_one_address_has_a_share_of_all_places_and_the_others_find_theirs(tmp_path: Path) -> None:
    def act(port: int) -> None:
        with contextlib.ExitStack() as lines:
            held = [lines.enter_context(call(port)) for _ in range(40)]
            answers = []
            for line in held:
                with contextlib.suppress(ConnectionError):
                    line.sendall(get(port))
                answers.append(first_words(line)[9:12])
            assert answers.count(b"200") == 16
            for source in ("127.0.0.1", "127.0.0.3"):
                other = lines.enter_context(call(port, source))
                other.sendall(get(port))
                assert b" 200 " in first_words(other)

    with_strangers(act, tmp_path)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[DeskServer]:
    """A show under a desk with few places."""
    with DeskServer(tmp_path, evening(hands=1), most=12) as opened:
        yield opened


@contextlib.contextmanager
def crowd(server: DeskServer, lines: int) -> Iterator[list[socket.socket]]:
    """So many silent sockets, each just opened."""
    with contextlib.ExitStack() as opened:
        yield [opened.enter_context(call(server.port, f"127.0.0.{3 + number % 8}")) for number in range(lines)]


def test_with_all_places_taken_by_silent_sockets_the_desk_opens_and_answers(small: DeskServer) -> None:
    with crowd(small, 200), httpx.Client(base_url=small.address, timeout=SECONDS) as browser:
        opened = browser.get("/control", params={"token": TOKENS.control})
        assert opened.status_code == 303
        assert browser.get("/control").status_code == 200
        wish = {"control": "held", "value": True}
        assert browser.post("/api/desk/set", json=wish, headers={"Origin": small.address}).status_code == 200
        assert handshake_status(small, "/ws/desk", headers(small, "control")) == 101
        assert handshake_status(small, "/ws/show", headers(small, "view")) == 101


@pytest.mark.parametrize("shown", ["", "wrong"])
def test_without_a_token_the_answer_is_that_every_place_is_taken(shown: str, small: DeskServer) -> None:
    with crowd(small, 200), httpx.Client(base_url=small.address, timeout=SECONDS) as browser:
        sent = {"cookie": f"desk_{small.port}={shown}"} if shown else {}
        answer = browser.get("/overlay", headers=sent, params={"token": shown} if shown else {})
        assert (answer.status_code, "place" in answer.text) == (503, True)
        assert handshake_status(small, "/ws/show", headers(small)) == 503


def test_a_place_is_free_again_when_its_holder_leaves(small: DeskServer) -> None:
    for _ in range(5):
        with crowd(small, 30):
            pass
    with httpx.Client(base_url=small.address, timeout=SECONDS) as browser:
        until = time.monotonic() + SECONDS
        while browser.get("/overlay").status_code != 200:
            assert time.monotonic() < until


def test_as_many_files_may_be_open_as_the_system_grants() -> None:
    kept = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, kept[1]), kept[1]))
        assert open_files() == min(kept[1], 65_536) == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, kept)


# -- who says from where a request comes -----------------------------------------------------------


@pytest.mark.parametrize(("proxy", "seen"), [("", "127.0.0.1"), ("127.0.0.1", "203.0.113.9")])
def test_a_forwarded_address_is_believed_only_of_a_proxy_that_was_named(
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


# -- what is said in the terminal ------------------------------------------------------------------


def test_however_many_are_turned_away_one_line_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def act(port: int) -> None:
        for words in (b"nonsense\r\n\r\n", get(port)):
            with contextlib.ExitStack() as lines:
                for line in [lines.enter_context(call(port)) for _ in range(100)]:
                    with contextlib.suppress(ConnectionError):
                        line.sendall(words)
                    first_words(line)

    with_strangers(act, tmp_path, most=8)
    said = capsys.readouterr().err.splitlines()
    assert sorted(line.split()[1] for line in said) == ["Connections", "Invalid"]


def test_servers_that_overlap_leave_the_next_ones_tracebacks_to_be_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
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


def test_a_request_that_is_cut_off_because_the_server_ends_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
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
