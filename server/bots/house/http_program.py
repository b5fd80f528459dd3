"""Runs a house bot as an HTTP server on a free port, and prints the port. The program ends when its standard input
closes.

Each contest whose bots are HTTP servers has a program that calls `run_house_bot` with its own kind of bot.
"""

import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol

from server.bots.house.styles import Style, pause_of, styles

HOST = "127.0.0.1"


class HttpHouseBot(Protocol):
    """A bot that answers HTTP requests."""

    def answer(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Returns the HTTP status and the body of the answer to a request."""


class RequestHandler(BaseHTTPRequestHandler):
    """Lets the bot answer the requests on one connection. Calls `pause` before it sends an action."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    """With -1, the library buffers each answer and sends it in a single write."""

    def __init__(self, bot: HttpHouseBot, pause: Callable[[], None], *arguments: object) -> None:
        self._bot = bot
        self._pause = pause
        super().__init__(*arguments)  # type: ignore[arg-type]  # the server's own arguments

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the library's name)
        """Logs nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, answer = self._bot.answer(self.path, body)
        if self.path.endswith("/action"):
            self._pause()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if answer[:1] == b"{" else "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST  # noqa: N815 (the library's name)


def run_house_bot(
    make_bot: Callable[[Style, random.Random], HttpHouseBot],
    arguments: Sequence[str],
    register: Callable[[str, int, str], object] | None = None,
) -> None:
    """Runs a bot until standard input ends. `arguments` may be `--name`, `--style`, `--seed`, `--think SECONDS` and
    `--register URL`, each with its value. With `--register`, `register` gets the URL, the port and the name.
    """
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    style = styles()[options.get("--style", "careful")]
    seed = options.get("--seed", "0")
    dice = random.Random(seed)  # noqa: S311 (for what a house bot does, not for cards)
    seconds, pause_dice = float(options.get("--think", 0)), random.Random(f"{seed} pauses")  # noqa: S311 (see above)

    handler = partial(RequestHandler, make_bot(style, dice), lambda: time.sleep(pause_of(style, seconds, pause_dice)))
    server = ThreadingHTTPServer((HOST, 0), handler)
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    print(port, flush=True)
    if register and "--register" in options:
        register(options["--register"], port, options["--name"])
    sys.stdin.read()
