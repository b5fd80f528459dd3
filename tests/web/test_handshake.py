"""The head of a WebSocket handshake: what browsers send is understood, and everything else is refused in words."""

import pytest

from broadcast.web.connections.handshake import MOST_BYTES, MOST_HEADERS, BadHandshake, asks_for_socket, read_handshake

HEADERS = {
    "Host": "localhost:5000",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def head(line: str = "GET /ws/show?after=3 HTTP/1.1", end: str = "\r\n", **changed: str) -> bytes:
    """A head of a handshake with some headers changed, "" to leave one out."""
    headers = HEADERS | {name.replace("_", "-"): value for name, value in changed.items()}
    lines = [line, *(f"{name}: {value}" for name, value in headers.items() if value), "", ""]
    return end.join(lines).encode("latin-1")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_the_key_is_answered_as_in_rfc_6455(end: str) -> None:
    found = read_handshake(head(end=end))
    assert found.accept == b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert (found.path, found.query) == ("/ws/show", b"after=3")
    assert dict(found.headers)[b"host"] == b"localhost:5000"


def test_blanks_around_a_value_are_none_of_it_and_a_path_is_unquoted() -> None:
    found = read_handshake(head("GET /ws%2Fshow HTTP/1.1", X_Any=" \t a b \t "))
    assert (found.path, found.raw_path) == ("/ws/show", b"/ws%2Fshow")
    assert (b"x-any", b"a b") in found.headers


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (head("POST /ws/show HTTP/1.1"), 400),
        (head("GET /ws/show HTTP/1.0"), 400),
        (head("GET /ws/\xfc HTTP/1.1"), 400),
        (head("GET  /ws/show HTTP/1.1"), 400),
        (head(Connection="keep-alive"), 400),
        (head(Upgrade="xwebsocket"), 400),
        (head(Content_Length="5"), 400),
        (head(Transfer_Encoding="chunked"), 400),
        (head(Sec_WebSocket_Version="8"), 426),
        (head(Sec_WebSocket_Key=""), 400),
        (head(Sec_WebSocket_Key="c2hvcnQ="), 400),
        (head(Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ=?"), 400),
        (head(X_Any="a\rb"), 400),
        (head(X_Any="a\0b"), 400),
        (head(X_Any="a\r\n folded"), 400),
        (head(X_Any="a\r\nno header"), 400),
        (head(X_Any="a\r\nbad name: 1"), 400),
        (head(X_Any="\r\n".join(["a", *["b: c"] * MOST_HEADERS])), 400),
        (head(X_Any="x" * MOST_BYTES), 400),
    ],
)
def test_what_is_no_handshake_is_refused(wrong: bytes, status: int) -> None:
    with pytest.raises(BadHandshake, match=r"^[A-Z].*\.$") as refused:
        read_handshake(wrong)
    assert refused.value.status == status


def test_a_request_asks_for_a_socket_by_its_upgrade() -> None:
    assert asks_for_socket(head())
    assert asks_for_socket(head(Upgrade="WebSocket"))
    assert not asks_for_socket(head(Upgrade="", X_Any="upgrade: websocket"))
    assert not asks_for_socket(head(Upgrade="h2c"))
