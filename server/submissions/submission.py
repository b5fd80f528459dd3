"""What a contestant handed in for one bot, and what was found wrong with it by reading alone.

Values only. Every text in here is fit to be shown: no control characters, no half ones.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from server.text.characters import printable
from server.text.names_and_chat import LONGEST_NAME, name_fault

MOST_BOTS = 3
"""Most bots of a player: "each player is allowed to submit up to 3 bots"."""


class Submission(Struct, frozen=True):
    """One bot. A fault forbids taking part; what is to mend costs only a default; a note costs nothing.

    `label` says where it was found ("alice/sheriff"). The name is "" where none could be read; the files are None where
    none is named or the one named can't be had.
    """

    player: str
    folder: Path
    name: str = ""
    avatar: Path | None = None
    particle: Path | None = None
    sound: Path | None = None
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    mends: tuple[str, ...] = ()
    label: str = ""
    own_bytes: int = 0
    weights_bytes: int = 0


class Findings(Struct):
    """What has been found so far; each is a sentence or two that say what to do."""

    faults: list[str] = []
    mends: list[str] = []
    notes: list[str] = []


def shown(text: str, most: int = 80) -> str:
    """At most `most` characters of `text`, without anything a terminal would obey or a file could not hold."""
    seen = printable(text)
    return seen if len(seen) <= most else f"{seen[: most - 30]}…{seen[-25:]}"


def megabytes(count: int) -> str:
    """A size in words: "10.0 MB", "12 kB"."""
    return f"{count / (1 << 20):.1f} MB" if count >= 100 << 10 else f"{max(1, count >> 10)} kB"


def quoted(names: Iterable[str]) -> str:
    """Names of files or keys in quotation marks, joined by "and"."""
    return " and ".join(f'"{shown(name)}"' for name in names)


def checked_name(name: str, findings: Findings) -> str:
    """The name of a bot; "" with the fault reported where it cannot be one."""
    if not (fault := name_fault(name)):
        return name
    length = f"; it has {len(name)}" if len(name) > LONGEST_NAME else ""
    findings.faults.append(f'"name" is "{shown(name)}". {fault}{length}. Choose another one.')
    return ""
