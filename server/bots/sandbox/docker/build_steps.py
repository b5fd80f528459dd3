"""Builds an image step by step: finds or fetches its base image, and runs commands in limited containers.

Instructions that run no command are left to the Docker Engine's own builder.
"""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

from server.bots.sandbox.docker import engine as engine_api
from server.bots.sandbox.docker.build_session import BuildSession
from server.bots.sandbox.docker.container_limits import ISOLATION, build_config, declared_volumes
from server.bots.sandbox.runner import CannotRun

_STEP_IMAGE = re.compile(r" ---> ([0-9a-f]{12})\n")
_MAX_LINE_CHARACTERS = 4096
_OFFICIAL_IMAGE = re.compile(
    "(library/)?(almalinux|alpine|amazoncorretto|amazonlinux|archlinux|bash|buildpack-deps|busybox|clojure|dart|debian|"
    "eclipse-temurin|elixir|erlang|fedora|gcc|golang|gradle|groovy|haskell|haxe|hylang|ibm-semeru-runtimes|jruby|julia|"
    "maven|mono|node|openjdk|oraclelinux|perl|php|pypy|python|r-base|rakudo-star|rockylinux|ruby|rust|sapmachine|swift|"
    "swipl|ubuntu)[:@]"
)
"""Docker's official images of systems and languages. Any other name without a slash may belong to an image that the
organiser has made.
"""
_TAG = re.compile(r":[\w.-]+$")


def find_base_image(session: BuildSession, name: str) -> str:
    """Returns the id of the image `name`, which has a tag or digest. Fetches the image if it is missing.

    `name` must not be an image id, because the image could be another contestant's bot. Unless the image is an official
    one of Docker's, its registry must serve it publicly, even if this machine already has the image. Raises CannotRun
    or ENGINE_FAULTS.
    """
    if not _OFFICIAL_IMAGE.match(name):
        name = _name_with_digest(session, name)
    image_ids = session.engine.images(name=name, quiet=True) or _fetch(session, name)
    if (engine_api.inspect_image(session.engine, image_ids[0])["Config"] or {}).get("OnBuild"):
        raise CannotRun(f"{name} has ONBUILD instructions, which are not carried out. Build on another image.")
    return str(image_ids[0])


def _name_with_digest(session: BuildSession, name: str) -> str:
    """Returns `name` with the digest of the image that its registry serves publicly. Raises CannotRun if the registry
    serves none.
    """
    try:
        with session.request("GET", f"/distribution/{name}/json") as response:
            digest = str(response.json()["Descriptor"]["digest"])
    except engine_api.ENGINE_FAULTS as error:
        reason = (
            f"{name} is not official, and its registry does not serve it publicly ({engine_api.describe_error(error)})"
        )
        raise CannotRun(f"{reason}. Build on a public image such as python:3.11-slim.") from None
    return f"{_TAG.sub('', name.partition('@')[0])}@{digest}"


def _fetch(session: BuildSession, name: str) -> list[str]:
    repository, _, tag = name.partition("@") if "@" in name else name.rpartition(":")
    session.log_output(f"{name} is being fetched from its registry.")
    with session.request("POST", "/images/create", params={"fromImage": repository, "tag": tag}) as response:
        sizes: dict[str, int] = {}
        for piece in engine_api.json_objects(response):
            if "error" in piece:
                raise CannotRun(f"{name} cannot be fetched: {piece['error']}")
            layer, size = str(piece.get("id")), int((piece.get("progressDetail") or {}).get("total") or 0)
            sizes[layer] = max(sizes.get(layer, 0), size)
            if sum(sizes.values()) > session.limits.build_disk_bytes:
                raise CannotRun(f"{name} is larger than the {session.limits.build_disk_bytes >> 20} MB allowed.")
            if not piece.get("progressDetail"):
                session.log_output(" ".join(str(piece[key]) for key in ("id", "status") if key in piece))
    fetched: list[str] = session.engine.images(name=name, quiet=True)
    if not fetched:
        raise CannotRun(f"{name} cannot be fetched.")
    session.fetched_images.append(name)
    total_bytes = sum(int(engine_api.inspect_image(session.engine, image)["Size"]) for image in session.fetched_images)
    if total_bytes > session.limits.build_disk_bytes:
        raise CannotRun(f"{name} is larger than the {session.limits.build_disk_bytes >> 20} MB allowed.")
    return fetched


def build_by_engine(
    session: BuildSession,
    base: str,
    archive: IO[bytes],
    *,
    arguments: Mapping[str, str],
    labels: Mapping[str, str],
) -> str:
    """Lets the Engine's builder make an image on top of `base` from the build context `archive`. Returns the image's
    id.

    The session records the image of each step. Raises CannotRun or ENGINE_FAULTS.
    """
    query = {
        "labels": json.dumps(labels),
        "buildargs": json.dumps(arguments),
        "rm": 1,
        "forcerm": 1,
        "nocache": 1,
        "networkmode": "none",
    }
    headers = {"Content-Type": "application/x-tar"}
    image = error = ""
    # Reads the response to its end even if a limit is exceeded, because the Engine would otherwise leave images behind.
    with (
        session.stoppable(),
        engine_api.stream_response(
            session.engine, "POST", "/build", data=archive, params=query, headers=headers
        ) as response,
    ):
        for piece in engine_api.json_objects(response):
            error = str(piece.get("error", error))
            image = str((piece.get("aux") or {}).get("ID", image))
            step = _STEP_IMAGE.fullmatch(str(piece.get("stream")))
            if step and step[1] not in base:  # If a later step fails, the session still has to remove this image.
                session.made_images.append(step[1])
    if error or not image:
        raise CannotRun(error or "the build stopped without an error.")
    return image


def run_command(session: BuildSession, image: str, command: Sequence[str], network: str) -> str:
    """Runs `command` on top of `image`, in Docker's network mode `network`. Returns the id of the new image. Raises
    CannotRun or ENGINE_FAULTS.
    """
    engine, image_info = session.engine, engine_api.inspect_image(session.engine, image)
    container = str(
        engine.create_container(
            image,
            command=list(command),
            entrypoint=[],
            labels=session.labels,
            **ISOLATION,
            host_config=build_config(engine, session.limits, network, declared_volumes(image_info)),
        )["Id"]
    )

    def kill() -> None:
        with contextlib.suppress(*engine_api.ENGINE_FAULTS):
            engine.kill(container)

    try:
        with session.stoppable(kill, container):
            _run_container(session, container)
            session.check_written(container)
        session.made_images.append(_commit(session, container, image_info["Config"]))
        return session.made_images[-1]
    finally:
        engine_api.remove_container(engine, container)


def _run_container(session: BuildSession, container: str) -> None:
    """Starts a container, passes on its output and waits until it ends. Raises CannotRun if it fails."""
    unfinished = ""
    with engine_api.attach_output(session.engine, container) as pieces:
        session.engine.start(container)
        for piece in pieces:
            *lines, unfinished = (unfinished + piece.decode(errors="replace")).split("\n")
            if len(unfinished) > _MAX_LINE_CHARACTERS:
                lines, unfinished = [*lines, unfinished], ""
            session.log_output("\n".join(lines))
    session.log_output(unfinished)
    status = int(session.engine.wait(container, timeout=None)["StatusCode"])
    if session.engine.inspect_container(container)["State"]["OOMKilled"]:
        raise CannotRun(f"it uses more memory than the {session.limits.build_memory_bytes >> 20} MB allowed.")
    if status:
        raise CannotRun(f"the command returned a non-zero code: {status}.")


def _commit(session: BuildSession, container: str, config: Mapping[str, Any]) -> str:
    """Makes an image from the files that a container wrote, with the configuration `config`, and returns its id."""
    new_config = {**config, "Labels": {**(config.get("Labels") or {}), **session.labels}}
    with engine_api.stream_response(
        session.engine, "POST", "/commit", params={"container": container}, json=new_config
    ) as response:
        return str(response.json()["Id"])
