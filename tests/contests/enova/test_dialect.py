"""Enova's forms are as in the document's examples and match the hand, and answers become the right decisions."""

import random
from typing import Any

import pytest

from server.contests.enova.dialect import READY, seat_request
from server.contests.enova.writer import Form, encoded
from server.game.events import ActionTaken, BetReturned, BlindPosted, Event, HandEnded, SeatVacated, StreetDealt
from server.shuffle import deck_of
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
    assert encoded({"event": "hand_ended", "winners": winners}) == HAND_ENDED
    table = EnovaTable("10 10", "2s 6s", names=("Alice", "Bob")).play("blind:1 blind:2 bet:4 fold")
    path, form = table.news(1)[-1]
    assert (path, form) == ("/player/notify", rack(HAND_ENDED.replace(b"chips_received]=1", b"chips_received]=6")))


def test_seat_call_and_readiness_check_are_as_documented_and_identifiers_are_unique() -> None:
    seat = seat_request(4)
    assert (seat.method, seat.path, seat.body) == ("POST", "/player/seat", b"game_table_identifier=game_table_4")
    assert (READY.method, READY.path, READY.body) == ("GET", "/player/ready", b"")
    table = EnovaTable("50 50")
    first = table.form()
    table.game = 5
    assert (first["game_table_identifier"], table.form()["game_table_identifier"]) == ("game_table_4", "game_table_5")
    assert first["hand_identifier"] != table.form()["hand_identifier"]


def test_bet_equal_to_the_current_bet_is_a_call_and_a_bet_of_0_is_a_check() -> None:
    table = EnovaTable("50 50").play("blind:1 blind:2 bet:2 bet:2 bet:0 bet:0 bet:5 bet:5")
    taken = [(event.act, event.bet) for event in table.events if isinstance(event, ActionTaken)]
    assert taken == [("call", 2), ("check", 2), ("check", 0), ("check", 0), ("bet", 5), ("call", 5)]


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


def test_bots_are_notified_of_their_folds_and_winners_of_their_chips_before_the_hand_ends() -> None:
    table = EnovaTable("50 50 50").play("blind:1 blind:2 fold bet:2 bet:2 bet:4 fold")
    winner = next(seat for seat in range(3) if "won_chips" in table.notified(seat))
    assert table.notified(winner) == ["won_chips", "hand_ended"]
    assert [table.notified(seat) for seat in range(3) if seat != winner] == [["folded", "hand_ended"]] * 2
    assert dict(table.news(winner)[-2][1]) == {"event": "won_chips", "amount": "8"}


@pytest.mark.parametrize("name", ["Bot [x]", "Bot Awesome (netid2)", "a_b [c] (d) [", "Señor Água 42", "日本 bot"])
def test_names_are_unchanged_in_forms_except_for_brackets_in_keys(name: str) -> None:
    table = EnovaTable("10 10", names=(name, "Bob")).play("blind:1 blind:2 bet:4 fold")
    assert list(table.news(1)[-1][1]["winners"]) == [name.replace("[", "(").replace("]", ")")]
    other = EnovaTable("10 10", names=("Ann", name))
    assert other.form()["active_players"]["1"]["name"] == name


def test_no_bot_receives_cards_it_may_not_see() -> None:
    """Two hands differ only in cards that a bot never sees: a loser's and undealt cards. It gets the same bytes."""
    hands = ("As Ad, Kh Kc, 5c 4d", "As Ad, 2h 7c, 9c Td")
    sent = []
    for theirs in hands:
        table = EnovaTable("50 50 50", theirs, "2c 7d 9h" if theirs == hands[0] else "2c 7d 9h Js Qs")
        requests = []
        for turn in ("blind:1", "blind:2", "bet:2", "bet:2", "bet:2", "bet:0", "bet:0", "bet:6", "fold", "fold"):
            if table.seat == 0:
                requests.append(table.dialects[0].ask(table.view).body)
            table.play(turn)
        sent.append([*requests, *(call.body for call in table.calls[0])])
    assert sent[0] == sent[1]
    assert any(b"hand_ended" in body for body in sent[0])


class Ledger:
    """Each seat's chips at the start of the street, and its bets since, computed only from the events."""

    def __init__(self, stacks: list[int]) -> None:
        self.chips = stacks
        self.bets = [0] * len(stacks)
        self.minimum = 0
        self.actions: list[list[tuple[str, str]]] = [[] for _ in stacks]
        self.gone = {at for at, stack in enumerate(stacks) if not stack}
        self.pot = 0

    def hear(self, event: Event) -> None:
        match event:
            case BlindPosted(seat=seat, blind=blind, amount=amount):
                self.bets[seat] = amount
                self.minimum = max(self.minimum, {"small": 1, "big": 2}[blind])
                self.actions[seat].append(("blind", str(amount)))
            case ActionTaken(seat=seat, act="fold"):
                self.gone.add(seat)
            case ActionTaken(seat=seat, bet=bet):
                self.bets[seat], self.minimum = bet, max(self.minimum, bet)
                self.actions[seat].append(("bet", str(bet)))
            case StreetDealt():
                self.close()

    def close(self) -> None:
        self.chips = [chips - bet for chips, bet in zip(self.chips, self.bets, strict=True)]
        self.pot += sum(self.bets)
        self.bets = [0] * len(self.bets)
        self.minimum = 0
        self.actions = [[] for _ in self.actions]


def test_form_matches_the_events_of_random_hands() -> None:
    dice = random.Random("enova forms")
    asked = 0
    for number in range(50):
        stacks = [dice.choice([0, 1, 2, 3, 9, 30, 100]) for _ in range(dice.randrange(2, 9))]
        if sum(stack > 0 for stack in stacks) < 2:
            continue
        table = EnovaTable(" ".join(map(str, stacks)), deck=deck_of(number.to_bytes(32, "big")))
        ledger, heard = Ledger(stacks), 0
        while not table.hand.over:
            for event in table.events[heard:]:
                ledger.hear(event)
            heard = len(table.events)
            form = table.form()
            _check_form(form, table, ledger)
            low, high = int(form["minimum_bet"]), int(form["maximum_bet"])
            if dice.random() < 0.1:
                answer = dice.choice([b"", b'{"action":"fold"}', b'{"action":"bet","amount":1}'])
            elif form["blind"] == "true":
                answer = b'{"action":"blind","amount":%d}' % low
            else:
                answer = b'{"action":"bet","amount":"%d"}' % (dice.randint(low, high) if dice.random() < 0.3 else low)
            table.answer(answer)
            asked += 1
        _check_end(table, ledger, table.events[heard:])
    assert asked > 400


def _check_form(form: dict[str, Any], table: EnovaTable, ledger: Ledger) -> None:
    live = [seat for seat in range(len(ledger.chips)) if seat not in ledger.gone]
    order = [seat for seat in live if seat >= table.seat] + [seat for seat in live if seat < table.seat]
    asked_blind = table.hand.turn is not None and table.hand.turn.blind
    low = {"small": 1, "big": 2}[asked_blind] if asked_blind else ledger.minimum
    high = low if asked_blind else max(low, min(ledger.chips[seat] for seat in live))
    assert (form["minimum_bet"], form["maximum_bet"]) == (str(low), str(high))
    assert form["your_chips"] == str(ledger.chips[table.seat])
    players = form["active_players"]
    actions = [[{"action": action, "amount": amount} for action, amount in own] for own in ledger.actions]
    expected = [(table.entrants[seat].name, str(ledger.chips[seat]), actions[seat]) for seat in order]
    rows = [(one["name"], one["chips"], list(one.get("actions_this_round", {}).values())) for one in players.values()]
    assert rows == expected
    assert list(players) == [str(position) for position in range(len(order))]
    assert _cards(form["your_hand"]) == table.hand.seats[table.seat].cards
    assert _cards(form.get("community_cards", {})) == table.hand.board


def _cards(form: Any) -> tuple[str, ...]:
    return tuple(card["value"] + card["suit"].lower() for card in form.values())


def _check_end(table: EnovaTable, ledger: Ledger, last: list[Event]) -> None:
    """Checks that the reported winnings and the chips returned to losers add up to all chips put in."""
    for event in last:
        ledger.hear(event)
    ledger.close()
    # A bot that missed a blind or lost all its chips has left its seat, and is not sent `hand_ended`.
    seated = [seat for seat in range(len(ledger.chips)) if "unseated" not in table.notified(seat)]
    sent = [news[-1][1] for seat in seated if (news := table.news(seat))]
    ends = [form for form in sent if form["event"] == "hand_ended"]
    winners = ends[0].get("winners", {})
    assert all(form.get("winners", {}) == winners for form in ends)
    names = [entrant.name for entrant in table.entrants]
    back = sum(e.amount for e in table.events if isinstance(e, BetReturned) and names[e.seat] not in winners)
    assert sum(int(shown["chips_received"]) for shown in winners.values()) + back == ledger.pot
    assert isinstance(table.events[-1], HandEnded)
