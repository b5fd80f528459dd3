"""Runs the proxy through which a build fetches from the web. The build's network contains only the proxy.

The proxy connects to ports 80 and 443 of public addresses, and never to this machine or its networks.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Set
from ipaddress import IPv4Address
from urllib.parse import urlsplit

from docker import APIClient
from msgspec.structs import replace

from server.bots.sandbox.docker.build_session import one_line
from server.bots.sandbox.docker.build_stages import BuildNetwork
from server.bots.sandbox.docker.container_limits import ISOLATION, NOBODY, address_lookup_config
from server.bots.sandbox.docker.engine import (
    ENGINE_FAULTS,
    describe_error,
    make_labels,
    own_container,
    remove_container,
)
from server.bots.sandbox.docker.network import close_network, create_network
from server.bots.sandbox.runner import REGISTER_PORT, BoxEnvironment, CannotRun, Say
from server.bots.sandbox.threads import run_in_thread

_PORTS = (80, 443)
_MAX_HEAD_BYTES = 16 << 10
_MAX_CONNECTIONS = 64
_PIECE_BYTES = 64 << 10
_CONNECT_SECONDS = 15.0
_MAX_HOSTS_SHOWN = 100
_PROXY_VARIABLES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
_PRINT_ADDRESSES = """
import re
with open("/proc/net/fib_trie") as trie:
    print(*re.findall(r"-- (\\S+)\\n +/32 host LOCAL", trie.read()))
"""
_UNKNOWN_ADDRESSES = "Docker does not say which addresses its machine has, so a build cannot have a network"
_DROPPED_HEADERS = (b"proxy-", b"connection:", b"keep-alive:")
_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Refused(Exception):
    """The proxy refuses to connect. The message tells the client why."""


def is_public(address: IPv4Address) -> bool:
    """Whether an address is on the public internet. Private networks and a cloud's metadata server are not."""
    return address.is_global and not address.is_multicast


@contextlib.asynccontextmanager
async def build_network(
    engine: APIClient,
    name: str,
    box_environment: BoxEnvironment,
    say: Say,
    allowed: Callable[[IPv4Address], bool] = is_public,
) -> AsyncIterator[BuildNetwork]:
    """Makes a network for one build. The network contains only a proxy, which connects to an address only if `allowed`
    returns True for it. `say` gets a line for each host that the build connects to.

    Raises CannotRun if this machine cannot make such a network.
    """
    environment_without_names = replace(box_environment, addresses=(), hostnames=())
    try:
        network = await run_in_thread(lambda: create_network(engine, name, environment_without_names))
    except (CannotRun, *ENGINE_FAULTS) as error:
        raise CannotRun(
            f"{name} cannot be built: a build cannot have a network here. {describe_error(error)}"
        ) from None
    try:
        machine_addresses = await run_in_thread(lambda: _addresses_of_machine(engine, name, box_environment))
        proxy = _Proxy(allowed, machine_addresses, say, box_environment.limits.build_disk_bytes)
        async with await asyncio.start_server(proxy.serve, sock=network.register_socket, limit=_MAX_HEAD_BYTES):
            address = f"http://127.0.0.1:{REGISTER_PORT}"
            try:
                yield BuildNetwork(network.mode, dict.fromkeys(_PROXY_VARIABLES, address))
            finally:
                await proxy.end()
    finally:
        await run_in_thread(lambda: close_network(engine, network))


def _addresses_of_machine(engine: APIClient, name: str, box_environment: BoxEnvironment) -> frozenset[IPv4Address]:
    """Returns the addresses of the machine that runs Docker, if this process runs in a container. Otherwise returns no
    addresses, because `_Proxy` does not need them. Raises CannotRun.
    """
    own_info = own_container(engine)
    if own_info is None:
        return frozenset()
    try:
        container = engine.create_container(
            str(own_info["Image"]),
            entrypoint=["python3", "-I", "-S", "-c", _PRINT_ADDRESSES],
            user=NOBODY,
            labels=make_labels(box_environment.label, name),
            host_config=address_lookup_config(engine),
            **ISOLATION,
        )["Id"]
        try:
            engine.start(container)
            engine.wait(container)
            printed_addresses = engine.logs(container, stderr=False).decode().split()
        finally:
            remove_container(engine, container)
    except ENGINE_FAULTS as error:
        raise CannotRun(f"{name} cannot be built: {_UNKNOWN_ADDRESSES} ({describe_error(error)}).") from None
    if not printed_addresses:
        raise CannotRun(f"{name} cannot be built: {_UNKNOWN_ADDRESSES}.")
    return frozenset(map(IPv4Address, printed_addresses))


class _Proxy:
    """Serves the connections of one build. Together, they may transfer at most `max_bytes`.

    The proxy connects to an address only if `allowed` returns True for it. It never connects to this machine. If this
    process runs in a container, `machine_addresses` are the machine's addresses.
    """

    def __init__(
        self, allowed: Callable[[IPv4Address], bool], machine_addresses: Set[IPv4Address], say: Say, max_bytes: int
    ) -> None:
        self._allowed = allowed
        self._machine_addresses = machine_addresses
        self._say = say
        self._bytes_left = max_bytes
        self._tasks: set[asyncio.Task[object]] = set()
        self._hosts: set[str] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request, then relays bytes until one side hangs up. If there are too many connections, hangs up
        at once.
        """
        task = asyncio.current_task()
        if task and len(self._tasks) < _MAX_CONNECTIONS:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._answer(reader, writer)
                writer.close()
                await writer.wait_closed()
                return
        writer.transport.abort()

    async def end(self) -> None:
        """Closes all connections, because the servers and the build may leave them open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _CONNECT_SECONDS)
            host, port, new_head = _read_head(head)
            remote = await asyncio.wait_for(self._connect(host, port), _CONNECT_SECONDS)
        except (_Refused, OSError, ValueError) as error:
            reason = str(error) or "it takes too long"
            writer.write(f"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n{reason}\n".encode())
        else:
            await self._relay((reader, writer), remote, new_head)

    async def _connect(self, host: str, port: int) -> _Streams:
        """Connects to `host` if its address is allowed. Looks the address up only once, so that the checked address is
        also the one that is used. Raises _Refused or OSError.
        """
        # The lookup runs in a new thread, because it can take long and the event loop has few threads.
        lookup_results = await run_in_thread(lambda: socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM))
        address = IPv4Address(lookup_results[0][4][0])
        if not self._allowed(address):
            raise _Refused(f"{host} is not a public address")
        if address in self._machine_addresses:
            raise _Refused(f"{host} is this machine")
        reader, writer = await asyncio.open_connection(str(address), port)
        if writer.get_extra_info("sockname")[0] == str(address):  # this machine has connected to itself
            writer.close()
            raise _Refused(f"{host} is this machine")
        if host not in self._hosts and len(self._hosts) < _MAX_HOSTS_SHOWN:
            self._hosts.add(host)
            self._say(one_line(f"The build connects to {host}."))
        return reader, writer

    async def _relay(self, client: _Streams, remote: _Streams, head: bytes) -> None:
        directions = (client[0], remote[1]), (remote[0], client[1])
        relay_tasks: list[asyncio.Future[None]] = []
        try:
            if head:
                remote[1].write(head)
            else:
                client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            relay_tasks = [asyncio.ensure_future(self._pass_on(*direction)) for direction in directions]
            await asyncio.wait(relay_tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in relay_tasks:
                task.cancel()
            remote[1].transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(_PIECE_BYTES):
                bytes_left_before, self._bytes_left = self._bytes_left, self._bytes_left - len(piece)
                if self._bytes_left < 0:
                    if bytes_left_before >= 0:
                        self._say("The build has used up its limit of bytes to fetch and send.")
                    return
                writer.write(piece)
                await writer.drain()


def _read_head(head: bytes) -> tuple[str, int, bytes]:
    """Returns the host and port of a request, and the head of the request to pass on. For CONNECT, this head is b"",
    because nothing is passed on. Raises _Refused or ValueError.
    """
    request_line, *fields = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, target, _ = request_line.decode("ascii").split(" ")
    url = urlsplit(f"//{target}" if method == "CONNECT" else target)
    port = url.port or 80
    if not url.hostname or port not in _PORTS or (method != "CONNECT" and url.scheme != "http"):
        raise _Refused("builds can reach only web servers, on ports 80 and 443")
    if method == "CONNECT":
        return url.hostname, port, b""
    path = url._replace(scheme="", netloc="").geturl() or "/"
    kept_fields = [field for field in fields if not field.lower().startswith(_DROPPED_HEADERS)]
    return (
        url.hostname,
        port,
        b"\r\n".join([f"{method} {path} HTTP/1.1".encode(), *kept_fields, b"Connection: close\r\n\r\n"]),
    )
