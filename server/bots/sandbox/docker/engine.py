"""The Docker Engine: connecting, its errors in words, and removing what an earlier run has left. No bots here."""

import contextlib
import socket
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from docker import APIClient
from docker.errors import APIError, DockerException
from docker.utils import kwargs_from_env
from urllib3.exceptions import HTTPError

from server.bots.sandbox.docker.pause_image import ENTRY, holder_image
from server.bots.sandbox.output_log import harmless
from server.bots.sandbox.runner import CannotRun

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
        entry = f'ENTRYPOINT ["{ENTRY}"]'
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
