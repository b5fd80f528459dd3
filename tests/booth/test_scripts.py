"""The booth's scripts compute how often a call must win, and choose whether to show a chance to win or to tie."""

from tests.support.in_node import Node


def test_equity_that_a_call_needs_is_its_cost_divided_by_what_it_can_win(node: Node) -> None:
    code = """async ([committed, seat, to_call], load) => (await load("/static/js/booth/now.js"))
      .neededToCall(committed.map((committed) => ({ committed })), { seat, to_call })"""
    assert node.evaluate(code, [[50, 100, 0], 2, 100]) == 400
    assert node.evaluate(code, [[1000, 5000, 500], 2, 500]) == 167


def test_chance_to_tie_is_shown_where_it_is_likelier_than_a_win(node: Node) -> None:
    code = "async (seats, load) => seats.map((await load('/static/js/common/format.js')).chanceOf)"
    seats = [{"win": 70, "tie": 450}, {"win": 7, "tie": 9}, {"win": 450, "tie": 70}, {"win": None, "tie": None}]
    assert node.evaluate(code, seats) == ["tie 45%", "<1%", "45%", ""]
