"""Serves `/api/v1` for shows: what is on air, standings, schedule, bots, hands, statistics, luck.

All answers are made from what has been on air, so the API is never ahead of the show.
"""

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from msgspec.structs import replace

from broadcast.api.answer_types import (
    BotList,
    ChannelList,
    ChannelOnAir,
    CurrentLuck,
    CurrentSchedule,
    CurrentStandings,
    CurrentStatistics,
    HandList,
    LuckRow,
    NowOnAir,
    NumberedHand,
    OneBot,
    StandingRow,
)
from broadcast.api.answers import ApiAnswers, number_in_query
from broadcast.film.segments import Segment
from broadcast.live.channel import MAX_NAME_CHARACTERS, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.picture_state import State
from broadcast.web.answers import gzipped_json
from broadcast.web.routes import JsonError, Route

HANDS_AT_ONCE = 100
_MAX_NUMBER = 10**7
"""The largest number of a hand or bot that a request may contain. No show has so many hands or bots."""
Channel = Annotated[str, Query(description="The show")]
Since = Annotated[str, Query(description="The number of the first hand to return")]


class ShowApi:
    """The routes that read the current shows."""

    def __init__(
        self, channels: Mapping[str, AirLog], live: Mapping[str, LiveChannel], why_absent: Callable[[str], str]
    ) -> None:
        """`why_absent` gets a channel's name. It returns why this channel will never exist, or "" if the channel may
        still appear.
        """
        self._channels = channels
        self._live = live
        self._why_absent = why_absent
        self._answers = ApiAnswers()

    def router(self) -> APIRouter:
        """Returns the routes of all channels."""
        router = APIRouter(route_class=Route, tags=["Shows"])
        router.add_api_route("/api/v1/channels", self.channels, response_model=ChannelList)
        router.add_api_route("/api/v1/on-air", self.on_air, response_model=NowOnAir)
        router.add_api_route("/api/v1/standings", self.standings, response_model=CurrentStandings)
        router.add_api_route("/api/v1/schedule", self.schedule, response_model=CurrentSchedule)
        router.add_api_route("/api/v1/bots", self.bots, response_model=BotList)
        router.add_api_route("/api/v1/bots/{bot}", self.bot, response_model=OneBot)
        router.add_api_route("/api/v1/hands", self.hands, response_model=HandList)
        router.add_api_route("/api/v1/hands/{number}", self.hand, response_model=Segment)
        router.add_api_route("/api/v1/statistics", self.statistics, response_model=CurrentStatistics)
        router.add_api_route("/api/v1/luck", self.luck, response_model=CurrentLuck)
        return router

    async def channels(self, request: Request) -> Response:
        """Returns all shows, the newest first."""
        latest = [*reversed([*self._channels.values()])]
        rows = [_channel_row(air, self._live[air.channel]) for air in latest if air.channel in self._live]

        async def make() -> ChannelList:
            return ChannelList(rows)

        return await self._answers.respond(request, "channels", rows, make)

    async def on_air(self, request: Request, channel: Channel = "main") -> Response:
        """Returns the whole picture that viewers see now."""
        air, live = self._find(channel)

        now = NowOnAir(channel, air.epoch, live.state, air.pace, air.picture)

        async def make() -> NowOnAir:
            return now

        return await self._answers.respond(request, ("on air", channel), (air.epoch, air.last_seq, now.state), make)

    async def standings(self, request: Request, channel: Channel = "main") -> Response:
        """Returns the standings of the stage on air, best first."""
        return await self._answer_from_picture(request, channel, "standings", _current_standings)

    async def schedule(self, request: Request, channel: Channel = "main") -> Response:
        """Returns what was played, what is being played, and what follows, with expected times."""
        air, live = self._find(channel)

        async def make() -> CurrentSchedule:
            about = live.make_index(_MAX_NUMBER)
            return CurrentSchedule(channel, about.now_utc_ms, about.schedule)

        minute = int(time.monotonic() / 60)  # expected times are rounded to minutes
        return await self._answers.respond(request, ("schedule", channel), (air.epoch, air.last_seq, minute), make)

    async def bots(self, request: Request, channel: Channel = "main") -> Response:
        """Returns all bots of the show."""

        def make(name: str, now: State) -> BotList:
            return BotList(name, tuple(now.bots.values()))

        return await self._answer_from_picture(request, channel, "bots", make)

    async def bot(self, request: Request, bot: str, channel: Channel = "main") -> Response:
        """Returns one bot by its number, with its statistics."""
        air, _ = self._find(channel)
        number = number_in_query(bot, "the number of a bot", 0, _MAX_NUMBER)
        if number not in air.picture.bots:
            raise JsonError(404, f"There is no bot {number} in this show: /api/v1/bots lists them.")

        def make(name: str, now: State) -> OneBot:
            rows = (row for row in now.statistics.rows if row.bot == number)
            return OneBot(name, now.bots[number], next(rows, None))

        return await self._answer_from_picture(request, channel, "bot", make, number)

    async def hands(self, request: Request, channel: Channel = "main", since: Since = "") -> Response:
        """Returns at most 100 hands that have been on air. The last hand may still be on air."""
        air, live = self._find(channel)
        first = max(number_in_query(since, "since", 1, _MAX_NUMBER), 0)

        async def make() -> HandList:
            hands = live.segments.outline.hands
            listed = hands[first : first + HANDS_AT_ONCE]
            more = first + HANDS_AT_ONCE < len(hands)
            return HandList(
                channel, air.epoch, more, [NumberedHand(first + index, hand) for index, hand in enumerate(listed)]
            )

        return await self._answers.respond(request, ("hands", channel, first), (air.epoch, air.last_seq), make)

    async def hand(self, request: Request, number: str, channel: Channel = "main") -> Response:
        """Returns a hand event by event, and the picture before the hand. Number 0 is everything before the first
        hand.
        """
        air, live = self._find(channel)
        hand_number = number_in_query(number, "the number of a hand", 0, _MAX_NUMBER)
        if hand_number == len(live.segments.closed_segments):
            tag = {"ETag": f'"{air.epoch}-{hand_number}-{air.last_seq}"'}
            return replace(live.open_segment(), headers=tag).response_for(request)
        content = live.segment(hand_number)
        if not content:
            raise JsonError(404, "This hand has not been on air, or is no longer kept: /api/v1/hands lists them.")
        return gzipped_json(content, request, {"ETag": f'"{air.epoch}-{hand_number}"'})

    async def statistics(self, request: Request, channel: Channel = "main") -> Response:
        """Returns how all bots have played."""

        def make(name: str, now: State) -> CurrentStatistics:
            names = {str(bot): each.name for bot, each in now.bots.items()}
            return CurrentStatistics(name, names, now.statistics)

        return await self._answer_from_picture(request, channel, "statistics", make)

    async def luck(self, request: Request, channel: Channel = "main") -> Response:
        """Returns what every bot has won, and how much of it was luck."""
        return await self._answer_from_picture(request, channel, "luck", _current_luck)

    async def _answer_from_picture(
        self, request: Request, channel: str, kind: str, make: Callable[[str, State], object], *key: Hashable
    ) -> Response:
        """Answers with the result of `make` for the picture on air.

        During a replay, uses the picture before the replay.
        """
        air, _ = self._find(channel)
        picture = air.picture.replay.before if air.picture.replay else air.picture

        async def make_answer() -> object:
            return make(channel, picture)

        return await self._answers.respond(request, (kind, channel, *key), (air.epoch, picture.seq), make_answer)

    def _find(self, channel: str) -> tuple[AirLog, LiveChannel]:
        air, live = self._channels.get(channel), self._live.get(channel)
        if air is None or live is None:
            shown = channel[:MAX_NAME_CHARACTERS]
            raise JsonError(
                404, self._why_absent(channel) or f"There is no channel {shown} yet: /api/v1/channels lists them."
            )
        return air, live


def _channel_row(air: AirLog, live: LiveChannel) -> ChannelOnAir:
    picture = air.picture
    title = air.title or picture.tournament.title
    contest_id = picture.tournament.contest
    return ChannelOnAir(air.channel, title, contest_id, air.epoch, air.last_seq, live.state, picture.scene)


def _current_standings(channel: str, picture: State) -> CurrentStandings:
    stage = picture.stage
    bots = [picture.bots[bot] for bot in (stage.bots if stage else picture.bots) if bot in picture.bots]
    in_series = bool(stage and stage.series)
    bots.sort(key=lambda bot: (-bot.wins if in_series else 0, bot.place, -bot.stack, bot.bot))
    if stage and stage.deals and picture.standings.rows:  # the stacks at the table are those of the current deal only
        bots = [replace(picture.bots[row.bot], stack=row.stack) for row in picture.standings.rows]
    rows = [
        StandingRow(rank, bot.bot, bot.name, bot.player, bot.stack, bot.wins, bot.place > 0 and not in_series)
        for rank, bot in enumerate(bots, 1)
    ]
    return CurrentStandings(channel, stage.title if stage else "", stage.advance if stage else 0, rows)


def _current_luck(channel: str, picture: State) -> CurrentLuck:
    names = {bot: each.name for bot, each in picture.bots.items()}
    rows = [
        LuckRow(row.bot, names[row.bot], row.hands, row.won, row.luck, row.earned, row.low, row.high)
        for row in picture.statistics.rows
        if row.bot in names
    ]
    return CurrentLuck(channel, picture.statistics.hands, rows)
