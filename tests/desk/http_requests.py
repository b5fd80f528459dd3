"""HTTP requests and WebSocket handshakes to the desk, with headers of a browser, a program or a foreign page."""

import socket

import httpx
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from broadcast.web.access import Right
from tests.desk.desk_server import TOKENS, DeskServer
from tests.support.described import as_described


def cookie(server: DeskServer, right: Right) -> str:
    """Returns the Cookie header of a browser that opened the desk with the token of `right`; "" if `right` is ""."""
    return f"desk_{server.port}={TOKENS.cookie(right)}" if right else ""


def headers(server: DeskServer, right: Right = "", **changed: str) -> dict[str, str]:
    """Returns the headers that a page of this server sends. `changed` replaces some; the value "" removes a header."""
    sent = {"host": f"127.0.0.1:{server.port}", "origin": server.address, "cookie": cookie(server, right)} | changed
    return {name.replace("_", "-"): value for name, value in sent.items() if value}


def ask(server: DeskServer, method: str, path: str, sent: dict[str, str], body: bytes = b"") -> httpx.Response:
    """Requests `path`, without following redirects; returns the answer, which is checked against its description."""
    answer = server.web.request(method, server.address + path, headers=sent, content=body or None)
    server.web.cookies.clear()
    return as_described(server.studio.app, answer)


def handshake_status(server: DeskServer, path: str, sent: dict[str, str]) -> int:
    """Returns the status of a WebSocket handshake: 101 if the socket opens."""
    address = f"ws://{sent.get('host', 'nobody')}{path}"
    extra = {name: value for name, value in sent.items() if name not in ("host", "origin")}
    origin = Origin(sent["origin"]) if "origin" in sent else None
    line = socket.create_connection(("127.0.0.1", server.port))
    try:
        with connect(
            address, sock=line, origin=origin, additional_headers=extra, proxy=None, max_queue=None, open_timeout=60
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code
    finally:
        line.close()
