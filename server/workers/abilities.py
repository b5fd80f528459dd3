"""What a worker can run, as it tells its scheduler, and what a bot needs."""

import os
import re
import shutil
from typing import Annotated

from msgspec import Meta, Struct

from server.version import VERSION

KEY = "high_noon"
"""The key of a worker's abilities in Dask's information about it."""
CORE = "core"
FILMS = "Chromium and FFmpeg"
"""The programs that make films."""
MAX_CORES = 4096
"""The most processors that a worker may claim."""
A_GAME_NEEDS = 2
"""Processors, one for each of its two bots."""
LANGUAGES = ("python3", "node", "java", "g++", "gcc", "rustc", "cargo", "go", "ruby", "perl", "php", "lua", "dotnet")
"""Programs that bots are built or run with, as commands name them."""


class Abilities(Struct, frozen=True):
    """What one worker has. `sandbox` is the kind of its boxes; `languages` are those of its machine that they can use.

    `languages` is empty with Docker, whose boxes have the languages of their images.
    """

    version: str
    sandbox: str
    languages: tuple[str, ...]
    cores: Annotated[int, Meta(ge=1, le=MAX_CORES)]
    memory_bytes: int
    programs: tuple[str, ...] = ()
    """Other programs that it has: see `FILMS`."""

    @property
    def games(self) -> int:
        """How many games it can play at once."""
        return self.cores // A_GAME_NEEDS

    def resources(self) -> dict[str, float]:
        """The abilities as Dask's resources, one of each per processor."""
        kinds = (sandbox_resource(self.sandbox), *self.programs)
        return {CORE: self.cores, **dict.fromkeys(kinds, float(self.cores))}


def abilities_here(sandbox: str, cores: int, programs: tuple[str, ...]) -> Abilities:
    """The abilities of this machine with `sandbox` boxes, `cores` processors and these programs."""
    languages = () if sandbox == "docker" else tuple(name for name in LANGUAGES if shutil.which(name))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Abilities(VERSION, sandbox, languages, cores, memory, programs)


def languages_in(commands: str) -> frozenset[str]:
    """The languages that a bot's commands, or its Dockerfile, name."""
    return frozenset(re.findall(r"[\w+]+", commands)) & set(LANGUAGES)


def sandbox_resource(kind: str) -> str:
    """The name of a kind of sandbox among Dask's resources."""
    return f"sandbox {kind}"
