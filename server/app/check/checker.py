"""How a contest checks what is handed in for it, and for which contest something was handed in."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from server.app.check.words import Checked
from server.bots.sandbox.runner import Runner
from server.config.settings import Settings
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import Contest


class Handed(Struct, frozen=True):
    """What one player handed in: the names of the bots, and how many have faults; or `why` there is none."""

    path: Path
    bots: tuple[str, ...] = ()
    faulty: int = 0
    why: str = ""

    @property
    def called(self) -> str:
        """The name of the folder, or of the archive without its ending."""
        return self.path.name if self.path.is_dir() else self.path.stem


class Checker:
    """A contest overrides all of it."""

    def handed_in(self, path: Path) -> Sequence[Path]:
        """What is handed in for this contest at `path`: one bot, or each in a folder of all. Raises OSError."""
        raise NotImplementedError

    def read(self, path: Path, work: Path) -> Handed:
        """What a player has handed in at `path`; archives are unpacked to `work`. Raises OSError."""
        raise NotImplementedError

    async def check(self, path: Path, settings: Settings, work: Path, runner: Runner | None) -> list[Checked]:
        """Checks all that is handed in at `path`, and prints each; without a `runner` no bot is started.

        Files go into `work`. Raises OSError.
        """
        raise NotImplementedError


def contest_of(path: Path) -> Contest:
    """The contest whose marks are at `path`; the first of all where there are none. Raises OSError."""
    others = (each for each in CONTESTS.values() if each.id != DEFAULT and each.checker)
    return next((each for each in others if checker_of(each).handed_in(path)), CONTESTS[DEFAULT])


def checker_of(contest: Contest) -> Checker:
    """What checks the submissions of a contest in which bots are handed in."""
    assert contest.checker, f"nothing is handed in for {contest.name}"
    return contest.checker()
