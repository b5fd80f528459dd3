"""A page that floods the server is disconnected after a burst, and a page that does not answer a ping, too."""

import pytest

from broadcast.web.connections import page_socket
from broadcast.web.connections.page_socket import FULL_READS, MAX_MESSAGE_BYTES, READ_BYTES
from tests.web.stranger_connections import call, first_words, handshake, pour, read_to_end, read_until

FLOODS = {
    "empty pings": b"\x89\x80\0\0\0\0",
    "empty pongs": b"\x8a\x80\0\0\0\0",
    "full pings": b"\x89\xfd\0\0\0\0" + b"x" * 125,
    "continuations": b"\x00\x80\0\0\0\0",
    "texts": b"\x81\x82\0\0\0\0hi",
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the pause in reading after a page has used its budget."""
    monkeypatch.setattr(page_socket, "BUDGET_PER_SECOND", 100_000.0)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("kind", FLOODS)
def test_page_that_floods_its_socket_is_disconnected_after_the_burst(kind: str, port: int) -> None:
    with call(port) as line, call(port) as other:
        for each in (line, other):
            each.sendall(handshake(port))
            assert b" 101 " in first_words(each)
        pour(line, FLOODS[kind] * 1000, 64 * 1024 * 1024)
        read_to_end(line)
        other.sendall(b"\x89\x81\0\0\0\0!")
        read_until(other, b"\x8a\x01!")


@pytest.mark.usefixtures("quick")
def test_only_the_burst_of_a_flood_is_parsed(port: int) -> None:
    """Every ping that is parsed is answered, so counting the answers counts the parsed pings."""
    with call(port) as line:
        line.sendall(handshake(port))
        assert b" 101 " in first_words(line)
        pour(line, FLOODS["empty pings"] * 1000, 200_000)
        assert read_to_end(line).count(b"\x8a\x00") <= (FULL_READS + 1) * READ_BYTES // 6


def test_page_that_does_not_answer_a_ping_is_disconnected(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "PING_SECONDS", 0.2)
    with call(port) as line:
        line.sendall(handshake(port))
        assert read_to_end(line).count(b"\x89\x00") == 1


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (b"\x81\xfe" + (MAX_MESSAGE_BYTES + 1).to_bytes(2, "big"), 1009),
        (b"\x82\xff" + (1 << 62).to_bytes(8, "big"), 1009),
        (b"\x89\x00", 1002),
    ],
    ids=["long", "endless", "not masked"],
)
def test_page_with_a_bad_frame_gets_the_reason_at_once(frames: bytes, code: int, port: int) -> None:
    with call(port) as line:
        line.sendall(handshake(port))
        read_until(line, b"howdy")
        line.sendall(frames)
        assert read_to_end(line).rpartition(b"\x88")[2][1:3] == code.to_bytes(2, "big")
