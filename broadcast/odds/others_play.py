"""Computes how many chips each bot of a deal gained or lost because of the other bots' play. No I/O.

In a deal, every bot plays the same cards in each seat. At a bot's first decision, its hand is worth what a fold would
bring or, if this is more, what a call would bring on average without further bets. Until then, only the other bots have
acted in the hand. So the other bots are the reason if a hand is worth more to one bot than to another in this seat.
Later play is not counted, because the other bots then react to the bot.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import fsum
from statistics import fmean

from msgspec import Struct

from broadcast.odds.earned import in_whole_chips
from broadcast.odds.student_t import MIN_RESULTS_FOR_T
from server.equity.luck import HandLuck, pot_shares
from server.game import events
from server.game.cards import Card
from server.game.events import Event


class Shares(Struct, frozen=True):
    """How much each part of a bot's winnings (its own play, luck, the others' play) contributes to the width of the
    bot's confidence interval, in percent. The shares add up to 100.

    If a part makes the interval narrower, its share is below 0.
    """

    own: int
    luck: int
    others: int


def shares_of(own: Sequence[float], luck: Sequence[float], others: Sequence[float]) -> Shares | None:
    """Returns the shares of the three parts of a bot's winnings. Each argument has one number per deal. Returns None
    until enough deals have been played, or if the bot has won the same amount in each deal.
    """
    won = [fsum(parts) for parts in zip(own, luck, others, strict=True)]
    mean = fmean(won or [0])
    variation = fsum((total - mean) ** 2 for total in won)
    if len(won) < MIN_RESULTS_FOR_T or not variation:
        return None
    percent = {
        name: Fraction(100 * fsum(chips * (total - mean) for chips, total in zip(part, won, strict=True)) / variation)
        for name, part in (("own", own), ("luck", luck), ("others", others))
    }
    return Shares(**in_whole_chips(percent))


class OthersPlay:
    """Follows the deals of a stage, hand by hand. Ignores stages without deals."""

    def __init__(self) -> None:
        self._luck = HandLuck()
        self._has_deals = False
        self._bots: tuple[int, ...] = ()
        self._worths: dict[tuple[int, int], dict[int, Fraction]] = {}
        """What each hand of the deal was worth to each bot in each seat. The first key is (hand, seat), and the second
        key is the bot.
        """
        self._begin(events.HandStarted(0, 0, 0, 0, 0, (), ""))

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises IndexError or KeyError for an unknown seat, as in a forged recording."""
        if isinstance(event, events.StageStarted):
            self._has_deals, self._worths = bool(event.deals), {}
        if not self._has_deals:
            return
        self._luck.apply(event)
        match event:
            case events.GameStarted(seats=bots):
                self._bots = bots
            case events.HandStarted():
                self._begin(event)
            case events.HoleDealt(seat=seat, cards=cards):
                self._hole_cards[seat] = cards
            case events.StreetDealt(cards=cards):
                self._board += cards
            case events.TurnStarted(seat=seat, to_call=to_call, blind=""):
                if seat not in self._worth_at_decision:
                    self._worth_at_decision[seat] = self._worth_of(seat, to_call)
            case events.HandEnded(stacks=stacks):
                self._record_worths(stacks)
            case _:
                self._apply_bet(event)

    def _apply_bet(self, event: Event) -> None:
        match event:
            case events.BlindPosted(seat=seat, blind="ante", amount=amount):
                self._antes[seat] += amount
            case events.BlindPosted(seat=seat, amount=amount):
                self._bets[seat] += amount
            case events.ActionTaken(seat=seat, act="fold"):
                self._folded.add(seat)
            case events.ActionTaken(seat=seat, amount=amount):
                self._bets[seat] += amount

    def end_deal(self) -> dict[int, Fraction]:
        """Returns how many chips each bot gained through the other bots' play in the deal that has ended. The gains of
        all bots add up to 0.
        """
        gains: dict[int, Fraction] = {}
        for worths in self._worths.values():
            mean = sum(worths.values(), Fraction()) / len(worths)
            for bot, worth in worths.items():
                gains[bot] = gains.get(bot, Fraction()) + worth - mean
        self._worths = {}
        return gains

    def _begin(self, event: events.HandStarted) -> None:
        self._hand, self._stacks = event.hand, event.stacks
        self._hole_cards: dict[int, tuple[Card, ...]] = {}
        self._board: tuple[Card, ...] = ()
        self._folded: set[int] = set()
        self._antes, self._bets = [0] * len(event.stacks), [0] * len(event.stacks)
        self._worth_at_decision: dict[int, Fraction] = {}
        """What the hand was worth to each seat at its first decision."""

    def _worth_of(self, seat: int, to_call: int) -> Fraction:
        bet = self._bets[seat] + to_call
        pot = sum(self._antes) + sum(min(other_bet, bet) for other_bet in self._bets) + to_call
        committed = self._antes[seat] + self._bets[seat]
        return max(Fraction(-committed), pot * self._share(seat) - committed - to_call)

    def _share(self, seat: int) -> Fraction:
        """Returns the fraction of the pot that a seat can expect to win against all seats that have not folded. Returns
        0 if a card is unknown.
        """
        live = sorted(self._hole_cards.keys() - self._folded)
        hands = [(self._hole_cards[index][0], self._hole_cards[index][1]) for index in live]
        dead = chain.from_iterable(cards for index, cards in self._hole_cards.items() if index in self._folded)
        try:
            return pot_shares(hands, self._board, tuple(dead))[live.index(seat)]
        except ValueError:
            return Fraction()

    def _record_worths(self, stacks: tuple[int, ...]) -> None:
        """Records what the hand was worth in each seat. If a bot made no decision, the worth is the bot's winnings
        minus its luck.
        """
        luck = self._luck.luck
        for seat, (bot, before, after) in enumerate(zip(self._bots, self._stacks, stacks, strict=True)):
            worth = self._worth_at_decision.get(seat, after - before - luck.get(bot, Fraction()))
            self._worths.setdefault((self._hand, seat), {})[bot] = Fraction(worth)
