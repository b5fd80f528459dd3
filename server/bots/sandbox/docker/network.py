"""A network for one bot with nothing in it but the server's two ports. No bot is started here.

If possible a container without a network holds the namespace, and our sockets are opened inside. Where it cannot be
entered, the bot gets an internal network of its own, with our sockets on the host's address in it.
"""

import contextlib
import secrets
import socket
import time
from collections.abc import Mapping
from pathlib import Path

from docker import APIClient
from msgspec import Struct

from server.bots.sandbox.docker.engine import ENGINE_FAULTS, ensure_holder, labels, with_retries
from server.bots.sandbox.docker.flags import holder_config
from server.bots.sandbox.namespace_sockets import listen_inside
from server.bots.sandbox.runner import GAME_PORT, REGISTER_PORT, CannotRun, Surroundings

_BEGIN_SECONDS = 10.0
_LOOK_SECONDS = 0.01


class BotNetwork(Struct, frozen=True):
    """A bot's network: `mode` is its container's network mode; `close_network` removes `holder` and `network`."""

    mode: str
    register: socket.socket
    game: socket.socket
    hosts: Mapping[str, str] = {}
    """Host names for the bot's container, with their addresses."""
    holder: str = ""
    network: str = ""


def hold_network(engine: APIClient, name: str, common: Surroundings) -> BotNetwork:
    """A namespace without a network, and sockets inside it. Raises CannotRun if it cannot be entered, ENGINE_FAULTS."""
    return with_retries(lambda: _held(engine, name, common))


def _held(engine: APIClient, name: str, common: Surroundings) -> BotNetwork:
    token = secrets.token_hex(16)
    holder = engine.create_container(
        ensure_holder(engine),
        command=[token],
        hostname="saloon",
        labels=dict(labels(common.label, name)),
        host_config=holder_config(engine, common.hostnames),
        use_config_proxy=False,
    )["Id"]
    try:
        engine.start(holder)
        register, game = listen_inside(_pid(engine, holder, token), common.addresses)
    except BaseException:
        _remove(engine, holder)
        raise
    return BotNetwork(f"container:{holder}", register, game, holder=holder)


def own_network(engine: APIClient, name: str, common: Surroundings) -> BotNetwork:
    """An internal network, and sockets on the host's address in it. Raises CannotRun where they cannot listen,
    ENGINE_FAULTS.
    """
    title = f"highnoon-{secrets.token_hex(6)}"
    network = engine.create_network(title, driver="bridge", internal=True, labels=dict(labels(common.label, name)))[
        "Id"
    ]
    listeners: list[socket.socket] = []
    try:
        gateway = str(engine.inspect_network(network)["IPAM"]["Config"][0]["Gateway"])
        listeners.append(_listen(gateway, REGISTER_PORT))
        listeners.append(_listen(gateway, GAME_PORT))
    except BaseException:
        for listener in listeners:
            listener.close()
        _remove(engine, network=network)
        raise
    hosts = dict.fromkeys(common.hostnames, gateway)
    return BotNetwork(network, listeners[0], listeners[1], hosts, network=network)


def close_network(engine: APIClient, network: BotNetwork) -> None:
    """Closes the sockets, removes container and network. Never raises for the Engine."""
    network.register.close()
    network.game.close()
    _remove(engine, network.holder, network.network)


def _pid(engine: APIClient, holder: str, token: str) -> int:
    """The holder's process, on this machine for certain: an Engine elsewhere counts other processes.

    Looked for a while, and asked for again: the Engine says that a container has started before its program is there,
    and for a moment names no process or one that has just ended.
    """
    until = time.monotonic() + _BEGIN_SECONDS
    while time.monotonic() < until:
        pid = int(engine.inspect_container(holder)["State"]["Pid"])
        with contextlib.suppress(OSError):
            if token.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        time.sleep(_LOOK_SECONDS)
    raise CannotRun("The box cannot be entered to listen in it: Docker runs on another machine or in a virtual one.")


def _listen(address: str, port: int) -> socket.socket:
    try:
        return socket.create_server((address, port), backlog=16)
    except OSError as error:
        raise CannotRun(
            f"Nothing can listen on {address}:{port} for the bot ({error.strerror}): run High Noon as root on Linux,"
            " take the light runner, or let the bot come over the network."
        ) from None


def _remove(engine: APIClient, holder: str = "", network: str = "") -> None:
    with contextlib.suppress(*ENGINE_FAULTS):
        if holder:
            engine.remove_container(holder, force=True, v=True)
        if network:
            engine.remove_network(network)
