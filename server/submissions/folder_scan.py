"""Scans a stranger's folder: recognises bots, measures files, reports what must not be there, and computes a digest.

It follows no link and stops at limits, however large or deep the folder is.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from msgspec import Struct

from server.submissions.submission import Findings, megabytes, shown
from server.text.json_faults import BadJson
from server.text.regular_file import read_at_most, read_regular

MAX_ENTRIES = 2_000
MAX_DEPTH = 24
MAX_FAULTS = 12
BOT_BYTES = 10 << 20
""" "File size limit: 10MB total": binary megabytes, in favour of the bot."""
WEIGHTS_BYTES = 256 << 20
"""The limit of the one folder that "may exceed the 10MB"; a bot has 100 MB of memory to load it."""
MAX_SETTINGS = 64 << 10
"""The most bytes of a settings file."""
WEIGHTS_NAMES = frozenset({"weights", "model", "models"})
JUNK = frozenset({"__MACOSX", ".DS_Store", "._.DS_Store", "Thumbs.db", "desktop.ini", "Icon\r", ".git"})
"""Files that tools leave behind, which are ignored."""
DOCKERFILE = "Dockerfile"
BOT_CONFIG = "bot_config.json"
OLD_BOT_CONFIG = "config.json"
"""The name in the document's heading; its text says `bot_config.json`."""
LONGEST_PATH = 1_000
"""The longest path of a bot's folder, in characters; longer ones are ignored."""
NEARLY_DOCKERFILE = re.compile(r"docker[-_ ]?file.*|containerfile.*", re.IGNORECASE)
NEARLY_BOT_CONFIG = re.compile(r"bot[-_ ]?config\b.*|(bot|config)\.jsonc?(\.txt)?", re.IGNORECASE)
"""Names that were probably meant to be Dockerfile or bot_config.json."""
DIGITS = 8
"""How many digits of the digest are shown as a bot's version."""


def is_sign(name: str) -> bool:
    """Whether a file of this name marks its folder as a bot's."""
    return any(nearly.fullmatch(name) for nearly in (NEARLY_DOCKERFILE, NEARLY_BOT_CONFIG))


def bot_roots(paths: Iterable[str]) -> frozenset[str]:
    """The outermost folders that hold a bot; "" is the top."""
    signs = (path for path in paths if len(path) <= LONGEST_PATH and is_sign(path.rpartition("/")[2]))
    found = {sign.rpartition("/")[0] for sign in signs}
    return frozenset(root for root in found if not root or root_of(root, found) is None)


def root_of(path: str, roots: Collection[str]) -> str | None:
    """The outermost of `roots` that `path` lies in."""
    parts = path[:LONGEST_PATH].split("/")
    return next((at for end in range(len(parts)) if (at := "/".join(parts[:end])) in roots), None)


class Tree(Struct):
    """The files of a folder: their sizes in bytes by path, with "/"."""

    files: dict[str, int]
    own_bytes: int
    weights_bytes: int
    """The size of the one folder that has a limit of its own: the largest called weights, model or models."""


def survey(folder: Path, findings: Findings) -> Tree:
    """The files in `folder`. Anything that must not be there is a fault, and left out."""
    walk = _Walk(folder, findings)
    walk.run()
    return _measured(walk.files, findings)


def weights_part(path: str) -> str:
    """The outermost folder of `path` that is called weights, model or models; or ""."""
    parts = path.split("/")[:-1]
    return next(("/".join(parts[: at + 1]) for at, part in enumerate(parts) if part.lower() in WEIGHTS_NAMES), "")


class _Walk:
    """One walk through a folder and everything below it."""

    def __init__(self, root: Path, findings: Findings) -> None:
        self.files: dict[str, int] = {}
        self._root = root
        self._faults = findings.faults
        self._waiting = [""]
        self._count = 0

    def run(self) -> None:
        while self._waiting:
            here = self._waiting.pop()
            try:
                with os.scandir(self._root / here) as found:
                    for entry in found:
                        self._meet(entry, PurePosixPath(here, entry.name).as_posix())
            except OSError as error:
                self._faults.append(f'"{shown(here)}" can\'t be read ({error.strerror}). Hand it in again.')
            if self._count > MAX_ENTRIES:
                most = f"{MAX_ENTRIES} files and folders"
                self._faults.append(f"It holds more than {most}. Remove what the bot does not need.")
                break

    def _meet(self, entry: os.DirEntry[str], path: str) -> None:
        """Beyond the limit only files that mark a bot are read, so that they are not reported missing."""
        if entry.name in JUNK:
            return
        self._count += 1
        if self._count <= MAX_ENTRIES or is_sign(path):
            self._sort_in(entry, path)

    def _sort_in(self, entry: os.DirEntry[str], path: str) -> None:
        if not entry.name.isprintable():
            self._blame(f'The name "{shown(path)}" has characters that can\'t be shown. Rename it.')
        elif entry.is_symlink():
            self._follow(entry, path)
        elif entry.is_file(follow_symlinks=False):
            self.files[path] = entry.stat(follow_symlinks=False).st_size
        elif not entry.is_dir(follow_symlinks=False):
            self._blame(f'"{shown(path)}" is not a file (a pipe, socket or device). Remove it.')
        elif path.count("/") >= MAX_DEPTH:
            self._blame(f'"{shown(path)}" lies more than {MAX_DEPTH} folders deep. Flatten the folders.')
        else:
            self._waiting.append(path)

    def _follow(self, entry: os.DirEntry[str], path: str) -> None:
        target = Path(os.path.realpath(entry.path))
        if not target.is_relative_to(os.path.realpath(self._root)):
            self._blame(f'"{shown(path)}" is a link that leads out of the folder. Put the file itself there.')
        elif target.is_file():
            self.files[path] = 0

    def _blame(self, fault: str) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(fault)


def _measured(files: dict[str, int], findings: Findings) -> Tree:
    heaviness = Counter[str]()
    for path, size in files.items():
        if at := weights_part(path):
            heaviness[at] += size
    weights = max(heaviness, key=lambda at: (heaviness[at], at), default="")
    inside = heaviness[weights]
    tree = Tree(files, sum(files.values()) - inside, inside)
    if tree.own_bytes > BOT_BYTES:
        findings.faults.append(
            f"It has {megabytes(tree.own_bytes)}; at most {megabytes(BOT_BYTES)} are allowed besides one folder of "
            f"weights (called weights, model or models). Most of it: {_heaviest(files, weights)}."
        )
    if inside > WEIGHTS_BYTES:
        findings.faults.append(
            f'The weights in "{shown(weights)}" have {megabytes(inside)}; at most {megabytes(WEIGHTS_BYTES)} are '
            "allowed, and a bot has 100 MB of memory to load them into. Make the model smaller."
        )
    elif inside:
        findings.notes.append(f'"{shown(weights)}" ({megabytes(inside)}) counts as the one folder of weights.')
    return tree


def _heaviest(files: Mapping[str, int], weights: str) -> str:
    sums: Counter[str] = Counter()
    for path, size in files.items():
        if not (weights and path.startswith(weights + "/")):
            sums[path.partition("/")[0]] += size
    return ", ".join(f'"{shown(name)}" ({megabytes(size)})' for name, size in sums.most_common(3))


def settings_in(path: Path) -> bytes:
    """The content of a settings file; follows no link. Raises BadJson."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise BadJson("it is not a plain file; put the file itself there")
        return read_at_most(path, MAX_SETTINGS)
    except OSError as error:
        raise BadJson(f"{error.strerror}; hand in a file of a few lines") from None


def digest_of(folder: Path) -> str:
    """The SHA-256 of the names and contents of all files below a folder, in hex. Raises OSError."""
    whole = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        content = sha256(read_regular(path)).hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()
