"""No public page is newer than what is on air: each reads as if the table had played no further than the show."""

import asyncio
import contextlib
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from broadcast.on_air.diary import Aired, Diary
from broadcast.web.serve import address_of, listen_soon
from server.app.decisions.author_reports import GameReport, author_link, report_path, reports_folder
from server.app.decisions.transcript import Line, Transcript, pack
from server.bots.sandbox.runner import Usage
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.game.events import ControlSet, GameEnded, TournamentOpened
from server.game.tournament import Format, as_series
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.journal.link import Grown, Plan, open_link
from tests.show.show_on_fake_clock import ShowOnFakeClock
from tests.support.contests import play_contest
from tests.support.recordings import SMALL, write
from tests.support.source_files import ROOT

NAME = "evening"
AUTHORS = "ab" * 32
"""The secret of the authors' links."""
POLLING_SECONDS = 0.05
CONTESTS: dict[str, tuple[Format, tuple[float, ...]]] = {
    "quick-draw": (SMALL, (0.8,)),
    "enova": (replace(ENOVA_FORMAT, starting_stack=30), (0.8,)),
    "arena": (replace(as_series(ARENA_FORMAT, 2), starting_stack=300), (0.8,)),
}
"""Contests, each with the shares of its show that have been on air when its pages are compared."""
_PASSING = re.compile(r'"(?:at_ms|now_utc_ms|offset_ms|hold_ms|began|length_ms|until_ms|epoch)":(?:-?\d+|"\w*"),?')
"""Values that differ from second to second, or from studio to studio."""
_TIMES = re.compile(r'"(?:begins|ends|blinds)":(?:\[[^]]*\]|\{[^}]*\}),?')
"""Times that follow the clock; the tests of the schedule hold that these reveal nothing either."""


class Evening:
    """A contest whose table has played to the end, and the diary of its show."""

    def __init__(self, entries: Sequence[Entry], folder: Path) -> None:
        self.entries = entries
        opened = entries[0].event
        assert isinstance(opened, TournamentOpened)
        self.bots = [entrant.name for entrant in opened.entrants]
        self.links = [author_link(AUTHORS, entrant.bot, entrant.name) for entrant in opened.entrants]
        self.games = [entry.event.game for entry in entries if isinstance(entry.event, GameEnded)]
        diary = Diary(folder / "whole.air")
        asyncio.run(_shown(entries, diary))
        self.lines = [line for line in diary.read() if isinstance(line, Aired)]

    def own_pages(self) -> list[str]:
        """The pages of all authors, and of all games of three of them."""
        games = [f"/own/{link}/{game}{end}" for link in self.links[:3] for game in self.games for end in ("", "?json")]
        return [*(f"/own/{link}?json" for link in self.links), *games]

    def at(self, share: float, folder: Path) -> tuple[Path, int]:
        """A journal of whose show that share has been on air, by its diary, and the number of entries shown.

        After these the show was paused; then comes all that the table has played meanwhile.
        """
        lines = self.lines[: int(share * len(self.lines))]
        folder.mkdir(parents=True)
        diary = Diary(folder / f"{NAME}.air")
        for line in lines:
            diary.append(line)
        shown = max(line.seq for line in lines)
        paused = Entry(shown + 1, 0, ControlSet("paused", True, False))
        later = [replace(entry, seq=entry.seq + 1) for entry in self.entries[shown:]]
        for bot in range(1, len(self.bots) + 1):
            for game in self.games:
                report = GameReport(
                    Transcript((Line(0, 1, ">", f"what went on in game {game}"),)), usage=Usage(0, game << 20, game)
                )
                pack(report_path(reports_folder(folder / f"{NAME}.jsonl"), bot, game), report)
        return write(folder / f"{NAME}.jsonl", [*self.entries[:shown], paused, *later]), shown + 1


async def _shown(entries: Sequence[Entry], diary: Diary) -> None:
    bus = Bus(None, lambda: 0.0)
    bus.load(entries)
    show = ShowOnFakeClock(bus=bus, diary=diary)
    with show.begun():
        while not show.air.picture.is_over:
            await show.clock.run(30)


@contextlib.asynccontextmanager
async def studio(journal: Path, known: int) -> AsyncIterator[httpx.AsyncClient]:
    """The pages of a studio that knows that many entries of a journal, once it has paused."""
    room, its_end = socket.socketpair()
    with await listen_soon("127.0.0.1", 0) as listener, its_end:
        ends = its_end.fileno(), listener.fileno()
        command = (sys.executable, "-m", "server.app.studio.process", *map(str, ends))
        running = await asyncio.create_subprocess_exec(*command, cwd=ROOT, pass_fds=ends)
        link = await open_link(room)
        link.send(Plan("Friday", str(journal), str(journal.parent / "media"), (), "c" * 20, "v" * 20, authors=AUTHORS))
        link.send(Grown(known))
        async with httpx.AsyncClient(base_url=address_of(listener), timeout=60) as web:
            await until_paused(web)
            yield web
        running.kill()
        await running.wait()
        link.close()


async def until_paused(web: httpx.AsyncClient) -> None:
    while (await web.get("/live/main/index.json")).json()["state"] != "paused":  # noqa: ASYNC110 (another program)
        await asyncio.sleep(POLLING_SECONDS)


async def said(web: httpx.AsyncClient, evening: Evening) -> dict[str, str]:
    """What every public page says, without what changes by itself."""
    index = (await web.get("/live/main/index.json")).json()
    live = f"/live/main/{index['epoch']}"
    fixed = ("/", "/watch", "/projector", "/overlay", "/results", "/results.json", "/recordings", "/healthz", "/guide/")
    kinds = ("replay", "films", "verify", "recordings", "previews")
    of_it = (f"/{kind}/{NAME}{end}" for kind in kinds for end in ("", ".jsonl", ".png", "/index.json", "/x/0.seg"))
    pieces = (f"{live}/{number}.seg" for number in range(index["open"] + 2))
    paths = (
        *fixed,
        *of_it,
        *pieces,
        f"{live}/open.json",
        "/live/main/index.json",
        *(f"/bots/{bot}" for bot in evening.bots),
    )
    paths = (*paths, *evening.own_pages())
    found = {}
    for path in paths:
        answer = await web.get(path)
        text = f"{answer.status_code} {answer.headers.get('location', '')} {answer.text}".replace(index["epoch"], "")
        text = text.replace(str(web.base_url).rstrip("/"), "")
        found[path.replace(index["epoch"], "")] = _TIMES.sub("", _PASSING.sub("", text))
    return found


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_page_reads_as_if_the_table_had_played_no_further(contest: str, tmp_path: Path) -> None:
    played, shares = CONTESTS[contest]
    evening = Evening(play_contest(4, 6, played), tmp_path)

    async def story() -> None:
        games_seen = 0
        for share in shares:
            journal, shown = evening.at(share, tmp_path / f"{share}")
            other = tmp_path / f"{share} again"
            shutil.copytree(journal.parent, other)
            async with studio(journal, len(evening.entries) + 1) as ahead, studio(other / journal.name, shown) as level:
                pages, known = await said(ahead, evening), await said(level, evening)
            assert [page for page in pages if pages[page] != known.get(page)] == []
            assert pages.keys() == known.keys()
            assert all(pages[page].startswith("200") for page in ("/", "/watch", "/results", "/recordings", "/healthz"))
            own = [page for page in evening.own_pages() if re.search(r"/[0-9]+$", page)]
            seen = [page for page in own if pages[page].startswith("200")]
            assert all(f"what went on in game {page.rpartition('/')[2]}<" in pages[page] for page in seen)
            assert len(seen) < len(own), "some games have not been on air"
            games_seen += len(seen)
            of_it = ("replay/{}", "films/{}/index.json", "verify/{}", "recordings/{}")
            assert all(pages[f"/{page.format(NAME)}"].startswith("404") for page in of_it)
        assert games_seen or len(evening.games) == 1

    asyncio.run(story())
