"""House bots with HTTP servers: `python -m server.bots.house.http_program arena --name NAME --style loose --seed 7`.

A process of its own with a real HTTP server on a free port, which it prints; it ends when its standard input does.
With `--register http://host:port` it enters an Enova tournament; with `--port` it listens on that port.
"""

import http.client
import random
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import urlencode, urlsplit

from server.bots.house.arena import ArenaPlayer
from server.bots.house.enova import EnovaPlayer
from server.bots.house.styles import Style, styles

HOST = "127.0.0.1"
MOST_PAUSE_SECONDS = 2.4
"""The longest pause, so that every answer comes within the 3 seconds."""
REGISTER_SECONDS = 10.0


class Player(Protocol):
    """A bot that answers calls."""

    def answer(self, path: str, body: bytes) -> tuple[int, bytes]:
        """The HTTP status and body of the answer to a request."""


class Called(BaseHTTPRequestHandler):
    """Answers the requests of one connection to the bot."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    """Buffers, so that an answer is one write."""

    def __init__(self, player: Player, pause: "Pause", *arguments: object) -> None:
        self._player = player
        self._pause = pause
        super().__init__(*arguments)  # type: ignore[arg-type]  # the server's own, passed on

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the library's name)
        """Says nothing."""

    def _reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, answer = self._player.answer(self.path, body)
        if self.path.endswith("/action"):
            self._pause.take()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if answer[:1] == b"{" else "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


class Pause:
    """The bot's pauses before it acts: a random time that its style gives, of at most `seconds`."""

    def __init__(self, style: Style, seconds: float, dice: random.Random) -> None:
        self._style = style
        self._seconds = seconds
        self._dice = dice

    def take(self) -> None:
        """Sleeps for the next pause."""
        if self._seconds:
            time.sleep(min(self._dice.uniform(*self._style.pause) * self._seconds, MOST_PAUSE_SECONDS))


def register(base: str, port: int, name: str) -> None:
    """Enters the bot at `port` of this machine into the tournament at `base`. Raises OSError, SystemExit if refused."""
    server = urlsplit(base)
    connection = http.client.HTTPConnection(str(server.hostname), server.port, timeout=REGISTER_SECONDS)
    form = urlencode({"hostname": f"{HOST}:{port}", "name": name})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/tournament/register", form, kind)
    reply = connection.getresponse()
    text = reply.read(4096).decode(errors="replace")
    connection.close()
    if reply.status != 200:
        raise SystemExit(f"{name} was not let in: {text}")


def main(arguments: Sequence[str]) -> None:
    """Runs a bot until standard input ends. `arguments` are "arena" or "enova", then any of `--name`, `--style`,
    `--seed`, `--think SECONDS`, `--port` and `--register URL`, each with a value. Raises as `register`.
    """
    contest, *options = arguments
    given = dict(zip(options[::2], options[1::2], strict=True))
    style = styles()[given.get("--style", "careful")]
    seed = given.get("--seed", "0")
    dice = random.Random(seed)  # noqa: S311 (how a house bot plays, never cards)
    player: Player = ArenaPlayer(style, dice) if contest == "arena" else EnovaPlayer(style, dice)
    pause = Pause(style, float(given.get("--think", 0)), random.Random(f"{seed} pauses"))  # noqa: S311 (see above)
    server = ThreadingHTTPServer((HOST, int(given.get("--port", 0))), partial(Called, player, pause))
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    print(port, flush=True)
    if "--register" in given:
        register(given["--register"], port, given["--name"])
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
