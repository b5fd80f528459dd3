"""The lines sent to ACPC players agree with the rule book and pokerkit, and answers become the right decisions."""

import random
import re

import pytest
from pokerkit import HandHistory

from server.bots.dialects.messages import Decided, Heard, Incompatible, Malformed
from server.contests.acpc.contest import CONTEST
from server.contests.acpc.dialect import LONGEST_LINE, Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.game.betting import decision_behind, start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.hand import Hand
from server.game.view import view_of
from server.hand_histories.phh_writer import phh
from server.hand_histories.replay import cards_in
from tests.contests.acpc.hands import deck_of_cards, entrants_of, lines_sent, match
from tests.game.random_hands import random_deck

DUEL = Game(2)
TYPES = {message.name: message.type for message in CONTEST.protocol.messages}


def test_lines_of_the_documents_example_are_sent() -> None:
    """Seat 1 has the button, so it is position 1, which acts first before the flop and last on later streets."""
    script: list[Decision] = [RaiseTo(300), RaiseTo(900), Call(), RaiseTo(900), Call(), Call(), RaiseTo(1800), Fold()]
    lines = lines_sent(DUEL, 1, deck_of_cards("5d5c JdTc 6dJc9c Kh 2s"), script, number=32)
    assert lines[1] == [
        "MATCHSTATE:1:31::|JdTc\r\n",
        "MATCHSTATE:1:31:r300:|JdTc\r\n",
        "MATCHSTATE:1:31:r300r900:|JdTc\r\n",
        "MATCHSTATE:1:31:r300r900c/:|JdTc/6dJc9c\r\n",
        "MATCHSTATE:1:31:r300r900c/r1800:|JdTc/6dJc9c\r\n",
        "MATCHSTATE:1:31:r300r900c/r1800c/:|JdTc/6dJc9c/Kh\r\n",
        "MATCHSTATE:1:31:r300r900c/r1800c/c:|JdTc/6dJc9c/Kh\r\n",
        "MATCHSTATE:1:31:r300r900c/r1800c/cr3600:|JdTc/6dJc9c/Kh\r\n",
        "MATCHSTATE:1:31:r300r900c/r1800c/cr3600f:|JdTc/6dJc9c/Kh\r\n",
    ]
    assert lines[0][-1] == "MATCHSTATE:0:31:r300r900c/r1800c/cr3600f:5d5c|/6dJc9c/Kh\r\n"


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_lines_sent_to_players_agree_with_pokerkit_and_the_guide(players: int) -> None:
    for hand in match(Game(players), 30, seed=players):
        decisions = [decision_behind(act) for act in hand.acts]
        dealt = [*(hand.hole[seat] for seat in hand.players), cards_in(hand.events).board]
        deck = deck_of_cards("".join(card for cards in dealt for card in cards))
        lines = lines_sent(Game(players), hand.started.button, deck, decisions, hand.number)
        elsewhere = HandHistory.loads(phh(hand, ""))
        for position, seat in enumerate(hand.players):
            said = [line for way, line in elsewhere.to_acpc_protocol(position, hand.number - 1) if way == "S->"]
            assert lines[seat] == said
            assert all(re.fullmatch(TYPES["MATCHSTATE"], line.removesuffix("\r\n")) for line in lines[seat])


def ask_after(decisions: list[Decision]) -> tuple[Acpc, Hand, str]:
    """Plays `decisions`; returns the dialect of the seat to act, the hand, and the state sent to this seat."""
    hand, events = start_hand(rules_of(DUEL), 1, 1, (20_000, 20_000), random_deck(random.Random(1)))
    seen = [*events]
    for decision in decisions:
        hand, events = take_turn(hand, decision)
        seen += events
    assert hand.turn is not None, "a seat must be to act"
    dialect, view = Acpc(), view_of(hand, hand.turn.seat, 1, entrants_of(2))
    assert not dialect.receive(b"VERSION:2.0.0\r\n")
    for event in seen:
        if isinstance(event, dialect.news):
            dialect.notify(event, view)
    return dialect, hand, dialect.ask(view).decode().strip()


def decisions_in(heard: list[Heard]) -> list[object]:
    """The items of `heard`: each decision itself, and only the type of any other item."""
    return [each.said.decision if isinstance(each.said, Decided) else type(each.said) for each in heard]


@pytest.mark.parametrize(
    ("decisions", "action", "means"),
    [
        ([], "c", [Call()]),
        ([], "f", [Fold()]),
        *(([], f"r{total}", [RaiseTo(total)]) for total in (200, 300, 20_000)),
        ([RaiseTo(300), RaiseTo(900), Call()], "r2700", [RaiseTo(1800)]),
        ([], "r90000", [Malformed, RaiseTo(20_000)]),
        ([RaiseTo(300), RaiseTo(900), Call()], "r950", [Malformed, RaiseTo(100)]),
        ([Call()], "f", [Malformed, Call()]),
        ([RaiseTo(20_000)], "r20000", [Malformed, Call()]),
        ([], "r", [Malformed, Call()]),
        ([], "r-5", [Malformed, Call()]),
        ([], "r" + "9" * 400, [Malformed, RaiseTo(20_000)]),
    ],
)
def test_action_becomes_the_expected_decision(decisions: list[Decision], action: str, means: list[object]) -> None:
    dialect, hand, state = ask_after(decisions)
    assert decisions or CONTEST.words.expected_in(hand) == "f, c (costs 50) or r200 to r20000, within 10 s"
    heard = dialect.receive(f"{state}:{action}\r\n".encode())
    assert decisions_in(heard) == means
    decided = heard[-1].said
    assert isinstance(decided, Decided)
    take_turn(hand, decided.decision)


def test_examples_and_sample_mistakes_in_the_guide_are_read_as_it_says() -> None:
    for message in CONTEST.protocol.messages:
        assert all(re.fullmatch(message.type, example) for example in message.examples if isinstance(message.type, str))
    for mistake in CONTEST.protocol.mistakes:
        dialect, _, state = ask_after([])
        heard = dialect.receive(f"{mistake.sent.replace('{state}', state)}\r\n".encode())[0].said
        assert isinstance(heard, Malformed)
        assert heard.reason.startswith(mistake.answered), mistake.sent


def test_unexpected_lines_are_malformed_and_an_endless_line_is_cut_and_reported_once() -> None:
    dialect, _, state = ask_after([])
    other = state.replace("MATCHSTATE:1:0", "MATCHSTATE:1:7")
    for line in ("hello", "MATCHSTATE:1", f"{other}:c", f"{state[:-1]}:c"):
        assert decisions_in(dialect.receive(f"{line}\r\n".encode())) == [Malformed]
    assert not dialect.receive(b"# one\r\n;another\n\r\n#" + b"x" * 3 * LONGEST_LINE), "comments must not be reported"
    assert not dialect.receive(b"the rest of it\n")
    heard = [each for _ in range(100) for each in dialect.receive(b"x" * 1000)]
    assert decisions_in(heard) == [Malformed]
    assert len(dialect.unfinished) <= LONGEST_LINE + len(state)
    assert decisions_in(dialect.receive(f"\n{state}:c\n".encode())) == [Call()]
    assert decisions_in(dialect.receive(f"{state}:c\n".encode())) == [Malformed], "a state may be answered only once"


def test_comment_with_a_thought_belongs_to_the_action_that_follows_it() -> None:
    dialect, _, state = ask_after([])
    (heard,) = dialect.receive(f"# thought: He has raised every hand.\r\n{state}:c\r\n".encode())
    assert heard.said == Decided(Call(), "He has raised every hand.")
    dialect, _, state = ask_after([])
    assert not dialect.receive(b"# thought: " + b"x" * 3 * LONGEST_LINE + b"\n# a comment\n")
    (heard,) = dialect.receive(f"{state}:c\r\n".encode())
    assert heard.said == Decided(Call(), "x" * 2000)


def test_every_hand_of_a_connection_has_its_own_number() -> None:
    dialect, numbers = Acpc(), []
    for game, hands in ((1, 3), (2, 2)):
        for number in range(1, hands + 1):
            hand, events = start_hand(rules_of(DUEL), number, 0, (20_000, 20_000), random_deck(random.Random(1)))
            view = view_of(hand, 0, game, entrants_of(2))
            for event in events:
                if isinstance(event, dialect.news):
                    dialect.notify(event, view)
            numbers.append(dialect.ask(view).split(b":")[2])
    assert numbers == [b"0", b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        *((f"{first}\r\n", []) for first in ("VERSION:2.0.0", "VERSION:2.0.7", "# hello\r\n\r\nVERSION:2.0.0")),
        *((f"VERSION{other}\r\n", [Incompatible]) for other in (":3.0.0", ":2.1.0", ":1.0.0", "")),
        ("MATCHSTATE:0:0::|:c\r\n", [Incompatible]),
        ("VERSION:" + "2" * 2 * LONGEST_LINE, [Incompatible]),
    ],
)
def test_match_ends_without_version_2_0(sent: str, heard: list[object]) -> None:
    assert decisions_in(Acpc().receive(sent.encode())) == heard
