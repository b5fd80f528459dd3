"""A bot that leaves traces for another instance of itself, and prints the traces that it finds: `python twin.py`."""

import ctypes
import fcntl
import os
import socket
import struct
import sys
import threading
import time
from contextlib import suppress

READABLE_FILES = (__file__, sys.executable, os.__file__)
WRITABLE_FILES = ("told", "/tmp/told", "/dev/shm/told", "/var/tmp/told")  # noqa: S108 (where a bot would leave a file)
KEPT: list[object] = []
"""The files and sockets that must stay open."""


def main() -> None:
    traces = []
    for path in READABLE_FILES:
        KEPT.append(file := open(path, "rb"))  # noqa: SIM115 (the lock lasts as long as the file is open)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            traces.append(f"a lock on {path}")
    for path in WRITABLE_FILES:
        if os.path.exists(path):
            traces.append(f"a file {path}")
        with suppress(OSError), open(path, "w") as file_to_leave:
            file_to_leave.write("my cards")
    abstract = socket.socket(socket.AF_UNIX)
    try:
        abstract.bind("\0told")
    except OSError:
        traces.append("an abstract socket")
    try:
        listener = socket.create_server(("0.0.0.0", 7777))  # noqa: S104 (other instances may reach it)
    except OSError:
        traces.append("a listener")
    else:
        KEPT.append(listener)
    KEPT.append(abstract)
    print("found:", *traces, flush=True)
    threading.Thread(target=_watch, daemon=True).start()
    time.sleep(600)


def _watch() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    watch, in_open = libc.inotify_init(), 0x20
    for path in READABLE_FILES:
        libc.inotify_add_watch(watch, path.encode(), in_open)
    print("watches", flush=True)
    while event := os.read(watch, 4096):
        print("heard of another one", struct.unpack_from("iI", event), flush=True)


main()
