"""In a real browser, a bot's page has only the bot's recordings and what has been on air about the bot.

In a contest of deals, all tables get the same cards. A bot's page then counts deals instead of games, and adds up what
the bot won in a deal at all tables.
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
from server.game.events import ControlSet, DealEnded, HandEnded, HandStarted, NoteGiven
from server.journal.journal import Entry
from server.text.grammar import short_name
from tests.archive.conftest import serving_archive
from tests.live.conftest import PHONE, READY, Entries, Opener
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import TRIALS, WIDE_NAMES, title_odds
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.overlay.support.show_server import ShowServer
from tests.support.games.deals import play_deals
from tests.support.games.recordings import aired, small_contest, write
from tests.support.programs.in_node import Node

CHANGES = """(id) => [...document.querySelectorAll(`#${id} .own__change`)]
  .map((change) => Number(change.textContent.replace("\\u2212", "-").replace(/[+,]/g, "")))"""
# Returns how far bots with these chips are from the line above which two of them advance.
_APART = """async (chips, load) => {
  const { placeAndGap } = await load("/static/js/common/ranking.js");
  const bots = chips.map((stack, at) => ({ bot: at + 1, stack, place: 0, wins: 0, rating: 0 }));
  const stage = { bots: bots.map(({ bot }) => bot), advance: 2, series: false };
  const state = { scene: "table", placings: [], stage, bots: Object.fromEntries(bots.map((bot) => [bot.bot, bot])) };
  return bots.map(({ bot }) => placeAndGap(state, bot).apart);
}"""
UNKNOWN_PATHS = (
    "/bots/..%2f..%2fetc%2fpasswd", "/bots/?bot=..", "/bots/a/b/c", "/bots//", "/bots/%00",
    "/bots/%ff%fe", "/bots/" + "x" * 200, "/bots/" + "%E5%BE%B7" * 200, "/bots/Nobody?channel=%00",
    "/bots/%3Cscript%3E",
)  # fmt: skip


def test_distance_is_to_the_nearest_bot_beyond_the_line(node: Node) -> None:
    assert node.evaluate(_APART, [900, 500, 300, 300]) == [
        "600 ahead of 3rd", "200 ahead of 3rd", "200 short of 2nd", "200 short of 2nd",
    ]  # fmt: skip


def play_sixth_game() -> Script:
    """A show in which five games are over, and bot 4 plays the sixth."""
    script = title_odds()
    bots = picture_after(script.entries).bots
    seats = [4, *(bot for bot in bots if bot != 4 and bots[bot].stack)][:6]
    return script.game(seats, [bots[bot].stack for bot in seats]).hand("call")


def parse_chips(text: str) -> int:
    return int(text.replace(",", ""))


def test_bot_page_shows_place_chips_and_the_result_of_each_game(server: ShowServer, open_film: Opener) -> None:
    air = server.channel("course", play_sixth_game().entries)
    state = air.picture
    stacks = {bot.name: bot.stack for bot in state.bots.values()}
    name = state.bots[4].name
    page = open_film(f"bots/{quote(name)}?channel=course")
    expect(page.locator("h1")).to_have_text(name)
    assert page.inner_text("#player") == "Player 4"
    assert parse_chips(page.inner_text("#stack")) == stacks[name]
    place = sorted(stacks, key=lambda other: -stacks[other]).index(name) + 1
    assert page.inner_text("#place") == f"{place}{['st', 'nd', 'rd'][place - 1] if place < 4 else 'th'} of 12"
    assert 5000 + sum(page.evaluate(CHANGES, "games")) == stacks[name]
    assert page.inner_text("#table") == "At the table, game 6, hand 1"
    row = next(row for row in state.statistics.rows if row.bot == 4)
    figures = page.locator("#figures")
    expect(figures).to_contain_text(f"{row.hands}hands dealt")
    expect(figures).to_contain_text(f"plays its hand (VPIP), {row.vpip} of {row.vpip_chances}")
    assert page.locator("#chips .chart__mine").count() == page.locator("#chips .chart__cut").count() == 1


def test_hand_appears_on_the_page_once_it_is_over_on_air(server: ShowServer, open_film: Opener) -> None:
    script = Script().connect().stage().game(TRIALS)
    first = len(script.entries)
    entries = script.hand("raise:2500 call fold fold fold fold call call call call call call").entries
    end = next(at for at, entry in enumerate(entries) if at >= first and isinstance(entry.event, HandEnded))
    hand_end = entries[end].event
    assert isinstance(hand_end, HandEnded)
    winner, stack = hand_end.stacks.index(max(hand_end.stacks)), max(hand_end.stacks)
    air = server.channel("before", entries[:end])
    page = open_film(f"bots/{quote(NAMES[winner])}?channel=before")
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=end)
    assert page.locator("#hands li").count() == 0
    assert page.inner_text("#stack") == "5,000"
    server.put(air, entries[end:])
    expect(page.locator("#hands li")).to_have_count(1)
    assert parse_chips(page.inner_text("#stack")) == stack
    assert page.evaluate(CHANGES, "hands") == [stack - 5000]


def test_thoughts_are_on_the_page_until_the_desk_hides_them(server: ShowServer, open_film: Opener) -> None:
    script = Script().connect().stage().game(TRIALS)
    for text in ("I have the nuts.", "I have <b>aces</b>."):
        script.stacks = [5000] * 6
        script.hand("raise:2500 call fold fold fold fold down")
        script.put(NoteGiven(4, 1, "I am in."), NoteGiven(4, 7, text), NoteGiven(5, 2, "Not mine."))
        script.put(ThoughtChecked(4, 7, (Checked(0, 6, right=True), Checked(7, 11, right=False, truth="has: a pair"))))
    notes = [at for at, entry in enumerate(script.entries) if isinstance(entry.event, NoteGiven | ThoughtChecked)]
    air = server.channel("thoughts", script.entries[: notes[0]])
    page = open_film(f"bots/{quote(NAMES[3])}?channel=thoughts")
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=notes[0])
    expect(page.locator("#thoughts-box")).to_be_hidden()
    server.put(air, script.entries[notes[0] :])
    thoughts = page.locator("#thoughts li")
    expect(thoughts).to_have_count(4)
    first = thoughts.first.locator("q")
    expect(first.locator(".claim--right")).to_have_text("I have")
    expect(first.locator(".claim--wrong")).to_have_text("<b>a")
    expect(first.locator(".claim--truth")).to_have_text("[has: a pair]")
    assert thoughts.locator("b").all_text_contents() == ["checks on the flop", "raises to 2,500 before the flop"] * 2
    expect(thoughts.nth(1).locator("q")).to_have_text("I am in.")
    expect(page.locator("#thoughts")).not_to_contain_text("Not mine")
    hidden = [ControlSet("chat", value=False, was=True, bot=4), ControlSet("chat", value=True, was=False, bot=4)]
    for event, count in zip([*hidden, ControlSet("thoughts", value=False, was=True)], (0, 4, 0), strict=True):
        server.put(air, script.put(event).entries[-1:])
        expect(thoughts).to_have_count(count)


def test_bot_page_shows_any_name_as_plain_text(server: ShowServer, open_page: Opener) -> None:
    names = (*WIDE_NAMES[1:4], PAYLOADS[0], "..", "../../etc/passwd", "50% & more?#x")
    server.channel("names", Script(names, media=False).connect().stage().game(TRIALS).hand("call").entries)
    page = open_page("healthz")
    for name in names:
        page.goto(f"{server.address}{bot_address(short_name(name), 'names')}&debug&motion=off")
        page.wait_for_function(READY)
        expect(page.locator("h1")).to_have_text(short_name(name))
        assert page.evaluate("() => window.robbed") is None
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
    last_placing = entries[-1].event.placings[-1]  # type: ignore[attr-defined]
    name = next(entrant.name for entrant in entries[0].event.entrants if entrant.bot == last_placing.bot)  # type: ignore[attr-defined]
    with serving_archive(folder, tmp_path / "media", "one", "two") as web:
        front = web.get("/").text
        hidden, complete = web.get(bot_address(name)).text, web.get(f"{bot_address(name)}?results=shown").text
        remembered, unknown = web.get(bot_address(name)).text, web.get("/bots/Nobody")
    assert 'href="/replay/one"' in front
    assert "Nothing is on just now" in front
    assert not [bot.name for bot in entries[0].event.entrants if bot.name in front]  # type: ignore[attr-defined]
    assert hidden.count('href="/replay/') == 2
    assert "Place 8" not in hidden
    assert complete.count("Place 8") == 2
    assert "Place 8" in remembered, "the browser must remember the switch"
    assert (unknown.status_code, bot_address(name) in unknown.text) == (404, True)


BOT = 2


@pytest.fixture(scope="module")
def recording() -> Sequence[Entry]:
    """Four deals of one hand. Each is played at three tables, so the recording counts twelve games."""
    return play_deals(3, 4, main_seed=9, other_seed=29)


@pytest.fixture(scope="module")
def deals(recording: Sequence[Entry]) -> Entries:
    return aired(recording)


def list_winnings(bot: int, recording: Sequence[Entry]) -> list[int]:
    ended = [entry.event for entry in recording if isinstance(entry.event, DealEnded)]
    return [event.won[event.bots.index(bot)] for event in ended]


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_bot_page_shows_what_the_bot_won_at_all_tables_of_each_deal(
    recording: Sequence[Entry], deals: Entries, server: ShowServer, open_film: Opener, device: dict[str, object]
) -> None:
    fourth = [number for number, entry in enumerate(deals, 1) if isinstance(entry.event, HandStarted)][3]
    air = server.channel("deals", deals[:fourth])
    page = open_film(f"bots/Bot%20{BOT}?channel=deals", **device)
    expect(page.locator("#table")).to_have_text("At the table, deal 4")
    hands = dict(zip(page.locator("#hands small").all_inner_texts(), page.evaluate(CHANGES, "hands"), strict=True))
    stacks = page.evaluate("(bot) => window.highnoon.film.outline.hands.map(({ stacks }) => stacks[bot])", BOT)
    assert hands
    assert (
        hands.items() <= {f"The Final, deal {deal}": stack - 5000 for deal, stack in enumerate(stacks) if stack}.items()
    )
    server.put(air, deals[fourth:])
    page.wait_for_function("() => window.highnoon.film.outline.finished")
    winnings = list_winnings(BOT, recording)
    lines = [f"Deal {deal} The Final" for deal in (4, 3, 2, 1)]
    expect(page.locator("#games .own__words")).to_have_text(lines)  # the page draws itself again with the cards
    assert page.evaluate(CHANGES, "games") == winnings[::-1]
    expect(page.locator("#games-title")).to_have_text("Deal by deal")
    expect(page.locator("#games")).not_to_contain_text("then")
    expect(page.locator("#chips-title")).to_contain_text("won, deal by deal")
    assert page.inner_text("#chips .chart__key").replace("\u2212", "-").replace(",", "").endswith(f" {sum(winnings):+}")
    poster = f"{round(sum(winnings) / 4):+,} per\u00a0deal"
    assert page.inner_text("#stack") == poster.replace("-", "\u2212")
    box = "(node) => node.scrollWidth - node.clientWidth"
    assert page.locator(".wanted").evaluate(box) <= 0
    server.close(air)


def test_replay_draws_winnings_deal_by_deal(
    recording: Sequence[Entry], deals: Entries, server: ShowServer, open_film: Opener
) -> None:
    air = server.channel("graph", deals)
    page = open_film("watch?channel=graph")
    expect(page.locator("#chips-title")).to_have_text("Chips won, deal by deal")
    page.wait_for_function("() => document.querySelectorAll('#chips .graph__line').length === 3")
    paths = page.locator("#chips .graph__line").evaluate_all("(lines) => lines.map((line) => line.getAttribute('d'))")
    server.close(air)
    sums = {bot: [0, *accumulate(list_winnings(bot, recording))] for bot in (1, 2, 3)}
    most = max(abs(chips) for line in sums.values() for chips in line)
    points = [
        [int(point.split()[1]) for point in path.removeprefix("M").removesuffix("h0").split("L")] for path in paths
    ]
    assert points == [pytest.approx([60 - 60 * won / most for won in line], abs=1) for line in sums.values()]


def test_front_page_gives_no_places_before_a_deal_is_over(
    deals: Entries, server: ShowServer, open_page: Opener
) -> None:
    after_first_hand_began = next(at for at, entry in enumerate(deals) if isinstance(entry.event, HandStarted)) + 1
    air = server.channel("front", deals[:after_first_hand_began])
    page = open_page("?channel=front")
    expect(page.locator("#rows .standing")).to_have_count(3)
    assert set(page.locator(".standing__rank").all_inner_texts()) == {""}
    expect(page.locator("#schedule .schedule__what")).to_have_text(["The Final, deal 1 of 4", "The Final, deal 2 of 4"])
    expect(page.locator("#schedule .schedule__words")).to_contain_text("End of the show")
    server.put(air, deals[after_first_hand_began:])
    expect(page.locator(".standing__rank")).to_have_text(["1", "2", "3"])
    expect(page.locator("#hands small").first).to_have_text(re.compile(r"Deal \d"))
    server.close(air)
