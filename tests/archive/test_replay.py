"""The replay page works by keyboard or touch alone. Each moment of a replay has an address. `/verify` checks files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from broadcast.commentary.thought_excerpt import MAX_CHARACTERS
from server.game.events import Event, HandEnded, NoteGiven
from server.journal.journal import Entry
from tests.archive.conftest import serving_archive
from tests.support.games.recordings import small_contest, with_names, write
from tests.support.programs.in_node import Node

# Starts a jump to an entry of a film (a recorded show), and a second jump while the first entry's hand still loads.
# Returns whether each jump succeeded, and the number of the entry that is shown in the end.
_TWO_JUMPS = """async ([first, second], load) => {
  const { Playhead } = await load("/static/js/replay/film/playhead.js");
  const { initialState } = await load("/static/js/overlay/reducer-state.js");
  const entries = [1, 2, 3, 4].map((seq) => ({ seq, at_ms: 1000 * seq, hold_ms: 0, type: "bot_connected", bot: 1 }));
  const loaded = [];
  const film = {
    live: false, first: 0, end: 5000, speed: 1, outline: { entries: 4, hands: [{ seq: 1 }, { seq: 3 }] },
    handOf: (seq) => (seq < 3 ? 0 : 1), prefetch: () => {},
    segment: (n) => new Promise((done) => {
      const first_seq = 2 * n + 1;
      loaded[n] = () => done({ n, first_seq, opening: initialState(), entries: entries.slice(2 * n, 2 * n + 2) });
    }),
  };
  const head = new Playhead(film, () => {}, () => {});
  const jumps = [head.seek(first), head.seek(second)];
  loaded[1]();
  await jumps[1];
  loaded[0]();
  return [await Promise.all(jumps), head.state.seq];
}"""
READY = "() => document.body?.dataset.ready === 'yes'"
# Jumps to points of a film. `fractions` gives each point as a fraction of the film's entries. For each
# point, returns the state that the page shows, and the state computed from all entries up to that point. Also returns
# the number of entries according to the film's outline, and the actual numbers of entries and segments.
_REDUCED_STATES = """async (fractions) => {
  const { reduce } = await import("/static/js/overlay/reducer.js");
  const { initialState } = await import("/static/js/overlay/reducer-state.js");
  const { film, head } = window.highnoon;
  const segments = await Promise.all(film.outline.hands.map((_, number) => film.segment(number)));
  const entries = segments.flatMap((segment) => segment.entries);
  const states = [];
  for (const fraction of fractions) {
    const seq = Math.max(1, Math.round(fraction * entries.length));
    await head.seek(seq);
    const reduced = entries.slice(0, seq).reduce((state, entry) => reduce(state, entry), initialState());
    states.push([window.highnoon.state(), reduced].map((state) => JSON.parse(JSON.stringify(state))));
  }
  return [states, film.outline.entries, entries.length, segments.length];
}"""


class Visitor:
    """A visitor of the replay page. `complaints` lists exceptions on the page, and errors in the browser's console."""

    def __init__(self, web: httpx.Client, browser: Browser, *, phone: bool = False) -> None:
        self.web = web
        self.complaints: list[str] = []
        viewport: ViewportSize = {"width": 390, "height": 844} if phone else {"width": 1920, "height": 1080}
        self.context = browser.new_context(viewport=viewport, has_touch=phone, is_mobile=phone)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, query: str = "") -> None:
        self.page.goto(str(self.web.base_url.join(f"/replay/one?debug&motion=off&{query}")))
        self.page.wait_for_function(READY)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_function("() => !document.body.dataset.moving")

    def touch(self, *paths: tuple[tuple[float, float], tuple[float, float]]) -> None:
        """Moves one finger along each path. All fingers move at the same time."""
        session = self.context.new_cdp_session(self.page)
        for kind, fraction in (
            ("touchStart", 0.0),
            *(("touchMove", step / 4) for step in range(1, 5)),
            ("touchEnd", 1.0),
        ):
            points = [
                {"x": x + (to_x - x) * fraction, "y": y + (to_y - y) * fraction, "id": number}
                for number, ((x, y), (to_x, to_y)) in enumerate(paths if kind != "touchEnd" else ())
            ]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        session.detach()
        self.page.wait_for_function("() => !document.body.dataset.moving")

    @property
    def moment(self) -> tuple[int, int]:
        position = self.page.evaluate("() => window.highnoon.head.place")
        return position["hand"], position["step"]

    @property
    def state(self) -> Any:
        return self.page.evaluate("() => window.highnoon.state()")


@pytest.fixture(scope="module")
def shared_visitor(web: httpx.Client, browser: Browser) -> Visitor:
    return Visitor(web, browser)


@pytest.fixture
def visitor(shared_visitor: Visitor) -> Iterator[Visitor]:
    """The visitor that most tests of this file share. Each test begins at the start of the first hand."""
    shared_visitor.open("hand=1&step=0")
    yield shared_visitor
    assert not shared_visitor.complaints


def test_second_of_two_quick_jumps_decides_what_is_shown(node: Node) -> None:
    assert node.evaluate(_TWO_JUMPS, [2, 4]) == [[False, True], 4]


def test_any_moment_shows_the_state_after_all_earlier_entries(visitor: Visitor) -> None:
    fractions = [0.98, 0.01, 0.5, 0.51, 0.49, 1.0, 0.0, 0.77, 0.2, 0.9, 0.33, 0.34, 0.62, 0.61]
    states, outline_entries, entries, segments = visitor.page.evaluate(_REDUCED_STATES, fractions)
    assert [shown_state["seq"] for shown_state, reduced_state in states if shown_state != reduced_state] == []
    assert (len(states), entries, segments > 5) == (len(fractions), outline_entries, True)
    assert entries > 500


def test_whole_page_works_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.page
    assert (visitor.moment, visitor.state["hand"]["hand"]) == ((1, 0), 1)
    visitor.press("ArrowRight", "l")
    assert visitor.state["seats"][0]["cards"]  # step 1 shows the blinds, and step 2 shows all hole cards
    later_moment = visitor.moment
    visitor.press("j", "ArrowLeft", "L", "Shift+ArrowRight")
    assert visitor.moment == (2, 0)
    visitor.press("Shift+ArrowLeft", "l", "l")
    assert visitor.moment == later_moment
    visitor.press("Shift+ArrowLeft")
    assert visitor.moment == (1, 0)
    visitor.press("e")
    assert (visitor.state["scene"], visitor.state["duel"]["place"]) == ("duel", 8)
    elimination = visitor.moment
    visitor.press("e")
    assert visitor.moment > elimination
    visitor.press("q")
    assert visitor.moment == elimination
    visitor.press("Home")
    assert (visitor.state["seq"], visitor.moment) == (1, (0, 0))
    visitor.press("n")
    hand = page.evaluate("() => window.highnoon.film.outline.hands.findIndex((hand) => hand.marks.length > 0)")
    assert visitor.moment == (hand, 0)
    visitor.press("End")
    assert visitor.state["scene"] == "champion"
    for key, speed in (("1", 0.25), ("4", 2), ("6", 8), ("3", 1)):
        visitor.press(key)
        assert page.evaluate("() => window.highnoon.head.pace") == speed
        expect(page.locator(f'[data-speed="{speed:g}"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()
    page.keyboard.press("ArrowLeft")  # keys are ignored while the list of keys is open
    page.keyboard.press("Escape")
    expect(page.locator("dialog#keys")).to_be_hidden()
    assert visitor.state["scene"] == "champion"
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement?.id === 'player'")
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    page.keyboard.press("m")
    expect(page.locator("#sound")).to_have_text("Sound on")
    page.keyboard.press("m")
    expect(page.locator("#sound")).to_have_text("Sound off")


def test_replay_plays_pauses_and_continues_into_the_next_hand(visitor: Visitor) -> None:
    page = visitor.page
    visitor.press("6")
    page.evaluate("() => window.highnoon.head.seek(window.highnoon.film.outline.hands[5].seq - 3)")
    page.keyboard.press("Space")
    page.wait_for_function("() => window.highnoon.state().seq > window.highnoon.film.outline.hands[5].seq + 5")
    page.keyboard.press("k")
    paused_at = visitor.state["seq"]
    assert not page.evaluate("() => window.highnoon.head.playing")
    expect(page.locator("#play")).to_have_text("Play")
    assert visitor.state["seq"] == paused_at
    page.evaluate("() => window.highnoon.head.seek(window.highnoon.film.outline.entries - 2)")
    page.keyboard.press("k")
    page.wait_for_function("() => window.highnoon.state().scene === 'champion'")
    page.wait_for_function("() => !window.highnoon.head.playing")


def test_address_leads_back_to_the_exact_moment(visitor: Visitor) -> None:
    page = visitor.page
    visitor.press("Shift+ArrowRight", "l", "l", "l", "l", "l")
    shows_moment = "([hand, step]) => location.search.includes(`hand=${hand}&step=${step}`)"
    page.wait_for_function(shows_moment, arg=visitor.moment)
    state = visitor.state
    page.goto(page.url)
    page.wait_for_function(READY)
    assert visitor.state == state
    last = page.evaluate("() => window.highnoon.film.outline.hands.length - 1")
    visitor.open(f"hand={last}&step=999999")
    assert visitor.state["scene"] == "champion"
    assert page.title().endswith(f", hand {last}: replay")
    visitor.open("hand=999&step=3")
    assert visitor.state["seq"] == 1
    expect(page.locator("#notice")).to_have_text(f"There is no hand 999 in this recording: its hands are 1 to {last}.")
    assert ", hand " not in page.title()
    visitor.open("hand=x&step=-1")
    assert visitor.state["seq"] == 1


def test_text_beside_the_picture_reveals_nothing_that_happens_later(visitor: Visitor) -> None:
    visitor.press("l", "l", "l")
    lines = visitor.page.locator("#transcript li")
    expect(visitor.page.locator("#transcript li[data-now]")).to_be_visible()
    visible_lines = [line for line in lines.all() if line.is_visible()]
    assert 0 < len(visible_lines) < lines.count()
    expect(visitor.page.locator("#transcript li[data-now]")).to_have_text(visitor.state["caption"])
    visitor.page.locator("#transcript li:visible button").first.click()
    expect(visitor.page.locator("#transcript li:visible")).to_have_count(1)


def test_whole_page_works_by_touch_alone(web: httpx.Client, browser: Browser) -> None:
    visitor = Visitor(web, browser, phone=True)
    visitor.open("hand=2&step=0")
    page = visitor.page
    left, right = (60.0, 300.0), (330.0, 310.0)
    visitor.touch((right, left))
    assert visitor.moment == (3, 0)
    visitor.touch((left, right))
    assert visitor.moment == (2, 0)
    for edge, inwards in ((4.0, right), (386.0, left)):
        visitor.touch(((edge, 300.0), inwards))
        assert visitor.moment == (2, 0), "a swipe from the edge of the screen must be left to the phone"
    visitor.touch(((200.0, 500.0), (210.0, 200.0)))
    assert visitor.moment == (2, 0), "a vertical swipe must only scroll the page"
    page.evaluate("() => scrollTo(0, 0)")
    visitor.touch((left, (50.0, 180.0)), (right, (340.0, 420.0)))
    assert visitor.moment == (2, 0), "a touch with two fingers must only zoom the page"
    assert page.evaluate("() => visualViewport.scale") > 1
    visitor.open("hand=2&step=0")
    page.touchscreen.tap(*left)
    page.wait_for_function("() => window.highnoon.head.playing")
    page.touchscreen.tap(*left)
    page.wait_for_function("() => !window.highnoon.head.playing")
    slider = page.locator("#at").bounding_box()
    assert slider is not None
    middle = slider["y"] + slider["height"] / 2
    thumb = slider["x"] + 22 + (slider["width"] - 44) * page.evaluate("() => at.value / at.max")
    visitor.touch(((thumb, middle), (slider["x"] + slider["width"] - 2, middle)))
    assert visitor.state["scene"] == "champion"
    for button in ("hand-back", "out-back", "back", "hand-on"):  # "out" stands for eliminations
        moment = visitor.moment
        page.locator(f"#{button}").tap()
        page.wait_for_function("() => !document.body.dataset.moving")
        assert (visitor.moment < moment) == (button != "hand-on"), button
    page.locator("#transcript li:visible button").first.tap()
    expect(page.locator("#transcript li:visible")).to_have_count(1)
    visitor.context.close()
    assert not visitor.complaints


NOTE = "<b>I had</b> to see it"
REMAINDER = ", and that is all there is to say." * 10
NOTE_SELECTOR = "#transcript .transcript__note"
_SEEK_THE_END = """async () => {
  const { film, head } = window.highnoon;
  const ended = (await film.segment(1)).entries.findLast(({ type }) => type === "hand_ended");
  await head.seek(ended.seq - 1);
}"""


def test_whole_notes_appear_beside_their_actions_when_the_hand_is_over(browser: Browser, tmp_path: Path) -> None:
    events = list[Event]()
    for entry in small_contest():
        events.append(entry.event)
        if isinstance(entry.event, HandEnded):
            events += [NoteGiven(1, action, f"{NOTE}, {action}", f"{NOTE}, {action}{REMAINDER}") for action in (1, 2)]
    contest = [Entry(number, 0, event) for number, event in enumerate(events, 1)]
    write(tmp_path / "recordings" / "one.jsonl", contest)
    with serving_archive(tmp_path / "recordings", tmp_path / "media", "one") as web:
        visitor = Visitor(web, browser, phone=True)
        visitor.open("hand=1&step=0")
        expect(visitor.page.locator(NOTE_SELECTOR)).to_have_count(2)
        visitor.page.evaluate(_SEEK_THE_END)
        excerpts = [note.inner_text() for note in visitor.page.locator(NOTE_SELECTOR).all() if note.is_visible()]
        assert all(len(text) <= MAX_CHARACTERS for text in excerpts), "during the hand, only excerpts may be shown"
        visitor.page.evaluate("() => window.highnoon.head.seek(window.highnoon.film.outline.hands[2].seq - 1)")
        first = visitor.page.locator("#transcript li:has(.transcript__note)").first
        expect(first.locator(".transcript__note")).to_have_text(f"{NOTE}, 1{REMAINDER}")
        assert visitor.page.locator(f"{NOTE_SELECTOR} b").count() == 0, "a note must be plain text"
        assert first.locator("button").count() == 1, "the note must be beside its action"
        assert not visitor.complaints
        visitor.context.close()


def test_recording_and_file_are_proved_without_an_upload(web: httpx.Client, browser: Browser, tmp_path: Path) -> None:
    page, requests = browser.new_page(), list[Request]()
    page.on("request", lambda request: requests.extend([request]))
    page.goto(str(web.base_url.join("/recordings/one")))
    page.get_by_role("link", name="Prove it yourself").click()
    expect(page.locator(".stamp")).to_have_text("Cards proved")
    explanation = page.get_by_text("a Fisher-Yates shuffle")
    expect(explanation).to_be_hidden()
    page.get_by_text("decks: each was sealed before its hand").click()
    expect(explanation).to_be_visible()
    page.goto(str(web.base_url.join("/verify")))
    path = write(tmp_path / "whole.jsonl", with_names(small_contest(), '<img src=x onerror="document.title=1">'))
    page.set_input_files("#file", path)
    expect(page.locator(".stamp")).to_have_text("Cards proved")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    page.set_input_files("#file", path)
    expect(page.locator(".stamp")).to_have_text("Cards proved in part")
    path.write_bytes(content.replace(b'"act":"call"', b'"act":"fold"', 1))
    page.set_input_files("#file", path)
    expect(page.locator(".stamp")).to_have_text("Refuted")
    expect(page.locator(".fault")).to_contain_text("the checksum does not match")
    assert not [request for request in requests if request.method != "GET" or request.post_data]
    assert page.locator("main img").count() == 0
    assert page.title() == "High Noon: prove a recording yourself"
    page.close()
