"""Runs a studio (a show's server), and connects to it with plain sockets, as strangers on other machines do."""

import contextlib
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from anyio.from_thread import start_blocking_portal

from broadcast.app import Studio
from broadcast.web.serve import serving
from server.game.events import ChatSent

STRANGER_ADDRESS = "127.0.0.2"
"""Clients at this address count as strangers on another machine: only 127.0.0.1 counts as the server's own machine."""
SECONDS = 60.0
"""A timeout that even a busy machine never reaches."""
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@contextlib.asynccontextmanager
async def small_studio(folder: Path, max_connections: int = 64) -> AsyncIterator[int]:
    """Runs a studio with something on air. Yields the studio's port."""
    studio = Studio(folder, time.monotonic)
    studio.open_channel("main", 1).put(ChatSent(1, "howdy"), 0, 0)
    async with serving(studio.app, "127.0.0.1", 0, max_connections=max_connections) as base:
        yield int(base.rpartition(":")[2])


@contextlib.contextmanager
def studio_in_thread(folder: Path, max_connections: int = 64) -> Iterator[int]:
    """Runs a small studio in another thread. Yields the studio's port."""
    studio = small_studio(folder, max_connections)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(studio) as port:
        yield port


def call(port: int, source: str = STRANGER_ADDRESS) -> socket.socket:
    """Connects to a server on this machine, by default from a stranger's address."""
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS, source_address=(source, 0))


def handshake(port: int, headers: str = "") -> bytes:
    return f"GET /ws/show HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{UPGRADE}{headers}\r\n".encode()


def get(port: int, path: str = "/healthz") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


def read_first(connection: socket.socket) -> bytes:
    """Returns the first bytes that arrive, or b"" if the server closes the connection first."""
    with contextlib.suppress(ConnectionError):
        return connection.recv(65536)
    return b""


def read_until(connection: socket.socket, words: bytes) -> bytes:
    received = b""
    while words not in received:
        piece = connection.recv(65536)
        assert piece, "the server closed the connection"
        received += piece
    return received


def read_to_end(connection: socket.socket) -> bytes:
    """Returns everything that arrives until the server closes or resets the connection."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            received += piece
    return received


def send_repeatedly(connection: socket.socket, frames: bytes, min_bytes: int) -> int:
    """Repeats `frames` until at least `min_bytes` are sent or the connection ends. Returns the number of bytes."""
    count = 0
    with contextlib.suppress(ConnectionError):
        while count < min_bytes:
            connection.sendall(frames)
            count += len(frames)
    return count
