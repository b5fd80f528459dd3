"""Logs of the ACPC's dealer: pokerkit reads ours; we read the protocol document's example and all game definitions."""

import tracemalloc

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from pokerkit import HandHistory, NoLimitTexasHoldem

from server.contests.acpc.dealer_log import acpc_log, read_acpc
from server.contests.acpc.game_definition import BadGame, Game, game_text, read_game
from server.game.rules import Level
from server.hand_histories.phh_reader import BadHistory, Published
from server.hand_histories.replay import HandSetup, play_published
from server.hand_histories.rules import rules_of
from tests.contests.acpc.hands import match

DOCUMENT = """\
# name/game/hands/seed NAME holdem.nolimit.3p.game 30 7
#--t_response 10000
#--t_hand 600000
#--t_per_hand 7000
STATE:0:r9423cr19160r20000cc///:8dJd|Td4d|As9d/6s3d6c/2c/Qc:-20000|-20000|40000:Alice|Bob|Carol
STATE:1:r3662cf/r10582r19566c/cc/cr19724f:7h2h|6d5d|QcQs/2c5c8c/Ts/5s:-19566|-100|19666:Bob|Carol|Alice
SCORE:-153460|-305541|459001:Alice|Bob|Carol
"""
REVERSE_BLINDS = """\
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


def won(hand: Published) -> list[int]:
    """The chips that each position wins when our engine plays the hand."""
    seats = tuple(range(len(hand.stacks)))
    played = play_published(hand, HandSetup(rules_of(hand, 1), 1, seats[-1], seats))
    return [after - int(before) for after, before in zip(played.stacks, hand.stacks, strict=True)]


def read(text: str) -> list[Published]:
    hands = list(read_acpc(text))
    assert all(isinstance(hand, Published) for hand in hands), hands
    return [hand for hand in hands if isinstance(hand, Published)]


def test_hands_of_the_documents_example_pay_the_chips_that_the_document_gives() -> None:
    first, second = read(DOCUMENT)
    assert won(first) == [-20000, -20000, 40000]
    assert first.players == ("Alice", "Bob", "Carol")
    assert won(second) == [-19566, -100, 19666]


@pytest.mark.parametrize("game", [Game(2), Game(3), Game(6), Game(2, 5000, Level(10, 30)), Game(4, 300, Level(1, 2))])
def test_our_log_is_read_back_by_us_and_by_pokerkit(game: Game) -> None:
    hands = match(game, 40, seed=game.players)
    text = "".join(acpc_log(hands))
    assert "\n#--t_response 10000\n#--t_per_hand 7000\n" in text
    nets = [[hand.ended.stacks[at] - hand.started.stacks[at] for at in hand.players] for hand in hands]
    assert [won(hand) for hand in read(text)] == nets
    kit = NoLimitTexasHoldem((), True, 0, (game.level.small, game.level.big), game.level.big)
    theirs = list(HandHistory.from_acpc_protocol(kit, game.stack, text, error_status=True))
    ends = [[int(stack) - game.stack for stack in [*hand][-1].stacks] for hand in theirs]
    assert ends == nets


def test_hands_that_the_log_cannot_express_are_refused() -> None:
    (hand,) = match(Game(3), 1, seed=1)
    unequal = replace(hand.started, stacks=(20_000, 20_000, 500))
    with pytest.raises(BadHistory, match="same stack"):
        list(acpc_log([replace(hand, started=unequal)]))
    with_asked_blinds = replace(hand.opened, rules=replace(hand.opened.rules, blinds="asked", hand_cap=UNSET))
    with pytest.raises(BadHistory, match="rules"):
        list(acpc_log([replace(hand, opened=with_asked_blinds)]))


@pytest.mark.parametrize(
    "line",
    [
        "STATE:0:cc",
        "STATE:0:x:8dJd|Td4d:0|0:A|B",
        "STATE:0:cc/cc/cc/cc:8dJd|Td4d|As9d/6s3d6c/2c/Qc:0|0:A|B",
        "STATE:0::8dJd:0:A",
        "STATE:0:f:" + "|" * 12 + ":" + "|" * 12 + ":A|B|C|D|E|F|G|H|I|J|K|L|M",
        "STATE:0:" + "c/" * 1_000 + ":8dJd|Td4d:0|0:A|B",
        "STATE:0:ffff:8dJd|Td4d:0|0:A|B",
        "STATE:0:" + "c" * 200_000 + ":8dJd|Td4d:0|0:A|B",
    ],
)
def test_log_line_that_is_not_a_hand_is_skipped_with_a_reason(line: str) -> None:
    found = list(read_acpc(f"{line}\n{DOCUMENT}"))
    assert isinstance(found[0], BadHistory)
    assert len(found) == 3


def test_unplayable_game_affects_only_its_own_match() -> None:
    bad = "".join(f"# {line}\n" for line in game_text(Game(3)).replace("nolimit", "limit").splitlines())
    hands = DOCUMENT[DOCUMENT.index("STATE") :]
    found = list(read_acpc(DOCUMENT + bad + hands + DOCUMENT))
    assert [isinstance(hand, Published) for hand in found] == [True, True, False, False, True, True]
    assert "the key nolimit is missing" in str(found[3])


def test_comments_and_empty_lines_cost_no_extra_memory() -> None:
    text = "#\n\n" * 1_000_000 + DOCUMENT
    tracemalloc.start()
    try:
        read(text)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(text)
    finally:
        tracemalloc.stop()


def test_our_own_game_definitions_and_those_of_the_competition_are_read() -> None:
    assert read_game(REVERSE_BLINDS) == Game(2)
    assert read_game("# a comment\n\n" + REVERSE_BLINDS.upper()) == Game(2)
    ten = Game(10, 5000, Level(10, 20))
    assert read_game(game_text(ten)) == ten


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nolimit", "limit", "only no-limit"),
        ("numPlayers = 2", "numPlayers = 11", "numplayers must be"),
        ("numPlayers = 2", "numPlayers = 3", "stack must be 20000 20000 20000"),
        ("20000 20000", "100 100", "stack larger than both"),
        ("20000 20000", "9" * 5000, "must be numbers"),
        ("100 50", "50 100", "blind must be"),
        ("100 50", "-100 50", "blind must be"),
        ("2 1 1 1", "1 1 1 1", "firstplayer must be"),
        ("numRounds = 4", "numRounds = 3", "numrounds must be 4"),
    ],
)
def test_definitions_of_other_games_are_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(BadGame, match=why):
        read_game(REVERSE_BLINDS.replace(old, new, 1))
