"""Answers in gzip for browsers that take it: JSON that is kept so, and pages."""

import gzip
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of what never changes under its address."""
LEVEL = 6
"""Of compression."""


def squeezed_json(content: bytes, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """`content` is gzipped JSON of our own; `headers` are sent besides."""
    all_headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, headers={**all_headers, "Content-Encoding": "gzip"}, media_type="application/json")
    return Response(gzip.decompress(content), headers=all_headers, media_type="application/json")


def squeezed_page(page: Response, request: Request) -> Response:
    """The same `page`, gzipped where the browser takes that: on a slow line it is there sooner."""
    page.headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        page.body = gzip.compress(bytes(page.body), LEVEL, mtime=0)
        page.headers["Content-Encoding"] = "gzip"
        page.headers["Content-Length"] = str(len(page.body))
    return page
