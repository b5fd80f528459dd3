"""Beside its rating each player of a season has what it earned without luck, with an interval from five games on."""

import asyncio
from typing import Any

from broadcast.odds.certainty import FEWEST, interval_of
from broadcast.odds.earned import units_of
from server.journal.journal import read_journal
from tests.season.season_server import Pages, in_season
from tests.season.test_show import POLLING_SECONDS, two_play

GAMES = FEWEST + 2


@in_season(games=GAMES, builds=True)
async def test_leaderboard_shows_earnings_per_game_with_their_interval(pages: Pages) -> None:
    await two_play(pages)
    await pages.season.scheduler.run()
    found, expected = await counted_rows(pages), earned_in_recordings(pages)
    board = (await pages.get("/season")).text
    for player, results in expected.items():
        row, interval = found[player], interval_of(results)
        assert interval
        assert row["earned"] == round(sum(results) / GAMES, 2)
        assert (row["low"], row["high"]) == (round(interval.low, 2), round(interval.high, 2))
        assert f"{row['earned']:+.1f}" in board
        assert f"{row['low']:+.1f} to {row['high']:+.1f}" in board
    assert found[1]["earned"] == -found[2]["earned"]


async def counted_rows(pages: Pages) -> dict[int, dict[str, Any]]:
    """The leaderboard as JSON, once all games of everybody are counted."""
    while True:
        found = {row["number"]: row for row in (await pages.get("/season.json")).json()}
        if all(row["earned_games"] == GAMES for row in found.values()):
            return found
        await asyncio.sleep(POLLING_SECONDS)


def earned_in_recordings(pages: Pages) -> dict[int, list[float]]:
    """What each player earned in each game, from the recordings."""
    found: dict[int, list[float]] = {1: [], 2: []}
    for number in range(1, GAMES + 1):
        entries = read_journal(pages.season.store.game(number).journal).entries
        (unit,) = units_of(entry.event for entry in entries)
        for player, result in unit.items():
            found[player].append(float(result.earned))
    return found
