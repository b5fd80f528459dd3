"""The HTTP connection to one bot that is a server. It moves bytes without knowing what they mean.

A bot's author could choose a host that we must not call. So we look up the host only once, and all its addresses
must be in networks that the organiser allows. We call only these addresses, and use no redirects, proxies, cookies or
decompression.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_network
from typing import Literal

import httpcore2
from msgspec import Struct
from msgspec.structs import replace

from server.bots.dialects.http_calls import Reply, Request
from server.bots.transports.http_limits import MAX_CALL_BYTES, LimitedBackend, ReplyTooLarge
from server.ip_addresses import is_address, parse_address

MAX_ANSWER_BYTES = 4096
"""The maximum number of bytes in the body of a reply. A longer reply counts as malformed."""
IDLE_SECONDS = 1.0
"""How many seconds an idle connection is kept open. Most servers keep idle connections longer than this. So it rarely
happens that a server closes a connection just when we send the next call.
"""
ALL_NETWORKS = ("0.0.0.0/0", "::/0")
"""The allowed networks if the address comes from the user of this program and not from a contestant."""
LOOK_UP_SECONDS = 5.0
"""How many seconds the look-up of a host may take. If it takes longer, the host counts as not found."""
MAX_ADDRESSES = 4
"""At most this many addresses of a host are tried, one after the other."""
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?", re.IGNORECASE)
_AUTHORITY = re.compile(
    r"(?:http://)?(?P<host>\[[0-9a-f:.]+\]|[^\[\]/?#@:\s]+)(?::(?P<port>[0-9]{1,5}))?/?", re.IGNORECASE
)

LookUp = Callable[[str], Awaitable[Sequence[str]]]
"""Returns all addresses of a name, or raises OSError if there are none."""


class HostRefused(ValueError):
    """A host that may not be called. The message says why, for the person who named the host."""


class CallFailed(Exception):
    """A call got no usable answer. `fault` is the kind of failure. The message gives the reason, and quotes nothing
    from the bot.
    """

    def __init__(self, fault: Literal["timeout", "disconnected", "malformed"], reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Address(Struct, frozen=True):
    """Where a bot's server is: the name as registered ("bots.example:5000"), and the IP addresses of its host."""

    name: str
    ip_addresses: tuple[str, ...]
    port: int


def host_and_port(text: str) -> tuple[str, int]:
    """Returns the host and port in "host", "host:port" or "http://host:port/". Raises HostRefused for anything else."""
    match = _AUTHORITY.fullmatch(text.strip())
    if match is None or len(text) > 255:
        raise HostRefused("should be a host, or a host and a port such as 10.0.0.7:5000")
    host, port = match["host"].strip("[]"), int(match["port"] or 80)
    if not (_HOST_NAME.fullmatch(host) or ":" in host):
        raise HostRefused("is neither the name nor the address of a host")
    if not 1 <= port <= 65535:
        raise HostRefused("should have a port from 1 to 65535")
    return host, port


async def _look_up(host: str) -> list[str]:
    entries = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in entries]


async def find_host(host: str, port: int, networks: Sequence[str], look_up: LookUp = _look_up) -> Address:
    """Looks up `host`. Returns the address for all calls to this host. Raises HostRefused unless all IP addresses of
    the host are in the allowed `networks`, for example ["10.0.0.0/8"].
    """
    try:
        async with asyncio.timeout(LOOK_UP_SECONDS):
            texts = [host] if is_address(host) else await look_up(host)
            ip_addresses = [parse_address(text) for text in texts]
    except (OSError, UnicodeError, TimeoutError):
        raise HostRefused("is a host that cannot be found") from None
    allowed = [ip_network(network, strict=False) for network in networks]
    if not ip_addresses or not all(
        address and any(address in network for network in allowed) for address in ip_addresses
    ):
        raise HostRefused(f"is not in a network that is allowed here ({', '.join(networks) or 'none is'})")
    bracketed = f"[{host}]" if ":" in host else host
    return Address(f"{bracketed}:{port}", tuple(dict.fromkeys(map(str, ip_addresses)))[:MAX_ADDRESSES], port)


class HttpConnection:
    """Calls one bot's server, one call at a time. Keeps one TCP connection open. When the connection has ended, opens a
    new one.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._addresses = list(address.ip_addresses)
        self._backend = LimitedBackend()
        self._pool = httpcore2.AsyncConnectionPool(
            max_connections=1,
            max_keepalive_connections=1,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=self._backend,
        )
        self._call_lock = asyncio.Lock()

    @property
    def reply_start(self) -> bytes:
        """The start of the latest reply, including its header, or b""."""
        return self._backend.reply_start

    async def call(self, request: Request) -> Reply:
        """Sends a request and returns the reply. Raises CallFailed.

        There is no time limit. Cancelling a call closes the connection.
        """
        async with self._call_lock:
            opened_before = self._backend.opened_count
            try:
                return await self._call_any_address(request)
            except CallFailed as failed:
                # An idle connection may close just as the request is sent. That is not the bot's fault.
                if self._backend.opened_count > opened_before or failed.fault != "disconnected":
                    raise
                return await self._call_any_address(request)

    async def _call_any_address(self, request: Request) -> Reply:
        """Tries the server's addresses, beginning with the address that answered last."""
        for address in tuple(self._addresses):
            try:
                return await self._call(address, request)
            except httpcore2.ConnectError:
                self._addresses.append(self._addresses.pop(0))
            except httpcore2.NetworkError:
                raise CallFailed("disconnected", "the connection broke") from None
            except httpcore2.ProtocolError as error:
                raise _describe_protocol_error(error, self.reply_start) from None
            except ReplyTooLarge:
                raise CallFailed("malformed", f"a reply of more than {MAX_CALL_BYTES} bytes") from None
        raise CallFailed("disconnected", "no connection to its server")

    def successor(self) -> "HttpConnection":
        """Returns a new connection to the same server, which replaces this connection. This connection sends no more
        requests, but may still wait for a reply.
        """
        self._backend.is_closing = True
        return HttpConnection(replace(self._address, ip_addresses=tuple(self._addresses)))

    async def close(self) -> None:
        await self._pool.aclose()

    async def _call(self, address: str, request: Request) -> Reply:
        url = httpcore2.URL(scheme="http", host=address, port=self._address.port, target=request.path)
        headers = [
            ("Host", self._address.name),
            ("Accept", "*/*"),
            ("Accept-Encoding", "identity"),
            ("User-Agent", "high-noon"),
        ]
        if request.content_type:
            headers.append(("Content-Type", request.content_type))
        if request.content_type or request.body:
            headers.append(("Content-Length", str(len(request.body))))
        body = b""
        self._backend.start_call()
        async with self._pool.stream(request.method, url, headers=headers, content=request.body) as response:
            async for piece in response.aiter_stream():
                body += piece
                if len(body) > MAX_ANSWER_BYTES:
                    raise CallFailed("malformed", f"an answer of more than {MAX_ANSWER_BYTES} bytes")
        return Reply(response.status, body)


def _describe_protocol_error(error: Exception, reply_start: bytes) -> CallFailed:
    if not reply_start:
        return CallFailed("disconnected", "hung up without an answer")
    if str(error).startswith("peer closed connection"):
        return CallFailed("malformed", "hung up before the end of its answer, or gave it a wrong Content-Length")
    return CallFailed("malformed", "the answer is not HTTP")
