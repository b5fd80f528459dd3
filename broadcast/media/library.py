"""The bots' pictures and sounds: what strangers sent is made safe once and kept under hashed names.

Never decodes anything itself: that happens in another process. Never refuses a bot: a file that can't be used means
the default and a reason.
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

from broadcast.media.findings import Hearing, Portrait, Study
from broadcast.media.worker import REFUSED, Kind
from server.journal.journal import sync_folder
from server.paths import ROOT

RECIPE = b"1"
"""Part of every name: a new recipe prepares every file anew."""
MAX_BYTES = 10_000_000
SECONDS = 30.0
SUFFIX: dict[Kind, str] = {"avatar": ".webp", "particle": ".webp", "sound": ".ogg"}
ENVIRONMENT = {"PATH": "", "OPENBLAS_NUM_THREADS": "1"}
"""No secret to steal and no program to start; one thread, because each would reserve memory."""


Seen = TypeVar("Seen", Portrait, Hearing)


class Prepared(Struct, frozen=True):
    """Names of files in the gallery, "" where the default is shown, and in words why."""

    avatar: str = ""
    particle: str = ""
    sound: str = ""
    faults: tuple[str, ...] = ()


class Unusable(Exception):
    """Why a file is not taken, in words for its author."""


class Gallery:
    """A folder of media that are safe to serve. A name never changes its content."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self.folder = folder
        self._seconds = seconds
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, path: Path) -> str:
        """The name of one of our own files, which is served as it is."""
        content = path.read_bytes()
        return self._store(_name(b"ours", content) + path.suffix, content)

    def sound_ms(self, name: str) -> int:
        """How long a sound of the gallery plays, in milliseconds; 0 for none.

        From its last page: the position there, counted in samples, and the rate in the Vorbis header (Ogg, RFC 3533).
        """
        if not name:
            return 0
        content = (self.folder / name).read_bytes()
        last_page, header = content.rfind(b"OggS"), content.find(b"\x01vorbis")
        samples = int.from_bytes(content[last_page + 6 : last_page + 14], "little")
        rate = int.from_bytes(content[header + 12 : header + 16], "little")
        return samples * 1000 // rate

    def prepare(self, avatar: Path | None = None, particle: Path | None = None, sound: Path | None = None) -> Prepared:
        """A stranger's media made safe; None is no file and no fault. What was prepared before takes no time."""
        files: dict[Kind, Path | None] = {"avatar": avatar, "particle": particle, "sound": sound}
        with ThreadPoolExecutor(len(files)) as pool:
            results = dict(zip(files, pool.map(self._name_or_fault, files, files.values()), strict=True))
        names = {kind: name for kind, (name, _) in results.items()}
        faults = tuple(fault for _, fault in results.values() if fault)
        return Prepared(names["avatar"], names["particle"], names["sound"], faults)

    def portrait(self, path: Path) -> Portrait:
        """A stranger's picture as it came. Raises Unusable."""
        return self._studied("portrait", path, Portrait)

    def hearing(self, path: Path) -> Hearing:
        """A stranger's sound as a meter reads it, before and after. Raises Unusable."""
        return self._studied("hearing", path, Hearing)

    def _studied(self, kind: Study, path: Path, seen: type[Seen]) -> Seen:
        try:
            return msgspec.json.decode(_made_safe(kind, _read(path), self._seconds), type=seen)
        except msgspec.MsgspecError:
            raise Unusable("what reads it has lost its way") from None

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
        """Written beside and moved into place: nobody is ever served half a file, and no power loss leaves one."""
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
    """16 hexadecimal digits that stand for what came in, so that one file has one name on every machine."""
    return hashlib.sha256(RECIPE + kind + b"\0" + content).hexdigest()[:16]


def _is_whole(content: bytes) -> bool:
    """Whether a file we prepared is all there: a WebP as long as its head says, an Ogg up to its last page."""
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


def _made_safe(kind: Kind | Study, content: bytes, seconds: float) -> bytes:
    """What the intake makes of a file. Raises Unusable with its reason."""
    try:
        intake = subprocess.run(  # noqa: S603  our own program; what is not trusted is its input
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
    if intake.returncode == 0 and intake.stdout:
        return intake.stdout
    if intake.returncode == REFUSED:
        raise Unusable(intake.stderr.decode(errors="replace").strip().splitlines()[-1][:200])
    raise Unusable("it takes too much memory or time to read, or breaks what reads it")
