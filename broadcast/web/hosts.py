"""Which requests come from a page of ours: by the name they call this machine, and by the page that sends them."""

import ipaddress
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from broadcast.web.connections.refusal import Refusal

_ANY_NAME = ("/register", "/tournament/register")
"""Old bots call the server by whatever name they were given; pages know its name."""


class Admission:
    """The names of this machine: `hosts`, its own, and whatever is an address or localhost."""

    def __init__(self, hosts: Iterable[str]) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
        self._names |= {host.lower().rstrip(".") for host in hosts}

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why this request or socket may not come in; None if it may.

        A foreign name means that a stranger's domain was pointed at this machine to get round the browser's rules.
        """
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        ours = self._is_ours(host, headers)
        if not ours and (scope["path"] not in _ANY_NAME or origin is not None):
            return Refusal(
                421, f"This server is not called {_shown(host)}; use its address, or name it in the event file."
            )
        if origin is not None and not _is_own(origin, host):
            return Refusal(403, f"A page of {_shown(origin)} has no business here.")
        return None

    def _is_ours(self, host: str, headers: Headers) -> bool:
        name = _name(host)
        return len(headers.getlist("host")) == 1 and (name in self._names or _is_address(name))


def _is_own(origin: str, host: str) -> bool:
    """Whether a page of this server sends it. Behind a proxy the scheme is not ours to know."""
    return bool(host) and origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _name(host: str) -> str:
    """A Host header without its port: "[::1]:5000" is "::1"."""
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        return name if closed and port[:1] in ("", ":") else ""
    name = host.partition(":")[0]
    return name.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _shown(text: str) -> str:
    """A stranger's header, fit for one sentence."""
    return repr(text[:80].encode("ascii", "replace").decode())
