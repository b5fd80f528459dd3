"""Authors get a report on each game of their bots, behind a secret link. The reports' total size is limited."""

import contextlib
import os
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import httpx
from fastapi import FastAPI
from msgspec.structs import asdict

from server.app.decisions.author_reports import MAX_FAULTS, AuthorReports, ProgramEnd, author_link, read_report
from server.app.decisions.decisions import decisions_of
from server.app.studio.author_pages import AuthorGames, AuthorPages
from server.bots.message_records import BotFault
from server.bots.sandbox.runner import Usage
from server.game.events import ActionTaken, GameEnded, GameStarted, HandStarted
from tests.bots.views import first_turn_view
from tests.support.games.recordings import small_contest

EVENTS = [entry.event for entry in small_contest()]
SECRET = "ab" * 32


async def record_contest(folder: Path, budget_bytes: int = 1 << 20) -> None:
    """Writes reports on a contest. In every hand, each bot is sent its own number, and bot 1's answer is not JSON."""
    reports = AuthorReports(folder, "quick-draw", budget_bytes)
    records = {bot: reports.record_of(bot) for bot in range(1, 9)}
    fault = BotFault("malformed", "not JSON", b"what?", first_turn_view().hand)
    for event in EVENTS:
        reports.apply(event)
        if isinstance(event, HandStarted):
            for bot, record in records.items():
                record.record(">", b"hello %d" % bot)
            records[1].record_fault(fault)
    await reports.wait_until_written()


@contextlib.asynccontextmanager
async def open_author_pages(folder: Path, games: AuthorGames) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.include_router(AuthorPages(SECRET, lambda: {1: "Ann", 2: "Bob"}, folder, games).router())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as web:
        yield web


def find_games(bot: int) -> list[int]:
    return [event.game for event in EVENTS if isinstance(event, GameStarted) and bot in event.seats]


async def test_bot_has_a_report_on_each_of_its_games_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "authors"
    await record_contest(folder)
    expected_names = {f"{bot}-{game}.notes" for bot in range(1, 9) for game in find_games(bot)}
    assert {path.name for path in folder.iterdir()} == expected_names
    for bot in range(1, 9):
        for game in find_games(bot):
            report = read_report(folder, bot, game)
            assert report
            lines = report.transcript.lines
            assert {line.text for line in lines} == {f"hello {bot}"}
            assert sorted({line.hand for line in lines}) == list(range(1, len(lines) + 1))
            assert any(fault.sent == ("what?",) for fault in report.faults) == (bot == 1)
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


async def test_page_shows_a_boxed_bots_usage_up_to_its_latest_game_on_air(tmp_path: Path) -> None:
    reports = AuthorReports(tmp_path, "quick-draw")
    for event in EVENTS:
        if isinstance(event, GameEnded):
            reports.record_usage(1, Usage(5 << 20, (20 + event.game) << 20, event.game / 2))
            if event.game == find_games(1)[-1]:
                reports.record_end(1, ProgramEnd("its program ended with status 1", "<b>ZeroDivisionError"))
        reports.apply(event)
    await reports.wait_until_written()
    aired_games = AuthorGames()
    ann, bob = (f"/own/{author_link(SECRET, bot, name)}" for bot, name in ((1, "Ann"), (2, "Bob")))
    first, last = find_games(1)[0], find_games(1)[-1]
    assert first < last
    first_end = next(seq for seq, event in enumerate(EVENTS) if isinstance(event, GameEnded) and event.game == first)
    async with open_author_pages(tmp_path, aired_games) as web:
        assert (await web.get(f"{ann}?json")).json()["usage"] == asdict(Usage())
        for event in EVENTS[: first_end + 1]:
            aired_games.apply(event)
        page = (await web.get(ann)).text
        assert f"peaked at {20 + first} of 100 MB, and it had used {first / 2:.1f} s of processor time" in page
        assert "status 1" not in page, "how the program ended must be hidden until the bot's last game has been on air"
        for event in EVENTS[first_end + 1 :]:
            aired_games.apply(event)
        assert (await web.get(f"{ann}?json")).json()["usage"]["cpu_seconds"] == last / 2
        page = (await web.get(ann)).text
        assert "Its program ended with status 1." in page
        assert "&lt;b&gt;ZeroDivisionError" in page
        page = (await web.get(bob)).text
        assert "status 1" not in page
        assert "MB" not in page, "the memory of a bot without a box (sandbox) must not be shown"


async def test_author_of_a_bot_that_never_played_reads_how_its_program_ended(tmp_path: Path) -> None:
    ended = ProgramEnd("it ended before it connected: ended with status 3", "no module named torch")
    for end in (ended, None, ProgramEnd()):  # The bot ends, then the server restarts, then the bot restarts.
        reports = AuthorReports(tmp_path, "quick-draw")
        if end is not None:
            reports.record_end(1, end)
        await reports.wait_until_written()
        async with open_author_pages(tmp_path, AuthorGames()) as web:
            text = (await web.get(f"/own/{author_link(SECRET, 1, 'Ann')}")).text
        for sentence in ("It ended before it connected: ended with status 3.", "no module named torch"):
            assert (sentence in text) is (end != ProgramEnd())


async def test_reports_stay_within_their_budget_and_count_faults_beyond_a_limit(tmp_path: Path) -> None:
    folder = tmp_path / "authors"
    await record_contest(folder, budget_bytes=1)
    first_files = {path.name for path in folder.iterdir()}
    assert len(first_files) == 1, "the first report must use up the budget"
    await record_contest(folder, budget_bytes=1)
    assert {path.name for path in folder.iterdir()} == first_files, "older files must count towards the budget, too"
    reports = AuthorReports(tmp_path, "quick-draw")
    record = reports.record_of(1)
    reports.apply(GameStarted(1, 1, (1, 2), (5000, 5000)))
    for _ in range(2 * MAX_FAULTS):
        record.record_fault(BotFault("illegal", "an action that was not requested", os.urandom(1000), None))
    reports.apply(GameEnded(1, (5000, 5000)))
    await reports.wait_until_written()
    report = read_report(tmp_path, 1, 1)
    assert report
    assert (len(report.faults), report.more) == (MAX_FAULTS, MAX_FAULTS)  # `more`: how many faults are only counted
    assert (tmp_path / "1-1.notes").stat().st_size < 100_000


def test_only_finished_games_are_listed_and_each_has_its_own_decisions() -> None:
    aired_games, finished_games = AuthorGames(), list[int]()
    for event in EVENTS:
        aired_games.apply(event)
        if isinstance(event, GameEnded):
            finished_games.append(event.game)
        for bot in (1, 5):
            listed_games = [game.game for game in aired_games.games_of_bot(bot)]
            assert listed_games == [game for game in finished_games if game in find_games(bot)]
    games = aired_games.games_of_bot(1)
    assert [game.first_hand for game in games] == sorted({game.first_hand for game in games})
    answers = [event for event in EVENTS if isinstance(event, ActionTaken)]
    assert sum(len(game.times) for bot in range(1, 9) for game in aired_games.games_of_bot(bot)) == len(answers)
    for bot in range(1, 9):
        for number in find_games(bot):
            assert [*decisions_of(aired_games.events_of(number), bot, number)] == [*decisions_of(EVENTS, bot, number)]


def test_link_depends_on_the_secret_and_on_the_bots_number_and_name() -> None:
    arguments = product((SECRET, "cd" * 32), (1, 2), ("Ann", "Bob"))
    links = {author_link(secret, bot, name) for secret, bot, name in arguments}
    assert (len(links), {len(link) for link in links}) == (8, {32})
