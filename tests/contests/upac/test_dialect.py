"""UPAC's lines: each example of its document, and what its original server and bots did beyond it."""

import random
from collections.abc import Sequence

import pytest
from phevaluator import evaluate_cards

from server.bots.dialects.messages import Decided, Heard, Malformed, Said
from server.contests.upac.dialect import LONGEST_LINE, Upac
from server.contests.upac.rules import UPAC
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Card, Deck
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Event, HandEnded, TurnStarted
from server.game.hand import Hand
from server.game.view import view_of
from tests.bots.views import entrants_of, seen
from tests.game.table import Table, deal

ANY = "As Kd, Qh Qc"
BOARD = "2c 7d 9h Ts 4c"


def transcript(table: Table, script: str) -> list[list[str]]:
    """Every line that both bots are sent while the script is played: those of the small blind (seat 0), then the big.

    As from the dealer, all that a decision leads to is sent once all of it has happened.
    """
    lines: list[list[str]] = [[], []]
    dialects = (Upac(), Upac())
    _notify(table.hand, table.events, dialects, lines)
    for word in script.replace("/", "").split():
        before = len(table.events)
        table.play(word)
        _notify(table.hand, table.events[before:], dialects, lines)
    return lines


def _notify(hand: Hand, events: Sequence[Event], dialects: Sequence[Upac], lines: Sequence[list[str]]) -> None:
    for event in events:
        for seat, dialect in enumerate(dialects):
            view = view_of(hand, seat, 1, entrants_of(2))
            line = dialect.notify(event, view) if isinstance(event, dialect.news) else None
            lines[seat].extend([line.decode()] if line else [])
            if isinstance(event, TurnStarted) and event.seat == seat:
                lines[seat].append(dialect.ask(view).decode())


def lines(text: str) -> list[str]:
    return [f"{line.strip()}\n" for line in text.strip().splitlines()]


# -- a round, as the document has it -----------------------------------------------------------------


def test_round_that_ends_by_a_fold_is_sent_as_the_document_says() -> None:
    small, big = transcript(deal("50 50", ANY, BOARD, rules=UPAC), "raise:6 call / check bet:5 fold")
    assert small == lines("""
        START SB
        PREFLOP As Kd
        STACK 1 50 2 50
        FLOP 2c 7d 9h
        STACK 6 50 6 50
        END FOLD BB
    """)
    assert big == lines("""
        START BB
        PREFLOP Qh Qc
        STACK 2 50 6 50
        FLOP 2c 7d 9h
        STACK 6 50 6 50
        STACK 6 50 11 50
        END FOLD BB
    """)


def test_showdown_hides_a_loser_who_was_not_the_last_aggressor() -> None:
    script = "call check / bet:4 call / check check / check check"
    small, big = transcript(deal("50 50", ANY, BOARD, rules=UPAC), script)
    assert small[-1] == "END SHOWDOWN WINNER BB SHOWN Qh Qc\n"
    assert big[-1] == "END SHOWDOWN WINNER BB HIDDEN\n"
    assert big == lines("""
        START BB
        PREFLOP Qh Qc
        STACK 2 50 2 50
        FLOP 2c 7d 9h
        STACK 2 50 2 50
        TURN Ts
        STACK 6 50 6 50
        RIVER 4c
        STACK 6 50 6 50
        END SHOWDOWN WINNER BB HIDDEN
    """)


CHECKED = "call check / check check / check check / check check"


@pytest.mark.parametrize(
    ("hands", "board", "script", "small", "big"),
    [
        pytest.param(ANY, BOARD, "call check / check bet:4 call / check check / check check",
                     "WINNER BB SHOWN Qh Qc", "WINNER BB SHOWN As Kd",
                     id="a loser who was the last aggressor shows to the winner too"),
        pytest.param("Qh Qc, As Kd", BOARD, CHECKED, "WINNER SB SHOWN As Kd", "WINNER SB SHOWN Qh Qc",
                     id="the last aggressor starts as the big blind"),
        pytest.param("2c 3d, 2d 3c", "Ts Js Qs Ks As", CHECKED, "TIE 2d 3c", "TIE 2c 3d",
                     id="on a tie both see each other's cards"),
    ],
)  # fmt: skip
def test_who_shows(hands: str, board: str, script: str, small: str, big: str) -> None:
    sent = transcript(deal("50 50", hands, board, rules=UPAC), script)
    assert [lines[-1] for lines in sent] == [f"END SHOWDOWN {small}\n", f"END SHOWDOWN {big}\n"]


@pytest.mark.parametrize(
    ("stacks", "script", "small", "big"),
    [
        pytest.param("60 40", "raise:50 call / check check / check check / check check",
                     ["1 60 2 40", *["40 60 40 40"] * 3], ["2 40 40 60", *["40 40 40 60"] * 3],
                     id="after an all-in both are still asked on every street"),
        pytest.param("99 1", CHECKED, ["1 99 1 1"] * 4, ["1 1 1 99"] * 4,
                     id="of a blind only what the other can match is pushed"),
        pytest.param("1 99", CHECKED.replace("call", "check"), ["1 1 1 99"] * 4, ["1 99 1 1"] * 4,
                     id="of the big blind too"),
    ],
)  # fmt: skip
def test_what_is_pushed(stacks: str, script: str, small: list[str], big: list[str]) -> None:
    sent = transcript(deal(stacks, ANY, BOARD, rules=UPAC), script)
    asked = [[line.removeprefix("STACK ").strip() for line in lines if line.startswith("STACK")] for lines in sent]
    assert asked == [small, big]


def test_game_lost_by_a_fault_has_no_last_line() -> None:
    hand, events = take_turn(deal("50 50", rules=UPAC).hand, Fold(), fault="timeout")
    assert isinstance(events[-1], HandEnded)
    lines: list[list[str]] = [[], []]
    _notify(hand, events, (Upac(), Upac()), lines)
    assert lines == [[], []]


# -- actions -----------------------------------------------------------------------------------------


def received(*pieces: bytes, bet: str = "") -> list[Said]:
    """How the dialect reads a bot's answer."""
    dialect = Upac()
    dialect.ask(seen(deal("50 50", rules=UPAC).play(bet)))
    return [heard.said for piece in pieces for heard in dialect.receive(piece)]


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        (b"F", Fold()),
        (b"C", Call()),
        (b"R0", Call()),
        (b"R6", RaiseTo(8)),
        (b"R06", RaiseTo(8)),
        (b"R+6", RaiseTo(8)),
        (b"R+006", RaiseTo(8)),
        (b"R+0", Call()),
        (b"R" + b"0" * 200 + b"6", RaiseTo(8)),
        (b"R18446744073709551615", RaiseTo(18446744073709551617)),
        (b"  C \t", Call()),
        (b"C\r", Call()),
        (b"\x0c R6\x0b", RaiseTo(8)),
        (b"\xef\xbb\xbfC", Call()),
    ],
)
def test_action_is_a_line_and_white_space_around_it_is_ignored(line: bytes, decision: Decision) -> None:
    assert received(line + b"\n") == [Decided(decision)]


def test_raise_first_matches_the_opponents_bet_and_then_adds() -> None:
    assert received(b"R6\n", bet="raise:10") == [Decided(RaiseTo(16))]
    assert received(b"R6\n", bet="call check / bet:4") == [Decided(RaiseTo(10))]


@pytest.mark.parametrize(
    "line",
    [
        b"R-1", b"R", b"R1.0", b"r5", b"X", b"c", b"f", b"CC", b"C C", b"R 6", b"R6 ?", b"R1e3", b"R0x10",
        b"R+", b"R++6", b"R+-6", b"R-0", b"+R6", b"R6+", b"R+ 6",
        b"R1_0", b"R18446744073709551616", b"R" + b"9" * 200, b"R\xc2\xb2",
        "R\u0665".encode(), b"\xff\xfe", b"\0C", b"C\0", b"FOLD", b"?",
        b" " * LONGEST_LINE + b"C",
    ],
)  # fmt: skip
def test_anything_else_is_invalid(line: bytes) -> None:
    (malformed,) = received(line + b"\n")
    assert isinstance(malformed, Malformed)


def test_blank_lines_are_white_space_too() -> None:
    assert received(b"\n \r\n\nC\n\n") == [Decided(Call())]


def test_endless_line_is_one_invalid_action_and_costs_no_memory() -> None:
    dialect = Upac()
    messages = [each for _ in range(1000) for each in dialect.receive(b"C" * 1000)]
    assert len(messages) == 1
    assert dialect.receive(b"C\nF\n") == [Heard(b"F", Decided(Fold()))]


def test_any_cut_of_the_bytes_gives_the_same_actions() -> None:
    dice = random.Random(1)
    whole = b" C\r\nR5\n\nX\nF\n" + b"9" * 300 + b"\nR0\n"
    once = received(whole)
    assert len(once) == 6
    for _ in range(200):
        cuts = sorted(dice.sample(range(len(whole)), dice.randint(1, 8)))
        pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        assert received(*pieces) == once


def test_garbage_never_raises() -> None:
    dice = random.Random(2)
    dialect = Upac()
    for _ in range(3000):
        dialect.receive(bytes(dice.choice(b"FCRr0123456789-. \n\r\t\xff\0") for _ in range(dice.randint(0, 40))))
    dialect.receive(b"\n")
    assert dialect.receive(b"C\n") == [Heard(b"C", Decided(Call()))]


# -- what is shown and pushed, against an oracle that knows nothing of the engine ----------------------


class Oracle:
    """A round of UPAC by the document alone, given what both did; it counts in its own way."""

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
        """Goes on to the next turn; the round is over with `street` 4 or `folded`."""
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
        """The last line to the small blind, and to the big one."""
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
    """Who is asked when, with which numbers, also after an all-in; and what is shown to whom."""
    dice = random.Random(seed)
    ends: set[str] = set()
    for _ in range(250):
        cards = tuple(dice.sample(DECK, len(DECK)))
        small = dice.choice([50, 50, dice.randint(1, 99)])
        ends |= {word for end in _check_round((small, 100 - small), cards, dice) for word in end.split()}
    assert ends >= {"FOLD", "SHOWN", "HIDDEN", "TIE"}


def _check_round(stacks: tuple[int, int], cards: tuple[Card, ...], dice: random.Random) -> tuple[str, str]:
    lines: list[list[str]] = [[], []]
    dialects = (Upac(), Upac())
    hand, events = start_hand(UPAC, 1, 0, stacks, Deck(cards))
    oracle = Oracle(stacks, [hand.seats[0].cards, hand.seats[1].cards], cards[4:9])
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
        assert isinstance(heard.said, Decided)
        hand, events = take_turn(hand, heard.said.decision)
        before = oracle.street
        oracle.apply(action)
        if before < oracle.street < 4:
            for seat in (0, 1):
                expected[seat].append(streets[oracle.street])
    _notify(hand, events, dialects, lines)
    for seat in (0, 1):
        assert lines[seat] == [*expected[seat], oracle.ends()[seat]]
    return oracle.ends()


def test_messages_do_not_depend_on_hidden_cards() -> None:
    """Decks that differ only in the other's cards and the cards to come, same actions: the same bytes."""
    dice = random.Random(5)
    for _ in range(200):
        cards = dice.sample(DECK, len(DECK))
        me, dealt = dice.choice((0, 1)), dice.choice((0, 3, 4))
        calls = 2 * [0, 3, 4].index(dealt) + 1
        mine = slice(2, 4) if me == 0 else slice(0, 2)  # The big blind is the first to get cards.
        known = [*range(52)[mine], *range(4, 4 + dealt)]
        hidden = [at for at in range(52) if at not in known]
        other = list(cards)
        for at, new in zip(hidden, dice.sample(hidden, len(hidden)), strict=True):
            other[at] = cards[new]
        assert _sent_to(me, cards, calls) == _sent_to(me, other, calls)


def _sent_to(me: int, cards: Sequence[Card], calls: int) -> list[str]:
    lines: list[list[str]] = [[], []]
    dialects = (Upac(), Upac())
    hand, events = start_hand(UPAC, 1, 0, (50, 50), Deck(tuple(cards)))
    for _ in range(calls):
        _notify(hand, events, dialects, lines)
        hand, events = take_turn(hand, Call())
    return lines[me]
