"""Lines of the contest UPAC are as documented; all actions that the original server accepted are accepted."""

import random
from collections.abc import Sequence

import pytest
from phevaluator import evaluate_cards

from server.bots.dialects.messages import (
    MAX_THOUGHT_BYTES,
    THOUGHT_PREFIX,
    BotMessage,
    DecisionMessage,
    Malformed,
    MessageContent,
)
from server.contests.upac.dialect import MAX_LINE_BYTES, UpacDialect
from server.contests.upac.rules import UPAC
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Card, Deck
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import Event, HandEnded, TurnStarted
from server.game.hand import Hand
from server.game.view import view_of
from tests.bots.views import entrants_of, table_view
from tests.game.table import deal


def _notify(hand: Hand, events: Sequence[Event], dialects: Sequence[UpacDialect], lines: Sequence[list[str]]) -> None:
    """Adds to each seat's `lines` what is sent to its bot for these events."""
    for event in events:
        for seat, dialect in enumerate(dialects):
            view = view_of(hand, seat, 1, entrants_of(2))
            line = dialect.notify(event, view) if isinstance(event, dialect.news_types) else None
            lines[seat].extend([line.decode()] if line else [])
            if isinstance(event, TurnStarted) and event.seat == seat:
                lines[seat].append(dialect.ask(view).decode())


def test_bots_get_no_last_line_if_a_fault_loses_the_game() -> None:
    hand, events = take_turn(deal("50 50", rules=UPAC).hand, Fold(), fault="timeout")
    assert isinstance(events[-1], HandEnded)
    lines: list[list[str]] = [[], []]
    _notify(hand, events, (UpacDialect(), UpacDialect()), lines)
    assert lines == [[], []]


def read_actions(*pieces: bytes) -> list[MessageContent]:
    dialect = UpacDialect()
    dialect.ask(table_view(deal("50 50", rules=UPAC)))
    return [heard.content for piece in pieces for heard in dialect.receive(piece)]


def test_action_is_a_line_and_white_space_around_it_is_ignored() -> None:
    for line, decision in (
        (b"C", Call()),
        (b"R6", RaiseTo(8)),
        (b"R+006", RaiseTo(8)),
        (b"R" + b"0" * 200 + b"6", RaiseTo(8)),
        (b"R18446744073709551615", RaiseTo(18446744073709551617)),
        (b"\x0c R6\x0b", RaiseTo(8)),
        (b"\xef\xbb\xbfC", Call()),
        (b"\n \r\n\nC\n", Call()),
    ):
        assert read_actions(line + b"\n") == [DecisionMessage(decision)]


def test_line_that_is_no_action_is_invalid() -> None:
    for line in (
        b"R-1",
        b"R",
        b"R1.0",
        b"r5",
        b"X",
        b"c",
        b"C C",
        b"R 6",
        b"R0x10",
        b"R+",
        b"R+-6",
        b"+R6",
        b"R1_0",
        b"R18446744073709551616",
        b"R" + b"9" * 200,
        b"R\xc2\xb2",
        "R\u0665".encode(),
        b"\xff\xfe",
        b"C\0",
        b" " * MAX_LINE_BYTES + b"C",
        b"# he is weak",
        b"#thought: x",
        b" # thought: x",
        b"# THOUGHT: x",
    ):
        (malformed,) = read_actions(line + b"\n")
        assert isinstance(malformed, Malformed)


def test_thought_belongs_to_the_action_that_follows_it() -> None:
    dialect, view = UpacDialect(), table_view(deal("100 100", rules=UPAC))
    dialect.ask(view)
    (heard,) = dialect.receive("# thought: He looks naïve.\nR6\n".encode())
    assert heard.content == DecisionMessage(RaiseTo(8), "He looks naïve.")
    dialect.receive(b"# thought: too late for that turn\n")
    dialect.ask(view)
    assert dialect.receive(b"C\n") == [BotMessage(b"C", DecisionMessage(Call()))]


def test_thought_or_line_without_end_is_cut_and_costs_no_memory() -> None:
    dialect = UpacDialect()
    assert not dialect.receive(THOUGHT_PREFIX + b"x" * 100_000)
    assert len(dialect.unfinished) < 2 * MAX_THOUGHT_BYTES
    (heard,) = dialect.receive(b"xxx\nC\n")
    assert isinstance(heard.content, DecisionMessage)
    assert heard.content.decision == Call()
    assert heard.content.note == "x" * 2000
    dialect = UpacDialect()
    messages = [each for _ in range(1000) for each in dialect.receive(b"C" * 1000)]
    assert len(messages) == 1
    assert dialect.receive(b"C\nF\n") == [BotMessage(b"F", DecisionMessage(Fold()))]


class DocumentedRound:
    """A round of UPAC that is computed only from the rule book and the actions, without the engine."""

    def __init__(self, stacks: Sequence[int], hands: Sequence[Sequence[Card]], board: Sequence[Card]) -> None:
        self.stacks, self.hands, self.board = stacks, hands, board
        self.cap = min(stacks)
        self.pushed = [min(1, self.cap), min(2, self.cap)]
        self.aggressor = 1
        self.street = 0
        self.acted: set[int] = set()
        self.actor = 0
        self.folded = -1

    def question(self) -> str:
        me, them = self.actor, 1 - self.actor
        return f"STACK {self.pushed[me]} {self.stacks[me]} {self.pushed[them]} {self.stacks[them]}\n"

    def apply(self, action: str) -> None:
        """Applies an action. The round is over once `street` is 4 or `folded` is a seat."""
        me, them = self.actor, 1 - self.actor
        self.acted.add(me)
        if action == "F":
            self.folded = me
            return
        target = min(self.pushed[them] + int(action[1:] or 0), self.cap)
        if target > self.pushed[them]:
            self.aggressor = me
        self.pushed[me] = max(target, self.pushed[them])
        self.actor = them
        if self.acted == {0, 1} and self.pushed[0] == self.pushed[1]:
            self.street, self.acted, self.actor = self.street + 1, set(), 1

    def ends(self) -> tuple[str, str]:
        """The last lines that are sent: first the small blind's, then the big blind's."""
        if self.folded >= 0:
            return (f"END FOLD {'SB' if self.folded == 0 else 'BB'}\n",) * 2
        worth = [-evaluate_cards(*hand, *self.board) for hand in self.hands]
        cards = [" ".join(hand) for hand in self.hands]
        if worth[0] == worth[1]:
            return f"END SHOWDOWN TIE {cards[1]}\n", f"END SHOWDOWN TIE {cards[0]}\n"
        winner = 0 if worth[0] > worth[1] else 1
        name = "SB" if winner == 0 else "BB"
        to_loser = f"END SHOWDOWN WINNER {name} SHOWN {cards[winner]}\n"
        seen = f"SHOWN {cards[1 - winner]}" if self.aggressor == 1 - winner else "HIDDEN"
        to_winner = f"END SHOWDOWN WINNER {name} {seen}\n"
        return (to_winner, to_loser) if winner == 0 else (to_loser, to_winner)


@pytest.mark.parametrize("seed", range(4))
def test_random_rounds_are_sent_as_the_document_says(seed: int) -> None:
    """Checks when each bot is asked (also after an all-in), the numbers in the question, and the cards it is shown."""
    dice = random.Random(seed)
    ends: set[str] = set()
    for _ in range(250):
        cards = tuple(dice.sample(DECK, len(DECK)))
        small = dice.choice([50, 50, dice.randint(1, 99)])
        ends |= {word for end in _check_round((small, 100 - small), cards, dice) for word in end.split()}
    assert ends >= {"FOLD", "SHOWN", "HIDDEN", "TIE"}


def _check_round(stacks: tuple[int, int], cards: tuple[Card, ...], dice: random.Random) -> tuple[str, str]:
    lines: list[list[str]] = [[], []]
    dialects = (UpacDialect(), UpacDialect())
    hand, events = start_hand(UPAC, 1, 0, stacks, Deck(cards))
    oracle = DocumentedRound(stacks, [hand.seats[0].cards, hand.seats[1].cards], cards[4:9])
    expected: list[list[str]] = [[], []]
    for seat, name in enumerate(("SB", "BB")):
        expected[seat] += [f"START {name}\n", f"PREFLOP {' '.join(oracle.hands[seat])}\n"]
    streets = ["", f"FLOP {' '.join(cards[4:7])}\n", f"TURN {cards[7]}\n", f"RIVER {cards[8]}\n"]
    while not hand.over:
        _notify(hand, events, dialects, lines)
        expected[oracle.actor].append(oracle.question())
        assert lines == expected
        action = dice.choice(["C", "C", "C", "F", f"R{dice.randint(0, 9)}", f"R{dice.choice([0, 50, 100, 10**9])}"])
        action = "C" if action == "F" and dice.random() < 0.6 else action
        (heard,) = dialects[oracle.actor].receive(f"{action}\n".encode())
        assert isinstance(heard.content, DecisionMessage)
        hand, events = take_turn(hand, heard.content.decision)
        before = oracle.street
        oracle.apply(action)
        if before < oracle.street < 4:
            for seat in (0, 1):
                expected[seat].append(streets[oracle.street])
    _notify(hand, events, dialects, lines)
    for seat in (0, 1):
        assert lines[seat] == [*expected[seat], oracle.ends()[seat]]
    return oracle.ends()
