"""The Docker Engine: connecting, its errors in words, and removing what an earlier run has left. No bots here."""

import contextlib
import io
import socket
import struct
import tarfile
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from docker import APIClient
from docker.errors import APIError, DockerException
from docker.utils import kwargs_from_env
from urllib3.exceptions import HTTPError

from server.bots.sandbox.output_log import harmless
from server.bots.sandbox.runner import CannotRun

_ENTRY = "/hold"
_LOADED_AT = 0x400000
_HEADERS = 64 + 56
# machine number of ELF, and: wait without an end (pause on the one, ppoll on the other), again.
_CODE = {
    "x86_64": (62, bytes.fromhex("b822000000 0f05 ebf7")),
    "aarch64": (
        183,
        struct.pack("<7I", 0xD2800928, 0xD2800000, 0xD2800001, 0xD2800002, 0xD2800003, 0xD4000001, 0x17FFFFFA),
    ),
}
_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}


ENGINE_FAULTS = (DockerException, HTTPError, OSError)
"""All that a call to the Engine can raise; what `requests` raises is an OSError."""
LABEL = "highnoon"
"""The label on everything that this program makes; its value is the tournament's name."""
IMAGE_SOURCE = f"{LABEL}.source"
"""The label of a finished image: the digest of what it was built from."""
_HOLDER = "highnoon/holder"
_MACHINES_OWN = "unix:///var/run/docker.sock"
_ANSWER_SECONDS = 30
_AT_ONCE = 128
"""Connections to the Engine: two for each bot that runs."""
_TRIES = 4
_Started = TypeVar("_Started")


def connect() -> APIClient:
    """A client of the Engine at $DOCKER_HOST, or of this machine's. Raises CannotRun when it does not answer."""
    settings = kwargs_from_env()
    try:
        _try_socket(str(settings.get("base_url", _MACHINES_OWN)))
        engine = APIClient(version="auto", timeout=_ANSWER_SECONDS, max_pool_size=_AT_ONCE, **settings)
    except ENGINE_FAULTS as error:
        raise CannotRun(
            f"Docker does not answer ({in_words(error)}): install and start it, be root or a member of the group"
            " docker, or set DOCKER_HOST."
        ) from None
    return engine


def _try_socket(address: str) -> None:
    """Tries to connect to a local socket, since the library leaks one that nobody answers. Raises OSError."""
    scheme, _, path = address.partition("://")
    if scheme in ("unix", "http+unix"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)


def with_retries(start: Callable[[], _Started]) -> _Started:
    """Returns what `start` returns: it makes and starts a container, and must leave nothing behind where it raises.

    Now and then the Engine loses a race against itself ("cannot start an already running container", "cannot start a
    stopped process"), so it is tried four times in all. Raises what the Engine raises.
    """
    for _ in range(_TRIES - 1):
        try:
            return start()
        except APIError as error:
            if not error.is_server_error():
                raise
    return start()


def in_words(error: Exception) -> str:
    """An error of the Engine in one line, made harmless: it may quote a bot's Dockerfile."""
    text = error.explanation if isinstance(error, APIError) and error.explanation else str(error)
    return harmless(" ".join(str(text).split())[:400].encode(errors="replace")).decode() or type(error).__name__


def ensure_holder(engine: APIClient) -> str:
    """The image of the holding container, imported if it is not there. Raises CannotRun, and what the Engine raises."""
    architecture = str(engine.info()["Architecture"])
    image = f"{_HOLDER}:{architecture}"
    if not engine.images(name=image, quiet=True):
        entry = f'ENTRYPOINT ["{_ENTRY}"]'
        engine.import_image_from_data(holder_image(architecture), repository=_HOLDER, tag=architecture, changes=[entry])
    return image


def look_at_image(engine: APIClient, image: str) -> Mapping[str, Any]:
    """What the Engine says of an image, as `docker image inspect` does. Raises ENGINE_FAULTS."""
    looked_at: Mapping[str, Any] = engine.inspect_image(image)  # type: ignore[no-untyped-call]
    return looked_at


def labels(label: str, name: str) -> Mapping[str, str]:
    """The labels of a container or network of the bot `name` in the tournament `label`."""
    return {LABEL: label, f"{LABEL}.bot": name}


def clear_leftovers(engine: APIClient, label: str) -> None:
    """Removes all containers and networks of the tournament `label`, running ones too, and halves of builds.

    Never raises for what cannot be removed: it may be going away already.
    """
    ours = {"label": f"{LABEL}={label}"}
    for container in engine.containers(all=True, filters=ours):
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.remove_container(container["Id"], force=True, v=True)
    for network in engine.networks(filters=ours):
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.remove_network(network["Id"])
    for image in engine.images(all=True, filters=ours):
        if IMAGE_SOURCE not in (image["Labels"] or {}):
            with contextlib.suppress(*ENGINE_FAULTS):
                engine.remove_image(image["Id"])


def remove_built(engine: APIClient, label: str) -> None:
    """Removes all images that were built for the tournament `label`. Never raises for one that is in use."""
    for image in engine.images(filters={"label": f"{LABEL}={label}"}):
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.remove_image(image["Id"], force=True)


def holder_image(architecture: str) -> bytes:
    """A tar archive with the program as `ENTRY`, for "x86_64" or "aarch64". Raises CannotRun for any other."""
    program = _program(_NAMES.get(architecture, architecture))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        entry = tarfile.TarInfo(_ENTRY.strip("/"))
        entry.mode, entry.size = 0o755, len(program)
        tar.addfile(entry, io.BytesIO(program))
    return archive.getvalue()


def _program(architecture: str) -> bytes:
    if architecture not in _CODE:
        raise CannotRun(f"Boxes are known for {' and '.join(_CODE)} only, and Docker runs on {architecture} here.")
    machine, code = _CODE[architecture]
    size = _HEADERS + len(code)
    ident = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    header = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, _LOADED_AT + _HEADERS, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _LOADED_AT, _LOADED_AT, size, size, 0x10000)
    return ident + header + segment + code
