"""A bot with commands to build and run it: a zip archive or folder with `bot/bot.json`, read with every fault at once.

Nothing here runs or trusts any of it.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from server.submissions.folder_scan import BOT_BYTES, JUNK, Tree, is_plain_file, survey
from server.submissions.submission import Findings, shown
from server.submissions.zip_archive import BadArchive, UnpackBudget, unpack
from server.text.characters import printable
from server.text.json_faults import BadJson, JsonObject, kind_of, read_json
from server.text.names_and_chat import LONGEST_NAME, chat_text, name_fault
from server.text.regular_file import read_regular

BOT_JSON = "bot.json"
FOLDER = "bot"
KEYS = ("name", "description", "build", "run")
MOST_BYTES = 64 << 10
LONGEST_COMMAND = 1_000
"""Letters of a command."""
_EXAMPLE = '{"name": "FOY", "build": "g++ bot.cpp -O2 -o bot", "run": "./bot"}'


class CommandSubmission(Struct, frozen=True):
    """One bot. A fault forbids taking part; a note costs nothing. Without faults name and run are there."""

    folder: Path
    """What lies beside bot.json; below the work folder where it came in an archive."""
    name: str = ""
    description: str = ""
    """May be shown as it is; at most 200 letters."""
    build: str = ""
    run: str = ""
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_commands(path: Path, work: Path) -> CommandSubmission:
    """The bot at `path`, a folder or a zip archive, which is unpacked to the new folder `work`.

    Raises OSError where there is nothing at `path`, or something at `work`.
    """
    path = path.resolve(strict=True)
    findings = Findings()
    top = path if path.is_dir() else _unpacked(path, work, findings)
    folder = _bot_in(top, findings)
    if folder is None:
        return CommandSubmission(top, faults=tuple(findings.faults), notes=tuple(findings.notes))
    tree = survey(folder, findings)
    fields = _said(folder, tree, findings)
    name, run = (_text(fields, key, findings, must=True) for key in ("name", "run"))
    build, description = (_text(fields, key, findings) for key in ("build", "description"))
    name = _named(name, findings)
    _tell_strange(fields, findings)
    remarks = (tuple(findings.faults), tuple(findings.notes))
    return CommandSubmission(folder, name, chat_text(description), build, run, *remarks)


def _unpacked(path: Path, work: Path, findings: Findings) -> Path:
    """The folder with what could be unpacked; every fault of the archive is reported."""
    if path.suffix.lower() != ".zip":
        findings.faults.append("Only folders and zip archives are read. Hand in one of these.")
        return path
    try:
        for faults in unpack(path, work, UnpackBudget(4 * BOT_BYTES)).values():
            findings.faults += faults
    except BadArchive as fault:
        findings.faults.append(str(fault))
    return work


def _bot_in(top: Path, findings: Findings) -> Path | None:
    """The folder in which bot.json is: `bot`, another one if there is but one, or the top itself."""
    if not top.is_dir():
        return None
    found = [folder for folder in (top / FOLDER, top, *_folders(top)) if (folder / BOT_JSON).is_file()]
    distinct = list(dict.fromkeys(found))
    if not distinct:
        findings.faults.append(f"There is no {FOLDER}/{BOT_JSON}.{_meant(top)} Write one, such as {_EXAMPLE}.")
        return None
    folder = distinct[0]
    if len(distinct) > 1 and folder.name != FOLDER:
        findings.faults.append(f"There is more than one {BOT_JSON}. Hand in one bot, in a folder called {FOLDER}.")
    elif folder != top / FOLDER and not (folder == top and top.name == FOLDER):
        findings.notes.append(f"{BOT_JSON} lies in no folder called {FOLDER}; it was read all the same.")
    return folder


def _folders(top: Path) -> Sequence[Path]:
    return [path for path in sorted(top.iterdir())[:100] if path.is_dir() and not _is_junk(path)]


def _is_junk(path: Path) -> bool:
    return path.name in JUNK or path.is_symlink()


def _meant(top: Path) -> str:
    """Files that were meant to be bot.json."""
    there = [*top.glob("*.json*"), *top.glob("*/*.json*"), *top.glob("*/*/bot.json")]
    near = sorted({path.relative_to(top).as_posix() for path in there if "bot" in path.name.lower()})[:2]
    return f" There is {' and '.join(_quoted(near))}: rename or move it." if near else ""


def _quoted(names: Collection[str]) -> list[str]:
    return [f'"{shown(name)}"' for name in names]


def _said(folder: Path, tree: Tree, findings: Findings) -> JsonObject | None:
    """What stands in bot.json; None, with the fault reported, where it can't be read."""
    path = folder / BOT_JSON
    try:
        if not is_plain_file(path):
            raise BadJson("it is no plain file; put the file itself there")
        if tree.files.get(BOT_JSON, 0) > MOST_BYTES:
            raise BadJson(f"it is larger than {MOST_BYTES >> 10} KiB; hand in a file of a few lines")
        fields, notes = read_json(read_regular(path))
    except (BadJson, OSError) as fault:
        findings.faults.append(f"{BOT_JSON} can't be read: {_harmless(str(fault))}.")
        return None
    findings.notes += [f"{BOT_JSON}: {_harmless(note)}" for note in notes]
    return fields


def _harmless(text: str) -> str:
    return printable(text)[:300]


def _text(fields: JsonObject | None, key: str, findings: Findings, *, must: bool = False) -> str:
    """The text under `key`; "" with what is wrong reported."""
    value = fields.get(key) if fields else None
    if fields is None:
        return ""
    if value is None or (value == "" and not must):
        if must:
            findings.faults.append(f'{BOT_JSON} has no "{key}", and it must, such as {_EXAMPLE}.')
        return ""
    if not isinstance(value, str):
        findings.faults.append(f'"{key}" must be a text in double quotes, not {kind_of(value)}.')
        return ""
    if key != "description" and (fault := _unfit(value)):
        findings.faults.append(f'"{key}" {fault}')
        return ""
    return value


def _unfit(text: str) -> str:
    if not text.strip():
        return "is empty. Write something between the quotes."
    if len(text) > LONGEST_COMMAND:
        return f"has {len(text)} letters; at most {LONGEST_COMMAND} are taken. Put long commands into a script."
    if any(not letter.isprintable() and letter not in "\n\t" for letter in text):
        return "holds characters that can't be shown. Write it with others."
    return ""


def _named(name: str, findings: Findings) -> str:
    """The name, if it can be one."""
    fault = name_fault(name) if name else ""
    if not fault:
        return name
    length = f"; it has {len(name)}" if len(name) > LONGEST_NAME else ""
    findings.faults.append(f'"name" is "{shown(name)}". {fault}{length}. Choose another one.')
    return ""


def _tell_strange(fields: JsonObject | None, findings: Findings) -> None:
    strange = [key for key in fields or () if key not in KEYS][:5]
    findings.notes += [f"Nobody reads {key} in {BOT_JSON}." for key in _quoted(strange)]
