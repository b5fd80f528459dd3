"""Captions of hands are true when they appear: amounts, names, hands, draws and chances, over many random hands."""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from broadcast.commentary import commentary
from broadcast.commentary.commentary import Commentary
from broadcast.commentary.hand_names import draw_name, hole_name, made_name
from broadcast.odds.calculator import Situation, equities_of, situation_after
from broadcast.odds.earned import HandLuck
from broadcast.on_air.events import CaptionSpoken, Chance, EquitiesChanged
from server.game.cards import DECK, RANKS, Card, parse_cards
from server.game.events import (
    ActionTaken,
    Entrant,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    PotAwarded,
    StreetDealt,
    TournamentOpened,
)
from server.text.grammar import LONGEST, breadth, fits, listed_within, named, percent
from tests.support.hand_events import NAMES, at_table, hand_events, opening

HANDS = 600
WIDE = tuple("W" * 26 + f" {number:03}" for number in range(6))
STACKS = ((5000,) * 6, (300, 12000, 40, 7000, 5000, 5660), (15000, 0, 0, 15000, 0, 0))


class Moment:
    """A caption, the event it was told after, and what lay open then."""

    def __init__(self, text: str, event: Event, hand: Sequence[Event], chances: dict[int, Chance]) -> None:
        self.text, self.event, self.chances = text, event, chances
        self.holes = {each.seat: each.cards for each in hand if isinstance(each, HoleDealt)}
        self.board = tuple(card for each in hand if isinstance(each, StreetDealt) for card in each.cards)


def guessed(situation: Situation, dice: random.Random) -> EquitiesChanged:
    """Some chances for a situation: what is told must be equal to them, whatever they are."""
    if len(situation.seats) < 2:
        return EquitiesChanged(())
    cuts = sorted(dice.sample(range(1, 1000), len(situation.seats) - 1))
    wins = [high - low for low, high in zip([0, *cuts], [*cuts, 1000], strict=True)]
    return EquitiesChanged(tuple(Chance(seat, win, 0) for seat, win in zip(situation.seats, wins, strict=True)))


def moments_of(
    hand: Sequence[Event], names: Sequence[str] = NAMES, dice: random.Random | None = None
) -> Iterator[Moment]:
    """Every caption of a hand; with `dice` chances are made up."""
    opened, *rest = opening()
    assert isinstance(opened, TournamentOpened)
    entrants = tuple(Entrant(bot, name) for bot, name in enumerate(names, 1))
    telling, chances = Commentary(), dict[int, Chance]()
    begun = [replace(opened, entrants=entrants), *rest]
    entries = at_table([*begun, *hand])
    for entry in entries[: len(begun)]:
        telling.after(entry)
    for at, entry in enumerate(entries[len(begun) :]):
        situation = situation_after(entry)
        count = [guessed(situation, dice) if dice else equities_of(situation)] if situation else []
        chances = {each.seat: each for each in count[0].chances} if count else chances
        for extra in telling.after(entry, count):
            if isinstance(extra, CaptionSpoken):
                yield Moment(extra.text, entry.event, hand[: at + 1], chances)


@pytest.fixture(scope="module", autouse=True)
def captions_alone() -> Iterator[None]:
    """What is at stake and how lucky a bot was is counted for other events: two thirds of the time for a hand."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commentary, "stakes", lambda _contest, _event: ())
        patch.setattr(HandLuck, "apply", lambda _luck, _event: None)
        yield


@pytest.fixture(scope="module")
def moments(captions_alone: None) -> list[Moment]:
    dice = random.Random(1876)
    hands = (hand_events(seed, STACKS[seed % len(STACKS)]) for seed in range(HANDS))
    return [moment for hand in hands for moment in moments_of(hand, dice=dice)]


def test_every_number_was_there_at_that_moment(moments: list[Moment]) -> None:
    for moment in moments:
        captions = {
            int(number.replace(",", ""))
            for number in re.findall(r"\d[\d,]*(?!\d|%)\b(?!%)", re.sub(r"\d+ others?", "", moment.text))
        }
        assert captions <= numbers_of(moment.event), moment.text


def numbers_of(event: Event) -> set[int]:
    """The numbers of an event that may be spoken; of a hand that is over anything that was won."""
    if isinstance(event, HandEnded):
        return set(range(sum(event.stacks) + 1))
    if isinstance(event, HandStarted):
        return {event.hand, 6}
    awards = (award.amount for award in event.awards) if isinstance(event, PotAwarded) else ()
    return {*awards, *(getattr(event, name) for name in ("amount", "bet", "pot") if hasattr(event, name))}


def test_every_chance_is_the_one_on_air(moments: list[Moment]) -> None:
    count = 0
    for moment in moments:
        for name, chance in re.findall(
            r"(\w[^;:,.]*?) (?:is|leads|takes|picks|looks|gets)\b[^;]*?, (\d+%)", moment.text
        ):
            count += 1
            assert chance in {percent(each.win) for each in moment.chances.values()}, (name, moment.text)
        for chance in re.findall(r"(?:more than |less than )?\d+%", moment.text):
            best = max(each.win for each in moment.chances.values())
            assert chance == percent(best), moment.text
    assert count > HANDS / 2


def test_whoever_acts_is_named_first_and_only_the_favourite_besides(moments: list[Moment]) -> None:
    for moment in moments:
        if not isinstance(moment.event, ActionTaken):
            continue
        first, _, rest = moment.text.partition(";")
        assert first.startswith(NAMES[moment.event.seat]), moment.text
        best = max(moment.chances.values(), key=lambda each: each.win, default=None)
        others = [name for name in NAMES if name in rest]
        assert others in ([], [NAMES[best.seat]] if best else []), moment.text


def test_every_draw_is_really_there(moments: list[Moment]) -> None:
    count = 0
    for moment in moments:
        if not isinstance(moment.event, ActionTaken) or "draw" not in moment.text.partition(";")[0]:
            continue
        count += 1
        cards = moment.holes[moment.event.seat]
        flush, straight = could_be_flush(cards, moment.board), could_be_straight(cards, moment.board)
        assert len(moment.board) in (3, 4)
        assert flush if "flush draw" in moment.text else straight, moment.text
    assert count > 50


def could_be_flush(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    suits = [card[1] for card in (*cards, *board)]
    return any(suits.count(suit) == 4 and suit in {card[1] for card in cards} for suit in "cdhs")


def could_be_straight(cards: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether some fifth rank would complete five in a row."""
    ranks = {RANKS.index(card[0]) for card in (*cards, *board)}
    rows = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    return any(len(row & ranks) == 4 for row in rows) and not any(row <= ranks for row in rows)


def test_sentences_are_sentences_and_fit(moments: list[Moment]) -> None:
    for moment in moments:
        text = moment.text
        assert re.search(r"[^.]\.$", text), text
        assert fits(text), text
        assert not re.search(r"  | [,.;:]|\ba [aeiou]|\ban [^aeiou]|\ba (two|three|four) |None|\{|\}", text), text


def test_names_may_be_as_long_as_they_get() -> None:
    dice = random.Random(3)
    for seed in range(150):
        for moment in moments_of(hand_events(seed), WIDE, dice):
            assert breadth(moment.text) <= LONGEST, moment.text


def test_nothing_is_said_twice_in_a_row_by_whoever_acts(moments: list[Moment]) -> None:
    acts = [moment for moment in moments if isinstance(moment.event, ActionTaken)]
    assert not [one.text for one, other in pairwise(acts) if one.event == other.event and one.text == other.text]


def undealt(events: Sequence[Event], after: int) -> list[Event]:
    """The same hand up to `after`, and other cards later."""
    seen = {card for event in events for card in getattr(event, "cards", ())}
    fresh = iter([card for card in DECK if card not in seen])
    later = [
        replace(event, cards=tuple(next(fresh) for _ in event.cards)) if isinstance(event, StreetDealt) else event
        for event in events[after + 1 :]
    ]
    return [*events[: after + 1], *later]


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_said_of_cards_to_come(seed: int) -> None:
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


def test_a_draw_whose_last_card_lies_face_up_is_none() -> None:
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
def test_two_cards_have_their_names(cards: str, plain: str, famous: str) -> None:
    assert hole_name(parse_cards(cards)) == plain
    assert hole_name(parse_cards(cards), famous=True) == famous


def test_names_of_another_direction_stay_among_themselves() -> None:
    name = "الشريف"
    assert named(name) == f"\u2068{name}\u2069"
    assert named("Doc") == "Doc"


def test_a_list_that_is_too_long_is_counted() -> None:
    assert listed_within(["Ada", "Bo", "Cy"], 40) == "Ada, Bo and Cy"
    assert listed_within(["Ada", "Bo", "Cy"], 13) == "Ada and 2 others"
    assert listed_within(["Ada", "Bo", "Cyrus", "Dinah"], 22) == "Ada, Bo and 2 others"


@pytest.mark.parametrize(("tenths", "words"), [(0, "0%"), (4, "less than 1%"), (705, "71%"), (996, "more than 99%")])
def test_captions_give_chances_as_the_posters_show_them(tenths: int, words: str) -> None:
    assert percent(tenths) == words
