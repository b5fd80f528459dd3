"""The page of a bot in a real browser: what has been on air of it, nothing newer, and its recordings."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import httpx
from msgspec import to_builtins
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from broadcast.archive.archive import INDEX, Archive
from broadcast.on_air.events import OnAirEntry, StatisticsChanged
from broadcast.on_air.facts import BotStatistics, Notice
from broadcast.on_air.picture_state import State
from broadcast.show_pages import bot_address
from server.game.events import GameStarted, HandEnded, HandStarted, HoleDealt, TournamentOpened
from server.text.grammar import short_name
from tests.live.conftest import Visit
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import SCENES, TRIALS, WIDE_NAMES
from tests.overlay.support.scripted_show import NAMES, Script, folded
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.recordings import aired, small_contest, until_listed, write

_READY = "() => document.body?.dataset.ready === 'yes'"
_CHANGES = """(id) => [...document.querySelectorAll(`#${id} .own__change`)]
  .map((change) => Number(change.textContent.replace("\\u2212", "-").replace(/[+,]/g, "")))"""
_ALL_CARDS = """() => document.querySelectorAll("#hands .own").length > 0 &&
  document.querySelectorAll("#hands .own").length === document.querySelectorAll("#hands .own__cards").length"""
_CARDS = """() => [...document.querySelectorAll("#hands .own")].map((hand) => [
  hand.querySelector("a").href.match(/hand=(\\d+)/)[1],
  [...hand.querySelectorAll(".face")].map((card) => card.textContent.replace("10", "T") + card.dataset.suit)])"""
PATHS = (
    "/bots/..%2f..%2fetc%2fpasswd", "/bots/?bot=..", "/bots/a/b/c", "/bots//", "/bots/%00",
    "/bots/%ff%fe", "/bots/" + "x" * 200, "/bots/" + "%E5%BE%B7" * 200, "/bots/Nobody?channel=%00",
    "/bots/%3Cscript%3E",
)  # fmt: skip


def trials() -> Script:
    """Three games of four hands are over, and the fourth has begun."""
    script = Script().connect().stage()
    stacks = dict.fromkeys(range(1, 13), 5000)
    seats: tuple[int, ...]
    for seats in ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12), (3, 4, 5, 6, 7, 8)):
        script.game(seats, tuple(stacks[bot] for bot in seats), hands=4)
        for turn in range(4):
            script.wheel(turn)
        script.end_game()
        stacks |= dict(zip(seats, script.stacks, strict=True))
    seats = tuple(bot for bot in (1, 4, 7, 9, 10, 11, 12) if stacks[bot])[:6]
    return script.game(seats, tuple(stacks[bot] for bot in seats)).hand("call")


def opened(visit: Visit, name: str, channel: str, **context: object) -> Page:
    page = visit(f"bots/{quote(name, safe='')}?channel={channel}", **context)
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    return page


def front_order(state: State) -> list[tuple[str, int]]:
    """The bots of the stage and their chips, as the standings list them."""
    bots = [state.bots[bot] for bot in state.stage.bots] if state.stage else []
    return sorted(((bot.name, bot.stack) for bot in bots), key=lambda bot: -bot[1])


def chips(words: str) -> int:
    return int(words.replace(",", ""))


def test_bot_page_shows_place_chips_and_what_each_game_brought(shows: ShowServer, visit: Visit) -> None:
    air = shows.channel("course", trials().entries)
    state = air.picture
    stacks = {bot.name: bot.stack for bot in state.bots.values()}
    name = state.bots[4].name
    page = opened(visit, name, "course")
    expect(page.locator("h1")).to_have_text(name)
    assert page.inner_text("#player") == "Player 4"
    assert chips(page.inner_text("#stack")) == stacks[name]
    place = [each for each, _ in front_order(air.picture)].index(name) + 1
    assert page.inner_text("#place") == f"{place}{['st', 'nd', 'rd'][place - 1] if place < 4 else 'th'} of 12"
    (_, sixth), (_, seventh) = front_order(air.picture)[5:7]
    line, other, way = ("7th", seventh, "ahead of") if place <= 6 else ("6th", sixth, "short of")
    apart = abs(stacks[name] - other)
    assert page.inner_text("#apart") == (f"{apart:,} {way} {line}" if apart else f"level with {line}")
    assert 5000 + sum(page.evaluate(_CHANGES, "games")) == stacks[name]
    assert page.inner_text("#table") == "At the table, game 4, hand 1"
    row = next(row for row in state.statistics.rows if row.bot == 4)
    figures = page.locator("#figures")
    expect(figures).to_contain_text(f"{row.hands}hands dealt")
    expect(figures).to_contain_text(f"plays its hand (VPIP), {row.vpip} of {row.vpip_chances}")
    earned, luck = (f"{chips:+,}".replace("-", "\N{MINUS SIGN}") for chips in (row.earned or 0, row.luck))
    expect(figures).to_contain_text(f"{earned}chips earned, luck taken out{luck}chips of luck with the board")
    assert page.locator("#chips .chart__mine").count() == page.locator("#chips .chart__cut").count() == 1


def test_award_has_its_own_line_and_the_biggest_pot_is_shown_once(
    shows: ShowServer, visit: Visit, on_air: Sequence[OnAirEntry]
) -> None:
    air = shows.channel("awards", on_air)
    names = {bot.bot: bot.name for bot in air.picture.bots.values()}
    biggest = next(notice for notice in air.picture.statistics.notices if notice.title == "Biggest pot")
    other = next(row.bot for row in air.picture.statistics.rows if row.hands and row.bot != biggest.bot)
    page = opened(visit, names[biggest.bot], "awards")
    expect(page.locator("#awards")).to_contain_text(f"Biggest pot this evening: {biggest.text}")
    expect(page.locator("#figures")).not_to_contain_text("biggest pot")
    page = opened(visit, names[other], "awards")
    expect(page.locator("#figures")).to_contain_text("its biggest pot")
    expect(page.locator("#awards")).not_to_contain_text("Biggest pot")


def test_bot_page_shows_the_version_and_the_hole_cards_of_its_hands(shows: ShowServer, visit: Visit) -> None:
    first, *rest = small_contest()
    assert isinstance(first.event, TournamentOpened)
    entrants = [replace(each, version=f"2.{each.bot}") for each in first.event.entrants]
    entries = aired([replace(first, event=replace(first.event, entrants=tuple(entrants))), *rest])
    shows.channel("version", entries)
    dealt: dict[str, list[str]] = {}
    seats: tuple[int, ...] = ()
    number = 0
    for entry in entries:
        match entry.event:
            case GameStarted(seats=sitting):
                seats = tuple(sitting)
            case HandStarted():
                number += 1
            case HoleDealt(seat=seat, cards=cards) if seats[seat] == 3:
                dealt[str(number)] = list(cards)
            case _:
                pass
    page = opened(visit, entrants[2].name, "version")
    expect(page.locator("#version")).to_have_text("Version 2.3")
    page.wait_for_function(_ALL_CARDS, timeout=PATIENCE_MS)
    shown = page.evaluate(_CARDS)
    assert shown
    assert all(cards == dealt[hand] for hand, cards in shown)


def test_award_of_the_whole_evening_replaces_the_earlier_one(shows: ShowServer, visit: Visit) -> None:
    counted = BotStatistics(4, hands=20), BotStatistics(5, hands=20)
    before = Notice("Luckiest", 4, "500 by the cards alone"), Notice("Loosest", 4, "plays 60% of hands")
    closing = StatisticsChanged(counted, before, 20, (), (Notice("Luckiest", 4, "900 from the cards alone"),), True)
    shows.channel("closing", trials().tell(closing).entries)
    page = opened(visit, NAMES[3], "closing")
    expect(page.locator("#awards li")).to_have_text(
        ["Luckiest this evening: 900 from the cards alone", "Loosest this evening: plays 60% of hands"]
    )


def test_bot_page_says_when_the_bot_plays_next(shows: ShowServer, visit: Visit) -> None:
    shows.channel("next", trials().entries)
    page = opened(visit, NAMES[4], "next")
    assert page.inner_text("#table") == "Not at the table just now"
    expect(page.locator("#next")).to_contain_text("Next: The Trials, game 5 of 15, ")
    page = opened(visit, NAMES[3], "next")
    expect(page.locator("#next")).to_have_text("")


def test_hand_appears_on_the_page_once_it_is_over_on_air(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage().game(TRIALS)
    begun = len(script.entries)
    entries = script.hand("raise:2500 call fold fold fold fold call call call call call call").entries
    ended = next(at for at, entry in enumerate(entries) if at >= begun and isinstance(entry.event, HandEnded))
    over = entries[ended].event
    assert isinstance(over, HandEnded)
    winner, stack = over.stacks.index(max(over.stacks)), max(over.stacks)
    air = shows.channel("before", entries[:ended])
    page = opened(visit, NAMES[winner], "before")
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=ended, timeout=PATIENCE_MS)
    assert page.locator("#hands li").count() == 0
    assert page.inner_text("#stack") == "5,000"
    shows.put(air, entries[ended:])
    expect(page.locator("#hands li")).to_have_count(1, timeout=PATIENCE_MS)
    assert chips(page.inner_text("#stack")) == stack
    assert page.evaluate(_CHANGES, "hands") == [stack - 5000]


def test_hand_links_to_itself_in_the_show(shows: ShowServer, visit: Visit) -> None:
    script = trials()
    air = shows.channel("see", script.entries)
    starts = [at for at, entry in enumerate(script.entries) if isinstance(entry.event, HandStarted)]
    hands = [to_builtins(folded(script.entries[: at + 1]).hand) for at in starts]
    name = air.picture.bots[4].name
    page = opened(visit, name, "see")
    link = page.locator("#hands a").first
    link.wait_for(timeout=PATIENCE_MS)
    number = int((link.get_attribute("href") or "").rpartition("=")[2])
    link.click()
    page.wait_for_url("**/watch?**")
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    page.goto(f"{page.url}&debug")
    page.wait_for_function(_READY, timeout=PATIENCE_MS)
    assert page.evaluate("() => window.highnoon.head.place") == {"hand": number, "step": 0}
    assert page.evaluate("() => window.highnoon.state().hand") == hands[number - 1]
    assert not page.evaluate("() => window.highnoon.head.playing")


def test_face_hidden_by_the_operator_is_not_on_the_page(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage().game(TRIALS).hand("call")
    air = shows.channel("face", script.entries)
    page = opened(visit, NAMES[0], "face")
    expect(page.locator("#face")).to_have_attribute("src", "/media/billy-the-kid-avatar.webp")
    before = len(script.entries)
    shows.put(air, script.set("media", False, 1).entries[before:])
    expect(page.locator("#face")).to_have_attribute("src", "/assets/avatars/default.webp", timeout=PATIENCE_MS)


def test_bot_page_shows_the_final_place_and_prize_at_the_end(shows: ShowServer, visit: Visit) -> None:
    air = shows.channel("end", SCENES["champion"]().entries)
    first = air.picture.placings[0].bot
    page = opened(visit, NAMES[first - 1], "end")
    assert page.inner_text("#place") == "1st of 12"
    assert page.inner_text("#prize") == "wins $210"
    assert page.inner_text("#table") == "The show is over"


def test_every_name_has_its_page_as_plain_text(shows: ShowServer, visit: Visit) -> None:
    names = (*WIDE_NAMES[1:4], PAYLOADS[0], "..", "../../etc/passwd", "50% & more?#x")
    shows.channel("names", Script(names, media=False).connect().stage().game(TRIALS).hand("call").entries)
    page = visit("healthz")
    for name in names:
        page.goto(f"{shows.address}{bot_address(short_name(name), 'names')}&debug&motion=off")
        page.wait_for_function(_READY, timeout=PATIENCE_MS)
        expect(page.locator("h1")).to_have_text(short_name(name))
        assert page.evaluate("() => window.robbed") is None
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 1000


def test_unknown_name_is_answered_with_the_bots_on_air(tmp_path: Path) -> None:
    with ShowServer(tmp_path / "media") as shows, httpx.Client(base_url=shows.address, timeout=60) as web:
        shows.channel("main", Script().connect().stage().entries)
        answers = {path: web.get(path, follow_redirects=True) for path in PATHS}
        listed = web.get("/bots/")
    for path, answer in answers.items():
        assert answer.status_code == 404, path
        assert "No such bot" in answer.text
        assert "/bots/Two-Pair%20Tess" in answer.text
        assert "<script" not in answer.text
        assert len(answer.text) < 10_000
    assert (listed.status_code, "No such bot" in listed.text) == (200, False)
    assert "/bots/Two-Pair%20Tess" in listed.text


def test_bot_page_without_a_show_lists_recordings_and_hides_places_by_default(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    entries = small_contest()
    write(folder / "one.jsonl", entries)
    write(folder / "two.jsonl", entries)
    last = entries[-1].event.placings[-1]  # type: ignore[attr-defined]
    name = next(each.name for each in entries[0].event.entrants if each.bot == last.bot)  # type: ignore[attr-defined]
    shows = ShowServer(tmp_path / "media")
    shows.studio.add_archive(Archive(folder, folder / INDEX, again_seconds=0))
    with shows, httpx.Client(base_url=shows.address, timeout=60) as web:
        until_listed(web, "one")
        until_listed(web, "two")
        hidden, shown = web.get(bot_address(name)).text, web.get(f"{bot_address(name)}?results=shown").text
        kept, unknown = web.get(bot_address(name)).text, web.get("/bots/Nobody")
    assert hidden.count('href="/replay/') == 2
    assert "Place 8" not in hidden
    assert shown.count("Place 8") == 2
    assert "Place 8" in kept, "the switch is remembered"
    assert (unknown.status_code, bot_address(name) in unknown.text) == (404, True)
