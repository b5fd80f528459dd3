"""`highnoon serve [DATA]`: serves the recordings of a data folder, without playing any games."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from broadcast.app import Studio
from broadcast.archive.archive import is_being_written
from broadcast.archive.indexing import RECORDING_SUFFIX
from broadcast.on_air.deal_tables import MainTables
from broadcast.web.serve import serving
from server.app.decisions.author_reports import reports_folder
from server.app.evening.evening_files import SecretsDamaged, author_links_path, read_secrets, secrets_path
from server.app.recordings.archive import add_archive
from server.app.results.results import Results, compute_results
from server.app.results.results_output import results_router
from server.app.season.pages import season_router
from server.app.season.public_view import PastSeason, make_game_finder
from server.app.studio.author_pages import AuthorGames, AuthorPages
from server.config.settings import Settings
from server.console import say
from server.errors import Refusal
from server.game.events import TournamentOpened
from server.journal.journal import Entry, JournalDamaged, read_journal
from server.season.files import LEDGER_SUFFIX
from server.text.characters import printable
from server.text.regular_file import regular_files
from server.verify.recording import verify
from server.verify.refutation import Refuted


async def serve(settings: Settings) -> int:
    """Serves recordings, replays, proofs, the latest season and the latest contest's results, until interrupted.

    Raises OSError, or Refusal if there is no folder of recordings.
    """
    if not settings.recordings.is_dir():
        raise Refusal(f"there is no folder {settings.recordings}: name the data folder that contains recordings")
    studio = Studio(settings.media, time.monotonic)
    season = await asyncio.to_thread(_latest_season, settings.recordings)
    if season:
        add_archive(studio, settings.recordings, find_unlisted=make_game_finder(season, season.store))
        studio.app.include_router(season_router(season, season, season.store))
    else:
        add_archive(studio, settings.recordings)
    contest = await asyncio.to_thread(latest_contest, settings.recordings)
    if contest:
        studio.app.include_router(results_router(lambda: contest.results))
        if contest.authors:
            studio.app.include_router(contest.authors.router())
    async with serving(studio.app, settings.host, settings.port) as base:
        say(f"High Noon: the recordings in {settings.data}. Ctrl-C ends it.")
        say(f"  recordings      {base}/recordings")
        say(f"  proofs          {base}/verify")
        if contest:
            say(f"  results         {base}/results   (of {printable(contest.results.title)})")
            if contest.authors:
                say(f"  authors' pages  {base}/own/...   (with the endings in {author_links_path(contest.journal)})")
        if season:
            say(f"  season          {base}/season   ({printable(season.standings.title)})")
        await asyncio.Event().wait()
    return 0


class PastContest(Struct, frozen=True):
    """A finished contest. `authors` are the pages for the bots' authors, or None if there are no such pages."""

    journal: Path
    results: Results
    authors: AuthorPages | None


def latest_contest(folder: Path) -> PastContest | None:
    """Returns the latest contest in `folder` that is finished and verified, or None."""
    for path in _latest_first(folder, RECORDING_SUFFIX):
        try:
            entries = read_journal(path).entries
            if verify(entries).finished:
                return PastContest(path, compute_results(entries), _author_pages(path, entries))
        except (OSError, JournalDamaged, Refuted):
            continue
    return None


def _author_pages(journal: Path, entries: Sequence[Entry]) -> AuthorPages | None:
    """Returns the authors' pages of a finished contest. The pages' addresses contain a secret from a file beside the
    journal. Returns None if there is no secret.
    """
    opened = entries[0].event
    try:
        secret = read_secrets(secrets_path(journal)).authors
    except (OSError, SecretsDamaged):
        return None
    if not secret or not isinstance(opened, TournamentOpened):
        return None
    names = {entrant.bot: entrant.name for entrant in opened.entrants}
    games = AuthorGames()
    # Counts only hands of main tables (the tables that were on air), because the pages link to a replay that shows no
    # other tables.
    for entry in filter(MainTables().accept, entries):
        games.apply(entry.event)
    watch = f"/replay/{quote(journal.stem)}?hand="
    return AuthorPages(secret, lambda: names, reports_folder(journal), games, watch)


def _latest_season(folder: Path) -> PastSeason | None:
    """Returns the latest season that is over, or None. Leaves out seasons whose journal fails verification."""
    for path in _latest_first(folder, LEDGER_SUFFIX):
        with contextlib.suppress(OSError, ValueError):
            return PastSeason(path)
    return None


def _latest_first(folder: Path, ending: str) -> Iterator[Path]:
    newest_first = sorted(regular_files(folder, ending), key=lambda path: path.stat().st_mtime, reverse=True)
    return (path for path in newest_first if not is_being_written(path))
