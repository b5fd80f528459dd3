"""The house's own files, kept in memory, so that no page waits for a disk or a thread.

A script or sheet asked for with `?whole` brings all that it imports in one file. What has changed on disk is read
anew. Strangers' media are not served from here.
"""

import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from broadcast.web.bundle import bound, parts_of

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""What is served, by the end of its name; nothing else is."""
BOUND = (".css", ".js")
SQUEEZED = (*BOUND, ".svg")


class Book(Struct, frozen=True):
    """A file as it was read; `small` is the same for browsers that take gzip, b"" where that gains nothing.

    `stamps` tells of which files it was made, and how those were.
    """

    stamps: dict[Path, tuple[int, int]]
    kind: str
    content: bytes
    small: bytes
    tag: str


class Shelf:
    """The ASGI application for the files below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._books: dict[tuple[str, bool], Book] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("Method Not Allowed", 405, {"Allow": "GET, HEAD"})
        else:
            name, whole = scope["path"].removeprefix(scope["root_path"]).lstrip("/"), scope["query_string"] == b"whole"
            answer = self._answer(name, whole, Headers(scope=scope))
        await answer(scope, receive, send)

    def _answer(self, name: str, whole: bool, asked: Headers) -> Response:
        book = self._book(name, whole)
        if book is None:
            return PlainTextResponse("Not Found", 404)
        headers = {"ETag": book.tag, "Vary": "Accept-Encoding"}
        if book.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if book.small and "gzip" in asked.get("accept-encoding", ""):
            return Response(book.small, headers={**headers, "Content-Encoding": "gzip"}, media_type=book.kind)
        return Response(book.content, headers=headers, media_type=book.kind)

    def _book(self, name: str, whole: bool) -> Book | None:
        """The file of that name as it is now; None if there is none to serve."""
        path = self._folder / name
        if path.suffix not in KINDS or ".." in path.parts or "\0" in name:
            return None
        known = self._books.get((name, whole))
        try:
            if known is None or known.stamps != _stamps(known.stamps):
                known = self._books[name, whole] = _read(path, whole and path.suffix in BOUND)
        except OSError:
            return None
        return known


def _read(path: Path, whole: bool) -> Book:
    parts = parts_of(path) if whole else [path]
    stamps = _stamps(parts)
    content = bound(parts).encode() if whole else path.read_bytes()
    small = gzip.compress(content, 9, mtime=0) if path.suffix in SQUEEZED else b""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return Book(stamps, KINDS[path.suffix], content, small, tag)


def _stamps(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """When each file was written, in nanoseconds, and its length in bytes; OSError where one is missing."""
    states = {path: path.stat() for path in paths}
    return {path: (state.st_mtime_ns, state.st_size) for path, state in states.items()}
