#!/usr/bin/env -S python3 -ISB
"""Runs the browser at $DEAF_BROWSER so that it hears of no change of this machine's network.

Tests start containers, each with a network of its own, and at a new address Chromium gives up every request that waits
for a connection, with net::ERR_NETWORK_CHANGED, also to this machine itself. It learns of addresses by netlink sockets,
which the kernel refuses it here. Where it cannot be told to, the browser runs as it is.
"""

import ctypes
import os
import struct
import sys

_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""By machine the kernel's number for it, and that of the call `socket`."""
_NETLINK, _REFUSED = 16, 97
"""AF_NETLINK, and EAFNOSUPPORT."""
_SET_SECCOMP, _FILTER, _NO_NEW_PRIVILEGES = 22, 2, 38
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def _refuse_netlink(audit: int, socket: int) -> None:
    lines = (
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 0, 5, audit),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_EQUAL, 0, 3, socket),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_IF_EQUAL, 0, 1, _NETLINK),
        (_RETURN, 0, 0, 0x00050000 | _REFUSED),
        (_RETURN, 0, 0, 0x7FFF0000),
    )
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = struct.pack("@HP", len(lines), ctypes.addressof(packed))
    prctl = ctypes.CDLL(None).prctl
    prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    prctl(_SET_SECCOMP, _FILTER, program, 0, 0)


if sys.platform == "linux" and (machine := os.uname().machine) in _SOCKET:
    _refuse_netlink(*_SOCKET[machine])
browser = os.environ["DEAF_BROWSER"]
os.execv(browser, (browser, *sys.argv[1:]))  # noqa: S606 the path is that of the browser
