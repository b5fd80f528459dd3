"""Keeps the records of an evening: what was largest, best, longest or first. No I/O."""

from collections.abc import Mapping

from msgspec import Struct

from broadcast.commentary.storylines.bot_facts import Extreme, HandNumber
from broadcast.commentary.storylines.chip_lead import leader_of
from broadcast.on_air.table_state import Seat
from server.game.ranking import strength

SHOWN_HAND_CARDS = 5
"""The number of cards in a hand that is shown down."""


class BestHand(Struct, frozen=True):
    """The strongest hand that was shown down. `bot` is 0 if several bots have shown a hand of this strength."""

    strength: int
    bot: int
    ranking: str
    hand: HandNumber


class Records:
    """The records of one evening so far."""

    def __init__(self) -> None:
        self.biggest_pot: Extreme | None = None
        """The most chips that a bot has won in one hand."""
        self.longest_thought: Extreme | None = None
        """The longest time that a bot took for a decision, in milliseconds."""
        self.best_hand: BestHand | None = None
        self.first_all_in: Extreme | None = None
        """The most chips won in the first showdown with a bot all in. `bot` is 0 if several bots won this amount."""
        self.first_elimination: Extreme | None = None
        """The first bot that was eliminated from the contest. `amount` is the number of hands played by then."""

    def record_thought(self, bot: int, think_ms: int, hand: HandNumber) -> None:
        """Records how long a bot took to decide."""
        if think_ms > (self.longest_thought.amount if self.longest_thought else 0):
            self.longest_thought = Extreme(think_ms, bot, hand)

    def record_hand(self, seats: Mapping[int, Seat], hand: HandNumber) -> None:
        """Records a finished hand. `seats` are the seats that were dealt in, keyed by bot."""
        for bot, seat in seats.items():
            if seat.won > (self.biggest_pot.amount if self.biggest_pot else 0):
                self.biggest_pot = Extreme(seat.won, bot, hand)
        shown = {bot: seat for bot, seat in seats.items() if seat.is_in_hand and seat.ranking}
        if len(shown) < 2:
            return
        for bot, seat in shown.items():
            self._record_strength(bot, seat, hand)
        if self.first_all_in is None and any(seat.committed == seat.starting_stack for seat in shown.values()):
            most = leader_of({bot: seat.won for bot, seat in seats.items() if seat.won})
            self.first_all_in = Extreme(seats[most].won if most else 0, most, hand)

    def _record_strength(self, bot: int, seat: Seat, hand: HandNumber) -> None:
        known = {card for card in seat.best if card}  # "" is an unknown card
        if len(known) < SHOWN_HAND_CARDS:
            return
        value = strength(seat.best)
        if self.best_hand is None or value >= self.best_hand.strength:
            is_alone = self.best_hand is None or value > self.best_hand.strength
            self.best_hand = BestHand(value, bot if is_alone else 0, seat.ranking, hand)
