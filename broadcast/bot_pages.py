"""`/bots/NAME`, the page of one bot: what has been on air of it, and the recordings that it played in."""

import sqlite3
from collections.abc import Iterator, Mapping
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import PlayedRow
from broadcast.on_air.log import AirLog
from broadcast.on_air.plain_standings import plain_standings
from broadcast.recordings.results_switch import remember, shows_results, switched
from broadcast.web.answers import KeptAnswers
from server.text.grammar import short_name

MOST_NAMES = 60
"""On the page that lists bots."""
LONGEST = 200
"""Characters of a name; no bot has a longer one."""
_FOLDERS = (".", "..")


class BotPages:
    """The pages of all bots of a studio: of its `channels`, newest last, and of its archive."""

    def __init__(self, templates: Jinja2Templates, channels: Mapping[str, AirLog]) -> None:
        self._templates = templates
        self._channels = channels
        self._kept = KeptAnswers()
        self.archive: Archive | None = None
        """The recordings to list; None: there are none here."""
        templates.env.globals["bot_address"] = bot_address

    async def page(self, request: Request, name: str) -> Response:
        """The page of a bot that is or was on air; for any other name, and for none, the list of bots."""
        in_path = name
        name, channel = name or request.query_params.get("bot", ""), request.query_params.get("channel", "")
        air = self._air(name, channel)
        played = await self._played(name)
        if air is None and not played:
            return await self._list(request, name)
        here = {"bot": "" if in_path else name, "channel": channel if channel in self._channels else ""}
        about = {
            "name": short_name(name),
            "channel": air.channel if air else "",
            "epoch": air.epoch if air else "",
            "title": _title(air) if air else "",
            "standings": plain_standings(air.picture) if air else (),
            "played": played,
            "results": shows_results(request),
            "switched": switched(request, here),
        }
        key = name, about["channel"], about["results"], about["switched"]
        return remember(request, await self._kept.page(request, self._templates, "bot/bot.html", about, key=key))

    async def _list(self, request: Request, name: str) -> Response:
        on_air = dict.fromkeys(each for air in reversed([*self._channels.values()]) for each in _names(air))
        names = [*on_air][:MOST_NAMES] or await self._recorded()
        about = {"name": name if len(name) <= LONGEST else f"{name[:LONGEST]}…", "names": names}
        if name:
            return self._templates.TemplateResponse(request, "bot/bots.html", about, 404)
        return await self._kept.page(request, self._templates, "bot/bots.html", about)

    def _air(self, name: str, channel: str) -> AirLog | None:
        """The newest channel that has the bot, or the one that was asked for."""
        asked = self._channels.get(channel)
        found = [asked] if asked else reversed([*self._channels.values()])
        return next((air for air in found if short_name(name) in _names(air)), None)

    async def _played(self, name: str) -> list[PlayedRow]:
        if self.archive is None or not 0 < len(name) <= LONGEST:
            return []
        try:
            await self.archive.look()
            return await self.archive.ask(lambda index: queries.played_by(index, name))
        except (OSError, sqlite3.Error):
            return []  # what is on air can be shown all the same

    async def _recorded(self) -> list[str]:
        """Bots of the latest recordings."""
        if self.archive is None:
            return []
        try:
            return await self.archive.ask(lambda index: queries.latest_bots(index, MOST_NAMES))
        except (OSError, sqlite3.Error):
            return []


def bot_address(name: str, channel: str = "") -> str:
    """The address of a bot's page. Browsers take "." and ".." for folders wherever they stand in a path."""
    asked = {"channel": channel} if channel else {}
    if name in _FOLDERS:
        asked["bot"] = name
    query = f"?{urlencode(asked)}" if asked else ""
    return f"/bots/{'' if name in _FOLDERS else quote(name, safe='')}{query}"


def _names(air: AirLog) -> Iterator[str]:
    """The bots of a channel, as far as it has told of them on air."""
    return (bot.name for bot in air.picture.bots.values())


def _title(air: AirLog) -> str:
    return air.title or air.picture.tournament.title
