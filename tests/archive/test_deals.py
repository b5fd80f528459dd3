"""In a deal, all tables play the same cards. Pages about a recording count its deals. The replay shows every table."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.archive.hand_reader import find_hand
from broadcast.archive.showable_recording import FilmInProgress
from broadcast.film.film import film_recording, write_film  # a film is a recording prepared for replay
from broadcast.on_air.deal_tables import max_tables_in_deal, retell_from_table
from server.__main__ import main
from server.app.recordings.recording_files import open_recording
from server.game.events import ActionTaken, DealEnded, Event, GameStarted, HandStarted
from server.journal.journal import Entry, read_journal
from tests.archive.conftest import serving_archive
from tests.archive.test_pages import open_graph_tags
from tests.archive.test_replay import READY, Visitor
from tests.support.games.deals import play_deals
from tests.support.games.recordings import KEPT_FOLDER, entries_of, of_kind, small_contest, write
from tests.support.programs.in_node import Node

SEATS, DEALS = 4, 3
FOUR_DEALS = KEPT_FOLDER / "same-cards.jsonl"
"""A recording of four deals. Some tables end a deal after fewer hands than other tables."""
_MATCHING_ENTRY = """async ([entries, seq, others], load) => {
  const { matchingStep } = await load("/static/js/replay/film/same-moment.js");
  const { stepEndsOf } = await load("/static/js/replay/film/steps.js");
  return stepEndsOf(others)[matchingStep(entries, seq, others)];
}"""


def test_pages_of_a_recording_count_its_deals(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    write(folder / "single.jsonl", play_deals(3, 4, first_table_seed=1, other_tables_seed=2))
    (folder / "several.jsonl").write_bytes(FOUR_DEALS.read_bytes())
    with serving_archive(folder, tmp_path / "media", "single", "several") as web:
        single, several = web.get("/recordings/single").text, web.get("/recordings/several").text
        list_page, preview = web.get("/recordings").text, open_graph_tags(web.get("/replay/several?hand=6"))
        search = web.get("/recordings?pot=100").text
    assert "3 bots, 4 deals</p>" in single
    assert re.findall(r">(Deal \d|Hand \d)</a>", single) == ["Deal 1", "Deal 2", "Deal 3", "Deal 4"]
    assert "3 bots, 4 deals, 7 hands</p>" in several
    counts = enumerate(("2 hands", "2 hands", "1 hand", "2 hands"), 1)
    deals = re.findall(r"<b>(.*)</b> <small>(\d hands?)<", several)
    assert deals == [(f"The Final, deal {number}", count) for number, count in counts]
    assert "4 deals" in list_page
    assert "The Final, deal 3, hand 1" in search
    assert not re.search(r"\bgames?\b \d|\d games", single + several + search)
    assert preview["og:title"].endswith(": The Final, deal 4, hand 1")


def test_links_and_export_number_the_hands_of_deals_like_the_replay(capsys: pytest.CaptureFixture[str]) -> None:
    content, hands = FOUR_DEALS.read_bytes(), film_recording(open_recording(FOUR_DEALS).entries).outline.hands[1:]
    for number, hand in enumerate(hands, 1):
        one_hand = find_hand(content, number)
        assert one_hand
        assert (one_hand.game.game, one_hand.deal, one_hand.events[0].hand) == (hand.game, hand.deal, hand.hand)  # type: ignore[attr-defined]
        assert main(["export", str(FOUR_DEALS), "--text", "--hand", str(number)]) == 0
        assert f"game {hand.game}" in capsys.readouterr().out
    assert find_hand(content, len(hands) + 1) is None
    assert main(["export", str(FOUR_DEALS), "--text", "--hand", str(len(hands) + 1)]) == 1
    assert f"its hands are 1 to {len(hands)}" in capsys.readouterr().err


def test_least_recently_used_films_are_removed_beyond_the_disk_budget(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_bytes(FOUR_DEALS.read_bytes())
    write_film(film_recording(open_recording(FOUR_DEALS).entries), "", tmp_path / "size")
    budget = round(3.5 * (tmp_path / "size").stat().st_size)

    def films() -> str:
        return " ".join(sorted(path.name for path in tmp_path.glob("*.film*")))

    async def open_films() -> None:
        archive = Archive(tmp_path, tmp_path / INDEX_FILE, rescan_seconds=0, films_bytes=budget)
        await archive.refresh_index(wait_for_all=True)
        for name, table, film_names in (
            ("one", 1, "one.film"),
            ("one", 2, "one.film one.film-2"),
            ("one", 3, "one.film one.film-2 one.film-3"),
            ("one", 1, "one.film one.film-2 one.film-3"),
            ("two", 1, "one.film one.film-3 two.film"),
            ("one", 2, "one.film one.film-2 two.film"),
        ):
            film = await archive.film(name, table)
            assert len(film.read_film().segments) == film.segment_count
            assert films() == film_names
        with pytest.raises(FilmInProgress):
            await archive.film("two", 3, wait_seconds=0)
        await archive.film("two", 3)

    asyncio.run(open_films())


def tables_of(entries: Sequence[Entry]) -> list[list[list[Event]]]:
    """Returns the events of each table in each deal. A table's events begin with the start of its game."""
    deals: list[list[list[Event]]] = [[]]
    for entry in entries:
        if isinstance(entry.event, GameStarted):
            deals[-1].append([])
        if deals[-1]:
            deals[-1][-1].append(entry.event)
        if isinstance(entry.event, DealEnded):
            deals.append([])
    return deals[:-1]


@pytest.mark.parametrize("table", range(1, 4))
def test_film_at_a_table_shows_what_was_played_there(table: int) -> None:
    entries = read_journal(FOUR_DEALS).entries
    assert max_tables_in_deal(entries) == 3
    film = film_recording(list(retell_from_table(table, entries)))
    played = [Entry(0, 0, event) for deal in tables_of(entries) for event in deal[table - 1]]
    film_entries = entries_of(film)
    assert len(film.outline.hands) - 1 == len(of_kind(played, HandStarted))
    actions = [(each["seat"], each["act"], each["amount"]) for each in film_entries if each["type"] == "action_taken"]
    assert actions == [(action.seat, action.act, action.amount) for action in of_kind(played, ActionTaken)]
    games = [entry["seats"] for entry in film_entries if entry["type"] == "game_started"]
    assert games == [list(game.seats) for game in of_kind(played, GameStarted)]
    outlines = film.outline, film_recording(entries).outline
    won, won_in_main_film = ([hand.deal_won for hand in outline.hands if hand.deal_won] for outline in outlines)
    assert won == won_in_main_film, "what a bot has won must not depend on which table is shown"


def test_deal_that_has_not_ended_shows_no_other_table() -> None:
    entries = play_deals(SEATS, DEALS)
    ends = [index for index, entry in enumerate(entries) if isinstance(entry.event, DealEnded)]
    for cut in range(ends[1] + 1, ends[2]):
        assert [*retell_from_table(2, entries[:cut])][ends[1] + 1 :] == entries[ends[1] + 1 : cut]


@pytest.fixture(scope="module")
def recorded_entries() -> list[Entry]:
    return play_deals(SEATS, DEALS, first_table_seed=9, other_tables_seed=29)


@pytest.fixture(scope="module")
def deals_client(recorded_entries: Sequence[Entry], tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Serves four recordings: `one` and `kept` have deals, `games` has none, and `tonight` is still being played."""
    folder = tmp_path_factory.mktemp("data") / "recordings"
    write(folder / "one.jsonl", recorded_entries)
    (folder / "kept.jsonl").write_bytes(FOUR_DEALS.read_bytes())
    write(folder / "games.jsonl", small_contest())
    tonight = write(folder / "tonight.jsonl", recorded_entries)
    is_over = lambda path: False if path == tonight else None  # noqa: E731
    with serving_archive(folder, tmp_path_factory.mktemp("media"), "one", "kept", "games", is_over=is_over) as web:
        yield web


@pytest.mark.parametrize("phone", [False, True], ids=["keys", "touch"])
def test_viewer_goes_to_the_same_decision_at_the_next_table_and_back(
    recorded_entries: Sequence[Entry], deals_client: httpx.Client, browser: Browser, *, phone: bool
) -> None:
    visitor = Visitor(deals_client, browser, phone=phone)
    page, other_table = visitor.page, tables_of(recorded_entries)[1][1]
    # Seats and actions are numbered from 0. In deal 2, seat 3 has to act on the flop at both tables. At table 1, seat 3
    # checks in action 6. At table 2, seat 3 bets in action 5.
    bet = [event for event in other_table if isinstance(event, ActionTaken)][5]
    names = [f"Bot {bot}" for bot in other_table[0].seats]  # type: ignore[attr-defined]
    actions = "window.highnoon.head.section.entries.filter(({ type }) => type === 'action_taken')"
    until_now = "({ seq }) => seq <= window.highnoon.state().seq"

    def move(key: str, button: str, table: int) -> None:
        if phone:
            page.locator(f"#{button}").tap()
        else:
            visitor.press(key)
        expect(page.locator("#table")).to_have_text(f"Table {table} of {SEATS}")
        page.wait_for_function("() => !document.body.dataset.moving")

    visitor.open("hand=2&step=0")
    page.evaluate(f"() => window.highnoon.head.seek({actions}[6].seq)")
    moment = visitor.moment
    move("t", "table-on", 2)
    assert page.locator("#seats .seatline__name").all_inner_texts() == names
    shown_action = page.evaluate(f"() => {actions}.filter({until_now}).at(-1)")
    assert (shown_action["seat"], shown_action["act"], shown_action["amount"]) == (bet.seat, bet.act, bet.amount)
    words = f"Table 2 of {SEATS} · {names[bet.seat]} in seat {bet.seat + 1}"
    expect(page.locator("#seats-title")).to_have_text(words)
    expect(page.locator("#notice")).to_have_text(words)
    move("Shift+T", "table-back", 1)
    assert visitor.moment == moment
    visitor.context.close()
    assert not visitor.complaints


def test_missing_decision_leads_to_the_nearest_earlier_one_on_its_street(node: Node) -> None:
    def hand(*streets: Sequence[int]) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = [{"type": "hand_started"}, {"type": "hole_dealt"}]
        for name, seats in zip(("preflop", "flop", "turn"), streets, strict=False):
            events += [{"type": "street_dealt", "street": name}] * (name != "preflop")
            for seat in seats:
                events += [{"type": "turn_started", "seat": seat}, {"type": "action_taken", "seat": seat}]
        return [{**event, "seq": seq} for seq, event in enumerate([*events, {"type": "hand_ended"}], 1)]

    # Entries 1 and 2 are hand_started and hole_dealt. A decision has two entries: turn_started and action_taken.
    # In the reasons, "there" means "at the other table".
    long, short, folded = hand([0, 1, 2, 0], [1, 2]), hand([0, 1, 2]), hand([0, 1, 2, 0], [2, 0])
    for entries, seq, other_entries, expected_seq, reason in (
        (long, 1, short, 1, "the start of a hand leads to the start of the hand"),
        (long, 2, short, 2, "the deal of the cards leads to the deal of the cards"),
        (long, 5, folded, 5, "a turn leads to the same seat's turn"),
        (long, 6, folded, 6, "an action leads to the same seat's action"),
        (long, 10, short, 8, "seat 0 acts only once there, so its second action leads to the last action there"),
        (long, 11, short, 9, "no flop was dealt there, so the flop leads to the end of the hand"),
        (long, 13, folded, 11, "seat 1 has folded there, so its action on the flop leads to the flop itself"),
        (folded, 15, long, 13, "seat 0 has no flop action there, so its flop action leads to the first flop action"),
        (long, 16, short, 9, "the end of a hand leads to the end of the hand"),
    ):
        assert node.evaluate(_MATCHING_ENTRY, [entries, seq, other_entries]) == expected_seq, reason


def test_link_leads_to_the_same_moment_at_the_same_table(deals_client: httpx.Client, browser: Browser) -> None:
    visitor = Visitor(deals_client, browser)
    page = visitor.page
    visitor.open("hand=2&step=9")
    visitor.press("t", "t")
    page.wait_for_function("() => location.search.includes('table=3')")
    state, moment, address = visitor.state, visitor.moment, page.url
    assert page.title().endswith(", hand 2: replay")
    page.goto(address)
    page.wait_for_function(READY)
    assert (visitor.state, visitor.moment) == (state, moment)
    expect(page.locator("#table")).to_have_text(f"Table 3 of {SEATS}")
    visitor.press("t", "t")
    page.wait_for_function("() => !location.search.includes('table')")
    visitor.press("Shift+ArrowRight")
    assert (visitor.moment, page.inner_text("#table")) == ((3, 0), f"Table 1 of {SEATS}")
    assert not visitor.complaints
    # The next page lacks its pictures, so `complaints` is not checked from here on.
    page.goto(str(deals_client.base_url.join("/recordings/kept")))
    links = page.locator(".tables a")
    expect(links).to_have_count(DEALS + 1 + DEALS + 1)  # each of the four deals links to the other two tables
    page.locator("summary").last.click()
    links.last.click()
    page.wait_for_function(READY)
    expect(page.locator("#table")).to_have_text("Table 3 of 3")
    expect(page.locator("#where")).to_contain_text("Deal 4 of 4 · Hand 1 of")
    visitor.context.close()


def test_only_finished_recordings_of_deals_have_other_tables(deals_client: httpx.Client) -> None:
    film, index = "/films/one/tables", deals_client.get("/films/one/tables/4/index.json").json()
    assert index["sums"] != deals_client.get("/films/one/index.json").json()["sums"]  # `sums`: segments' checksums
    assert deals_client.get(f"{film}/4/{index['version']}/3.seg").json()["n"] == 3
    for table in ("0", "5", "-2", "99999999999999999999", "two"):
        response = deals_client.get(f"{film}/{table}/index.json")
        assert response.status_code == 404
        assert "no table" in response.json()["error"]
    assert deals_client.get("/films/games/tables/2/index.json").status_code == 404
    assert "data-tables" not in deals_client.get("/replay/games").text
    assert deals_client.get("/films/tonight/tables/2/index.json").status_code == 404
