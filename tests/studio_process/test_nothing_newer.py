"""The game may be ahead of the show. But no page, API or commentators' booth shows what is not on air yet."""

import asyncio
import contextlib
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.typing import Origin

from broadcast.on_air.diary import AiredLine, Diary
from broadcast.web.serve import address_of, listen_with_retries
from server.app.decisions.author_reports import GameReport, author_link, report_path, reports_folder
from server.app.decisions.transcript import Line, Transcript, write_compressed
from server.bots.sandbox.runner import Usage
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.game.events import ControlSet, DealEnded, GameEnded, TournamentOpened
from server.game.formats import as_deals, as_series
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.journal.studio_link import Grown, Plan, open_link
from tests.commentary.claims.test_thoughts import with_notes
from tests.show.show_on_fake_clock import ShowOnFakeClock
from tests.support.games.contests import play_contest
from tests.support.games.deals import play_deals
from tests.support.games.recordings import SMALL_FORMAT, write
from tests.support.idle_loop import run_on_idle_loop
from tests.support.public_pages import AUTHORS, addresses
from tests.support.source_files import ROOT

RECORDING = "evening"
CONTEST_FORMATS = {
    "quick-draw": SMALL_FORMAT,
    "enova": replace(ENOVA_FORMAT, starting_stack=30),
    "arena": replace(as_series(ARENA_FORMAT, 2), starting_stack=300),
    "the same cards": as_deals(SMALL_FORMAT, 5),
}
TOKEN = "v" * 20
_CHANGING_VALUES = re.compile(
    r'"(?:at_ms|now_utc_ms|at_utc_ms|offset_ms|hold_ms|began|length_ms|until_ms|epoch)":(?:-?\d+|"\w*"),?'
)
"""Values in JSON that are not compared, because they change every second or with each run."""
_TIMES = re.compile(r'"(?:begins|ends|blinds)":(?:\[[^]]*\]|\{[^}]*\}),?')
"""Forecasts of times, which are not compared, because they change with the clock."""


class Evening:
    """A finished contest, and the diary of its show (the file of what was on air)."""

    def __init__(self, entries: Sequence[Entry], folder: Path) -> None:
        self.entries = entries
        opened = entries[0].event
        assert isinstance(opened, TournamentOpened)
        self.bots = [entrant.name for entrant in opened.entrants]
        self.links = [author_link(AUTHORS, entrant.bot, entrant.name) for entrant in opened.entrants]
        self.games = [entry.event.game for entry in entries if isinstance(entry.event, GameEnded)]
        diary = Diary(folder / "whole.air")
        run_on_idle_loop(_run_show(entries, diary))
        self.lines = [line for line in diary.read() if isinstance(line, AiredLine)]
        deal_ends = [at for at, line in enumerate(self.lines) if isinstance(entries[line.seq - 1].event, DealEnded)]
        self._line_count_before_pause = deal_ends[-2] if deal_ends else len(self.lines) * 4 // 5
        """How many `lines` come before the pause. In contests of deals (rounds in which all tables get the same cards),
        the pause comes before the end of the next-to-last deal. In other contests, it comes after 80 % of the lines.
        """

    def author_pages(self) -> list[str]:
        games = [f"/own/{link}/{game}{end}" for link in self.links[:3] for game in self.games for end in ("", "?json")]
        return [*(f"/own/{link}?json" for link in self.links), *games]

    def write_partly_aired(self, folder: Path) -> tuple[Path, int]:
        """Writes the whole journal with an added pause of the show, a diary up to this pause, and all game reports.

        Returns the journal's path, and the number of its entries up to and including the pause.
        """
        lines = self.lines[: self._line_count_before_pause]
        folder.mkdir(parents=True)
        diary = Diary(folder / f"{RECORDING}.air")
        for line in lines:
            diary.append(line)
        shown_count = max(line.seq for line in lines)
        paused = Entry(shown_count + 1, 0, ControlSet("paused", True, False))
        later = [replace(entry, seq=entry.seq + 1) for entry in self.entries[shown_count:]]
        for bot in range(1, len(self.bots) + 1):
            for game in self.games:
                transcript = Transcript((Line(0, 1, ">", f"what went on in game {game}"),))
                report = GameReport(transcript, usage=Usage(0, game << 20, game))
                write_compressed(report_path(reports_folder(folder / f"{RECORDING}.jsonl"), bot, game), report)
        return write(folder / f"{RECORDING}.jsonl", [*self.entries[:shown_count], paused, *later]), shown_count + 1


async def _run_show(entries: Sequence[Entry], diary: Diary) -> None:
    bus = Bus(None, lambda: 0.0)
    bus.load(entries)
    show = ShowOnFakeClock(bus=bus, diary=diary)
    async with show.running_task():
        while not show.air.picture.is_over:  # The picture is the state of the show.
            await show.clock.run(30)


@contextlib.asynccontextmanager
async def run_studio(journal: Path, count: int) -> AsyncIterator[httpx.AsyncClient]:
    """Runs a studio (the process that broadcasts) that knows only the first `count` entries of a journal.

    Yields a client of the studio once the show pauses.
    """
    our_end, studios_end = socket.socketpair()
    with await listen_with_retries("127.0.0.1", 0) as listener, studios_end:
        files = studios_end.fileno(), listener.fileno()
        command = (sys.executable, "-m", "server.app.studio.process", *map(str, files))
        running = await asyncio.create_subprocess_exec(*command, cwd=ROOT, pass_fds=files)
        link = await open_link(our_end)
        link.send(Plan("Friday", str(journal), str(journal.parent / "media"), (), "c" * 20, TOKEN, authors=AUTHORS))
        link.send(Grown(count))  # tells the studio about the first `count` entries only
        async with httpx.AsyncClient(base_url=address_of(listener), timeout=60) as web:
            while (await web.get("/live/main/index.json")).json()["state"] != "paused":  # noqa: ASYNC110 (the studio is another program)
                await asyncio.sleep(0.05)
            yield web
        running.kill()
        await running.wait()
        link.close()


async def read_pages(web: httpx.AsyncClient, evening: Evening) -> dict[str, str]:
    """Returns the content of every public page by path, without times."""
    index = (await web.get("/live/main/index.json")).json()
    parameters = {"recording": RECORDING, "version": "x", "epoch": index["epoch"]}
    paths = {*evening.author_pages(), f"/films/{RECORDING}/tables/2/index.json"}
    for bot, link in zip(evening.bots, evening.links, strict=True):
        for hand in range(index["open"] + 2):
            paths |= addresses(parameters | {"bot": quote(bot), "link": link, "hand": hand}).keys()
    pages = {}
    for path in sorted(paths):
        response = await web.get(path)
        text = f"{response.status_code} {response.headers.get('location', '')} {response.text}"
        text = text.replace(index["epoch"], "").replace(str(web.base_url).rstrip("/"), "")
        pages[path.replace(index["epoch"], "")] = _TIMES.sub("", _CHANGING_VALUES.sub("", text))
    return pages


async def read_booth(web: httpx.AsyncClient) -> str:
    """Returns the first message of the booth's web socket, without times."""
    await web.get("/booth", params={"token": TOKEN})
    cookies = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
    base = str(web.base_url).rstrip("/")
    address = f"{base.replace('http', 'ws', 1)}/ws/booth"
    async with connect(address, origin=Origin(base), additional_headers={"Cookie": cookies}) as socket:
        return _CHANGING_VALUES.sub("", str(await socket.recv()))


@pytest.mark.parametrize("contest", CONTEST_FORMATS)
def test_no_public_page_shows_that_the_table_has_played_on(contest: str, tmp_path: Path) -> None:
    contest_format = CONTEST_FORMATS[contest]
    if contest_format.stages[-1].deals:
        entries = play_deals(4, 5, first_table_seed=6, other_tables_seed=7, contest=SMALL_FORMAT)
    else:
        entries = [*with_notes(play_contest(4, 6, contest_format), 1)]  # Notes are bots' thoughts.
    evening = Evening(entries, tmp_path)

    async def compare() -> None:
        journal, count = evening.write_partly_aired(tmp_path / "ahead")
        behind_journal = shutil.copytree(journal.parent, tmp_path / "behind") / journal.name
        async with run_studio(journal, len(evening.entries) + 1) as ahead, run_studio(behind_journal, count) as behind:
            pages, expected = await read_pages(ahead, evening), await read_pages(behind, evening)
            booth = await read_booth(ahead)
            assert '"lines":[' in booth
            assert booth == await read_booth(behind)
        assert [page for page in pages if pages[page] != expected.get(page)] == []
        assert pages.keys() == expected.keys()
        assert all(pages[page].startswith("200") for page in ("/", "/watch", "/results", "/recordings", "/healthz"))
        game_pages = [page for page in evening.author_pages() if re.search(r"/[0-9]+$", page)]
        aired_pages = [page for page in game_pages if pages[page].startswith("200")]
        assert all(f"what went on in game {page.rpartition('/')[2]}<" in pages[page] for page in aired_pages)
        assert len(aired_pages) < len(game_pages), "pages of games that have not been on air must be missing"
        assert aired_pages or len(evening.games) == 1
        replays = ("replay/{}", "films/{}/index.json", "verify/{}", "recordings/{}")
        assert all(pages[f"/{page.format(RECORDING)}"].startswith("404") for page in replays)

    asyncio.run(compare())
