"""A season's leaderboard, games and decisions are public, but a bot's own log is only for the bot's owner."""

import asyncio
import json
import random
import re
from typing import Any

from broadcast.odds.certainty import MIN_UNITS, interval_of
from broadcast.odds.earned import units_of
from server.app.decisions.decisions import decision_to_json, decisions_of
from server.game.events import Event
from server.journal.journal import read_journal
from server.season.outcome import SIDES
from server.season.player_secrets import badge_of
from tests.season.sample_seasons import HOSTILE, played, secret_of, write_logs
from tests.season.season_server import TOKENS, Pages, in_season
from tests.season.test_show import POLL_SECONDS, enter_two_players

ESCAPED = "&lt;b&gt;Bob&lt;/b&gt; &amp; &#39;co&#39;"
PAGES = ("/season", "/season.json", "/season/bots/2", "/season/games", "/season/games/1", "/upload")
in_played_season = in_season(before=lambda: played(7, 120, dice=random.Random(120)))
"""Decorates a test that takes the pages of a finished season of seven bots."""


@in_played_season
async def test_leaderboard_shows_rating_score_and_history_of_every_bot(pages: Pages) -> None:
    board, standings = (await pages.get("/season")).text, pages.season.ledger.standings
    ratings = [float(found) for found in re.findall(r'<td class="number rating">([\d.]+)</td>', board)]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 7
    assert abs(sum(ratings) - 7000) < 0.01
    assert "120 games, the season is over" in board
    assert board.count("<polyline") == 7
    assert len(re.findall(r'class="(?:won|lost|tied)" href="/season/games/\d+"', board)) == 7 * 5
    for player in standings.players.values():
        assert f"{player.won}-{player.lost}-{player.tied}" in board
    rows = (await pages.get("/season.json")).json()
    assert [row["number"] for row in rows] == standings.leaderboard
    assert {row["bot"] for row in rows} >= {"Bot 1", HOSTILE}


@in_played_season
async def test_games_of_all_bots_or_one_are_listed_latest_first(pages: Pages) -> None:
    async def listed(query: str) -> list[int]:
        text = (await pages.get(f"/season/games?{query}")).text
        return [int(each) for each in re.findall(r'<td class="number"><a href="/season/games/(\d+)">', text)]

    standings = pages.season.ledger.standings
    found = [number for page in (1, 2, 3) for number in await listed(f"page={page}")]
    assert found == list(range(len(standings.games), 0, -1))
    assert await listed("bot=3") == list(reversed(standings.players[3].games))[:50]
    assert '<option value="3" selected>' in (await pages.get("/season/games?bot=3")).text
    for odd in ("page=99", "page=-1", "bot=-3", "page=" + "9" * 40, "page=%00"):
        assert (await pages.get(f"/season/games?{odd}")).status_code == 200
    assert (await pages.get("/season/games?bot=99")).status_code == 404


@in_played_season
async def test_page_of_a_game_shows_result_and_public_log_and_links_to_its_replay(pages: Pages) -> None:
    game = pages.season.ledger.standings.games[0]
    write_logs(pages.season.store, 1)
    text = (await pages.get("/season/games/1")).text
    for at in (0, 1):
        assert f'<td class="number">{game.stacks[at]}</td>' in text
        assert f"{(game.ratings_after[at] - game.ratings_before[at]) / 100:+.2f}" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script" not in text
    public = await pages.get("/season/games/1/public.log")
    assert public.headers["content-type"] == "text/plain; charset=utf-8"
    assert public.headers["x-content-type-options"] == "nosniff"
    assert 'href="/replay/season/1"' in text
    assert (await pages.get("/replay/season/1")).status_code == 404, "the recording of this game is lost"
    for path in ("games/0", "games/9999", "bots/99", "games/1/other.log"):
        assert (await pages.get(f"/season/{path}")).status_code == 404
    forfeited = next(game.number for game in pages.season.ledger.standings.games if game.fault)
    assert "lost by a fault (timeout)" in (await pages.get(f"/season/games/{forfeited}")).text


@in_played_season
async def test_only_a_bots_owner_and_the_operator_can_read_the_bots_log(pages: Pages) -> None:
    game, port = pages.season.ledger.standings.games[0], pages.port
    write_logs(pages.season.store, 1)
    for player in pages.season.ledger.standings.players:
        badge = f"season_{port}={badge_of(secret_of(player))}"
        for at, side in enumerate(SIDES):
            answer = await pages.get(f"/season/games/1/{side}.log", cookie=badge)
            assert answer.status_code == (200 if game.players[at] == player else 403)
            assert (f"what only the {side} knows" in answer.text) == (game.players[at] == player)
    for cookie in ("", f"season_{port}=", f"season_{port}=0000", f"season_{port}={secret_of(1)}", "season_1=x"):
        for side in SIDES:
            assert (await pages.get(f"/season/games/1/{side}.log", cookie=cookie)).status_code == 403
            assert "what only" not in (await pages.get("/season/games/1", cookie=cookie)).text
    log = "/season/games/1/defender.log"
    assert "knows" in (await pages.get(log, cookie=f"desk_{port}={TOKENS.cookie('control')}")).text
    assert (await pages.get(log, cookie=f"desk_{port}={TOKENS.cookie('view')}")).status_code == 403


@in_played_season
async def test_every_page_escapes_strangers_text_and_runs_no_script(pages: Pages) -> None:
    write_logs(pages.season.store, 1)
    for path in PAGES:
        answer = await pages.get(path)
        assert answer.status_code == 200, path
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        if path != "/season.json":
            assert "<b>Bob" not in answer.text
            assert "Spring <season>" not in answer.text
            assert "style=" not in answer.text
            policy = answer.headers["referrer-policy"]
            assert policy == "same-origin", "with a stricter policy, browsers send forms without an Origin"
    assert ESCAPED in (await pages.get("/season")).text
    assert ESCAPED in (await pages.get("/season/bots/2")).text
    assert (await pages.get("/season", host="saloon.example")).status_code == 200


GAMES = MIN_UNITS + 2


@in_season(games=GAMES, builds=True)
async def test_pages_have_earnings_with_intervals_and_every_recorded_decision(pages: Pages) -> None:
    await enter_two_players(pages)
    await pages.season.scheduler.run()
    rows = dict[int, dict[str, Any]]()
    while not rows or any(row["earned_games"] < GAMES for row in rows.values()):  # they are computed in the background
        await asyncio.sleep(POLL_SECONDS)
        rows = {row["number"]: row for row in (await pages.get("/season.json")).json()}
    board = (await pages.get("/season")).text
    units = [unit for number in range(1, GAMES + 1) for unit in units_of(events_of(pages, number))]
    assert len(units) == GAMES
    for player, row in rows.items():
        results = [float(unit[player].earned) for unit in units]
        interval = interval_of(results)
        assert interval
        assert row["earned"] == round(sum(results) / GAMES, 2)
        assert (row["low"], row["high"]) == (round(interval.low, 2), round(interval.high, 2))
        assert f"{row['earned']:+.1f}" in board
        assert f"{row['low']:+.1f} to {row['high']:+.1f}" in board
    assert rows[1]["earned"] == -rows[2]["earned"]
    game = pages.season.ledger.standings.games[0]
    for at, side in enumerate(SIDES):
        decisions = decisions_of(events_of(pages, 1), game.players[at])
        expected = json.loads(json.dumps([decision_to_json(each) for each in decisions]))
        hands = (await pages.get(f"/season/games/1/{side}?json")).json()["hands"]
        assert [decision for hand in hands for decision in hand["decisions"]] == expected != []
        page = (await pages.get(f"/season/games/1/{side}")).text
        assert page.count("<tr>") - page.count("<thead>") == len(expected)
        assert f"It answered {len(expected)} time" in page
        assert 'href="/season/games/1/public.log"' in page
        assert f'href="/season/games/1/{side}"' in (await pages.get("/season/games/1")).text
    pages.season.store.game_files(2).journal.unlink()
    for path in ("2/defender", f"{GAMES + 1}/defender", "1/public", "1/DEFENDER"):
        assert (await pages.get(f"/season/games/{path}")).status_code == 404


def events_of(pages: Pages, game: int) -> list[Event]:
    return [entry.event for entry in read_journal(pages.season.store.game_files(game).journal).entries]
