"""Answers with JSON that is kept gzipped: as it is, or unpacked for a browser that does not take gzip."""

import gzip
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of what never changes under its address."""


def squeezed_json(content: bytes, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """`content` is gzipped JSON of our own; `headers` are sent besides."""
    all_headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, headers={**all_headers, "Content-Encoding": "gzip"}, media_type="application/json")
    return Response(gzip.decompress(content), headers=all_headers, media_type="application/json")
