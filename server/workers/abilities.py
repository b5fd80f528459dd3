"""What a worker can run, as it tells its scheduler, and what a bot needs."""

import os
import re
import shutil

import msgspec
from msgspec import Struct

from server.submissions.upac import UpacSubmission
from server.version import VERSION

KEY = "high_noon"
"""Under this name a worker's abilities stand beside what Dask tells of it."""
CORE = "core"
A_GAME_NEEDS = 2
"""Processors: one for each of its bots."""
LANGUAGES = ("python3", "node", "java", "g++", "gcc", "rustc", "cargo", "go", "ruby", "perl", "php", "lua", "dotnet")
"""Programs that bots are built or run with, as they are called in commands."""


class Abilities(Struct, frozen=True):
    """What one worker has. `sandbox` is the kind of its boxes; `languages` are those that boxes get from the machine.

    With Docker these come from the image, and none is named.
    """

    version: str
    sandbox: str
    languages: tuple[str, ...]
    cores: int
    memory_bytes: int

    @property
    def games(self) -> int:
        """How many games it plays at a time."""
        return self.cores // A_GAME_NEEDS

    def resources(self) -> dict[str, float]:
        """The same as Dask's resources: what a game asks for in `needs_of` must be there as often."""
        kinds = (sandbox_resource(self.sandbox), *map(_language, self.languages))
        return {CORE: self.cores, **dict.fromkeys(kinds, float(self.cores))}


def abilities_here(sandbox: str, cores: int) -> Abilities:
    """What this machine has, with boxes of that kind and so many processors to give."""
    languages = () if sandbox == "docker" else tuple(name for name in LANGUAGES if shutil.which(name))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Abilities(VERSION, sandbox, languages, cores, memory)


def read_abilities(told: object) -> Abilities | None:
    """The abilities that a worker has told, None if it is no worker of this program."""
    try:
        return msgspec.json.decode(told, type=Abilities) if isinstance(told, str) else None
    except msgspec.DecodeError:
        return None


def needs_of(sandbox: str, bots: tuple[UpacSubmission, UpacSubmission]) -> dict[str, float]:
    """What a game of these bots asks of a worker, as Dask's resources."""
    languages = set() if sandbox == "docker" else {name for bot in bots for name in languages_of(bot)}
    return {CORE: A_GAME_NEEDS, sandbox_resource(sandbox): 1, **{_language(name): 1 for name in sorted(languages)}}


def languages_of(bot: UpacSubmission) -> set[str]:
    """The languages that a bot's commands name."""
    return set(re.findall(r"[\w+]+", f"{bot.build} {bot.run}")) & set(LANGUAGES)


def sandbox_resource(kind: str) -> str:
    """The name of a kind of sandbox among Dask's resources."""
    return f"sandbox {kind}"


def _language(name: str) -> str:
    return f"language {name}"
