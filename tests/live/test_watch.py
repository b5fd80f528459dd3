"""Viewers of the watch page see the show live or go back to any moment; its tabs follow the picture.

With `?voice=describe`, screen readers get what the picture shows. Viewers follow bots with a star, on all pages.
"""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from broadcast.on_air.events import CaptionSpoken
from server.game.events import GameStarted
from tests.live.conftest import NUMBERS, PHONE, READY, OnAir, Visit
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.pictures import same_picture
from tests.overlay.support.scenes import TRIALS, UNEVEN
from tests.overlay.support.screen import SETTLED, Screen, png_of
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.in_node import Node

TURNED_MS = 1000
"""The shortest time in which a board card is turned over at the usual pace."""
# Measures how long after the flop the chances beside the picture change.
_CHANCES_DELAY = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const wins = () => [...document.querySelectorAll(".seatline__win")].map((node) => node.textContent).join();
  await frame();
  await frame();
  const before = wins();
  window.highnoon.head.play();
  while (window.highnoon.state().board.length < 3) await frame();
  const dealt = performance.now();
  while (wins() === before) await frame();
  window.highnoon.head.pause();
  return performance.now() - dealt;
}"""
AT_REST = "() => !document.body.dataset.moving"
_HANDS = "() => window.highnoon.film.outline.hands"
_NAMED = "(bot) => window.highnoon.state().bots[bot].name"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_function(AT_REST)


def tab(page: Page, name: str) -> Any:
    return page.get_by_role("tab", name=name, exact=True)


def switch_results(page: Page) -> None:
    """Switches results on, and waits until the page has reloaded."""
    page.locator("#results").click()
    expect(page.locator("#results")).to_have_text("Hide results")
    page.wait_for_function(READY)


def position(page: Page) -> Any:
    return page.evaluate("() => Object.values(window.highnoon.head.place)")


def test_only_winners_of_watched_hands_are_listed(shows: ShowServer, on_air: OnAir, look: Visit) -> None:
    kinds = [type(entry.event).__name__ for entry in on_air]
    ended = kinds.index("HandEnded") + 1
    air = shows.channel("hands", on_air[: ended - 1])
    page = look("watch?channel=hands")
    tab(page, "Hands").click()
    expect(page.locator(".handline__who")).to_have_text([""])
    shows.put(air, on_air[ended - 1 :])
    page.wait_for_function("() => window.highnoon.film.outline.finished")
    hands = page.evaluate(_HANDS)[1:]
    named = [", ".join(page.evaluate(_NAMED, bot) for bot, _, _ in hand["won"]) for hand in hands]
    expect(page.locator(".handline__who")).to_have_text(named)
    expect(page.locator(".handline__pot")).to_have_text([f"{hand['pot']:,}" for hand in hands])
    assert page.locator(".handline__mark").count() == sum(len(hand["marks"]) for hand in hands) > 0
    page.locator(".handline button").nth(2).click()
    page.wait_for_function("() => window.highnoon.head.place.hand === 3")
    expect(page.locator(".handline__who")).to_have_text([*named[:2], *[""] * (len(named) - 2)])
    expect(page.locator(".handline [aria-current]")).to_contain_text(f"Hand {hands[2]['hand']}")
    switch_results(page)
    tab(page, "Hands").click()
    expect(page.locator(".handline__who")).to_have_text(named)
    assert position(page)[0] == 3


def test_replay_hides_the_winners_of_later_hands_unless_results_are_switched_on(look: Visit) -> None:
    page = look("replay/one?hand=3")
    tab(page, "Hands").click()
    expect(page.locator(".handline__who").nth(1)).not_to_be_empty()
    for column in (".handline__who", ".handline__pot"):
        known = [bool(text) for text in page.locator(column).all_text_contents()]
        assert known == [True, True, *[False] * (len(known) - 2)], column
    assert page.locator("[data-later] .handline__mark").count() == 0
    switch_results(page)
    tab(page, "Hands").click()
    expect(page.locator(".handline__who").last).not_to_be_empty()
    assert all(page.locator(".handline__who").all_text_contents())
    page.wait_for_function("() => !location.search.includes('results')")  # a copied link must reveal no winner


def test_chances_beside_the_picture_wait_until_the_card_is_turned(look: Visit, on_air: OnAir) -> None:
    page = look("replay/one?hand=1")
    flop = next(entry.seq for entry in on_air if type(entry.event).__name__ == "StreetDealt")
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", flop - 1)
    assert page.evaluate(_CHANCES_DELAY) > TURNED_MS


def test_buttons_with_the_same_word_have_distinct_names(look: Visit) -> None:
    page = look("replay/one?hand=1", **PHONE)
    for words, name in (("Hand", "Previous hand"), ("Hand", "Next hand"), ("Step", "Step back"), ("Step", "Step on")):
        expect(page.get_by_role("button", name=name, exact=True)).to_contain_text(words)


SMALL: dict[str, Any] = {"viewport": {"width": 640, "height": 480}}
STILL = "motion=off&still"
MOMENTS = 3
_AT = "(seq) => window.highnoon.state().seq === seq"
_KNOWS = "(seq) => window.highnoon.film.outline.entries === seq"
_DROPPED = "() => window.highnoon.film.drop()"
# Makes the page do what it does when a phone wakes up: the old connection seems open, but nothing arrives over it.
_AWAKE = "() => dispatchEvent(new Event('online'))"
# Shows only the picture, as large as the window, like an overlay.
_ALONE = """() => new Promise((done) => {
  const screen = document.getElementById("screen");
  Object.assign(screen.style, { position: "fixed", inset: "0", zIndex: "9", borderRadius: "0" });
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def state(page: Page) -> Any:
    return json.loads(page.evaluate("() => JSON.stringify(window.highnoon.state())"))


def is_live(page: Page) -> bool:
    return bool(page.evaluate("() => window.highnoon.head.following"))


def test_rewound_page_shows_what_was_live(shows: ShowServer, browser: Browser, on_air: OnAir, look: Visit) -> None:
    dice = random.Random(6)
    standings = [entry.seq - 1 for entry in on_air if isinstance(entry.event, GameStarted)][1]
    moments = sorted({standings, *dice.sample(range(2, len(on_air)), MOMENTS)})
    live = Screen(shows, browser, "rewind", STILL, page="projector", width=1920, height=1080)
    recorded: dict[int, tuple[Any, bytes]] = {}
    shown = 0
    for seq in moments:
        live.put(on_air[shown:seq])
        shown = seq
        live.settle()
        recorded[seq] = (live.state(), live.picture())
    live.put(on_air[shown:])
    live.close()
    again = look(f"watch?channel=rewind&{STILL}", viewport={"width": 1920, "height": 1080})
    again.evaluate(_ALONE)
    for seq in dice.sample(moments, len(moments)):
        again.evaluate("(seq) => window.highnoon.head.seek(seq).then(() => window.highnoon.head.pause())", seq)
        again.evaluate(SETTLED)
        live_state, picture = recorded[seq]
        assert state(again) == live_state
        assert same_picture(picture, png_of(again)), on_air[seq - 1]


def test_live_page_shows_each_entry_as_soon_as_it_is_on_air(shows: ShowServer, on_air: OnAir, look: Visit) -> None:
    air = shows.channel("live", on_air[:100])
    page = look("watch?channel=live", **SMALL)
    assert (state(page)["seq"], is_live(page)) == (100, True)
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
    shown = 100
    for seq in (101, 130, 131, 300):  # so that ends of hands are included
        shows.put(air, on_air[shown:seq])
        shown = seq
        page.wait_for_function(_AT, arg=seq)
        assert is_live(page)
        assert page.evaluate(_KNOWS, seq)
    # A page that is opened at this address starts live.
    page.wait_for_function("() => !location.search.includes('hand=')")


def test_page_can_be_paused_and_moved_while_the_show_continues(shows: ShowServer, on_air: OnAir, look: Visit) -> None:
    air = shows.channel("back", on_air[:350])
    page = look("watch?channel=back", **SMALL)
    press(page, "Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "ArrowRight")
    before = position(page), state(page)
    assert 0 < before[1]["seq"] < 300
    assert not is_live(page)
    shows.put(air, on_air[350:380])
    page.wait_for_function(_KNOWS, arg=380)
    assert (position(page), state(page)) == before
    expect(page.locator("#live")).to_contain_text("behind")
    assert page.locator("#transcript li:visible").count() > 0
    press(page, "Home")
    assert state(page)["seq"] == 1
    page.wait_for_function("() => location.search.includes('hand=0&step=0')")
    page.locator("#live").click()
    page.wait_for_function(_AT, arg=380)
    assert is_live(page)


def test_page_misses_nothing_after_a_lost_connection(shows: ShowServer, on_air: OnAir, look: Visit) -> None:
    air = shows.channel("lost", on_air[:150])
    page = look("watch?channel=lost", **SMALL)
    page.context.set_offline(True)
    page.evaluate(_DROPPED)
    expect(page.locator("#live")).to_have_text("Connecting")
    shows.put(air, on_air[150:330])
    page.context.set_offline(False)
    page.wait_for_function(_AT, arg=330)
    expect(page.locator("#live")).not_to_have_text("Connecting")
    assert page.evaluate(NUMBERS) == list(range(1, 331))


@pytest.mark.parametrize(("live", "broken"), [(True, _DROPPED), (False, _DROPPED), (True, _AWAKE)])
def test_viewers_keep_their_position_in_a_new_studio(
    live: bool, broken: str, shows: ShowServer, on_air: OnAir, look: Visit
) -> None:
    name = f"restart-{live}-{len(broken)}"
    former = shows.channel(name, on_air[:200])
    page = look(f"watch?channel={name}", **SMALL)
    if not live:
        press(page, "Shift+ArrowLeft", "Space")
    before = position(page)
    shows.close(former)
    new = shows.channel(name, on_air[:220])
    assert new.epoch != former.epoch
    page.evaluate(broken)
    page.wait_for_function(_KNOWS, arg=220)
    page.wait_for_function(AT_REST)
    assert is_live(page) is live
    assert (state(page)["seq"] == 220) if live else (position(page) == before)
    shows.put(new, on_air[220:240])
    page.wait_for_function(_KNOWS, arg=240)
    press(page, "End")
    page.wait_for_function(_AT, arg=240)


# Returns each sentence of the description with the type of its entry.
_DESCRIBED = """async (entries, load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { initialState } = await load("/static/js/overlay/reducer-state.js");
  const { Description } = await load("/static/js/replay/words/description.js");
  const description = new Description();
  let state = initialState();
  return entries.flatMap((entry) => {
    state = reduce(state, entry);
    return description.describeEntry(entry, state).map((sentence) => [entry.type, sentence]);
  });
}"""


def described(node: Node, script: Script, kind: str = "") -> list[str]:
    """The sentences that describe a show, or only those about entries of one `kind`."""
    found = node.evaluate(_DESCRIBED, [json.loads(each.to_json()) for each in script.entries])
    return [text for of, text in found if kind in ("", of)]


def showdown_of_two() -> Script:
    """A hand in which seat 5 with nines and seat 0 with ace and jack call and check to the river."""
    script = Script().connect().stage().game(TRIALS)
    return script.hand("fold fold raise:300 call fold fold down")


def test_hand_is_described_with_blinds_board_pots_cards_and_chances(node: Node) -> None:
    script = showdown_of_two()
    assert described(node, script, "hand_started") == ["Hand 1 of 6. Blinds 50 and 100."]
    flop, turn, river = described(node, script, "street_dealt")
    assert flop == "On the table: king of hearts, 9 of hearts, 4 of clubs. The pot is 750."
    assert {turn, river} == {"The pot is 750."}
    first, *later = described(node, script, "equities_changed")
    assert first.startswith(f"To win: {NAMES[5]}, with 9 of spades and 9 of diamonds, ")
    assert f"; {NAMES[0]}, with ace of hearts and jack of hearts, " in first
    assert len(later) == 2
    assert not any(" with " in sentence for sentence in later), "each card must be described only once"
    captions = [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]
    assert described(node, script, "caption_spoken") == captions


def test_screen_readers_get_the_description_as_plain_text(node: Node, shows: ShowServer, visit: Visit) -> None:
    script = showdown_of_two().chat((1, PAYLOADS[0]), (2, PAYLOADS[1]))
    before = 20
    air = shows.channel("described", script.entries[:before])
    page = visit("watch?channel=described&voice=describe")
    log = page.get_by_role("log", name="What is seen")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.locator("p").first).to_have_text("Game 1 of up to 15, Hand 1 of 6, Blinds 50/100.")
    assert page.locator(".spoken").first.get_attribute("aria-live") == "off", (
        "the description contains the captions, so these must not be read as well"
    )
    shows.put(air, script.entries[before:])
    expect(log.locator("p")).to_have_text(described(node, script)[-12:])
    assert log.locator("p *").count() == 0


KEY = "highnoon:followed"
_KEPT = f"() => JSON.parse(localStorage.getItem('{KEY}') ?? '[]')"
FOLLOWS = f"localStorage.setItem('{KEY}', JSON.stringify({{names}}))"


# Follows bots one after the other in a browser that stores nothing; returns the names that the page remembers.
_FOLLOW = """async (names, load) => {
  globalThis.addEventListener ??= () => {};
  const { FollowedBots } = await load("/static/js/common/followed.js");
  const followed = new FollowedBots(() => {});
  for (const name of names) followed.toggle(name);
  return followed.names;
}"""
# Returns the names of the bots to whose pages the links for these names lead.
_LINKED = """async (names, load) => {
  const { linkToBot } = await load("/static/js/common/followed.js");
  return names.map((name) => {
    let address = new URL("http://127.0.0.1/");
    linkToBot({ getAttribute: () => null, setAttribute: (_, set) => { address = new URL(set, address); } }, name);
    return address.searchParams.get("bot") ?? decodeURIComponent(address.pathname.replace("/bots/", ""));
  });
}"""


def star(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Follow {name}", exact=True)


def followed(page: Page) -> list[str]:
    return page.locator("li[data-followed] :is(.standing__name, .seatline__name)").all_text_contents()


def test_star_marks_its_bot_in_every_list_tab_and_later_visit(shows: ShowServer, visit: Visit) -> None:
    shows.channel("star", Script().connect().stage().game(TRIALS, UNEVEN).hand("call raise:300").entries)
    front = visit("?channel=star")
    watch = visit("watch?channel=star", front)
    expect(star(watch, NAMES[2])).to_have_attribute("aria-pressed", "false")
    star(front, NAMES[2]).click()
    for page in (front, watch):
        expect(star(page, NAMES[2])).to_have_attribute("aria-pressed", "true")
        assert {*followed(page)} == {NAMES[2]}
    assert front.evaluate(_KEPT) == [NAMES[2]]
    front.reload()
    expect(star(front, NAMES[2])).to_have_attribute("aria-pressed", "true")
    assert followed(front) == [NAMES[2]]
    star(watch, NAMES[2]).focus()
    watch.keyboard.press("Space")
    expect(front.locator("li[data-followed]")).to_have_count(0)
    assert watch.evaluate("() => window.highnoon.head.playing"), (
        "the pressed key must act on the star, not on the player"
    )
    assert front.evaluate(_KEPT) == []


def test_the_fifty_bots_followed_last_are_remembered(node: Node) -> None:
    names = [f"Bot {number}" for number in range(60)]
    assert node.evaluate(_FOLLOW, names) == names[10:]


def test_link_to_a_bot_leads_to_it_whatever_its_name(node: Node) -> None:
    names = ["Ann", "#1?", "50 %", "a/b", "..", ".", "德州 & Söhne"]
    assert node.evaluate(_LINKED, names) == names


def test_news_on_a_phone_covers_nothing_and_moves_nothing(shows: ShowServer, visit: Visit) -> None:
    script = Script().connect().stage()
    air = shows.channel("line", script.entries)
    front = visit("?channel=line", script=FOLLOWS.format(names=[NAMES[1]]), **PHONE)
    watch = visit("watch?channel=line", front)
    star(front, NAMES[1]).wait_for()
    watch.wait_for_function(READY)
    boxes = {front: "#picture", watch: "#screen"}
    before = {page: page.locator(box).bounding_box() for page, box in boxes.items()}
    first = len(script.entries)
    shows.put(air, script.game(TRIALS).entries[first:])
    for page, box in boxes.items():
        expect(page.locator("#told")).not_to_have_text("")
        news, picture = page.locator("#told").bounding_box(), page.locator(box).bounding_box()
        assert picture == before[page]
        assert news is not None
        assert picture is not None
        assert news["height"] > 0
        assert news["y"] + news["height"] <= picture["y"]
