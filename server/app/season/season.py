"""Joins the parts of a season: ledger, files, builds, games, show and pages. Callers enter the bots."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from broadcast.app import Studio
from broadcast.booth.booth import Booth
from broadcast.publish.show_there import event_name
from server.app.event.event_files import EventSecrets
from server.app.recordings.archive import add_archive
from server.app.season.intake import Intake
from server.app.season.operator_pages import operator_router
from server.app.season.pages import season_router
from server.app.season.public_view import LivePublicView, find_season_game, season_ahead
from server.app.season.show import SeasonShow
from server.app.season.upload_page import upload_router
from server.app.studio.beside import live_publisher, obs_control, publish_recordings
from server.config.event_file import EventPlan
from server.console import plain, say
from server.season.builds import Builds, Make
from server.season.events import SeasonOpened
from server.season.files import store_of
from server.season.ledger import Ledger
from server.season.local_games import GameRunner, LocalGames
from server.season.scheduler import Dress, Scheduler
from server.season.uploads.uploads import Uploads
from server.shuffle import commitment
from server.verify.file import verify_file


class Season:
    """One season, with its pages on the studio's web application."""

    def __init__(
        self,
        ledger: Ledger,
        plan: EventPlan,
        secrets: EventSecrets,
        studio: Studio,
        make: Make,
        *,
        dress: Dress | None = None,
        games: GameRunner | None = None,
    ) -> None:
        """The season of a ledger, as planned; `make` builds its bots, `dress` gives the media that are shown of each.

        `games` plays its games; None: they are played here, one for each processor of this machine.
        """
        self.ledger = ledger
        self.store = store_of(ledger.path)
        seed = secrets.seed_bytes
        self.builds = Builds(self.ledger, self.store, make, seed)
        runner = games or LocalGames(self.store, self.builds.starts, os.cpu_count() or 1)
        self.scheduler = Scheduler(self.ledger, self.builds, runner, plan, seed=seed, dress=dress)
        self.uploads = Uploads(self.ledger, self.store, self.builds, plan.season_invitations)
        self.intake = Intake(self.store.incoming)
        air = studio.open_channel("main", plan.pace)
        waits = plan.start == "desk" and not self.ledger.standings.draw
        self.show = SeasonShow(air, self.ledger, self.store, waits=waits)
        view = LivePublicView(self.ledger, self.show)
        self._live = studio.live("main")
        self._live.schedule.ahead = season_ahead(view, plan.season_games)
        self._obs = obs_control(plan.obs_address, air, studio, password=plan.obs_password)
        self._publish_to = plan.publish_to
        event = event_name(ledger.path.stem, commitment(seed))
        self._publisher = live_publisher(plan.publish_to, event, studio, plan.name, studio.media)
        studio.add_desk(self.show.desk(secrets.tokens, self._obs, self._publisher))
        notebook = self.ledger.path.with_suffix(".booth")
        studio.add_booth(
            Booth(air, lambda: self.show.game, notebook=notebook, bots=plan.bots, run_of_show=plan.run_of_show)
        )
        add_archive(studio, self.ledger.path.parent, find_unlisted=find_season_game(view, self.store))
        studio.app.include_router(season_router(self.ledger, view, self.store))
        studio.app.include_router(upload_router(self.uploads, self.intake, view))
        studio.app.include_router(operator_router(self.uploads, runner.status))

    async def hold(self, enter: Callable[[], Awaitable[None]]) -> None:
        """Enters the bots by calling `enter`, then plays and shows the season to its end.

        The game that is on air when the last one has been played is shown to its end. Raises OSError where the ledger
        cannot be written.
        """
        self._live.goes_on = True
        async with asyncio.TaskGroup() as tasks:
            beside = [tasks.create_task(self.builds.run())]
            beside += [tasks.create_task(each.run()) for each in (self._obs, self._publisher) if each]
            if not self.ledger.standings.seed:
                await enter()
                await self._ready()
                await self.show.started()
            on_air = tasks.create_task(self.show.run())
            await self.scheduler.run()
            say(f"the last game is played{'' if on_air.done() else '; the show goes on to the end of what is on'}")
            await on_air
            self._live.goes_on = False
            for task in beside:
                task.cancel()
        if self._publisher:
            await self._publisher.finish()

    async def _ready(self) -> None:
        """Builds all bots that are or may become active; returns once those that are needed now are built."""
        standings = self.ledger.standings
        broken_off = {upload for number in standings.open for upload in standings.games[number - 1].uploads}
        active = {player.active for player in standings.players.values()} - {0}
        for number in sorted(broken_off | active):
            self.builds.take(number)
        awaited = broken_off | active | self.builds.eager
        for upload in standings.uploads.values():
            if not (upload.tested or upload.fault):
                self.builds.take(upload.number)
        await self.builds.settled(awaited)

    async def publish(self) -> None:
        """Adds the recordings of all games that were shown to the site where the show was on, if it was on at one."""
        if self._publish_to and self.show.shown:
            await publish_recordings(self._linked(), self._publish_to)

    def _linked(self) -> Path:
        """A folder with the recordings of the games that were shown, linked hard, each with the season in its name."""
        folder = self.ledger.path.with_suffix("") / "shown"
        folder.mkdir(exist_ok=True)
        for recording in (self.store.game(number).journal for number in self.show.shown):
            named = folder / f"{self.ledger.path.stem}-{recording.name}"
            if named.is_symlink():  # an earlier version's, which leads out of the folder
                named.unlink()
            if not named.exists():
                named.hardlink_to(recording)
        return folder

    def tell_result(self) -> int:
        """Prints the table and verifies the ledger and all games; 0 if all of it holds, else 1."""
        say(table(self.ledger))
        return verify_file(self.ledger.path)


def open_ledger(path: Path, title: str, seed: bytes) -> Ledger:
    """Opens the ledger at `path`, or begins one there for a season of that title and seed; no other program may.

    Raises OSError where it cannot be opened, JournalDamaged where it is damaged.
    """
    ledger = Ledger(path)
    if not ledger.entries:
        ledger.append(SeasonOpened(title, commitment(seed)))
    return ledger


def table(ledger: Ledger) -> str:
    """The leaderboard as text for the terminal."""
    standings = ledger.standings
    lines = [f"{'place':>5}  {'bot':<30}  {'player':<30}  {'rating':>7}  {'games':>5}  won-lost-tied"]
    for place, number in enumerate(standings.ladder, 1):
        player = standings.players[number]
        bot = standings.uploads[player.active].name if player.active else "(cannot play)"
        rating = f"{player.rating / 100:.2f}"
        score = f"{player.won}-{player.lost}-{player.tied}"
        line = f"{place:>5}  {plain(bot):<30}  {plain(player.name):<30}  {rating:>7}  {len(player.games):>5}  {score}"
        lines.append(line)
    return "\n".join(lines)
