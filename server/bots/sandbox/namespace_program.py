"""A program that opens listening sockets in another process's network namespace.

The program also sets limits for the other process and its tmpfs disks. Its argument is one JSON object. It imports no
other module of this project, because its text may also be passed to `python -c`. It runs as a process of its own,
because a process cannot leave a namespace that it has joined. It calls `setns` in libc, because Python before 3.12 has
no `setns`.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import socket
import struct
import sys
import time

_NEW_MOUNTS = 0x00020000
_NEW_USER = 0x10000000
_NEW_NET = 0x40000000
_NS_GET_USERNS = 0xB701
_SIOCSIFADDR, _SIOCSIFNETMASK, _SIOCSIFFLAGS = 0x8916, 0x891C, 0x8914
_UP_AND_RUNNING = 0x41
_BACKLOG = 16
_NO_SUID, _NO_DEVICES, _REMOUNT = 2, 4, 32
_MOUNT_WAIT_SECONDS = 5.0
_RETRY_SECONDS = 0.001
_LIBC = ctypes.CDLL(None, use_errno=True)


def main(argument: str) -> None:
    """Sends "ok" and a listening socket for each port over the socket `answer`. After an error, sends a message
    instead.

    `argument` is JSON: {"pid": 7, "answer": 5, "ports": [5000], "addresses": ["10.0.0.1"], "limits": {"7": 256},
    "files": {"/tmp": 4000}, "sysctls": {"net.ipv4.tcp_rmem": "4096 65536 106496"}}. `answer` is a file descriptor, or
    the path of a socket to connect to. If `pid` is 0, the program runs in the right namespace already. `limits` is
    keyed by RLIMIT_ numbers. `files` says how many files each disk may hold. `sysctls` are kernel settings for the
    process's namespaces.
    """
    request = json.loads(argument)
    pid = int(request["pid"])
    with _connected(request["answer"]) as answer:
        try:
            if pid:
                _enter(pid)
            _set_sysctls(request["sysctls"])
            _add_addresses(request["addresses"])
            # These sockets are in the bot's own network, where only the bot can connect to them.
            listeners = [socket.create_server(("0.0.0.0", port), backlog=_BACKLOG) for port in request["ports"]]  # noqa: S104
            for number, maximum in request["limits"].items():
                resource.prlimit(pid, int(number), (maximum, maximum))
            _limit_files(pid, request["files"])
        except OSError as error:
            answer.sendall(str(error).encode())
        else:
            socket.send_fds(answer, [b"ok"], [listener.fileno() for listener in listeners])


def _connected(answer: "int | str") -> socket.socket:
    if isinstance(answer, int):
        return socket.socket(fileno=answer)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(answer)
    return connection


def _enter(pid: int) -> None:
    """Joins the user namespace that owns a process's network namespace, then the network namespace. Raises OSError."""
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    owner = fcntl.ioctl(network, _NS_GET_USERNS)
    # The kernel does not let a process join a user namespace that it is already in.
    if not os.path.samestat(os.stat("/proc/self/ns/user"), os.fstat(owner)):
        _join(owner, _NEW_USER)
    _join(network, _NEW_NET)


def _set_sysctls(values: dict[str, str]) -> None:
    """Sets kernel settings in the joined namespaces. If a container forbids that, the defaults remain."""
    for name, value in values.items():
        path = f"/proc/sys/{name.replace('.', '/')}"
        with contextlib.suppress(OSError), open(path, "w", encoding="ascii") as setting:
            setting.write(value)


def _join(namespace: int, namespace_type: int) -> None:
    _check(_LIBC.setns(namespace, namespace_type))


def _check(status: int) -> None:
    """Raises OSError if a libc call that returned `status` failed."""
    if status:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _limit_files(pid: int, max_files: dict[str, int]) -> None:
    """Limits the number of files on each tmpfs, because bubblewrap cannot limit it. Raises OSError."""
    if not max_files:
        return
    root = _own_root(pid, next(iter(max_files)))
    _join(os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC), _NEW_MOUNTS)
    # From here on, paths are relative to the root folder of the box, because another folder may still cover "/".
    os.fchdir(root)
    for path, maximum in max_files.items():
        options = f"nr_inodes={maximum}".encode()
        _check(_LIBC.mount(None, path.lstrip("/").encode(), None, _REMOUNT | _NO_SUID | _NO_DEVICES, options))


def _own_root(pid: int, path: str) -> int:
    """Opens a process's root folder. bubblewrap first prepares the new root folder in another place. So this function
    waits until the process has its own tmpfs at `path`.

    Raises TimeoutError or OSError.
    """
    deadline, own_disk = time.monotonic() + _MOUNT_WAIT_SECONDS, _disk_at(path)
    while time.monotonic() < deadline:
        root = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        if _disk_at(path.lstrip("/"), root) not in (None, own_disk):
            return root
        os.close(root)
        time.sleep(_RETRY_SECONDS)
    raise TimeoutError("its files were never mounted")


def _disk_at(path: str, root: int | None = None) -> int | None:
    """Returns the device number of the disk of a folder, or None if there is no such folder. `path` is relative to
    `root`, an open folder.
    """
    try:
        return os.stat(path, dir_fd=root).st_dev
    except FileNotFoundError:
        return None


def _add_addresses(addresses: list[str]) -> None:
    """Brings up the loopback interface and adds IPv4 addresses to it. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control_socket:
        fcntl.ioctl(control_socket, _SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", _UP_AND_RUNNING))
        for number, address in enumerate(addresses, start=1):
            name = f"lo:{number}".encode()
            fcntl.ioctl(control_socket, _SIOCSIFADDR, _named_address(name, address))
            fcntl.ioctl(control_socket, _SIOCSIFNETMASK, _named_address(name, "255.255.255.255"))


def _named_address(name: bytes, address: str) -> bytes:
    """Returns a `struct ifreq` with an IPv4 address."""
    return struct.pack("16sHH4s16x", name, socket.AF_INET, 0, socket.inet_aton(address))


if __name__ == "__main__":
    main(sys.argv[1])
