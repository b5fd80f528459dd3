"""Captions of hands are whole sentences that fit, have true names, and reveal no cards to come.

Whether what they say is true: tests/commentary/test_captions_are_true.py.
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
from broadcast.commentary.hand_names import draw_name, hole_name, made_name
from broadcast.odds.calculator import Situation, equities_of, situation_after
from broadcast.odds.earned import HandLuck
from broadcast.on_air.events import CaptionSpoken, Chance, EquitiesChanged
from server.game.cards import DECK, parse_cards
from server.game.events import ActionTaken, Entrant, Event, StreetDealt, TournamentOpened
from server.text.grammar import LONGEST, breadth, fits, listed_within, named, percent
from tests.support.hand_events import NAMES, at_table, hand_events, opening

HANDS = 600
WIDE = tuple("W" * 26 + f" {number:03}" for number in range(6))
STACKS = ((5000,) * 6, (300, 12000, 40, 7000, 5000, 5660), (15000, 0, 0, 15000, 0, 0))


class Moment(Struct, frozen=True):
    """A caption, and the event before it."""

    text: str
    event: Event


def guessed(situation: Situation, dice: random.Random) -> EquitiesChanged:
    """Made-up chances for a situation."""
    if len(situation.seats) < 2:
        return EquitiesChanged(())
    cuts = sorted(dice.sample(range(1, 1000), len(situation.seats) - 1))
    wins = [high - low for low, high in zip([0, *cuts], [*cuts, 1000], strict=True)]
    return EquitiesChanged(tuple(Chance(seat, win, 0) for seat, win in zip(situation.seats, wins, strict=True)))


def moments_of(
    hand: Sequence[Event], names: Sequence[str] = NAMES, dice: random.Random | None = None
) -> Iterator[Moment]:
    """Every caption of a hand; `dice` makes up the chances, which is quicker."""
    opened, *rest = opening()
    assert isinstance(opened, TournamentOpened)
    entrants = tuple(Entrant(bot, name) for bot, name in enumerate(names, 1))
    spoken = Commentary()
    begun = [replace(opened, entrants=entrants), *rest]
    entries = at_table([*begun, *hand])
    for entry in entries[: len(begun)]:
        spoken.after(entry)
    for entry in entries[len(begun) :]:
        situation = situation_after(entry)
        chances = [guessed(situation, dice) if dice else equities_of(situation)] if situation else []
        for extra in spoken.after(entry, chances):
            if isinstance(extra, CaptionSpoken):
                yield Moment(extra.text, entry.event)


@pytest.fixture(scope="module", autouse=True)
def captions_alone() -> Iterator[None]:
    """Leaves out stakes and luck, which no caption here needs and which would take two thirds of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commentary, "stakes", lambda _contest, _event: ())
        patch.setattr(HandLuck, "apply", lambda _luck, _event: None)
        yield


@pytest.fixture(scope="module")
def moments(captions_alone: None) -> list[Moment]:
    dice = random.Random(1876)
    hands = (hand_events(seed, STACKS[seed % len(STACKS)]) for seed in range(HANDS))
    return [moment for hand in hands for moment in moments_of(hand, dice=dice)]


def test_captions_are_whole_sentences_and_fit(moments: list[Moment]) -> None:
    for moment in moments:
        text = moment.text
        assert re.search(r"[^.]\.$", text), text
        assert fits(text), text
        assert not re.search(r"  | [,.;:]|\ba [aeiou]|\ban [^aeiou]|\ba (two|three|four) |None|\{|\}", text), text


def test_captions_fit_with_the_longest_names() -> None:
    dice = random.Random(3)
    for seed in range(150):
        for moment in moments_of(hand_events(seed), WIDE, dice):
            assert breadth(moment.text) <= LONGEST, moment.text


def test_equal_actions_in_a_row_are_said_in_other_words(moments: list[Moment]) -> None:
    acts = [moment for moment in moments if isinstance(moment.event, ActionTaken)]
    assert not [one.text for one, other in pairwise(acts) if one.event == other.event and one.text == other.text]


def undealt(events: Sequence[Event], after: int) -> list[Event]:
    """The same hand up to `after`, then with other cards."""
    seen = {card for event in events for card in getattr(event, "cards", ())}
    fresh = iter([card for card in DECK if card not in seen])
    later = [
        replace(event, cards=tuple(next(fresh) for _ in event.cards)) if isinstance(event, StreetDealt) else event
        for event in events[after + 1 :]
    ]
    return [*events[: after + 1], *later]


@pytest.mark.parametrize("seed", range(12))
def test_captions_say_nothing_of_cards_to_come(seed: int) -> None:
    hand = hand_events(seed)
    for part in [at for at, event in enumerate(hand) if isinstance(event, ActionTaken)][::3]:
        before = [moment.text for moment in moments_of(hand[: part + 1])]
        assert [moment.text for moment in moments_of(undealt(hand, part))][: len(before)] == before


@pytest.mark.parametrize(
    ("cards", "board", "made", "draw"),
    [
        ("As Kd", "Ac 7h 2d", "top pair", ""),
        ("7s Kd", "Ac 7h 2d", "a pair of sevens", ""),
        ("2s Kd", "Ac 7h 2d", "bottom pair", ""),
        ("Qs Qd", "Jc 7h 2d", "an overpair", ""),
        ("9s 9d", "Jc 7h 2d", "pocket nines", ""),
        ("9s 9d", "9c 7h 2d", "a set of nines", ""),
        ("9s Ad", "9c 9h 2d", "three nines", ""),
        ("As Kd", "Qc 7h 2d", "ace high", ""),
        ("4s 3d", "Qc 9h 7d", "nothing", ""),
        ("4s 3d", "Qc Qh 7d", "only the pair on the board", ""),
        ("4s 3d", "Ac Kh Qd Js Tc", "just what is on the board", ""),
        ("As Ks", "Qs 7s 2d", "ace high", "a flush draw"),
        ("9s 8d", "7c 6h 2d", "nine high", "a straight draw"),
        ("As 2d", "3c 4h 9d", "ace high", "a gutshot"),
        ("As 2d", "6c 7h 8d 9s", "ace high", ""),
        ("Ks Kd", "Kc 7h 7d", "a full house", ""),
        ("As 2s", "Ks 7s 3s", "a flush", ""),
        ("8s 4d", "5c 6h 7d", "a straight", ""),
        ("Ks 7d", "Kc 7h 2d", "two pair", ""),
        ("9s 9d", "9c 9h 2d", "four of a kind", ""),
        ("Js Ts", "9s 8s 7s", "a straight flush", ""),
    ],
)
def test_hands_and_draws_have_their_names(cards: str, board: str, made: str, draw: str) -> None:
    mine, lying = parse_cards(cards), parse_cards(board)
    assert (made_name(mine, lying), draw_name(mine, lying, {*mine, *lying})) == (made, draw)


def test_draw_whose_outs_lie_face_up_is_no_draw() -> None:
    mine, board = parse_cards("As 2d"), parse_cards("3c 4h 9d")
    fives = {f"5{suit}" for suit in "cdhs"}
    assert draw_name(mine, board, {*mine, *board, *fives}) == ""


@pytest.mark.parametrize(
    ("cards", "plain", "famous"),
    [
        ("As Ad", "pocket aces", "the bullets, two aces"),
        ("6s 6d", "pocket sixes", "pocket sixes"),
        ("Kd As", "ace-king", "big slick, ace and king"),
        ("7s 2s", "seven-two suited", "seven-two suited"),
    ],
)
def test_hole_cards_have_their_names(cards: str, plain: str, famous: str) -> None:
    assert hole_name(parse_cards(cards)) == plain
    assert hole_name(parse_cards(cards), famous=True) == famous


def test_right_to_left_names_are_isolated() -> None:
    name = "الشريف"
    assert named(name) == f"\u2068{name}\u2069"
    assert named("Doc") == "Doc"


def test_long_lists_end_with_a_count() -> None:
    assert listed_within(["Ada", "Bo", "Cy"], 40) == "Ada, Bo and Cy"
    assert listed_within(["Ada", "Bo", "Cy"], 13) == "Ada and 2 others"
    assert listed_within(["Ada", "Bo", "Cyrus", "Dinah"], 22) == "Ada, Bo and 2 others"


@pytest.mark.parametrize(("tenths", "words"), [(0, "0%"), (4, "less than 1%"), (705, "71%"), (996, "more than 99%")])
def test_captions_round_chances_as_the_posters_do(tenths: int, words: str) -> None:
    assert percent(tenths) == words
