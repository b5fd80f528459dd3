"""`highnoon replay FILE`: shows a recording in the pages of a live show."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

from broadcast.app import Studio
from broadcast.film.highlights import replays_of
from broadcast.odds.calculator import OddsCalculator
from broadcast.show.replays import Replay
from broadcast.show.showrunner import Showrunner
from broadcast.web.serve import serving
from server.app.recordings.archive import serve_one_recording
from server.app.recordings.films import open_films
from server.app.recordings.recording_files import open_recording
from server.app.studio.show_outputs import obs_control
from server.commands.highlights import pick_highlights
from server.commands.rehearse import rehearse
from server.config.settings import Settings
from server.console import print_addresses, say
from server.game.events import ControlSet, CueGiven
from server.journal.bus import Bus
from server.journal.journal import Entry


async def replay(settings: Settings, path: Path, *, as_live: bool, reel_ms: int | None) -> int:
    """Shows the recording at `path` once, then keeps its last picture on air until Ctrl-C. Returns 0.

    If `as_live` is true, plays the recording as a rehearsal instead. If `reel_ms` is given, shows only the best hands
    that fit into that many milliseconds. The file may also contain published hands (.phh, .phhs). At speed 0, the show
    ends by itself. Raises OSError, JournalDamaged or Refusal.
    """
    if as_live:
        return await rehearse(settings, path)
    recording = open_recording(path)
    replays = await asyncio.to_thread(_choose_replays, path, reel_ms) if reel_ms else []
    if recording.torn_bytes:
        say(f"the last line of {path} is incomplete ({recording.torn_bytes} bytes) and is left out")
    bus = Bus(None, time.monotonic)
    bus.load(recording.entries)
    bus.close()
    studio = Studio(settings.media, time.monotonic)
    air = studio.open_channel("main", settings.speed)
    obs = obs_control(settings.obs, air, studio)
    async with AsyncExitStack() as exit_stack, asyncio.TaskGroup() as tasks:
        replay_path = exit_stack.enter_context(serve_one_recording(studio, path, recording))
        base = await exit_stack.enter_async_context(serving(studio.app, settings.host, settings.port))
        obs_task = tasks.create_task(obs.run()) if obs else None
        say(f"replaying {path}: {len(recording.entries)} entries, started at {recording.header.begun}")
        print_addresses(base)
        if replay_path:
            say(f"  at any moment   {base}{replay_path}")
        show = Showrunner(air, clock=time.monotonic, odds=OddsCalculator())
        if replays:
            # Logs the first event as on air. After the last hand, the screen with the bots' names then returns.
            air.recall(recording.entries[0].event, 0, 0)
            await show.show_replays(replays)
        else:
            await show.run(without_desk(bus.follow()))
        if settings.speed:
            say("the recording has ended; Ctrl-C closes the show")
            await asyncio.Event().wait()
        if obs_task:
            obs_task.cancel()
    return 0


def _choose_replays(path: Path, reel_ms: int) -> list[Replay]:
    films = open_films(path, live=False)
    return list(replays_of(films.film, pick_highlights(films, reel_ms)))


async def without_desk(entries: AsyncIterator[Entry]) -> AsyncIterator[Entry]:
    """Yields all entries except the operator's: pauses and full-screen cards were meant only for the live show."""
    async for entry in entries:
        if not isinstance(entry.event, ControlSet | CueGiven):
            yield entry
