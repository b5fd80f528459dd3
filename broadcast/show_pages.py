"""The pages where spectators start: `/` shows what is on air and which recordings can be replayed, and `/bots/NAME`
shows a bot.

A bot's page shows what was on air about the bot, and lists the recordings of its contests.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import RecordingRow, Search
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.plain_standings import plain_standings
from broadcast.recordings.results_switch import query_with_results_switched, shows_results, store_results_switch
from broadcast.web.answers import AnswerCache
from server.text.grammar import short_name

MAX_OTHER_CHANNELS = 12
MAX_BOTS_LISTED = 60
MAX_NAME_CHARACTERS = 200
_DOT_NAMES = (".", "..")

Result = TypeVar("Result")
ChannelsNow = Callable[[], dict[str, list[AirLog]]]
"""A function that returns two lists of channels (one channel per show), both with the newest first. "channels" has the
channels on air, and "over" has the channels whose shows have ended.
"""
HasRoute = Callable[[str, str], bool]
"""A function that returns whether this server has a route for a method and a path."""


class ShowPages:
    """The front page of a server and the pages of its bots. The front page shows the newest channel."""

    def __init__(
        self, templates: Jinja2Templates, channels: Mapping[str, AirLog], channels_now: ChannelsNow, has_route: HasRoute
    ) -> None:
        """`channels` are the channels of the server, the newest last."""
        self._templates = templates
        self._channels = channels
        self._channels_now = channels_now
        self._has_route = has_route
        self._cache = AnswerCache()
        self.archive: Archive | None = None
        """The recordings to list, if there are any."""
        self.remarks: list[str] = []
        """Sentences for all visitors of the front page."""
        templates.env.globals["bot_address"] = bot_address

    async def front(self, request: Request) -> Response:
        """Returns the front page."""
        channels_now = self._channels_now()
        shown = channels_now["channels"][0] if channels_now["channels"] else None
        recordings: list[RecordingRow] = []
        values = {
            "shown": shown,
            "standings": plain_standings(shown.picture) if shown else (),
            "also": channels_now["channels"][1 : MAX_OTHER_CHANNELS + 1],
            "more": max(0, len(channels_now["channels"]) - 1 - MAX_OTHER_CHANNELS),
            "over": channels_now["over"][:MAX_OTHER_CHANNELS],
            "recordings": await self._query_archive(
                lambda index: queries.recordings(index, Search(), 1)[0], recordings
            ),
            "serves": self._has_route,
            "remarks": tuple(self.remarks),
        }
        return await self._cache.page(request, self._templates, "front/front.html", values)

    async def bot(self, request: Request, name: str) -> Response:
        """Returns the page of a bot that has been on air or is in a recording. For an unknown or empty name, returns
        the list of bots.
        """
        name_in_path = name
        name, channel = name or request.query_params.get("bot", ""), request.query_params.get("channel", "")
        named_channel = self._channels.get(channel)
        channels = [named_channel] if named_channel else reversed([*self._channels.values()])
        air = next((air for air in channels if short_name(name) in _names(air)), None)
        played: list[tuple[RecordingRow, int]] = []
        if 0 < len(name) <= MAX_NAME_CHARACTERS:
            played = await self._query_archive(lambda index: queries.recordings_of_bot(index, name), played)
        if air is None and not played:
            return await self._bot_list_page(request, name)
        query = {"bot": "" if name_in_path else name, "channel": channel if channel in self._channels else ""}
        values = {
            "name": short_name(name),
            "channel": air.channel if air else "",
            "epoch": air.epoch if air else "",
            "title": air.title or air.picture.tournament.title if air else "",
            "standings": plain_standings(air.picture) if air else (),
            "played": played,
            "results": shows_results(request),
            "switched": query_with_results_switched(request, query),
        }
        key = name, values["channel"], values["results"], values["switched"]
        return store_results_switch(
            request, await self._cache.page(request, self._templates, "bot/bot.html", values, key=key)
        )

    async def _bot_list_page(self, request: Request, name: str) -> Response:
        on_air = dict.fromkeys(each for air in reversed([*self._channels.values()]) for each in _names(air))
        names = [*on_air][:MAX_BOTS_LISTED]
        if not names:
            names = await self._query_archive(lambda index: queries.latest_bots(index, MAX_BOTS_LISTED), names)
        values = {
            "name": name if len(name) <= MAX_NAME_CHARACTERS else f"{name[:MAX_NAME_CHARACTERS]}…",
            "names": names,
        }
        if name:
            return self._templates.TemplateResponse(request, "bot/bots.html", values, 404)
        return await self._cache.page(request, self._templates, "bot/bots.html", values)

    async def _query_archive(self, question: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        """Calls `question` with the archive's index, and returns the answer.

        If the index fails, returns `default`, so that the page can still be shown.
        """
        if self.archive is None:
            return default
        try:
            await self.archive.refresh_index()
            return await self.archive.run_query(question)
        except (OSError, sqlite3.Error):
            return default


def bot_address(name: str, channel: str = "") -> str:
    """Returns the address of a bot's page.

    The names "." and ".." go into the query, because they would be folders in a path.
    """
    parameters = {"channel": channel} if channel else {}
    if name in _DOT_NAMES:
        parameters["bot"] = name
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"/bots/{'' if name in _DOT_NAMES else quote(name, safe='')}{query}"


def _names(air: AirLog) -> Iterator[str]:
    return (bot.name for bot in air.picture.bots.values())
