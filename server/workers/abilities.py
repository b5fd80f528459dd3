"""What a worker (a machine that plays games for another one) can run, and which programming languages a bot needs."""

import re
import shutil
from typing import Annotated

from msgspec import Meta, Struct

from server.system.processes import total_memory
from server.version import VERSION

ABILITIES_KEY = "high_noon"
"""Dask, the library that connects the machines, keeps each worker's abilities under this key."""
CORES_RESOURCE = "core"
FILM_PROGRAMS = "Chromium and FFmpeg"
"""The programs that make films."""
MAX_CORES = 4096
"""The maximum number of processors that a worker may claim to have."""
CORES_PER_GAME = 2
"""How many processors a game needs: one for each of its two bots."""
LANGUAGES = ("python3", "node", "java", "g++", "gcc", "rustc", "cargo", "go", "ruby", "perl", "php", "lua", "dotnet")
"""The programs that build or run bots, by their names in commands."""


class Abilities(Struct, frozen=True):
    """What one worker can run. It runs bots in sandboxes of the kind `sandbox`, with the programming `languages`.

    With Docker, `languages` is empty, because each image contains the languages that its bot needs.
    """

    version: str
    sandbox: str
    languages: tuple[str, ...]
    cores: Annotated[int, Meta(ge=1, le=MAX_CORES)]
    memory_bytes: int
    programs: tuple[str, ...] = ()
    """Other programs that the worker has, such as `FILM_PROGRAMS`."""

    @property
    def max_games(self) -> int:
        """How many games the worker can play at once."""
        return self.cores // CORES_PER_GAME

    def resources(self) -> dict[str, float]:
        """Returns the abilities as Dask resources. Each resource has as many units as the worker has processors."""
        resource_names = (sandbox_resource(self.sandbox), *self.programs)
        return {CORES_RESOURCE: self.cores, **dict.fromkeys(resource_names, float(self.cores))}


def local_abilities(sandbox: str, cores: int, programs: tuple[str, ...]) -> Abilities:
    """Returns the abilities of this machine with `sandbox` boxes, `cores` processors and `programs`."""
    languages = () if sandbox == "docker" else tuple(name for name in LANGUAGES if shutil.which(name))
    return Abilities(VERSION, sandbox, languages, cores, total_memory(), programs)


def languages_in(commands: str) -> frozenset[str]:
    """Returns the languages that a bot's commands or its Dockerfile mention."""
    return frozenset(re.findall(r"[\w+]+", commands)) & set(LANGUAGES)


def sandbox_resource(sandbox: str) -> str:
    """Returns the name of the Dask resource for sandboxes of the kind `sandbox`."""
    return f"sandbox {sandbox}"
