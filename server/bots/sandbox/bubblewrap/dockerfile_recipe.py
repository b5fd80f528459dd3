"""Reads from a Dockerfile how a bot is started: folder, environment, command. For a runner that builds no images."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping

from msgspec import Struct

from server.bots.sandbox.runner import CannotRun

_SHELL = ("/bin/sh", "-c")
_OF_NO_ACCOUNT = {"EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "STOPSIGNAL", "USER", "VOLUME"}
_VARIABLE = re.compile(r"\\?\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})")


class Recipe(Struct, frozen=True):
    """How a bot is started; `notes` are sentences about what of its Dockerfile is not carried out."""

    folder: str
    environment: Mapping[str, str]
    command: tuple[str, ...]
    notes: tuple[str, ...]


def read_recipe(dockerfile: str) -> Recipe:
    """The recipe of the last stage of a Dockerfile, given as text. Raises CannotRun if it names no command."""
    reader = _Reader()
    for instruction, rest in _instructions(dockerfile):
        reader.take(instruction, rest)
    command = reader.command()
    if not command:
        raise CannotRun("The Dockerfile names no command: it needs a CMD or an ENTRYPOINT.")
    return Recipe(reader.folder, reader.environment, command, tuple(reader.notes))


class _Reader:
    """A Dockerfile as far as it has been read."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._arguments: dict[str, str] = {}
        self._begin()

    def _begin(self) -> None:
        self.folder = "/"
        self.environment: dict[str, str] = {}
        self._cmd: tuple[str, ...] = ()
        self._entrypoint: tuple[str, ...] = ()

    def take(self, instruction: str, rest: str) -> None:
        match instruction:
            case "FROM":
                self._begin()
            case "ARG":
                name, _, value = rest.partition("=")
                self._arguments[name.strip()] = self._filled(value.strip("\"' "))
            case "ENV":
                self.environment |= {name: self._filled(value) for name, value in _pairs(rest)}
            case "WORKDIR":
                self.folder = posixpath.normpath(posixpath.join(self.folder, self._filled(rest.strip("\"' "))))
            case "CMD":
                self._cmd = _words(rest)
            case "ENTRYPOINT":
                self._entrypoint, self._cmd = _words(rest), ()
            case "COPY" | "ADD" if self._is_simple(rest):
                pass
            case _ if instruction not in _OF_NO_ACCOUNT:
                self.notes.append(f"Not carried out: {instruction} {rest[:100]}")

    def command(self) -> tuple[str, ...]:
        """A shell's ENTRYPOINT takes no arguments from CMD."""
        return self._entrypoint if self._entrypoint[:2] == _SHELL else self._entrypoint + self._cmd

    def _is_simple(self, rest: str) -> bool:
        """Whether it puts files where they are without it: the bot's folder lies at WORKDIR as it is."""
        *sources, target = _words(rest) if rest.startswith("[") else rest.split() or [""]
        there = posixpath.normpath(posixpath.join(self.folder, self._filled(target)))
        kept = [posixpath.normpath(posixpath.join(self.folder, source)) for source in sources]
        options = any(source.startswith("-") for source in sources)
        return not options and (there == self.folder or kept == [there])

    def _filled(self, text: str) -> str:
        """With the variables that are known put in."""
        known = self._arguments | self.environment

        def value(found: re.Match[str]) -> str:
            if found[0].startswith("\\"):
                return found[0][1:]
            return known.get(found[1] or found[2], found[3] or "")

        return _VARIABLE.sub(value, text)


def _instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Each instruction in capitals, with the rest of it in one line."""
    lines = (line for line in dockerfile.lstrip("\ufeff").splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\[ \t]*\n", " ", "\n".join(lines))
    for line in joined.splitlines():
        instruction, _, rest = line.strip().partition(" ")
        if instruction:
            yield instruction.upper(), rest.strip()


def _words(rest: str) -> tuple[str, ...]:
    """A command in JSON, or one for the shell."""
    try:
        words = json.loads(rest)
    except ValueError:
        words = None
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        return tuple(words)
    return (*_SHELL, rest)


def _pairs(rest: str) -> Iterator[tuple[str, str]]:
    """`A=1 B="two words"`, or the old `A everything else`."""
    first = rest.split(maxsplit=1)
    if first and "=" not in first[0]:
        yield first[0], first[1] if len(first) > 1 else ""
        return
    try:
        words = shlex.split(rest)
    except ValueError:
        words = rest.split()
    yield from ((name, value) for name, _, value in (word.partition("=") for word in words))
