"""Each seat has a poster with the bot's chance, role or place. The lower third of the picture says what is at stake."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from broadcast.on_air.events import Chance, EquitiesChanged
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import HandShown, TurnStarted
from server.game.rules import Rules
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import FINALISTS, SCENES, UNEVEN_STACKS, one_table, start_final, start_trials
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.overlay.test_scenes import NO_FAULTS, find_layout_faults
from tests.support.programs.browsers import PATIENCE_MS
from tests.support.programs.in_node import Node

EXHIBITION = replace(QUICK_DRAW, think_ms=30_000, exhibition_bank_ms=125_000)
"""In an exhibition, a bot that thinks for longer than `think_ms` draws on its time bank of `exhibition_bank_ms`."""
# Returns the text of each seat's chance, or null if the chance is hidden.
_CHANCES = """() => [...document.querySelectorAll(".seat")].map((seat) => {
  const placard = seat.querySelector(".chance");
  return placard.checkVisibility() ? placard.textContent : null;
})"""
# In each frame, blocks the page for `busy` ms as a slow machine would, and then looks for cards that are turning over.
# Returns the largest number of cards that turned over at once, and all texts that `selectors` found meanwhile.
_WATCH_TURNING = """([selectors, busy, patience]) => void (window.watched = (async () => {
  const texts = new Set(), end = Date.now() + patience, channel = new MessageChannel();
  let most = 0, over = false;
  while (!over) {
    if (Date.now() > end) throw new Error("no card was turned over");
    await new Promise(requestAnimationFrame);
    for (const until = Date.now() + busy; Date.now() < until; );
    await new Promise((painted) => {
      channel.port1.onmessage = painted;
      channel.port2.postMessage(0);
    });
    const turning = new Set(document.getAnimations().map(({ effect }) => effect.target.closest(".board .card")));
    turning.delete(null);
    if (turning.size) for (const selector of selectors) texts.add(document.querySelector(selector).textContent);
    over = most > 0 && !turning.size;
    most = Math.max(most, turning.size);
  }
  return [most, [...texts]];
})())"""
# Returns how many cards are still being turned over when the picture first shows the winner.
_WATCH_WIN = """([busy, patience]) => void (window.watched = (async () => {
  const end = performance.now() + patience;
  while (!document.querySelector(".scene--table").dataset.won) {
    if (performance.now() > end) throw new Error("nobody has won");
    for (const until = performance.now() + busy; performance.now() < until; );
    await new Promise(requestAnimationFrame);
  }
  return document.getAnimations().filter(({ effect }) => effect.pseudoElement && effect.target.closest(".card")).length;
})())"""
# Returns whether all motion is over. Fuses (bots' burning clocks) do not count, because even hidden ones burn on.
_MOTION_IS_OVER = """() => !document.querySelector("canvas, .flight")
  && !document.getAnimations().some(({ effect }) =>
    !effect.target.closest(".fuse") && Number.isFinite(effect.getComputedTiming().endTime))"""
# Collects in `window.chances`, in order, each chance that seat 5 shows.
_COLLECT_CHANCES = """() => {
  window.chances = [];
  setInterval(() => {
    const now = document.querySelectorAll(".chance")[5]?.textContent;
    if (window.chances.at(-1) !== now) window.chances.push(now);
  }, 5);
}"""
_STAKES = """async (state, load) => (await load("/static/js/overlay/parts/stage-progress.js"))
  .stakesLines(state).map(({ lead, rest }) => `${lead} ${rest}`).join(", ")"""
# Returns the line at the top of each seat's poster.
_HEADS = """async (state, load) => {
  const { headOf } = await load("/static/js/overlay/seat/poster-head.js");
  return state.seats.map((_, at) => headOf(state, at));
}"""
# Returns what happens if the bot that must act wins, loses, splits or folds.
_OUTCOMES = """async (state, load) => (await load("/static/js/common/format.js"))
  .outcomesOf(state).map((each) => `${each.case} ${each.text}`.trim())"""
# Returns what each seat's plate (below the cards) says: the bot's last action, or the hand that it showed.
_PLATES = """async (state, load) => {
  const { isShowdown, plateOf } = await load("/static/js/common/format.js");
  return state.seats.map((seat) => plateOf(seat, null, false, isShowdown(state)).label);
}"""


def page_picture(script: Script, end: int | None = None) -> Any:
    """Returns the picture (state) after the first `end` entries, or after all, as data for the page's JavaScript."""
    return msgspec.to_builtins(picture_after(script.entries[:end]))


def play_all_in(speed: float = 2, last_bot: int = 6) -> Script:
    """A hand in which seat 5 and one opponent are all in before the flop."""
    script = Script(speed=speed).connect().stage().game((1, 2, 3, 4, 5, last_bot), UNEVEN_STACKS)
    return script.hand("raise:2200 fold raise:11900 fold fold fold")


def count_until_street(script: Script, street: str) -> int:
    return next(at for at, entry in enumerate(script.entries) if getattr(entry.event, "street", "") == street)


def test_only_bots_in_an_open_hand_have_a_chance(wide: Screen) -> None:
    script = SCENES["betting"]()
    wide.show(script)
    for seat, chance in zip(picture_after(script.entries).seats, wide.page.evaluate(_CHANCES), strict=True):
        assert (chance is None) == seat.folded
        if seat.win is not None and 10 <= seat.win <= 990:
            assert chance == f"{(seat.win + 5) // 10}%"
    for scene in ("winner", "walk", "split", "captured", "starting"):
        wide.show(SCENES[scene]())
        assert not any(wide.page.evaluate(_CHANCES)), scene


@pytest.mark.parametrize(
    ("win", "tie", "chance"),
    [
        (0, 0, "0%"), (1, 0, "<1%"), (9, 0, "<1%"), (10, 0, "1%"), (714, 20, "71%"), (990, 0, "99%"), (991, 9, ">99%"),
        (1000, 0, "100%"), (0, 880, "TIE88%"), (30, 880, "TIE88%"), (0, 1000, "TIE"), (0, 995, "TIE>99%"),
        (8, 9, "<1%"), (0, 49, "0%"), (0, 50, "TIE5%"), (60, 50, "6%"), (70, 450, "TIE45%"), (450, 70, "45%"),
    ],
)  # fmt: skip
def test_uncertain_chance_is_never_shown_as_certain(win: int, tie: int, chance: str, wide: Screen) -> None:
    wide.show(SCENES["dealt"]().put(EquitiesChanged((Chance(0, win, tie), Chance(1, 5, 0)))))
    assert wide.page.evaluate(_CHANCES)[0] == chance


@pytest.mark.parametrize("motion", ["full", "reduced"])
def test_chance_jumps_to_its_new_value(motion: str, open_screen: OpenScreen) -> None:
    script, screen = play_all_in(), open_screen(f"motion={motion}")
    flop, turn = count_until_street(script, "flop"), count_until_street(script, "turn")
    chances = [f"{(page_picture(script, at)['seats'][5]['win'] + 5) // 10}%" for at in (flop, turn)]
    screen.recall(script.entries[:flop])
    screen.settle()
    screen.page.evaluate(_COLLECT_CHANCES)
    screen.wait("(chance) => window.chances.at(-1) === chance", chances[0])
    screen.put(script.entries[flop:turn])
    screen.wait("(chance) => window.chances.at(-1) === chance", chances[1])
    assert screen.page.evaluate("() => window.chances") == chances


@pytest.mark.parametrize("busy", [0, 60])
@pytest.mark.parametrize("speed", [1, 2, 5, 40])
def test_page_says_nothing_about_a_flop_until_it_is_face_up(speed: float, busy: int, open_screen: OpenScreen) -> None:
    script, screen = Script(speed=speed).connect().stage().game(stacks=UNEVEN_STACKS), open_screen()
    script.hand("call fold fold fold fold call call call")
    flop = count_until_street(script, "flop")
    end = next(at for at in range(flop, len(script.entries)) if isinstance(script.entries[at].event, TurnStarted))
    screen.recall(script.entries[:flop])
    screen.settle()
    screen.stop_clock()
    selectors = [".seat:nth-child(4) .chance__number", ".seat:nth-child(4) .poster__told", ".third__caption", ".spoken"]
    before = [screen.page.text_content(selector) for selector in selectors]
    session = screen.context.new_cdp_session(screen.page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1 / speed})  # so that a busy machine misses no animation
    screen.page.evaluate(_WATCH_TURNING, [selectors, busy, PATIENCE_MS])
    screen.put(script.entries[flop:end])
    cards_turned, texts_meanwhile = screen.page.evaluate("() => window.watched")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1})
    session.detach()
    assert cards_turned == 3
    assert {*texts_meanwhile} <= {*before}
    screen.settle()
    after = [screen.page.text_content(selector) for selector in selectors]
    assert after[1] == "FAVOURITE"
    assert not {*after} & {*before}


@pytest.mark.parametrize("busy", [0, 60])
def test_late_page_turns_all_cards_over_before_it_shows_the_winner(busy: int, open_screen: OpenScreen) -> None:
    script, screen = play_all_in(speed=40), open_screen()
    river = count_until_street(script, "river")
    screen.recall(script.entries[:river])
    screen.settle()
    screen.page.evaluate(_WATCH_WIN, [busy, PATIENCE_MS])
    screen.put(script.entries[river:])
    assert screen.page.evaluate("() => window.watched") == 0


def test_memory_of_seats_is_freed_after_each_game(open_screen: OpenScreen) -> None:
    screen, node_counts = open_screen(fresh=True), []
    session = screen.context.new_cdp_session(screen.page)
    for last_bot in (6, 7, 8, 9, 10, 11):
        screen.put(play_all_in(speed=40, last_bot=last_bot).entries)
        screen.wait(_MOTION_IS_OVER)
        screen.settle()
        for _ in range(3):  # one collection sometimes leaves garbage
            session.send("HeapProfiler.collectGarbage")
        node_counts.append(session.send("Memory.getDOMCounters")["nodes"])
    assert node_counts[5] < node_counts[1] + 1000, "of the 2000 nodes that the last four games make, most must be freed"


def leave_seven() -> Script:
    """A game of The Trials after five of the twelve bots have gone out."""
    script = start_trials()
    for place in range(12, 7, -1):
        script.game((place - 1, place)).eliminate(1, place)
    return script.game()


def play_match_of_two(hands: int) -> Script:
    """A match of 100 hands, at the start of hand number `hands`."""
    script = Script(NAMES[:2]).connect().stage("The Match", games=1, hands=100, advance=0).game((1, 2), hands=100)
    for _ in range(1, hands):
        script.hand("raise:300 fold")
    return script.hand()


@pytest.mark.parametrize(
    ("show", "words"),
    [
        (lambda: start_trials().game(stacks=UNEVEN_STACKS), "Until six are left or 15 games"),
        (lambda: start_trials().game().hand(), "Top six ride on to High Noon"),
        (SCENES["stepped_back"], "Calamity 2nd, 1,120 above the line"),
        (lambda: leave_seven().hand().hand(), "Five out, seven left for six places"),
        (lambda: leave_seven().hand().hand("raise:5000 call fold fold fold fold"), "Six out, six left for six places"),
        (lambda: play_match_of_two(2), "Doc leads by 200"),
        (lambda: play_match_of_two(3), "97 hands to go"),
        (lambda: leave_seven().hand("fold fold raise:5000"), "One more out and six ride on"),
        (lambda: start_final().game(FINALISTS).hand("fold fold raise:5000"), "Next one out is 6th"),
        (lambda: start_final().game(FINALISTS).eliminate(0, 6).hand("fold fold raise:5000"), "Next one out is 5th: $5"),
        (SCENES["heads_up"], "1st $304, 2nd $126"),
    ],
)
def test_lower_third_says_what_is_at_stake_in_the_hand(show: Callable[[], Script], words: str, node: Node) -> None:
    assert node.evaluate(_STAKES, page_picture(show())) == words


def test_poster_head_has_the_bots_role_or_place(node: Node) -> None:
    heads = node.evaluate(_HEADS, page_picture(SCENES["stepped_back"]()))
    assert [head.replace("\u2212", "-") for head in heads] == [
        "9th  650 below", "11th  1,700 below", "2nd  1,120 above", "12th  2,800 below", "BLUFFING", "10th  1,520 below"
    ]  # fmt: skip
    assert node.evaluate(_HEADS, page_picture(start_trials().game().hand())) == [""] * 6
    assert not any(map(str.isupper, node.evaluate(_HEADS, page_picture(SCENES["winner"]()))))


@pytest.mark.parametrize("acts", ["fold fold raise:300 fold fold fold", "raise:300 fold fold fold fold fold"])
def test_places_on_posters_follow_awarded_chips_and_mark_ties(acts: str, node: Node) -> None:
    state = page_picture(start_final().game(FINALISTS).hand(acts, events=-1))
    stacks = [seat["stack"] for seat in state["seats"]]
    places = [f"{'T' * (stacks.count(stack) > 1)}{1 + sum(more > stack for more in stacks)}" for stack in stacks]
    assert all(map(str.startswith, node.evaluate(_HEADS, state), places))


def test_every_bot_that_may_lose_its_last_chips_is_at_risk(node: Node) -> None:
    script = start_trials().game(stacks=(900, 5000, 900, 900, 5000, 900))
    state = page_picture(script.hand("raise:900 fold call call call call", events=-9))
    assert [head == "AT RISK" for head in node.evaluate(_HEADS, state)] == [True, False, True, True, False, True]
    for seat, chances in ((0, {"win": 1000, "tie": 0}), (2, {"win": 300, "tie": 700})):
        state["seats"][seat].update(chances)
    assert [head == "AT RISK" for head in node.evaluate(_HEADS, state)] == [False, False, False, True, False, True]


def test_plate_has_the_name_of_a_shown_hand_instead_of_an_earlier_action(node: Node) -> None:
    script = start_trials().game().hand("raise:300 call call fold call call down")
    first_shown = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, HandShown))
    assert node.evaluate(_PLATES, page_picture(script, first_shown)) == ["Folded", *["Check"] * 5]
    plates = node.evaluate(_PLATES, page_picture(script, first_shown + 1))
    assert plates == ["Folded", "", "", "Pair of kings, ten kicker", "", ""]


@pytest.mark.parametrize(
    ("win", "given", "expected"),
    [
        (0, ["loses", "folds"], ["wins drawing dead", "loses", "folds"]),
        (0, ["loses", "shares", "folds"], ["wins can only split", "loses", "shares", "folds"]),
        (1000, ["wins", "folds"], ["wins", "loses cannot lose", "folds"]),
        (0, ["shares", "folds"], ["shares", "folds"]),
        (400, ["loses", "folds"], ["loses", "folds"]),
    ],
)
def test_panel_says_which_outcomes_are_certain(win: int, given: list[str], expected: list[str], node: Node) -> None:
    outcomes = [{"case": case, "text": "", "rival": 0} for case in given]
    state = {"stakes": {"seat": 0, "outcomes": outcomes}, "seats": [{"win": win}]}
    assert node.evaluate(_OUTCOMES, state) == expected


def play_exhibition(seats: int, think_ms: int, rules: Rules = EXHIBITION) -> Script:
    """Plays the start of a hand. Each bot that acts has thought for `think_ms`."""
    acts = "call call" if seats == 2 else "call raise:350 call"
    return one_table(NAMES[:seats]).hand(acts, rules=rules, think_ms=think_ms)


@pytest.mark.parametrize("seats", [2, 3, 6, 8, 9, 12])
def test_seats_of_an_exhibition_show_time_banks_and_long_thoughts(seats: int, screen: Screen) -> None:
    screen.show(play_exhibition(seats, think_ms=41_000))
    assert find_layout_faults(screen) == NO_FAULTS
    clocks = screen.page.locator(".clock:visible").all_text_contents()
    assert len(clocks) == seats
    texts = {text.removeprefix("thought ") for text in clocks}
    assert texts <= {"2:05", "1:54", "41 s"}
    assert texts & {"41 s", "1:54"}, "clocks must show that a bot thought for 41 s"


def test_short_thought_costs_no_bank_time_and_only_exhibitions_have_clocks(wide: Screen) -> None:
    wide.show(play_exhibition(6, think_ms=9000))
    assert {*wide.page.locator(".clock:visible").all_text_contents()} == {"2:05"}
    wide.show(play_exhibition(6, think_ms=41_000, rules=QUICK_DRAW))
    assert wide.page.locator(".clock:visible").count() == 0
    assert "After" not in wide.page.inner_text(".stage")
