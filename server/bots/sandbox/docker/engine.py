"""Calls the Docker Engine: connects to it, explains its errors, streams its responses, and removes what this program
made.
"""

import contextlib
import json
import os
import socket
import struct
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from docker import APIClient
from docker.errors import APIError, DockerException, NotFound
from docker.utils import kwargs_from_env
from requests import Response
from urllib3.exceptions import HTTPError

from server.bots.sandbox.output_log import sanitized
from server.bots.sandbox.runner import CannotRun
from server.system.processes import LINUX, UNIX

ENGINE_FAULTS = (DockerException, HTTPError, OSError)
"""All exceptions that a call to the Engine can raise. Errors of `requests` are OSErrors."""
LABEL = "highnoon"
"""The name of a label on bots' containers and images. The label's value is `BoxEnvironment.label`."""
IMAGE_SOURCE = f"{LABEL}.source"
"""The label of a finished image. Its value is the digest of the files from which the image was built."""
_LOCAL_ENGINE = "unix:///var/run/docker.sock" if UNIX else "npipe:////./pipe/docker_engine"
_USE_DOCKER_DESKTOP = "install Docker Desktop and start it"
_ANSWER_SECONDS = 30
_MAX_CONNECTIONS = 512
"""The maximum number of connections to the Engine. Each running bot needs two."""
_TRIES = 4
_CONTAINER_MARKER = Path("/.dockerenv")
"""A file that Docker puts into every container."""
_CHANGE = b'"Kind":'
"""Occurs once for each changed file in the Engine's list of changes. No file name can contain this text, because
quotation marks in names are escaped.
"""
_READ_BYTES = 1 << 16
_FRAME = struct.Struct(">BxxxI")
_Started = TypeVar("_Started")


def connect_to_docker() -> APIClient:
    """Returns a client of the Engine at $DOCKER_HOST or on this machine. Raises CannotRun if it is not responding."""
    settings = kwargs_from_env()
    try:
        _try_socket(str(settings.get("base_url", _LOCAL_ENGINE)))
        return APIClient(version="auto", timeout=_ANSWER_SECONDS, max_pool_size=_MAX_CONNECTIONS, **settings)
    except ENGINE_FAULTS as error:
        remedy = "install and start it, and be root or a member of the group docker" if LINUX else _USE_DOCKER_DESKTOP
        raise CannotRun(f"Docker is not responding ({describe_error(error)}): {remedy}, or set DOCKER_HOST.") from None


def _try_socket(address: str) -> None:
    """Tries to connect to a local socket. If nobody answers, raises OSError.

    The library would raise an error, too, but would leave a socket open.
    """
    scheme, _, path = address.partition("://")
    if scheme in ("unix", "http+unix") and sys.platform != "win32":
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)


def with_retries(start: Callable[[], _Started]) -> _Started:
    """Calls `start` and returns its result. `start` must make and start a container, or raise an error and leave
    nothing behind.

    Calls `start` up to four times, because races in the Engine make it fail now and then. The errors are "cannot start
    an already running container", "cannot start a stopped process" and "cannot join network of a non running
    container". Raises ENGINE_FAULTS.
    """
    for _ in range(_TRIES - 1):
        try:
            return start()
        except APIError as error:
            if not (error.is_server_error() or is_conflict(error)):
                raise
    return start()


def is_conflict(error: Exception) -> bool:
    """Whether the Engine refused a call because a container was in the wrong state. For example, it had ended."""
    return isinstance(error, APIError) and error.status_code == HTTPStatus.CONFLICT


def describe_error(error: Exception) -> str:
    """Describes an error of the Engine in one line. The line is safe to print, even if it quotes a bot's Dockerfile."""
    text = error.explanation if isinstance(error, APIError) and error.explanation else str(error)
    return sanitized(" ".join(str(text).split())[:400].encode(errors="replace")).decode() or type(error).__name__


def inspect_image(engine: APIClient, image: str) -> Mapping[str, Any]:
    """Returns what `docker image inspect` shows about an image. Raises ENGINE_FAULTS."""
    inspected: Mapping[str, Any] = engine.inspect_image(image)  # type: ignore[no-untyped-call]
    return inspected


def own_container(engine: APIClient) -> Mapping[str, Any] | None:
    """Returns what the Engine says about the container in which this process runs, or None if the Engine knows no such
    container.
    """
    host = socket.gethostname()
    if not _CONTAINER_MARKER.exists():
        return None
    try:
        container: Mapping[str, Any] = engine.inspect_container(host)
    except NotFound:
        return None
    return container if str(container["Id"]).startswith(host) else None


def folder_on_disk(engine: APIClient) -> Path | None:
    """Returns a folder on the Engine's disk. If the Engine is on another machine or in a virtual machine, or does not
    answer, returns None.

    The root folder of every container is on that disk. So a process in a container can use its own root folder.
    """
    with contextlib.suppress(*ENGINE_FAULTS):
        if own_container(engine):
            return Path("/")
        folder = Path(str(engine.info().get("DockerRootDir", "")))
        if engine.base_url.startswith("http+docker") and folder.is_dir():
            return folder
    return None


def disk_usage(folder: Path | None) -> tuple[int, int]:
    """Returns the free bytes and the number of files on the disk of `folder`.

    Returns `sys.maxsize` and 0 if `folder` is None, if the system is Windows, or if the system reports an error.
    """
    if folder is not None and sys.platform != "win32":
        with contextlib.suppress(OSError):
            disk = os.statvfs(folder)
            return disk.f_bavail * disk.f_frsize, disk.f_files - disk.f_ffree
    return sys.maxsize, 0


def written_bytes(engine: APIClient, container: str) -> int:
    """Returns how many bytes a container has written to its disk, or 0 if the Engine does not say."""
    with contextlib.suppress(*ENGINE_FAULTS):
        containers = engine.containers(all=True, size=True, filters={"id": container})
        return max((int(entry.get("SizeRw", 0)) for entry in containers), default=0)
    return 0


def written_files(engine: APIClient, container: str, maximum: int) -> int:
    """Returns how many files and folders a container has made, changed or deleted on its disk. Stops counting above
    `maximum`. Returns 0 if the Engine does not say.
    """
    count, tail = 0, b""
    with (
        contextlib.suppress(*ENGINE_FAULTS),
        stream_response(engine, "GET", f"/containers/{container}/changes") as response,
    ):
        for piece in response.iter_content(_READ_BYTES):
            count += (tail + piece).count(_CHANGE)
            tail = (tail + piece)[1 - len(_CHANGE) :]
            if count > maximum:
                break
    return count


def make_labels(label: str, name: str) -> dict[str, str]:
    """Returns the labels for a container or image of the bot `name`. `label` is `BoxEnvironment.label`."""
    return {LABEL: label, f"{LABEL}.bot": name}


def remove_container(engine: APIClient, container: str) -> None:
    """Removes a container and its volumes, whether it runs or not. Never raises."""
    with contextlib.suppress(*ENGINE_FAULTS):
        engine.remove_container(container, force=True, v=True)


def remove_images(engine: APIClient, images: Iterable[str], *, force: bool = False) -> None:
    """Removes images. With `force`, removes even images on which other images build. Never raises."""
    for image in images:
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.remove_image(image, force=force)


def clear_leftovers(engine: APIClient, label: str) -> None:
    """Removes all containers and unfinished images with this `label` (see `BoxEnvironment`), as far as possible."""
    for container in _labelled(label, engine.containers(all=True, filters={"label": LABEL})):
        remove_container(engine, container["Id"])
    images = _labelled(label, engine.images(all=True, filters={"label": LABEL}))
    remove_images(engine, (image["Id"] for image in images if IMAGE_SOURCE not in image["Labels"]))


def remove_built_images(engine: APIClient, label: str) -> None:
    """Removes all images built for `label` (see `BoxEnvironment`). Skips images in use."""
    images = _labelled(label, engine.images(filters={"label": LABEL}))
    remove_images(engine, (image["Id"] for image in images), force=True)


def _labelled(label: str, entries: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the containers or images whose label is `label`, or begins with `label` and a hyphen."""
    return [entry for entry in entries if f"{entry['Labels'][LABEL]}-".startswith(f"{label}-")]


@contextlib.contextmanager
def stream_response(engine: APIClient, method: str, path: str, **request: Any) -> Iterator[Response]:
    """Yields the response to a request, streamed without a time limit. Closes it at the end.

    The library's own streams cannot be closed reliably. Raises ENGINE_FAULTS, among them APIError if the Engine
    refuses.
    """
    url = f"{engine.base_url}/v{engine.api_version}{path}"
    response = engine.request(method, url, stream=True, timeout=None, **request)
    try:
        if response.status_code >= 400:
            raise APIError("refused", response=response, explanation=_error_text(response))
        yield response
    finally:
        response.close()


def _error_text(response: Response) -> str:
    with contextlib.suppress(ValueError, KeyError, TypeError, *ENGINE_FAULTS):
        return str(response.json()["message"])
    return f"status {response.status_code}"


def hang_up(response: Response) -> None:
    """Ends a response that another thread is reading. The Engine then stops the work that the request has started."""
    connection = response.raw.connection
    if connection is not None and connection.sock is not None:
        with contextlib.suppress(OSError):
            connection.sock.shutdown(2)


def json_objects(response: Response) -> Iterator[Mapping[str, Any]]:
    """Yields the JSON object on each line of a response. Skips lines without a JSON object."""
    for line in response.iter_lines():
        with contextlib.suppress(ValueError):
            content = json.loads(line)
            if isinstance(content, dict):
                yield content


@contextlib.contextmanager
def attach_output(engine: APIClient, container: str) -> Iterator[Iterator[bytes]]:
    """Yields an iterator over the output of a container that has not started yet. Raises ENGINE_FAULTS.

    While nobody reads, the container's program waits. Use `follow_output` for a program that must never wait.
    """
    query = {"stream": 1, "stdout": 1, "stderr": 1}
    with stream_response(engine, "POST", f"/containers/{container}/attach", params=query) as response:
        yield (piece for _, piece in read_frames(response.raw))


@contextlib.contextmanager
def follow_output(engine: APIClient, container: str) -> Iterator[Iterator[bytes]]:
    """Yields an iterator over the output of a container, until the container ends. Raises ENGINE_FAULTS."""
    with contextlib.closing(_whole_output(engine, container)) as pieces:
        yield pieces


def _whole_output(engine: APIClient, container: str) -> Generator[bytes, None, None]:
    """Yields the output while the container runs. Then yields the end of the container's log if that end was not in the
    stream.

    If the disk is busy, the Engine sometimes ends the stream before the last output. The end is found in the log by
    counting bytes from the log's beginning. If the Engine has discarded the beginning of a large log, nothing is found.
    """
    bytes_received = 0
    with _read_log(engine, container, follow=True) as pieces:
        for piece in pieces:
            bytes_received += len(piece)
            yield piece
    engine.wait(container, timeout=None)
    with _read_log(engine, container, follow=False) as pieces:
        for piece in pieces:
            yield piece[bytes_received:]
            bytes_received = max(0, bytes_received - len(piece))


@contextlib.contextmanager
def _read_log(engine: APIClient, container: str, *, follow: bool) -> Iterator[Iterator[bytes]]:
    query = {"stdout": 1, "stderr": 1, "follow": int(follow)}
    with stream_response(engine, "GET", f"/containers/{container}/logs", params=query) as response:
        yield (piece for _, piece in read_frames(response.raw))


def read_frames(stream: Any) -> Iterator[tuple[int, bytes]]:
    """Splits a stream of the Engine's frames. Yields each piece of output with its file descriptor (1 or 2)."""
    while len(header := stream.read(_FRAME.size)) == _FRAME.size:
        descriptor, size = _FRAME.unpack(header)
        yield descriptor, stream.read(size)
