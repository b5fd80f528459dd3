"""All parts of a season joined: ledger, store, stable, games, show and pages. Who enters it is for others."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec import Struct

from broadcast.app import Studio
from broadcast.web.access import Tokens
from server.app.recordings.archive import add_archive
from server.app.season.intake import Intake
from server.app.season.pages import season_router
from server.app.season.players_page import players_router
from server.app.season.public_view import Told
from server.app.season.recordings import find_season_game
from server.app.season.show import SeasonShow
from server.app.season.upload_page import upload_router
from server.app.studio.obs import crew_at_obs
from server.console import plain, say
from server.season.builds import Make, Stable
from server.season.events import SeasonOpened
from server.season.files import store_of
from server.season.ledger import Ledger
from server.season.scheduler import Dress, Season
from server.season.uploads import Uploads
from server.shuffle import commitment
from server.verify.file import verify_file


class Terms(Struct, frozen=True):
    """How a season is played and shown. `games` may be 0: as many as there is time for."""

    title: str
    seed: bytes
    games: int
    pause_seconds: float
    speed: float
    at_once: int = 0
    """Games at a time; 0: as many as this machine has processors."""
    obs_address: str = ""
    """Where OBS listens; "": nobody talks with it."""
    obs_password: str = ""
    waits: bool = False
    """The first game is played once START was pressed at the desk."""
    invitations: tuple[str, ...] = ()
    """With one of these a newcomer is in at once; others wait for the operator."""


class SeasonHall:
    """One season, with its web application."""

    def __init__(
        self, ledger: Ledger, terms: Terms, studio: Studio, make: Make, tokens: Tokens, *, dress: Dress | None = None
    ) -> None:
        """The season of an opened ledger; `make` builds its bots, `dress` says how they appear."""
        self.ledger = ledger
        self.store = store_of(ledger.path)
        self.stable = Stable(self.ledger, self.store, make, terms.seed)
        self.season = Season(
            self.ledger,
            self.store,
            self.stable,
            seed=terms.seed,
            games=terms.games,
            pause_seconds=terms.pause_seconds,
            at_once=terms.at_once or os.cpu_count() or 1,
            dress=dress,
        )
        self.uploads = Uploads(self.ledger, self.store, self.stable, terms.invitations)
        self.intake = Intake(self.store.incoming)
        air = studio.open_channel("main", terms.speed)
        self.show = SeasonShow(air, self.ledger, self.store, waits=terms.waits and not self.ledger.book.draw)
        told = Told(self.ledger, self.show)
        self._crew = crew_at_obs(terms.obs_address, air, studio, password=terms.obs_password)
        studio.add_desk(self.show.desk(tokens, self._crew))
        add_archive(studio, self.ledger.path.parent, find_unlisted=find_season_game(told, self.store))
        studio.app.include_router(season_router(self.ledger, told, self.store))
        studio.app.include_router(upload_router(self.uploads, self.intake))
        studio.app.include_router(players_router(self.uploads))

    async def hold(self, enter: Callable[[], Awaitable[None]]) -> None:
        """From the bots that `enter` brings in to the end of the season and of the game that is then on air."""
        async with asyncio.TaskGroup() as tasks:
            beside = [tasks.create_task(self.stable.run())]
            beside += [tasks.create_task(self._crew.run())] if self._crew else []
            if not self.ledger.book.seed:
                await enter()
                await self._ready()
                await self._start()
            on_air = tasks.create_task(self.show.run())
            await self.season.run()
            say(f"the last game is played{'' if on_air.done() else '; the show goes on to the end of what is on'}")
            await on_air
            for task in beside:
                task.cancel()

    async def _ready(self) -> None:
        """Has every bot ready that plays or may; what was handed in before is built again after a restart."""
        book = self.ledger.book
        broken_off = {upload for number in book.open for upload in book.games[number - 1].uploads}
        active = {player.active for player in book.players.values()} - {0}
        for number in sorted(broken_off | active):
            self.stable.take(number)
        awaited = broken_off | active | self.stable.eager
        for upload in book.uploads.values():
            if not (upload.tested or upload.fault):
                self.stable.take(upload.number)
        await self.stable.settled(awaited)

    async def _start(self) -> None:
        """Returns once the operator wants the season to begin; at once where nobody is asked, or it has begun."""
        if not self.show.has_started:
            say("ready; the season begins when START is pressed at the desk")
            await self.show.started()

    def close(self) -> None:
        """Closes the ledger."""
        self.ledger.close()

    def tell_result(self) -> int:
        """Prints the table and proves the ledger and every game; 0 if all holds."""
        say(table(self.ledger))
        return verify_file(self.ledger.path)


def open_ledger(path: Path, title: str, seed: bytes) -> Ledger:
    """A new season's, or the one that is there: nobody else has it then. Raises OSError, JournalDamaged."""
    ledger = Ledger(path)
    if ledger.is_new:
        ledger.append(SeasonOpened(title, commitment(seed)))
    return ledger


def table(ledger: Ledger) -> str:
    """The leaderboard as text."""
    book = ledger.book
    lines = [f"{'place':>5}  {'bot':<30}  {'player':<30}  {'rating':>7}  {'games':>5}  won-lost-tied"]
    for place, number in enumerate(book.ladder, 1):
        player = book.players[number]
        bot = book.uploads[player.active].name if player.active else "(cannot play)"
        rating = f"{player.rating / 100:.2f}"
        score = f"{player.won}-{player.lost}-{player.tied}"
        line = f"{place:>5}  {plain(bot):<30}  {plain(player.name):<30}  {rating:>7}  {len(player.games):>5}  {score}"
        lines.append(line)
    return "\n".join(lines)
