"""Bots in the contest UPAC get the messages of its rule book. We accept each action that UPAC's own server accepted."""

from collections.abc import Sequence
from itertools import product

import pytest

from server.bots.dialects.messages import MAX_THOUGHT_BYTES, BotMessage, DecisionMessage, Malformed, MessageContent
from server.contests.upac.dialect import MAX_LINE_BYTES, UpacDialect
from server.contests.upac.rules import UPAC
from server.game.betting import take_turn
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import Event, TurnStarted
from tests.bots.views import table_view
from tests.game.table import deal


class Round:
    """A hand (a UPAC "round"). Seat 0 is the small blind, seat 1 the big blind. `sent` has each seat's lines."""

    def __init__(self, stacks: str, hands: str = "", board: str = "") -> None:
        self.table = deal(stacks, hands, board, rules=UPAC)
        self._dialects = (UpacDialect(), UpacDialect())
        self.sent: tuple[list[str], list[str]] = ([], [])
        self.send(self.table.events)

    def play(self, actions: str) -> None:
        for action in actions.split():
            (message,) = self._dialects[self.table.turn.seat].receive(f"{action}\n".encode())
            assert isinstance(message.content, DecisionMessage)
            self.send(self.table.take(message.content.decision))

    def send(self, events: Sequence[Event]) -> None:
        for event, (seat, dialect) in product(events, enumerate(self._dialects)):
            view = table_view(self.table, seat)
            line = dialect.notify(event, view) if isinstance(event, dialect.notified_events) else None
            self.sent[seat].extend([line.decode()] if line else [])
            if isinstance(event, TurnStarted) and event.seat == seat:
                self.sent[seat].append(dialect.ask(view).decode())


BOARD = "Kh 9s 4d Jc 2s"
ACES_WIN, KINGS_WIN, HANDS_TIE = "As Ad, 7h 8c", "7h 8c, Ks Kd", "As Qd, Ac Qh"


def on_all_streets(question: str) -> str:
    """Returns the lines that a bot gets from the flop on, if `question` (a STACK line) is asked on every street."""
    return f"FLOP Kh 9s 4d; {question}; TURN Jc; {question}; RIVER 2s; {question}; "


@pytest.mark.parametrize(("stacks", "hands", "actions", "to_small_blind", "to_big_blind"), [
    ("50 50", ACES_WIN, "F", "STACK 1 50 2 50; END FOLD SB", "END FOLD SB"),
    ("50 50", ACES_WIN, "R6 C C R6 R7 F",
     "STACK 1 50 2 50; FLOP Kh 9s 4d; STACK 8 50 8 50; STACK 14 50 21 50; END FOLD SB",
     "STACK 2 50 8 50; FLOP Kh 9s 4d; STACK 8 50 8 50; STACK 8 50 14 50; END FOLD SB"),
    # The last aggressor must show even a losing hand. If nobody bets, the big blind is the last aggressor.
    ("50 50", ACES_WIN, "C C C C C C C C", "STACK 1 50 2 50; "
     + on_all_streets("STACK 2 50 2 50") + "END SHOWDOWN WINNER SB SHOWN 7h 8c",
     "STACK 2 50 2 50; " + on_all_streets("STACK 2 50 2 50") + "END SHOWDOWN WINNER SB SHOWN As Ad"),
    # After an all-in, both bots are still asked on every street.
    ("30 70", ACES_WIN, "R100 C C C C C C C", "STACK 1 30 2 70; "
     + on_all_streets("STACK 30 30 30 70") + "END SHOWDOWN WINNER SB HIDDEN",
     "STACK 2 70 30 30; " + on_all_streets("STACK 30 70 30 30") + "END SHOWDOWN WINNER SB SHOWN As Ad"),
    # The small blind has only one chip, so only one chip of the big blind counts.
    ("1 99", KINGS_WIN, "C C C C C C C C", "STACK 1 1 1 99; "
     + on_all_streets("STACK 1 1 1 99") + "END SHOWDOWN WINNER BB SHOWN Ks Kd",
     "STACK 1 99 1 1; " + on_all_streets("STACK 1 99 1 1") + "END SHOWDOWN WINNER BB HIDDEN"),
    ("50 50", HANDS_TIE, "C C C C C C C C", "STACK 1 50 2 50; "
     + on_all_streets("STACK 2 50 2 50") + "END SHOWDOWN TIE Ac Qh",
     "STACK 2 50 2 50; " + on_all_streets("STACK 2 50 2 50") + "END SHOWDOWN TIE As Qd"),
])  # fmt: skip
def test_bots_are_sent_the_lines_of_the_rule_book(
    stacks: str, hands: str, actions: str, to_small_blind: str, to_big_blind: str
) -> None:
    upac_round = Round(stacks, hands, BOARD)
    upac_round.play(actions)
    for sent, blind, cards, lines in zip(
        upac_round.sent, ("SB", "BB"), hands.split(", "), (to_small_blind, to_big_blind), strict=True
    ):
        assert sent == [f"{line}\n" for line in (f"START {blind}", f"PREFLOP {cards}", *lines.split("; "))]


def test_game_lost_by_a_fault_ends_without_an_end_line() -> None:
    upac_round = Round("50 50")
    lines_before = [[*sent] for sent in upac_round.sent]
    upac_round.table.hand, events = take_turn(upac_round.table.hand, Fold(), fault="timeout")
    upac_round.send(events)
    assert [*upac_round.sent] == lines_before


def read_actions(sent: bytes) -> list[MessageContent]:
    dialect = UpacDialect()
    dialect.ask(table_view(deal("50 50", rules=UPAC)))
    return [message.content for message in dialect.receive(sent)]


def test_white_space_around_an_action_is_ignored() -> None:
    for line, decision in (
        (b"C", Call()),
        (b"F", Fold()),
        (b"R+006", RaiseTo(8)),
        (b"R" + b"0" * 200 + b"6", RaiseTo(8)),
        (b"R18446744073709551615", RaiseTo(18446744073709551617)),
        (b"\x0c R6\x0b", RaiseTo(8)),
        (b"\xef\xbb\xbfC", Call()),
        (b"\n \r\n\nC\n", Call()),
    ):
        assert read_actions(line + b"\n") == [DecisionMessage(decision)]


def test_any_other_line_is_malformed() -> None:
    for line in (
        *(b"R-1", b"R", b"R1.0", b"R 6", b"R1_0", b"R0x10", b"+R6", b"r5", b"c", b"C C", b"C\0", b"\xff\xfe"),
        *(b"R\xc2\xb2", "R\u0665".encode()),  # a superscript two and an Arabic five
        *(b"R18446744073709551616", b"R" + b"9" * 200),
        b" " * MAX_LINE_BYTES + b"C",
        *(b"#thought: x", b" # thought: x", b"# THOUGHT: x"),
    ):
        (message,) = read_actions(line + b"\n")
        assert isinstance(message, Malformed), line


def test_thought_belongs_to_the_next_action() -> None:
    dialect, view = UpacDialect(), table_view(deal("100 100", rules=UPAC))
    dialect.ask(view)
    (message,) = dialect.receive("# thought: He looks naïve.\nR6\n".encode())
    assert message.content == DecisionMessage(RaiseTo(8), "He looks naïve.")
    dialect.receive(b"# thought: too late for that turn\n")
    dialect.ask(view)
    assert dialect.receive(b"C\n") == [BotMessage(b"C", DecisionMessage(Call()))]


def test_endless_thought_is_cut() -> None:
    dialect = UpacDialect()
    assert not dialect.receive(b"# thought:" + b"x" * 100_000)
    assert len(dialect.unfinished) < 2 * MAX_THOUGHT_BYTES  # `unfinished`: what is kept of the line so far
    (message,) = dialect.receive(b"xxx\nC\n")
    assert isinstance(message.content, DecisionMessage)
    assert message.content.decision == Call()
    assert message.content.note == "x" * 2000  # `note`: the text of the thought
