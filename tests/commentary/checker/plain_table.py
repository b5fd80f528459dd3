"""A second, plain table: it counts chips from the recording, and pots from what each seat put in."""

from broadcast.commentary.hand_names import showdown_name
from server.game.events import (
    ActionTaken,
    BetReturned,
    BlindPosted,
    Event,
    GameStarted,
    HandEnded,
    HandStarted,
    HoleDealt,
    PotAwarded,
    SeatVacated,
    StreetDealt,
    TournamentOpened,
)
from tests.commentary.checker.plain_poker import Cards, worth


def shown_name(name: str) -> str:
    """A name, shortened as on screen."""
    return name if len(name) <= 30 else f"{name[:29]}…"


class PlainPot:
    """The correct pot: its chips, who could win it, who has won it, and with what hand."""

    def __init__(self, table: "PlainTable", amount: int, seats: list[int], number: int, count: int) -> None:
        cards = {seat: [*table.cards[seat], *table.board] for seat in seats}
        is_showdown = len(table.live) > 1
        most = max(map(worth, cards.values())) if is_showdown else 0
        self.amount = amount
        self.winners = [seat for seat in seats if not is_showdown or worth(cards[seat]) == most]
        self.unopposed = number > 0 and len(seats) == 1
        others = [table.cards[seat] for seat in seats if seat != self.winners[0]]
        self.ranking = showdown_name(table.cards[self.winners[0]], table.board, others) if is_showdown else ""
        side = "the side pot" if count == 2 else f"side pot {number}"
        self.name = "the pot" if count == 1 else side if number else "the main pot"


class PlainTable:
    """Follows a recording event by event."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.bots: tuple[int, ...] = ()
        self.board: list[str] = []
        self.cap = 0
        """The most that a seat can put into a hand."""
        self.start: list[int] = []
        self.stacks: list[int] = []
        self.put_in: list[int] = []
        self.street: list[int] = []
        self.cards: dict[int, Cards] = {}
        self.folded: set[int] = set()
        self.played = False
        self.won: dict[int, int] = {}

    def apply(self, event: Event) -> None:
        match event:
            case TournamentOpened(entrants=entrants, rules=rules):
                self.cap = rules.hand_cap or 10**9
                self.names = {each.bot: shown_name(each.name) for each in entrants}
            case GameStarted(seats=seats, stacks=stacks):
                self.bots, self.stacks = seats, list(stacks)
            case HandStarted():
                self._begin(event)
            case HoleDealt(seat=seat, cards=cards):
                self.cards[seat] = cards
            case BlindPosted(seat=seat, amount=amount, blind=blind):
                self._pay(seat, amount, on_street=blind != "ante")
            case ActionTaken():
                self._act(event)
            case SeatVacated(seat=seat):
                self.stacks[seat] = 0
            case _:
                self._settle(event)

    def _settle(self, event: Event) -> None:
        match event:
            case BetReturned(seat=seat, amount=amount):
                self._pay(seat, -amount)
            case StreetDealt(cards=cards):
                self.board += cards
                self.street = [0] * len(self.street)
            case PotAwarded(awards=awards):
                for award in awards:
                    self.stacks[award.seat] += award.amount
                    self.won[award.seat] = self.won.get(award.seat, 0) + award.amount
            case HandEnded(stacks=stacks):
                assert list(stacks) == self.stacks, "the chips differ"
            case _:
                pass

    def _begin(self, event: HandStarted) -> None:
        self.start, self.stacks = list(event.stacks), list(event.stacks)
        self.put_in, self.street = [0] * len(self.start), [0] * len(self.start)
        self.board, self.cards, self.folded, self.played, self.won = [], {}, set(), False, {}

    def _act(self, event: ActionTaken) -> None:
        if event.act == "fold":
            self.folded.add(event.seat)
        self.played = self.played or event.amount > 0
        self._pay(event.seat, event.amount)

    def _pay(self, seat: int, amount: int, *, on_street: bool = True) -> None:
        self.stacks[seat] -= amount
        self.put_in[seat] += amount
        self.street[seat] += amount * on_street

    @property
    def in_play(self) -> list[int]:
        return [min(stack, self.cap) for stack in self.start]

    def is_all_in(self, seat: int) -> bool:
        return self.put_in[seat] == self.in_play[seat]

    @property
    def live(self) -> list[int]:
        """The seats that were dealt in and have not folded."""
        return [seat for seat, stack in enumerate(self.start) if stack and seat not in self.folded]

    @property
    def open(self) -> set[str]:
        """Every card that viewers can see."""
        return {*self.board, *(card for cards in self.cards.values() for card in cards)}

    def name(self, seat: int) -> str:
        return self.names[self.bots[seat]]

    def pots(self) -> list[PlainPot]:
        """The pots from what each seat has put in: one layer for each amount that a live seat has put in."""
        layers: list[tuple[int, list[int]]] = []
        below = 0
        for level in sorted({self.put_in[seat] for seat in self.live}):
            amount = sum(min(paid, level) - min(paid, below) for paid in self.put_in)
            layers.append((amount, [seat for seat in self.live if self.put_in[seat] >= level]))
            below = level
        if layers:
            layers[-1] = (layers[-1][0] + sum(max(0, paid - below) for paid in self.put_in), layers[-1][1])
        found = [layer for layer in layers if layer[0]]
        return [PlainPot(self, *layer, number, len(found)) for number, layer in enumerate(found)]
