"""The program's own static files, kept in memory, so that no page waits for a disk or a thread.

A script or style sheet is served with all that it imports where it was bundled. A file that has changed on disk is read
anew. Strangers' media are not served from here.
"""

import gzip
import hashlib
from functools import partial
from pathlib import Path

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from broadcast.web.bundle import bundled
from broadcast.web.connections.processor_time import off_loop

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
"""MIME types by the ending of the name; files with other endings are not served."""
COMPRESSED = (".css", ".js", ".svg")


class StaticFile(Struct, frozen=True):
    """A file as it is served. `compressed` is its content as gzip, b"" where that makes it no smaller.

    `path` is where it was read, `stamp` its time (ns) and length (bytes) there, `kind` its MIME type, `tag` its ETag.
    """

    path: Path
    stamp: tuple[int, int]
    kind: str
    content: bytes
    compressed: bytes
    tag: str


class StaticFolder:
    """The ASGI application for the files below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[Path, StaticFile] = {}
        """By path, and not by the name asked for: each has endless other spellings, such as "js//main.js"."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("Method Not Allowed", 405, {"Allow": "GET, HEAD"})
        else:
            name = scope["path"].removeprefix(scope["root_path"]).lstrip("/")
            answer = await self._answer(name, Headers(scope=scope))
        await answer(scope, receive, send)

    async def _answer(self, name: str, asked: Headers) -> Response:
        found = await self._file(name)
        if found is None:
            return PlainTextResponse("Not Found", 404)
        headers = {"ETag": found.tag, "Vary": "Accept-Encoding"}
        if found.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if found.compressed and "gzip" in asked.get("accept-encoding", ""):
            return Response(found.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=found.kind)
        return Response(found.content, headers=headers, media_type=found.kind)

    async def _file(self, name: str) -> StaticFile | None:
        """The file of that name as it is now; None if there is none to serve."""
        path = self._folder / name
        if path.suffix not in KINDS or ".." in path.parts or "\0" in name:
            return None
        known = self._files.get(path)
        try:
            if known is None or known.stamp != _stamp(known.path):
                known = self._files[path] = await off_loop(partial(_read, path))
        except OSError:
            return None
        return known


def _read(asked: Path) -> StaticFile:
    path = bundled(asked)
    stamp, content = _stamp(path), path.read_bytes()
    compressed = gzip.compress(content, 9, mtime=0) if path.suffix in COMPRESSED else b""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return StaticFile(path, stamp, KINDS[path.suffix], content, compressed, tag)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size
