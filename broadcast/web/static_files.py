"""Serves the bots' media and the program's static files. Keeps the static files in memory, so that no page waits for a
disk or a thread.

Scripts and style sheets are served as bundles if there are any. A file that changes on disk is read again. The media
folder might have been made by somebody else. So only its regular files are served, and only with names of the form that
`broadcast.media` and `broadcast.voice` use.
"""

import gzip
import hashlib
import os
import re
from functools import partial
from http import HTTPStatus
from pathlib import Path, PurePath

from fastapi.staticfiles import StaticFiles
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from broadcast.web.answers import MEDIA_TYPES, Answer, run_in_thread
from broadcast.web.bundle import bundled_file

COMPRESSED_SUFFIXES = (".css", ".js", ".svg")
_MEDIA_NAME = re.compile(r"[\w-]{1,100}\.(?:ogg|webp)", re.ASCII)
_CachedFile = tuple[Path, tuple[int, int], Answer]
"""The path of a file, its modification time (ns) and size (bytes) when it was read, and the answer."""


class StaticFolder:
    """The ASGI application for the files below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[Path, _CachedFile] = {}
        """The cached files, keyed by Path. A Path has only one spelling, but requests can spell a file's name in
        endlessly many ways, such as "js//main.js".
        """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("Method Not Allowed", 405, {"Allow": "GET, HEAD"})
        else:
            file = await self._find(scope["path"].removeprefix(scope["root_path"]).lstrip("/"))
            answer = file.response_for(Request(scope)) if file else PlainTextResponse("Not Found", 404)
        await answer(scope, receive, send)

    async def _find(self, name: str) -> Answer | None:
        path = self._folder / name
        if path.suffix not in MEDIA_TYPES or ".." in path.parts or "\0" in name:
            return None
        cached = self._files.get(path)
        try:
            if cached is None or cached[1] != _stamp(cached[0]):
                cached = self._files[path] = await run_in_thread(partial(_read_file, path))
        except OSError:
            return None
        return cached[2]


class MediaFiles(StaticFiles):
    """The ASGI application for a folder of media. The type of a file depends on its name, not on its content."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Returns the file's full path and status. For a file that is not served, returns "" and None."""
        return super().lookup_path(path) if _MEDIA_NAME.fullmatch(path) else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Returns the file, with headers that keep browsers from treating it as a page."""
        response = await super().get_response(path, scope)
        if response.status_code == HTTPStatus.OK:
            response.headers["Content-Type"] = MEDIA_TYPES[PurePath(path).suffix]
            response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return response


def etag_header(content: bytes) -> dict[str, str]:
    """Returns the `ETag` header of a file with this content."""
    return {"ETag": f'"{hashlib.sha256(content).hexdigest()[:16]}"'}


def _read_file(source: Path) -> _CachedFile:
    path = bundled_file(source)
    stamp, content = _stamp(path), path.read_bytes()
    compressed = gzip.compress(content, 9, mtime=0) if path.suffix in COMPRESSED_SUFFIXES else b""
    return path, stamp, Answer(content, compressed, MEDIA_TYPES[path.suffix], etag_header(content))


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size
