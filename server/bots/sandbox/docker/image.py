"""Builds a bot's image with the Docker Engine. Nothing is run but what the bot's Dockerfile says."""

import contextlib
import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from docker import APIClient
from requests import Response

from server.bots.sandbox.docker.build_context import build_context
from server.bots.sandbox.docker.engine import ENGINE_FAULTS, LABEL, has_network, in_words
from server.bots.sandbox.docker.stream import cut_after, hang_up, objects, streamed
from server.bots.sandbox.output_log import harmless
from server.bots.sandbox.runner import CannotRun, Limits, Say

KEPT_SECONDS = 600
"""An image is not removed before: another program may have built it, and be about to start it."""
_LAST_LINES = 15
_LONGEST_LINE = 300
_MOST_SAID = 8 << 20
"""The most bytes that a build may print: each piece is passed to another thread and shown."""
_PIECE_BYTES = 100
"""The least bytes that a piece is counted as."""
_OFFLINE = " Is this machine offline? An image that others build on can be fetched before: docker pull NAME."
_IMAGE_OF = f"{LABEL}.image"
_COLOUR = re.compile(r"\x1b\[\d*m")


class BuildFailed(Exception):
    """The build failed; the text is the Engine's reason."""


def build_image(
    engine: APIClient,
    name: str,
    folder: Path,
    limits: Limits,
    *,
    say: Say,
    given_up: Future[None],
    network: bool = True,
    known_as: str = "",
) -> str:
    """Builds `folder` and returns the image's id. Blocks for minutes; a done `given_up` ends it. `say` gets each line.

    Raises CannotRun with the last lines.

    `network`: the build may use one, if the Engine has one. Images labelled `known_as` (default: `name`) are removed
    that were built more than `KEPT_SECONDS` before.
    """
    if not (folder / "Dockerfile").is_file():
        raise CannotRun(f"{name} cannot be built: there is no Dockerfile in {folder.name}.")
    lines: deque[str] = deque(maxlen=_LAST_LINES)

    def hear(line: str) -> None:
        lines.append(line)
        say(line)

    known_as = known_as or name
    earlier = _images_of(engine, known_as)
    try:
        image = _built(
            engine, folder, _build_options(engine, known_as, limits, network=network), limits, hear, given_up
        )
    except (BuildFailed, *ENGINE_FAULTS) as error:
        why = in_words(error).rstrip(".") + "."
        tail = "".join(f"\n  {line}" for line in lines)
        log = f"{_OFFLINE if 'dial tcp' in why else ''}{tail and ' The last of the log:'}{tail}"
        raise CannotRun(f"{name} cannot be built: {why}{log}") from None
    _forget(engine, earlier, image)
    return image


def _built(  # noqa: PLR0917 (of whom, of what, how, and who hears of it)
    engine: APIClient,
    folder: Path,
    options: dict[str, Any],
    limits: Limits,
    hear: Callable[[str], object],
    given_up: Future[None],
) -> str:
    """Follows a build to its end: the id of the image. Raises BuildFailed, and what the Engine raises."""
    with (
        build_context(folder) as context,
        streamed(engine, "POST", "/build", data=context, **options) as answer,
    ):
        given_up.add_done_callback(lambda _: hang_up(answer))
        with cut_after(answer, limits.build_seconds) as late:
            try:
                return _followed(answer, hear)
            except (BuildFailed, *ENGINE_FAULTS):
                if late.is_set():
                    raise BuildFailed(f"it takes longer than {limits.build_seconds:.0f} s.") from None
                raise


def _followed(answer: Response, hear: Callable[[str], object]) -> str:
    image = error = unfinished = ""
    room = _MOST_SAID
    for piece in objects(answer):
        error = str(piece.get("error", error))
        text = _said(piece)
        room -= max(len(text), _PIECE_BYTES * (1 + text.count("\n")))
        if room < 0:
            raise BuildFailed(f"it prints more than {_MOST_SAID >> 20} MB.")
        *lines, unfinished = (unfinished + text).split("\n")
        for line in lines:
            if line.strip():
                hear(_line(line))
        image = str((piece.get("aux") or {}).get("ID", image))
    if error or not image:
        raise BuildFailed(_line(error) or "the build broke off.")
    return image


def _build_options(engine: APIClient, name: str, limits: Limits, *, network: bool) -> dict[str, Any]:
    """The classic builder, which every Engine has, with limits of its own and a network if there is to be one.

    The image has a label and no name: by a name another bot's Dockerfile could begin with it, and copy what is in it.
    """
    query = {
        "labels": json.dumps({_IMAGE_OF: name}),
        "rm": 1,
        "forcerm": 1,
        "memory": limits.build_memory_bytes,
        "memswap": limits.build_memory_bytes,
        "cpushares": 512,
        "networkmode": "default" if network and has_network(engine) else "none",
    }
    return {"params": query, "headers": {"Content-Type": "application/x-tar"}, "timeout": None}


def _said(piece: Mapping[str, Any]) -> str:
    """What a piece of the stream has to say: a step, a command's output, a layer that is fetched; colours left out."""
    if "stream" in piece:
        return _COLOUR.sub("", str(piece["stream"]))
    if "status" in piece and not piece.get("progressDetail"):
        return " ".join(str(piece[key]) for key in ("id", "status") if key in piece) + "\n"
    return ""


def _line(text: str) -> str:
    return harmless(text.encode(errors="replace")).decode()[:_LONGEST_LINE].replace("\n", " ").rstrip()


def _images_of(engine: APIClient, name: str) -> list[str]:
    """The images of earlier builds of that bot."""
    before = time.time() - KEPT_SECONDS
    with contextlib.suppress(*ENGINE_FAULTS):
        images = engine.images(filters={"label": f"{_IMAGE_OF}={name}"})
        return [str(image["Id"]) for image in images if image["Created"] < before]
    return []


def _forget(engine: APIClient, earlier: Iterable[str], image: str) -> None:
    """Removes the images of earlier builds of this bot, which nothing else would remove."""
    for each in earlier:
        if each != image:
            with contextlib.suppress(*ENGINE_FAULTS):
                engine.remove_image(each)
