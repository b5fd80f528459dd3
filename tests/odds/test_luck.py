"""A bot's luck is how many chips the community cards were worth to the bot. The luck of all bots adds up to 0.

Luck is exact: it equals a calculation on paper. Whatever the bots do, luck is 0 on average.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from broadcast.odds.earned import NOTHING_EARNED, Earned, EarnedByBot, earned_in_each_unit, in_whole_chips
from broadcast.odds.others_play import OthersPlay, Shares, shares_of
from server.bots.bot import Answer
from server.contests import CONTESTS
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW
from server.equity.equity import FULL_SHARE, equities
from server.equity.luck import HandLuck
from server.game import events as recorded
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Card, parse_cards
from server.game.decisions import Action, AllIn, Call, Decision, Fold, RaiseTo
from server.game.formats import as_series
from server.game.hand import Hand
from server.game.view import View
from server.journal.journal import Entry
from tests.commentary.test_drama import play_one_hand
from tests.overlay.support.scripted_show import rig_deck
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.deals import play_deals
from tests.support.games.hand_events import events_of_hands

ChipsByBot = dict[int, Fraction]


def follow_luck(events: Iterable[recorded.Event]) -> Iterator[dict[int, Fraction]]:
    """Yields, for each hand that ends, the luck of every bot."""
    hand_luck = HandLuck()
    for event in events:
        hand_luck.apply(event)
        if isinstance(event, recorded.HandEnded):
            yield hand_luck.luck


def luck_by_street(events: Iterable[recorded.Event]) -> dict[str, ChipsByBot]:
    """Returns, for each street, how much luck its cards brought each bot."""
    hand_luck, before, streets = HandLuck(), ChipsByBot(), dict[str, ChipsByBot]()
    for event in events:
        hand_luck.apply(event)
        if isinstance(event, recorded.HandStarted):
            before = hand_luck.luck
        if isinstance(event, recorded.StreetDealt):
            streets[event.street] = {bot: luck - before[bot] for bot, luck in hand_luck.luck.items()}
            before = hand_luck.luck
    return streets


@pytest.mark.parametrize(
    ("stacks", "holes", "board", "river"),
    [
        # The aces are behind three kings in a pot of 2,000. Two of 44 cards save the aces. The river is no ace.
        ((1000, 1000), ("Ah Ad", "Kh Kd"), "Kc 7s 2d 3c 9h", {1: Fraction(-2 * 2000, 44), 2: Fraction(2 * 2000, 44)}),
        # Nine of 44 cards are hearts, which win bot 1 the whole pot. The river is no heart, so the bots share the pot.
        ((1000, 1000), ("Ah Kh", "Ac Ks"), "2h 7h 7s 3c 9c", {1: Fraction(-9 * 1000, 44), 2: Fraction(9 * 1000, 44)}),
        # Seven of 42 cards give bot 3 a flush, and two kings give bot 2 a full house. The aces win the main pot of 900
        # with the other 33 cards. The kings win the side pot of 1,400 with 35 cards. The river is a king.
        (
            (300, 1000, 1000), ("Ah Ad", "Kh Kd", "Qh Jh"), "2h 7h 7s 3c Kc",
            {1: Fraction(-33 * 900, 42), 2: 2300 - Fraction(2 * 900 + 35 * 1400, 42), 3: Fraction(-7 * 2300, 42)},
        ),
    ],
)  # fmt: skip
def test_luck_of_a_river_is_the_chips_won_minus_the_average_over_all_cards(
    stacks: tuple[int, ...], holes: tuple[str, ...], board: str, river: ChipsByBot
) -> None:
    shortest, *others = sorted(stacks)
    acts = f"raise:{shortest}{' call' * len(others)}" + " raise:700 call" * (others[0] > shortest)
    script = play_one_hand(acts, holes, board, stacks)
    assert luck_by_street(entry.event for entry in script.entries)["river"] == river


def test_hand_with_unknown_or_forged_cards_has_no_luck() -> None:
    hand = events_of_hands(6)
    first_deal = next(event for event in hand if isinstance(event, recorded.HoleDealt))
    unknown = [recorded.HoleDealt(event.seat, ("", "")) if event is first_deal else event for event in hand]
    three_aces = recorded.StreetDealt("flop", ("As", "As", "As"))
    forged = [three_aces if isinstance(event, recorded.StreetDealt) else event for event in hand]
    *without_luck, luck = follow_luck([*unknown, *forged, *hand])
    assert without_luck == [{}, {}]
    assert any(luck.values())


def test_luck_in_whole_chips_still_adds_up_to_zero() -> None:
    dice = Random(10)
    for _ in range(200):
        random_lucks = [Fraction(dice.randint(-500, 500), dice.randint(1, 60)) for _ in range(dice.randint(1, 11))]
        luck = dict(enumerate([*random_lucks, -sum(random_lucks, Fraction())]))
        rounded = in_whole_chips(luck)
        assert sum(rounded.values()) == 0
        assert all(abs(rounded[bot] - luck[bot]) < 1 for bot in luck)
    assert in_whole_chips({1: Fraction(5, 2), 2: Fraction(1, 4)}) == {1: 3, 2: 0}, (
        "luck need not add up to 0 if some bots are missing"
    )


FORMATS = {each.id: each.format for each in CONTESTS.values()} | {"arena series": as_series(ARENA_FORMAT, 3)}


def play_contest_of(contest: str) -> list[recorded.Event]:
    return [entry.event for entry in play_contest(4, 2 if contest == "upac" else 11, FORMATS[contest])]


def add_up(units: Sequence[EarnedByBot]) -> dict[int, Earned]:
    bots = {bot for unit in units for bot in unit}
    return {bot: sum((unit[bot] for unit in units if bot in unit), NOTHING_EARNED) for bot in bots}


@pytest.mark.parametrize(
    ("contest", "unit"),
    [("quick-draw", "games"), ("upac", "games"), ("arena series", "games"), ("arena", "one"), ("enova", "one")],
)
def test_each_game_is_one_sample_unless_chips_are_kept_for_the_next(contest: str, unit: str) -> None:
    events = play_contest_of(contest)
    units, games = earned_in_each_unit(events), sum(isinstance(event, recorded.GameStarted) for event in events)
    assert len(units) == (games if unit == "games" else 1)  # A unit is one sample: a game, or all games together.
    assert games > 1 or contest in ("upac", "arena")
    totals = add_up(units)
    luck_in_hands = [*follow_luck(events)]
    assert {*totals} == {bot for luck in luck_in_hands for bot in luck}
    for bot, total in totals.items():
        lucks = [luck[bot] for luck in luck_in_hands if bot in luck]
        assert (total.hands, total.luck) == (len(lucks), sum(lucks))
    assert sum(total.luck for total in totals.values()) == 0
    assert all(total.won == total.luck + total.earned for total in totals.values())


def test_chips_won_and_lost_by_a_upac_forfeit_are_not_luck() -> None:
    script = play_one_hand("fold", stacks=(500, 500))
    before = add_up(earned_in_each_unit(entry.event for entry in script.entries))
    script.put(recorded.GameForfeited(1, 0, "timeout"))
    totals = add_up(earned_in_each_unit(entry.event for entry in script.entries))
    assert [totals[bot].won for bot in (1, 2)] == [-500, 500]
    assert all(totals[bot].hands == before[bot].hands == 1 and not totals[bot].luck for bot in (1, 2))


def test_unfinished_hand_changes_no_earned_chips() -> None:
    events = play_contest_of("quick-draw")
    end = max(index for index, event in enumerate(events) if isinstance(event, recorded.HandEnded))
    start = max(index for index, event in enumerate(events[:end]) if isinstance(event, recorded.HandStarted))
    assert earned_in_each_unit(events[:end]) == earned_in_each_unit(events[:start])
    assert earned_in_each_unit(events[:3]) == []


STACKS = (5000, 2000, 900)
HOLES = {0: "Ah Jh", 1: "Ks Qs", 2: "7c 2d"}
FLOP = "Kh 9h 4c"
REMAINING_CARDS = [card for card in DECK if card not in parse_cards(" ".join([*HOLES.values(), FLOP]))]


def decide(hand: Hand) -> Decision:
    """Bot 0 has a flush draw. From the turn on, it raises all-in if the last card is a heart, and otherwise gives up.

    The other bots stay in. So the play depends on the cards on the table, but never on a later card.
    """
    turn = hand.turn
    assert turn is not None
    if len(hand.board) < 4 or turn.seat:
        return Call()
    if hand.board[-1][1] != "h":
        return Fold() if turn.to_call else Call()
    return RaiseTo(turn.max_raise_to) if turn.max_raise_to else Call()


def test_luck_over_all_turns_and_rivers_is_exactly_zero() -> None:
    total_luck, lengths = [Fraction()] * 3, set[int]()
    for turn, river in permutations(REMAINING_CARDS, 2):
        hand, events = start_hand(QUICK_DRAW, 1, 0, STACKS, rig_deck(STACKS, 0, HOLES, f"{FLOP} {turn} {river}"))
        while hand.turn:
            hand, next_events = take_turn(hand, decide(hand), think_ms=1)
            events += next_events
        luck = luck_by_street([recorded.GameStarted(1, 0, (0, 1, 2), STACKS), *events])
        for bot in range(3):
            total_luck[bot] += luck["turn"][bot] + luck["river"][bot]
        lengths.add(len(events))
    assert total_luck == [0, 0, 0]
    assert len(lengths) > 1, "the play must depend on the cards"


STACK, SMALL, BIG = 5000, 50, 100
SHOVER = 1


class Shover(DiceBot):
    """Bot 1 always goes all-in, and all others always fold."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        return Answer(resolve(AllIn() if self.id == SHOVER else Fold()), 1)


def gains_by_others_play(entries: list[Entry]) -> list[dict[int, Fraction]]:
    """Returns, for each deal (the same cards at several tables), how many chips opponents' play brought each bot."""
    play, deals = OthersPlay(), []
    for entry in entries:
        play.apply(entry.event)
        if isinstance(entry.event, recorded.DealEnded):
            deals.append(play.end_deal())
    return deals


def pot_share(cards: Mapping[int, tuple[Card, ...]], live: tuple[int, ...], seat: int) -> Fraction:
    """Returns the share of the pot that `seat` wins on average. `live` lists the seats that have not folded."""
    hands = [(cards[other][0], cards[other][1]) for other in live]
    dead = [card for other, hand in cards.items() if other not in live for card in hand]
    equity = equities(hands, (), dead)[live.index(seat)]
    return Fraction(equity.share, equity.boards * FULL_SHARE)  # FULL_SHARE stands for one whole pot.


def test_gains_by_opponents_play_equal_a_calculation_on_paper() -> None:
    """The button (place 0) acts first, then the small blind (place 1), and then the big blind (place 2)."""
    entries = play_deals(3, 1, kind=Shover)
    games = [entry.event.seats for entry in entries if isinstance(entry.event, recorded.GameStarted)]
    deals = [entry.event for entry in entries if isinstance(entry.event, recorded.HoleDealt)]
    button = next(entry.event.button for entry in entries if isinstance(entry.event, recorded.HandStarted))
    place_of = {seat: (seat - button) % 3 for seat in range(3)}
    cards = {place_of[deal.seat]: deal.cards for deal in deals[:3]}
    expected = dict.fromkeys((1, 2, 3), Fraction())
    small_facing_bet = max(Fraction(-SMALL), pot_share(cards, (0, 1, 2), 1) * (2 * STACK + BIG) - STACK)
    small_after_fold = max(Fraction(-SMALL), pot_share(cards, (1, 2), 1) * 2 * BIG - BIG)
    big_after_small_fold = max(Fraction(-BIG), pot_share(cards, (0, 2), 2) * (2 * STACK + SMALL) - STACK)
    big_facing_small = max(Fraction(-BIG), pot_share(cards, (1, 2), 2) * 2 * STACK - STACK)
    for seats in games:
        bots = {place_of[seat]: bot for seat, bot in enumerate(seats)}
        shover = next(place for place, bot in bots.items() if bot == SHOVER)
        small = small_facing_bet if shover == 0 else small_after_fold
        big = (big_after_small_fold, big_facing_small, Fraction(SMALL))[shover]
        expected[bots[1]] += small - (small_facing_bet + 2 * small_after_fold) / 3
        expected[bots[2]] += big - (big_after_small_fold + big_facing_small + SMALL) / 3
    assert gains_by_others_play(entries) == [expected]
    assert any(expected.values())


def test_gains_by_opponents_play_add_up_to_0_in_each_deal() -> None:
    deals = gains_by_others_play(play_deals(4, 8, other_tables_seed=5, hands=3))
    assert [sum(deal.values()) for deal in deals] == [0] * 8
    assert all(any(deal.values()) for deal in deals)


def test_shares_of_play_and_luck_follow_from_their_spreads() -> None:
    dice, deals = Random(5), 40_000
    own, luck, others = ([dice.gauss(9, spread) for _ in range(deals)] for spread in (4, 3, 1))
    shares = shares_of(own, luck, others)  # They are percentages of the variance of chips won.
    assert shares
    assert (shares.own, shares.luck, shares.others) == pytest.approx((62, 35, 4), abs=2), (
        "own play, luck and opponents' play have the variances 16, 9 and 1, which add up to 26"
    )
    assert shares.own + shares.luck + shares.others == 100
    assert shares_of([1.0] * 30, [0.0] * 30, [0.0] * 30) is None
    assert shares_of(own[:19], luck[:19], others[:19]) is None
    assert shares_of(own, [-chips / 2 for chips in own], [0.0] * deals) == Shares(200, -100, 0)
