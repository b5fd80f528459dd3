"""Long responses of the Docker Engine, read as they come and closed when enough was read. Knows no bots.

Requested through the library's session, since its own streams cannot be closed for certain.
"""

import contextlib
import json
import struct
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from docker import APIClient
from docker.errors import APIError
from requests import Response

from server.bots.sandbox.docker.engine import ENGINE_FAULTS

_FRAME = struct.Struct(">BxxxI")


@contextlib.contextmanager
def streamed(engine: APIClient, method: str, path: str, **request: Any) -> Iterator[Response]:
    """The response to a request, closed at the end of the `with`. Raises APIError for a refusal, ENGINE_FAULTS."""
    url = f"{engine.base_url}/v{engine.api_version}{path}"
    response = engine.request(method, url, stream=True, **request)
    try:
        if response.status_code >= 400:
            raise APIError("refused", response=response, explanation=_error_text(response))
        yield response
    finally:
        response.close()


@contextlib.contextmanager
def cut_after(response: Response, seconds: float) -> Iterator[threading.Event]:
    """Ends `response` after `seconds`, even while somebody waits for more of it; then the event is set."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        hang_up(response)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def hang_up(response: Response) -> None:
    """Ends a response from another thread than the one that reads it; the Engine stops what it was doing."""
    connection = response.raw.connection
    if connection is not None and connection.sock is not None:
        with contextlib.suppress(OSError):
            connection.sock.shutdown(2)


def objects(response: Response) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a response with one on each line; other lines are skipped."""
    for line in response.iter_lines():
        with contextlib.suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found


def frames(response: Response) -> Iterator[bytes]:
    """What a container printed, without the Engine's frame headers."""
    return (piece for _, piece in framed(response.raw))


def framed(stream: Any) -> Iterator[tuple[int, bytes]]:
    """Pairs of a file's number (1 or 2) and what was printed on it, read from the Engine's frames."""
    while len(header := stream.read(_FRAME.size)) == _FRAME.size:
        kind, size = _FRAME.unpack(header)
        yield kind, stream.read(size)


def _error_text(response: Response) -> str:
    with contextlib.suppress(ValueError, KeyError, TypeError, *ENGINE_FAULTS):
        return str(response.json()["message"])
    return f"status {response.status_code}"
