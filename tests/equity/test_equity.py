"""Odds are exact: for any hands, board and folded cards, they equal the integers from a count of all boards."""

import random

import pytest

from server.equity.equity import MAX_HANDS, equities
from server.game.cards import DECK, Card, parse_cards
from tests.equity.oracle import Hole, Library, by_eval7, by_phevaluator, counted

DICE = random.Random(12)


def hands(*texts: str) -> list[Hole]:
    """Reads hands such as "As Kd"."""
    return [(one, other) for one, other in map(parse_cards, texts)]


def situation(count: int, board: int, dead: int) -> tuple[list[Hole], list[Card], list[Card]]:
    """A random situation with the given numbers of hands, of cards on the board and of folded cards."""
    cards = DICE.sample(DECK, 2 * count + board + dead)
    held = [(cards[at], cards[at + 1]) for at in range(0, 2 * count, 2)]
    return held, cards[2 * count : 2 * count + board], cards[2 * count + board :]


@pytest.mark.parametrize("oracle", [by_eval7, by_phevaluator])
@pytest.mark.parametrize("board", [3, 4, 5])
def test_equities_on_every_street_equal_a_count_of_all_boards(board: int, oracle: Library) -> None:
    for _ in range(20):
        given = situation(DICE.randint(1, MAX_HANDS), board, DICE.randint(0, 8))
        assert equities(*given) == counted(oracle, *given)


@pytest.mark.parametrize(("count", "dead"), [(1, 30), (2, 24), (3, 18), (6, 14), (10, 8), (12, 4)])
def test_equities_before_the_flop_equal_a_count_of_all_boards(count: int, dead: int) -> None:
    given = situation(count, 0, dead)
    assert equities(*given) == counted(by_eval7, *given)


@pytest.mark.parametrize(
    "six",
    [
        ("Ac Kc", "Qc Jc", "Tc 9c", "8c 7c", "6c 5c", "4c 3c"),  # twelve clubs, so no board completes a flush of clubs
        ("Ac Ad", "Ah As", "Kc Kd", "Kh Ks", "Qc Qd", "Qh Qs"),  # pairs that cannot improve to more than a pair
        ("2c 3d", "2d 3h", "2h 3s", "2s 3c", "4c 5d", "4d 5h"),  # ties of four
        ("Ts 9s", "8s 7s", "6h 5h", "4h 3h", "Kd Qd", "Jd Ad"),  # straight flushes everywhere
    ],
)
def test_equities_of_special_hands_equal_a_count_of_all_boards(six: tuple[str, ...]) -> None:
    given = (hands(*six), (), DICE.sample([card for card in DECK if card not in " ".join(six)], 16))
    assert equities(*given) == counted(by_eval7, *given)


@pytest.mark.parametrize(
    ("held", "board", "dead", "why"),
    [
        ((), "", "", "0 hands"),
        (("As Kd",) * 13, "", "", "13 hands"),
        (("As Kd",), "2c 3c", "", "a board of 2 cards"),
        (("As Kd", "As 2c"), "", "", "the card As occurs twice"),
        (("As Kd",), "2c 3c 4c", "4c", "the card 4c occurs twice"),
    ],
)
def test_impossible_hands_and_boards_are_refused(held: tuple[str, ...], board: str, dead: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        equities(hands(*held), parse_cards(board), parse_cards(dead))
