"""Computes exactly the luck of the board: how many chips the community cards were worth to each bot. No I/O."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain

from server.game import events
from server.game.cards import Card
from server.game.events import Event


class HandLuck:
    """The luck in each hand, computed from the events of a contest.

    From all hole cards, even folded ones, a bot's expected share of each pot is computed before and after a street is
    dealt. The luck of the street is the difference between the two shares, times the pot before the street. Three facts
    make it fair to leave luck out when places are decided:

    - Every order of the remaining cards is equally likely. So the expected luck of a card is 0, whatever bots did
      before that card was dealt. A bot's winnings minus its luck have the same mean as its winnings, and vary less.
    - The luck of every street is included, even if a bot folds, times out or forfeits after a bad card. So nobody can
      choose which luck is included.
    - One bot's gain is another's loss, so the luck in a hand adds up to 0.
    """

    def __init__(self) -> None:
        self._bots: tuple[int, ...] = ()
        self._begin_hand(())

    @property
    def luck(self) -> dict[int, Fraction]:
        """The luck so far, in chips, of each bot that was dealt into the current or last hand. The values add up to 0.

        The result is empty if cards are unknown, as in some published hands.
        """
        return {self._bots[seat]: luck for seat, luck in self._luck.items()} if self._are_all_cards_known else {}

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises IndexError or KeyError for an unknown seat, as in a forged recording."""
        match event:
            case events.GameStarted(seats=bots):
                self._bots = bots
            case events.HandStarted(stacks=stacks):
                self._begin_hand(stacks)
            case events.HoleDealt(seat=seat, cards=cards):
                self._hole_cards[seat] = cards
            case events.BetsCollected(pots=pots):
                self._pots = pots
            case events.StreetDealt(cards=cards):
                self._add_board_cards(cards)

    def _begin_hand(self, stacks: tuple[int, ...]) -> None:
        self._luck = {seat: Fraction() for seat, stack in enumerate(stacks) if stack}
        self._are_all_cards_known = True
        self._hole_cards: dict[int, tuple[Card, ...]] = {}
        self._board: tuple[Card, ...] = ()
        self._pots = ()
        """The pots after the last betting round, without uncalled bets. Each pot has the seats that had not folded."""

    def _add_board_cards(self, cards: tuple[Card, ...]) -> None:
        board_before, self._board = self._board, self._board + cards
        contested = [pot for pot in self._pots if len(pot.seats) > 1]
        try:
            for pot in contested if self._are_all_cards_known else ():
                shares_before = self._expected_shares(pot, board_before)
                shares_after = self._expected_shares(pot, self._board)
                for seat, before, after in zip(pot.seats, shares_before, shares_after, strict=True):
                    self._luck[seat] += pot.amount * (after - before)
        except ValueError:  # a card is unknown or, in a forged recording, appears twice
            self._are_all_cards_known = False

    def _expected_shares(self, pot: events.Pot, board: tuple[Card, ...]) -> tuple[Fraction, ...]:
        """Returns the share of a pot that each of its seats can expect. Raises ValueError if a card is unknown."""
        hands = [(self._hole_cards[seat][0], self._hole_cards[seat][1]) for seat in pot.seats]
        dead = chain.from_iterable(cards for seat, cards in self._hole_cards.items() if seat not in pot.seats)
        return pot_shares(hands, board, tuple(dead))


def pot_shares(
    hands: list[tuple[Card, Card]], board: tuple[Card, ...], dead_cards: tuple[Card, ...]
) -> tuple[Fraction, ...]:
    """Returns the share of a pot that each of `hands` can expect. The shares add up to 1.

    `dead_cards` cannot be dealt. Raises ValueError, as `equities` does.
    """
    from server.equity.equity import FULL_SHARE, equities  # noqa: PLC0415  NumPy would delay a studio's start

    return tuple(Fraction(equity.share, equity.boards * FULL_SHARE) for equity in equities(hands, board, dead_cards))


def luck_at_table(seats: Sequence[int], table_events: Iterable[Event]) -> tuple[int, ...]:
    """Returns the luck of each seat at one table, in whole chips, over all hands. `table_events` are the table's events
    after `GameStarted`.

    Luck is rounded only here, and half a chip is rounded to the nearest even number. So every machine gets the same
    amounts, and on average nobody gains by the rounding.
    """
    hand_luck, luck = HandLuck(), dict.fromkeys(seats, Fraction())
    hand_luck.apply(events.GameStarted(0, 0, tuple(seats), ()))
    for event in table_events:
        hand_luck.apply(event)
        if isinstance(event, events.HandEnded):
            for bot, chips in hand_luck.luck.items():
                luck[bot] += chips
    return tuple(round(luck[bot]) for bot in seats)
