"""Bots' pictures and sounds and the voice's lines: only what `broadcast.media` and `broadcast.voice` have made.

The folder may come from somebody else: whatever lies in it under another name, or is no regular file, is not served.
"""

import os
import re
from http import HTTPStatus
from pathlib import PurePath

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

KINDS = {".ogg": "audio/ogg", ".webp": "image/webp"}
_NAME = re.compile(r"[\w-]{1,100}\.(?:ogg|webp)", re.ASCII)


class MediaFiles(StaticFiles):
    """The ASGI application for a folder of media; a file is of the kind that its name says, whatever is in it."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file's whole path and what is known of it; "" and None where it is none that is served."""
        return super().lookup_path(path) if _NAME.fullmatch(path) else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, which no browser takes for a page."""
        response = await super().get_response(path, scope)
        if response.status_code == HTTPStatus.OK:
            response.headers["Content-Type"] = KINDS[PurePath(path).suffix]
            response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return response
