"""Messages and logs of the contest ACPC agree with the competition's document, our guide and the library pokerkit."""

import re
import tracemalloc

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from pokerkit import HandHistory, NoLimitTexasHoldem

from server.bots.dialects.messages import BotMessage, DecisionMessage, Incompatible, Malformed
from server.contests.acpc.contest import CONTEST
from server.contests.acpc.dealer_log import acpc_log, read_acpc
from server.contests.acpc.dialect import MAX_LINE_BYTES, AcpcDialect
from server.contests.acpc.game_definition import BadGame, Game, game_text, read_game
from server.contests.acpc.rules import match_of_game, rules_of
from server.game.betting import decision_from_action, start_hand, take_turn
from server.game.cards import DECK, Deck
from server.game.decisions import Call, Fold, RaiseTo
from server.game.events import TurnStarted
from server.game.rules import Level
from server.game.view import view_of
from server.hand_histories.engine_replay import HandSetup, cards_in, play_published
from server.hand_histories.from_recording import HandRecord, recorded_hands
from server.hand_histories.phh_reader import BadHistory, PublishedHand
from server.hand_histories.phh_writer import phh_text
from server.hand_histories.rules import rules_of as rules_of_published
from tests.bots.views import entrants_of, table_view
from tests.game.table import Table, deal
from tests.support.games.contests import play_contest

DUEL = Game(2)
EXAMPLE_LOG = """\
# name/game/hands/seed NAME holdem.nolimit.3p.game 30 7
#--t_response 10000
#--t_hand 600000
#--t_per_hand 7000
STATE:0:r9423cr19160r20000cc///:8dJd|Td4d|As9d/6s3d6c/2c/Qc:-20000|-20000|40000:Alice|Bob|Carol
STATE:1:r3662cf/r10582r19566c/cc/cr19724f:7h2h|6d5d|QcQs/2c5c8c/Ts/5s:-19566|-100|19666:Bob|Carol|Alice
SCORE:-153460|-305541|459001:Alice|Bob|Carol
"""
REVERSE_BLINDS_GAME = """\
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def play_match(game: Game, hands: int) -> list[HandRecord]:
    return list(recorded_hands(play_contest(game.players, game.players, match_of_game(game, hands))))


def lines_sent(game: Game, hand: HandRecord) -> list[list[str]]:
    """Plays the recorded hand again. Returns the lines (messages) that each seat gets."""
    dialects, lines = [AcpcDialect() for _ in range(game.players)], [list[str]() for _ in range(game.players)]
    hole_cards = (hand.hole_cards[seat] for seat in hand.dealt_seats)
    dealt_cards = [card for cards in (*hole_cards, cards_in(hand.events).board) for card in cards]
    deck = Deck((*dealt_cards, *(card for card in DECK if card not in dealt_cards)))
    replay, events = start_hand(rules_of(game), hand.number, hand.started.button, (game.stack,) * game.players, deck)
    for act in [*hand.acts, None]:
        for event in events:
            for seat, dialect in enumerate(dialects):
                view = view_of(replay, seat, 1, entrants_of(game.players))
                line = dialect.notify(event, view) if isinstance(event, dialect.notified_events) else None
                if isinstance(event, TurnStarted) and event.seat == seat:
                    line = dialect.ask(view)
                lines[seat] += [line.decode()] if line else []
        if act:
            replay, events = take_turn(replay, decision_from_action(act))
    return lines


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_lines_sent_to_players_agree_with_pokerkit_and_the_guide(players: int) -> None:
    state_pattern = next(message.type for message in CONTEST.protocol.messages if message.name == "MATCHSTATE")
    for hand in play_match(Game(players), 30):
        lines, history = lines_sent(Game(players), hand), HandHistory.loads(phh_text(hand, ""))
        for position, seat in enumerate(hand.dealt_seats):
            protocol = history.to_acpc_protocol(position, hand.number - 1)
            assert lines[seat] == [line for direction, line in protocol if direction == "S->"]
            assert all(re.fullmatch(state_pattern, line.removesuffix("\r\n")) for line in lines[seat])


def state_sent(dialect: AcpcDialect, table: Table, game: int = 1) -> str:
    """Reports the hand's events to `dialect` (a writer of lines). Returns the line that asks the acting seat to act."""
    view = table_view(table, game=game)
    for event in table.events:
        if isinstance(event, dialect.notified_events):
            dialect.notify(event, view)
    return dialect.ask(view).decode().strip()


def ask_after(script: str = "") -> tuple[AcpcDialect, Table, str]:
    table, dialect = deal("20000 20000", rules=rules_of(DUEL)).play(script), AcpcDialect()
    assert not dialect.receive(b"VERSION:2.0.0\r\n")
    return dialect, table, state_sent(dialect, table)


def decisions_in(messages: list[BotMessage]) -> list[object]:
    """Returns the decision in each message, or the type of its content (such as Malformed) if it has no decision."""
    contents = [message.content for message in messages]
    return [content.decision if isinstance(content, DecisionMessage) else type(content) for content in contents]


def test_action_becomes_the_right_decision() -> None:
    legal_answers = CONTEST.rule_texts.legal_answers_text(ask_after()[1].hand)
    assert legal_answers == "f, c (costs 50) or r200 to r20000, within 10 s"
    for script, action, decisions in (
        ("", "c", [Call()]),
        ("", "f", [Fold()]),
        *(("", f"r{total}", [RaiseTo(total)]) for total in (200, 300, 20_000)),
        ("raise:300 raise:900 call", "r2700", [RaiseTo(1800)]),
        ("", "r90000", [Malformed, RaiseTo(20_000)]),
        ("call", "f", [Malformed, Call()]),
        ("all-in", "r20000", [Malformed, Call()]),
        *(("", action, [Malformed, Call()]) for action in ("r", "r-5")),
    ):
        dialect, table, state = ask_after(script)
        messages = dialect.receive(f"{state}:{action}\r\n".encode())
        assert decisions_in(messages) == decisions
        content = messages[-1].content
        assert isinstance(content, DecisionMessage)
        table.take(content.decision)


def test_examples_and_mistakes_are_read_as_the_guide_says() -> None:
    for message in CONTEST.protocol.messages:
        assert all(re.fullmatch(message.type, example) for example in message.examples if isinstance(message.type, str))
    for mistake in CONTEST.protocol.mistakes:
        dialect, _, state = ask_after()
        content = dialect.receive(f"{mistake.sent.replace('{state}', state)}\r\n".encode())[0].content
        assert isinstance(content, Malformed)
        assert content.reason.startswith(mistake.reported_as), mistake.sent


def test_unexpected_or_endless_line_is_malformed() -> None:
    dialect, _, state = ask_after()
    other_state = state.replace("MATCHSTATE:1:0", "MATCHSTATE:1:7")
    for line in ("hello", "MATCHSTATE:1", f"{other_state}:c", f"{state[:-1]}:c"):
        assert decisions_in(dialect.receive(f"{line}\r\n".encode())) == [Malformed]
    assert not dialect.receive(b"# one\r\n;another\n\r\n#" + b"x" * 3 * MAX_LINE_BYTES), "comments must be skipped"
    assert not dialect.receive(b"the rest of it\n")
    messages = [message for _ in range(100) for message in dialect.receive(b"x" * 1000)]
    assert decisions_in(messages) == [Malformed]
    assert len(dialect.unfinished) <= MAX_LINE_BYTES + len(state)
    assert decisions_in(dialect.receive(f"\n{state}:c\n".encode())) == [Call()]
    assert decisions_in(dialect.receive(f"{state}:c\n".encode())) == [Malformed], "a state may be answered only once"


def test_repeated_state_does_not_count_towards_the_line_limit() -> None:
    dialect, _, state = ask_after()
    assert not dialect.receive(b" " * (MAX_LINE_BYTES - 2) + state[:9].encode())
    assert decisions_in(dialect.receive(f"{state[9:]}:c\r\n".encode())) == [Call()]


def test_every_hand_of_a_connection_has_its_own_number() -> None:
    dialect, hands = AcpcDialect(), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    tables = [(game, deal("20000 20000", rules=rules_of(DUEL), number=hand)) for game, hand in hands]
    assert [state_sent(dialect, table, game).split(":")[2] for game, table in tables] == ["0", "1", "2", "3", "4"]


def test_thought_in_a_comment_belongs_to_the_next_action() -> None:
    dialect, _, state = ask_after()
    assert not dialect.receive(b"# thought: He raises.\r\n# another comment\r\n")
    (message,) = dialect.receive(f"{state}:c\r\n".encode())
    assert message.content == DecisionMessage(Call(), "He raises.")


def test_player_must_begin_with_version_2_0() -> None:
    for sent, contents in (
        *((f"{first}\r\n", []) for first in ("VERSION:2.0.0", "VERSION:2.0.7", "# hello\r\n\r\nVERSION:2.0.0")),
        *((f"VERSION{other}\r\n", [Incompatible]) for other in (":3.0.0", ":2.1.0", ":1.0.0", "")),
        ("MATCHSTATE:0:0::|:c\r\n", [Incompatible]),
        ("VERSION:" + "2" * 2 * MAX_LINE_BYTES, [Incompatible]),
    ):
        assert decisions_in(AcpcDialect().receive(sent.encode())) == contents


def play_again(hand: PublishedHand) -> list[int]:
    """Plays the hand in our engine. Returns the chips that each position has won."""
    seats = tuple(range(len(hand.stacks)))
    result = play_published(hand, HandSetup(rules_of_published(hand, 1), 1, seats[-1], seats))
    return [after - int(before) for after, before in zip(result.stacks, hand.stacks, strict=True)]


def read_hands(text: str) -> list[PublishedHand]:
    return [hand for hand in read_acpc(text) if isinstance(hand, PublishedHand)]


@pytest.mark.parametrize("game", [Game(2), Game(3), Game(6), Game(2, 5000, Level(10, 30)), Game(4, 300, Level(1, 2))])
def test_program_and_pokerkit_read_the_written_log(game: Game) -> None:
    hands = play_match(game, 40)
    text = "".join(acpc_log(hands))
    assert "\n#--t_response 10000\n#--t_per_hand 7000\n" in text
    winnings = [[hand.ended.stacks[seat] - hand.started.stacks[seat] for seat in hand.dealt_seats] for hand in hands]
    assert [play_again(hand) for hand in read_hands(text)] == winnings
    rules = NoLimitTexasHoldem((), True, 0, (game.level.small, game.level.big), game.level.big)
    histories = HandHistory.from_acpc_protocol(rules, game.stack, text, error_status=True)
    assert [[int(stack) - game.stack for stack in [*history][-1].stacks] for history in histories] == winnings


def test_unusable_hands_and_games_in_a_log_are_refused() -> None:
    (hand,) = play_match(Game(3), 1)
    unequal = replace(hand, started=replace(hand.started, stacks=(20_000, 20_000, 500)))
    rules = replace(hand.opened.rules, blinds="asked", hand_cap=UNSET)
    for other, why in ((unequal, "same stack"), (replace(hand, opened=replace(hand.opened, rules=rules)), "rules")):
        with pytest.raises(BadHistory, match=why):
            list(acpc_log([other]))
    bad_game = "".join(f"# {line}\n" for line in game_text(Game(3)).replace("nolimit", "limit").splitlines())
    items = list(read_acpc(EXAMPLE_LOG + bad_game + EXAMPLE_LOG[EXAMPLE_LOG.index("STATE") :] + EXAMPLE_LOG))
    assert [isinstance(item, PublishedHand) for item in items] == [True, True, False, False, True, True]
    assert "the key nolimit is missing" in str(items[3])


def test_bad_line_in_a_log_is_skipped() -> None:
    for line in (
        "STATE:0:cc",
        "STATE:0:x:8dJd|Td4d:0|0:A|B",
        "STATE:0:cc/cc/cc/cc:8dJd|Td4d|As9d/6s3d6c/2c/Qc:0|0:A|B",
        "STATE:0:f:" + "|" * 12 + ":" + "|" * 12 + ":A|B|C|D|E|F|G|H|I|J|K|L|M",
        "STATE:0:" + "c/" * 1_000 + ":8dJd|Td4d:0|0:A|B",
        "STATE:0:" + "c" * 200_000 + ":8dJd|Td4d:0|0:A|B",
    ):
        assert isinstance(next(iter(read_acpc(f"{line}\n{EXAMPLE_LOG}"))), BadHistory)
        first, second = read_hands(f"{line}\n{EXAMPLE_LOG}")
        assert (play_again(first), first.players) == ([-20000, -20000, 40000], ("Alice", "Bob", "Carol"))
        assert play_again(second) == [-19566, -100, 19666]


def test_comments_and_empty_lines_take_no_memory() -> None:
    text = "#\n\n" * 1_000_000 + EXAMPLE_LOG
    tracemalloc.start()
    try:
        assert len(read_hands(text)) == 2
        assert tracemalloc.get_traced_memory()[1] < 2 * len(text)
    finally:
        tracemalloc.stop()


def test_only_game_definitions_of_the_competition_are_read() -> None:
    game_of_ten = Game(10, 5000, Level(10, 20))
    assert read_game(game_text(game_of_ten)) == game_of_ten
    assert read_game(REVERSE_BLINDS_GAME) == read_game("# a comment\n\n" + REVERSE_BLINDS_GAME.upper()) == DUEL
    for old, new, why in (
        ("nolimit", "limit", "only no-limit"),
        ("numPlayers = 2", "numPlayers = 11", "numplayers must be"),
        ("20000 20000", "9" * 5000, "must be numbers"),
        ("100 50", "50 100", "blind must be"),
        ("2 1 1 1", "1 1 1 1", "firstplayer must be"),
        ("numRounds = 4", "numRounds = 3", "numrounds must be 4"),
    ):
        with pytest.raises(BadGame, match=why):
            read_game(REVERSE_BLINDS_GAME.replace(old, new, 1))
