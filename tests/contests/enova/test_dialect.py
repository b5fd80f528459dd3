"""Enova's forms are as in the rule book's examples and match the hand; answers become the right decisions."""

import json
from typing import Any

import pytest

from server.bots.dialects.http_calls import Reply
from server.bots.dialects.messages import DecisionMessage
from server.contests.enova.dialect import READY_REQUEST, EnovaDialect, seat_request
from server.contests.enova.writer import Form, encode_form
from server.game.events import SeatVacated
from tests.contests.enova.enova_table import EnovaTable, rack

ACTION = (
    b"minimum_bet=2&maximum_bet=2&blind=true&your_chips=1&your_hand[0][suit]=D&your_hand[0][value]=3&"
    b"your_hand[1][suit]=S&your_hand[1][value]=9&game_table_identifier=table_3&hand_identifier=hand_21&"
    b"betting_phase=pre_flop&active_players[0][name]=Bob&active_players[0][chips]=1&active_players[1][name]=Alice&"
    b"active_players[1][chips]=19&active_players[1][actions_this_round][0][action]=blind&"
    b"active_players[1][actions_this_round][0][amount]=1"
)
HAND_ENDED = (
    b"event=hand_ended&winners[Alice][chips_received]=1&winners[Alice][hand][0][suit]=S&"
    b"winners[Alice][hand][0][value]=2&winners[Alice][hand][1][suit]=S&winners[Alice][hand][1][value]=6"
)


def test_action_and_hand_ended_calls_are_the_documents_examples() -> None:
    table = EnovaTable("19 1", "As Ad, 3d 9s", names=("Alice", "Bob")).play("blind:1")
    ours, theirs = table.dialects[1].ask(table.view).body, ACTION
    ours = ours.replace(b"=game_table_4&", b"=table_3&").replace(b"=hand_4001&", b"=hand_21&")
    assert ours == theirs
    winners: Form = {"Alice": {"chips_received": 1, "hand": [{"suit": "S", "value": "2"}, {"suit": "S", "value": "6"}]}}
    assert encode_form({"event": "hand_ended", "winners": winners}) == HAND_ENDED
    table = EnovaTable("10 10", "2s 6s", names=("Alice", "Bob")).play("blind:1 blind:2 bet:4 fold")
    path, form = table.news(1)[-1]
    assert (path, form) == ("/player/notify", rack(HAND_ENDED.replace(b"chips_received]=1", b"chips_received]=6")))


def test_seat_call_and_readiness_check_are_as_documented_and_identifiers_are_unique() -> None:
    seat = seat_request(4)
    assert (seat.method, seat.path, seat.body) == ("POST", "/player/seat", b"game_table_identifier=game_table_4")
    assert (READY_REQUEST.method, READY_REQUEST.path, READY_REQUEST.body) == ("GET", "/player/ready", b"")
    table = EnovaTable("50 50")
    first = table.form()
    table.game = 5
    assert (first["game_table_identifier"], table.form()["game_table_identifier"]) == ("game_table_4", "game_table_5")
    assert first["hand_identifier"] != table.form()["hand_identifier"]


ANSWERS = [
    (b'{"action":"fold"}', 403, ""),
    (b'{"action":"bet","amount":2}', 200, ""),
    *((b'{"action":"bet","amount":2}', status, "malformed") for status in (201, 302, 403, 500)),
    (b'{"action":"blind","amount":2}', 200, "illegal"),
    *((b'{"action":"bet","amount":%d}' % to, 200, "") for to in (3, 40)),
    *((b'{"action":"bet","amount":%d}' % to, 200, "illegal") for to in (0, 1, 41, -2, 2**63)),
    *((body, 200, "malformed") for body in (b"", b"fold", b"[]", b"null", b'"fold"', b"<h1>Server Error</h1>")),
    *((body, 200, "malformed") for body in (b"\xff", b"action=bet&amount=2", b"{}")),
    *((b'{"action":%s,"amount":2}' % word, 200, "malformed") for word in (b'"check"', b'"Bet"', b"null", b"7", b"[]")),
    *((b'{"action":"bet","amount":%s}' % amount, 200, "malformed")
      for amount in (b"2.0", b"true", b"null", b'""', b'"two"', b'"2.0"', b"1e3", b"NaN", b"[2]", b"9" * 41)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status", "fault"), ANSWERS)
def test_bet_needs_no_minimum_raise_and_every_faulty_answer_is_a_fold(body: bytes, status: int, fault: str) -> None:
    table = EnovaTable("50 40").play("blind:1 blind:2")
    assert table.answer(body, status) == fault
    assert table.hand.seats[0].folded == (bool(fault) or b"fold" in body)


@pytest.mark.parametrize(
    "body", [b'{"action":"blind","amount":2}', b'{"action":"bet","amount":1}', b'{"action":"fold"}', b"what?"]
)
def test_bot_that_misses_its_blind_is_unseated_and_the_next_bot_posts_the_big_blind(body: bytes) -> None:
    table = EnovaTable("50 50 50")
    table.answer(body)
    assert SeatVacated(1, 50) in table.events
    assert table.notified(1) == ["folded", "unseated"]
    assert table.hand.turn is not None
    assert (table.seat, table.hand.turn.blind, table.form()["minimum_bet"]) == (2, "big", "2")
    table.play("blind:2 fold")
    assert table.hand.over
    assert table.notified(1) == ["folded", "unseated"], "a bot that has left its seat gets no more messages"


@pytest.mark.parametrize("name", ["Bot Awesome (netid2)", "a_b [c] (d) [", "日本 bot"])
def test_names_are_unchanged_in_forms_except_for_brackets_in_keys(name: str) -> None:
    table = EnovaTable("10 10", names=(name, "Bob")).play("blind:1 blind:2 bet:4 fold")
    assert list(table.news(1)[-1][1]["winners"]) == [name.replace("[", "(").replace("]", ")")]
    other = EnovaTable("10 10", names=("Ann", name))
    assert other.form()["active_players"]["1"]["name"] == name


TURNS = """\
blind:1  pre_flop 1 to 1 of 9: Cid 9, Eve 30, Ann 50, Bob 40
blind:2  pre_flop 2 to 2 of 30: Eve 30, Ann 50, Bob 40, Cid 9 blind:1
bet:2    pre_flop 2 to 9 of 50: Ann 50, Bob 40, Cid 9 blind:1, Eve 30 blind:2
bet:4    pre_flop 2 to 9 of 40: Bob 40, Cid 9 blind:1, Eve 30 blind:2, Ann 50 bet:2
fold     pre_flop 4 to 9 of 9: Cid 9 blind:1, Eve 30 blind:2, Ann 50 bet:2, Bob 40 bet:4
bet:4    pre_flop 4 to 30 of 30: Eve 30 blind:2, Ann 50 bet:2, Bob 40 bet:4
bet:4    pre_flop 4 to 30 of 50: Ann 50 bet:2, Bob 40 bet:4, Eve 30 blind:2 bet:4
bet:0    flop 0 to 26 of 26: Eve 26, Ann 46, Bob 36; 2s 7h Jd
bet:6    flop 0 to 26 of 46: Ann 46, Bob 36, Eve 26 bet:0; 2s 7h Jd
bet:6    flop 6 to 26 of 36: Bob 36, Eve 26 bet:0, Ann 46 bet:6; 2s 7h Jd
bet:6    flop 6 to 26 of 26: Eve 26 bet:0, Ann 46 bet:6, Bob 36 bet:6; 2s 7h Jd
bet:20   turn 0 to 20 of 20: Eve 20, Ann 40, Bob 30; 2s 7h Jd 5c
bet:20   turn 20 to 20 of 40: Ann 40, Bob 30, Eve 20 bet:20; 2s 7h Jd 5c
bet:20   turn 20 to 20 of 30: Bob 30, Eve 20 bet:20, Ann 40 bet:20; 2s 7h Jd 5c
bet:0    river 0 to 0 of 20: Ann 20, Bob 10, Eve 0; 2s 7h Jd 5c Qs
bet:0    river 0 to 0 of 10: Bob 10, Eve 0, Ann 20 bet:0; 2s 7h Jd 5c Qs
"""
"""A hand: each answer, after the form that asked for it. A stack is the number of chips at the start of the street."""


def test_form_has_the_bets_stacks_and_board_in_the_order_of_the_turns() -> None:
    table = EnovaTable("50 40 9 0 30", "As Ad, 3d 9s, Kh Kd, -, 2c 7d", "2s 7h Jd 5c Qs")
    for line in TURNS.splitlines():
        turn, _, asked = line.partition(" ")
        form = table.form()
        assert in_words(form) == asked.strip()
        assert _cards(form["your_hand"]) == table.hand.seats[table.seat].cards
        table.play(turn)
    assert [table.notified(seat)[-2:] for seat in range(5)] == [
        ["hand_ended"], ["hand_ended"], ["folded", "hand_ended"], [], ["won_chips", "hand_ended"],
    ]  # fmt: skip
    winners = table.news(0)[-1][1]["winners"]
    assert {name: won["chips_received"] for name, won in winners.items()} == {"Eve": "91"}


def in_words(form: dict[str, Any]) -> str:
    """A form in words: the phase, the range of bets, the bot's chips, the players and their acts, and the board."""
    players = [
        " ".join([player["name"], player["chips"], *map(":".join, map(dict.values, acts.values()))])
        for player in form["active_players"].values()
        for acts in [player.get("actions_this_round", {})]
    ]
    asked = f"{form['minimum_bet']} to {form['maximum_bet']} of {form['your_chips']}: {', '.join(players)}"
    board = " ".join(_cards(form.get("community_cards", {})))
    return f"{form['betting_phase']} {asked}{'; ' if board else ''}{board}"


def _cards(form: Any) -> tuple[str, ...]:
    return tuple(card["value"] + card["suit"].lower() for card in form.values())


def test_bot_may_add_a_note_to_any_answer() -> None:
    table = EnovaTable("100 100 100")
    for answer in ({"action": "fold"}, {"action": "bet", "amount": 2}, {"action": "blind", "amount": "1"}):
        message = EnovaDialect().read(Reply(200, json.dumps({**answer, "note": "just because"}).encode()), table.view)
        assert isinstance(message, DecisionMessage)
        assert message.note == "just because"
