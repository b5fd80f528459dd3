"""A network for one bot, in which the bot can reach only the server's two ports.

The *holder* is a container that only waits. It keeps a network namespace open, in which the server's sockets listen.
The holder needs no address from Docker, so any number of bots can run.
"""

import contextlib
import io
import secrets
import socket
import struct
import sys
import tarfile
import time
from pathlib import Path

from docker import APIClient
from msgspec import Struct

from server.bots.sandbox.docker.container_limits import ISOLATION, holder_config
from server.bots.sandbox.docker.engine import (
    ENGINE_FAULTS,
    describe_error,
    is_conflict,
    make_labels,
    own_container,
    remove_container,
    with_retries,
)
from server.bots.sandbox.runner import GAME_PORT, REGISTER_PORT, BoxEnvironment, CannotRun

PORTS = (REGISTER_PORT, GAME_PORT)
HOLDER_START_SECONDS = 10.0
_RETRY_SECONDS = 0.01
_ONLY_LINUX = "Sockets can be opened inside a box only on Linux."
_HOLDER_IMAGE = "highnoon/holder"
_HOLDER_COMMAND = "/hold"
_LOAD_ADDRESS = 0x400000
_ELF_HEADER_BYTES = 64 + 56
# For each processor: its number in ELF files, and a program that calls `pause` or `ppoll` in an endless loop.
_MACHINE_CODE = {
    "x86_64": (62, bytes.fromhex("b822000000 0f05 ebf7")),
    "aarch64": (
        183,
        struct.pack("<7I", 0xD2800928, 0xD2800000, 0xD2800001, 0xD2800002, 0xD2800003, 0xD4000001, 0x17FFFFFA),
    ),
}
_MACHINE_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}


class BotNetwork(Struct, frozen=True):
    """A bot's network. `holder_id` is the id of the holder, which `close_network` removes."""

    holder_id: str
    register_socket: socket.socket
    game_socket: socket.socket

    @property
    def mode(self) -> str:
        """The network mode of the bot's container. With this mode, the bot can also look up the host names that the
        holder knows.
        """
        return f"container:{self.holder_id}"


def create_network(engine: APIClient, name: str, box_environment: BoxEnvironment) -> BotNetwork:
    """Makes a network namespace that contains only the server's sockets. Raises ENGINE_FAULTS, or CannotRun if the
    sockets cannot be opened.
    """
    return with_retries(lambda: _create_network_once(engine, name, box_environment))


def _create_network_once(engine: APIClient, name: str, box_environment: BoxEnvironment) -> BotNetwork:
    token = secrets.token_hex(16)
    holder_id = engine.create_container(
        _find_holder_image(engine),
        command=[token],
        hostname="saloon",
        labels=make_labels(box_environment.label, name),
        host_config=holder_config(engine, box_environment.hostnames),
        **ISOLATION,
    )["Id"]
    try:
        engine.start(holder_id)
        register, game = _open_inside(engine, holder_id, token, name, box_environment)
    except BaseException:
        remove_container(engine, holder_id)
        raise
    return BotNetwork(holder_id, register, game)


def _open_inside(
    engine: APIClient, holder_id: str, token: str, name: str, box_environment: BoxEnvironment
) -> list[socket.socket]:
    """Opens sockets in the holder's namespace, which only root may enter. For other users, a helper container opens
    the sockets.
    """
    if sys.platform == "linux":  # Type checkers understand this form.
        from server.bots.sandbox.docker.socket_opener import open_sockets  # noqa: PLC0415 - Linux only
        from server.bots.sandbox.namespace_sockets import open_box_sockets  # noqa: PLC0415 - Linux only

        if own_container(engine):  # If this program runs in a container, it sees other process ids than the Engine.
            return open_sockets(engine, holder_id, name, box_environment)
        try:
            return open_box_sockets(_holder_pid(engine, holder_id, token), PORTS, box_environment.addresses)
        except CannotRun as refused:
            try:
                return open_sockets(engine, holder_id, name, box_environment)
            except (CannotRun, *ENGINE_FAULTS) as error:
                if is_conflict(error):  # The holder has ended, but the next attempt makes a new one.
                    raise
                raise CannotRun(f"{refused} {describe_error(error)}") from None
    raise CannotRun(_ONLY_LINUX)


def close_network(engine: APIClient, network: BotNetwork) -> None:
    """Closes the sockets and removes the container. Never raises, even if the Engine fails."""
    network.register_socket.close()
    network.game_socket.close()
    remove_container(engine, network.holder_id)


def _holder_pid(engine: APIClient, holder_id: str, token: str) -> int:
    """Returns the holder's process id. Raises CannotRun if the holder runs on another machine.

    Asks repeatedly, because the Engine reports a container as started before its program runs. Until the program runs,
    the reported id is 0 or belongs to another process.
    """
    deadline = time.monotonic() + HOLDER_START_SECONDS
    while time.monotonic() < deadline:
        pid = int(engine.inspect_container(holder_id)["State"]["Pid"])
        with contextlib.suppress(OSError):
            if token.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        time.sleep(_RETRY_SECONDS)
    raise CannotRun("No socket can be opened in the box: Docker runs on another machine or in a virtual one.")


def _find_holder_image(engine: APIClient) -> str:
    """Finds the holder's image, or imports it. Raises CannotRun or ENGINE_FAULTS."""
    architecture = str(engine.info()["Architecture"])
    image = f"{_HOLDER_IMAGE}:{architecture}"
    if not engine.images(name=image, quiet=True):
        entry = f'ENTRYPOINT ["{_HOLDER_COMMAND}"]'
        engine.import_image_from_data(
            holder_image(architecture), repository=_HOLDER_IMAGE, tag=architecture, changes=[entry]
        )
    return image


def holder_image(architecture: str) -> bytes:
    """Returns a tar archive of a program that only waits. Raises CannotRun for an architecture other than "x86_64" or
    "aarch64".
    """
    machine_name = _MACHINE_NAMES.get(architecture, architecture)
    if machine_name not in _MACHINE_CODE:
        raise CannotRun(f"Boxes work only on {' and '.join(_MACHINE_CODE)}, and Docker runs on {machine_name} here.")
    machine, code = _MACHINE_CODE[machine_name]
    size = _ELF_HEADER_BYTES + len(code)
    ident = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    header = struct.pack(
        "<HHIQQQIHHHHHH", 2, machine, 1, _LOAD_ADDRESS + _ELF_HEADER_BYTES, 64, 0, 0, 64, 56, 1, 0, 0, 0
    )
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _LOAD_ADDRESS, _LOAD_ADDRESS, size, size, 0x10000)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        entry = tarfile.TarInfo(_HOLDER_COMMAND.strip("/"))
        entry.mode, entry.size = 0o755, size
        tar.addfile(entry, io.BytesIO(ident + header + segment + code))
    return archive.getvalue()
