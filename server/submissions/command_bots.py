"""Reads bots from folders or zip archives. The file `bot/bot.json` has the commands that build and run a bot. This
module runs nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from server.bots.sandbox.foreign_programs import foreign_message, foreign_programs
from server.bots.sandbox.submitted_folder import windows_message, windows_scripts
from server.submissions.folder_rules import (
    BOT_CONFIG,
    DOCKERFILE,
    JUNK,
    MAX_BOT_BYTES,
    OLD_BOT_CONFIG,
    read_settings,
    scan_folder,
)
from server.submissions.submission import Findings, Submission, check_bot_name, quoted, shortened
from server.submissions.zip_archive import BadArchive, UnpackBudget, names_in, unpack
from server.text.json_faults import InvalidJson, JsonObject, kind_of, read_json

BOT_JSON = "bot.json"
BOT_FOLDER_NAME = "bot"
KEYS = ("name", "description", "build", "run")
MAX_CANDIDATES = 500
"""The maximum number of folders and archives that are read in a folder of submissions. All others are ignored."""
MAX_COMMAND_CHARACTERS = 1_000
"""The maximum number of characters in a command. A longer command is a fault of the bot."""
_EXAMPLE = '{"name": "FOY", "build": "g++ bot.cpp -O2 -o bot", "run": "./bot"}'
_OTHER_CONTEST_FILES = {DOCKERFILE, BOT_CONFIG, OLD_BOT_CONFIG}
"""The files that mark a bot of another contest."""
_MAX_DEPTH = 2
"""In an archive, bot.json may be inside at most this many folders. A deeper bot.json is ignored."""


def read_command_bot(path: Path, work_folder: Path) -> Submission:
    """Reads the bot in a folder or zip archive, with all its faults. An archive is unpacked to the new folder
    `work_folder`.

    Raises OSError if `path` does not exist, or if `work_folder` exists already.
    """
    path = path.resolve(strict=True)
    findings = Findings()
    top = path if path.is_dir() else _unpack(path, work_folder, findings)
    submission = Submission("", top)
    if folder := _find_bot(top, findings):
        scan_folder(folder, findings)
        submission = _read_bot_json(folder, findings)
    return findings.attach_to(submission)


def _unpack(path: Path, work_folder: Path, findings: Findings) -> Path:
    if path.suffix.lower() != ".zip":
        findings.faults.append("Only folders and zip archives are read. Submit one of these.")
        return path
    try:
        for faults in unpack(path, work_folder, UnpackBudget(4 * MAX_BOT_BYTES)).values():
            findings.faults += faults
    except BadArchive as fault:
        findings.faults.append(str(fault))
    return work_folder


def _find_bot(top: Path, findings: Findings) -> Path | None:
    """Returns the folder that contains bot.json. Looks in `bot` first, then at the top, then in the other folders."""
    if not top.is_dir():
        return None
    candidates = dict.fromkeys((top / BOT_FOLDER_NAME, top, *_subfolders(top)))
    folders = [folder for folder in candidates if (folder / BOT_JSON).is_file()]
    if not folders:
        findings.faults.append(
            f"There is no {BOT_FOLDER_NAME}/{BOT_JSON}.{_hint_at_rename(top)} Write one, such as {_EXAMPLE}."
        )
        return None
    folder = folders[0]
    if len(folders) > 1 and folder.name != BOT_FOLDER_NAME:
        findings.faults.append(
            f"There is more than one {BOT_JSON}. Submit one bot, in a folder called {BOT_FOLDER_NAME}."
        )
    elif folder != top / BOT_FOLDER_NAME and not (folder == top and top.name == BOT_FOLDER_NAME):
        findings.notes.append(f"{BOT_JSON} is not in a folder called {BOT_FOLDER_NAME}; it was read anyway.")
    return folder


def _subfolders(top: Path) -> Sequence[Path]:
    folders = (path for path in sorted(top.iterdir())[:100] if path.is_dir() and not path.is_symlink())
    return [path for path in folders if path.name not in JUNK]


def _hint_at_rename(top: Path) -> str:
    json_files = [*top.glob("*.json*"), *top.glob("*/*.json*"), *top.glob("*/*/bot.json")]
    similar_files = sorted({path.relative_to(top).as_posix() for path in json_files if "bot" in path.name.lower()})[:2]
    return f" There is {quoted(similar_files)}: rename or move it." if similar_files else ""


def _read_bot_json(folder: Path, findings: Findings) -> Submission:
    """Returns the submission that bot.json in `folder` describes, or an empty submission if the file can't be read."""
    try:
        fields, notes = read_json(read_settings(folder / BOT_JSON))
    except InvalidJson as fault:
        findings.faults.append(f"{BOT_JSON} can't be read: {shortened(str(fault), 300)}.")
        return Submission("", folder)
    findings.notes += [f"{BOT_JSON}: {shortened(note, 300)}" for note in notes]
    name, run, build = (_read_text(fields, key, findings) for key in ("name", "run", "build"))
    name = name and check_bot_name(name, findings)
    unknown_keys = [key for key in fields if key not in KEYS][:5]
    findings.notes += [f'"{shortened(key)}" in {BOT_JSON} is not used.' for key in unknown_keys]
    findings.warnings += [shortened(hint, 400) for hint in _start_failure_hints(folder, f"{build} {run}") if hint]
    return Submission("", folder, name, build=build, run=run)


def _start_failure_hints(folder: Path, commands: str) -> tuple[str, str]:
    """Returns two messages about programs in `folder` that would not start: programs with Windows line endings, and
    programs for another kind of processor. A message is "" if there are no such programs.
    """
    scripts = [path for path in windows_scripts(folder) if not path.endswith(".py") or f"./{path}" in commands]
    return windows_message(scripts), foreign_message(foreign_programs(folder))


def _read_text(fields: JsonObject, key: str, findings: Findings) -> str:
    value, is_required = fields.get(key), key != "build"
    if value is None or (value == "" and not is_required):
        if is_required:
            findings.faults.append(f'{BOT_JSON} has no "{key}", but needs one, such as in {_EXAMPLE}.')
        return ""
    if not isinstance(value, str):
        findings.faults.append(f'"{key}" must be a text in double quotes, not {kind_of(value)}.')
        return ""
    if fault := _find_text_fault(value):
        findings.faults.append(f'"{key}" {fault}')
        return ""
    return value


def _find_text_fault(text: str) -> str:
    if not text.strip():
        return "is empty. Write something between the quotes."
    if len(text) > MAX_COMMAND_CHARACTERS:
        return (
            f"has {len(text)} characters; at most {MAX_COMMAND_CHARACTERS} are allowed. Put long commands into a "
            "script."
        )
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        return "has characters that can't be shown. Use others."
    return ""


def find_command_bots(path: Path) -> list[Path]:
    """Returns the paths of the submissions at `path`: `path` itself if it has commands, otherwise its folders and
    archives.

    The list is empty if no submission has commands, or if any submission has files of another contest. Raises OSError.
    """
    if _has_commands(path):
        return [path]
    if not path.is_dir() or _is_of_other_contest(path):
        return []
    children = sorted(child for child in path.iterdir() if _is_candidate(child))[:MAX_CANDIDATES]
    if any(map(_is_of_other_contest, children)) or not any(map(_has_commands, children)):
        return []
    return children


def _is_candidate(path: Path) -> bool:
    if path.name in JUNK or path.name.startswith(".") or path.is_symlink():
        return False
    return path.is_dir() or _is_archive(path)


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() == ".zip"


def _has_commands(path: Path) -> bool:
    """Whether a folder has a bot.json at the top or in `bot`. In an archive, the bot.json may be inside up to
    _MAX_DEPTH folders. Returns False if there are files of another contest.
    """
    if _is_archive(path):
        names = names_in(path)
        has_bot_json = any(name.rpartition("/")[2] == BOT_JSON and name.count("/") <= _MAX_DEPTH for name in names)
        return has_bot_json and not _has_other_contest_files(names)
    folders = [folder for folder in (path, path / BOT_FOLDER_NAME) if (folder / BOT_JSON).is_file()]
    return bool(folders) and not any((folder / name).exists() for folder in folders for name in _OTHER_CONTEST_FILES)


def _is_of_other_contest(path: Path) -> bool:
    if _is_archive(path):
        return _has_other_contest_files(names_in(path))
    return path.is_dir() and any((path / name).exists() for name in _OTHER_CONTEST_FILES) and not _has_commands(path)


def _has_other_contest_files(names: list[str]) -> bool:
    return any(name.rpartition("/")[2] in _OTHER_CONTEST_FILES for name in names)
