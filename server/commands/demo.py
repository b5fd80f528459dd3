"""`highnoon demo`: broadcasts a whole contest of built-in bots, which connect to the server like players' bots."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from broadcast.app import Studio
from broadcast.booth.booth import Booth
from broadcast.desk.desk import Desk
from broadcast.obs.control import ObsControl
from broadcast.odds.calculator import OddsCalculator
from broadcast.publish.destination_lease import event_name
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from broadcast.web.access import fresh_tokens
from broadcast.web.serve import serving
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.private_links import say_private
from server.app.recordings.archive import add_archive
from server.app.results.results import compute_results
from server.app.results.results_output import follow_progress, results_router, results_table
from server.app.studio.process import AiredResults
from server.app.studio.show_outputs import check_destination, live_publisher, obs_control, publish_recordings
from server.config.settings import Settings
from server.console import print_addresses, print_next_steps, say
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import Contest
from server.game.events import ControlSet, CueGiven, Entrant
from server.game.prizes import standard_prizes
from server.journal.journal import Entry
from server.shuffle import commitment
from server.verify.file import verify_file


async def demo(settings: Settings, contest: str = DEFAULT) -> int:
    """Plays and shows a whole contest, prints the final results and verifies the recording.

    Afterwards, continues to serve the pages until Ctrl-C, unless the speed is 0. Returns 0 if the recording is proved,
    else 1. Raises OSError.
    """
    chosen_contest = CONTESTS[contest]
    if chosen_contest.evening_rules.is_season:
        return await chosen_contest.venue().show_season(settings)
    path = settings.recordings / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}-{contest}.jsonl"
    if settings.publish_to:
        await check_destination(settings.publish_to, event_name(path.stem, commitment(settings.seed)))
    studio = Studio(settings.media, time.monotonic)
    if settings.metrics:
        studio.add_metrics()
    add_archive(studio, settings.recordings)
    async with serving(studio.app, settings.host, settings.port) as base:
        entries = await _play(settings, chosen_contest, studio, base, path)
        say(results_table(compute_results(entries)))
        status = verify_file(path)
        print_next_steps(path, settings.data, base if settings.speed else "")
        if settings.publish_to:
            await publish_recordings(path, settings.publish_to)
        if settings.speed:
            await asyncio.Event().wait()
    return status


async def _play(settings: Settings, contest: Contest, studio: Studio, base: str, path: Path) -> Sequence[Entry]:
    demo_bots = contest.venue().demo_bots(settings, studio, base, path)
    async with demo_bots as house_bots, asyncio.TaskGroup() as tasks:
        pool = contest.evening_rules.buy_in_cents * len(house_bots.entrants)
        game_format, prizes = contest.demo or contest.format, standard_prizes(pool) if pool else ()
        room = CardRoom(
            begin_recording(path),
            house_bots.entrants,
            contest_format=game_format,
            seed=settings.seed,
            prizes_cents=prizes,
        )
        room.request(ControlSet("started", value=True, was=False))  # nobody has to press START
        air = studio.open_channel("main", settings.speed)
        show = Showrunner(
            air, clock=time.monotonic, on_hand_shown=room.pause_gate.set_hands_shown, odds=OddsCalculator()
        )
        aired_results = AiredResults(room.bus.entries, lambda: show.status)
        studio.app.include_router(results_router(aired_results.latest_results))
        if studio.metrics:
            studio.metrics.sources.append(aired_results.readings)
        champion_on_air = asyncio.Event()
        air.listeners.add(lambda _: champion_on_air.set() if show.status.is_over else None)
        obs = obs_control(settings.obs, air, studio)
        publisher = live_publisher(
            settings.publish_to,
            event_name(path.stem, commitment(settings.seed)),
            studio,
            title=contest.format.title,
            media=settings.media,
        )
        desk = open_desk(studio, room, show, house_bots.entrants, obs, publisher=publisher)
        say(f"High Noon: {len(house_bots.entrants)} house bots play {contest.format.title}. Open one of these:")
        print_addresses(base)
        say_private(path, [("control desk", f"{base}/control?token={desk.tokens.control}")])
        say(f"  results         {base}/results")
        say(f"  recording       {path}")
        show_task = tasks.create_task(show.run(room.bus.follow()))
        progress_task = tasks.create_task(follow_progress(room.bus))
        side_tasks = [
            tasks.create_task(room.health.measure_lag()),
            *(tasks.create_task(part.run()) for part in (obs, publisher) if part),
        ]
        await house_bots.seat(room.director)
        await room.director.run()
        await champion_on_air.wait()  # the desk must work until the champion is on air
        room.bus.close()
        await show_task
        await progress_task
        for task in side_tasks:
            task.cancel()
        if publisher:
            await publisher.finish()
    return room.bus.entries


def open_desk(
    studio: Studio,
    room: CardRoom,
    show: Showrunner,
    entrants: Sequence[Entrant],
    obs: ObsControl | None,
    *,
    publisher: LivePublisher | None = None,
) -> Desk:
    """Adds a control desk to a studio, which makes the show. Returns the desk. The tournament runs in this process."""
    names = {entrant.bot: entrant.name for entrant in entrants}

    async def request(event: ControlSet | CueGiven, stage: int) -> str:
        return "the show is over" if show.status.is_over else room.request(event, stage)

    desk = Desk(
        fresh_tokens(),
        request,
        controls=lambda: room.pause_gate.controls,
        health=room.health.report,
        status=lambda: show.status,
        bots=lambda: names,
        recordings=room.health.journal.path.parent,
        obs=obs,
        publishing=publisher.health_light if publisher else None,
    )
    studio.add_desk(desk)
    studio.add_booth(Booth(studio.channels["main"], lambda: show))
    room.bus.listeners.append(desk.apply)
    room.health.on_change = lambda: show.show_trouble(room.health.trouble)
    return desk
