"""HTTP connections to bots send and read the right bytes, and call no forbidden host. Pipes lose no output of a bot."""

import asyncio
import os
from collections.abc import Sequence
from itertools import product

import pytest

from server.bots.dialects.http_calls import Reply, Request
from server.bots.sandbox.process import two_pipes
from server.bots.transports import http
from server.bots.transports.http_limits import MAX_CALL_BYTES
from server.bots.transports.stdio import StdioConnection
from tests.bots.http_servers import Caller, Script, answer_with, make_response, serve_bot
from tests.bots.tcp_client import FakeClock
from tests.support.idle_loop import settle
from tests.support.tcp_server import HOST

CALL = {"action": "call"}

LOOPBACK = ("127.0.0.0/8",)
MALFORMED_HOSTS = (
    "", ":80", "https://localhost:3001", "http://user:secret@localhost:3001", "localhost:3001/player",
    "localhost:3001?x", "localhost:0", "localhost:70000", "localhost:٣", "local host", "localhost\r\nX: y", "a" * 300,
    "-rf", "::1",
)  # fmt: skip


async def call_server(script: Script, times: int = 1) -> tuple[list[Reply], int]:
    """Makes `times` calls to a server that follows `script`. Returns the replies and the number of connections."""
    async with serve_bot(script) as host:
        connection = http.HttpConnection(host.address)
        try:
            replies = [await connection.call(Request("POST", "/action", b"{}")) for _ in range(times)]
        finally:
            await connection.close()
        return replies, host.connections


def fail_call(script: Script) -> http.CallFailed:
    with pytest.raises(http.CallFailed) as failure:
        asyncio.run(call_server(script))
    return failure.value


async def test_request_has_the_usual_headers_but_no_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    requests: list[tuple[str, bytes]] = []

    async def script(caller: Caller) -> None:
        requests.append(await caller.read_request())
        await caller.say(make_response(CALL, fields="Set-Cookie: a=b\r\n"))
        requests.append(await caller.read_request())
        await caller.say(make_response(CALL))

    async with serve_bot(script) as host:
        connection = http.HttpConnection(host.address)
        await connection.call(Request("POST", "/action", b'{"pot":30}', "application/json"))
        await connection.call(Request("GET", "/player/ready"))
        await connection.close()
    (first_head, first_body), (second_head, second_body) = requests
    assert {*first_head.strip().split("\r\n")} == {
        "POST /action HTTP/1.1", f"Host: {host.address.name}", "Accept: */*", "Accept-Encoding: identity",
        "User-Agent: high-noon", "Content-Type: application/json", "Content-Length: 10",
    }  # fmt: skip
    assert "cookie" not in second_head.lower()
    assert (first_body, second_body) == (b'{"pot":30}', b"")


@pytest.mark.parametrize("resets", [False, True])
def test_server_may_close_its_connection_after_any_answer(resets: bool) -> None:
    async def script(caller: Caller) -> None:
        await caller.read_request()
        await caller.say(make_response(CALL))
        await caller.read_request()
        if resets:
            caller.reset()

    assert asyncio.run(call_server(script, times=3)) == ([Reply(200, b'{"action": "call"}')] * 3, 3)
    old_server = answer_with(b'HTTP/1.0 200 OK\r\n\r\n{"action": "fold"}', times=1)
    assert asyncio.run(call_server(old_server, times=3)) == ([Reply(200, b'{"action": "fold"}')] * 3, 3)


async def test_redirects_are_not_followed() -> None:
    async with serve_bot(answer_with(make_response(CALL))) as target:
        fields = f"Location: http://{target.address.name}/action\r\n"
        for status in (301, 302, 307, 308):
            replies, _ = await call_server(answer_with(make_response(b"", status=f"{status} Moved", fields=fields)))
            assert (replies[0].status, target.connections) == (status, 0)


async def test_each_address_of_a_host_is_tried() -> None:
    async with serve_bot(answer_with(make_response(CALL))) as host:
        address = http.Address(host.address.name, ("127.0.0.2", "127.0.0.3", HOST), host.address.port)
        connection = http.HttpConnection(address)
        for _ in range(2):
            assert (await connection.call(Request("GET", "/"))).status == 200
        await connection.close()
        assert host.connections == 1, "the next call must first try the address that answered"


@pytest.mark.parametrize(
    "response_start", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]
)
def test_call_is_not_repeated_after_a_reset_connection(response_start: bytes) -> None:
    calls: list[tuple[str, bytes]] = []

    async def script(caller: Caller) -> None:
        calls.append(await caller.read_request())
        await caller.say(response_start)
        caller.reset()

    assert fail_call(script).fault in ("disconnected", "malformed")
    assert len(calls) == 1


def test_broken_reply_is_a_fault_with_its_reason() -> None:
    for raw, reason in (
        (b"", "hung up without an answer"),
        (b'{"action": "call"}\n', "the answer is not HTTP"),
        (b"HTTP/1.1 banana\r\n\r\n", ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n12345", ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n12345", "hung up before the end of its answer"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n", "hung up before the end"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000, ""),
        (make_response(b"x" * (http.MAX_ANSWER_BYTES + 1)), "an answer of more than"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * (MAX_CALL_BYTES // 25) + make_response(b"late"), "a reply of more than"),
    ):
        failure = fail_call(answer_with(raw, times=1))
        assert failure.fault == ("malformed" if raw else "disconnected")
        assert str(failure).startswith(reason)


@pytest.mark.parametrize(
    ("start", "repeated"),
    [(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"x" * 10_000), (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 400)],
)
def test_endless_reply_is_not_read_to_its_end(start: bytes, repeated: bytes) -> None:
    """If our program went on reading, it would still be busy long after the bot's time was up."""

    async def script(caller: Caller) -> None:
        await caller.read_request()
        await caller.say(start)
        while True:
            await caller.say(repeated)

    assert fail_call(script).fault == "malformed"


def test_longest_body_is_read_even_in_one_byte_chunks() -> None:
    pieces = b"".join(b"1\r\nx\r\n" for _ in range(http.MAX_ANSWER_BYTES))
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n"
    replies, connections = asyncio.run(call_server(answer_with(b"HTTP/1.1 100 Continue\r\n\r\n" + chunked), times=4))
    assert (replies, connections) == ([Reply(200, b"x" * http.MAX_ANSWER_BYTES)] * 4, 1)
    compressed = make_response(b"\x1f\x8b not really", fields="Content-Encoding: gzip\r\n")
    assert asyncio.run(call_server(answer_with(compressed)))[0] == [Reply(200, b"\x1f\x8b not really")]


async def test_call_cancelled_at_any_moment_does_not_break_the_next_call() -> None:
    """The tournament server cancels a call to a bot whose time is up, and later calls the bot again."""
    async with serve_bot(answer_with(make_response(CALL))) as host:
        for earlier_calls, steps in product((0, 1), range(60)):
            connection = http.HttpConnection(host.address)
            earlier = [asyncio.create_task(connection.call(Request("POST", "/news"))) for _ in range(earlier_calls)]
            cancelled_call = asyncio.create_task(connection.call(Request("POST", "/action")))
            for _ in range(steps):
                await asyncio.sleep(0)
            cancelled_call.cancel()
            await asyncio.wait([cancelled_call, *earlier])
            async with asyncio.timeout(60):
                assert (await connection.call(Request("POST", "/action"))).status == 200, steps
            await connection.close()


def test_usual_forms_of_a_host_are_accepted_and_others_refused() -> None:
    for text, host in (
        ("10.23.221.24:3000", ("10.23.221.24", 3000)),
        ("http://localhost:3001/", ("localhost", 3001)),
        (" bots.example ", ("bots.example", 80)),
        ("my_bot-1:5000", ("my_bot-1", 5000)),
        ("[::1]:5000", ("::1", 5000)),
    ):
        assert http.host_and_port(text) == host
    for text in MALFORMED_HOSTS:
        with pytest.raises(http.HostRefused):
            http.host_and_port(text)


def find_host(ip_addresses: Sequence[str], networks: Sequence[str] = LOOPBACK) -> http.Address:
    """Finds a host whose name resolves to `ip_addresses`. Only addresses in `networks` are allowed."""

    async def look_up(_: str) -> Sequence[str]:
        if not ip_addresses:
            raise OSError("no such name")
        return ip_addresses

    return asyncio.run(http.find_host("bot.example", 3000, networks, look_up))


def test_host_is_called_only_at_its_addresses_in_allowed_networks() -> None:
    assert find_host(["127.0.0.5"]) == http.Address("bot.example:3000", ("127.0.0.5",), 3000)
    assert find_host(["::ffff:127.0.0.5", "127.0.0.5"]).ip_addresses == ("127.0.0.5",), "the two are the same address"
    assert len(find_host([f"127.0.0.{number}" for number in range(1, 20)]).ip_addresses) == http.MAX_ADDRESSES
    assert asyncio.run(http.find_host("127.0.0.1", 80, LOOPBACK)).ip_addresses == ("127.0.0.1",)
    assert asyncio.run(http.find_host("::1", 80, ("::1/128",))) == http.Address("[::1]:80", ("::1",), 80)
    for ip_addresses in (
        *("169.254.169.254", "10.0.0.1", "127.0.0.1 10.0.0.1", "::1", "fe80::1%eth0"),
        *("::ffff:10.0.0.1", "::ffff:169.254.169.254", "0.0.0.0"),  # noqa: S104 (nothing listens there)
    ):
        with pytest.raises(http.HostRefused, match=r"not in a network that is allowed here \(127\.0\.0\.0/8\)"):
            find_host(ip_addresses.split())
    with pytest.raises(http.HostRefused, match="none is"):
        find_host(["127.0.0.1"], ())
    with pytest.raises(http.HostRefused, match="cannot be found"):
        find_host([])


async def test_all_output_of_a_process_is_read_before_its_end_is_reported() -> None:
    with two_pipes() as (own_ends, other_ends):
        stdin, stdout = map(os.dup, other_ends)
    received, received_before_request = list[bytes](), list[bytes]()
    end_reason, lost_reason = asyncio.Future[str](), asyncio.Future[str]()
    connection = StdioConnection(*own_ends, lambda: end_reason, FakeClock())
    connection.attach(received.append, lost_reason.set_result)
    os.write(stdout, b"C\n")
    connection.send(b"STACK 1 50 2 50\n", on_sent=lambda: received_before_request.extend(received))
    assert received_before_request == [b"C\n"]
    assert os.read(stdin, 100) == b"STACK 1 50 2 50\n"
    os.write(stdout, b"F\n")
    os.close(stdout)
    await settle()
    assert not lost_reason.done()
    end_reason.set_result("ended with status 134")
    assert (await lost_reason, received) == ("ended with status 134", [b"C\n", b"F\n"])
    connection.send(b"FLOP\n")
    os.close(stdin)


async def test_closing_ends_the_input_of_a_process_and_reports_nothing() -> None:
    with two_pipes() as (own_ends, (stdin, _)):
        lost_reason = asyncio.Future[str]()
        connection = StdioConnection(*own_ends, asyncio.Future[str], FakeClock())
        connection.attach(lambda _: None, lost_reason.set_result)
        connection.close()
        os.set_blocking(stdin, True)
        assert os.read(stdin, 100) == b""
        await settle()
        assert not lost_reason.done()
