"""Sends files to a published site. Also collects the program's own files: scripts, style sheets, fonts and licences."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from broadcast.publish.destination import CACHE_BRIEFLY, Destination, StoredFile
from broadcast.web.answers import MEDIA_TYPES
from broadcast.web.bundle import bundled_file, find_bundles, source_names
from server.paths import ASSETS, ROOT, STATIC

UPLOADS_AT_ONCE = 8
PLAIN_SCRIPTS = ("js/common/from-file.js", "js/common/to-replay.js")
"""Scripts that are not modules. They are published on their own, because bundles of scripts contain only modules."""
READABLE_FOLDER = "js/verify"
"""A folder of scripts that are also published unbundled, so that people can read them."""
_MEDIA_TYPES = {
    **MEDIA_TYPES,
    ".html": "text/html; charset=utf-8",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".seg": "application/json",
    ".ico": "image/x-icon",
}


class File(Struct, frozen=True):
    """A file of a site, with its `Cache-Control` header."""

    path: str
    content: bytes
    cache: str = CACHE_BRIEFLY


class Sender:
    """Sends files to one destination, and counts them."""

    def __init__(self, destination: Destination, step: Callable[[], None] = lambda: None) -> None:
        """`step` is called after each file."""
        self._destination = destination
        self._step = step
        self._stored: Mapping[str, StoredFile] = {}
        self.sent_count = 0
        self.unchanged_count = 0
        """The number of files that the destination already had."""

    async def send(self, files: Iterable[File]) -> None:
        """Sends `files` in any order. Returns after all files are stored. Raises DestinationError."""
        stored = self._stored = self._stored or await self._destination.list()
        slots = asyncio.Semaphore(UPLOADS_AT_ONCE)

        async def send_one(file: File) -> None:
            kind = _MEDIA_TYPES.get(Path(file.path).suffix, "text/plain; charset=utf-8")
            async with slots:
                if await self._destination.has(file.path, stored.get(file.path), file.content, kind):
                    self.unchanged_count += 1
                else:
                    await self._destination.put(file.path, file.content, kind, file.cache)
                    self.sent_count += 1
            self._step()

        tasks = [asyncio.ensure_future(send_one(file)) for file in files]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class ProgramFiles(Struct, frozen=True):
    """The program's files, keyed by path, and the name of their folder. The name changes when a file changes."""

    folder: str
    files: Mapping[str, bytes]


@cache
def program_files() -> ProgramFiles:
    """Returns the files of this program that a published site needs. Raises OSError if a file cannot be read."""
    files = dict(sorted(dict(_read_program_files()).items()))
    hashes = [hashlib.sha256(content).digest() for content in files.values()]
    version = hashlib.sha256("\n".join(files).encode() + b"".join(hashes)).hexdigest()[:16]
    return ProgramFiles(f"program/{version}", files)


def _read_program_files() -> Iterator[tuple[str, bytes]]:
    for path in (STATIC / READABLE_FOLDER).rglob("*.js"):
        yield f"static/{path.relative_to(STATIC).as_posix()}", path.read_bytes()
    for name in (*PLAIN_SCRIPTS, *source_names(find_bundles(STATIC) or STATIC)):
        yield f"static/{name}", bundled_file(STATIC / name).read_bytes()
    for folder, kind in ((STATIC, "art"), *((ASSETS, kind) for kind in ("avatars", "fonts", "particles", "sounds"))):
        for path in (folder / kind).iterdir():
            if path.suffix in MEDIA_TYPES:
                yield f"{'static' if folder == STATIC else 'assets'}/{kind}/{path.name}", path.read_bytes()
    yield "assets/favicon.ico", (ASSETS / "favicon.ico").read_bytes()
    installed = ROOT.glob("high_noon-*.dist-info/licenses/LICENSE")  # present if the program was installed from a wheel
    yield "licences/high-noon.txt", next(path for path in (*installed, ROOT / "LICENSE") if path.is_file()).read_bytes()
    yield "licences/credits.md", (ASSETS / "CREDITS.md").read_bytes()
    for path in (ASSETS / "fonts").glob("OFL-*.txt"):
        yield f"licences/{path.name}", path.read_bytes()
