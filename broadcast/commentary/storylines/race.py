"""How the bots of a stage stand to one another, hand by hand: who leads since when, who is out, who wins. Pure."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from broadcast.commentary.storylines.evening_facts import EveningFacts, HandNumber
from broadcast.on_air.table_state import TableState
from server.game.events import BotEliminated, Event, GameStarted, HandEnded, HandStarted, StageStarted

KEPT_OUT = 3
"""So many of the latest eliminations are told of."""


class Out(Struct, frozen=True):
    """A bot that went out in place `place`; `by` won all pots of that hand alone, 0 where several did."""

    bot: int
    place: int
    by: int
    hand: HandNumber


class Race:
    """The race of one stage, or of one game of a series."""

    def __init__(self) -> None:
        self.series = False
        self.leader = 0
        """Who alone has the most chips; 0: nobody."""
        self.before = 0
        """From whom it took the lead; 0 where nobody else has led."""
        self.led: list[HandNumber] = []
        """The hands since the leader leads, the first being the one that made it so."""
        self.changes = 0
        """How often another bot than the one before took the lead."""
        self.outs: list[Out] = []
        """Who went out, the latest last."""
        self.pots: Counter[int] = Counter()
        """In how many hands of the whole evening each bot won chips."""
        self.big_blind = 0
        self._last = 0
        """Who led last."""
        self._winners: list[int] = []
        self._broke: list[int] = []

    def take(self, event: Event, table: TableState, facts: EveningFacts) -> None:
        """Takes in `event`, after which the table is such and these are the facts."""
        match event:
            case StageStarted():
                self.series = bool(event.series)
                self._begin()
            case GameStarted() if self.series:
                self._begin()
            case HandStarted(big_blind=big_blind):
                self.big_blind = big_blind
            case HandEnded():
                self._end_hand(table, facts)
            case BotEliminated(bot=bot, place=place):
                by = self._winners[0] if len(self._winners) == 1 and bot in self._broke else 0
                self.outs = [*self.outs, Out(bot, place, by, facts.last)][-KEPT_OUT:]

    def _begin(self) -> None:
        self.leader = self.before = self.changes = self._last = self.big_blind = 0
        self.led, self.outs = [], []

    def _end_hand(self, table: TableState, facts: EveningFacts) -> None:
        self._winners = [table.bots[at] for at, seat in enumerate(table.seats) if seat.won]
        self._broke = [table.bots[at] for at, seat in enumerate(table.seats) if seat.dealt_in and not seat.stack]
        self.pots.update(self._winners)
        leader = leader_of({bot: facts.bots[bot].stack for bot in facts.alive})
        if leader != self.leader:
            self._change(leader)
        if leader:
            self.led.append(facts.last)

    def _change(self, leader: int) -> None:
        self.leader, self.led = leader, []
        if leader:
            self.before = self._last if self._last != leader else 0
            self.changes += bool(self.before)
            self._last = leader


def leader_of(stacks: Mapping[int, int]) -> int:
    """Who alone has the most chips; 0: nobody."""
    first = max(stacks, key=lambda bot: stacks[bot], default=0)
    return first if first and sum(chips == stacks[first] for chips in stacks.values()) == 1 else 0
