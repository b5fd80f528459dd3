"""What the lower third says is at stake, and what the heads of posters tell."""

from collections.abc import Callable

import msgspec
import pytest

from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from tests.overlay.support.scenes import TRIALS, UNEVEN, final_hand, finalists, last_two, starting, stepped_back, winner
from tests.overlay.support.scripted_show import Script
from tests.support.in_node import Node

WAY = """async (state, load) => {
  const { wayLines } = await load("/static/js/overlay/parts/way.js");
  return wayLines(state).map(({ lead, rest }) => `${lead} ${rest}`).join(", ");
}"""
HEADS = """async (state, load) => {
  const { headOf } = await load("/static/js/overlay/seat/head.js");
  return state.seats.map((_, at) => headOf(state, at));
}"""


def picture(script: Script) -> object:
    state = State()
    for entry in script.entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
    return msgspec.to_builtins(state)


def all_in(script: Script) -> Script:
    return script.hand("fold fold raise:5000")


def with_seven_left() -> Script:
    script = starting()
    for place in range(12, 7, -1):
        script.game((place - 1, place)).eliminate(1, place)
    return script.game(TRIALS)


@pytest.mark.parametrize(
    ("show", "words"),
    [
        (lambda: starting().game(TRIALS, UNEVEN), "Until six are left or 15 games"),
        (lambda: starting().game(TRIALS).hand(), "Top six ride on to High Noon"),
        (stepped_back, "Calamity 2nd, 1,120 above the line"),
        (lambda: with_seven_left().hand().hand(), "Five out seven for six places"),
        (lambda: all_in(with_seven_left()), "One more out and six ride on"),
        (lambda: all_in(finalists().game((3, 2, 6, 5, 4, 1))), "Next one out is 6th"),
        (lambda: all_in(finalists().game((3, 2, 6, 5, 4, 1)).eliminate(0, 6)), "Next one out is 5th: $5"),
    ],
)
def test_what_is_at_stake_changes_with_the_hand(show: Callable[[], Script], words: str, node: Node) -> None:
    assert node.evaluate(WAY, picture(show())) == words


def test_head_tells_place_and_gain_and_the_part_a_bot_plays(node: Node) -> None:
    heads = node.evaluate(HEADS, picture(stepped_back()))
    assert [head.replace("\u2212", "-") for head in heads] == [
        "9th  -650", "11th  -1,700", "2nd  +1,120", "12th  -2,800", "BLUFFING", "10th  -1,520"
    ]  # fmt: skip


def test_poster_says_wanted_while_there_is_nothing_to_tell(node: Node) -> None:
    assert node.evaluate(HEADS, picture(starting().game(TRIALS).hand())) == [""] * 6


@pytest.mark.parametrize("show", [winner, last_two, final_hand])
def test_nobody_plays_a_part_after_a_win(show: Callable[[], Script], node: Node) -> None:
    state = picture(show())
    parts = [head for head in node.evaluate(HEADS, state) if head.isupper()]
    assert not parts or not state["win"]  # type: ignore[index]
