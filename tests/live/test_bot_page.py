"""A bot's page shows what has been on air about the bot, and lists the recordings in which it played.

In a deal, several tables play the same cards. For each deal, the page shows what the bot won at all tables together.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from broadcast.on_air.events import ThoughtChecked
from broadcast.on_air.shared_types import Checked
from broadcast.show_pages import bot_address
from server.game.events import ControlSet, DealEnded, HandEnded, HandStarted, NoteGiven, TournamentEnded
from server.journal.journal import Entry
from server.text.grammar import ordinal, short_name
from tests.archive.conftest import serving_archive
from tests.live.conftest import PHONE, READY, Entries, Opener
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import WIDE_NAMES, title_odds
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.overlay.support.show_server import ShowServer
from tests.support.games.deals import play_deals
from tests.support.games.recordings import aired, of_kind, small_contest, write
from tests.support.programs.in_node import Node

BOT = 2
READ_CHANGES = """(id) => [...document.querySelectorAll(`#${id} .own__change`)]
  .map((change) => Number(change.textContent.replace("\\u2212", "-").replace(/[+,]/g, "")))"""
# Two bots advance. Returns how far each bot is from advancing or from being passed, such as "200 short of 2nd".
_DISTANCES = """async (chips, load) => {
  const { placeAndDistance } = await load("/static/js/common/ranking.js");
  const bots = chips.map((stack, at) => ({ bot: at + 1, stack, place: 0, wins: 0, rating: 0 }));
  const stage = { bots: bots.map(({ bot }) => bot), advance: 2, series: false };
  const state = { scene: "table", placings: [], stage, bots: Object.fromEntries(bots.map((bot) => [bot.bot, bot])) };
  return bots.map(({ bot }) => placeAndDistance(state, bot).distance);
}"""
UNKNOWN_PATHS = (
    "/bots/..%2f..%2fetc%2fpasswd", "/bots/?bot=..", "/bots/a/b/c", "/bots//", "/bots/%00", "/bots/%ff%fe",
    "/bots/" + "x" * 200, "/bots/" + "%E5%BE%B7" * 200, "/bots/Nobody?channel=%00", "/bots/%3Cscript%3E",
)  # fmt: skip


def test_distance_is_the_lead_over_third_or_the_gap_to_second(node: Node) -> None:
    distances = ["600 ahead of 3rd", "200 ahead of 3rd", "200 short of 2nd", "200 short of 2nd"]
    assert node.evaluate(_DISTANCES, [900, 500, 300, 300]) == distances


def test_bot_page_shows_place_chips_and_the_result_of_each_game(server: ShowServer, load_page: Opener) -> None:
    script = title_odds()  # This script has five games.
    bots = picture_after(script.entries).bots
    seats = [4, *(bot for bot in bots if bot != 4 and bots[bot].stack)][:6]
    script.game(seats, [bots[bot].stack for bot in seats]).hand("call")
    state = server.channel("course", script.entries).picture  # `picture` is the state of the show, not an image.
    stacks = {bot.name: bot.stack for bot in state.bots.values()}
    name = state.bots[4].name
    page = load_page(f"bots/{quote(name)}?channel=course")
    expect(page.locator("h1")).to_have_text(name)
    assert page.inner_text("#player") == "Player 4"
    assert page.inner_text("#stack") == f"{stacks[name]:,}"
    place = sorted(stacks, key=lambda other: -stacks[other]).index(name) + 1
    assert page.inner_text("#place") == f"{ordinal(place)} of 12"
    assert 5000 + sum(page.evaluate(READ_CHANGES, "games")) == stacks[name]
    assert page.inner_text("#table") == "At the table, game 6, hand 1"
    (row,) = (row for row in state.statistics.rows if row.bot == 4)
    for words in (f"{row.hands}hands dealt", f"plays its hand (VPIP), {row.vpip} of {row.vpip_chances}"):
        expect(page.locator("#figures")).to_contain_text(words)
    assert page.locator("#chips .chart__mine").count() == page.locator("#chips .chart__cut").count() == 1


def test_hand_appears_on_the_page_when_it_is_over_on_air(server: ShowServer, load_page: Opener) -> None:
    script = Script().connect().stage().game().hand("raise:2500 call fold fold fold fold down")
    entries, stack = script.entries, max(script.stacks)
    winner = script.stacks.index(stack)
    (hand_end,) = (at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
    air = server.channel("before", entries[:hand_end])
    page = load_page(f"bots/{quote(NAMES[winner])}?channel=before")
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=hand_end)
    assert page.locator("#hands li").count() == 0
    assert page.inner_text("#stack") == "5,000"
    server.put(air, entries[hand_end:])
    expect(page.locator("#hands li")).to_have_count(1)
    assert page.inner_text("#stack") == f"{stack:,}"
    assert page.evaluate(READ_CHANGES, "hands") == [stack - 5000]


def test_thoughts_are_on_the_page_until_the_desk_hides_them(server: ShowServer, load_page: Opener) -> None:
    script = Script().connect().stage().game()
    for text in ("I have the nuts.", "I have <b>aces</b>."):
        script.stacks = [5000] * 6
        script.hand("raise:2500 call fold fold fold fold down")
        script.put(NoteGiven(4, 1, "I am in."), NoteGiven(4, 7, text), NoteGiven(5, 2, "Not mine."))
        script.put(ThoughtChecked(4, 7, (Checked(0, 6, right=True), Checked(7, 11, right=False, truth="has: a pair"))))
    notes_at = [at for at, entry in enumerate(script.entries) if isinstance(entry.event, NoteGiven | ThoughtChecked)]
    air = server.channel("thoughts", script.entries[: notes_at[0]])
    page = load_page(f"bots/{quote(NAMES[3])}?channel=thoughts")
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=notes_at[0])
    expect(page.locator("#thoughts-box")).to_be_hidden()
    server.put(air, script.entries[notes_at[0] :])
    thoughts = page.locator("#thoughts li")
    expect(thoughts).to_have_count(4)
    for mark, text in (("right", "I have"), ("wrong", "<b>a"), ("truth", "[has: a pair]")):
        expect(thoughts.first.locator(f"q .claim--{mark}")).to_have_text(text)
    assert thoughts.locator("b").all_text_contents() == ["checks on the flop", "raises to 2,500 before the flop"] * 2
    expect(thoughts.nth(1).locator("q")).to_have_text("I am in.")
    expect(page.locator("#thoughts")).not_to_contain_text("Not mine")
    chat_controls = [ControlSet("chat", value=False, was=True, bot=4), ControlSet("chat", value=True, was=False, bot=4)]
    for event, count in zip([*chat_controls, ControlSet("thoughts", value=False, was=True)], (0, 4, 0), strict=True):
        server.put(air, script.put(event).entries[-1:])
        expect(thoughts).to_have_count(count)


def test_bot_page_shows_any_name_as_plain_text(server: ShowServer, open_page: Opener) -> None:
    names = (*WIDE_NAMES[1:4], PAYLOADS[0], "..", "../../etc/passwd", "50% & more?#x")
    server.channel("names", Script(names, media=False).connect().stage().game().hand("call").entries)
    page = open_page("healthz")
    for name in names:
        page.goto(f"{server.address}{bot_address(short_name(name), 'names')}&debug&motion=off")
        page.wait_for_function(READY)
        expect(page.locator("h1")).to_have_text(short_name(name))
        assert page.evaluate("() => window.robbed") is None  # A name that runs as a script sets `robbed`.
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 1000


def test_page_for_an_unknown_bot_lists_the_bots_on_air(tmp_path: Path) -> None:
    with ShowServer(tmp_path / "media") as server, httpx.Client(base_url=server.address, timeout=60) as web:
        server.channel("main", Script().connect().stage().entries)
        answers = {path: web.get(path, follow_redirects=True) for path in UNKNOWN_PATHS}
        listed = web.get("/bots/")
    for path, answer in answers.items():
        assert answer.status_code == 404, path
        assert "No such bot" in answer.text
        assert "/bots/Two-Pair%20Tess" in answer.text
        assert "<script" not in answer.text
        assert len(answer.text) < 10_000
    assert (listed.status_code, "No such bot" in listed.text) == (200, False)
    assert "/bots/Two-Pair%20Tess" in listed.text


def test_without_a_show_pages_list_recordings_and_hide_results(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    entries = small_contest()
    write(folder / "one.jsonl", entries)
    write(folder / "two.jsonl", entries)
    (ended,) = of_kind(entries, TournamentEnded)
    page = bot_address(f"Bot {ended.placings[-1].bot}")
    with serving_archive(folder, tmp_path / "media", "one", "two") as web:
        front = web.get("/").text
        without_results, with_results = web.get(page).text, web.get(f"{page}?results=shown").text
        on_return, unknown = web.get(page).text, web.get("/bots/Nobody")
    assert 'href="/replay/one"' in front
    assert "Nothing is on just now" in front
    assert not re.search(r"Bot \d", front)
    assert without_results.count('href="/replay/') == 2
    assert "Place 8" not in without_results
    assert with_results.count("Place 8") == 2
    assert "Place 8" in on_return, "the page must remember that the visitor chose to see results"
    assert (unknown.status_code, page in unknown.text) == (404, True)


@pytest.fixture(scope="module")
def recording() -> Sequence[Entry]:
    """Returns the journal (all events) of four deals. In each deal, three tables play one hand with the same cards."""
    return play_deals(3, 4, first_table_seed=9, other_tables_seed=29)


@pytest.fixture(scope="module")
def deals(recording: Sequence[Entry]) -> Entries:
    return aired(recording)


def list_winnings(bot: int, recording: Sequence[Entry]) -> list[int]:
    """Returns what the bot won in each deal, at all tables together."""
    return [deal.won[deal.bots.index(bot)] for deal in of_kind(recording, DealEnded)]


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_bot_page_shows_what_the_bot_won_at_all_tables_of_each_deal(
    recording: Sequence[Entry], deals: Entries, server: ShowServer, load_page: Opener, device: dict[str, object]
) -> None:
    fourth_start = [number for number, entry in enumerate(deals, 1) if isinstance(entry.event, HandStarted)][3]
    air = server.channel("deals", deals[:fourth_start])
    page = load_page(f"bots/Bot%20{BOT}?channel=deals", **device)
    expect(page.locator("#table")).to_have_text("At the table, deal 4")
    hands = dict(zip(page.locator("#hands small").all_inner_texts(), page.evaluate(READ_CHANGES, "hands"), strict=True))
    stacks = page.evaluate("(bot) => window.highnoon.film.outline.hands.map(({ stacks }) => stacks[bot])", BOT)
    assert hands
    results = {f"The Final, deal {deal}": stack - 5000 for deal, stack in enumerate(stacks) if stack}
    assert hands.items() <= results.items()
    server.put(air, deals[fourth_start:])
    page.wait_for_function("() => window.highnoon.film.outline.finished")
    winnings = list_winnings(BOT, recording)
    lines = [f"Deal {deal} The Final" for deal in (4, 3, 2, 1)]
    expect(page.locator("#games .own__words")).to_have_text(lines)  # Waits until the page lists all deals.
    assert page.evaluate(READ_CHANGES, "games") == winnings[::-1]
    expect(page.locator("#games-title")).to_have_text("Deal by deal")
    expect(page.locator("#games")).not_to_contain_text("then")
    expect(page.locator("#chips-title")).to_contain_text("won, deal by deal")
    assert page.inner_text("#chips .chart__key").replace("\u2212", "-").replace(",", "").endswith(f" {sum(winnings):+}")
    assert page.inner_text("#stack") == f"{round(sum(winnings) / 4):+,} per\u00a0deal".replace("-", "\u2212")
    assert page.locator(".wanted").evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0
    server.close(air)


def test_replay_draws_winnings_deal_by_deal(
    recording: Sequence[Entry], deals: Entries, server: ShowServer, load_page: Opener
) -> None:
    air = server.channel("graph", deals)
    page = load_page("watch?channel=graph")
    expect(page.locator("#chips-title")).to_have_text("Chips won, deal by deal")
    page.wait_for_function("() => document.querySelectorAll('#chips .graph__line').length === 3")
    paths = page.locator("#chips .graph__line").evaluate_all("(lines) => lines.map((line) => line.getAttribute('d'))")
    server.close(air)
    sums = {bot: [0, *accumulate(list_winnings(bot, recording))] for bot in (1, 2, 3)}
    largest_sum = max(abs(chips) for line in sums.values() for chips in line)
    heights = [[int(height) for height in re.findall(r" (-?\d+)", path)] for path in paths]
    assert heights == [pytest.approx([60 - 60 * won / largest_sum for won in line], abs=1) for line in sums.values()]
