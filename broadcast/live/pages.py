"""The addresses from which a page gets what has been on air, and nothing newer: an index, and the segments."""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from msgspec import Struct

from broadcast.film.outline import FilmHand
from broadcast.film.segments import Segment
from broadcast.live.channel import NEVER, LiveChannel, LiveIndex
from broadcast.web.answers import FOR_EVER, squeezed_json
from broadcast.web.routes import JsonError, Route

MOST_DIGITS = 7
_BEYOND = 10**MOST_DIGITS
"""The number of no hand."""
MOST_LETTERS = 40
"""Of a channel's name that is repeated."""
Since = Annotated[str, Query(description="The number of the first hand that is wanted")]


class Block(Struct, frozen=True):
    """Hands that an index leaves out."""

    hands: list[FilmHand]


class LivePages:
    """`/live/CHANNEL/index.json`, and in `/live/CHANNEL/EPOCH/` `N.hands`, `N.seg` and `open.json`."""

    def __init__(self, channels: Mapping[str, LiveChannel], absent: Callable[[str], str]) -> None:
        """`absent` says why there is no such channel and will be none, "" if it may still be opened."""
        self._channels = channels
        self._absent = absent

    def router(self) -> APIRouter:
        """The routes of all channels."""
        router = APIRouter(route_class=Route)
        router.add_api_route("/live/{channel}/index.json", self.index, response_model=LiveIndex)
        router.add_api_route("/live/{channel}/{epoch}/open.json", self.open_segment, response_model=Segment)
        router.add_api_route("/live/{channel}/{epoch}/{number}.hands", self.block, response_model=Block)
        router.add_api_route("/live/{channel}/{epoch}/{number}.seg", self.segment, response_model=Segment)
        return router

    async def index(self, request: Request, channel: str, since: Since = "") -> Response:
        """What has been on air: the hands, or with `?since=N` those from number N on."""
        return self._found(channel).index(_number(since, 0)).to(request)

    async def open_segment(self, request: Request, channel: str, epoch: str) -> Response:
        """The segment that still grows, up to now."""
        return self._found(channel, epoch).open_segment().to(request)

    async def block(self, request: Request, channel: str, epoch: str, number: str) -> Response:
        """Hands that an index leaves out."""
        block = self._found(channel, epoch).block(_number(number, _BEYOND))
        if block is None:
            raise _no("Not all of these hands have been on air.")
        return block.to(request)

    async def segment(self, request: Request, channel: str, epoch: str, number: str) -> Response:
        """A segment that has ended on air."""
        content = self._found(channel, epoch).segment(_number(number, _BEYOND))
        if not content:
            raise _no("This segment has not been on air, or is kept no longer: the index says which there are.")
        return squeezed_json(content, request, FOR_EVER)

    def _found(self, name: str, epoch: str | None = None) -> LiveChannel:
        """The channel that an address means. Raises JsonError (404)."""
        channel = self._channels.get(name)
        if channel is None:
            raise _no(self._absent(name) or f"There is no channel {name[:MOST_LETTERS]} yet.")
        if epoch not in (None, channel.epoch):
            raise _no("This show began anew: the index names its epoch.")
        return channel


def _no(why: str) -> JsonError:
    return JsonError(404, why, NEVER)


def _number(text: str, default: int) -> int:
    """A whole number in digits; `default` for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else default
