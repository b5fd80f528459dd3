"""Game definitions: the competition's are read, and other games are refused with the reason."""

import pytest

from server.contests.acpc.game_definition import BadGame, Game, game_text, read_game
from server.game.rules import Level

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


def test_competitions_heads_up_game_and_our_own_text_are_read() -> None:
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
        ("20000 20000", "100 100", "stack more than that"),
        ("20000 20000", "9" * 5000, "must be numbers"),
        ("100 50", "50 100", "blind must be"),
        ("100 50", "-100 50", "blind must be"),
        ("2 1 1 1", "1 1 1 1", "firstplayer must be"),
        ("numRounds = 4", "numRounds = 3", "numrounds must be 4"),
    ],
)
def test_other_games_are_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(BadGame, match=why):
        read_game(REVERSE_BLINDS.replace(old, new, 1))
