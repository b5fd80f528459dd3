"""Checks every request before its route runs: Host, Origin, and the size and duration of its body.

Because of these checks, pages of other sites can at most read the API, even if their domain name points to this
server. uvicorn itself does not limit bodies.
"""

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from broadcast.web.connections.limits import RequestRefusal

MAX_BODY_BYTES = 8192
BODY_SECONDS = 5.0
DISCARD_SECONDS = 1.0
"""For how many seconds the body of a refused request is read before the connection is closed."""
PATHS_WITH_LARGE_BODIES = ("/upload",)
"""The routes of these paths read the body themselves, with limits of their own."""
API_PATH = "/api/v1/"
"""The path of the API for other people's programs. The fields of its answers never change their meaning."""
_LOCAL_DOMAINS, _NETWORK_DOMAINS = (".localhost",), (".local", ".internal", ".home.arpa")
"""The endings of host names that no site on the internet can have."""
_ANY_HOST_PATHS = ("/register", "/tournament/register")
"""Paths that accept any Host, because bots may use any name of this machine. The Origin is checked nevertheless."""


class AllowedHosts:
    """The names under which this server answers, and the pages of other sites that may read its API.

    The server answers to `hosts`, the machine's own name, localhost, and any IP address. With `api_for_all`, pages of
    every site may read the API. Otherwise `is_cross_origin_read` decides.
    """

    def __init__(self, hosts: Iterable[str], *, api_for_all: bool = False) -> None:
        self._api_for_all = api_for_all
        own = socket.gethostname().lower()
        self._names = {"localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
        self._names |= {host.lower().rstrip(".") for host in hosts}

    def find_refusal(self, scope: Scope) -> RequestRefusal | None:
        """Returns a refusal if this request or WebSocket has a wrong Host (status 421) or a wrong Origin (status
        403).

        A foreign Host means that somebody's domain points to this machine, to circumvent the same-origin policy (DNS
        rebinding). A missing Host is accepted: browsers always send a Host, but a proxy's health check in HTTP/1.0 may
        not. The Origin may have the scheme http or https, because a proxy may use HTTPS.
        """
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        is_health_check = "host" not in headers and scope["type"] == "http" and scope["http_version"] == "1.0"
        is_allowed = is_health_check or (len(headers.getlist("host")) == 1 and self._is_allowed(host))
        if not is_allowed and (scope["path"] not in _ANY_HOST_PATHS or origin is not None):
            return RequestRefusal(
                421,
                f"This server is not called {_quote_header(host)}; use its address, or list the name in the "
                "event file.",
            )
        own = (f"http://{host.lower()}", f"https://{host.lower()}") if host else ()
        if origin is not None and origin.lower() not in own and not self.is_cross_origin_read(scope):
            return RequestRefusal(403, f"Pages of {_quote_header(origin)} may not use this server.")
        return None

    def is_cross_origin_read(self, scope: Scope) -> bool:
        """Whether pages of other sites may send this request and read the answer.

        They may only read, and only the API outside `/api/v1/desk/`. If the organiser has not opened the API to all,
        the host in this request decides who may read. At localhost, only pages on this machine may read. At a host in
        the local network, pages in that network may read, too. At a host on the internet, all pages may read. So no
        page on the internet can read a rehearsal through the organiser's browser.
        """
        is_read = scope["type"] == "websocket" or scope["method"] in ("GET", "HEAD", "OPTIONS")
        path: str = scope["path"]
        if not is_read or not is_api_path(path) or f"{path}/".startswith(f"{API_PATH}desk/"):
            return False
        headers = Headers(scope=scope)
        is_near = _distance(_origin_host(headers.get("origin", ""))) <= _distance(_host_name(headers.get("host", "")))
        return is_near or self._api_for_all

    def _is_allowed(self, host: str) -> bool:
        name = _host_name(host)
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _origin_host(origin: str) -> str:
    """Returns the host of an Origin. Local files and sandboxed frames have the Origin "null", which gives ""."""
    with contextlib.suppress(ValueError):
        return urlsplit(origin).hostname or ""
    return ""


def _distance(name: str) -> int:
    """Returns how far away the host `name` may be: 0 on this machine, 1 in its network, 2 on the internet."""
    with contextlib.suppress(ValueError):
        address = ipaddress.ip_address(name)
        address = getattr(address, "ipv4_mapped", None) or address
        return 0 if address.is_loopback or address.is_unspecified else 2 if address.is_global else 1
    name = name.rstrip(".")
    if name.endswith(_LOCAL_DOMAINS) or name == "localhost":
        return 0
    return 1 if name.endswith(_NETWORK_DOMAINS) or (name and "." not in name) else 2


def is_api_path(path: str) -> bool:
    """Whether a path belongs to the API, which ignores cookies and takes tokens from the header `Authorization`."""
    return f"{path}/".startswith(API_PATH)


async def read_body(scope: Scope, receive: Receive) -> tuple[Receive, RequestRefusal | None]:
    """Returns a `receive` that gives the body in one message. Also returns a RequestRefusal (400, 408 or 413) or
    None.
    """
    if scope["path"] in PATHS_WITH_LARGE_BODIES or not _has_body(scope):
        return receive, None
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body, is_complete = await _read(receive)
    except TimeoutError:
        return receive, RequestRefusal(408, "The body took too long")
    if len(body) > MAX_BODY_BYTES:
        return receive, RequestRefusal(413, "The body must be at most 8 KiB")
    if not is_complete:
        return receive, RequestRefusal(400, "The body is incomplete")
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return replay, None


async def discard_body(scope: Scope, receive: Receive) -> None:
    """Reads and drops the body of a refused request, because closing with unread bytes would cut off the answer.

    Stops after MAX_BODY_BYTES or DISCARD_SECONDS. Does not raise.
    """
    if _has_body(scope):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_SECONDS):
                await _read(receive)


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _read(receive: Receive) -> tuple[bytes, bool]:
    """Returns the body, up to the first chunk beyond MAX_BODY_BYTES. Also returns whether the body is complete."""
    body = b""
    while len(body) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body, False
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body, True
    return body, False


def _host_name(host: str) -> str:
    """Returns a Host header without its port: "[::1]:5000" gives "::1". A malformed header gives ""."""
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        return name if closed and port[:1] in ("", ":") else ""
    return host.partition(":")[0].lower().rstrip(".")


def _quote_header(text: str) -> str:
    """Returns a header in quotes for a message: at most 80 characters, ASCII only."""
    return repr(text[:80].encode("ascii", "replace").decode())
