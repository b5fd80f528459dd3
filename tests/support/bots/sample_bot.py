"""A bot for tests of boxes (sandboxes): `python bot.py BEHAVIOUR [ADDRESS:PORT …]`.

Like the original contest's sample bot, it uses only Python's standard library, has the tournament's address in its
code, expects whole messages from each read, and answers with raw JSON. BEHAVIOUR is "honest" or a key of AT_START or
WHEN_ASKED. Some behaviours try to reach each ADDRESS:PORT.
"""

import http.client
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

HOST, PORT = "129.21.10.4", 5000
KEPT: list[object] = []
"""The memory, files and sockets that a hostile bot keeps while it plays."""
WRITABLE_FOLDERS = ("/tmp", "/dev/shm", str(Path(__file__).parent))  # noqa: S108


def main(behaviour: str, *targets: str) -> None:
    print(f"{behaviour} since {time.time():.0f}", flush=True)
    if behaviour in AT_START:
        AT_START[behaviour](*targets)
    name = json.loads(Path(__file__).with_name("bot_config.json").read_text())["name"]
    port = register(name)
    with socket.create_connection((HOST, port)) as connection:
        play(connection, WHEN_ASKED.get(behaviour, answer))


def register(name: str) -> int:
    """Keeps trying until the server listens. Returns the port of the game."""
    body = json.dumps({"name": name})
    while True:
        connection = http.client.HTTPConnection(HOST, PORT)
        try:
            connection.request("POST", "/register", body, {"Content-Type": "application/json"})
            reply = json.loads(connection.getresponse().read())
            return int(reply["portNumber"])
        except OSError as error:
            print(f"not yet: {error}", flush=True)
            time.sleep(0.2)
        finally:
            connection.close()


def play(connection: socket.socket, reply: Callable[[dict[str, Any]], bytes]) -> None:
    while received := connection.recv(4096):
        for line in received.decode().split("\n"):
            if line and (message := json.loads(line)).get("command") == "request_action":
                connection.sendall(reply(message))


def answer(message: dict[str, Any]) -> bytes:
    """Raises with a pair, and otherwise calls. The answer's numbers are strings, as in the original bot."""
    if message["hand"][0]["value"] == message["hand"][1]["value"]:
        amount = str(message["highest_bid_value"] + 200)
        return json.dumps({"command": "take_action", "action_type": "raise", "raise_amount": amount}).encode()
    return json.dumps({"command": "take_action", "action_type": "call"}).encode()


def _crash(message: dict[str, Any]) -> bytes:
    raise RuntimeError(f"cannot think about {message['command']}")


def _answer_garbage(message: dict[str, Any]) -> bytes:
    """Sends garbage in hand 0 only, because each garbage answer costs three seconds."""
    if message["hand_number"]:
        return answer(message)
    return b'{"command":"take_action","action":' + b"x" * 100 + b"}"


def _fold(message: dict[str, Any]) -> bytes:
    return json.dumps({"command": "take_action", "action_type": "fold"}).encode()


def _fill_memory(*targets: str) -> None:
    hoard = []
    while True:
        with suppress(MemoryError):
            hoard.append(bytearray(b"x" * (4 << 20)))


def _fill_page_tables(*targets: str) -> None:
    """Reads one byte in every two megabytes of mapped memory. For this, the kernel needs a gigabyte of page tables."""
    for _ in range(16):
        area = mmap.mmap(-1, 32 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
        KEPT.append(area)
        for address in range(0, len(area), 2 << 20):
            area[address]
    print(f"holds {1 << 30}", flush=True)


def _hold_full_sockets(*targets: str) -> None:
    """Lets each of 8 processes fill 120 local and 60 network sockets. Prints how many bytes the sockets hold."""
    reader, report = os.pipe()
    for _ in range(8):
        if os.fork() == 0:
            os.write(report, b"%d\n" % _fill_sockets())
            signal.pause()
    with open(reader, "rb") as reports:
        held = sum(int(reports.readline()) for _ in range(8))
    print(f"holds {held}", flush=True)


def _fill_sockets() -> int:
    held = 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        for number in range(90):
            if number % 3:
                pair = socket.socketpair()
            else:
                pair = socket.create_connection(server.getsockname()), server.accept()[0]
            KEPT.append(pair)
            for end in pair:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
                end.setblocking(False)
                with suppress(BlockingIOError):
                    for _ in range(8):  # Half a megabyte per socket: outside of a box, more would harm the machine.
                        held += end.send(bytes(1 << 16))
    return held


def _take_all_processors(*targets: str) -> None:
    """Tries to use all processors, with four processes that never pause."""
    try:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    except OSError as error:
        print(f"no other processor: {error}", flush=True)
    for _ in range(4):
        if os.fork() == 0:
            while True:
                pass


def _run_snoop(*targets: str) -> None:
    subprocess.run([sys.executable, str(Path(__file__).with_name("snoop.py")), *targets], check=True)


def _fork_often(*targets: str) -> None:
    count = 0
    try:
        while count < 2000:
            if os.fork() == 0:
                signal.pause()
            count += 1
    except OSError as error:
        print(f"forked {count}: {error}", flush=True)


def _fill_disk(*targets: str) -> None:
    """Writes up to a gigabyte into each folder."""
    for folder in (*WRITABLE_FOLDERS, "/var/tmp", "/"):  # noqa: S108
        written, end = 0, "no end"
        try:
            with Path(folder, "hoard").open("wb", buffering=0) as hoard:
                while written < 1 << 30 and (count := hoard.write(bytes(1 << 20))):
                    written += count
        except OSError as error:
            end = str(error.strerror)
        print(f"wrote {written} to {folder}: {end}", flush=True)


def _fill_shared_memory(*targets: str) -> None:
    """Takes shared memory, first without a file, and then from /dev/zero."""
    with open("/dev/zero", "r+b", buffering=0) as zero:
        _hoard(partial(_map, -1, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))
        _hoard(partial(_map, zero.fileno(), mmap.MAP_SHARED))


def _map(file: int, flags: int) -> tuple[mmap.mmap, int]:
    """Fills 16 MB of shared memory, and asks the kernel to free it. The kernel keeps shared memory all the same."""
    area = mmap.mmap(file, 16 << 20, flags=flags)
    for page in range(0, len(area), mmap.PAGESIZE):
        area[page] = 1
    area.madvise(mmap.MADV_DONTNEED)
    return area, len(area)


def _fill_memfds(*targets: str) -> None:
    """Fills files that are in no folder."""
    _hoard(lambda: _write(os.memfd_create("hoard"), 16 << 20), max_bytes=120 * (16 << 20))


def _fill_unlinked_files(*targets: str) -> None:
    """Makes a file in each folder, removes the file's name, and fills the file."""
    for folder in WRITABLE_FOLDERS:
        try:
            file = os.open(f"{folder}/hoard", os.O_CREAT | os.O_RDWR)
            os.unlink(f"{folder}/hoard")
        except OSError as error:
            print(f"no file in {folder}: {error.strerror}", flush=True)
        else:
            _hoard(partial(_write, file, 1 << 20))


def _write(file: int, count: int) -> tuple[int, int]:
    return file, os.write(file, bytes(count))


def _hoard(allocate: Callable[[], tuple[object, int]], max_bytes: int = 300 << 20) -> None:
    """Allocates memory until the total is `max_bytes` or the kernel refuses. Prints each new total."""
    held = 0
    try:
        while held < max_bytes:
            memory, size = allocate()
            KEPT.append(memory)
            held += size
            print(f"holds {held}", flush=True)
    except (OSError, ValueError) as error:
        print(f"refused: {error}", flush=True)


def _make_empty_files(*targets: str) -> None:
    """Makes 20,000 empty files in each folder."""
    for folder in WRITABLE_FOLDERS:
        made, end = 0, "no end"
        try:
            while made < 20_000:
                os.close(os.open(f"{folder}/{made}", os.O_CREAT | os.O_WRONLY))
                made += 1
        except OSError as error:
            end = str(error.strerror)
        print(f"made {made} in {folder}: {end}", flush=True)


def _probe_network(*targets: str) -> None:
    for target in targets:
        address, _, port = target.rpartition(":")
        try:
            socket.create_connection((address, int(port)), timeout=1.0).close()
            print(f"reached {target}", flush=True)
        except OSError as error:
            print(f"nothing at {target}: {error}", flush=True)
    try:
        print(f"reached {socket.gethostbyname('example.org')}", flush=True)
    except OSError as error:
        print(f"no names: {error}", flush=True)
    print("knocked everywhere", flush=True)


def _flood_output(*targets: str) -> None:
    """Prints twenty megabytes with escape sequences. Docker's log keeps only the end of this output."""

    def flood() -> None:
        line = b"\x1b[2J\x1b]0;owned\x07" + b"howdy " * 2000 + b"\n"
        for _ in range(1700):
            os.write(1, line)
        os.write(1, b"flooded\n")

    threading.Thread(target=flood, daemon=True).start()


def _never_connect(*targets: str) -> None:
    while True:
        signal.pause()


def _ignore_sigterm(*targets: str) -> None:
    """Ignores SIGTERM, and starts a child process in another session."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
    print("stubborn", flush=True)


WHEN_ASKED = {"crash": _crash, "garbage": _answer_garbage, "folds": _fold}
AT_START: dict[str, Callable[..., None]] = {
    "memory": _fill_memory, "tables": _fill_page_tables, "sockets": _hold_full_sockets, "mapped": _fill_shared_memory,
    "memfds": _fill_memfds, "unlinked": _fill_unlinked_files, "empties": _make_empty_files, "disk": _fill_disk,
    "affinity": _take_all_processors, "forks": _fork_often, "stubborn": _ignore_sigterm,
    "environment": _run_snoop, "network": _probe_network, "flood": _flood_output, "never": _never_connect,
    "exits": lambda: sys.exit(3),
}  # fmt: skip

if __name__ == "__main__":
    main(*sys.argv[1:] or ["honest"])
