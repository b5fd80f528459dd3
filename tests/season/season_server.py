"""Serves the pages of a season (many rated games) on a real port. The season's journal (ledger) may exist already.

Bots are shell programs.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import date
from pathlib import Path

import httpx
from fastapi import FastAPI
from msgspec import Struct
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.web.access import Tokens
from broadcast.web.serve import serving
from server.app.evening.evening_files import EveningSecrets
from server.app.season.season import Season, open_ledger
from server.bots.sandbox.process import LocalProcess
from server.bots.sandbox.runner import CannotRun, Say
from server.config.event_file import EveningPlan
from server.game.events import Event
from server.season.builds import StartBot
from server.season.season_state import Upload
from tests.season.sample_seasons import SEED, write_ledger
from tests.support.archives import zip_of
from tests.support.described import check_description

SECONDS = 180.0
INVITATION = "an-invitation-in-tests"
TOKENS = Tokens(control="control-in-tests", view="looking-in-tests")
SECRETS = EveningSecrets(SEED.hex(), TOKENS.control, TOKENS.view)
PLAN = EveningPlan(
    name="Spring <season>", date=date(2026, 3, 20), entries=(), data=Path("data"), contest="upac", pace=0, start="bots",
    season_pause_seconds=0,
)  # fmt: skip
ALL_IN = "while read word rest; do case $word in STACK) echo R50;; esac; done"
"""A bot that always goes all in, so that a game of two such bots is over after a few hands."""


class SeasonPages(Struct):
    """A season with its pages on a real port, and an HTTP client for them."""

    season: Season
    app: FastAPI
    base: str
    web: httpx.AsyncClient
    folder: Path

    @property
    def port(self) -> str:
        return self.base.rpartition(":")[2]

    @property
    def operator(self) -> dict[str, str]:
        return {"origin": self.base, "cookie": f"desk_{self.port}={TOKENS.cookie_value('control')}"}

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Returns the response, which must agree with the app's OpenAPI description."""
        return check_description(self.app, await self.web.get(self.base + path, headers=headers))

    async def upload(
        self,
        archive: bytes,
        *,
        player: str = "",
        secret: str = "",
        invitation: str = INVITATION,
        form: str = "",
        web: httpx.AsyncClient | None = None,
    ) -> httpx.Response:
        """Sends the upload form with the client `web` (by default `self.web`). `form` is the form's number, if any."""
        fields = {"player": player, "secret": secret, "invitation": invitation, "once": form}
        files = {"bot": ("bot.zip", archive, "application/zip")}
        return await (web or self.web).post(f"{self.base}/upload", data=fields, files=files)


async def enter_nobody() -> None:
    """Stands in for the function that enters the event file's bots. Enters none."""


@contextlib.asynccontextmanager
async def season_pages(
    folder: Path, *, games: int = 0, journal: Path | None = None, at_once: int = 2, waits: bool = False
) -> AsyncIterator[SeasonPages]:
    """Yields the pages of a season. If `waits`, a new season begins only when START is pressed at the desk."""
    studio = Studio(folder / "media", time.monotonic, hosts=("saloon.example",))
    path = journal or folder / "season.jsonl"
    plan = replace(
        PLAN, data=folder, season_games=games, season_games_at_once=at_once, season_invitations=(INVITATION,)
    )
    plan = replace(plan, start="desk" if waits else "bots")

    async def build_bot(upload: Upload, say: Say) -> StartBot:
        config = json.loads((path.with_suffix("") / "uploads" / f"{upload.number:06}/bot/bot.json").read_text())
        say(f"building <{upload.name}>")
        if config.get("build") == "fail":
            raise CannotRun("the build ended with status 1\nand <said> why")

        async def start(log: Path) -> LocalProcess:
            return LocalProcess(["/bin/sh", "-c", f"echo its own words >&2; {config['run']}"], log)

        return start

    season = Season(open_ledger(path, plan.name, SEED), plan, SECRETS, studio, build_bot)
    async with serving(studio.app, "127.0.0.1", 0) as base, httpx.AsyncClient(timeout=60.0) as web:
        with contextlib.closing(season.ledger):
            yield SeasonPages(season, studio.app, base, web, folder)


def in_season(
    *, games: int = 0, at_once: int = 2, before: Callable[[], Sequence[Event]] = lambda: ()
) -> Callable[[Callable[[SeasonPages], Awaitable[None]]], Callable[[Path], Awaitable[None]]]:
    """Decorates a test whose argument is a season's pages. The season's journal begins with the events of `before`."""

    def decorate(test: Callable[[SeasonPages], Awaitable[None]]) -> Callable[[Path], Awaitable[None]]:
        async def run(tmp_path: Path) -> None:
            if events := before():
                write_ledger(tmp_path / "season.jsonl", events)
            async with season_pages(tmp_path, games=games, at_once=at_once) as pages, asyncio.timeout(SECONDS):
                await test(pages)

        return run

    return decorate


def zip_bot(name: str, run: str = ALL_IN, build: str = "") -> bytes:
    return zip_of({"bot/bot.json": json.dumps({"name": name, "run": run, "build": build})})
