"""A contestant's submission of one bot, and the faults found in it.

The texts are safe to display: they have no control characters and no surrogates.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.text.characters import printable
from server.text.names_and_chat import MAX_NAME_CHARACTERS, name_fault


class Submission(Struct, frozen=True):
    """One bot. A bot with `faults` may not play. A bot with `warnings` may play, but its author should fix them.
    `notes` are only for information.

    `label` says where the bot was found ("alice/sheriff"). The name is "" if it could not be read. A file is None if
    bot_config.json does not name it, or if it is unusable. `particle` is a picture. `weights_bytes` is the size of the
    folder of model weights, and `own_bytes` is the size of all other files. `build` and `run` are commands, or "".
    """

    player: str
    folder: Path
    name: str = ""
    avatar: Path | None = None
    particle: Path | None = None
    sound: Path | None = None
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    label: str = ""
    own_bytes: int = 0
    weights_bytes: int = 0
    build: str = ""
    run: str = ""


class Findings(Struct):
    """The results of a check so far. Each finding says in one or two sentences what is wrong and how to fix it."""

    faults: list[str] = []
    warnings: list[str] = []
    notes: list[str] = []

    def attach_to(self, bot: Submission) -> Submission:
        """Returns `bot` with these findings."""
        return replace(bot, faults=tuple(self.faults), warnings=tuple(self.warnings), notes=tuple(self.notes))


def shortened(text: str, max_characters: int = 80) -> str:
    """Returns at most `max_characters` characters of `text`, without control characters and surrogates."""
    clean = printable(text)
    return clean if len(clean) <= max_characters else f"{clean[: max_characters - 30]}…{clean[-25:]}"


def size_text(count: int) -> str:
    """Formats a size in bytes for display: "10.0 MB", "12 kB"."""
    return f"{count / (1 << 20):.1f} MB" if count >= 100 << 10 else f"{max(1, count >> 10)} kB"


def quoted(names: Iterable[str]) -> str:
    """Returns names in quotation marks, joined by "and"."""
    return " and ".join(f'"{shortened(name)}"' for name in names)


def check_bot_name(name: str, findings: Findings) -> str:
    """Returns a bot's name. If the name is not allowed, adds a fault and returns ""."""
    if not (fault := name_fault(name)):
        return name
    length = f"; it has {len(name)}" if len(name) > MAX_NAME_CHARACTERS else ""
    findings.faults.append(f'"name" is "{shortened(name)}". {fault}{length}. Choose another one.')
    return ""
