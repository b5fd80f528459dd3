"""On the watch page, viewers see the show live or go back to any moment. The lists beside the picture go back, too.

With `?voice=describe`, the page describes the picture to screen readers. Viewers follow a bot by clicking on its star.
"""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from broadcast.on_air.events import CaptionSpoken
from server.game.events import GameStarted, HandEnded, StreetDealt
from tests.live.conftest import ENTRY_NUMBERS, PHONE, READY, Entries, Opener
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.pictures import is_same_picture
from tests.overlay.support.scenes import UNEVEN_STACKS
from tests.overlay.support.screen import WAIT_UNTIL_SETTLED, Screen, take_screenshot
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.in_node import Node

# Returns how many milliseconds pass between the flop and the change of the chances beside the picture.
_CHANCES_DELAY = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const wins = () => [...document.querySelectorAll(".seatline__win")].map((node) => node.textContent).join();
  await frame();
  await frame();
  const before = wins();
  window.highnoon.head.play();
  while (window.highnoon.state().board.length < 3) await frame();
  const dealtAt = performance.now();
  while (wins() === before) await frame();
  window.highnoon.head.pause();
  return performance.now() - dealtAt;
}"""
AT_REST = "() => !document.body.dataset.moving"
_PLACE = "() => Object.values(window.highnoon.head.place)"  # `place` has the hand and the step that the page shows.


def press_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_function(AT_REST)


def test_only_winners_of_watched_hands_are_listed(server: ShowServer, entries: Entries, load_page: Opener) -> None:
    hand_end = next(at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
    air = server.channel("hands", entries[:hand_end])  # `air.picture` is the state of the show.
    page = load_page("watch?channel=hands")
    page.get_by_role("tab", name="Hands").click()
    expect(page.locator(".handline__who")).to_have_text([""])
    server.put(air, entries[hand_end:])
    page.wait_for_function("() => window.highnoon.film.outline.finished")
    hands = page.evaluate("() => window.highnoon.film.outline.hands")[1:]  # A "mark" is a label such as "Bad beat".
    winners = [", ".join(air.picture.bots[bot].name for bot, _, _ in hand["won"]) for hand in hands]
    expect(page.locator(".handline__who")).to_have_text(winners)
    assert page.locator(".handline__mark").count() == sum(len(hand["marks"]) for hand in hands) > 0
    page.locator(".handline button").nth(2).click()
    page.wait_for_function("() => window.highnoon.head.place.hand === 3")
    pots = [f"{hand['pot']:,}" for hand in hands]
    for column, texts in ((".handline__who", winners), (".handline__pot", pots)):
        expect(page.locator(column)).to_have_text([*texts[:2], *[""] * (len(texts) - 2)])
    assert page.locator("[data-later] .handline__mark").count() == 0
    expect(page.locator(".handline [aria-current]")).to_contain_text(f"Hand {hands[2]['hand']}")
    page.locator("#results").click()
    expect(page.locator("#results")).to_have_text("Hide results")  # The text changes when the page has reloaded.
    page.wait_for_function(READY)
    page.get_by_role("tab", name="Hands").click()
    expect(page.locator(".handline__who")).to_have_text(winners)
    page.wait_for_function("() => !location.search.includes('results')")  # A copied link must reveal no winner.
    assert page.evaluate(_PLACE)[0] == 3


def test_chances_change_only_when_the_cards_are_face_up(load_page: Opener, entries: Entries) -> None:
    page = load_page("replay/one?hand=1")
    flop = next(entry.seq for entry in entries if isinstance(entry.event, StreetDealt))
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", flop - 1)
    assert page.evaluate(_CHANCES_DELAY) > 1000, "at the usual pace, turning a card over takes a second or more"


def test_buttons_with_the_same_word_have_distinct_names(load_page: Opener) -> None:
    page = load_page("replay/one?hand=1", **PHONE)
    for words, name in (("Hand", "Previous hand"), ("Hand", "Next hand"), ("Step", "Step back"), ("Step", "Step on")):
        expect(page.get_by_role("button", name=name, exact=True)).to_contain_text(words)


SMALL_WINDOW: dict[str, Any] = {"viewport": {"width": 640, "height": 480}}
_IS_LIVE = "() => window.highnoon.head.following"
_SHOWS_ENTRY = "(seq) => window.highnoon.state().seq === seq"
_HAS_ENTRIES = "(seq) => window.highnoon.film.outline.entries === seq"
_DROP_CONNECTION = "() => window.highnoon.film.drop()"
# Dispatches `online`, as a phone does when it wakes up. The phone's old connection then seems open, but is dead.
_WAKE_UP = "() => dispatchEvent(new Event('online'))"
# Makes the picture as large as the window, as on an overlay.
_SHOW_ONLY_PICTURE = """() => new Promise((done) => {
  const screen = document.getElementById("screen");
  Object.assign(screen.style, { position: "fixed", inset: "0", zIndex: "9", borderRadius: "0" });
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def read_state(page: Page) -> Any:
    return json.loads(page.evaluate("() => JSON.stringify(window.highnoon.state())"))


def test_rewound_page_shows_what_was_live(
    server: ShowServer, browser: Browser, entries: Entries, load_page: Opener
) -> None:
    dice = random.Random(6)
    game_end = [entry.seq - 1 for entry in entries if isinstance(entry.event, GameStarted)][1]
    moments = sorted({game_end, *dice.sample(range(2, len(entries)), 3)})
    live = Screen(server, browser, "rewind", "motion=off&still", page="projector")
    live_moments: dict[int, tuple[Any, bytes]] = {}
    for last_seq, seq in pairwise([0, *moments]):
        live.put(entries[last_seq:seq])
        live.settle()
        live_moments[seq] = (live.state(), live.picture())
    live.put(entries[moments[-1] :])
    live.close()
    page = load_page("watch?channel=rewind&motion=off&still", viewport={"width": 1920, "height": 1080})
    page.evaluate(_SHOW_ONLY_PICTURE)
    for seq in dice.sample(moments, len(moments)):
        page.evaluate("(seq) => window.highnoon.head.seek(seq).then(() => window.highnoon.head.pause())", seq)
        page.evaluate(WAIT_UNTIL_SETTLED)
        live_state, picture = live_moments[seq]
        assert read_state(page) == live_state
        assert is_same_picture(picture, take_screenshot(page)), entries[seq - 1]


def test_viewer_may_pause_and_seek_while_the_show_runs(server: ShowServer, entries: Entries, load_page: Opener) -> None:
    air = server.channel("back", entries[:350])
    page = load_page("watch?channel=back", **SMALL_WINDOW)
    press_keys(page, "Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "ArrowRight")
    place_and_state = page.evaluate(_PLACE), read_state(page)
    assert 0 < place_and_state[1]["seq"] < 300
    assert not page.evaluate(_IS_LIVE)
    server.put(air, entries[350:380])
    page.wait_for_function(_HAS_ENTRIES, arg=380)
    assert (page.evaluate(_PLACE), read_state(page)) == place_and_state
    expect(page.locator("#live")).to_contain_text("behind")
    assert page.locator("#transcript li:visible").count() > 0
    press_keys(page, "Home")
    assert read_state(page)["seq"] == 1
    page.wait_for_function("() => location.search.includes('hand=0&step=0')")
    page.locator("#live").click()
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
    for last_seq, seq in pairwise([380, 380, 381, 410, 411, len(entries)]):
        server.put(air, entries[last_seq:seq])
        page.wait_for_function(_SHOWS_ENTRY, arg=seq)
        assert page.evaluate(_IS_LIVE)
        assert page.evaluate(_HAS_ENTRIES, seq)
    page.wait_for_function("() => !location.search.includes('hand=')")  # A page opened at this address starts live.


def test_page_misses_nothing_after_a_lost_connection(server: ShowServer, entries: Entries, load_page: Opener) -> None:
    air = server.channel("lost", entries[:150])
    page = load_page("watch?channel=lost", **SMALL_WINDOW)
    page.context.set_offline(True)
    page.evaluate(_DROP_CONNECTION)
    expect(page.locator("#live")).to_have_text("Connecting")
    server.put(air, entries[150:330])
    page.context.set_offline(False)
    page.wait_for_function(_SHOWS_ENTRY, arg=330)
    expect(page.locator("#live")).not_to_have_text("Connecting")
    assert page.evaluate(ENTRY_NUMBERS) == list(range(1, 331))


@pytest.mark.parametrize(
    ("is_following", "break_connection"), [(True, _DROP_CONNECTION), (False, _DROP_CONNECTION), (True, _WAKE_UP)]
)
def test_viewers_keep_their_position_in_a_new_studio(
    is_following: bool, break_connection: str, server: ShowServer, entries: Entries, load_page: Opener
) -> None:
    name = f"restart-{is_following}-{len(break_connection)}"
    old_show = server.channel(name, entries[:200])
    page = load_page(f"watch?channel={name}", **SMALL_WINDOW)
    if not is_following:
        press_keys(page, "Shift+ArrowLeft", "Space")
    place = page.evaluate(_PLACE)
    server.close(old_show)
    # A new studio (server of the show) puts the old entries and twenty new ones on air.
    new_show = server.channel(name, entries[:220])
    assert new_show.epoch != old_show.epoch
    page.evaluate(break_connection)
    page.wait_for_function(_HAS_ENTRIES, arg=220)
    page.wait_for_function(AT_REST)
    assert page.evaluate(_IS_LIVE) is is_following
    assert (read_state(page)["seq"] == 220) if is_following else (page.evaluate(_PLACE) == place)
    server.put(new_show, entries[220:240])
    page.wait_for_function(_HAS_ENTRIES, arg=240)
    press_keys(page, "End")
    page.wait_for_function(_SHOWS_ENTRY, arg=240)


# Returns pairs: the type of an entry, and a sentence that screen readers get for this entry.
_DESCRIBE = """async (entries, load) => {
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


def describe(node: Node, script: Script, entry_type: str = "") -> list[str]:
    """Returns the sentences that describe a show. With `entry_type`, returns only those about entries of this type."""
    sentences = node.evaluate(_DESCRIBE, [json.loads(each.to_json()) for each in script.entries])
    return [text for sentence_type, text in sentences if entry_type in ("", sentence_type)]


def play_showdown() -> Script:
    """Plays a hand to a showdown: seat 5 has a pair of nines, and seat 0 has an ace and a jack."""
    return Script().connect().stage().game().hand("fold fold raise:300 call fold fold down")


def test_hand_is_described_with_blinds_board_pots_cards_and_chances(node: Node) -> None:
    script = play_showdown()
    assert describe(node, script, "hand_started") == ["Hand 1 of 6. Blinds 50 and 100."]
    flop, turn, river = describe(node, script, "street_dealt")
    assert flop == "On the table: king of hearts, 9 of hearts, 4 of clubs. The pot is 750."
    assert {turn, river} == {"The pot is 750."}
    first, *later = describe(node, script, "equities_changed")
    assert first.startswith(f"To win: {NAMES[5]}, with 9 of spades and 9 of diamonds, ")
    assert f"; {NAMES[0]}, with ace of hearts and jack of hearts, " in first
    assert len(later) == 2
    assert not any(" with " in sentence for sentence in later), "each card must be described only once"
    captions = [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]
    assert describe(node, script, "caption_spoken") == captions


def test_screen_readers_get_the_description_as_plain_text(node: Node, server: ShowServer, open_page: Opener) -> None:
    script = play_showdown().chat((1, PAYLOADS[0]), (2, PAYLOADS[1]))
    aired_count = 20
    air = server.channel("described", script.entries[:aired_count])
    page = open_page("watch?channel=described&voice=describe")
    log = page.get_by_role("log", name="What is seen")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.locator("p").first).to_have_text("Game 1 of up to 15, Hand 1 of 6, Blinds 50/100.")
    assert page.locator(".spoken").first.get_attribute("aria-live") == "off", "captions must not be read twice"
    server.put(air, script.entries[aired_count:])
    expect(log.locator("p")).to_have_text(describe(node, script)[-12:])
    assert log.locator("p *").count() == 0


_STORED_NAMES = "() => JSON.parse(localStorage.getItem('highnoon:followed') ?? '[]')"
# Follows one bot after another in a browser that stores nothing. Returns the names that the page then remembers.
_FOLLOW = """async (names, load) => {
  globalThis.addEventListener ??= () => {};
  const { FollowedBots } = await load("/static/js/common/followed.js");
  const followed = new FollowedBots(() => {});
  for (const name of names) followed.toggle(name);
  return followed.names;
}"""
# Makes a link to each bot. Returns the bots' names, as read from the links' addresses.
_NAMES_IN_LINKS = """async (names, load) => {
  const { linkToBot } = await load("/static/js/common/followed.js");
  return names.map((name) => {
    let address = new URL("http://127.0.0.1/");
    linkToBot({ getAttribute: () => null, setAttribute: (_, set) => { address = new URL(set, address); } }, name);
    return address.searchParams.get("bot") ?? decodeURIComponent(address.pathname.replace("/bots/", ""));
  });
}"""


def find_star(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=f"Follow {name}", exact=True)


def list_followed(page: Page) -> list[str]:
    return page.locator("li[data-followed] :is(.standing__name, .seatline__name)").all_text_contents()


def test_star_marks_a_bot_in_all_lists_and_tabs_and_on_later_visits(server: ShowServer, open_page: Opener) -> None:
    server.channel("star", Script().connect().stage().game(stacks=UNEVEN_STACKS).hand("call raise:300").entries)
    front = open_page("?channel=star")
    watch = open_page("watch?channel=star", front)
    expect(find_star(watch, NAMES[2])).to_have_attribute("aria-pressed", "false")
    find_star(front, NAMES[2]).click()
    for page in (front, watch):
        expect(find_star(page, NAMES[2])).to_have_attribute("aria-pressed", "true")
        assert {*list_followed(page)} == {NAMES[2]}
    assert front.evaluate(_STORED_NAMES) == [NAMES[2]]
    front.reload()
    expect(find_star(front, NAMES[2])).to_have_attribute("aria-pressed", "true")
    assert list_followed(front) == [NAMES[2]]
    find_star(watch, NAMES[2]).focus()
    watch.keyboard.press("Space")
    expect(front.locator("li[data-followed]")).to_have_count(0)
    assert watch.evaluate("() => window.highnoon.head.playing"), "a key pressed on the star must not pause the show"
    assert front.evaluate(_STORED_NAMES) == []


def test_page_remembers_the_last_fifty_followed_bots(node: Node) -> None:
    names = [f"Bot {number}" for number in range(60)]
    assert node.evaluate(_FOLLOW, names) == names[10:]


def test_link_to_a_bot_works_with_any_name(node: Node) -> None:
    names = ["Ann", "#1?", "50 %", "a/b", "..", ".", "德州 & Söhne"]
    assert node.evaluate(_NAMES_IN_LINKS, names) == names


def test_news_on_a_phone_covers_nothing_and_moves_nothing(server: ShowServer, open_page: Opener) -> None:
    script = Script().connect().stage()
    air = server.channel("line", script.entries)
    follow = f"localStorage.setItem('highnoon:followed', JSON.stringify({[NAMES[1]]}))"
    front = open_page("?channel=line", script=follow, **PHONE)
    watch = open_page("watch?channel=line", front)
    find_star(front, NAMES[1]).wait_for()
    watch.wait_for_function(READY)
    boxes = {front: "#picture", watch: "#screen"}
    boxes_before = {page: page.locator(box).bounding_box() for page, box in boxes.items()}
    entry_count = len(script.entries)
    server.put(air, script.game().entries[entry_count:])
    for page, box in boxes.items():
        expect(page.locator("#told")).not_to_have_text("")
        news_box, picture_box = page.locator("#told").bounding_box(), page.locator(box).bounding_box()
        assert picture_box == boxes_before[page]
        assert news_box
        assert picture_box
        assert 0 < news_box["height"] <= picture_box["y"] - news_box["y"]
