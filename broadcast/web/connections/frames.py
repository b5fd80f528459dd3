"""WebSocket frames (RFC 6455, section 5), as far as a server needs them whose clients send no messages.

Pure: no socket, no clock. Messages of a client are checked frame by frame and dropped.
"""

from msgspec import Struct

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
_CONTINUATION, _BINARY = 0, 2
LONGEST_MESSAGE = 4096
"""Most bytes of one frame of a message."""
LONGEST_CONTROL = 125
"""Most bytes of a ping, a pong or a close."""
NORMAL, GOING_AWAY, PROTOCOL_ERROR, TOO_BIG, FAILED = 1000, 1001, 1002, 1009, 1011
"""Codes with which a connection is closed (RFC 6455, 7.4.1)."""
REASON_BYTES = 123
"""Most bytes of the reason in the frame that closes a connection."""
PAGE = "highnoon.page"
"""Key of the connection's PageSocket, as {"page": page}, in a WebSocket's scope["extensions"]."""


class BadFrame(Exception):
    """A client sent a frame that is not allowed; `code` is the code to close the connection with."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Control(Struct, frozen=True):
    """A complete frame with `opcode` PING, PONG or CLOSE, and its payload, unmasked."""

    opcode: int
    payload: bytes


class FrameReader:
    """Parses what one client sends. `frames` counts all complete frames since the connection opened."""

    def __init__(self) -> None:
        self.frames = 0
        self._rest = b""
        self._in_message = False

    def read(self, piece: bytes) -> list[Control]:
        """Takes the next received bytes; returns the control frames that they complete. Raises BadFrame."""
        data, at = self._rest + piece, 0
        found = []
        while (payload := self._payload(data, at)) is not None:
            self.frames += 1
            first = data[at]
            if first & 0x08:
                mask = data[payload.start - 4 : payload.start]
                found.append(Control(first & 0x0F, _unmasked(data[payload.start : payload.stop], mask)))
            else:
                self._in_message = not first & 0x80
            at = payload.stop
        self._rest = data[at:]
        return found

    def _payload(self, data: bytes, at: int) -> range | None:
        """Where the payload of the frame that begins at `at` stands, None if it is not whole. Raises BadFrame."""
        if len(data) - at < 2:
            return None
        length, start = data[at + 1] & 0x7F, at + 6
        if length >= 126:
            wide = 2 if length == 126 else 8
            if len(data) < at + 2 + wide:
                return None
            length, start = int.from_bytes(data[at + 2 : at + 2 + wide], "big"), start + wide
        self._check(data[at], data[at + 1], length)
        return range(start, start + length) if len(data) >= start + length else None

    def _check(self, first: int, second: int, length: int) -> None:
        """Raises BadFrame unless a frame that begins with these two bytes is one that a browser may send now."""
        opcode = first & 0x0F
        if opcode in (CLOSE, PING, PONG):
            right = bool(first & 0x80) and length <= LONGEST_CONTROL
        else:
            right = opcode == _CONTINUATION if self._in_message else opcode in (TEXT, _BINARY)
        if not right or first & 0x70 or not second & 0x80:  # no extension was agreed on, and browsers mask
            raise BadFrame(PROTOCOL_ERROR)
        if length > LONGEST_MESSAGE:
            raise BadFrame(TOO_BIG)


def frame(opcode: int, payload: bytes) -> bytes:
    """One final, unmasked frame with this payload, as a server sends it."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, size)) + payload
    if size < 65536:
        return bytes((0x80 | opcode, 126)) + size.to_bytes(2, "big") + payload
    return bytes((0x80 | opcode, 127)) + size.to_bytes(8, "big") + payload


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    return (int.from_bytes(payload, "big") ^ int.from_bytes((mask * 32)[:size], "big")).to_bytes(size, "big")
