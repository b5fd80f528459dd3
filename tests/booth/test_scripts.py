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


def test_after_looking_away_one_reads_who_is_out_who_leads_now_and_the_largest_pot(node: Node) -> None:
    code = """async ([before, missed, state], load) =>
      (await load("/static/js/booth/away.js")).missedWords(before, missed, state)"""
    state = {"stage": {"bots": [1, 2, 3]}, "bots": {1: {"name": "Doc"}, 2: {"name": "Tess"}, 3: {"name": "Billy"}}}
    before = {"out": [], "stacks": {"1": 900, "2": 600, "3": 500}, "told": "", "pot": 0}
    small = {"out": [], "stacks": {"1": 950, "2": 550, "3": 500}, "told": "Doc takes 50", "pot": 50}
    large = {"out": [[3, 77]], "stacks": {"1": 900, "2": 1100, "3": 0}, "told": "Tess takes 1,050", "pot": 1050}
    assert node.evaluate(code, [before, [small, large], state]) == [
        "Out: Billy.",
        "Tess leads instead of Doc, with 1,100.",
        "Tess takes 1,050.",
    ]
    assert node.evaluate(code, [before, [small], state]) == ["Doc takes 50."]


def test_card_for_pauses_begins_with_what_needs_no_hurry_and_leaves_out_what_was_aired(node: Node) -> None:
    code = "async (lines, load) => (await load('/static/js/booth/talk.js')).talkOf(lines).map(({ key }) => key)"
    kinds = ["just now", "background", "for a pause"]
    lines = [{"key": kind, "importance": kind, "told": None} for kind in kinds]
    aired = {"key": "aired", "importance": "background", "told": 3}
    assert node.evaluate(code, [*lines, aired]) == ["background", "for a pause", "just now"]
