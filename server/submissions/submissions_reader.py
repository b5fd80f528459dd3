"""Reads the bots that contestants submitted, in folders or zip archives: one submission per bot, with all its faults.

Runs nothing. Other modules check pictures and sounds.
"""

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable
from hashlib import sha256
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config.event_entries import MAX_BOTS_PER_PLAYER
from server.submissions.bot_config import check_dockerfile, read_bot_config
from server.submissions.folder_rules import JUNK, MAX_ENTRIES, is_bot_marker, scan_folder
from server.submissions.submission import Findings, Submission, shortened
from server.submissions.zip_archive import BadArchive, UnpackBudget, unpack
from server.text.look_alikes import looks_of

MAX_PLAYERS = 500
_OTHER_ARCHIVES = (".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar")
_MAX_WRAPPINGS = 4


def read_submissions(path: Path, work_folder: Path, player: str = "") -> list[Submission]:
    """Reads every bot below `path`.

    `path` is a bot's folder, a player's folder with up to three bots, or a folder of all players. Each folder may also
    be a zip archive. Archives are unpacked below `work_folder`. If `player` is given, all bots belong to that player.
    Otherwise, a folder of up to three bots belongs to one player. In a larger folder, each bot belongs to a different
    player. Raises OSError if `path` does not exist.
    """
    path = path.resolve(strict=True)
    submissions = _SubmissionsReader(work_folder).read(
        _Source(path, shortened(path.stem if path.is_file() else path.name)), player
    )
    return _add_namesake_faults(_add_count_faults(submissions))


def list_submissions(folder: Path) -> list[Path]:
    """Returns the first MAX_PLAYERS folders and archives in `folder`, sorted by name. Leaves out hidden ones."""
    paths = [path for path in _list_entries(folder) if path.is_dir() or _is_archive(path)]
    return [path for path in paths if not path.name.startswith(".")][:MAX_PLAYERS]


class _Source(Struct, frozen=True):
    """A folder or archive, and its name in reports."""

    path: Path
    label: str


class _OpenedFolder(Struct, frozen=True):
    """A folder to read, perhaps from an archive."""

    folder: Path
    faults: dict[str, list[str]] = {}
    """The faults in the archive, keyed by folder."""
    top: Path | None = None
    """Where the archive was unpacked, or None if there is no archive."""
    error: str = ""
    """Why the folder or archive cannot be read, or ""."""

    @property
    def is_bot(self) -> bool:
        return _has_bot_files(self.folder)


class _SubmissionsReader:
    """Reads everything submitted. Remembers the unpacked archives, and how many more bytes may be unpacked."""

    def __init__(self, work_folder: Path) -> None:
        self._work_folder = work_folder
        self._budget = UnpackBudget()
        self._opened_folders: dict[Path, _OpenedFolder] = {}

    def read(self, source: _Source, player: str) -> list[Submission]:
        opened, children = self._open(source), self._list_children(source)
        bots = [child for child in children if self._open(child).is_bot]
        bot_parents = [child for child in children if child not in bots and self._find_bots(child)]
        if opened.error or opened.is_bot or player or (bots and not bot_parents and len(bots) <= MAX_BOTS_PER_PLAYER):
            return self._read_player(source, player or source.label)
        if not bots and not bot_parents and not any(self._open(child).error for child in children):
            return self._read_player(source, source.label)
        stray_submissions = self._report_stray_faults(opened, source, source.label, [])
        return stray_submissions + [bot for child in children for bot in self._read_player(child, child.label)]

    def _read_player(self, source: _Source, player: str) -> list[Submission]:
        opened = self._open(source)
        if opened.is_bot:
            return [self._read_bot(source, opened, player)]
        bots = []
        for child in self._find_bots(source):
            opened_child = self._open(child)
            labelled_child = _Source(child.path, f"{source.label}/{child.label}")
            bots.append(
                self._read_bot(labelled_child, opened_child, player)
                if not opened_child.error
                else _empty_submission(labelled_child, player, opened_child)
            )
        bots += self._report_stray_faults(opened, source, player, bots)
        return bots or [_empty_submission(source, player, opened)]

    def _read_bot(self, source: _Source, opened: _OpenedFolder, player: str) -> Submission:
        """Reads the bot in an opened folder. A folder of model weights counts as `weights_bytes`, not `own_bytes`."""
        findings = Findings(list(_faults_of(self._archive_of(opened), opened.folder)))
        tree = scan_folder(opened.folder, findings)
        check_dockerfile(opened.folder, tree.files, findings)
        bot = findings.attach_to(read_bot_config(opened.folder, tree.files, findings))
        sizes = {"own_bytes": tree.own_bytes, "weights_bytes": tree.weights_bytes}
        return replace(bot, player=player, label=source.label, **sizes)

    def _find_bots(self, source: _Source) -> list[_Source]:
        """Returns the folders and archives in `source` that contain a bot or can't be opened."""
        return [child for child in self._list_children(source) if (opened := self._open(child)).is_bot or opened.error]

    def _list_children(self, source: _Source) -> list[_Source]:
        opened = self._open(source)
        if opened.error or opened.is_bot:
            return []
        return [
            _Source(path, shortened(path.stem if _is_archive(path) else path.name))
            for path in list_submissions(opened.folder)
        ]

    def _open(self, source: _Source) -> _OpenedFolder:
        if source.path not in self._opened_folders:
            self._opened_folders[source.path] = self._open_path(source.path)
        return self._opened_folders[source.path]

    def _open_path(self, path: Path) -> _OpenedFolder:
        if path.is_symlink():
            return _OpenedFolder(path, error="It is a link. Put the folder itself there.")
        if path.is_dir():
            return _OpenedFolder(_unwrap(path))
        if path.suffix.lower() != ".zip":
            return _OpenedFolder(path, error="Only folders and zip archives are read. Submit one of these.")
        folder = self._work_folder / sha256(bytes(path)).hexdigest()[:16]
        shutil.rmtree(folder, ignore_errors=True)
        try:
            faults = unpack(path, folder, self._budget)
        except BadArchive as fault:
            return _OpenedFolder(path, error=str(fault))
        return _OpenedFolder(_unwrap(folder), faults, folder)

    def _archive_of(self, opened: _OpenedFolder) -> _OpenedFolder:
        """Returns the archive that contains `opened`. If there is none, returns `opened` itself."""
        archives = {other.top: other for other in self._opened_folders.values() if other.top}
        return next((archive for top, archive in archives.items() if opened.folder.is_relative_to(top)), opened)

    def _report_stray_faults(
        self, opened: _OpenedFolder, source: _Source, player: str, read_bots: list[Submission]
    ) -> list[Submission]:
        """If some faults of an archive belong to none of its bots, returns one submission that has these faults, but no
        bot. Otherwise, returns [].
        """
        if opened.top is None:
            return []
        bots = [path for path in self._opened_folders.values() if path.is_bot]
        reported = {fault for bot in bots for fault in _faults_of(opened, bot.folder)}
        reported |= {fault for bot in read_bots for fault in bot.faults}
        stray = [fault for faults in opened.faults.values() for fault in faults if fault not in reported]
        return [Submission(player, opened.folder, faults=tuple(stray), label=source.label)] if stray else []


def _list_entries(folder: Path) -> list[Path]:
    """Returns at most MAX_ENTRIES entries of a folder, sorted by name, without junk. Returns [] if `folder` is not a
    folder.
    """
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in islice(entries, MAX_ENTRIES) if entry.name not in JUNK)
    return [folder / name for name in names]


def _has_bot_files(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    with os.scandir(folder) as entries:
        return any(is_bot_marker(entry.name) and not entry.is_dir() for entry in entries)


def _unwrap(folder: Path) -> Path:
    """Returns the folder with the actual content, at `folder` or below it. Many archives have a single folder around
    everything.
    """
    for _ in range(_MAX_WRAPPINGS):
        entries = [path for path in _list_entries(folder) if not path.name.startswith(".")]
        if len(entries) != 1 or not entries[0].is_dir() or entries[0].is_symlink():
            break
        if _has_bot_files(entries[0]):
            break
        folder = entries[0]
    return folder


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in (".zip", *_OTHER_ARCHIVES)


def _faults_of(opened: _OpenedFolder, folder: Path) -> Iterable[str]:
    if opened.top is None or not folder.is_relative_to(opened.top):
        return ()
    return opened.faults.get("" if folder == opened.top else folder.relative_to(opened.top).as_posix(), ())


def _empty_submission(source: _Source, player: str, opened: _OpenedFolder) -> Submission:
    fault = opened.error or (
        "There is no bot in here. Each bot needs its own folder with a Dockerfile, a bot_config.json, and its code. "
        "A bot that runs on its author's server need not be handed in: test it with highnoon probe."
    )
    return Submission(player, source.path, faults=(fault,), label=source.label)


def _add_count_faults(submissions: list[Submission]) -> list[Submission]:
    counts = Counter(bot.player for bot in submissions)
    return [
        _with_fault(
            bot, f"{bot.player} has {counts[bot.player]} bots here; at most {MAX_BOTS_PER_PLAYER} may be submitted."
        )
        if counts[bot.player] > MAX_BOTS_PER_PLAYER
        else bot
        for bot in submissions
    ]


def _add_namesake_faults(submissions: list[Submission]) -> list[Submission]:
    """Adds a fault to bots whose names look alike, which means that `looks_of` gives them a common spelling."""
    namesakes: dict[str, list[Submission]] = defaultdict(list)
    for bot in submissions:
        for look in looks_of(bot.name) if bot.name else ():
            namesakes[look].append(bot)
    checked = []
    for bot in submissions:
        alike = (other for look in sorted(looks_of(bot.name)) for other in namesakes.get(look, ()) if other is not bot)
        others = list({id(other): other for other in alike}.values())
        if others:
            with_whom = " and ".join(f'"{other.name}" of {other.label}' for other in others[:3])
            checked.append(_with_fault(bot, f'"{bot.name}" looks like {with_whom}. One of them needs another name.'))
        else:
            checked.append(bot)
    return checked


def _with_fault(bot: Submission, fault: str) -> Submission:
    return replace(bot, faults=(*bot.faults, fault))
