"""A program of its own: opens listening sockets in the network namespace of another process, and limits that process.

Run by path with one JSON object that says which, where and how much; imports nothing of the house. In a process
of its own because nobody comes back from a namespace, and Python before 3.12 has no `setns`.
"""

import ctypes
import fcntl
import json
import os
import resource
import socket
import struct
import sys

_NEW_USER = 0x10000000
_NEW_NET = 0x40000000
_NS_GET_USERNS = 0xB701
_SIOCSIFADDR, _SIOCSIFNETMASK, _SIOCSIFFLAGS = 0x8916, 0x891C, 0x8914
_UP_AND_RUNNING = 0x41
_BACKLOG = 16


def main(told: str) -> None:
    """Sends "ok" with a listening socket for each port, or why not, through the socket `answer_fd`.

    Told {"pid": 7, "answer_fd": 5, "ports": [5000], "addresses": ["10.0.0.1"], "limits": {"7": 256}}; a limit is the
    number of a resource with its most.
    """
    wish = json.loads(told)
    pid = int(wish["pid"])
    with socket.socket(fileno=wish["answer_fd"]) as answer:
        try:
            _enter(pid)
            _answer_to(wish["addresses"])
            listeners = [_listen(port) for port in wish["ports"]]
            for kind, most in wish["limits"].items():
                resource.prlimit(pid, int(kind), (most, most))
        except OSError as error:
            answer.sendall(str(error).encode())
        else:
            socket.send_fds(answer, [b"ok"], [listener.fileno() for listener in listeners])


def _enter(pid: int) -> None:
    """Joins the network of a process, and before that the namespace of those who may. Raises OSError."""
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    owner = fcntl.ioctl(network, _NS_GET_USERNS)
    if not os.path.samestat(os.stat("/proc/self/ns/user"), os.fstat(owner)):  # The kernel refuses to join it again.
        _join(owner, _NEW_USER)
    _join(network, _NEW_NET)


def _join(namespace: int, kind: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, kind):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _answer_to(addresses: list[str]) -> None:
    """Brings the loopback interface up and gives it further IPv4 addresses. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        fcntl.ioctl(asker, _SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", _UP_AND_RUNNING))
        for number, address in enumerate(addresses, start=1):
            name = f"lo:{number}".encode()
            fcntl.ioctl(asker, _SIOCSIFADDR, _named_address(name, address))
            fcntl.ioctl(asker, _SIOCSIFNETMASK, _named_address(name, "255.255.255.255"))


def _named_address(name: bytes, address: str) -> bytes:
    """The kernel's `struct ifreq` with an IPv4 address."""
    return struct.pack("16sHH4s16x", name, socket.AF_INET, 0, socket.inet_aton(address))


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", port))  # noqa: S104 (nobody but the bot is in there)
    listener.listen(_BACKLOG)
    return listener


if __name__ == "__main__":
    main(sys.argv[1])
