"""Prints everything that a program can find out about the machine it runs on: `python3 snoop.py [TARGET …]`.

A target is a path to read, an "address:port" to connect to, or a process ("pid:NUMBER") to trace and kill. The program
uses only Python's standard library, because it is copied to wherever contestants' programs run.
"""

import contextlib
import ctypes
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

PROCESS_FILES = ("environ", "cmdline", "maps", "mountinfo", "status", "cwd", "root", "exe", "fd")
SYSTEM_FILES = ("/etc/hosts", "/etc/resolv.conf", "/etc/hostname", "/etc/passwd", "/proc/keys", "/proc/net/unix")


def main(*targets: str) -> None:
    processes = [*sorted(Path("/proc").glob("[0-9]*")), Path("/proc/self")]
    for path in [process / name for process in processes for name in PROCESS_FILES] + list(map(Path, SYSTEM_FILES)):
        print(f"{path}: {_read(path)}", flush=True)
    for target in targets:
        print(f"{target}: {' '.join(map(str, _try_target(target, processes)))}", flush=True)
    print("looked everywhere", flush=True)


def _read(path: Path) -> str:
    """Returns the content of a file, the target of a link, or the entries of a folder."""
    try:
        if path.is_symlink():
            return os.readlink(path)
        if path.is_dir():
            return str([(child.name, _read(child)) for child in path.iterdir()])
        return path.read_bytes()[:10_000].decode(errors="replace")
    except OSError as error:
        return str(error)


def _try_target(target: str, processes: list[Path]) -> Iterator[object]:
    host, _, value = target.rpartition(":")
    if target.startswith("/"):  # The path may exist only in the file system that another process sees.
        for root in [Path("/"), *(process / "root" for process in processes)]:
            yield _read(root / target.lstrip("/"))
        yield _ask_server(socket.AF_UNIX, target)
    elif host == "pid":
        yield _attack(int(value))
    else:
        yield _ask_server(socket.AF_INET, (host, int(value)))


def _ask_server(family: socket.AddressFamily, address: object) -> str:
    """Sends a server a request that Docker would answer. Returns the server's answer."""
    try:
        with socket.socket(family) as connection:
            connection.settimeout(0.5)
            connection.connect(address)  # type: ignore[arg-type]
            with contextlib.suppress(OSError):
                connection.sendall(b"GET /containers/json HTTP/1.0\r\n\r\n")
            return f"reached: {connection.recv(10_000).decode(errors='replace')}"
    except OSError as error:
        return str(error)


def _attack(pid: int) -> str:
    ptrace_attach = 16
    traced = ctypes.CDLL(None).ptrace(ptrace_attach, pid, None, None)
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError as error:
        return f"{'traced' if traced == 0 else 'not traced'}, {error}"
    return "reached and killed"


if __name__ == "__main__":
    main(*sys.argv[1:])
