"""How much processor time does one connection cost the studio: a viewer that joins others, or a stranger's handshake?

Only the studio's own process is counted. There is no peer. Run: `make bench BENCH=connections`.
"""

import asyncio
import contextlib
import multiprocessing
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.app import Studio
from broadcast.web.connections.limits import SHARE_OF_FILES
from broadcast.web.serve import open_files, serving
from tests.bench.common.scales import on_processor, options, print_machine
from tests.support.contests import play_contest

HOST = "127.0.0.1"
MOST = 10_000
AT_ONCE = 50
"""Connections that are opened together."""
SECONDS = 60.0
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
WHO = (
    f"Host: {HOST}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-GB,en;q=0.9\r\nCache-Control: no-cache\r\n"
)
VIEWER = f"GET /ws/show?channel=main&after=0&epoch= HTTP/1.1\r\n{WHO}Origin: http://{HOST}\r\n{UPGRADE}\r\n".encode()
STRANGERS = {
    "a page": f"GET /healthz HTTP/1.1\r\n{WHO}Connection: close\r\n\r\n".encode(),
    "a head too long": b"GET /ws/show HTTP/1.1\r\nX-Long: " + b"x" * 9_000 + b"\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00nonsense\r\n\r\n",
    "a foreign page": VIEWER.replace(f"Origin: http://{HOST}".encode(), b"Origin: http://elsewhere.example"),
    "nothing said": b"",
}


def studio(pipe: Connection) -> None:
    """Runs a studio with a short contest on air; sends its port through `pipe`, and ends at any reply."""
    entries = play_contest(0, 12)

    async def story() -> None:
        with tempfile.TemporaryDirectory() as media:
            shown = Studio(Path(media), time.monotonic)
            air = shown.open_channel("main", 1)
            for entry in entries:
                air.put(entry.event, 0, 0)
            async with serving(shown.app, HOST, 0, most=MOST) as base:
                pipe.send(int(base.rpartition(":")[2]))
                await asyncio.to_thread(pipe.recv)

    asyncio.run(story())


@contextlib.contextmanager
def studio_process() -> Iterator[tuple[int, int]]:
    """The port of a studio and the number of its process."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=studio, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # or nobody would hear that the studio has failed
    try:
        yield ours.recv(), process.pid or 0
    finally:
        ours.send("end")
        process.join()


def spent(pid: int) -> float:
    """Microseconds of processor time that a process has had, once it has nothing to do."""
    used = -1.0
    while (now := on_processor(pid) * 1e6) - used > 200:  # an idle server spends less than that
        used = now
        time.sleep(0.05)
    return now


def come(port: int, words: bytes, number: int) -> list[socket.socket]:
    """So many connections that have been answered or cut off; they stay open."""
    lines: list[socket.socket] = []
    while len(lines) < number:
        batch = [_call(port, words) for _ in range(min(AT_ONCE, number - len(lines)))]
        for line in batch:
            with contextlib.suppress(ConnectionError):
                assert not words or line.recv(65536)
        lines += batch
    return lines


def _call(port: int, words: bytes) -> socket.socket:
    line = socket.create_connection((HOST, port), timeout=SECONDS)
    with contextlib.suppress(ConnectionError):
        line.sendall(words)
    return line


def close(lines: list[socket.socket]) -> None:
    for line in lines:
        line.close()


def viewers(port: int, pid: int, there: int, measured: int) -> None:
    """A line: what each of the last so many of all viewers cost to come and to leave."""
    others = come(port, VIEWER, there - measured)
    begun = spent(pid)
    lines = come(port, VIEWER, measured)
    came = spent(pid)
    close(lines)
    print(
        f"{there:6,} viewers there   one that comes {(came - begun) / measured:7.0f} us   "
        f"one that leaves {(spent(pid) - came) / measured:7.0f} us",
        flush=True,
    )
    close(others)
    spent(pid)


def strangers(port: int, pid: int, kind: str, measured: int) -> None:
    """A line: what each of so many strangers cost in all."""
    begun = spent(pid)
    for _ in range(measured // AT_ONCE):
        close(come(port, STRANGERS[kind], AT_ONCE))
    print(f"{kind:20} {(spent(pid) - begun) / measured:7.0f} us", flush=True)


if __name__ == "__main__":
    flags = options(__doc__, measured=500)
    print_machine()
    room = min(MOST, open_files() // SHARE_OF_FILES)
    with studio_process() as (port, pid):
        for there in (min(100, flags.measured), 1_000, room):
            viewers(port, pid, there, min(flags.measured, there))
        for kind in STRANGERS:
            strangers(port, pid, kind, flags.measured)
