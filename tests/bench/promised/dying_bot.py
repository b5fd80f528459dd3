"""`python dying_bot.py PORT MOMENT WAY`: a Quick Draw bot that plays until it dies.

MOMENT says when the bot dies, and WAY says how. Just before its death, the bot prints "dying". It starts quickly,
because it uses only the standard library.
"""

import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from typing import Any

DYING_BOT = 1
MOMENTS = (
    "registered", "silent", "mid-message", "after the request", "after the answer", "between hands", "in hand_result",
    "all-in", "on a blind", "one of the last two",
)  # fmt: skip
WAYS = ("close", "reset", "kill", "out of memory", "stopped")


class DyingBot:
    def __init__(self, line: socket.socket, moment: str, way: str) -> None:
        self._line, self._moment, self._way = line, moment, way

    def live(self) -> None:
        for message in self._messages():
            match message["command"]:
                case "request_action":
                    self._act(message)
                case "confirm_action":
                    self._die_if_at("after the answer", "all-in")
                case "hand_result":
                    self._die_if_at("between hands")

    def _act(self, message: dict[str, Any]) -> None:
        if not message["community_cards"] and message["players"][-1]["id"] == DYING_BOT:
            self._die_if_at("on a blind")
        self._die_if_at("after the request", "one of the last two")
        if self._moment == "silent":
            self._moment = "after the request"  # the bot dies at the next request
            return
        answer = b'{"command":"take_action","action":"call"}'
        if self._moment == "all-in":
            answer = b'{"command":"take_action","action":"raise","raise_amount":5000}'
        self._line.sendall(answer[:20])
        self._die_if_at("mid-message")
        self._line.sendall(answer[20:])

    def _messages(self) -> Iterator[dict[str, Any]]:
        unread = b""
        while received := self._line.recv(32):
            *lines, unread = (unread + received).split(b"\n")
            yield from map(json.loads, lines)
            if b'"hand_result"' in unread:
                self._die_if_at("in hand_result")

    def _die_if_at(self, *moments: str) -> None:
        if self._moment in moments:
            die(self._line, self._way)


def die(line: socket.socket, way: str) -> None:
    """Prints "dying", dies in the given way, and never returns."""
    print("dying", flush=True)
    match way:
        case "close":
            line.close()
        case "reset":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "out of memory":
            resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
            bytearray(1 << 40)
        case "stopped":
            os.kill(os.getpid(), signal.SIGSTOP)
    signal.pause()


if __name__ == "__main__":
    _, port, moment, way = sys.argv
    connection = socket.socket()
    if moment == "registered":
        die(connection, way)
    connection.connect(("127.0.0.1", int(port)))
    DyingBot(connection, moment, way).live()
