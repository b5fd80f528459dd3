"""Checks Dockerfiles. They may run commands, use images from allowed registries, and copy files from the bot's own
folder.

Refuses instructions that fetch anything from elsewhere or need rights on the organiser's machine. No I/O.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from server.bots.sandbox.dockerfile import (
    Dockerfile,
    DockerfileFault,
    Instruction,
    fill_variables,
    json_words,
    read_pairs,
)
from server.bots.sandbox.runner import CannotRun

MAX_SOURCES = 100
"""The maximum number of sources of one COPY. A COPY with more is refused."""
MAX_IMAGE_CHARACTERS = 500
"""The maximum number of characters in an image's name. A longer name is refused. Docker allows about as many."""
DOCKER_HUB = ("docker.io", "index.docker.io")
_IMAGE_NAME = re.compile(
    r"(?:(?P<registry>[a-z0-9.-]*[.:][a-z0-9.:-]*|localhost)/)?"
    r"(?P<path>[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?(?P<digest>@sha256:[0-9a-f]{64})?"
)
_IMAGE_ID = re.compile(r"sha256|[0-9a-f]{64}")
_REMOTE_SOURCE = re.compile(
    r"[a-z][a-z0-9+.-]*:/?/|[\w.-]+@[\w.-]+:|git@|(?:www\.)?(?:github|gitlab|bitbucket)\.\w+/|[^#?]*\.git(?:[#?]|$)",
    re.I,
)
_ACCEPTED_FLAGS = {"ADD": ("chown",), "COPY": ("from", "chown", "link"), "FROM": ("platform",)}
_FLAG_VALUE = re.compile(r"[\w.:/@$${}+-]*")
_HARMLESS_MOUNTS = ("cache", "tmpfs")
_FIXES_FOR_FLAGS = {
    "chmod": "Change modes with RUN chmod.",
    "checksum": "Nothing is fetched: put the file into the bot's folder and COPY it.",
    "keep-git-dir": "Nothing is fetched: put the files into the bot's folder and COPY them.",
}


def check_rules(dockerfile: Dockerfile) -> None:
    """Raises DockerfileFault for the first instruction that no setting of the organiser allows."""
    if dockerfile.syntax and not dockerfile.syntax.startswith("docker/dockerfile"):
        raise DockerfileFault(1, f"the syntax {dockerfile.syntax[:80]} is not supported. Leave that line out.")
    first = next((instruction for instruction in dockerfile.instructions if instruction.name != "ARG"), None)
    if first is None or first.name != "FROM":
        line = first.line if first else 1
        raise DockerfileFault(line, 'there is no FROM line. Begin with one, such as "FROM python:3.11-slim".')
    variables: dict[str, str] = {}
    for instruction in dockerfile.instructions:
        try:
            _check(instruction, variables)
            if instruction.name in ("ARG", "ENV"):
                variables |= {name: fill_variables(value, variables) for name, value in read_pairs(instruction.rest)}
        except DockerfileFault:
            raise
        except CannotRun as fault:
            raise DockerfileFault(instruction.line, str(fault)) from None


def _check(instruction: Instruction, variables: Mapping[str, str]) -> None:
    if instruction.name == "ONBUILD":
        raise DockerfileFault(instruction.line, "ONBUILD is for images that others build on. Leave it out.")
    if instruction.name == "RUN":
        _check_run(instruction)
    elif instruction.name in _ACCEPTED_FLAGS:
        _check_flags(instruction)
    if instruction.name in ("ADD", "COPY"):
        if len(sources_of(instruction)) > MAX_SOURCES:
            raise DockerfileFault(instruction.line, f"it copies more than {MAX_SOURCES} things. Copy their folder.")
        if instruction.flag("from"):
            check_single_source(instruction, sources_of(instruction))
        for source in sources_of(instruction):
            if _REMOTE_SOURCE.match(source) or _REMOTE_SOURCE.match(fill_variables(source, variables)):
                fix = "Put what it fetches into the bot's folder and COPY it."
                raise DockerfileFault(
                    instruction.line, f"{instruction.name} of an address or a repository is not allowed. {fix}"
                )


def _check_flags(instruction: Instruction) -> None:
    for flag in instruction.flags:
        name, _, value = flag.partition("=")
        if name not in _ACCEPTED_FLAGS[instruction.name] or not _FLAG_VALUE.fullmatch(value):
            fix = _FIXES_FOR_FLAGS.get(name, "Leave it out.")
            raise DockerfileFault(instruction.line, f"{instruction.name} --{flag[:80]} is not supported. {fix}")


def _check_run(instruction: Instruction) -> None:
    for flag in instruction.flags:
        name, _, value = flag.partition("=")
        mount_type = dict(part.partition("=")[::2] for part in value.split(",")).get("type", "bind")
        if name == "mount" and mount_type in _HARMLESS_MOUNTS:
            continue
        if flag in ("network=none", "network=default", "security=sandbox"):
            continue
        fix = "COPY the files" if name == "mount" and mount_type == "bind" else "Leave it out"
        raise DockerfileFault(instruction.line, f"RUN --{flag[:80]} is not allowed. {fix}.")


def sources_of(instruction: Instruction) -> tuple[str, ...]:
    """Returns the sources of an ADD or COPY. Removes quotation marks, because they could hide an address."""
    paths = json_words(instruction.rest) or tuple(instruction.rest.split())
    return tuple(path.strip("\"'") for path in paths[:-1])


def check_single_source(instruction: Instruction, sources: Sequence[str]) -> None:
    """Raises DockerfileFault if a COPY from an image has several source paths. If several of these paths were links to
    the same file, Docker would copy that file several times.
    """
    if len(sources) > 1 or re.search(r"[*?[]", "".join(sources)):
        raise DockerfileFault(
            instruction.line, "COPY --from copies one file or folder. Name it, and write a line for each."
        )


def image_of(instruction: Instruction, variables: Mapping[str, str]) -> tuple[str, str]:
    """Returns the image and the stage name of a FROM. Raises DockerfileFault if the FROM cannot be parsed."""
    match instruction.rest.split():
        case [image]:
            return fill_variables(image.strip("\"'"), variables), ""
        case [image, as_, stage] if as_.upper() == "AS":
            return fill_variables(image.strip("\"'"), variables), stage.lower()
    raise DockerfileFault(instruction.line, 'write it as "FROM image" or "FROM image AS name".')


def allowed_image(line: int, image: str, registries: Collection[str]) -> str:
    """Returns the image's full name with a tag. Raises DockerfileFault for an image id or a forbidden registry."""
    match = _IMAGE_NAME.fullmatch(image) if len(image) <= MAX_IMAGE_CHARACTERS else None
    if not match or _IMAGE_ID.fullmatch(match["path"]):
        raise DockerfileFault(line, f"{image[:80]!r} is not the name of an image. Write one such as python:3.11-slim.")
    registry = match["registry"] or DOCKER_HUB[0]
    if registry not in (*DOCKER_HUB, *registries):
        reason = f"images from {registry[:80]} are not allowed"
        raise DockerfileFault(line, f'{reason}. registries = ["{registry[:80]}"] in the event file allows them.')
    if match["digest"] or match["tag"]:
        return image.removeprefix(f"{registry}/") if registry in DOCKER_HUB else image
    return f"{image.removeprefix(registry + '/') if registry in DOCKER_HUB else image}:latest"
