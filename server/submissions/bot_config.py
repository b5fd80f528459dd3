"""Reads the two files that every bot's folder has, `bot_config.json` and the Dockerfile, and reports their faults."""

import difflib
import os
import re
from collections.abc import Collection
from pathlib import Path

from server.bots.sandbox.foreign_programs import foreign_message, foreign_programs
from server.bots.sandbox.runner import CannotRun
from server.bots.sandbox.submitted_folder import read_dockerfile, windows_message, windows_scripts
from server.submissions import folder_rules
from server.submissions.folder_rules import BOT_CONFIG, DOCKERFILE, OLD_BOT_CONFIG
from server.submissions.submission import Findings, Submission, check_bot_name, quoted, shortened
from server.text.json_faults import InvalidJson, JsonObject, kind_of, read_json

KEYS = ("name", "avatar_filename", "particle_filename", "sound_effect_filename")
_EXTRA_COMMA = re.compile(rb",(\s*[}\]])")
_EXAMPLE = '{"name": "Billy the Kid", "avatar_filename": "mugshot.png"}'
_DEFAULTS = {
    "particle_filename": "the default particles are shown",
    "sound_effect_filename": "the default sound is played",
}


def read_bot_config(folder: Path, files: Collection[str], findings: Findings) -> Submission:
    """Reads bot_config.json in `folder`. `files` are the paths of the folder's files. Adds faults to `findings`."""
    file_name = _find_config_file(files, findings)
    if not file_name:
        return Submission("", folder)
    try:
        fields, notes = _read_fields(folder / file_name, file_name, findings)
    except InvalidJson as fault:
        findings.faults.append(f"{file_name} can't be read: {shortened(str(fault), 300)}.")
        return Submission("", folder)
    findings.notes += [f"{file_name}: {shortened(note, 300)}" for note in notes]
    return _ConfigReader(folder, files, fields, file_name, findings).read_submission()


def _read_fields(path: Path, source: str, findings: Findings) -> tuple[JsonObject, list[str]]:
    """Returns the file's JSON object, and notes on it. If the file has extra commas, reports a fault, and reads the
    file without these commas, so that the caller can find further faults.
    """
    raw = folder_rules.read_settings(path)
    try:
        return read_json(raw)
    except InvalidJson as fault:
        fields_and_notes = read_json(_EXTRA_COMMA.sub(rb"\1", raw))
        findings.faults.append(f"{source} can't be read: {shortened(str(fault), 300)}.")
        return fields_and_notes


def _find_config_file(files: Collection[str], findings: Findings) -> str:
    """Returns the path of the file to read. If no file has the right name, adds a fault. Then returns a file with a
    similar name if there is only one such file, else "".
    """
    if BOT_CONFIG in files:
        return BOT_CONFIG
    if OLD_BOT_CONFIG in files:
        findings.notes.append(
            f"{OLD_BOT_CONFIG} is accepted, because the rules use both names. Rename it to {BOT_CONFIG} if you can."
        )
        return OLD_BOT_CONFIG
    similar_files = sorted(path for path in files if folder_rules.NEARLY_BOT_CONFIG.fullmatch(path.rpartition("/")[2]))[
        :3
    ]
    hint = f" There is {quoted(similar_files)}: rename or move it to {BOT_CONFIG}, exactly." if similar_files else ""
    findings.faults.append(f"There is no {BOT_CONFIG}.{hint or f' Write one, such as {_EXAMPLE}.'}")
    return similar_files[0] if len(similar_files) == 1 else ""


class _ConfigReader:
    def __init__(
        self, folder: Path, files: Collection[str], fields: JsonObject, source: str, findings: Findings
    ) -> None:
        self._folder = folder
        self._files = files
        self._fields = fields
        self._file_name = source
        self._findings = findings

    def read_submission(self) -> Submission:
        submission = Submission(
            "",
            self._folder,
            self._read_name(),
            self._find_file("avatar_filename", self._findings.faults),
            self._find_file("particle_filename", self._findings.warnings),
            self._find_file("sound_effect_filename", self._findings.warnings),
        )
        if submission.sound and submission.sound.suffix.lower() not in (".wav", ".mp3"):
            name = shortened(submission.sound.name)
            self._findings.notes.append(f'The sound "{name}" should end in .wav or .mp3; it is read anyway.')
        self._report_unknown_keys()
        return submission

    def _read_name(self) -> str:
        name = self._read_text("name", self._findings.faults)
        name = name and check_bot_name(name, self._findings)
        if name != " ".join(name.split()):
            self._findings.notes.append(
                '"name" has extra spaces; the bot must register under exactly this name, with the spaces.'
            )
        return name

    def _read_text(self, key: str, problems: list[str]) -> str:
        is_required = key in ("name", "avatar_filename")
        value = self._fields.get(key)
        if key not in self._fields or (value in (None, "") and not is_required):
            if is_required:
                problems.append(f'{self._file_name} has no "{key}", but needs one.')
            return ""
        if not isinstance(value, str):
            problems.append(
                f'"{key}" must be a text in double quotes, not {kind_of(value)}.{self._default_remark(key)}'
            )
            return ""
        if not value:
            problems.append(f'"{key}" is empty. Write something between the quotes.')
        return value

    def _find_file(self, key: str, problems: list[str]) -> Path | None:
        name = self._read_text(key, problems)
        if not name:
            return None
        path = self._folder / name if _is_plain_path(name) else None
        if fault := self._find_path_fault(name, path):
            problems.append(f'"{key}" is "{shortened(name)}": {fault}{self._default_remark(key)}')
            return None
        return path

    def _find_path_fault(self, name: str, path: Path | None) -> str:
        if "://" in name:
            return "that is a web address, and nothing is downloaded. Put the file into the folder, and write its name."
        if path is None:
            slashes = ', written with "/"' if "\\" in name else ""
            return f"that is not the path of a file in the folder. Name a file that is in it{slashes}."
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(os.path.realpath(self._folder)):
            return "that leads out of the folder. Put the file itself there."
        if name in self._files or real.is_file():
            return ""
        similar_files = self._find_similar(name)
        hint = f"Did you mean {quoted(similar_files)}?" if similar_files else "Put it into the folder."
        return f"there is no such file. {hint}"

    def _find_similar(self, name: str) -> list[str]:
        """Returns the files that the author may have meant. These are files whose name differs only in case or folder.
        If there are no such files, returns files with similar names.
        """
        file_name = name.rpartition("/")[2].lower()
        same_names = [path for path in self._files if path.rpartition("/")[2].lower() == file_name]
        return sorted(same_names)[:2] or difflib.get_close_matches(name, list(self._files)[:2_000], n=2, cutoff=0.75)

    def _default_remark(self, key: str) -> str:
        return f" Until you fix this, {_DEFAULTS[key]}." if key in _DEFAULTS else ""

    def _report_unknown_keys(self) -> None:
        for unknown in [key for key in self._fields if key not in KEYS][:5]:
            similar_keys = difflib.get_close_matches(unknown[:60].lower(), KEYS, n=1, cutoff=0.5)
            hint = f' Did you mean "{similar_keys[0]}"?' if similar_keys and similar_keys[0] not in self._fields else ""
            self._findings.notes.append(f'"{shortened(unknown)}" in {self._file_name} is not used.{hint}')


def _is_plain_path(name: str) -> bool:
    parts = name.split("/")
    return (
        name.isprintable() and "\\" not in name and len(name) < 1_000 and not name.startswith("/") and ".." not in parts
    )


def check_dockerfile(folder: Path, files: Collection[str], findings: Findings) -> None:
    """Checks the Dockerfile in `folder`. Adds the file's faults to `findings`. A missing file is also a fault."""
    if DOCKERFILE not in files:
        similar_files = sorted(
            path for path in files if folder_rules.NEARLY_DOCKERFILE.fullmatch(path.rpartition("/")[2])
        )[:3]
        hint = (
            f' There is {quoted(similar_files)}: rename or move it to "{DOCKERFILE}", exactly.' if similar_files else ""
        )
        findings.faults.append(f"There is no {DOCKERFILE}.{hint or ' Write one; every bot runs in its own container.'}")
        return
    try:
        instructions = read_dockerfile(folder).instructions
    except CannotRun as fault:
        findings.faults.append(shortened(str(fault), 300))
        return
    if not any(instruction.name in ("CMD", "ENTRYPOINT") for instruction in instructions):
        findings.notes.append(f"{DOCKERFILE} has no CMD or ENTRYPOINT, so the image's default command will run.")
    # Windows line endings do no harm in Python scripts.
    scripts = [path for path in windows_scripts(folder) if not path.endswith(".py")]
    if warning := windows_message(scripts):
        findings.warnings.append(shortened(warning, 300))
    if warning := foreign_message(foreign_programs(folder)):
        findings.warnings.append(shortened(warning, 400))
