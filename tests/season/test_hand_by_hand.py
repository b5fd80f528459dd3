"""A season's game that was on air can be read hand by hand: what each bot decided, how long it took, what it cost."""

import json

from server.app.decisions.decisions import decisions_of, plain_decision
from server.journal.journal import read_journal
from server.season.outcome import SIDES
from tests.season.season_server import Pages, in_season
from tests.season.test_show import two_play


@in_season(games=2, builds=True)
async def test_hand_by_hand_page_has_each_decision_of_the_recording(pages: Pages) -> None:
    await two_play(pages)
    await pages.season.scheduler.run()
    game = pages.season.ledger.standings.games[0]
    store = pages.season.store
    events = [entry.event for entry in read_journal(store.game(1).journal).entries]
    for at, side in enumerate(SIDES):
        expected = json.loads(json.dumps([plain_decision(each) for each in decisions_of(events, game.players[at])]))
        hands = (await pages.get(f"/season/games/1/{side}?json")).json()["hands"]
        assert [decision for hand in hands for decision in hand["decisions"]] == expected
        assert expected
        page = (await pages.get(f"/season/games/1/{side}")).text
        assert page.count("<tr>") - page.count("<thead>") == len(expected)
        assert f"It answered {len(expected)} time" in page
        assert 'href="/season/games/1/public.log"' in page
        assert f'href="/season/games/1/{side}"' in (await pages.get("/season/games/1")).text
    store.game(2).journal.unlink()
    for path in (
        "/season/games/2/defender",
        "/season/games/3/defender",
        "/season/games/1/public",
        "/season/games/1/DEFENDER",
    ):
        assert (await pages.get(path)).status_code == 404
