"""Keeps everything that has been on air on a channel, and serves it to viewers who join late or look back.

A page gets an index and, for each hand, a segment with the hand's entries. Both contain only what has been on air.
"""

import time
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.outline import FilmHand, Outline
from broadcast.film.segments import Segment, SegmentLog
from broadcast.live.schedule import Schedule, ScheduleRecorder
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from broadcast.web.answers import IMMUTABLE, JSON, Answer, compressed_answer, gzipped_json
from broadcast.web.routes import JsonError, Route, whole_number
from server.game.events import ControlSet

KEPT_BYTES = 8 << 20
"""The size limit of a channel's gzipped segments, enough for about two thousand hands."""
SLACK_MS = 1500
"""If the next entry is more than this many milliseconds late, viewers are told that the show is waiting."""
RECENT_HANDS = 4
"""A page that lacks at most this many hands gets an index with only the latest hands. All other pages get an index with
the hands after the last full block of HANDS_PER_BLOCK hands, and load the blocks separately.
"""
HANDS_PER_BLOCK = 64
"""The number of hands in a block. Ended hands never change, so pages load a full block only once. The index stays small
without these hands.
"""
FRESH_SECONDS = 0.25
"""While nothing goes on air, an index is reused for this many seconds, because strangers might request it a thousand
times a second.
"""
GZIP_LEVEL = 1
"""A fast compression level, because the event loop waits for the compression. Level 4 takes twice as long and saves an
eighth of the bytes.
"""
CACHE_ONE_SECOND = {"Cache-Control": "max-age=1"}
NO_STORE = {"Cache-Control": "no-store"}
_NO_HAND = 10**7
"""A number that no hand has."""
MAX_NAME_CHARACTERS = 40
Since = Annotated[str, Query(description="The number of the first hand to return")]
Condition = Literal["live", "waiting", "paused", "over"]


class LiveIndex(Struct, frozen=True, omit_defaults=True):
    """The index of a live show: what a page needs before it can show any moment. Times are milliseconds of the show,
    except `now_utc_ms`.

    `epoch` is the id of this run of the show. `last` is the number of the last entry on air, and `at_ms` is the current
    moment. `first` is the number of the first available segment, and `open` is the number of the segment that is still
    growing. `outline` has the hands from number `since` on. Earlier hands are in `blocks` blocks. If `blocks` is 0,
    there are no earlier hands, or the page has them all. The times in the `schedule` are milliseconds since 1970.
    `goes_on` says that another contest follows this one.
    """

    epoch: str
    now_utc_ms: int
    at_ms: int
    speed: float
    state: Condition
    last: int
    first: int
    open: int
    since: int
    outline: Outline
    schedule: Schedule
    goes_on: bool = False
    blocks: int = 0


class LiveChannel:
    """The segments and the index of what is on `air`.

    `clock` returns monotonic seconds, and `utc_clock` returns seconds since 1970. All segments together have at most
    `kept_bytes`.
    """

    def __init__(
        self, air: AirLog, clock: Callable[[], float], kept_bytes: int, utc_clock: Callable[[], float] = time.time
    ) -> None:
        self.epoch = air.epoch
        self.schedule = ScheduleRecorder()
        self.goes_on = False
        """Whether another contest follows on this channel, as in a season. Then the show is not over."""
        self._air = air
        self._clock = clock
        self._utc_clock = utc_clock
        self.segments = SegmentLog(air, kept_bytes)
        """The segments of what has been on air (the oldest are dropped to save space), and the outline of all hands."""
        self._last_entry_at = clock()
        self._hold_ms = 0
        self._is_paused = False
        self._answers: dict[bool, tuple[float, Answer]] = {}
        """The two indexes, each with the time when it was made. The key `True` is for pages that lack only the latest
        hands.
        """
        self._blocks: dict[int, Answer] = {}
        self._open_answer: tuple[int, Answer] | None = None
        """The open segment as an answer, with the number of the last entry in it."""
        air.recorders.add(self._record)

    def index(self, since: int = 0) -> Answer:
        """Returns the `LiveIndex`, as JSON, for a page that has the hands before number `since`. The page may have to
        load some of the later hands as blocks.
        """
        hand_count, now = len(self.segments.closed_segments), self._clock()
        first_recent, block_count = max(0, hand_count - RECENT_HANDS), hand_count // HANDS_PER_BLOCK
        made_at, answer = self._answers.get(since >= first_recent, (0.0, None))
        if answer is None or now - made_at >= FRESH_SECONDS:
            index = (
                self.make_index(first_recent)
                if since >= first_recent
                else replace(self.make_index(block_count * HANDS_PER_BLOCK), blocks=block_count)
            )
            answer = compressed_answer(msgspec.json.encode(index), JSON, CACHE_ONE_SECOND, GZIP_LEVEL)
            self._answers[since >= first_recent] = now, answer
        return answer

    def block(self, number: int) -> Answer | None:
        """Returns the hands of block `number` as JSON, or None if some of these hands have not ended."""
        begin, end = number * HANDS_PER_BLOCK, (number + 1) * HANDS_PER_BLOCK
        if number not in self._blocks and end <= len(self.segments.closed_segments):
            block = {"hands": self.segments.outline.hands[begin:end]}
            self._blocks[number] = compressed_answer(msgspec.json.encode(block), JSON, IMMUTABLE)
        return self._blocks.get(number)

    def make_index(self, since: int) -> LiveIndex:
        """Returns the current index with the hands from number `since` on."""
        segments, outline = self.segments, self.segments.outline
        passed_ms = int((self._clock() - self._last_entry_at) * 1000)
        at_ms, now_utc_ms = self._air.at_ms + passed_ms, int(self._utc_clock() * 1000)
        return LiveIndex(
            epoch=self.epoch,
            now_utc_ms=now_utc_ms,
            at_ms=at_ms,
            speed=self._air.pace,
            state=self._condition(passed_ms),
            last=self._air.last_seq,
            first=segments.first_kept,
            open=len(segments.closed_segments),
            since=since,
            outline=replace(outline, hands=outline.hands[since:]),
            schedule=self.schedule.schedule_at(at_ms, now_utc_ms, self._air.pace),
            goes_on=self.goes_on,
        )

    @property
    def state(self) -> Condition:
        """The condition of the show at this moment."""
        return self._condition(int((self._clock() - self._last_entry_at) * 1000))

    def is_over(self, seconds: float = 0) -> bool:
        """Whether the show has ended, and nothing has gone on air for `seconds`."""
        return self._has_ended and self._clock() - self._last_entry_at >= seconds

    def segment(self, number: int) -> bytes:
        """Returns a finished segment as gzipped JSON, or b"" if the segment does not exist or is no longer kept."""
        closed = self.segments.closed_segments
        return closed[number] if number < len(closed) else b""

    def open_segment(self) -> Answer:
        """Returns the segment that is still growing, as JSON."""
        if self._open_answer is None or self._open_answer[0] != self._air.last_seq:
            self._open_answer = (
                self._air.last_seq,
                compressed_answer(self.segments.open_segment.to_json(), JSON, NO_STORE, GZIP_LEVEL),
            )
        return self._open_answer[1]

    def _record(self, entry: OnAirEntry, _: State, after: State) -> None:
        self.schedule.record(entry, self._air.pace, is_replay=after.replay is not None)
        self._last_entry_at, self._hold_ms = self._clock(), entry.hold_ms
        self._answers.clear()
        if isinstance(entry.event, ControlSet) and entry.event.control == "paused":
            self._is_paused = bool(entry.event.value)

    @property
    def _has_ended(self) -> bool:
        return self._air.picture.is_over and not self.goes_on

    def _condition(self, passed_ms: int) -> Condition:
        picture = self._air.picture
        if self._has_ended:
            return "over"
        if self._is_paused or picture.desk.card:
            return "paused"
        return "waiting" if picture.desk.trouble or passed_ms > self._hold_ms + SLACK_MS else "live"


class Block(Struct, frozen=True):
    """A block of hands that an index leaves out."""

    hands: list[FilmHand]


class LivePages:
    """Serves `/live/CHANNEL/index.json`, and below `/live/CHANNEL/EPOCH/` the files `N.hands`, `N.seg`, `open.json`."""

    def __init__(self, channels: Mapping[str, LiveChannel], why_absent: Callable[[str], str]) -> None:
        """`why_absent` takes a channel's name. It returns why that channel will never be opened, or "" if the channel
        may still be opened.
        """
        self._channels = channels
        self._why_absent = why_absent

    def router(self) -> APIRouter:
        """Returns the routes of all channels."""
        router = APIRouter(route_class=Route)
        router.add_api_route("/live/{channel}/index.json", self.index, response_model=LiveIndex)
        router.add_api_route("/live/{channel}/{epoch}/open.json", self.open_segment, response_model=Segment)
        router.add_api_route("/live/{channel}/{epoch}/{number}.hands", self.block, response_model=Block)
        router.add_api_route("/live/{channel}/{epoch}/{number}.seg", self.segment, response_model=Segment)
        return router

    async def index(self, request: Request, channel: str, since: Since = "") -> Response:
        """Returns the hands that have been on air. With `?since=N`, returns only the hands from number N on."""
        return self._find_channel(channel).index(whole_number(since, _NO_HAND, 0)).response_for(request)

    async def open_segment(self, request: Request, channel: str, epoch: str) -> Response:
        """Returns the segment that is still growing, as it is now."""
        return self._find_channel(channel, epoch).open_segment().response_for(request)

    async def block(self, request: Request, channel: str, epoch: str, number: str) -> Response:
        """Returns a block of hands that an index leaves out."""
        block = self._find_channel(channel, epoch).block(whole_number(number, _NO_HAND, _NO_HAND))
        if block is None:
            raise _not_found("Not all of these hands have been on air.")
        return block.response_for(request)

    async def segment(self, request: Request, channel: str, epoch: str, number: str) -> Response:
        """Returns a segment that has ended on air."""
        content = self._find_channel(channel, epoch).segment(whole_number(number, _NO_HAND, _NO_HAND))
        if not content:
            raise _not_found("This segment has not been on air, or is no longer kept: see the index.")
        return gzipped_json(content, request, IMMUTABLE)

    def _find_channel(self, name: str, epoch: str | None = None) -> LiveChannel:
        """Returns the channel `name` with this `epoch`. Raises JsonError (404) if there is none."""
        channel = self._channels.get(name)
        if channel is None:
            raise _not_found(self._why_absent(name) or f"There is no channel {name[:MAX_NAME_CHARACTERS]} yet.")
        if epoch not in (None, channel.epoch):
            raise _not_found("This show was restarted: the index has its new epoch.")
        return channel


def _not_found(reason: str) -> JsonError:
    return JsonError(404, reason, NO_STORE)
