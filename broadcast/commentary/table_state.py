"""The table as viewers see it, followed event by event: what captions, statistics and drama are told from.

Pure, and blind to everything that is not on air yet.
"""

from broadcast.on_air.events import Chance, EquitiesChanged
from server.game.cards import Card
from server.game.events import (
    ActionTaken,
    BetReturned,
    BlindPosted,
    Event,
    GameStarted,
    HandShown,
    HandStarted,
    HoleDealt,
    PotAwarded,
    SeatVacated,
    StreetDealt,
    TournamentOpened,
)
from server.text.grammar import short_name


class Chair:
    """One seat during a hand, amounts in chips."""

    def __init__(self, stack: int) -> None:
        self.start = stack
        """What it had before the hand."""
        self.stack = stack
        self.committed = 0
        self.won = 0
        self.cards: tuple[Card, ...] = ()
        self.dealt_in = stack > 0
        self.folded = False
        self.ranking = ""
        """What its hand makes, once that is shown."""
        self.best: tuple[Card, ...] = ()

    @property
    def live(self) -> bool:
        """Whether it can still win the pot."""
        return self.dealt_in and not self.folded

    @property
    def all_in(self) -> bool:
        return self.live and self.committed > 0 and self.committed == self.start

    def pay(self, amount: int) -> None:
        """Puts `amount` in; a negative one comes back."""
        self.stack -= amount
        self.committed += amount


class Felt:
    """Follows what is on air."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.bots: tuple[int, ...] = ()
        """Who sits in each seat of the present game."""
        self.hand = HandStarted(0, 0, 0, 0, 0, (), "")
        self.chairs: list[Chair] = []
        self.board: tuple[Card, ...] = ()
        self.street = "preflop"
        self.pot = 0
        self.chances: dict[int, Chance] = {}
        """How those who are still in stand, as it was last told."""
        self.before: dict[int, Chance] = {}
        """How they stood before that."""

    def take(self, event: Event) -> None:
        """The table after `event`."""
        match event:
            case TournamentOpened(entrants=entrants):
                self.names = {entrant.bot: short_name(entrant.name) for entrant in entrants}
            case GameStarted(seats=seats):
                self.bots = seats
            case HandStarted(stacks=stacks):
                self._clear(event)
                self.chairs = [Chair(stack) for stack in stacks]
            case HoleDealt(seat=seat, cards=cards):
                self.chairs[seat].cards = tuple(card for card in cards if card)  # "": nobody has seen it
            case StreetDealt(street=street, cards=cards):
                self.street, self.board = street, self.board + cards
            case HandShown(seat=seat, ranking=ranking, best=best):
                self.chairs[seat].ranking, self.chairs[seat].best = ranking, best
            case PotAwarded(awards=awards, amount=amount):
                self.pot -= amount
                for award in awards:
                    self.chairs[award.seat].stack += award.amount
                    self.chairs[award.seat].won += award.amount
            case _:
                self._bet(event)

    def hear(self, told: EquitiesChanged) -> None:
        """Chances are told."""
        self.before, self.chances = self.chances, {chance.seat: chance for chance in told.chances}

    def name(self, seat: int) -> str:
        """The name of the bot in a seat."""
        return self.names[self.bots[seat]]

    @property
    def live(self) -> list[int]:
        """The seats that can still win the pot."""
        return [at for at, chair in enumerate(self.chairs) if chair.live]

    @property
    def dealt(self) -> bool:
        """Whether everybody has got cards."""
        return all(chair.cards for chair in self.chairs if chair.dealt_in)

    @property
    def seen(self) -> set[Card]:
        """Every card that lies face up."""
        return {*self.board, *(card for chair in self.chairs for card in chair.cards)}

    def _clear(self, hand: HandStarted) -> None:
        self.hand, self.board, self.street, self.pot = hand, (), "preflop", 0
        self.chances, self.before = {}, {}

    def _bet(self, event: Event) -> None:
        match event:
            case BlindPosted(seat=seat, amount=amount):
                self._pay(seat, amount)
            case ActionTaken(seat=seat, amount=amount, act=act):
                self.chairs[seat].folded = act == "fold"
                self._pay(seat, amount)
            case BetReturned(seat=seat, amount=amount):
                self._pay(seat, -amount)
            case SeatVacated(seat=seat, amount=amount):
                self.chairs[seat].stack -= amount
            case _:
                pass

    def _pay(self, seat: int, amount: int) -> None:
        self.chairs[seat].pay(amount)
        self.pot += amount
