"""The answers that a bot's author reads as expected are accepted by its dialect and the rules, in each contest."""

import json
import re

import pytest

from server.bots.dialects.http_calls import Reply
from server.bots.dialects.messages import Decided
from server.contests import CONTESTS
from server.contests.arena.dialect import Arena
from server.contests.arena.rules import ARENA
from server.contests.enova.dialect import Enova
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.upac.dialect import Upac
from server.contests.upac.rules import UPAC
from server.game.decide import resolve
from server.game.events import Fault
from server.game.view import View
from tests.bots.views import seen
from tests.contests.enova.enova_table import EnovaTable
from tests.game.table import deal


def view_in(contest: str) -> View:
    """A bot is asked, and may raise."""
    match contest:
        case "enova":
            return EnovaTable("20 20 20").view
        case "arena":
            return seen(deal("2000 2000 2000", rules=ARENA))
        case "upac":
            return seen(deal("100 100", rules=UPAC))
        case _:
            return seen(deal("5000 5000 5000"))


def decided(contest: str, view: View, answer: str) -> Decided:
    """What the bot's answer means there."""
    said: object
    match contest:
        case "quick-draw":
            said = QuickDraw().receive(answer.encode())[0].said
        case "enova":
            said = Enova().read(Reply(200, answer.encode()), view)
        case "arena":
            said = Arena({}).read(Reply(200, answer.encode()), view)
        case _:
            dialect = Upac()
            dialect.ask(view)
            said = dialect.receive(f"{answer}\n".encode())[0].said
    assert isinstance(said, Decided), (answer, said)
    return said


@pytest.mark.parametrize(
    ("contest", "words", "answers"),
    [
        ("quick-draw", "fold, call (costs 100) or raise with a raise_amount of 101 to 5000, within 3 s",
         [{"action": "call"}, {"action": "raise", "raise_amount": 101}, {"action": "raise", "raise_amount": 5000}]),
        ("arena", "fold, call (costs 20), raise with an amount of 40 to 2000 or all_in, within 3 s",
         [{"action": "call"}, {"action": "raise", "amount": 40}, {"action": "raise", "amount": 2000},
          {"action": "all_in"}]),
    ],
)  # fmt: skip
def test_expected_answers_are_accepted(contest: str, words: str, answers: list[dict[str, object]]) -> None:
    view = view_in(contest)
    assert CONTESTS[contest].words.expected_in(view.hand) == words
    for answer in answers:
        resolve(view.hand, decided(contest, view, json.dumps({"command": "take_action", **answer})).decision)


def test_enova_expects_the_blind_then_a_bet() -> None:
    table = EnovaTable("20 20 20")
    assert CONTESTS["enova"].words.expected_in(table.hand) == "blind with an amount of 1 or fold, within 5 s"
    table.play("blind:1 blind:2")
    words = CONTESTS["enova"].words.expected_in(table.hand)
    call, low, high = map(int, re.findall(r"[0-9]+", words)[:3])
    assert words == f"bet with an amount of {call} (a call) or {low} to {high} (a raise) or fold, within 5 s"
    for amount in (call, low, high):
        answer = json.dumps({"action": "bet", "amount": amount})
        resolve(table.hand, decided("enova", table.view, answer).decision)


def test_upac_expects_at_most_what_can_be_pushed() -> None:
    view = view_in("upac")
    words = CONTESTS["upac"].words.expected_in(view.hand)
    assert words == "F, C (costs 1) or R with a number up to 98, such as R6, within 1 s"
    assert resolve(view.hand, decided("upac", view, "R98").decision).bet == 100
    assert resolve(view.hand, decided("upac", view, "R99").decision).bet == 100, "more counts as all of it"


def test_each_fault_of_each_contest_breaks_a_rule_of_its_own() -> None:
    faults: tuple[Fault, ...] = ("malformed", "illegal", "timeout", "disconnected")
    for contest in CONTESTS.values():
        rules = {contest.words.rule_on(fault, asked=True) for fault in faults}
        assert len({*rules, contest.words.rule_on("illegal", asked=False)}) == 5
