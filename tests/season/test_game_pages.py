"""After the games of a season, its pages show what each player earned without luck, and every decision by hand."""

import asyncio
import json
from typing import Any

from broadcast.odds.certainty import MIN_UNITS, interval_of
from broadcast.odds.earned import units_of
from server.app.decisions.decisions import decisions_of, plain_decision
from server.game.events import Event
from server.journal.journal import read_journal
from server.season.outcome import SIDES
from tests.season.season_server import Pages, in_season
from tests.season.test_show import POLLING_SECONDS, enter_two_players

GAMES = MIN_UNITS + 2


@in_season(games=GAMES, builds=True)
async def test_pages_have_earnings_with_their_interval_and_each_decision_of_the_recordings(pages: Pages) -> None:
    await enter_two_players(pages)
    await pages.season.scheduler.run()
    rows = await wait_for_rows(pages)
    await check_earnings(pages, rows)
    game = pages.season.ledger.standings.games[0]
    for at, side in enumerate(SIDES):
        decisions = decisions_of(events_of(pages, 1), game.players[at])
        expected = json.loads(json.dumps([plain_decision(each) for each in decisions]))
        hands = (await pages.get(f"/season/games/1/{side}?json")).json()["hands"]
        assert [decision for hand in hands for decision in hand["decisions"]] == expected != []
        page = (await pages.get(f"/season/games/1/{side}")).text
        assert page.count("<tr>") - page.count("<thead>") == len(expected)
        assert f"It answered {len(expected)} time" in page
        assert 'href="/season/games/1/public.log"' in page
        assert f'href="/season/games/1/{side}"' in (await pages.get("/season/games/1")).text
    pages.season.store.game(2).journal.unlink()
    for path in ("2/defender", f"{GAMES + 1}/defender", "1/public", "1/DEFENDER"):
        assert (await pages.get(f"/season/games/{path}")).status_code == 404


async def check_earnings(pages: Pages, rows: dict[int, dict[str, Any]]) -> None:
    expected: dict[int, list[float]] = {1: [], 2: []}
    for number in range(1, GAMES + 1):
        (unit,) = units_of(events_of(pages, number))
        for player, result in unit.items():
            expected[player].append(float(result.earned))
    board = (await pages.get("/season")).text
    for player, results in expected.items():
        row, interval = rows[player], interval_of(results)
        assert interval
        assert row["earned"] == round(sum(results) / GAMES, 2)
        assert (row["low"], row["high"]) == (round(interval.low, 2), round(interval.high, 2))
        assert f"{row['earned']:+.1f}" in board
        assert f"{row['low']:+.1f} to {row['high']:+.1f}" in board
    assert rows[1]["earned"] == -rows[2]["earned"]


def events_of(pages: Pages, game: int) -> list[Event]:
    return [entry.event for entry in read_journal(pages.season.store.game(game).journal).entries]


async def wait_for_rows(pages: Pages) -> dict[int, dict[str, Any]]:
    """Waits until the leaderboard counts all games; returns its rows, keyed by player."""
    while True:
        rows = {row["number"]: row for row in (await pages.get("/season.json")).json()}
        if all(row["earned_games"] == GAMES for row in rows.values()):
            return rows
        await asyncio.sleep(POLLING_SECONDS)
