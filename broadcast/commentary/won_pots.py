"""Describes the pots of a hand: who won which, and with what. No I/O. Uses only what has been on air."""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.commentary.hand_names import showdown_name, spoken_name
from broadcast.on_air.table_state import TableState
from server.game.events import ActionTaken, BetsCollected, Event, HandStarted, Pot, PotAwarded
from server.text.grammar import count_text, join_within_width, name_in_sentence, ordinal, with_article

THE_POT = "the pot"
"""The name of the only pot of a hand."""
_ORDINALS = {1: "first", 2: "second", 3: "third"}
ON_THE_BOARD = ", on the board"
"""The end of the name of a hand that plays the board."""


class WonPot(Struct, frozen=True):
    """A pot that was won. `ranking` names the winning hand. It is "" if nobody had to show.

    `uncontested` says that only the winner could win this pot.
    """

    name: str
    amount: int
    seats: tuple[int, ...]
    ranking: str
    uncontested: bool = False

    @property
    def amount_text(self) -> str:
        """Returns a text such as "300 chips". If the hand has several pots, names the pot: "300 chips in the side pot",
        "the side pot uncontested: 300 chips".
        """
        chips = count_text(self.amount, "chip")
        if self.uncontested:
            return f"{self.name} uncontested: {chips}"
        return chips if self.name == THE_POT else f"{chips} in {self.name}"

    @property
    def hand_text(self) -> str:
        """The words that follow the amount: " with a pair of kings", ": both have a pair of kings".

        The words are "" if the winning hand was not shown.
        """
        if self.uncontested or not self.ranking:
            return ""
        if len(self.seats) > 1 and self.ranking.endswith(ON_THE_BOARD):
            return ": the board plays"
        hand = with_article(spoken_name(self.ranking))
        return f" with {hand}" if len(self.seats) == 1 else f": {'both' if len(self.seats) == 2 else 'all'} have {hand}"


class WonPots:
    """Collects the pots won in each hand, event by event."""

    def __init__(self) -> None:
        self.won_pots: list[WonPot] = []
        """The pots of this hand won so far, the main pot first."""
        self.is_walk = False
        """Whether all bots that have acted so far have folded."""
        self._has_voluntary_bet = False
        self._pots: tuple[Pot, ...] = ()

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`. `table` is the table after the event."""
        match event:
            case HandStarted():
                self.won_pots, self._pots, self.is_walk, self._has_voluntary_bet = [], (), False, False
            case BetsCollected(pots=pots):
                self._pots = pots
            case ActionTaken(act=act, amount=amount):
                self._has_voluntary_bet = self._has_voluntary_bet or amount > 0
                self.is_walk = act == "fold" and not self._has_voluntary_bet
            case PotAwarded():
                self.won_pots.append(self._pot(event, table))

    def name_of(self, seat: int, table: TableState, among: Sequence[int] = ()) -> str:
        """Names a seat's hand. Adds the kicker if it decides between this hand and the hands of other seats.

        The other seats are those in `among`. By default, they are all live seats. Returns "" if the hand was not shown.
        """
        mine = table.seats[seat]
        hole_cards = {
            other_seat: table.seats[other_seat].cards
            for other_seat in among or table.seats_in_hand
            if len(table.seats[other_seat].cards) == 2
        }
        if not mine.ranking or seat not in hole_cards:
            return mine.ranking
        return showdown_name(
            mine.cards, table.board, [cards for other_seat, cards in hole_cards.items() if other_seat != seat]
        )

    def summary(self, table: TableState) -> str:
        """Returns a sentence about all pots, the largest first, without a full stop.

        If all pots went to the same seats, the sentence treats them as one pot.
        """
        if len({pot.seats for pot in self.won_pots}) == 1:
            whole = sum(pot.amount for pot in self.won_pots)
            main = self.won_pots[0]
            return _winners_text(main.seats, f"{whole:,}", main.hand_text, table)
        largest_first = sorted(self.won_pots, key=lambda pot: -pot.amount)
        return "; ".join(_winners_text(pot.seats, pot.amount_text, pot.hand_text, table) for pot in largest_first)

    def _pot(self, event: PotAwarded, table: TableState) -> WonPot:
        winners = tuple(award.seat for award in event.awards)
        count = max(len(self._pots), event.pot + 1)
        contenders = self._pots[event.pot].seats if event.pot < len(self._pots) else ()
        among = [seat for seat in contenders if table.seats[seat].is_in_hand] or table.seats_in_hand
        uncontested = event.pot > 0 and len(among) == 1
        return WonPot(
            _pot_name(event.pot, count), event.amount, winners, self.name_of(winners[0], table, among), uncontested
        )


def _pot_name(number: int, count: int) -> str:
    """The name of pot `number` of `count`: "the pot", "the main pot", "the side pot", "the second side pot"."""
    if count == 1:
        return THE_POT
    if number == 0:
        return "the main pot"
    return "the side pot" if count == 2 else f"the {_ORDINALS.get(number) or ordinal(number)} side pot"


def _winners_text(seats: Sequence[int], amount_text: str, hand_text: str, table: TableState) -> str:
    names = join_within_width([name_in_sentence(table.bot_name(seat)) for seat in seats])
    return f"{names} {'wins' if len(seats) == 1 else 'split'} {amount_text}{hand_text}"
