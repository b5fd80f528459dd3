"""Reads from a bot's Dockerfile how to start the bot, for boxes that run without Docker's images."""

import posixpath
from collections.abc import Mapping

from msgspec import Struct

from server.bots.sandbox.dockerfile import Dockerfile, fill_variables, json_words, read_pairs
from server.bots.sandbox.runner import CannotRun

_SHELL = ("/bin/sh", "-c")
_IGNORED_INSTRUCTIONS = {"EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "STOPSIGNAL", "USER", "VOLUME"}


class Recipe(Struct, frozen=True):
    """How to start a bot. `skipped` has a sentence for each instruction of the Dockerfile that is not carried out."""

    folder: str
    environment: Mapping[str, str]
    command: tuple[str, ...]
    skipped: tuple[str, ...]


def read_recipe(dockerfile: Dockerfile) -> Recipe:
    """Returns the recipe of the last stage of a Dockerfile. Raises CannotRun if that stage has no command."""
    reader = _Reader()
    for instruction in dockerfile.instructions:
        reader.add(instruction.name, " ".join([*(f"--{flag}" for flag in instruction.flags), instruction.rest]))
    command = reader.command()
    if not command:
        raise CannotRun("The Dockerfile names no command: it needs a CMD or an ENTRYPOINT.")
    return Recipe(reader.folder, reader.environment, command, tuple(reader.skipped))


class _Reader:
    def __init__(self) -> None:
        self.skipped: list[str] = []
        self._arguments: dict[str, str] = {}
        self._begin_stage()

    def _begin_stage(self) -> None:
        self.folder = "/"
        self.environment: dict[str, str] = {}
        self._cmd: tuple[str, ...] = ()
        self._entrypoint: tuple[str, ...] = ()

    def add(self, instruction: str, rest: str) -> None:
        match instruction:
            case "FROM":
                self._begin_stage()
            case "ARG":
                name, _, value = rest.partition("=")
                self._arguments[name.strip()] = self._fill(value.strip("\"' "))
            case "ENV":
                self.environment |= {name: self._fill(value) for name, value in read_pairs(rest)}
            case "WORKDIR":
                self.folder = posixpath.normpath(posixpath.join(self.folder, self._fill(rest.strip("\"' "))))
            case "CMD":
                self._cmd = _command(rest)
            case "ENTRYPOINT":
                self._entrypoint, self._cmd = _command(rest), ()
            case "COPY" | "ADD" if self._copies_in_place(rest):
                pass
            case _ if instruction not in _IGNORED_INSTRUCTIONS:
                self.skipped.append(f"Not carried out: {instruction} {rest[:100]}")

    def command(self) -> tuple[str, ...]:
        """Returns the command that starts the bot. If ENTRYPOINT is in shell form, CMD adds no arguments to it."""
        return self._entrypoint if self._entrypoint[:2] == _SHELL else self._entrypoint + self._cmd

    def _copies_in_place(self, rest: str) -> bool:
        """Whether the files of a COPY are already at its target, because the bot's folder is mounted at WORKDIR."""
        *sources, target = json_words(rest) or rest.split() or [""]
        destination = posixpath.normpath(posixpath.join(self.folder, self._fill(target)))
        mounted_sources = [posixpath.normpath(posixpath.join(self.folder, source)) for source in sources]
        has_options = any(source.startswith("-") for source in sources)
        return not has_options and (destination == self.folder or mounted_sources == [destination])

    def _fill(self, text: str) -> str:
        return fill_variables(text, self._arguments | self.environment)


def _command(rest: str) -> tuple[str, ...]:
    return json_words(rest) or (*_SHELL, rest)
