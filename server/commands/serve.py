"""`highnoon serve [DATA]`: serves the recordings of a data folder while no game is played."""

import asyncio
import time
from pathlib import Path

from broadcast.app import Studio
from broadcast.archive.archive import is_written
from broadcast.archive.indexing import ENDING
from broadcast.web.serve import serving
from server.app.recordings.archive import add_archive
from server.app.results.page import results_router
from server.app.results.results import Results, results
from server.app.season.pages import season_router
from server.app.season.past_season import latest_season
from server.app.season.public_view import find_season_game
from server.config.settings import Settings
from server.console import plain, say
from server.errors import Refusal
from server.journal.journal import JournalDamaged, read_journal
from server.verify.recording import verify
from server.verify.refutation import Refuted


async def serve(settings: Settings) -> int:
    """Serves recordings, replays, proofs, and the latest contest's results and season, until it is interrupted.

    Raises Refusal where the data folder holds no recordings, OSError where the port cannot be used.
    """
    if not settings.recordings.is_dir():
        raise Refusal(f"there is no folder {settings.recordings}: name the data folder that holds recordings")
    studio = Studio(settings.media, time.monotonic)
    season = await asyncio.to_thread(latest_season, settings.recordings)
    if season:
        add_archive(studio, settings.recordings, find_unlisted=find_season_game(season, season.store))
        studio.app.include_router(season_router(season, season, season.store))
    else:
        add_archive(studio, settings.recordings)
    latest = await asyncio.to_thread(latest_results, settings.recordings)
    if latest:
        studio.app.include_router(results_router(lambda: latest))
    async with serving(studio.app, settings.host, settings.port) as base:
        say(f"High Noon: what was recorded in {settings.data}. Ctrl-C ends it.")
        say(f"  recordings      {base}/recordings")
        say(f"  proofs          {base}/verify")
        if latest:
            say(f"  results         {base}/results   (of {plain(latest.title)})")
        if season:
            say(f"  season          {base}/season   ({plain(season.standings.title)})")
        await asyncio.Event().wait()
    return 0


def latest_results(folder: Path) -> Results | None:
    """The results of the latest contest in `folder` that is over and verified; None if there is none."""
    for path in sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            if is_written(path):
                continue
            entries = read_journal(path).entries
            if verify(entries).finished:
                return results(entries)
        except (OSError, JournalDamaged, Refuted):
            continue
    return None
