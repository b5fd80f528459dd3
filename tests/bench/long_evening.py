"""What gets slower during an evening? Measures an Arena contest of 60 games after its first game and after its last.

For each public page: the milliseconds for the first request after a hand, and for the next one. Also the time from a
hand's last event until it is on air. The peer is the same evening at its beginning. House bots play the hands
beforehand; the journal, the studio and the show are real, but without pauses. Run: `make bench BENCH=long_evening`;
shorter: `ARGS="--games 6"`.
"""

import asyncio
import itertools
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from msgspec import Struct

from broadcast.live.channel import BLOCK
from broadcast.web.serve import address_of, listen_soon
from server.app.decisions.author_reports import author_link
from server.app.studio.supervisor import StudioSupervisor
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import ControlSet, Event, GameEnded, HandEnded, TournamentOpened
from server.game.tournament import as_series
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal
from server.journal.link import Health, Plan
from server.tournament.control_values import Controls
from server.tournament.pause_gate import Gate
from tests.bench.common.scales import options, print_machine
from tests.support.contests import play_contest
from tests.support.house_contests import CharacterBot
from tests.support.public_pages import AUTHORS, PUBLIC, RECORDING, names_of
from tests.support.recordings import small_contest, write

BOTS = 6
GAMES = 60
ROUNDS = 5
"""The number of hands after which every page is requested twice."""
MAX_RATIO = 2.0
"""A page may take this many times as long as at the beginning, plus MARGIN_MS for noise."""
MARGIN_MS = 3.0
STILL_SECONDS = 0.5


class PageTimes(Struct):
    """Milliseconds for one page: for the first request after a hand, and for the next one."""

    first: float
    again: float


class Moment(Struct):
    """The evening at one moment: the times of its pages, and the milliseconds until a hand is on air."""

    hands: int
    entries: int
    pages: dict[str, PageTimes]
    on_air: float


class Evening:
    """A card room that publishes a contest hand by hand, each when the show has caught up."""

    def __init__(self, played: Iterable[Entry], journal: Path, listener: socket.socket) -> None:
        self._played = (entry.event for entry in played if not isinstance(entry.event, ControlSet))
        self.bus = Bus(Journal(journal), time.monotonic)
        self.gate = Gate(Controls(started=True))
        self.hands = 0
        self.waits: list[float] = []
        """For each hand, the milliseconds from the journal until it is on air."""
        self.names: list[str] = []
        media, site = str(journal.parent / "media"), str(journal.parent / "site")
        control, view = "c" * 20, "v" * 20
        plan = Plan("Arena", str(journal), media, (), control, view, 0, authors=AUTHORS, publish_to=site, event="a")
        self.base = address_of(listener)
        self.supervisor = StudioSupervisor(
            plan,
            listener,
            bus=self.bus,
            gate=self.gate,
            request=lambda _event, _stage: "",
            health=lambda: Health("playing"),
            spare_after=3600.0,
        )

    async def play(self, *, hands: int = 0, games: int = 0) -> None:
        """Plays `hands` further hands, or `games` further games."""
        while hands > 0 or games > 0:
            events = self._next()
            self.bus.publish(*events)
            hands -= isinstance(events[-1], HandEnded)
            games -= isinstance(events[-1], GameEnded)
            if isinstance(events[-1], HandEnded):
                begun, self.hands = time.perf_counter(), self.hands + 1
                await self.gate.passed(self.hands)
                self.waits.append((time.perf_counter() - begun) * 1000)

    def _next(self) -> list[Event]:
        """Returns the events up to the end of the next hand or game."""
        events: list[Event] = []
        for event in self._played:
            events.append(event)
            if isinstance(event, TournamentOpened):
                self.names = [each.name for each in event.entrants]
            if isinstance(event, HandEnded | GameEnded):
                break
        return events

    async def measure(self) -> Moment:
        """Measures the evening now, while it plays some more hands."""
        waits, self.waits = self.waits[-100:], []
        pages = await self._measure_pages()
        return Moment(self.hands, len(self.bus.entries), pages, statistics.median(waits))

    async def _measure_pages(self) -> dict[str, PageTimes]:
        bot = self.names[0]
        async with httpx.AsyncClient(base_url=self.base, timeout=120, trust_env=False) as web:
            names = await names_of(web, RECORDING, bot, author_link(AUTHORS, 1, bot), self.hands - 1)
            paths = {each: each.format(**names) for each in itertools.chain(*PUBLIC.values())}
            if self.hands < BLOCK:
                del paths["/live/main/{epoch}/0.hands"]
            for path in paths.values():  # what is made only once per process is not measured
                assert (await web.get(path)).status_code < 400, path
            rounds: dict[str, list[PageTimes]] = {name: [] for name in paths}
            for _ in range(ROUNDS):
                await self.play(hands=1)
                await asyncio.sleep(STILL_SECONDS)
                for name, path in paths.items():
                    rounds[name].append(await _time_requests(web, path))
        return {
            name: PageTimes(min(each.first for each in found), min(each.again for each in found))
            for name, found in rounds.items()
        }


async def _time_requests(web: httpx.AsyncClient, path: str) -> PageTimes:
    begun = time.perf_counter()
    await web.get(path)
    between = time.perf_counter()
    await web.get(path)
    return PageTimes((between - begun) * 1000, (time.perf_counter() - between) * 1000)


@asynccontextmanager
async def evening(folder: Path, games: int) -> AsyncIterator[Evening]:
    """Prepares a contest of `games` games, up to its first hand."""
    played = play_contest(1, BOTS, as_series(ARENA_FORMAT, games), kind=CharacterBot)
    (folder / "data").mkdir()
    write(folder / "data" / f"{RECORDING}.jsonl", small_contest())
    with await listen_soon("127.0.0.1", 0) as listener:
        held = Evening(played, folder / "data" / "evening.jsonl", listener)
        running = asyncio.create_task(held.supervisor.run())
        yield held
        running.cancel()
        await asyncio.wait([running])


async def measure(games: int) -> tuple[Moment, Moment]:
    """Measures an evening after its first game and near its end."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        async with evening(Path(folder), games) as held:
            await held.play(games=1)
            await held.play(hands=1)
            first = await held.measure()
            await held.play(games=games - 2)
            return first, await held.measure()


def print_growth(first: Moment, last: Moment) -> Sequence[str]:
    """Prints the table; returns the pages that have become slower."""
    print(
        f"{'':40} {first.entries:>9,} entries, {first.hands:,} hands {last.entries:>9,} entries, {last.hands:,} hands"
    )
    grown = []
    for name, early in first.pages.items():
        late = last.pages[name]
        parts = [f"{one.first:8.1f} ms, again {one.again:6.1f} ms" for one in (early, late)]
        is_grown = late.first > early.first * MAX_RATIO + MARGIN_MS or late.again > early.again * MAX_RATIO + MARGIN_MS
        grown += [name] if is_grown else []
        print(f"{name:40} {'   '.join(parts)}   {late.first / early.first:4.1f}x{'  GROWN' if is_grown else ''}")
    print(f"{'journal to air':40} {first.on_air:8.1f} ms {last.on_air:8.1f} ms   {last.on_air / first.on_air:4.1f}x")
    if last.on_air > first.on_air * MAX_RATIO + MARGIN_MS:
        grown.append("journal to air")
    return grown


def main(games: int) -> int:
    grown = print_growth(*asyncio.run(measure(games)))
    print(f"goal: at most {MAX_RATIO:.0f} times the first figure; {len(grown)} have grown: {', '.join(grown)}")
    return bool(grown)


if __name__ == "__main__":
    flags = options(__doc__, games=GAMES)
    print_machine()
    sys.exit(main(flags.games))
