"""The messages of the contest Arena are as documented; all answers that the original server accepted are accepted."""

import gzip
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.dialects.http_calls import Refused, Reply
from server.bots.dialects.messages import DecisionMessage, Malformed
from server.contests.arena.dialect import ArenaDialect, player_ids
from server.contests.arena.rules import ARENA
from server.game.betting import resolve
from server.game.decisions import AllIn, Call, Decision, Fold, IllegalAction, RaiseTo
from server.game.events import Entrant
from tests.bots.views import entrants_of, table_view
from tests.game.table import Table, deal

HANDS = "As Kd, 7h 7c, 2c 3d, 9c 9d"
BOARD = "Ah 9s 4d Jc 2s"


def table_of(stacks: str = "2000 2000 2000 2000", script: str = "", number: int = 1) -> Table:
    return deal(stacks, HANDS, BOARD, rules=ARENA, number=number).play(script)


def dialect_at(table: Table, ids: dict[int, str] | None = None) -> ArenaDialect:
    """The dialect of the bot to act, after it was notified of all events of the hand."""
    dialect = ArenaDialect(ids or player_ids(entrants_of(len(table.hand.seats))))
    for event in table.events:
        if isinstance(event, dialect.news_types):
            assert dialect.notify(event, table_view(table)) == []
    return dialect


def request_state(table: Table, ids: dict[int, str] | None = None) -> dict[str, Any]:
    request = dialect_at(table, ids).ask(table_view(table))
    assert (request.method, request.path, request.content_type) == ("POST", "/action", "application/json")
    state: dict[str, Any] = json.loads(request.body)
    return state


def valid_actions(table: Table) -> dict[str, Any]:
    return {action["action"]: action["amount"] for action in request_state(table)["valid_actions"]}


def read_answer(answer: object, table: Table, status: int = 200) -> DecisionMessage | Refused | Malformed:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return dialect_at(table).read(Reply(status, body), table_view(table))


def accepts(table: Table, decision: Decision) -> bool:
    try:
        resolve(table.hand, decision)
    except IllegalAction:
        return False
    return True


def test_history_has_the_whole_hand_and_begins_again_with_every_hand() -> None:
    state = request_state(table_of(script="raise:60 fold call call / check bet:100 raise:300 call fold / check"))
    history = state["action_history"]
    assert state["phase"] == "turn"
    assert state["community_cards"] == ["Ah", "9s", "4d", "Jc"]
    assert state["pot"] == 3 * 60 + 2 * 300 + 100
    assert state["current_bet"] == 0
    assert state["min_raise"] == 20, "on each new street, the smallest raise is the big blind"
    assert [" ".join(str(done[key]) for key in ("phase", "player_id", "action", "amount")) for done in history] == [
        "preflop cid small_blind 10",
        "preflop dot big_blind 20",
        "preflop ann raise 60",
        "preflop bob fold 0",
        "preflop cid call 50",
        "preflop dot call 40",
        "flop cid check 0",
        "flop dot raise 100",
        "flop ann raise 300",
        "flop cid call 300",
        "flop dot fold 0",
        "turn cid check 0",
    ]
    dialect, second = dialect_at(table_of(script="raise:60 fold")), table_of(number=25)
    for event in second.events:
        dialect.notify(event, table_view(second))
    state = json.loads(dialect.ask(table_view(second)).body)
    assert [done["action"] for done in state["action_history"]] == ["small_blind", "big_blind"]
    assert (state["small_blind"], state["big_blind"]) == (20, 30), (
        "in hand 25, the blinds are those of level 2, as each level lasts 24 hands"
    )


def test_player_is_active_folded_all_in_or_out_and_heads_up_the_dealer_is_the_big_blind() -> None:
    players = request_state(table_of("2000 2000 0 300 2000", "fold all-in call"))["players"]
    assert {name: player["state"] for name, player in players.items()} == {
        "ann": "folded", "bob": "all_in", "cid": "out", "dot": "all_in", "eve": "active",
    }  # fmt: skip
    assert players["cid"]["hole_cards"] == []
    small, big = request_state(table_of("2000 2000"))["players"].values()
    assert (small["is_dealer"], small["is_small_blind"], small["is_big_blind"]) == (False, True, False)
    assert (big["is_dealer"], big["is_small_blind"], big["is_big_blind"]) == (True, False, True)


def test_history_has_the_action_word_that_a_bot_used_for_all_its_chips() -> None:
    """`raise` is listed with the bot's total for the street, but `all_in` with the chips that it added."""
    table = table_of("2000 90 300 2000", "raise:60")
    table.take(AllIn())
    table.play("raise:300").take(AllIn())
    history = request_state(table)["action_history"][2:]
    assert [f"{done['action']} {done['amount']}" for done in history] == [
        "raise 60", "all_in 90", "raise 300", "all_in 1980",
    ]  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A hand at some turn, after actions that are often all-ins and minimum raises."""
    stacks = draw(st.lists(st.sampled_from([0, 1, 7, 15, 20, 25, 40, 61, 150, 400, 2000]), min_size=2, max_size=6))
    stacks = stacks if sum(stack > 0 for stack in stacks) > 1 else [*stacks, 2000, 400]
    dice = random.Random(draw(st.integers(0, 10**6)))
    table = deal(" ".join(map(str, stacks)), rules=ARENA, number=draw(st.integers(1, 60)))
    for _ in range(draw(st.integers(0, 14))):
        if table.hand.turn is None:
            break
        before = table.hand, list(table.events)
        low, high = table.raises
        choices: list[Decision] = [Call(), Call(), Fold()]
        choices += [RaiseTo(low), RaiseTo(high), RaiseTo(dice.randint(low, high))] if high else []
        table.take(dice.choice(choices))
        if table.hand.over:
            table.hand, table.events = before
            break
    return table


@settings(max_examples=40, deadline=None)
@given(tables())
def test_states_add_up_and_valid_actions_are_exactly_the_legal_ones(table: Table) -> None:
    """Players are listed in the order of their seats; otherwise the dealer's index would point at another player."""
    if table.hand.turn is None:
        return  # The blinds have put all bots all in, so nobody is asked.
    ids = {entrant.bot: f"id {99 - entrant.bot}" for entrant in entrants_of(len(table.hand.seats))}
    state = request_state(table, ids)
    assert "." not in json.dumps(state), "amounts must be whole numbers"
    assert list(state["players"]) == list(ids.values())
    players = state["players"].values()
    assert state["pot"] == sum(player["hand_bet"] for player in players)
    assert state["pot"] + sum(player["chips"] for player in players) == table.chips
    with_chips = [player for player in players if player["state"] != "out"]
    assert [player["is_dealer"] for player in with_chips].index(True) == state["dealer_index"]
    assert sum(player["is_dealer"] for player in players) == 1
    assert [done["action"] for done in state["action_history"]][:2] == ["small_blind", "big_blind"]
    actions, seat = valid_actions(table), table.hand.seats[table.turn.seat]
    answers = [{"action": action, "amount": amount} for action, amount in actions.items() if action != "raise"]
    raises = actions.get("raise")
    if raises:
        answers += [{"action": "raise", "amount": amount} for amount in {raises["min"], raises["max"]}]
    for answer in answers:
        outcome = read_answer(answer, table)
        assert isinstance(outcome, DecisionMessage), answer
        assert accepts(table, outcome.decision), answer
    assert ("check" in actions) == (table.turn.to_call == 0)
    assert ("call" in actions) == (table.turn.to_call > 0)
    everything = seat.bet + seat.stack
    edges = [0, table.hand.current_bet, everything, *table.raises, *(raises.values() if raises else ())]
    tried = {max(edge + step, 0) for edge in edges for step in (-1, 0, 1)}
    legal = {to for to in tried if accepts(table, RaiseTo(to))}
    listed = tried & set(range(raises["min"], raises["max"] + 1)) if raises else set()
    assert legal - listed <= {everything}
    assert listed <= legal
    assert everything not in legal or "all_in" in actions


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ({"action": "raise", "amount": 50}, RaiseTo(50)),
        ({"action": "raise", "amount": -50}, RaiseTo(-50)),
        ({"action": "fold"}, Fold()),
        ({"action": "call"}, Call()),
        ({"action": "all_in"}, AllIn()),
        ({}, Fold()),
        ({"action": "call", "amount": "whatever"}, Call()),
        ({"action": "fold", "amount": -3, "confidence": 0.2, "at_ms": 1790000000000, "why": "\ud800"}, Fold()),
        (b'\xef\xbb\xbf {"action": "call", "odds": NaN}\r\n', Call()),
    ],
)
def test_valid_answers_are_accepted(answer: object, decision: Decision) -> None:
    assert read_answer(answer, table_of()) == DecisionMessage(decision)


@pytest.mark.parametrize(
    ("answer", "status", "kind", "words"),
    [
        (b"", 200, Malformed, "the answer is empty, and JSON is expected"),
        (gzip.compress(b'{"action": "call"}', mtime=0), 200, Malformed, "the answer is compressed; send it"),
        (b'{"action": "call"', 200, Malformed, "the answer is not JSON: line 1, column 18: it ends too early"),
        ({"action": "CALL"}, 200, Refused, 'the action "CALL" is not one of fold, check, call, raise, all_in'),
        ({"action": "<b>"}, 200, Refused, "the action is not one of fold, check, call, raise, all_in"),
        ({"action": "raise"}, 200, Refused, "a raise without an amount"),
        ({"action": "raise", "amount": 60.0}, 200, Refused, "the amount 60.0 must be a whole number"),
        ({"action": "check", "amount": 0}, 200, Refused, ""),
        ({"action": "raise", "amount": True}, 200, Refused, ""),
        ({"action": ["fold"]}, 200, Refused, ""),
        *(({"action": "call"}, status, Malformed, "") for status in (201, 302, 500)),
        *((body, 200, Malformed, "") for body in (b"call", b"[]", b"null", b"[" * 4000, b"\xff\xfe{")),
        (b'{"action": "raise", "amount": ' + b"9" * 4500 + b"}", 200, Malformed, ""),
    ],
)
def test_author_reads_what_is_wrong_with_an_answer(
    answer: object, status: int, kind: type[Refused | Malformed], words: str
) -> None:
    read = read_answer(answer, table_of(), status)
    assert isinstance(read, kind)
    assert read.reason.startswith(words)
    assert isinstance(read_answer({"action": "call"}, table_of(script="call call call")), Refused), (
        "a call is impossible when there is nothing to call"
    )


@pytest.mark.parametrize(
    ("named", "ids"),
    [
        ([("AlphaBot", "alpha_bot"), ("My AI", "my_new_ai")], ["alpha_bot", "my_new_ai"]),
        ([("My AI", "ada"), ("My ai!", "ada"), ("Ünï", "bob")], ["my_ai", "my_ai_2", "n"]),
    ],
)
def test_bots_have_their_players_ids_if_each_player_has_one_bot(named: list[tuple[str, str]], ids: list[str]) -> None:
    entrants = [Entrant(bot, *names) for bot, names in enumerate(named, 1)]
    assert player_ids(entrants) == dict(enumerate(ids, 1))
