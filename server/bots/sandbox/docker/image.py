"""Builds a bot's image: reads the Dockerfile, carries it out within limits, and removes the images of its steps."""

import hashlib
import stat
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path

from docker import APIClient

from server.bots.sandbox.docker.build_context import build_paths
from server.bots.sandbox.docker.build_session import BuildSession
from server.bots.sandbox.docker.build_stages import BuildNetwork, BuildStages
from server.bots.sandbox.docker.engine import ENGINE_FAULTS, IMAGE_SOURCE, describe_error, remove_images
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Say
from server.bots.sandbox.submitted_folder import read_dockerfile

_LAST_LINES = 15
_OFFLINE_HINT = " Is this machine offline? Base images can be fetched in advance: docker pull NAME."
_NO_NETWORK = (
    " Builds have no network here. With build_network = true in the event file (for a check: --build-network) they can"
    " reach the web."
)
_OTHER_PROCESSOR = (
    " An image or a program in it is for a different processor from this machine's. Build on an image for several"
    " processors, such as python:3.11-slim, and compile programs with RUN."
)
_NETWORK_ERRORS = (
    "name resolution", "resolve host", "could not resolve", "getaddrinfo", "eai_again", "network is unreachable",
    "failed to establish a new connection", "bad address", "no such host", "temporary failure resolving",
)  # fmt: skip


def build_image(
    engine: APIClient,
    name: str,
    folder: Path,
    box_environment: BoxEnvironment,
    *,
    say: Say,
    cancel_signal: Future[None],
    network: BuildNetwork,
) -> str:
    """Builds the bot in `folder`, and returns the image's id. May block for minutes. Stops once `cancel_signal` is
    done.

    `say` gets each line of output. If this tournament has already built an image from the same files, reuses that
    image. Raises CannotRun with the last lines of the output.
    """
    lines: deque[str] = deque(maxlen=_LAST_LINES)

    def log_line(line: str) -> None:
        lines.append(line)
        say(line)

    try:
        with BuildSession(engine, name, box_environment, log_line) as session:
            cancel_signal.add_done_callback(lambda _: session.abort("the build was given up."))
            return _build_or_reuse(session, folder, network)
    except (CannotRun, *ENGINE_FAULTS) as error:
        reason = describe_error(error).rstrip(".") + "."
        tail = "".join(f"\n  {line}" for line in lines)
        hint = _hint(reason, lines, network)
        raise CannotRun(f"{name} cannot be built: {reason}{hint}{tail and ' The end of its log:'}{tail}") from None


def _build_or_reuse(session: BuildSession, folder: Path, network: BuildNetwork) -> str:
    """Returns the id of the image, built or reused. Raises CannotRun or ENGINE_FAULTS."""
    dockerfile = read_dockerfile(folder)
    source = {IMAGE_SOURCE: _digest(folder)}
    labels = [f"{key}={value}" for key, value in {**session.labels, **source}.items()]
    if images := session.engine.images(filters={"label": labels}):
        return str(images[0]["Id"])
    image_id = ""
    try:
        image_id = BuildStages(session, dockerfile, folder, network).build(source)
    finally:
        remove_images(session.engine, (image for image in reversed(session.made_images) if image not in image_id))
        if not image_id:
            remove_images(session.engine, session.fetched_images)
    return image_id


def _digest(folder: Path) -> str:
    """Returns the SHA-256 of everything that goes into a build. Raises CannotRun or OSError."""
    digest = hashlib.sha256()
    for path in build_paths(folder):
        path_stat = (folder / path).lstat()
        link = str((folder / path).readlink()) if stat.S_ISLNK(path_stat.st_mode) else ""
        digest.update(repr((path, path_stat.st_mode, path_stat.st_size, link)).encode())
        if stat.S_ISREG(path_stat.st_mode):
            with (folder / path).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _hint(reason: str, lines: Iterable[str], network: BuildNetwork) -> str:
    if any(error in " ".join([reason, *lines]) for error in ("exec format error", "no matching manifest")):
        return _OTHER_PROCESSOR
    if "dial tcp" in reason:
        return _OFFLINE_HINT
    printed = " ".join(lines).lower()
    return _NO_NETWORK if network.mode == "none" and any(error in printed for error in _NETWORK_ERRORS) else ""
