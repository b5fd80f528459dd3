"""The house's own files, kept in memory: a page is some sixty small ones, and none should wait for a disk or a thread.

A file is looked at anew when it has changed on disk. Strangers' media are not served from here.
"""

import gzip
import hashlib
import os
from pathlib import Path

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

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
SQUEEZED = (".css", ".js", ".svg")


class Book(Struct, frozen=True):
    """A file as it was read; `small` is the same for browsers that take gzip, b"" where that gains nothing."""

    stamp: tuple[int, int]
    kind: str
    content: bytes
    small: bytes
    tag: str


class Shelf:
    """The ASGI application for the files below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._books: dict[str, Book] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("Method Not Allowed", 405, {"Allow": "GET, HEAD"})
        else:
            answer = self._answer(scope["path"].removeprefix(scope["root_path"]).lstrip("/"), Headers(scope=scope))
        await answer(scope, receive, send)

    def _answer(self, name: str, asked: Headers) -> Response:
        book = self._book(name)
        if book is None:
            return PlainTextResponse("Not Found", 404)
        headers = {"ETag": book.tag, "Vary": "Accept-Encoding"}
        if book.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if book.small and "gzip" in asked.get("accept-encoding", ""):
            return Response(book.small, headers={**headers, "Content-Encoding": "gzip"}, media_type=book.kind)
        return Response(book.content, headers=headers, media_type=book.kind)

    def _book(self, name: str) -> Book | None:
        """The file of that name as it is now; None if there is none to serve."""
        path = self._folder / name
        kind = KINDS.get(path.suffix)
        if kind is None or ".." in path.parts or "\0" in name:
            return None
        try:
            state = path.stat()
        except OSError:
            return None
        known = self._books.get(name)
        if known is None or known.stamp != (state.st_mtime_ns, state.st_size):
            known = self._books[name] = _read(path, kind, state)
        return known


def _read(path: Path, kind: str, state: os.stat_result) -> Book:
    content = path.read_bytes()
    small = gzip.compress(content, 9, mtime=0) if path.suffix in SQUEEZED else b""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return Book((state.st_mtime_ns, state.st_size), kind, content, small, tag)
