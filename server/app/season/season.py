"""Connects the parts of a season: ledger (record), files, builds, games, show and pages. The caller enters the bots."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from broadcast.app import Studio
from broadcast.booth.booth import Booth
from broadcast.publish.destination_lease import event_name
from server.app.evening.evening_files import EveningSecrets
from server.app.recordings.archive import add_archive
from server.app.season.operator_pages import operator_router
from server.app.season.pages import season_router
from server.app.season.public_view import LivePublicView, make_game_finder, make_rest_of_season
from server.app.season.show import SeasonShow
from server.app.season.upload_forms import FormReceiver
from server.app.season.upload_page import upload_router
from server.app.studio.show_outputs import live_publisher, obs_control, publish_recordings
from server.config.event_file import EveningPlan
from server.console import say
from server.season.builds import BuildBot, Builds
from server.season.events import SeasonOpened
from server.season.files import SeasonFiles
from server.season.ledger import Ledger
from server.season.local_games import GameRunner, LocalGames
from server.season.scheduler import MakeEntrant, Scheduler
from server.season.uploads.uploads import Uploads
from server.shuffle import commitment
from server.text.characters import printable
from server.verify.file import verify_file


class Season:
    """One season: plays it, shows it and serves its pages."""

    def __init__(
        self,
        ledger: Ledger,
        plan: EveningPlan,
        secrets: EveningSecrets,
        studio: Studio,
        build_bot: BuildBot,
        *,
        make_entrant: MakeEntrant | None = None,
        games: GameRunner | None = None,
    ) -> None:
        """`build_bot` builds bots, and `make_entrant` adds their pictures and sounds. `games` plays the games. By
        default, this machine plays one game per processor.
        """
        self.ledger = ledger
        self.store = SeasonFiles(ledger.path)
        seed = secrets.seed_bytes
        self.builds = Builds(self.ledger, self.store, build_bot, seed)
        runner = games or LocalGames(self.store, self.builds.start_functions, os.cpu_count() or 1)
        self.scheduler = Scheduler(self.ledger, self.builds, runner, plan, seed=seed, make_entrant=make_entrant)
        self.uploads = Uploads(self.ledger, self.store, self.builds, plan.season_invitations)
        self.form_receiver = FormReceiver(self.store.incoming)
        air = studio.open_channel("main", plan.pace)
        waits_for_start = plan.start == "desk" and not self.ledger.standings.draw
        self.show = SeasonShow(air, self.ledger, self.store, waits_for_start=waits_for_start)
        view = LivePublicView(self.ledger, self.show)
        self._live = studio.live("main")
        self._live.schedule.rest_of_season = make_rest_of_season(view, plan.season_games)
        self._obs = obs_control(plan.obs_address, air, studio, password=plan.obs_password)
        self._publish_to = plan.publish_to
        event = event_name(ledger.path.stem, commitment(seed))
        self._publisher = live_publisher(plan.publish_to, event, studio, plan.name, studio.media)
        studio.add_desk(self.show.make_desk(secrets.tokens, self._obs, self._publisher))
        notebook = self.ledger.path.with_suffix(".booth")
        studio.add_booth(
            Booth(air, lambda: self.show.showrunner, notebook=notebook, bots=plan.bots, run_of_show=plan.run_of_show)
        )
        add_archive(studio, self.ledger.path.parent, find_unlisted=make_game_finder(view, self.store))
        studio.app.include_router(season_router(self.ledger, view, self.store))
        studio.app.include_router(upload_router(self.uploads, self.form_receiver, view))
        studio.app.include_router(operator_router(self.uploads, runner.status))

    async def run(self, enter_bots: Callable[[], Awaitable[None]]) -> None:
        """Plays the season and its show to their ends. `enter_bots` enters the bots. Raises OSError."""
        self._live.goes_on = True  # viewers' pages expect another game after the game on air
        async with asyncio.TaskGroup() as tasks:
            background = [tasks.create_task(self.builds.run())]
            background += [tasks.create_task(part.run()) for part in (self._obs, self._publisher) if part]
            if not self.ledger.standings.seed:
                await enter_bots()
                await self._build_bots()
                await self.show.wait_for_start()
            show_task = tasks.create_task(self.show.run())
            await self.scheduler.run()
            show_remark = "" if show_task.done() else "; the show continues until the game on air is over"
            say(f"the last game has been played{show_remark}")
            await show_task
            self._live.goes_on = False
            for task in background:
                task.cancel()
        if self._publisher:
            await self._publisher.finish()

    async def _build_bots(self) -> None:
        """Starts building all bots that may play. Waits only for the bots of the first games."""
        standings = self.ledger.standings
        interrupted = {upload for number in standings.open_games for upload in standings.games[number - 1].uploads}
        active = {player.active for player in standings.players.values()} - {0}
        for number in sorted(interrupted | active):
            self.builds.queue_build(number)
        awaited = interrupted | active | self.builds.to_activate
        for upload in standings.uploads.values():
            if not (upload.tested or upload.fault):
                self.builds.queue_build(upload.number)
        await self.builds.wait_until_built(awaited)

    async def publish(self) -> None:
        """If the organiser has named a destination, publishes the recordings of all games that were on air."""
        if not (self._publish_to and self.show.shown_games):
            return
        # The folder gets a hard link to each of these recordings. The links' names begin with the season's name.
        folder = self.ledger.path.with_suffix("") / "shown"
        folder.mkdir(exist_ok=True)
        for recording in (self.store.game_files(number).journal for number in self.show.shown_games):
            link = folder / f"{self.ledger.path.stem}-{recording.name}"
            if link.is_symlink():  # an earlier version made symbolic links, which lead out of the folder
                link.unlink()
            if not link.exists():
                link.hardlink_to(recording)
        await publish_recordings(folder, self._publish_to)

    def print_result(self) -> int:
        """Prints the final table, and verifies the ledger and all games. Returns 0 if they are valid, else 1."""
        say(standings_table(self.ledger))
        return verify_file(self.ledger.path)


def open_ledger(path: Path, title: str, seed: bytes) -> Ledger:
    """Opens the ledger at `path`, or starts it with `title` and `seed`. Raises OSError, JournalDamaged."""
    ledger = Ledger(path)
    if not ledger.entries:
        ledger.append(SeasonOpened(title, commitment(seed)))
    return ledger


def standings_table(ledger: Ledger) -> str:
    standings = ledger.standings
    lines = [f"{'place':>5}  {'bot':<30}  {'player':<30}  {'rating':>7}  {'games':>5}  won-lost-tied"]
    for place, number in enumerate(standings.leaderboard, 1):
        player = standings.players[number]
        bot = standings.uploads[player.active].name if player.active else "(cannot play)"
        rating = f"{player.rating / 100:.2f}"
        score = f"{player.won}-{player.lost}-{player.tied}"
        names = f"{printable(bot):<30}  {printable(player.name):<30}"
        lines.append(f"{place:>5}  {names}  {rating:>7}  {len(player.games):>5}  {score}")
    return "\n".join(lines)
