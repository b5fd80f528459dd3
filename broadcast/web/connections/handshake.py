"""Reads the head of a WebSocket handshake strictly (RFC 6455, 4.2.1). Pure functions: no socket, no clock."""

import base64
import binascii
import hashlib
import re
from urllib.parse import unquote

from msgspec import Struct

MOST_BYTES = 8192
"""The longest head of any HTTP request: its first line and all headers together."""
MOST_HEADERS = 128
END = re.compile(rb"\r?\n\r?\n")
"""Where the head of a request ends."""
_LINE = re.compile(rb"GET ([!-~]+) HTTP/1\.1")
_HEADER = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\x00-\x08\x0a-\x1f\x7f]*)")
"""Blanks are stripped afterwards: here they could be matched in more than one way, which takes time."""
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_KEY_BYTES = 16
Headers = list[tuple[bytes, bytes]]


class BadHandshake(ValueError):
    """What came is no handshake. The text is one sentence that says what is expected; `status` is the HTTP status."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Handshake(Struct, frozen=True):
    """A handshake: `target` as in its first line (path and query), `headers` with names in lower case.

    `accept` is the value of Sec-WebSocket-Accept that answers its key.
    """

    target: bytes
    headers: Headers
    accept: bytes

    @property
    def path(self) -> str:
        """The path, percent-decoded."""
        return unquote(self.raw_path.decode("ascii"))

    @property
    def raw_path(self) -> bytes:
        """The path as it was sent."""
        return self.target.partition(b"?")[0]

    @property
    def query(self) -> bytes:
        """What follows the question mark; b"" if nothing does."""
        return self.target.partition(b"?")[2]


def asks_for_socket(head: bytes) -> bool:
    """Whether a complete head has the header `Upgrade: websocket`, whatever else is wrong with it."""
    _, found, rest = head.lower().partition(b"\nupgrade:")
    return bool(found) and b"websocket" in rest.partition(b"\n")[0]


def read_handshake(head: bytes) -> Handshake:
    """Reads a complete head of a request. Raises BadHandshake if it is no handshake of WebSocket 13."""
    first, *lines = head.rstrip(b"\r\n").split(b"\n")
    line = _LINE.fullmatch(first.rstrip(b"\r"))
    found = [_HEADER.fullmatch(each.rstrip(b"\r")) for each in lines[:MOST_HEADERS]]
    if line is None or len(lines) > MOST_HEADERS or len(head) > MOST_BYTES or None in found:
        raise BadHandshake(
            400, f"A handshake is a GET with at most {MOST_HEADERS} headers of at most {MOST_BYTES // 1024} KiB in all."
        )
    headers = [(each[1].lower(), each[2].strip(b" \t")) for each in found if each]
    return Handshake(line[1], headers, _answer(_key(dict(headers))))


def _key(headers: dict[bytes, bytes]) -> bytes:
    """The key of a handshake with these headers. Raises BadHandshake."""
    options = {each.strip() for each in headers.get(b"connection", b"").lower().split(b",")}
    if b"upgrade" not in options or headers[b"upgrade"].strip().lower() != b"websocket":
        raise BadHandshake(400, "A handshake says Connection: Upgrade and Upgrade: websocket.")
    if headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers:
        raise BadHandshake(400, "A handshake has no body.")
    if headers.get(b"sec-websocket-version") != b"13":
        raise BadHandshake(426, "The version of WebSocket that is spoken here is 13.")
    key = headers.get(b"sec-websocket-key", b"")
    try:
        if len(base64.b64decode(key, validate=True)) == _KEY_BYTES:
            return key
    except binascii.Error:
        pass
    raise BadHandshake(400, "A handshake has a Sec-WebSocket-Key of 16 bytes in base64.")


def _answer(key: bytes) -> bytes:
    return base64.b64encode(hashlib.sha1(key + _GUID, usedforsecurity=False).digest())
