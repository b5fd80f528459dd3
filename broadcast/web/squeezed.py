"""Answers in gzip for browsers that take it: JSON that is kept so, and pages."""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of what never changes under its address."""
LEVEL = 6
"""Of compression."""
PLAIN_KEPT = 16
"""Answers that are kept decompressed for browsers that take no gzip, the latest."""
JSON = "application/json"
HTML = "text/html"


class Answer(Struct, frozen=True):
    """What is sent to everybody who asks for the same: its content, also as gzip."""

    plain: bytes
    gzip: bytes
    media_type: str = HTML
    headers: Mapping[str, str] = {}

    def to(self, request: Request) -> Response:
        """The answer to one request, in gzip where that is taken."""
        headers = {"Vary": "Accept-Encoding", **self.headers}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, headers=headers, media_type=self.media_type)
        return Response(self.gzip, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type)


def squeezed(
    plain: bytes, media_type: str = HTML, headers: Mapping[str, str] = MappingProxyType({}), level: int = LEVEL
) -> Answer:
    """An answer of this content, compressed."""
    return Answer(plain, gzip.compress(plain, level, mtime=0), media_type, headers)


def squeezed_json(content: bytes, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """`content` is gzipped JSON of our own; `headers` are sent besides."""
    takes = "gzip" in request.headers.get("accept-encoding", "")
    return Answer(b"" if takes else _plain(content), content, JSON, headers or {}).to(request)


@lru_cache(PLAIN_KEPT)
def _plain(content: bytes) -> bytes:
    return gzip.decompress(content)
