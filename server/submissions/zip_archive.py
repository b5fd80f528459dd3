"""Unpacks submitted zip archives, and writes nothing outside the target folder.

Counts every byte written, and trusts no size or name in the archive.
"""

import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from server.submissions import folder_rules
from server.submissions.folder_rules import JUNK, MAX_BOT_BYTES, MAX_DEPTH, MAX_ENTRIES, WEIGHTS_BYTES
from server.submissions.submission import shortened, size_text
from server.system.files import open_no_link
from server.text.regular_file import open_regular

MAX_TOTAL_BYTES = 2 << 30
"""The maximum number of bytes that are unpacked from all archives together. Further files are not unpacked, and their
bots get a fault.
"""
MAX_DIRECTORY_BYTES = 4 << 20
"""The maximum size of an archive's list of files, in bytes. An archive with a longer list is refused. In memory, the
list takes ten times as many bytes as in the archive.
"""
MAX_ROOTS = 200
_END_SIGNATURE = b"PK\5\6"
_END_BYTES = 22
_MAX_COMMENT_BYTES = 65_535
_ZIP64_SIGNATURE = b"PK\6\7"
_ZIP64_BYTES = 20
"""The length of the record that begins with `_ZIP64_SIGNATURE`. Only archives with more than 4 GB or 65,535 files have
this record.
"""
_PIECE_BYTES = 1 << 16
_DAMAGED_MESSAGE = "The archive is damaged, or not a zip archive at all. Create it again."
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The accepted compression methods. Other methods can turn a few bytes into many megabytes in one step."""


class BadArchive(Exception):
    """The whole archive is refused. The message tells its author why."""


class UnpackBudget(Struct):
    """How many bytes may still be unpacked. All archives in a folder of submissions share one budget."""

    bytes_left: int = MAX_TOTAL_BYTES


class _BotQuota(Struct):
    """One bot in the archive: how many entries and bytes may still be unpacked for it, and its faults. `names` has the
    paths of the bot's files so far. Paths that some computers regard as equal have the same key.
    """

    entries_left: int = MAX_ENTRIES
    own_bytes_left: int = MAX_BOT_BYTES
    weights_bytes_left: int = WEIGHTS_BYTES
    faults: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add_fault(self, fault: str) -> None:
        """Adds a fault if it is new and the bot does not have too many."""
        if fault not in self.faults and len(self.faults) < 12:
            self.faults.append(fault)


def unpack(archive: Path, target_folder: Path, budget: UnpackBudget) -> dict[str, list[str]]:
    """Unpacks the allowed files to the new folder `target_folder`. Returns the faults, keyed by the bot's folder in the
    archive.

    A bot's faults do not affect others. Raises BadArchive if the archive cannot be read.
    """
    target_folder.mkdir(parents=True)
    with _open(archive) as file:
        return _Unpacking(file, target_folder, budget).run()


def names_in(archive: Path) -> list[str]:
    """Returns the paths in an archive's list of files, without unpacking. Returns [] if the list cannot be read."""
    try:
        with _open(archive) as file:
            return file.namelist()
    except BadArchive:
        return []


@contextmanager
def _open(archive: Path) -> Iterator[zipfile.ZipFile]:
    try:
        _check_end(archive)
        with zipfile.ZipFile(archive) as file:
            yield file
    except BadArchive:
        raise
    except Exception:  # zipfile raises almost any exception on damaged archives
        raise BadArchive(_DAMAGED_MESSAGE) from None


class _Unpacking:
    def __init__(self, file: zipfile.ZipFile, target_folder: Path, budget: UnpackBudget) -> None:
        self._file = file
        self._target_folder = target_folder
        self._budget = budget
        self._entries = [entry for entry in file.infolist() if not JUNK & set(_path_parts(entry))]
        paths = ("/".join(_path_parts(entry)) for entry in self._entries if not _is_folder(entry))
        self._roots = folder_rules.bot_roots(paths)
        if len(self._roots) > MAX_ROOTS:
            raise BadArchive(f"The archive holds more than {MAX_ROOTS} bots. Submit one archive for each player.")
        self._quotas: dict[str, _BotQuota] = {}

    def run(self) -> dict[str, list[str]]:
        # The smallest files come first. They matter most, and a large file may exceed the budget.
        for entry in sorted(self._entries, key=lambda entry: entry.file_size):
            path = "/".join(_path_parts(entry))
            quota = self._quota_for(path)
            if fault := self._find_fault(entry, path, quota):
                quota.add_fault(fault)
            else:
                self._extract(entry, path, quota)
        return {root: quota.faults for root, quota in self._quotas.items() if quota.faults}

    def _quota_for(self, path: str) -> _BotQuota:
        """Returns the limits of the bot whose folder contains `path`. A nested zip file that is in no bot's folder has
        limits of its own.
        """
        root = folder_rules.root_of(path, self._roots)
        has_own_limits = path.lower().endswith(".zip") and root is None
        return self._quotas.setdefault(
            path if has_own_limits else root or "",
            _BotQuota(own_bytes_left=MAX_BOT_BYTES + has_own_limits * WEIGHTS_BYTES),
        )

    def _find_fault(self, entry: zipfile.ZipInfo, path: str, quota: _BotQuota) -> str:
        quota.entries_left -= 1
        if quota.entries_left < 0:
            return f"It holds more than {MAX_ENTRIES} files and folders. Remove what the bot does not need."
        file_type = stat.S_IFMT(entry.external_attr >> 16)
        earlier_path = quota.names.setdefault(unicodedata.normalize("NFKC", path).casefold(), path)
        reasons = (
            (
                _is_unsafe(entry),
                f'The archive would write "{shortened(entry.filename)}" outside its folder. Create it again.',
            ),
            (_is_awkward(path), f'The name "{shortened(path)}" is too long, too deep or can\'t be shown. Rename it.'),
            (file_type == stat.S_IFLNK, f'"{shortened(path)}" is a link. Put the file itself into the archive.'),
            (
                file_type not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK),
                f'"{shortened(path)}" is not a file. Remove it.',
            ),
            (bool(entry.flag_bits & 1), "It is protected by a password. Create the archive without one."),
            (
                entry.compress_type not in _METHODS,
                "It is compressed in an unusual way. Create it with a common zip program.",
            ),
            (
                earlier_path != path,
                f'"{shortened(earlier_path)}" and "{shortened(path)}" are the same file on some computers. Rename one.',
            ),
        )
        return next((fault for applies, fault in reasons if applies), "")

    def _extract(self, entry: zipfile.ZipInfo, path: str, quota: _BotQuota) -> None:
        target = self._target_folder / path
        try:
            if _is_folder(entry):
                target.mkdir(parents=True, exist_ok=True)
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            is_in_weights = bool(folder_rules.weights_folder(path))
            bytes_left = min(
                quota.weights_bytes_left if is_in_weights else quota.own_bytes_left, self._budget.bytes_left
            )
            written_bytes = self._write(entry, target, bytes_left)
        except FileExistsError:
            quota.add_fault(f'"{shortened(path)}" is in the archive twice. Create the archive again.')
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError):
            quota.add_fault(f'"{shortened(path)}" is damaged in the archive. Create the archive again.')
        else:
            self._budget.bytes_left -= max(written_bytes, 0)
            self._charge(quota, written_bytes, is_in_weights=is_in_weights)

    def _charge(self, quota: _BotQuota, written_bytes: int, *, is_in_weights: bool) -> None:
        if written_bytes < 0:
            limit = size_text(WEIGHTS_BYTES if is_in_weights else MAX_BOT_BYTES)
            subject = "its weights have" if is_in_weights else "it has"
            quota.add_fault(
                f"Unpacked, {subject} more than {limit}; not all was unpacked. Remove what the bot does not need."
            )
        elif is_in_weights:
            quota.weights_bytes_left -= written_bytes
        else:
            quota.own_bytes_left -= written_bytes

    def _write(self, entry: zipfile.ZipInfo, target: Path, bytes_left: int) -> int:
        """Unpacks an entry and returns its size in bytes. If the size exceeds `bytes_left`, leaves no file and returns
        -1.
        """
        if entry.file_size > bytes_left:
            return -1
        mode = 0o755 if entry.external_attr >> 16 & 0o111 else 0o644
        handle = open_no_link(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        written_bytes = 0
        with open(handle, "wb") as unpacked, self._file.open(entry) as packed:
            while piece := packed.read(_PIECE_BYTES):
                written_bytes += len(piece)
                if written_bytes > bytes_left:
                    break
                unpacked.write(piece)
        if written_bytes > bytes_left:
            target.unlink()
            return -1
        return written_bytes


def _check_end(archive: Path) -> None:
    """Raises BadArchive if the archive is cut off at its end, or if reading its list of files would take too much
    memory.
    """
    size = archive.stat().st_size
    with open_regular(archive) as file:
        file.seek(max(0, size - _MAX_COMMENT_BYTES - _END_BYTES - _ZIP64_BYTES))
        tail = file.read()
    end = tail.rfind(_END_SIGNATURE)
    if end < 0 or len(tail) - end < _END_BYTES:
        raise BadArchive(_DAMAGED_MESSAGE)
    directory_bytes = int.from_bytes(tail[end + 12 : end + 16], "little")
    is_zip64 = tail[max(0, end - _ZIP64_BYTES) : end].startswith(_ZIP64_SIGNATURE)
    if is_zip64 or directory_bytes > min(MAX_DIRECTORY_BYTES, size):
        raise BadArchive("The archive holds far too many files. Remove what the bots do not need.")


def _path_parts(entry: zipfile.ZipInfo) -> Sequence[str]:
    """Returns the parts of an entry's path. Some old programs separate folders by backslashes."""
    return [part for part in entry.filename.replace("\\", "/").split("/") if part not in ("", ".")]


def _is_folder(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.endswith(("/", "\\"))


def _is_unsafe(entry: zipfile.ZipInfo) -> bool:
    name = entry.filename.replace("\\", "/")
    return name.startswith("/") or name[1:2] == ":" or ".." in name.split("/") or not _path_parts(entry)


def _is_awkward(path: str) -> bool:
    """Whether a path is too long, too deep or not printable."""
    parts = path.split("/")
    if not path.isprintable() or len(parts) > MAX_DEPTH:
        return True
    return len(path.encode()) > 1_000 or any(len(part.encode()) > 200 for part in parts)
