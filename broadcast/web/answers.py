"""Keeps answers that all visitors share. Each answer is made in a thread, and made again only if its data have changed.
Answers are kept plain and gzipped.

The processor time of a request in the event loop and in threads is charged to the sender of the request.
"""

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Mapping
from contextvars import ContextVar
from types import MappingProxyType, coroutine
from typing import Any, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.templating import Jinja2Templates

Gather = Callable[[], Awaitable[object]]
MAX_CACHED = 64
"""At most this many answers are kept."""
MAX_IN_PROGRESS = 2
"""The maximum number of answers that are made at once. The number is low, so that the event loop gets time, too."""
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Headers of content that never changes at its address."""
GZIP_LEVEL = 6
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""MIME types by file name extension. Static files with other extensions are not served."""
JSON = "application/json"
HTML = "text/html"
Charge = Callable[[float, float], object]
"""Gets two times in seconds: the processor time that a request used, and how long it blocked other requests. The
second time may be longer than the first.
"""
Result = TypeVar("Result")
_charge: ContextVar[Charge] = ContextVar("charge", default=lambda _cpu, _waited: None)


class Answer(Struct, frozen=True):
    """An answer for everybody, plain and gzipped. `gzip` is b"" if compression would not save enough.

    If the headers include an `ETag`, a browser that already has the answer gets status 304.
    """

    plain: bytes
    gzip: bytes
    media_type: str = HTML
    headers: Mapping[str, str] = {}

    def response_for(self, request: Request) -> Response:
        """Returns the answer to one request, gzipped if the browser accepts that."""
        headers = {"Vary": "Accept-Encoding", **self.headers}
        if "ETag" in headers and headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if not self.gzip or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, headers=headers, media_type=self.media_type)
        return Response(self.gzip, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type)


def compressed_answer(
    plain: bytes, media_type: str = HTML, headers: Mapping[str, str] = MappingProxyType({}), level: int = GZIP_LEVEL
) -> Answer:
    """Returns an answer with this content, plain and gzipped."""
    return Answer(plain, gzip.compress(plain, level, mtime=0), media_type, headers)


def gzipped_json(content: bytes, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """Returns a response with `headers` and with JSON that this program has already gzipped."""
    accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
    return Answer(b"" if accepts_gzip else gzip.decompress(content), content, JSON, headers or {}).response_for(request)


class AnswerCache:
    """The latest answers, under keys that the caller chooses. The least recently used answers are dropped first."""

    def __init__(self) -> None:
        self.made_count = 0
        """How many answers have been made."""
        self._cache: OrderedDict[Hashable, tuple[object, asyncio.Task[Answer]]] = OrderedDict()
        self._making = asyncio.Semaphore(MAX_IN_PROGRESS)

    async def get(
        self, key: Hashable, state: object, make: Callable[[], Answer], gather: Gather | None = None
    ) -> Answer:
        """Returns the answer that is kept for `key` and `state`. If there is none, makes it with `make`.

        Awaits `gather` and then runs `make` in a thread. Requests that arrive meanwhile get the same answer. Raises
        what `gather` and `make` raise. A failed answer is not kept.
        """
        cached = self._cache.get(key)
        if cached is None or cached[0] != state or _has_failed(cached[1]):
            cached = self._cache[key] = state, asyncio.create_task(self._make(make, gather))
        self._cache.move_to_end(key)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return await asyncio.shield(cached[1])

    async def page(
        self,
        request: Request,
        templates: Jinja2Templates,
        template: str,
        values: Mapping[str, object] | Callable[[], Awaitable[Mapping[str, object]]],
        *,
        key: Hashable = None,
        state: object = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Response:
        """Renders `template` with `values`, and keeps the page for all visitors with the same `key`. Each layout for
        which the query may ask (`loose`, `shape`) has a page of its own.

        The page is made again when `state` changes. Without a state, it is made again when `values` changes. With a
        state, `values` may be a function, which is called only when the page is made.
        """
        query, shape = request.query_params, request.query_params.get("shape")
        layout = "loose" in query, shape if shape in ("tall", "wide") else ""
        context: dict[str, object] = {"request": request}

        def make() -> Answer:
            return compressed_answer(templates.get_template(template).render(context).encode(), headers=headers)

        async def gather() -> None:
            context.update(await values() if callable(values) else values)

        return (await self.get((template, layout, key), values if state is None else state, make, gather)).response_for(
            request
        )

    async def _make(self, make: Callable[[], Answer], gather: Gather | None) -> Answer:
        async with self._making:
            self.made_count += 1
            if gather:
                await gather()
            return await run_in_thread(make)


def _has_failed(task: asyncio.Task[Answer]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


@coroutine
def charge_steps(work: Awaitable[None], charge: Charge) -> Generator[Any, Any, None]:
    """Awaits `work`. Calls `charge` after each step of `work` in the event loop, and after each call of
    `run_in_thread`.
    """
    _charge.set(charge)
    steps: Any = work.__await__()
    step, value = steps.send, None
    while True:
        start, cpu_start = time.perf_counter(), time.thread_time()
        try:
            awaited = step(value)
        except StopIteration:
            return
        finally:
            charge(time.thread_time() - cpu_start, time.perf_counter() - start)
        try:
            step, value = steps.send, (yield awaited)
        except BaseException as error:  # `work` may handle the error
            step, value = steps.throw, error


async def run_in_thread(work: Callable[[], Result]) -> Result:
    """Runs `work` in a thread, returns the result, and charges the processor time to the current request."""
    seconds = 0.0

    def timed_work() -> Result:
        nonlocal seconds
        start = time.thread_time()
        try:
            return work()
        finally:
            seconds = time.thread_time() - start

    try:
        return await asyncio.to_thread(timed_work)
    finally:
        _charge.get()(seconds, seconds)
