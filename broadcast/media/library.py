"""The bots' pictures and sounds: what strangers sent is made safe once and kept under hashed names.

Decodes nothing itself: `broadcast.media.worker` does, in another process. Where a file cannot be used the bot gets the
default, and a reason in words.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from broadcast.media.findings import FindingsKind, PictureFindings, SoundFindings
from broadcast.media.worker import REFUSED, Kind
from server.journal.journal import sync_folder
from server.paths import ROOT

RECIPE = b"1"
"""Part of every name: change it, and every file is prepared anew."""
MAX_BYTES = 10_000_000
SECONDS = 30.0
SUFFIX: dict[Kind, str] = {"avatar": ".webp", "particle": ".webp", "sound": ".ogg"}
ENVIRONMENT = {"PATH": "", "OPENBLAS_NUM_THREADS": "1"}
"""For the child process: no secret to steal, no program to start, and one thread, as each would reserve memory."""


Findings = TypeVar("Findings", PictureFindings, SoundFindings)


class Prepared(Struct, frozen=True):
    """A bot's media: names of files in the folder, "" for the default. `faults` say why a file was not used."""

    avatar: str = ""
    particle: str = ""
    sound: str = ""
    faults: tuple[str, ...] = ()


class Unusable(Exception):
    """A file cannot be used; the message says why, for its author, without its subject ("it is silent")."""


class Gallery:
    """A folder of media that are safe to serve. What is served under a name never changes."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self.folder = folder
        self._seconds = seconds
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, path: Path) -> str:
        """Takes in one of our own files as it is, and gives back its name here. Raises OSError."""
        content = path.read_bytes()
        return self._store(_name(b"ours", content) + path.suffix, content)

    def sound_ms(self, name: str) -> int:
        """How long a sound of that name plays, in milliseconds; 0 for the name "". Raises OSError where there is none.

        Read from the position on its last page, in samples, and the rate in the Vorbis header (Ogg, RFC 3533).
        """
        if not name:
            return 0
        content = (self.folder / name).read_bytes()
        last_page, header = content.rfind(b"OggS"), content.find(b"\x01vorbis")
        samples = int.from_bytes(content[last_page + 6 : last_page + 14], "little")
        rate = int.from_bytes(content[header + 12 : header + 16], "little")
        return samples * 1000 // rate

    def prepare(self, avatar: Path | None = None, particle: Path | None = None, sound: Path | None = None) -> Prepared:
        """Makes a stranger's files safe, unless that was done before. None is no file and no fault.

        Raises OSError where the folder cannot be written.
        """
        files: dict[Kind, Path | None] = {"avatar": avatar, "particle": particle, "sound": sound}
        with ThreadPoolExecutor(len(files)) as pool:
            results = dict(zip(files, pool.map(self._name_or_fault, files, files.values()), strict=True))
        names = {kind: name for kind, (name, _) in results.items()}
        faults = tuple(fault for _, fault in results.values() if fault)
        return Prepared(names["avatar"], names["particle"], names["sound"], faults)

    def picture_findings(self, path: Path) -> PictureFindings:
        """What a stranger's picture is, before it is squared. Raises Unusable."""
        return self._findings("picture_findings", path, PictureFindings)

    def sound_findings(self, path: Path) -> SoundFindings:
        """What a stranger's sound is, with its loudness before and after it is levelled. Raises Unusable."""
        return self._findings("sound_findings", path, SoundFindings)

    def _findings(self, kind: FindingsKind, path: Path, findings: type[Findings]) -> Findings:
        try:
            return msgspec.json.decode(_made_safe(kind, _read(path), self._seconds), type=findings)
        except msgspec.MsgspecError:
            raise Unusable("the program that reads it gave no proper answer") from None

    def _name_or_fault(self, kind: Kind, path: Path | None) -> tuple[str, str]:
        try:
            return (self._prepared(kind, path) if path else ""), ""
        except Unusable as fault:
            return "", f"{kind}: {fault}"

    def _prepared(self, kind: Kind, path: Path) -> str:
        content = _read(path)
        name = _name(kind.encode(), content) + SUFFIX[kind]
        path = self.folder / name
        if path.exists() and _is_whole(path.read_bytes()):
            return name
        return self._store(name, _made_safe(kind, content, self._seconds))

    def _store(self, name: str, content: bytes) -> str:
        """Writes beside and moves into place: nobody is ever served half a file, and no power loss leaves one."""
        path = self.folder / name
        if not path.exists() or path.read_bytes() != content:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", delete=False) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
            sync_folder(self.folder)
        return name


def _name(kind: bytes, content: bytes) -> str:
    """16 hexadecimal digits of a hash of what came in: one file has one name on every machine."""
    return hashlib.sha256(RECIPE + kind + b"\0" + content).hexdigest()[:16]


def _is_whole(content: bytes) -> bool:
    """Whether a file that we prepared is complete: a WebP as long as its head says, an Ogg up to its last page."""
    if content.startswith(b"RIFF"):
        return len(content) == 8 + int.from_bytes(content[4:8], "little")
    last_page = content[content.rfind(b"OggS") :]
    is_last = len(last_page) > 27 and last_page[5] & 4
    return bool(is_last and len(last_page) == 27 + last_page[26] + sum(last_page[27 : 27 + last_page[26]]))


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise Unusable("there is no such file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unusable(f"the file can't be read: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise Unusable(f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    return content


def _made_safe(kind: Kind | FindingsKind, content: bytes, seconds: float) -> bytes:
    """What the child process makes of a file, within `seconds`. Raises Unusable with its reason."""
    try:
        child = subprocess.run(  # noqa: S603  our own program; what is not trusted is its input
            [sys.executable, "-B", "-m", "broadcast.media.worker", kind],
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
    if child.returncode == REFUSED:
        raise Unusable(child.stderr.decode(errors="replace").strip().splitlines()[-1][:200])
    raise Unusable("it takes too much memory or time to read, or breaks what reads it")
