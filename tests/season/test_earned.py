"""What players of a season have earned without luck stands beside their rating, of games that were on air alone."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from broadcast.odds.certainty import FEWEST, interval_of
from broadcast.odds.earned import units_of
from server.journal.journal import read_journal
from tests.season.season_server import Pages, season_pages
from tests.season.test_show import POLLING_SECONDS, SECONDS, at_desk, played_while_the_show_is_paused, two_play

Rows = dict[int, dict[str, Any]]


async def rows(pages: Pages, *, games: int) -> Rows:
    """The leaderboard for programs, once it has counted so many games of everybody."""
    while True:
        found = {row["number"]: row for row in (await pages.get("/season.json")).json()}
        if all(row["earned_games"] == games for row in found.values()):
            return found
        await asyncio.sleep(POLLING_SECONDS)


def by_hand(pages: Pages, games: int) -> dict[int, list[float]]:
    """What each player earned in each of the first games, from their recordings."""
    found: dict[int, list[float]] = {1: [], 2: []}
    for number in range(1, games + 1):
        entries = read_journal(pages.season.store.game(number).journal).entries
        (unit,) = units_of(entry.event for entry in entries)
        for player, result in unit.items():
            found[player].append(float(result.earned))
    return found


@pytest.mark.parametrize("games", [FEWEST - 1, FEWEST + 2])
def test_the_table_says_what_was_earned_a_game_with_its_interval_from_five_games_on(tmp_path: Path, games: int) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=games) as pages, asyncio.timeout(SECONDS):
            building = asyncio.create_task(pages.season.builds.run())
            await two_play(pages)
            await pages.season.scheduler.run()
            found, expected = await rows(pages, games=games), by_hand(pages, games)
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


def test_nothing_is_counted_of_games_that_viewers_may_still_get_to_see(tmp_path: Path) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=4, at_once=1) as pages, asyncio.timeout(SECONDS):
            showing = await played_while_the_show_is_paused(pages)
            assert all(game.over for game in pages.season.ledger.standings.games)
            for _ in range(3):  # what the first answer sets going would be told by a later one
                for row in (await rows(pages, games=0)).values():
                    assert (row["earned"], row["low"], row["games"]) == (None, None, 0)
                await asyncio.to_thread(by_hand, pages, 4)
            assert await at_desk(pages, "paused", False) == 200
            await showing
            await rows(pages, games=4)

    asyncio.run(story())
