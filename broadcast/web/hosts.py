"""Checks Host and Origin, so that no foreign page and no foreign domain name can use this server."""

import socket
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from broadcast.web.connections.refusal import Refusal
from server.addresses import is_address

_ANY_NAME = ("/register", "/tournament/register")
"""Paths with any Host: bots call the server by whatever name they were given. With an Origin they are checked."""


class AllowedHosts:
    """The names by which this server may be called: `hosts`, the machine's own, localhost, and any IP address."""

    def __init__(self, hosts: Iterable[str]) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
        self._names |= {host.lower().rstrip(".") for host in hosts}

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why this request or WebSocket may not come in: status 421 for its Host, 403 for its Origin; None if it may.

        A foreign Host means that somebody's domain leads to this machine, to get round the same-origin policy (DNS
        rebinding).
        """
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        ours = self._is_ours(host, headers) or _is_no_browsers(scope, headers)
        if not ours and (scope["path"] not in _ANY_NAME or origin is not None):
            return Refusal(
                421, f"This server is not called {_shown(host)}; use its address, or name it in the event file."
            )
        if origin is not None and not _is_own(origin, host):
            return Refusal(403, f"A page of {_shown(origin)} has no business here.")
        return None

    def _is_ours(self, host: str, headers: Headers) -> bool:
        name = _name(host)
        return len(headers.getlist("host")) == 1 and (name in self._names or is_address(name))


def _is_no_browsers(scope: Scope, headers: Headers) -> bool:
    """Whether a request has no Host, as a proxy's check of health in HTTP/1.0: every browser sends one."""
    return scope["type"] == "http" and scope["http_version"] == "1.0" and "host" not in headers


def _is_own(origin: str, host: str) -> bool:
    """Whether the origin is this server. Both schemes are taken, as a proxy may speak HTTPS for it."""
    return bool(host) and origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _name(host: str) -> str:
    """A Host header without its port: "[::1]:5000" gives "::1"; "" if it is malformed."""
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        return name if closed and port[:1] in ("", ":") else ""
    name = host.partition(":")[0]
    return name.lower().rstrip(".")


def _shown(text: str) -> str:
    """A header for a message: quoted, at most 80 characters, ASCII only."""
    return repr(text[:80].encode("ascii", "replace").decode())
