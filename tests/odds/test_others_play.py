"""How much of a bot's result came from its opponents' play: in a game worked out by hand, and by rules for any game."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

import pytest

from broadcast.odds.others_play import OthersPlay, Shares, shares_of
from server.bots.bot import Answer
from server.equity.equity import FULL_SHARE, equities
from server.game.cards import Card
from server.game.decisions import Action, AllIn, Call, Decision, Fold
from server.game.events import DealEnded, GameStarted, HandStarted, HoleDealt
from server.game.view import View
from server.journal.journal import Entry
from tests.support.games.contests import DiceBot
from tests.support.games.deals import play_deals

STACK, SMALL, BIG = 5000, 50, 100
SHOVER = 1


class Steady(DiceBot):
    """A bot that is never late. Always calls."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        return Answer(resolve(self._decide(view)), 1)

    def _decide(self, view: View) -> Decision:
        return Call()


class Shover(Steady):
    """Bot 1 is always all-in; all others always fold."""

    def _decide(self, view: View) -> Decision:
        return AllIn() if self.id == SHOVER else Fold()


def others_play(entries: list[Entry]) -> list[dict[int, Fraction]]:
    """How many chips each bot gained by its opponents' play, deal by deal."""
    following, deals = OthersPlay(), []
    for entry in entries:
        following.apply(entry.event)
        if isinstance(entry.event, DealEnded):
            deals.append(following.end_deal())
    return deals


def share(cards: Mapping[int, tuple[Card, ...]], live: tuple[int, ...], seat: int) -> Fraction:
    """The share of the pot of `seat` against the other `live` seats."""
    hands = [(cards[each][0], cards[each][1]) for each in live]
    dead = [card for each, hand in cards.items() if each not in live for card in hand]
    found = equities(hands, (), dead)[live.index(seat)]
    return Fraction(found.share, found.boards * FULL_SHARE)


def test_gains_by_opponents_play_are_those_of_a_game_worked_out_by_hand() -> None:
    """Three seats: the button (0) acts first, then the small blind (1), then the big blind (2)."""
    entries = play_deals(3, 1, kind=Shover)
    games = [entry.event.seats for entry in entries if isinstance(entry.event, GameStarted)]
    dealt = [entry.event for entry in entries if isinstance(entry.event, HoleDealt)]
    button = next(entry.event.button for entry in entries if isinstance(entry.event, HandStarted))
    place = {seat: (seat - button) % 3 for seat in range(3)}
    cards = {place[each.seat]: each.cards for each in dealt[:3]}
    expected = dict.fromkeys((1, 2, 3), Fraction())
    small_facing_bet = max(Fraction(-SMALL), share(cards, (0, 1, 2), 1) * (2 * STACK + BIG) - STACK)
    small_after_fold = max(Fraction(-SMALL), share(cards, (1, 2), 1) * 2 * BIG - BIG)
    big_after_small_fold = max(Fraction(-BIG), share(cards, (0, 2), 2) * (2 * STACK + SMALL) - STACK)
    big_facing_small = max(Fraction(-BIG), share(cards, (1, 2), 2) * 2 * STACK - STACK)
    for seats in games:
        bots = {place[seat]: bot for seat, bot in enumerate(seats)}
        shover = next(at for at, bot in bots.items() if bot == SHOVER)
        small = small_facing_bet if shover == 0 else small_after_fold
        big = (big_after_small_fold, big_facing_small, Fraction(SMALL))[shover]
        expected[bots[1]] += small - (small_facing_bet + 2 * small_after_fold) / 3
        expected[bots[2]] += big - (big_after_small_fold + big_facing_small + SMALL) / 3
    assert others_play(entries) == [expected]
    assert any(expected.values())


def test_nobody_gains_by_opponents_play_if_all_tables_played_alike() -> None:
    assert others_play(play_deals(4, 3, hands=2, kind=Steady)) == [dict.fromkeys(range(1, 5), 0)] * 3


def test_gains_by_opponents_play_add_up_to_0_in_each_deal() -> None:
    deals = others_play(play_deals(4, 8, others=5, hands=3))
    assert [sum(deal.values()) for deal in deals] == [0] * 8
    assert all(any(deal.values()) for deal in deals)


def test_shares_of_own_play_luck_and_opponents_play_follow_from_their_spreads() -> None:
    dice, deals = Random(5), 40_000
    own, luck, others = ([dice.gauss(9, spread) for _ in range(deals)] for spread in (4, 3, 1))
    shares = shares_of(own, luck, others)
    assert shares
    assert (shares.own, shares.luck, shares.others) == pytest.approx((62, 35, 4), abs=2), "as 16, 9 and 1 are to 26"
    assert shares.own + shares.luck + shares.others == 100
    assert shares_of([1.0] * 30, [0.0] * 30, [0.0] * 30) is None
    assert shares_of(own[:19], luck[:19], others[:19]) is None
    assert shares_of(own, [-each / 2 for each in own], [0.0] * deals) == Shares(200, -100, 0)
