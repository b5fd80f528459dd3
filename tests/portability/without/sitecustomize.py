"""Removes from Python on Linux what Windows lacks. Python runs this file first if PYTHONPATH names its folder."""

import asyncio
import io
import os
import shutil  # noqa: F401 - must be imported before anything is removed
import socket
import sys
import tempfile  # noqa: F401
import threading
import warnings
from collections.abc import Sequence

import portalocker  # noqa: F401 - imported early, so that it keeps its code for Linux (it has other code for Windows)
import psutil  # noqa: F401 - imported early, so that it keeps its code for Linux (it has other code for Windows)

MISSING_MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "_posixshmem")
MISSING_IN_OS = (
    "fork", "forkpty", "sched_getaffinity", "sched_setaffinity", "killpg", "setsid", "nice", "getloadavg", "fdatasync",
    "getuid", "geteuid", "getgid", "getegid", "mkfifo", "sysconf", "O_NOFOLLOW", "O_NOCTTY",
)  # fmt: skip
MISSING_IN_SOCKET = (
    "AF_UNIX", "SO_REUSEPORT", "TCP_USER_TIMEOUT", "MSG_DONTWAIT", "MSG_NOSIGNAL", "send_fds", "recv_fds",
)  # fmt: skip
MISSING_IN_LOOP = ("add_signal_handler", "remove_signal_handler", "add_reader", "add_writer")


class MissingModules:
    """Makes every import of `MISSING_MODULES` fail."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> None:
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_af_unix, _send_fds, _recv_fds = socket.AF_UNIX, socket.send_fds, socket.recv_fds


def share(shared_socket: socket.socket, process_id: int) -> bytes:
    """Imitates `share` of Windows sockets: duplicates a socket for a process that passes the result to `fromshare`."""
    duplicate, broker = shared_socket.dup(), socket.socket(_af_unix)
    broker.bind(b"\0share-" + os.urandom(8).hex().encode())
    broker.listen(1)

    def send_socket() -> None:
        with broker, duplicate, broker.accept()[0] as receiver:
            _send_fds(receiver, [b"s"], [duplicate.fileno()])

    threading.Thread(target=send_socket, daemon=True).start()
    return bytes(broker.getsockname())


def fromshare(data: bytes) -> socket.socket:
    """Opens a socket that another process has shared. `data` is what `share` returned in that process."""
    with socket.socket(_af_unix) as receiver:
        receiver.connect(data)
        (file,) = _recv_fds(receiver, 1, 1)[1]
    return socket.socket(fileno=file)


def socketpair() -> tuple[socket.socket, socket.socket]:
    """Returns two sockets that are connected over TCP, as on Windows."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        accepted, _ = listener.accept()
    for end in (client, accepted):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client, accepted


def remove_what_windows_lacks() -> None:
    sys.meta_path.insert(0, MissingModules())
    for name in MISSING_MODULES:
        sys.modules.pop(name, None)
    for name in MISSING_IN_OS:
        delattr(os, name)
    for name in MISSING_IN_SOCKET:
        delattr(socket, name)
    socket.socketpair = socketpair  # type: ignore[assignment]
    socket.socket.share = share  # type: ignore[attr-defined]
    socket.fromshare = fromshare  # type: ignore[attr-defined]
    base_loop, loop = asyncio.AbstractEventLoop, asyncio.SelectorEventLoop
    for name in MISSING_IN_LOOP:
        setattr(loop, name, getattr(base_loop, name))
    if "PYTHONIOENCODING" not in os.environ:
        for stream in (sys.stdout, sys.stderr):
            assert isinstance(stream, io.TextIOWrapper)
            stream.reconfigure(encoding="cp1252", errors="strict")
    warnings.filterwarnings("ignore", category=EncodingWarning)
    warnings.filterwarnings("error", category=EncodingWarning, module=r"(server|broadcast)\.")


remove_what_windows_lacks()
