"""A season's game that was on air can be read hand by hand: what each bot decided, how long it took, what it cost."""

import asyncio
import json
from pathlib import Path

from server.app.decisions.decisions import decisions_of, plain_decision
from server.journal.journal import read_journal
from server.season.outcome import SIDES
from tests.season.season_server import Pages, season_pages
from tests.season.test_show import SECONDS, played_while_the_show_is_paused, two_play


def test_each_bots_decisions_of_a_game_are_those_of_its_recording(tmp_path: Path) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=1) as pages, asyncio.timeout(SECONDS):
            await played_by_two(pages)
            game = pages.season.ledger.standings.games[0]
            events = [entry.event for entry in read_journal(pages.season.store.game(1).journal).entries]
            for at, side in enumerate(SIDES):
                expected = json.loads(
                    json.dumps([plain_decision(each) for each in decisions_of(events, game.players[at])])
                )
                told = (await pages.get(f"/season/games/1/{side}?json")).json()
                assert [each for hand in told["hands"] for each in hand["decisions"]] == expected
                assert expected
                page = (await pages.get(f"/season/games/1/{side}")).text
                assert page.count("<tr>") - page.count("<thead>") == len(expected)
                assert f"It answered {len(expected)} time" in page
                assert 'href="/season/games/1/public.log"' in page
                assert f'href="/season/games/1/{side}"' in (await pages.get("/season/games/1")).text

    asyncio.run(story())


def test_nothing_is_told_of_a_game_that_has_not_been_on_air(tmp_path: Path) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=1) as pages, asyncio.timeout(SECONDS):
            await played_while_the_show_is_paused(pages)
            assert pages.season.ledger.standings.games[0].over
            assert (await pages.get("/season/games/1/defender")).status_code == 404

    asyncio.run(story())


def test_there_is_no_such_page_of_other_games_or_sides_or_where_the_recording_is_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with season_pages(tmp_path, games=1) as pages, asyncio.timeout(SECONDS):
            await played_by_two(pages)
            for path in ("/season/games/2/defender", "/season/games/1/public", "/season/games/1/DEFENDER"):
                assert (await pages.get(path)).status_code == 404
            pages.season.store.game(1).journal.unlink()
            assert (await pages.get("/season/games/1/challenger")).status_code == 404

    asyncio.run(story())


async def played_by_two(pages: Pages) -> None:
    """Two bots play all games of the season."""
    building = asyncio.create_task(pages.season.builds.run())
    await two_play(pages)
    await pages.season.scheduler.run()
    building.cancel()
