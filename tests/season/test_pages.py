"""Anybody can read a season's ranking, games and decisions. A bot's log is for the bot's owner and the operator."""

import asyncio
import json
import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from broadcast.odds.certainty import MIN_UNITS, interval_of
from broadcast.odds.earned import earned_in_each_unit
from server.app.decisions.decisions import decision_to_json, decisions_of
from server.app.season.show import earlier_duels, interest_key
from server.app.season.views import rating_text
from server.game.events import Event
from server.journal.journal import read_journal
from server.season.events import BotActivated, GamePaired, GameRated
from server.season.files import SeasonFiles
from server.season.ledger import read_ledger
from server.season.outcome import SIDES
from server.season.player_secrets import badge_of
from server.season.season_state import Game
from server.verify.season import verify_season
from tests.season.sample_seasons import HOSTILE_NAME, make_season, secret_of, write_logs
from tests.season.season_server import SECONDS, TOKENS, SeasonPages, enter_nobody, in_season, season_pages, zip_bot
from tests.season.test_uploads import enter_players

POLL_SECONDS = 0.01
in_finished_season = in_season(before=lambda: make_season(7, 120, dice=random.Random(120)))
"""Decorates a test that gets the pages of a finished season of seven bots."""


@in_finished_season
async def test_leaderboard_shows_rating_score_and_history_of_every_bot(pages: SeasonPages) -> None:
    board, standings = (await pages.get("/season")).text, pages.season.ledger.standings
    ratings = [float(rating) for rating in re.findall(r'<td class="number rating">([\d.]+)</td>', board)]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 7
    assert sum(ratings) == pytest.approx(7000)
    assert "120 games, the season is over" in board
    assert board.count("<polyline") == 7
    assert len(re.findall(r'class="(?:won|lost|tied)" href="/season/games/\d+"', board)) == 7 * 5
    for player in standings.players.values():
        assert f"{player.won}-{player.lost}-{player.tied}" in board
    rows = (await pages.get("/season.json")).json()
    assert [row["number"] for row in rows] == standings.leaderboard
    assert {row["bot"] for row in rows} >= {"Bot 1", HOSTILE_NAME}


@in_finished_season
async def test_games_of_all_bots_or_of_one_bot_are_listed_latest_first(pages: SeasonPages) -> None:
    async def list_games(query: str) -> list[int]:
        text = (await pages.get(f"/season/games?{query}")).text
        return list(map(int, re.findall(r'<td class="number"><a href="/season/games/(\d+)">', text)))

    standings = pages.season.ledger.standings
    numbers = [number for page in (1, 2, 3) for number in await list_games(f"page={page}")]
    assert numbers == list(range(len(standings.games), 0, -1))
    assert await list_games("bot=3") == list(reversed(standings.players[3].games))[:50]
    assert '<option value="3" selected>' in (await pages.get("/season/games?bot=3")).text
    for strange_query in ("page=99", "page=-1", "bot=-3", "page=" + "9" * 40, "page=%00"):
        assert (await pages.get(f"/season/games?{strange_query}")).status_code == 200
    assert (await pages.get("/season/games?bot=99")).status_code == 404


@in_finished_season
async def test_page_of_a_game_shows_its_result_and_public_log(pages: SeasonPages) -> None:
    game = pages.season.ledger.standings.games[0]
    write_logs(pages.season.store, 1)
    text = (await pages.get("/season/games/1")).text
    for seat in (0, 1):
        assert f'<td class="number">{game.stacks[seat]}</td>' in text
        assert f"{(game.ratings_after[seat] - game.ratings_before[seat]) / 100:+.2f}" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script" not in text
    headers = (await pages.get("/season/games/1/public.log")).headers
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["x-content-type-options"] == "nosniff"
    assert 'href="/replay/season/1"' in text
    assert (await pages.get("/replay/season/1")).status_code == 404, "a game without a recording must have no replay"
    for path in ("games/0", "games/9999", "bots/99", "games/1/other.log"):
        assert (await pages.get(f"/season/{path}")).status_code == 404
    forfeited = next(game.number for game in pages.season.ledger.standings.games if game.fault)
    assert "lost by a fault (timeout)" in (await pages.get(f"/season/games/{forfeited}")).text


@in_finished_season
async def test_only_a_bots_owner_and_the_operator_can_read_the_bots_log(pages: SeasonPages) -> None:
    standings, port = pages.season.ledger.standings, pages.port
    write_logs(pages.season.store, 1)
    for player in standings.players:
        badge_cookie = f"season_{port}={badge_of(secret_of(player))}"  # browsers keep a badge instead of the secret
        for owner, side in zip(standings.games[0].players, SIDES, strict=True):
            response = await pages.get(f"/season/games/1/{side}.log", cookie=badge_cookie)
            assert response.status_code == (200 if player == owner else 403)
            assert (f"what only the {side} knows" in response.text) == (player == owner)
    for cookie in ("", f"season_{port}=", f"season_{port}=0000", f"season_{port}={secret_of(1)}", "season_1=x"):
        for side in SIDES:
            assert (await pages.get(f"/season/games/1/{side}.log", cookie=cookie)).status_code == 403
            assert "what only" not in (await pages.get("/season/games/1", cookie=cookie)).text
    log = "/season/games/1/defender.log"
    assert "knows" in (await pages.get(log, cookie=f"desk_{port}={TOKENS.cookie_value('control')}")).text
    assert (await pages.get(log, cookie=f"desk_{port}={TOKENS.cookie_value('view')}")).status_code == 403


@in_finished_season
async def test_every_page_escapes_the_text_of_strangers(pages: SeasonPages) -> None:
    write_logs(pages.season.store, 1)
    for path in ("/season", "/season.json", "/season/bots/2", "/season/games", "/season/games/1", "/upload"):
        response = await pages.get(path)
        assert response.status_code == 200, path
        assert "default-src 'self'" in response.headers["content-security-policy"]
        if path != "/season.json":
            assert "<b>Bob" not in response.text
            assert "Spring <season>" not in response.text
            assert "style=" not in response.text
            policy = response.headers["referrer-policy"]
            assert policy == "same-origin", "with a stricter policy, browsers would hide the origin of forms"
    for path in ("/season", "/season/bots/2"):
        assert "&lt;b&gt;Bob&lt;/b&gt; &amp; &#39;co&#39;" in (await pages.get(path)).text
    assert (await pages.get("/season", host="saloon.example")).status_code == 200


ENOUGH_GAMES = MIN_UNITS + 2


@in_season(games=ENOUGH_GAMES)
async def test_pages_show_earnings_and_every_recorded_decision(pages: SeasonPages) -> None:
    await enter_players(pages, "Ada", "Bob")
    await pages.season.scheduler.run()
    rows = list[dict[str, Any]]()
    while not rows or any(row["earned_games"] < ENOUGH_GAMES for row in rows):  # another task computes the earnings
        await asyncio.sleep(POLL_SECONDS)
        rows = (await pages.get("/season.json")).json()
    board = (await pages.get("/season")).text
    units = [unit for number in range(1, ENOUGH_GAMES + 1) for unit in earned_in_each_unit(events_of(pages, number))]
    assert len(units) == ENOUGH_GAMES, "each game must count as one result"
    for row in rows:
        results = [float(unit[row["number"]].earned) for unit in units]
        interval = interval_of(results)
        assert interval
        assert row["earned"] == round(sum(results) / ENOUGH_GAMES, 2)
        assert (row["low"], row["high"]) == (round(interval.low, 2), round(interval.high, 2))
        assert f"{row['earned']:+.1f}" in board
        assert f"{row['low']:+.1f} to {row['high']:+.1f}" in board
    assert rows[0]["earned"] == -rows[1]["earned"]
    for player, side in zip(pages.season.ledger.standings.games[0].players, SIDES, strict=True):
        decisions = decisions_of(events_of(pages, 1), player)
        expected = json.loads(json.dumps([decision_to_json(decision) for decision in decisions]))
        hands = (await pages.get(f"/season/games/1/{side}?json")).json()["hands"]
        assert [decision for hand in hands for decision in hand["decisions"]] == expected != []
        page = (await pages.get(f"/season/games/1/{side}")).text
        assert page.count("<tr>") - page.count("<thead>") == len(expected)
        assert f"It answered {len(expected)} time" in page
        assert 'href="/season/games/1/public.log"' in page
        assert f'href="/season/games/1/{side}"' in (await pages.get("/season/games/1")).text
    pages.season.store.game_files(2).journal.unlink()
    for path in ("2/defender", f"{ENOUGH_GAMES + 1}/defender", "1/public", "1/DEFENDER"):
        assert (await pages.get(f"/season/games/{path}")).status_code == 404


def events_of(pages: SeasonPages, game: int) -> list[Event]:
    return [entry.event for entry in read_journal(pages.season.store.game_files(game).journal).entries]


# -- the show

PUBLIC_PAGES = (
    "/", "/watch", "/overlay", "/projector", "/recordings", "/healthz", "/live/main/index.json", "/bots/Bot%20of%20Ada",
    "/season", "/season.json", "/season/bots/1", "/season/bots/2", "/season/games", "/season/games?bot=1",
    "/season/games/1", "/upload", "/guide/",
)  # fmt: skip


async def set_control(pages: SeasonPages, control: str, value: bool) -> int:
    setting = {"control": control, "value": value}
    return (await pages.web.post(f"{pages.base}/api/desk/set", json=setting, headers=pages.operator)).status_code


def test_earlier_games_of_two_players_count_unless_void_or_unfinished() -> None:
    def game(number: int, players: tuple[int, int], stacks: tuple[int, int], void: str = "") -> Game:
        return Game(number, number, (1, 2), players, (0, 0), 0, stacks=stacks, void_reason=void, over=number != 6)

    games = [
        game(1, (1, 2), (150, 50)), game(2, (2, 1), (150, 50)), game(3, (1, 2), (100, 100)), game(4, (1, 3), (150, 50)),
        game(5, (1, 2), (150, 50), void="the machine failed"), game(6, (1, 2), (0, 0)), game(8, (1, 2), (150, 50)),
    ]  # fmt: skip
    earlier_games = earlier_duels(games, game(7, (2, 1), (0, 0)))
    assert earlier_games.duels == ("season/1", "season/2", "season/3")
    assert earlier_games.duels_won == {1: ("season/1",), 2: ("season/2",)}


@in_season(games=4, at_once=1)
async def test_paused_show_delays_no_game_and_reveals_none(pages: SeasonPages) -> None:
    season = pages.season
    await enter_players(pages, "Ada", "Bob")
    assert await set_control(pages, "paused", True) == 200
    assert await set_control(pages, "stage_end", True) == 409  # a season has no stage that could be ended early
    show_task = asyncio.create_task(season.show.run())
    await season.scheduler.run()
    assert season.ledger.standings.counted_games == 4
    desk = (await pages.get("/api/v1/desk", authorization=f"Bearer {TOKENS.control}")).json()
    lights = {light["of"]: (light["colour"], light["words"]) for light in desk["lights"]}
    assert lights["engine"] == ("green", "the season is over")
    assert lights["journal"][0] == lights["disk"][0] == "green"
    assert len(season.show.shown_games) == 1
    assert season.show.status.waiting == "paused"
    assert not show_task.done()
    await check_nothing_is_revealed(pages)
    assert await set_control(pages, "paused", False) == 200
    is_duel_shown = False
    while not show_task.done():
        await asyncio.sleep(0)  # at pace 0, the show lets this loop run after each event
        is_duel_shown |= season.show.showrunner is not None and season.show.showrunner.status.stage is not None
        assert season.show.status.stage is None, "the desk must not offer to end a duel (a game of two bots)"
        assert not season.show.status.is_over or not season.show.on_air, "the end of a duel must not end the show"
    await show_task
    assert is_duel_shown
    assert len(season.show.shown_games) == 2, "of the games that waited, only the best may be shown"
    assert season.show.status.is_over
    assert list((await pages.get("/healthz")).json()["channels"]) == ["main"]
    assert 'href="/replay/season/2"' in (await pages.get("/season/games/2")).text
    assert "Game 2: Bot of" in (await pages.get("/replay/season/2")).text
    for path in ("/verify/season/2", "/recordings/season/2.jsonl"):  # these pages would tell everybody why a bot lost
        assert (await pages.get(path)).status_code == 404
    replay_index = (await pages.get("/films/season/2/index.json")).json()
    assert (replay_index["contest"], replay_index["length_ms"] > 10_000, len(replay_index["bots"])) == ("upac", True, 2)
    redirect = await pages.get("/recordings/season/2")
    assert (redirect.status_code, redirect.headers["location"]) == (307, "/season/games/2")
    for name in ("season/5", "season/02", "season/-1", "season/2/", "season/../2"):
        for path in (f"/replay/{name}", f"/films/{name}/index.json", f"/films/{name}/x/0.seg"):
            assert (await pages.get(path)).status_code == 404, path
    assert sum(row["games"] for row in (await pages.get("/season.json")).json()) == 2 * 4
    assert "the season is over" in (await pages.get("/season")).text
    assert "The season is over." in (await pages.get("/upload")).text
    assert "round 1/" in (await pages.get("/season/games/1/public.log")).text


async def test_only_a_new_season_waits_for_the_start_button(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with season_pages(tmp_path, games=2, at_once=1, waits=True) as pages, asyncio.timeout(SECONDS):
        season = pages.season
        await enter_players(pages, "Ada", "Bob")
        season_task = asyncio.create_task(season.run(enter_nobody))
        while not (output := capsys.readouterr().out):  # noqa: ASYNC110 (no event reports output)
            await asyncio.sleep(POLL_SECONDS)
        assert "the season begins when START is pressed at the desk" in output
        assert (season.show.status.waiting, season.ledger.standings.draw) == ("waiting for the start", 0)
        assert await set_control(pages, "started", True) == 200
        await season_task
        assert season.ledger.standings.counted_games == 2
        assert await set_control(pages, "started", False) == 409
    ledger = tmp_path / "season.jsonl"
    content = ledger.read_bytes()
    ledger.write_bytes(content[: content.index(b'"type":"game_rated"')])
    capsys.readouterr()
    async with season_pages(tmp_path, games=2, at_once=1, waits=True) as pages, asyncio.timeout(SECONDS):
        await pages.season.run(enter_nobody)
    assert "START" not in capsys.readouterr().out


async def check_nothing_is_revealed(pages: SeasonPages) -> None:
    """Checks that public pages show only the beginning of game 1, which is on air, and no other game."""
    await check_leaderboard_is_empty(pages)
    board = (await pages.get("/season")).text
    assert "Game 1 is on air. These pages follow the show" in board
    assert "the season is over" not in board
    assert pages.season.ledger.standings.seed not in board  # the seed is published when the season is over
    upload_page = (await pages.get("/upload")).text
    refusal = (await pages.upload(zip_bot("Late"), player="Late")).text
    for page in (upload_page, refusal):
        assert "No more bots are accepted." in page
        assert "season is over" not in page
    schedule = (await pages.get("/live/main/index.json")).json()["schedule"]
    assert "items" not in schedule, "games that have not begun on air must not be listed"
    assert schedule["left"] == 3
    assert re.findall(r'href="/season/games/(\d+)"', (await pages.get("/season/games")).text) == ["1"]
    assert "being played" in (await pages.get("/season/games/1")).text
    ratings = {rating for game in pages.season.ledger.standings.games for rating in game.ratings_after} - {1000_00}
    assert ratings
    for path in PUBLIC_PAGES:
        text = (await pages.get(path)).text
        assert pages.season.ledger.standings.seed not in text, path
        for rating in ratings:
            assert not re.search(rf"\b{re.escape(rating_text(rating))}\b|rating\W+{rating}\b", text), path
    hidden_paths = [f"/season/games/1/{name}" for name in ("public.log", "defender.log", "defender")]
    hidden_paths += ["/replay/season/1", "/films/season/1/index.json"]
    hidden_paths += [path for game in (2, 3, 4) for path in (f"/season/games/{game}", f"/replay/season/{game}")]
    for path in hidden_paths:
        assert (await pages.get(path)).status_code == 404, path
    await check_leaderboard_is_empty(pages)  # again, because the first check may have made the server compute earnings


async def check_leaderboard_is_empty(pages: SeasonPages) -> None:
    for row in (await pages.get("/season.json")).json():
        assert (row["rating"], row["games"], row["last"]) == ("1000.00", 0, [])
        assert (row["earned"], row["low"], row["earned_games"]) == (None, None, 0)


def test_show_prefers_long_games_between_good_bots_of_similar_rating() -> None:
    def game(rating: int, other_rating: int, *, hands: int = 100, forfeited: int = -1) -> Game:
        return Game(1, 1, (1, 2), (1, 2), (100 * rating, 100 * other_rating), 0, hands=hands, forfeited=forfeited)

    best_first = [game(1100, 1090), game(1100, 1000), game(900, 890)]
    best_first += [game(1200, 1200, hands=2), game(1100, 1100, forfeited=0)]
    assert sorted(best_first, key=interest_key, reverse=True) == best_first  # `interest_key`: how good a game is


SEASON_GAMES = 3


async def run_season(folder: Path, *new_players: str) -> Sequence[Event]:
    async with season_pages(folder, games=SEASON_GAMES, at_once=1) as pages, asyncio.timeout(SECONDS):
        await enter_players(pages, *new_players)
        await pages.season.run(enter_nobody)
    return events_in(folder / "season.jsonl")


def events_in(ledger: Path) -> list[Event]:
    return [entry.event for entry in read_ledger(ledger).entries]


def cut_after(folder: Path, number: int) -> None:
    """Truncates a season's files, as a crash might. The ledger keeps `number` entries and half of the next entry.

    The journal of an unfinished game is emptied, cut in half, or left whole.
    """
    ledger = folder / "season.jsonl"
    events, store = events_in(ledger)[:number], SeasonFiles(ledger)
    lines = ledger.read_bytes().splitlines(keepends=True)
    half = b"".join(line[: len(line) // 2] for line in lines[number + 1 :][:1])
    ledger.write_bytes(b"".join(lines[: number + 1]) + half)
    paired, rated = (sum(isinstance(event, event_type) for event in events) for event_type in (GamePaired, GameRated))
    for game in range(paired + 1, SEASON_GAMES + 1):
        store.game_files(game).journal.unlink()
    if paired > rated:
        journal = store.game_files(paired).journal
        content = journal.read_bytes()
        journal.write_bytes(content[: len(content) * (number % 3) // 2])


def test_interrupted_season_ends_with_the_same_ledger(tmp_path: Path) -> None:
    events = asyncio.run(run_season(tmp_path / "uninterrupted", "Ada", "Bob", "Cleo"))
    last_activation = max(number for number, event in enumerate(events, 1) if isinstance(event, BotActivated))
    assert len(events) - last_activation > 2 * SEASON_GAMES
    for number in range(last_activation, len(events)):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "uninterrupted", folder)
        cut_after(folder, number)
        assert asyncio.run(run_season(folder)) == events
        assert not verify_season(folder / "season.jsonl", SeasonFiles(folder / "season.jsonl")).open
