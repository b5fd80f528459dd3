"""A small contest with random decisions, and the recordings in tests/data."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
from msgspec.structs import replace

from broadcast.film.film import Film, run_show
from broadcast.film.segments import read_segment
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Event, TournamentOpened
from server.game.formats import Format
from server.journal.journal import Entry, Journal, read_journal
from server.verify.recording import verify
from tests.support.background import run_in_thread
from tests.support.games.contests import play_contest
from tests.support.program import wait_until
from tests.support.source_files import ROOT

KEPT_FOLDER = ROOT / "tests/data/contests"
"""Recordings of each contest, made by the real program. UPAC has a season: its ledger (journal), and three games."""
KEPT_RECORDINGS = tuple(str(path.relative_to(KEPT_FOLDER)) for path in sorted(KEPT_FOLDER.rglob("*.jsonl")))
"""The paths of these recordings, relative to KEPT_FOLDER. The ledger is not among them."""

Kind = TypeVar("Kind", bound=Event)
_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SMALL_FORMAT = replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=2, hands=2), replace(_FINAL, hands=4)))
"""Two games of two hands, and a final game of four hands."""


@cache
def small_contest(seed: int = 2, shape: Format = SMALL_FORMAT) -> tuple[Entry, ...]:
    return tuple(play_contest(seed, 8, shape))


def write(path: Path, entries: Sequence[Entry]) -> Path:
    with closing(Journal(path)) as journal:
        journal.append(entries)
    return path


def seal(*bodies: bytes) -> bytes:
    """Returns a journal of these lines with valid checksums, as a forger could compute them."""
    lines, digest = [], ""
    for body in bodies:
        digest = hashlib.sha256(digest.encode() + body).hexdigest()[:24]
        lines.append(body[:-1] + f',"sum":"{digest}"}}\n'.encode())
    return b"".join(lines)


def of_kind(entries: Sequence[Entry], kind: type[Kind]) -> list[Kind]:
    return [entry.event for entry in entries if isinstance(entry.event, kind)]


def practice_game_events(data: Path, channel: str) -> list[Event]:
    """Verifies the recording of a finished practice game. Returns the game's events."""
    (recording,) = (data / "recordings" / "practice").glob(f"*-{channel}-*.jsonl")
    entries = read_journal(recording).entries
    assert verify(entries).finished
    return [entry.event for entry in entries]


def with_names(entries: Sequence[Entry], *names: str) -> list[Entry]:
    """Returns a copy of a journal in which the first bots are called `names`."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    renamed_bots = tuple(replace(bot, name=name) for bot, name in zip(opened.entrants, names, strict=False))
    entrants = (*renamed_bots, *opened.entrants[len(names) :])
    return [replace(entries[0], event=replace(opened, entrants=entrants)), *entries[1:]]


def aired(entries: Sequence[Entry]) -> Sequence[OnAirEntry]:
    air, recorded = AirLog("aired", 1.0), list[OnAirEntry]()
    air.recorders.add(lambda entry, _, __: recorded.append(entry))
    run_in_thread(run_show(air, entries))
    return recorded


async def yield_entries(entries: Iterable[Entry]) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry


def entries_of(film: Film) -> list[dict[str, Any]]:
    """Returns the entries that a page reads in a film (the show of a recording, cut into files)."""
    return [entry for segment in film.segments for entry in read_segment(segment).entries]


def wait_until_listed(web: httpx.Client, name: str) -> None:
    """Polls the list of recordings until `name` is in the list and the server has read all recordings."""

    def is_listed() -> bool:
        page = web.get("/recordings").text
        return f"/recordings/{name}" in page and " being read" not in page

    wait_until(is_listed, lambda: f"{name} is not listed", pause=0.1)


def get_once_read(web: httpx.Client, address: str) -> httpx.Response:
    """Waits while the recording cannot be shown yet (status 503). Returns the page of the recording at `address`."""
    wait_until(lambda: web.get(address).status_code != 503, lambda: f"{address} stays unavailable", pause=0.1)
    return web.get(address)
