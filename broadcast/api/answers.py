"""Makes the answers of the API, each with an `ETag`. All callers get the same bytes. Also reads numbers in queries."""

from collections.abc import Awaitable, Callable, Hashable

import msgspec
from fastapi import Request
from fastapi.responses import Response

from broadcast.web.answers import JSON, Answer, AnswerCache, compressed_answer
from broadcast.web.routes import JsonError
from broadcast.web.static_files import etag_header


class ApiAnswers:
    """Keeps the latest answers. Each answer is made once for everybody, and again when its data have changed."""

    def __init__(self) -> None:
        self._cache = AnswerCache()

    async def respond(
        self, request: Request, key: Hashable, state: object, make: Callable[[], Awaitable[object]]
    ) -> Response:
        """Returns the result of `make` as JSON. Returns status 304 if the requesting program already has this result.

        `key` says which answer is requested, and `state` changes when the answer's data change. `make` is called once
        for each `key` and `state`. Raises what `make` raises.
        """
        made: list[object] = []

        async def gather() -> None:
            made.append(await make())

        return (await self._cache.get(key, state, lambda: json_with_etag(made[0]), gather)).response_for(request)


def json_with_etag(content: object, media_type: str = JSON) -> Answer:
    """Returns `content` as JSON, with an `ETag`."""
    text = msgspec.json.encode(content)
    return compressed_answer(text, media_type, etag_header(text))


def number_in_query(text: str, name: str, default: int, max_value: int) -> int:
    """Returns the whole number in `text`, the value of the query's parameter `name`. Returns `default` if `text` is
    empty. Raises JsonError (400) if `text` is not a number from 0 to `max_value`.
    """
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(max_value)) and int(text) <= max_value):
        raise JsonError(400, f"{name} must be a whole number from 0 to {max_value}, not {text[:40]!r}")
    return int(text)
