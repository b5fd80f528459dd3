"""Captions of hands are whole sentences that fit, and name hands correctly.

tests/commentary/test_captions_are_true.py checks that captions are true.
"""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary import commentary
from broadcast.commentary.commentary import Commentary
from broadcast.commentary.hand_names import draw_name, flop_name, hole_name, made_name, showdown_name
from broadcast.odds.calculator import Situation, situation_after
from broadcast.on_air.events import CaptionSpoken, Chance, EquitiesChanged
from server.equity.luck import HandLuck
from server.game.cards import parse_cards
from server.game.events import ActionTaken, Entrant, Event, TournamentOpened
from server.text.grammar import fits_caption, listed_within, named, percent
from tests.support.hand_events import NAMES, at_table, hand_events, opening

HANDS = 600
WIDEST_NAMES = tuple("W" * 26 + f" {number:03}" for number in range(6))
STACKS = ((5000,) * 6, (300, 12000, 40, 7000, 5000, 5660), (15000, 0, 0, 15000, 0, 0))


class Moment(Struct, frozen=True):
    """A caption, and the event before it."""

    text: str
    event: Event


def make_up_chances(situation: Situation, dice: random.Random) -> EquitiesChanged:
    if len(situation.seats) < 2:
        return EquitiesChanged(())
    cuts = sorted(dice.sample(range(1, 1000), len(situation.seats) - 1))
    wins = [high - low for low, high in zip([0, *cuts], [*cuts, 1000], strict=True)]
    return EquitiesChanged(tuple(Chance(seat, win, 0) for seat, win in zip(situation.seats, wins, strict=True)))


def moments_of(hand: Sequence[Event], names: Sequence[str], dice: random.Random) -> Iterator[Moment]:
    """Yields every caption of a hand, for which chances are made up."""
    opened, *rest = opening()
    assert isinstance(opened, TournamentOpened)
    entrants = tuple(Entrant(bot, name) for bot, name in enumerate(names, 1))
    spoken = Commentary()
    before = [replace(opened, entrants=entrants), *rest]
    entries = at_table([*before, *hand])
    for entry in entries[: len(before)]:
        spoken.after(entry)
    for entry in entries[len(before) :]:
        situation = situation_after(entry)
        chances = [make_up_chances(situation, dice)] if situation else []
        for extra in spoken.after(entry, chances):
            if isinstance(extra, CaptionSpoken):
                yield Moment(extra.text, entry.event)


@pytest.fixture(scope="module", autouse=True)
def without_stakes_and_luck() -> Iterator[None]:
    """Leaves out stakes and luck, which these captions do not need and which would take two thirds of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commentary, "stakes", lambda _contest, _event: ())
        patch.setattr(HandLuck, "apply", lambda _luck, _event: None)
        yield


@pytest.fixture(scope="module")
def moments(without_stakes_and_luck: None) -> list[Moment]:
    dice = random.Random(1876)
    hands = ((hand_events(seed, STACKS[seed % 3]), NAMES if seed % 4 else WIDEST_NAMES) for seed in range(HANDS))
    return [moment for hand, names in hands for moment in moments_of(hand, names, dice)]


def test_captions_are_whole_sentences_and_fit_even_with_the_longest_names(moments: list[Moment]) -> None:
    for moment in moments:
        text = moment.text
        assert re.search(r"[^.]\.$", text), text
        assert fits_caption(text), text
        assert not re.search(r"  | [,.;:]|\ba [aeiou]|\ban [^aeiou]|\ba (two|three|four) |None|\{|\}", text), text


def test_equal_actions_in_a_row_have_different_captions(moments: list[Moment]) -> None:
    acts = [moment for moment in moments if isinstance(moment.event, ActionTaken)]
    assert not [one.text for one, other in pairwise(acts) if one.event == other.event and one.text == other.text]


@pytest.mark.parametrize(
    ("cards", "board", "made", "draw"),
    [
        ("As Kd", "Ac 7h 2d", "top pair", ""),
        ("7s Kd", "Ac 7h 2d", "a pair of sevens", ""),
        ("2s Kd", "Ac 7h 2d", "bottom pair", ""),
        ("Qs Qd", "Jc 7h 2d", "an overpair", ""),
        ("9s 9d", "Jc 7h 2d", "pocket nines", ""),
        ("9s 9d", "9c 7h 2d", "a set of nines", ""),
        ("9s Ad", "9c 9h 2d", "trip nines", ""),
        ("As Kd", "Qc 7h 2d", "ace high", ""),
        ("4s 3d", "Qc 9h 7d", "nothing", ""),
        ("4s 3d", "Qc Qh 7d", "only the pair on the board", ""),
        ("4s 3d", "Ac Kh Qd Js Tc", "just what is on the board", ""),
        ("4h Qc", "3h 3s Th 3d", "just what is on the board", ""),
        ("2c 3d", "9c 9d Jc Jd", "just what is on the board", ""),
        ("As Ks", "Qs 7s 2d", "ace high", "a flush draw"),
        ("9s 8d", "7c 6h 2d", "nine high", "a straight draw"),
        ("As 2d", "3c 4h 9d", "ace high", "a gutshot"),
        ("As 2d", "6c 7h 8d 9s", "ace high", ""),
        ("Ks Kd", "Kc 7h 7d", "a full house", ""),
        ("As 2s", "Ks 7s 3s", "a flush", ""),
        ("8s 4d", "5c 6h 7d", "a straight", ""),
        ("9s 9d", "9c 9h 2d", "four of a kind", ""),
        ("Ks 7d", "Kc 7h 2d", "two pair", ""),
        ("Js Ad", "Jc 4h 4d", "top pair", ""),
        ("2s Ad", "Kc Kh 2d", "two pair", ""),
        ("9s 9h", "Jc 4h 4d", "pocket nines", ""),
        ("Js 8d", "Jc 8h 4h 4d", "two pair", ""),
        ("2s Ad", "2c 2h 9d", "trip deuces", ""),
        ("Js Ts", "9s 8s 7s", "a straight flush", ""),
    ],
)
def test_hands_and_draws_have_their_names(cards: str, board: str, made: str, draw: str) -> None:
    mine, shared = parse_cards(cards), parse_cards(board)
    assert (made_name(mine, shared), draw_name(mine, shared, {*mine, *shared})) == (made, draw)


def test_draw_is_not_named_if_all_cards_that_complete_it_are_face_up() -> None:
    mine, board = parse_cards("As 2d"), parse_cards("3c 4h 9d")
    fives = {f"5{suit}" for suit in "cdhs"}
    assert draw_name(mine, board, {*mine, *board, *fives}) == ""


@pytest.mark.parametrize(
    ("mine", "board", "others", "name"),
    [
        ("7s Jd", "7h Ac Qd 2c 3s", ["7d Td"], "pair of sevens, jack kicker"),
        ("7d Td", "7h Ac Qd 2c 3s", ["7s Jd", "7c 5d"], "pair of sevens, ten kicker"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["Ks Jd"], "pair of sevens"),
        ("7d 5d", "7h Ac Qd Jc 9s", ["7s 4d"], "pair of sevens"),
        ("7d Ad", "7h Kc Qd 2c 3s", ["7s Jd"], "pair of sevens, ace kicker"),
        ("Ah 4d", "Kc Qd 9c 7s 2d", ["As 3d"], "ace high"),
        ("Ah Jd", "Kc Qd 9c 7s 2d", ["As Td"], "ace high, jack kicker"),
        ("Ad 2d", "Kd 9d 7d 4c 2s", ["Qd 3d"], "flush, ace high"),
        ("Qd 2c", "Kd 9d 7d 4d 2s", ["Jd 3c"], "flush, king-queen high"),
        ("Td 2c", "Kd Qd 7d 4d 2s", ["9d 3c"], "flush, king-queen-ten"),
        ("Ks Jd", "Kc 4h 4d 9s 2c", ["Kd Td"], "two pair, kings and fours, jack kicker"),
        ("Ks 8d", "Kc 4h 4d 9s 2c", ["Kd 7d"], "two pair, kings and fours"),
        ("9s Ad", "9c 9h 2d 5s 7h", ["9d Kd"], "three nines, ace kicker"),
        ("2s Ad", "9c 9h 9d 9s 7h", ["3c Kd"], "four nines, ace kicker"),
        ("9s 9d", "9c 2h 2d 5s 7h", ["2c 2s"], "full house, nines over deuces"),
        ("4h 3d", "Ac Kh Qd Js Tc", ["5h 5d"], "straight, ace high, on the board"),
        ("4h 3d", "Ah Kh Qh Jh Th", ["5h 2d"], "royal flush, on the board"),
    ],
)
def test_kicker_is_named_only_if_it_decides_the_hand(mine: str, board: str, others: list[str], name: str) -> None:
    assert showdown_name(parse_cards(mine), parse_cards(board), [parse_cards(each) for each in others]) == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [("6s 6d", "pocket sixes"), ("Kd As", "ace-king"), ("7s 2s", "seven-deuce suited")],
)
def test_hole_cards_have_their_names(cards: str, name: str) -> None:
    assert hole_name(parse_cards(cards)) == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ts Qd 7c", "queen-ten-seven"),
        ("2h 6h Ah", "ace-six-deuce, all hearts"),
        ("6s Ad 6c", "ace-six-six"),
        ("8s 8d 8c", "eight-eight-eight"),
    ],
)
def test_flops_are_named_highest_card_first(cards: str, name: str) -> None:
    assert flop_name(parse_cards(cards)) == name


def test_names_and_chances_are_written_for_any_script_and_any_room() -> None:
    name = "الشريف"
    assert [named("River"), named("Old Man River")] == ['"River"', "Old Man River"], (
        "a name that could be misread must be in quotation marks"
    )
    assert [named(name), named("Doc")] == [f"\u2068{name}\u2069", "Doc"]
    assert listed_within(["Ada", "Bo", "Cy"], 40) == "Ada, Bo and Cy"
    assert listed_within(["Ada", "Bo", "Cy"], 13) == "Ada and 2 others"
    assert listed_within(["Ada", "Bo", "Cyrus", "Dinah"], 22) == "Ada, Bo and 2 others"
    assert listed_within(["Ada", "Bo", "Alexandrina"], 20) == "Ada and 2 others", (
        "a list must not leave out just one name"
    )
    assert [percent(tenths) for tenths in (0, 4, 705, 996)] == ["0%", "less than 1%", "71%", "99%"]
