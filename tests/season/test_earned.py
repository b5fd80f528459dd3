"""Beside its rating each player of a season has what it earned without luck, with an interval from five games on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from broadcast.odds.certainty import FEWEST, interval_of
from broadcast.odds.earned import units_of
from server.journal.journal import read_journal
from tests.season.season_server import SECONDS, Pages, season_pages
from tests.season.test_show import POLLING_SECONDS, two_play

Rows = dict[int, dict[str, Any]]


async def rows(pages: Pages, *, games: int) -> Rows:
    """The leaderboard as JSON, once it has counted so many games of everybody."""
    while True:
        found = {row["number"]: row for row in (await pages.get("/season.json")).json()}
        if all(row["earned_games"] == games for row in found.values()):
            return found
        await asyncio.sleep(POLLING_SECONDS)


def earned_in_recordings(pages: Pages, games: int) -> dict[int, list[float]]:
    """What each player earned in each of the first games, from their recordings."""
    found: dict[int, list[float]] = {1: [], 2: []}
    for number in range(1, games + 1):
        entries = read_journal(pages.season.store.game(number).journal).entries
        (unit,) = units_of(entry.event for entry in entries)
        for player, result in unit.items():
            found[player].append(float(result.earned))
    return found


@pytest.mark.parametrize("games", [FEWEST - 1, FEWEST + 2])
def test_leaderboard_shows_earnings_per_game_with_their_interval(tmp_path: Path, games: int) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=games) as pages, asyncio.timeout(SECONDS):
            building = asyncio.create_task(pages.season.builds.run())
            await two_play(pages)
            await pages.season.scheduler.run()
            found, expected = await rows(pages, games=games), earned_in_recordings(pages, games)
            board = (await pages.get("/season")).text
            for player, results in expected.items():
                row, interval = found[player], interval_of(results)
                assert row["earned"] == round(sum(results) / games, 2)
                assert (row["low"], row["high"]) == (
                    (round(interval.low, 2), round(interval.high, 2)) if interval else (None, None)
                )
                assert f"{row['earned']:+.1f}" in board
                assert (interval is None) == (games < FEWEST)
                assert interval is None or f"{row['low']:+.1f} to {row['high']:+.1f}" in board
            assert found[1]["earned"] == -found[2]["earned"]
            building.cancel()

    asyncio.run(story())
