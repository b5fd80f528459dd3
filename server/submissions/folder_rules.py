"""Says what a submitted folder may contain, and how large it may be. Recognises bots' folders, and hashes a folder.

Follows no links. However large or deep a folder is, the scan does a limited amount of work.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from msgspec import Struct

from server.submissions.submission import Findings, shortened, size_text
from server.text.json_faults import InvalidJson
from server.text.regular_file import read_at_most, read_regular

MAX_ENTRIES = 2_000
MAX_DEPTH = 24
MAX_FAULTS = 12
MAX_BOT_BYTES = 10 << 20
"""The rules say: "File size limit: 10MB total". We count binary megabytes, in the bot's favour."""
WEIGHTS_BYTES = 256 << 20
"""The maximum size of the folder of weights, the only folder that "may exceed the 10MB". Larger weights would never fit
into a bot's 100 MB of memory.
"""
MAX_SETTINGS_BYTES = 64 << 10
"""The maximum size of a settings file, in bytes. A larger file is not read, and counts as a fault of the bot."""
WEIGHTS_NAMES = frozenset({"weights", "model", "models"})
JUNK = frozenset({"__MACOSX", ".DS_Store", "._.DS_Store", "Thumbs.db", "desktop.ini", "Icon\r", ".git"})
"""Files and folders that tools leave behind. They are ignored."""
DOCKERFILE = "Dockerfile"
BOT_CONFIG = "bot_config.json"
OLD_BOT_CONFIG = "config.json"
"""Another name of `bot_config.json`. The contest's rules use this other name in a heading."""
MAX_PATH_CHARACTERS = 1_000
"""The maximum number of characters in the path of a bot's folder. Folders with longer paths are ignored."""
NEARLY_DOCKERFILE = re.compile(r"docker[-_ ]?file.*|containerfile.*", re.IGNORECASE)
NEARLY_BOT_CONFIG = re.compile(r"bot[-_ ]?config\b.*|(bot|config)\.jsonc?(\.txt)?", re.IGNORECASE)
"""These two patterns match Dockerfile and bot_config.json, and names that authors give these files by mistake."""
VERSION_DIGITS = 8
"""How many digits of the hash of a bot's folder are shown as the bot's version."""


def is_bot_marker(name: str) -> bool:
    """Whether a file with this name marks a bot's folder."""
    return any(pattern.fullmatch(name) for pattern in (NEARLY_DOCKERFILE, NEARLY_BOT_CONFIG))


def bot_roots(paths: Iterable[str]) -> frozenset[str]:
    """Returns the outermost folders that contain a bot, from the `paths` of files. The top folder is ""."""
    markers = (path for path in paths if len(path) <= MAX_PATH_CHARACTERS and is_bot_marker(path.rpartition("/")[2]))
    folders = {marker.rpartition("/")[0] for marker in markers}
    return frozenset(root for root in folders if not root or root_of(root, folders) is None)


def root_of(path: str, roots: Collection[str]) -> str | None:
    """Returns the outermost of `roots` that contains `path`, or None."""
    parts = path[:MAX_PATH_CHARACTERS].split("/")
    return next((root for end in range(len(parts)) if (root := "/".join(parts[:end])) in roots), None)


class Tree(Struct):
    """The files in a folder."""

    files: dict[str, int]
    """The size of each file in bytes, by its path with "/" between folders."""
    own_bytes: int
    """The size of all files outside the folder of weights."""
    weights_bytes: int
    """The size of the folder of weights: the largest folder called weights, model or models."""


def scan_folder(folder: Path, findings: Findings) -> Tree:
    """Finds the files in `folder`. Leaves out forbidden entries, and adds a fault to `findings` for each of them."""
    walk = _FolderWalk(folder, findings)
    walk.run()
    return _measure(walk.files, findings)


def weights_folder(path: str) -> str:
    """Returns the outermost folder around `path` that is called weights, model or models, or ""."""
    parts = path.split("/")[:-1]
    return next(("/".join(parts[: index + 1]) for index, part in enumerate(parts) if part.lower() in WEIGHTS_NAMES), "")


class _FolderWalk:
    """One walk through a folder and everything below it."""

    def __init__(self, root: Path, findings: Findings) -> None:
        self.files: dict[str, int] = {}
        self._root = root
        self._faults = findings.faults
        self._pending_folders = [""]
        self._entry_count = 0

    def run(self) -> None:
        while self._pending_folders:
            folder = self._pending_folders.pop()
            try:
                with os.scandir(self._root / folder) as entries:
                    for entry in entries:
                        self._count_entry(entry, PurePosixPath(folder, entry.name).as_posix())
            except OSError as error:
                self._faults.append(f'"{shortened(folder)}" can\'t be read ({error.strerror}). Submit it again.')
            if self._entry_count > MAX_ENTRIES:
                limit = f"{MAX_ENTRIES} files and folders"
                self._faults.append(f"It holds more than {limit}. Remove what the bot does not need.")
                break

    def _count_entry(self, entry: os.DirEntry[str], path: str) -> None:
        """Counts an entry and classifies it.

        After MAX_ENTRIES entries, looks only for files that mark a bot. Otherwise such files might seem to be missing.
        """
        if entry.name in JUNK:
            return
        self._entry_count += 1
        if self._entry_count <= MAX_ENTRIES or is_bot_marker(path):
            self._classify(entry, path)

    def _classify(self, entry: os.DirEntry[str], path: str) -> None:
        if not entry.name.isprintable():
            self._add_fault(f'The name "{shortened(path)}" has characters that can\'t be shown. Rename it.')
        elif entry.is_symlink():
            self._add_linked_file(entry, path)
        elif entry.is_file(follow_symlinks=False):
            self.files[path] = entry.stat(follow_symlinks=False).st_size
        elif not entry.is_dir(follow_symlinks=False):
            self._add_fault(f'"{shortened(path)}" is not a file (a pipe, socket or device). Remove it.')
        elif path.count("/") >= MAX_DEPTH:
            self._add_fault(f'"{shortened(path)}" is more than {MAX_DEPTH} folders deep. Flatten the folders.')
        else:
            self._pending_folders.append(path)

    def _add_linked_file(self, entry: os.DirEntry[str], path: str) -> None:
        target = Path(os.path.realpath(entry.path))
        if not target.is_relative_to(os.path.realpath(self._root)):
            self._add_fault(f'"{shortened(path)}" is a link that leads out of the folder. Put the file itself there.')
        elif target.is_file():
            self.files[path] = 0

    def _add_fault(self, fault: str) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(fault)


def _measure(files: dict[str, int], findings: Findings) -> Tree:
    sizes = Counter[str]()
    for path, size in files.items():
        if folder := weights_folder(path):
            sizes[folder] += size
    weights_path = max(sizes, key=lambda folder: (sizes[folder], folder), default="")
    weights_bytes = sizes[weights_path]
    tree = Tree(files, sum(files.values()) - weights_bytes, weights_bytes)
    if tree.own_bytes > MAX_BOT_BYTES:
        findings.faults.append(
            f"It has {size_text(tree.own_bytes)}; at most {size_text(MAX_BOT_BYTES)} are allowed, besides the one "
            f"folder of weights (called weights, model or models). Most of it: {_name_largest(files, weights_path)}."
        )
    if weights_bytes > WEIGHTS_BYTES:
        findings.faults.append(
            f'The weights in "{shortened(weights_path)}" have {size_text(weights_bytes)}; at most '
            f"{size_text(WEIGHTS_BYTES)} are "
            "allowed, and a bot has 100 MB of memory to load them into. Make the model smaller."
        )
    elif weights_bytes:
        findings.notes.append(
            f'"{shortened(weights_path)}" ({size_text(weights_bytes)}) counts as the one folder of weights.'
        )
    return tree


def _name_largest(files: Mapping[str, int], weights_path: str) -> str:
    sums: Counter[str] = Counter()
    for path, size in files.items():
        if not (weights_path and path.startswith(weights_path + "/")):
            sums[path.partition("/")[0]] += size
    return ", ".join(f'"{shortened(name)}" ({size_text(size)})' for name, size in sums.most_common(3))


def read_settings(path: Path) -> bytes:
    """Returns the content of a settings file. Raises InvalidJson if the file is a link, is too long or can't be
    read.
    """
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise InvalidJson("it is not a plain file; put the file itself there")
        return read_at_most(path, MAX_SETTINGS_BYTES)
    except OSError as error:
        raise InvalidJson(f"{error.strerror}; submit a file of a few lines") from None


def digest_of(folder: Path) -> str:
    """Returns the SHA-256, in hex, of the names and contents of all files below `folder`. Raises OSError."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        content = sha256(read_regular(path)).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()
