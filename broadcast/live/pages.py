"""The addresses from which a page gets what has been on air, and nothing newer: an index, and the segments."""

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from broadcast.live.channel import NEVER, LiveChannel
from broadcast.web.squeezed import FOR_EVER, squeezed_json

MOST_DIGITS = 7
MOST_LETTERS = 40
"""Of a channel's name that is repeated."""


class LivePages:
    """`/live/CHANNEL/index.json`, and in `/live/CHANNEL/EPOCH/` `N.hands`, `N.seg` and `open.json`."""

    def __init__(self, channels: Mapping[str, LiveChannel], absent: Callable[[str], str]) -> None:
        """`absent` says why there is no such channel and will be none, "" if it may still be opened."""
        self._channels = channels
        self._absent = absent

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of all channels."""
        return (
            Route("/live/{channel}/index.json", self.index),
            Route("/live/{channel}/{epoch}/open.json", self.open_segment),
            Route("/live/{channel}/{epoch}/{number}.hands", self.block),
            Route("/live/{channel}/{epoch}/{number}.seg", self.segment),
        )

    async def index(self, request: Request) -> Response:
        """What has been on air: the hands, or with `?since=N` those from number N on."""
        name = request.path_params["channel"]
        channel = self._channels.get(name)
        if channel is None:
            return self._no_channel(name)
        return channel.index(_number(request.query_params.get("since", "")) or 0).to(request)

    async def open_segment(self, request: Request) -> Response:
        """The segment that still grows, up to now."""
        channel = self._in_epoch(request)
        if isinstance(channel, Response):
            return channel
        return channel.open_segment().to(request)

    async def block(self, request: Request) -> Response:
        """Hands that an index leaves out."""
        channel, number = self._in_epoch(request), _number(request.path_params["number"])
        if isinstance(channel, Response):
            return channel
        block = None if number is None else channel.block(number)
        return block.to(request) if block else _no("Not all of these hands have been on air.")

    async def segment(self, request: Request) -> Response:
        """A segment that has ended on air."""
        channel, number = self._in_epoch(request), _number(request.path_params["number"])
        if isinstance(channel, Response):
            return channel
        content = b"" if number is None else channel.segment(number)
        if not content:
            return _no("This segment has not been on air, or is kept no longer: the index says which there are.")
        return squeezed_json(content, request, FOR_EVER)

    def _in_epoch(self, request: Request) -> LiveChannel | Response:
        """The channel that an address means, or the answer where it means none."""
        name = request.path_params["channel"]
        channel = self._channels.get(name)
        if channel is None:
            return self._no_channel(name)
        if channel.epoch != request.path_params["epoch"]:
            return _no("This show began anew: the index names its epoch.")
        return channel

    def _no_channel(self, name: str) -> Response:
        return _no(self._absent(name) or f"There is no channel {name[:MOST_LETTERS]} yet.")


def _no(why: str) -> Response:
    return JSONResponse({"error": why}, 404, NEVER)


def _number(text: str) -> int | None:
    """A whole number in digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
