"""What the booth's scripts compute: what a call must win, who leads since when, how a bot plays."""

from typing import Any

import pytest

from tests.support.in_node import Node


def test_needed_equity_of_a_call_is_its_share_of_what_it_can_win(node: Node) -> None:
    code = """async ([committed, seat, to_call], load) => (await load("/static/js/booth/now.js"))
      .neededToCall(committed.map((committed) => ({ committed })), { seat, to_call })"""
    assert node.evaluate(code, [[50, 100, 0], 2, 100]) == 400
    assert node.evaluate(code, [[1000, 5000, 500], 2, 500]) == 167


def test_chance_to_tie_is_shown_where_it_is_likelier_than_a_win(node: Node) -> None:
    code = "async (seats, load) => seats.map((await load('/static/js/common/format.js')).chanceOf)"
    seats = [{"win": 70, "tie": 450}, {"win": 7, "tie": 9}, {"win": 450, "tie": 70}, {"win": None, "tie": None}]
    assert node.evaluate(code, seats) == ["tie 45%", "<1%", "45%", ""]


def test_each_pot_is_listed_with_who_can_win_the_side_pots(node: Node) -> None:
    code = """async ([pots, names], load) => (await load("/static/js/booth/now.js")).partsOf(pots, {
      seats: names.map((_, at) => ({ bot: at + 1 })),
      bots: Object.fromEntries(names.map((name, at) => [at + 1, { name }])) })"""
    pots = [{"amount": 1400, "seats": [0, 1, 2]}, {"amount": 825, "seats": [0, 2]}]
    assert node.evaluate(code, [pots, ["Doc", "Billy", "Tess"]]) == "Main pot 1,400, side pot 825 (Doc, Tess)"


def test_lead_counts_from_the_last_hand_led_by_another(node: Node) -> None:
    code = """async ([stacks, bots], load) => (await load("/static/js/booth/ranks.js")).leading(
      stacks.map(([one, two], at) => ({ stage: "Final", game: 1, hand: at + 1, stacks: { 1: one, 2: two } })),
      { stage: { title: "Final", bots: [1, 2] }, bots })"""
    bots = {"1": {"name": "Doc"}, "2": {"name": "Tess"}}
    assert node.evaluate(code, [[[5, 4], [3, 6], [6, 3], [7, 2]], bots]) == "Doc leads since hand 3"
    assert node.evaluate(code, [[[5, 4], [6, 3]], bots]) == "Doc leads from the start"
    assert node.evaluate(code, [[[5, 4], [4, 4]], bots]) == ""
    assert node.evaluate(code, [[], bots]) == ""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"hands": 7, "vpip": 3, "vpip_chances": 7}, ["Too early to tell: 7 hands so far."]),
        ({"hands": 61, "vpip": 12, "vpip_chances": 61, "pfr": 9},
         ["Patient: plays 20% of hands (12 of 61).", "Raises most of them before the flop (9 of 12)."]),
        ({"hands": 20, "vpip": 9, "vpip_chances": 20, "pfr": 1, "aggressive": 1, "aggressive_chances": 6, "faults": 2},
         ["Loose: plays 45% of hands (9 of 20).", "Mostly calls; raises few of them before the flop (1 of 9).",
          "Passive after the flop (bets or raises 1 of 6 times).", "2 faults so far."]),
    ],
)  # fmt: skip
def test_playing_style_is_described_with_its_counts(row: dict[str, Any], said: list[str], node: Node) -> None:
    code = """async (row, load) => (await load("/static/js/booth/style.js")).styleOf({ bot: 1, ...row })"""
    assert node.evaluate(code, row) == said
