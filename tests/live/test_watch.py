"""The watch page in a real browser: live, back to any moment of the show, and forward to live again."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, ConsoleMessage, expect

from broadcast.live.channel import BLOCK
from broadcast.on_air.events import OnAirEntry
from server.game.events import GameStarted, HandStarted
from tests.overlay.support.compare_pictures import same_picture
from tests.overlay.support.screen import SETTLED, Screen, png_of
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS
from tests.support.reused_pages import ReusedPages

STILL = "motion=off&still"
MOMENTS = 3
SIZE = {"width": 1920, "height": 1080}
_READY = "() => document.body?.dataset.ready === 'yes'"
_AT_REST = "() => !document.body.dataset.moving"
_AT = "(seq) => window.highnoon.state().seq === seq"
_STATE = "() => window.highnoon.state()"
_HANDS = "() => window.highnoon.film.outline.hands"
_FOLLOWING = "() => window.highnoon.head.following"
_DROPPED = "() => window.highnoon.film.drop()"
# The connection seems open, as on a phone that has slept: nothing arrives any more, and nothing says so.
_AWAKE = "() => dispatchEvent(new Event('online'))"
# The picture alone, as large as the window, as on the pages of the show.
_ALONE = """() => new Promise((done) => {
  const screen = document.getElementById("screen");
  Object.assign(screen.style, { position: "fixed", inset: "0", zIndex: "9", borderRadius: "0" });
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


class Spectator:
    """Somebody who watches a channel."""

    def __init__(self, shows: ShowServer, pages: ReusedPages, channel: str, query: str = "", **context: Any) -> None:
        self.shows = shows
        self.errors: list[str] = []
        looks: dict[str, Any] = {"viewport": {"width": 640, "height": 480}, **context}
        self.page = pages.open(**looks, console=self._console, pageerror=lambda each: self.errors.append(str(each)))
        self.page.goto(f"{shows.address}/watch?channel={channel}&debug&motion=off&{query}")

    def _console(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.errors.append(said.text)

    def ready(self) -> "Spectator":
        """Waits until there is a picture."""
        self.wait(_READY)
        return self

    def wait(self, condition: str, arg: Any = None) -> None:
        self.page.wait_for_function(condition, arg=arg, timeout=PATIENCE_MS)

    def press(self, *keys: str) -> None:
        """Presses keys, each after the page has finished with the one before."""
        for key in keys:
            self.page.keyboard.press(key)
            self.wait(_AT_REST)

    @property
    def state(self) -> Any:
        return self.page.evaluate(_STATE)

    @property
    def following(self) -> bool:
        return bool(self.page.evaluate(_FOLLOWING))

    @property
    def position(self) -> list[int]:
        position: list[int] = self.page.evaluate("() => Object.values(window.highnoon.head.place)")
        return position


Watch = Callable[..., Spectator]


@pytest.fixture
def watch(shows: ShowServer, reused_pages: ReusedPages) -> Iterator[Watch]:
    """Opens the page of a channel; no page may report errors."""
    opened: list[Spectator] = []

    def open_(channel: str, query: str = "", **context: Any) -> Spectator:
        opened.append(Spectator(shows, reused_pages, channel, query, **context))
        return opened[-1]

    yield open_
    reused_pages.leave()
    assert not [complaint for each in opened for complaint in each.errors]


def test_rewound_page_shows_what_the_live_overlay_showed(
    shows: ShowServer, browser: Browser, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    dice = random.Random(6)
    standings = [entry.seq - 1 for entry in on_air if isinstance(entry.event, GameStarted)][1]
    moments = sorted({standings, *dice.sample(range(2, len(on_air)), MOMENTS)})
    live = Screen(shows, browser, "rewind", STILL, page="projector", width=SIZE["width"], height=SIZE["height"])
    kept: dict[int, tuple[Any, bytes]] = {}
    shown = 0
    for seq in moments:
        live.put(on_air[shown:seq])
        shown = seq
        live.settle()
        kept[seq] = (live.state(), live.picture())
    live.put(on_air[shown:])
    live.close()
    again = watch("rewind", STILL, viewport=SIZE).ready()
    again.page.evaluate(_ALONE)
    for seq in dice.sample(moments, len(moments)):
        again.page.evaluate("(seq) => window.highnoon.head.seek(seq).then(() => window.highnoon.head.pause())", seq)
        again.page.evaluate(SETTLED)
        state, picture = kept[seq]
        assert again.state == state
        assert same_picture(picture, png_of(again.page)), on_air[seq - 1]


def test_live_page_shows_each_entry_as_soon_as_it_is_on_air(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("live", on_air[:100])
    seat = watch("live").ready()
    assert (seat.state["seq"], seat.following) == (100, True)
    expect(seat.page.locator("#live")).to_have_attribute("aria-pressed", "true")
    shown = 100
    for seq in (101, 130, 131, 300):  # over the ends of hands, too
        shows.put(air, on_air[shown:seq])
        shown = seq
        seat.wait(_AT, seq)
        assert seat.following
        assert seat.page.evaluate("() => window.highnoon.film.outline.entries") == seq
    seat.wait("() => !location.search.includes('hand=')")  # who comes by this address comes live


def test_page_can_be_paused_and_moved_while_the_show_goes_on(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("back", on_air[:350])
    seat = watch("back").ready()
    seat.press("Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "ArrowRight")
    position, stood = seat.position, seat.state
    assert 0 < stood["seq"] < 300
    assert not seat.following
    shows.put(air, on_air[350:380])
    seat.wait("() => window.highnoon.film.outline.entries === 380")
    assert (seat.position, seat.state) == (position, stood)
    expect(seat.page.locator("#live")).to_contain_text("behind")
    assert seat.page.locator("#transcript li:visible").count() > 0
    seat.press("Home")
    assert seat.state["seq"] == 1
    seat.wait("() => location.search.includes('hand=0&step=0')")
    seat.page.locator("#live").click()
    seat.wait(_AT, 380)
    assert seat.following


def test_address_with_a_hand_opens_it_and_catches_up_at_eight_times_the_speed(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    shows.channel("late", on_air[:250])
    hand = sum(type(entry.event).__name__ == "HandStarted" for entry in on_air[:250])
    seat = watch("late", f"hand={hand}&step=2").ready()
    assert seat.position == [hand, 2]
    assert not seat.following
    seat.press("6")
    assert seat.page.evaluate("() => window.highnoon.head.pace") == 8
    seat.page.keyboard.press("Space")
    seat.wait(_FOLLOWING)
    assert (seat.state["seq"], seat.page.evaluate("() => window.highnoon.head.pace")) == (250, 1)
    expect(seat.page.locator('[data-speed="1"]')).to_have_attribute("aria-pressed", "true")
    seat.press("5")
    assert seat.page.evaluate("() => window.highnoon.head.pace") == 1, "nobody is faster than the show"


def test_nothing_is_missing_after_a_lost_connection(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("lost", on_air[:150])
    seat = watch("lost").ready()
    seat.page.context.set_offline(True)
    seat.page.evaluate("() => window.highnoon.film.drop()")
    expect(seat.page.locator("#live")).to_have_text("Connecting")
    shows.put(air, on_air[150:330])
    seat.page.context.set_offline(False)
    seat.wait(_AT, 330)
    assert all("ERR_INTERNET_DISCONNECTED" in said for said in seat.errors)
    seat.errors.clear()
    expect(seat.page.locator("#live")).not_to_have_text("Connecting")
    numbers = seat.page.evaluate(
        """async () => {
          const { film } = window.highnoon;
          const all = await Promise.all(film.outline.hands.map((_, n) => film.segment(n)));
          return all.flatMap(({ entries }) => entries.map(({ seq }) => seq));
        }"""
    )
    assert numbers == list(range(1, 331))


def test_viewer_catching_up_while_reconnecting_reaches_live(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("healing", on_air[:150])
    seat = watch("healing").ready()
    seat.press("Shift+ArrowLeft", "Space")
    seat.wait("() => !window.highnoon.head.playing")
    seat.page.evaluate("() => { window.highnoon.head.follow(); window.highnoon.head.renew(false); }")
    seat.wait(_FOLLOWING)
    shows.put(air, on_air[150:160])
    seat.wait(_AT, 160)


@pytest.mark.parametrize(("live", "broken"), [(True, _DROPPED), (False, _DROPPED), (True, _AWAKE)])
def test_viewers_keep_their_position_after_a_restart_of_the_studio(
    live: bool, broken: str, shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    name = f"restart-{live}-{len(broken)}"
    former = shows.channel(name, on_air[:200])
    seat = watch(name).ready()
    if not live:
        seat.press("Shift+ArrowLeft", "Space")
    position = seat.position
    shows.close(former)
    new = shows.channel(name, on_air[:220])
    assert new.epoch != former.epoch
    seat.page.evaluate(broken)
    seat.wait("() => window.highnoon.film.outline.entries === 220")
    seat.wait(_AT_REST)
    assert seat.following is live
    assert (seat.state["seq"] == 220) if live else (seat.position == position)
    shows.put(new, on_air[220:240])
    seat.wait("() => window.highnoon.film.outline.entries === 240")
    seat.press("End")
    seat.wait(_AT, 240)


def test_viewer_away_too_long_gets_the_picture_and_all_hands(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("away", on_air[:150])
    seat = watch("away").ready()
    shows.forget(air)
    seat.page.evaluate("() => window.highnoon.film.drop()")
    shows.put(air, on_air[150:330])
    seat.wait(_AT, 330)
    assert seat.following
    assert [hand["seq"] for hand in seat.page.evaluate(_HANDS)] == [
        1,
        *(entry.seq for entry in on_air[:330] if type(entry.event).__name__ == "HandStarted"),
    ]


def test_late_viewer_has_every_hand_and_can_go_back_to_the_first(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air, hands = shows.channel("evening"), sum(isinstance(entry.event, HandStarted) for entry in on_air)
    for _ in range(2 * BLOCK // hands + 1):
        shows.put(air, on_air)
    late = watch("evening").ready()
    pots = late.page.evaluate(f"({_HANDS})().map(({{ seq, pot }}) => [seq, pot > 0])")
    assert len(pots) == (2 * BLOCK // hands + 1) * hands + 1
    assert [seq for seq, _ in pots] == sorted({seq for seq, _ in pots})
    assert all(has_pot for _, has_pot in pots[1:])
    late.press("Home")
    assert late.position[0] == 0


def test_channel_that_forgot_its_first_hands_begins_with_the_first_kept(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    shows.channel("few", on_air, kept_bytes=10_000)
    seat = watch("few", "hand=1&step=3").ready()
    first = seat.page.evaluate("() => window.highnoon.film.first")
    hands = seat.page.evaluate(_HANDS)
    assert 1 < first < len(hands) - 1
    assert seat.position[0] == first
    seat.press("Home")
    assert (seat.state["seq"], seat.position) == (hands[first]["seq"], [first, 0])
    seat.press("Shift+ArrowLeft", "ArrowLeft")
    assert seat.position == [first, 0]
    expect(seat.page.locator("#at")).to_have_attribute("min", str(hands[first]["at_ms"]))
    seat.press("Shift+ArrowRight")
    assert seat.position == [first + 1, 0]


def test_page_of_a_channel_not_open_yet_comes_on_by_itself(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    seat = watch("to-come")
    expect(seat.page.locator("#word")).to_have_text("The show comes on here.")
    shows.channel("to-come", on_air[:120])
    seat.ready()
    assert (seat.state["seq"], seat.following) == (120, True)


def test_season_page_waits_between_games_and_is_over_after_the_last(
    shows: ShowServer, on_air: Sequence[OnAirEntry], watch: Watch
) -> None:
    air = shows.channel("season", [*on_air[:-1], replace(on_air[-1], hold_ms=0)])
    live = shows.studio.live("season")
    live.goes_on = True
    assert not live.is_over()
    seat = watch("season").ready()
    assert seat.state["scene"] == "champion"
    expect(seat.page.locator("#live")).to_have_text("Waiting")
    live.goes_on = False
    shows.put(air, on_air)
    seat.wait(_AT, 2 * len(on_air))
    expect(seat.page.locator("#live")).to_have_text("Over")
    assert live.is_over()
