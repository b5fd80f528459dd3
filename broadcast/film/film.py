"""The film of a recording: every on-air entry with its time, made by the showrunner as in a show, but without waiting.

It is cut into segments, one for each hand: any moment is a hand's entries away. No files and no web pages here.
"""

import asyncio
import gzip
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from broadcast.film.outline import Outline
from broadcast.film.segments import LEVEL, SegmentLog
from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import NOTHING, Aired, Spoken, of_the_desk
from broadcast.on_air.log import AirLog
from broadcast.show.shots import Voice
from broadcast.show.showrunner import Showrunner
from server.game.events import HandEnded
from server.journal.journal import Entry


class Film(Struct, frozen=True):
    """A whole film: the outline, and every segment as `broadcast.film.segments` writes it, by the hand's number."""

    outline: Outline
    segments: tuple[bytes, ...]


class FilmIndex(Outline):
    """The outline, and what the segments must be: `sums` are the SHA-256 of each as JSON, hexadecimal.

    Segments lie in a folder named after the `version`, so that none of them ever changes under its name.
    """

    version: str = ""
    sums: tuple[str, ...] = ()


def index_of(film: Film) -> tuple[str, bytes]:
    """The version of a film, and its `FilmIndex`, gzipped JSON."""
    sums = tuple(hashlib.sha256(gzip.decompress(segment)).hexdigest() for segment in film.segments)
    version = hashlib.sha256("".join(sums).encode()).hexdigest()[:16]
    index = FilmIndex(**asdict(film.outline), version=version, sums=sums)
    return version, gzip.compress(msgspec.json.encode(index), LEVEL, mtime=0)


OnHand = Callable[[], object]
"""Called for each hand that has been filmed."""


def film_of(
    entries: Sequence[Entry], begun: str = "", spoken: Spoken = NOTHING, on_hand: OnHand = lambda: None
) -> Film:
    """The film of a recording's `entries`, begun at `begun` (ISO 8601), without what was done at the desk.

    `spoken` is what was spoken with which entry. Runs an event loop of its own. Entries that do not follow from one
    another raise whatever they break.
    """
    return _filmed([entry for entry in entries if not of_the_desk(entry.event)], begun, (), spoken, on_hand)


def film_as_it_ran(entries: Sequence[Entry], past: Sequence[Aired], begun: str = "", spoken: Spoken = NOTHING) -> Film:
    """The film of a recording's show with the times at which it was on air, breaks included, from its diary `past`.

    While hands were shown again the picture stands still. The rest is as in `film_of`.
    """
    last = max((line.seq for line in past), default=0)
    return _filmed(entries[:last], begun, past, spoken)


def _filmed(
    entries: Sequence[Entry], begun: str, past: Sequence[Aired], spoken: Spoken, on_hand: OnHand = lambda: None
) -> Film:
    air = AirLog("film", 1.0)
    log = SegmentLog(air)
    asyncio.run(run_show(air, entries, past, spoken, on_hand))
    log.outline.begun = begun
    return Film(log.outline, log.all())


async def run_show(
    air: AirLog,
    entries: Sequence[Entry],
    past: Sequence[Aired] = (),
    spoken: Spoken = NOTHING,
    on_hand: OnHand = lambda: None,
) -> None:
    """Puts all of `entries` on `air` without waiting, at the times of the diary `past` as far as it goes."""
    odds = OddsWorker()
    now = 0.0

    async def pass_by(seconds: float) -> None:
        nonlocal now
        await odds.done()  # a show would do without what is not ready: here it always is
        now += seconds

    show = Showrunner(air, clock=lambda: now, sleep=pass_by, past=past, odds=odds, voice=Voice(spoken))
    await show.run(_each(entries, on_hand))


async def _each(entries: Sequence[Entry], on_hand: OnHand) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry
        if isinstance(entry.event, HandEnded):
            on_hand()
