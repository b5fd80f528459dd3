"""A page that is live, reloaded, cut off or late always shows what is on air, and animates only what is live."""

import asyncio
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest
from msgspec import to_builtins

from broadcast.film.film import run_show
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry, PaceChanged, StakesShown
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_speech import reading_ms
from broadcast.on_air.picture_state import Chat, Seat, State
from server.game.events import ChatSent, HoleDealt, PotAwarded
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.lively_show import lively_entries
from tests.overlay.support.scenes import SCENES, short_contest, tess_wins
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script
from tests.support.in_node import Node

# When each running motion ends, in ms. Not the fuse, which burns as long as its bot may think, and not what the style
# sheets animate, such as a caption that fades in: that shows the newest state.
_MOTIONS = """() => document.getAnimations()
  .filter((motion) => motion.constructor === Animation && !motion.effect.target.closest(".fuse"))
  .map((motion) => motion.effect.getComputedTiming().endTime)"""

# The same once the page has drawn what came: motions begin with the frame that draws it. Then everything stops.
_BEGUN = f"""async () => {{
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const ends = ({_MOTIONS})();
  for (const motion of document.getAnimations()) motion.cancel();
  return ends;
}}"""

_STACKS_READ = """(stacks) => {
  const read = [...document.querySelectorAll(".poster__stack")].map((node) => node.textContent);
  return read.join() === stacks.join();
}"""


@pytest.fixture
def played() -> Script:
    """A hand with an all-in, a run-out and two pots, at the pace of a show."""
    return tess_wins(speed=1).eliminate(1, 12).end_game()


def moments(script: Script) -> Iterator[list[OnAirEntry]]:
    """The entries of a show, each event with its commentary of the same moment."""
    for _, together in groupby(script.entries, key=lambda entry: entry.at_ms):
        yield list(together)


# What the page shows at the moment it reports its first picture, recorded by the page itself.
_AT_FIRST = """() => new PerformanceObserver((list) => {
  if (!list.getEntriesByName("highnoon:mounted").length) return;
  const written = (name) => [...document.querySelectorAll(name)].map((node) => node.textContent.replaceAll(" ", ""));
  window.atFirst ??= { names: written(".poster__name"), stacks: written(".poster__stack"), seq: highnoon.state().seq };
}).observe({ type: "mark", buffered: true })"""


def test_first_picture_of_a_table_is_complete(open_screen: OpenScreen) -> None:
    screen = open_screen(fresh=True)
    screen.shows.recall(screen.air, SCENES["final_hand"]().entries)  # so many that they come in one message
    screen.page.add_init_script(f"({_AT_FIRST})()")
    screen.page.reload()
    screen.wait("() => window.atFirst")
    first, state = screen.page.evaluate("() => window.atFirst"), screen.state()
    assert first["seq"] == state["seq"] == screen.air.last
    assert first["names"] == [state["bots"][str(seat["bot"])]["name"].replace(" ", "") for seat in state["seats"]]
    assert first["stacks"] == [f"{seat['stack']:,}" for seat in state["seats"]]


def test_dropped_socket_is_caught_up_without_a_gap(open_screen: OpenScreen) -> None:
    screen = open_screen()
    entries = short_contest().entries
    for at in range(0, 600, 60):
        screen.shows.put(screen.air, entries[at : at + 30])
        screen.page.evaluate("() => window.highnoon.drop()")
        screen.shows.put(screen.air, entries[at + 30 : at + 60])
    screen.catch_up()
    assert screen.state() == screen.studio_state()


def test_new_show_on_the_channel_starts_from_nothing(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.show(SCENES["champion"]())
    screen.air = screen.shows.channel(screen.channel, SCENES["dealt"]().entries)
    screen.page.evaluate("() => window.highnoon.drop()")
    screen.catch_up()
    assert screen.state() == screen.studio_state()


def test_catching_up_is_silent_and_still(open_screen: OpenScreen, played: Script) -> None:
    screen = open_screen()
    screen.recall(played.entries[:-9])
    screen.page.reload()
    screen.catch_up()
    screen.settle()
    assert screen.page.evaluate(_MOTIONS) == []


def test_every_motion_fits_into_the_hold_of_its_entry(open_screen: OpenScreen, played: Script) -> None:
    screen = open_screen()
    moved = set()
    for moment in moments(played):
        screen.put(moment)
        ends: list[float] = screen.page.evaluate(_BEGUN)
        assert max(ends, default=0) <= max(moment[0].hold_ms, 1), type(moment[0].event).__name__
        if ends:
            moved.add(type(moment[0].event).__name__)
    assert moved >= {"HoleDealt", "ActionTaken", "BlindPosted", "BetsCollected", "StreetDealt", "PotAwarded"}


def test_reduced_motion_gives_the_same_picture(open_screen: OpenScreen, played: Script) -> None:
    """tests/overlay/test_continuity.py tests a page whose motion is off."""
    screen = open_screen("motion=reduced")
    for moment in moments(played):
        screen.put(moment)
    assert screen.page.evaluate("() => document.querySelectorAll('.particles, .flight').length") == 0
    screen.settle()
    assert screen.state() == screen.studio_state()


def test_at_full_speed_nothing_moves_and_nothing_is_missed(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.put(short_contest().entries)
    screen.settle()
    assert screen.page.evaluate(_MOTIONS) == []
    assert screen.state() == screen.studio_state()


def test_rolling_numbers_end_at_the_state(open_screen: OpenScreen, played: Script) -> None:
    screen = open_screen()
    awarded = next(at for at, entry in enumerate(played.entries) if isinstance(entry.event, PotAwarded))
    screen.put(played.entries[:awarded])
    screen.wait("() => document.querySelector('.pot__number')?.textContent === '9,160'")
    stacks = [f"{seat['stack']:,}" for seat in screen.state()["seats"]]
    screen.wait(_STACKS_READ, stacks)


SPEAKERS = "async (chat, load) => (await load('/static/js/overlay/reducer-speech.js')).speechAt(...chat)"


@pytest.mark.parametrize(("words", "ms"), [(1, 2500), (4, 2500), (5, 2875), (12, 5500), (16, 7000), (40, 7000)])
def test_line_of_chat_stays_for_a_second_and_375_ms_a_word(words: int, ms: int, node: Node) -> None:
    text = " ".join(["word"] * words)
    reading = "async (text, load) => (await load('/static/js/overlay/reducer-speech.js')).readingTime(text)"
    assert node.evaluate(reading, text) == reading_ms(text) == ms


def test_bots_speak_one_at_a_time_in_order_and_late_lines_are_dropped(node: Node) -> None:
    state = State(seats=tuple(Seat(bot, 100) for bot in (1, 2, 3, 4)))
    for seq, bot in enumerate((1, 2, 1, 12, 3, 4)):
        state = reduce(state, seq, 0, 0, ChatSent(bot, "five words and no more"))
    heard = [node.evaluate(SPEAKERS, [to_builtins(state.chat), ms])["line"] for ms in (0, 2800, 2900, 5700, 5800, 9000)]
    assert [line and line["bot"] for line in heard] == [1, 1, 2, 2, None, None]


def test_line_yields_to_what_is_at_stake_and_returns_unless_half_was_seen() -> None:
    lines = []
    for ms in (500, 2000):
        state = State(seats=(Seat(1, 100),))
        state = reduce(state, 1, 0, 0, ChatSent(1, "five words and no more"))
        state = reduce(state, 2, ms, 2600, StakesShown(0, ()))
        lines.append([(line.from_ms, line.to_ms) for line in state.chat])
    assert lines == [[(3100, 5975)], []]


def test_no_line_about_a_hand_lasts_into_the_cards_of_the_next() -> None:
    air, won = AirLog("show", 1), 0
    stale: list[Chat] = []

    def look(entry: OnAirEntry, _: State, after: State) -> None:
        nonlocal won
        if isinstance(entry.event, PotAwarded):
            won = entry.seq
        if isinstance(entry.event, HoleDealt):
            stale.extend(line for line in after.chat if line.seq < won and line.to_ms > entry.at_ms)

    air.recorders.add(look)
    asyncio.run(run_show(air, lively_entries("quick-draw", 1871)))
    assert won
    assert stale == []


def test_captions_reach_screen_readers_and_are_painted_once(still: Screen) -> None:
    still.show(SCENES["betting"]())
    log = still.page.get_by_role("log")
    assert log.get_attribute("aria-live") == "polite"
    assert log.text_content() == still.state()["caption"] != ""
    box = log.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (1, 1)


def test_notices_beside_the_standings_take_turns(still: Screen) -> None:
    still.show(SCENES["storied"]())
    lines = []
    for _ in range(12):
        still.put([OnAirEntry(0, still.air.at_ms + 5000, 0, PaceChanged(1.0))])
        still.settle()
        lines.append(still.page.inner_text(".notice"))
    state = still.state()
    titles = [notice["title"] for notice in state["statistics"]["notices"]]
    assert titles
    assert {*titles} <= {text.splitlines()[0] for text in lines}
    assert all(one != other for one, other in pairwise(lines))


def test_an_idle_table_does_nothing(open_screen: OpenScreen) -> None:
    screen = open_screen()
    screen.show(SCENES["showdown"]())
    screen.page.evaluate("() => document.getAnimations().forEach((motion) => motion.finish())")
    screen.wait("() => document.getAnimations().length === 0")
    before = screen.page.evaluate("() => window.highnoon.frames()")
    screen.page.evaluate("async () => { for (let n = 0; n < 30; n += 1) await new Promise(requestAnimationFrame) }")
    assert screen.page.evaluate("() => window.highnoon.frames()") == before


def test_unknown_settings_are_ignored(open_screen: OpenScreen) -> None:
    screen = open_screen("theme=neon&deck=7&motion=wild&vol=loud&hats=3")
    page = screen.page.evaluate("() => ({ ...document.documentElement.dataset })")
    assert (page["theme"], page["deck"], page["motion"]) == ("western", "4", "full")


def shows_layers(screen: Screen) -> list[str]:
    """The layers that are painted."""
    found: list[str] = screen.page.evaluate(
        "() => ['backdrop', 'floor', 'third'].filter((name) => document.querySelector('.' + name).checkVisibility())"
    )
    return found


def test_layers_can_be_chosen(still: Screen, open_screen: OpenScreen) -> None:
    assert shows_layers(still) == ["backdrop", "floor", "third"]
    assert shows_layers(open_screen("layers=table,third")) == ["floor", "third"]


@pytest.mark.parametrize(("hand", "over", "height"), [(1, False, 0.45), (13, False, 0.725), (24, True, 1)])
def test_sun_climbs_over_the_finals_and_reaches_noon_with_the_last_hand(
    node: Node, hand: int, over: bool, height: float
) -> None:
    """The finals are the tournament's twelfth game, but the first of their stage."""
    state = {
        "stage": {"stage": 2, "games": 1, "hands": 24, "advance": 0, "first_game": 12},
        "game": {"game": 12, "hands": 24, "over": False},
        "hand": {"hand": hand, "over": over},
    }
    risen = node.evaluate("async (state, load) => (await load('/static/js/common/format.js')).noon(state)", state)
    assert risen == pytest.approx(height)
