"""Stores the bots' pictures and sounds. Each file from a stranger is re-encoded once, and stored under the hash of the
original.

The process `broadcast.media.worker` decodes the files. If a file cannot be decoded, the bot gets the default, and its
author is told why.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.media.file_kinds import ExaminedFile, PictureFindings, SoundFindings
from broadcast.media.worker import REFUSED_STATUS, Kind
from server.child_environment import minimal_environment
from server.paths import ROOT
from server.system.files import sync_folder
from server.text.regular_file import read_at_most

ENCODING_VERSION = b"2"
"""A part of every file's hash. Change it whenever the encoding changes, so that all files are prepared again."""
MAX_BYTES = 10_000_000
MAX_DECODING_SECONDS = 30.0
SUFFIXES: dict[Kind, str] = {"avatar": ".webp", "particle": ".webp", "sound": ".ogg"}
ENVIRONMENT = minimal_environment()
"""The environment of the decoding process. It has no secrets and no path to other programs. Libraries use one thread,
because each thread reserves memory.
"""


class PreparedMedia(Struct, frozen=True):
    """One bot's media: names of files in the library's folder, "" for the default.

    `faults` has a line for each file that was not used ("sound: it is silent"). `notes` has a line for each file of
    which a part was left out. Only `examine` returns notes.
    """

    avatar: str = ""
    particle: str = ""
    sound: str = ""
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Unusable(Exception):
    """A file cannot be used. The message tells its author why, such as "it is silent"."""


class MediaLibrary:
    """A folder of safe media files, which never change.

    Decoding a file may take at most `seconds`. Methods raise OSError.
    """

    def __init__(self, folder: Path, seconds: float = MAX_DECODING_SECONDS) -> None:
        self.folder = folder
        self._seconds = seconds
        folder.mkdir(parents=True, exist_ok=True)

    def add_own_file(self, path: Path) -> str:
        """Copies one of this program's own files into the library and returns its name there. Raises OSError."""
        content = path.read_bytes()
        return self._store(_hashed_name(b"ours", content) + path.suffix, content)

    def sound_ms(self, name: str) -> int:
        """Returns the length in ms of a prepared sound, from its last Ogg page and its Vorbis header. Returns 0 if
        `name` is "". Raises OSError.
        """
        if not name:
            return 0
        content = (self.folder / name).read_bytes()
        last_page, header = content.rfind(b"OggS"), content.find(b"\x01vorbis")
        samples = int.from_bytes(content[last_page + 6 : last_page + 14], "little")
        rate = int.from_bytes(content[header + 12 : header + 16], "little")
        return samples * 1000 // rate

    def prepare(
        self, avatar: Path | None = None, particle: Path | None = None, sound: Path | None = None
    ) -> PreparedMedia:
        """Stores one bot's files. Re-encodes files that are new, and reports bad files as faults. Raises OSError."""
        return _prepare_all({"avatar": avatar, "particle": particle, "sound": sound}, self._prepare_file)

    def examine(
        self, avatar: Path | None = None, particle: Path | None = None, sound: Path | None = None
    ) -> tuple[PreparedMedia, PictureFindings | None, SoundFindings | None]:
        """Prepares files as `prepare` does. Also returns findings about the original picture and the original sound.

        Decodes every file, even if it was prepared before. A file with a fault has no findings.
        """
        examined: dict[Kind, ExaminedFile] = {}

        def examine(kind: Kind, path: Path) -> str:
            content = _read(path)
            try:
                output = _run_decoder(kind, content, 2 * self._seconds, "report")  # half the time is for the report
                found = examined[kind] = msgspec.json.decode(output, type=ExaminedFile)
            except msgspec.MsgspecError:
                raise Unusable("the program that reads it gave no valid answer") from None
            return self._store(_hashed_name(kind.encode(), content) + SUFFIXES[kind], found.content)

        prepared = _prepare_all({"avatar": avatar, "particle": particle, "sound": sound}, examine)
        examined_picture, examined_sound = (examined.get(kind, ExaminedFile(b"")) for kind in ("avatar", "sound"))
        notes = [
            f"{each}: {found.note}"
            for each, found in (("avatar", examined_picture.picture), ("sound", examined_sound.sound))
            if found and found.note
        ]
        return replace(prepared, notes=tuple(notes)), examined_picture.picture, examined_sound.sound

    def _prepare_file(self, kind: Kind, path: Path) -> str:
        content = _read(path)
        name = _hashed_name(kind.encode(), content) + SUFFIXES[kind]
        path = self.folder / name
        if path.exists() and _is_whole(path.read_bytes()):
            return name
        return self._store(name, _run_decoder(kind, content, self._seconds))

    def _store(self, name: str, content: bytes) -> str:
        """Writes a temporary file and renames it, so that readers see only whole files, even after a power cut."""
        path = self.folder / name
        if not path.exists() or path.read_bytes() != content:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", delete=False) as file:
                temporary = Path(file.name)
                try:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                    temporary.chmod(0o644)
                    temporary.replace(path)
                except OSError:  # the disk may be full: free the space
                    temporary.unlink()
                    raise
            sync_folder(self.folder)
        return name


def prepare_logo(path: Path) -> bytes:
    """Returns the organiser's logo at `path`, re-encoded as a WebP. Raises Unusable."""
    return _run_decoder("logo", _read(path), MAX_DECODING_SECONDS)


def _prepare_all(files: Mapping[Kind, Path | None], prepare: Callable[[Kind, Path], str]) -> PreparedMedia:
    """Calls `prepare` for all files in parallel. Collects the names that `prepare` returns, and a fault for each
    Unusable that it raises.
    """

    def name_or_fault(kind: Kind, path: Path | None) -> tuple[str, str]:
        try:
            return (prepare(kind, path) if path else ""), ""
        except Unusable as fault:
            return "", f"{kind}: {fault}"

    with ThreadPoolExecutor(len(files)) as pool:
        results = dict(zip(files, pool.map(name_or_fault, files, files.values()), strict=True))
    names = {kind: name for kind, (name, _) in results.items()}
    faults = tuple(fault for _, fault in results.values() if fault)
    return PreparedMedia(names["avatar"], names["particle"], names["sound"], faults)


def _hashed_name(kind: bytes, content: bytes) -> str:
    """Returns the first 16 hex digits of a hash of the file as sent. So the prepared file has the same name on all
    machines.
    """
    return hashlib.sha256(ENCODING_VERSION + kind + b"\0" + content).hexdigest()[:16]


def _is_whole(content: bytes) -> bool:
    """Whether a file is whole: a WebP is as long as its header says, and an Ogg ends with a complete last page."""
    if content.startswith(b"RIFF"):
        return len(content) == 8 + int.from_bytes(content[4:8], "little")
    last_page = content[content.rfind(b"OggS") :]
    is_last = len(last_page) > 27 and last_page[5] & 4
    return bool(is_last and len(last_page) == 27 + last_page[26] + sum(last_page[27 : 27 + last_page[26]]))


def _read(path: Path) -> bytes:
    try:
        return read_at_most(path, MAX_BYTES)
    except OSError as error:
        raise Unusable(f"the file can't be read: {error.strerror}") from None


def _run_decoder(kind: Kind, content: bytes, seconds: float, *options: str) -> bytes:
    """Runs the decoding process on `content` for at most `seconds`, and returns its output. Raises Unusable."""
    try:
        child = subprocess.run(  # noqa: S603  (our own program; only its input is not trusted)
            [sys.executable, "-B", "-m", "broadcast.media.worker", kind, *options],
            input=content,
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
    except subprocess.TimeoutExpired:
        raise Unusable(f"it takes more than {seconds:g} seconds to read") from None
    if child.returncode == 0 and child.stdout:
        return child.stdout
    if child.returncode == REFUSED_STATUS:
        raise Unusable(child.stderr.decode(errors="replace").strip().splitlines()[-1][:200])
    raise Unusable("it takes too much memory or time to read, or crashes the decoder")
