"""Collects the facts for an evening's storylines: hands won, meetings of bots, changes of the lead, and eliminations.

Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from broadcast.on_air.table_state import Seat, TableState
from server.game import events
from server.game.events import Event

KEPT_OUT = 3
"""How many of the latest eliminations are kept."""


class HandNumber(Struct, frozen=True, order=True):
    """A hand: the number of its game, and its number in that game."""

    game: int
    hand: int


class Extreme(Struct, frozen=True):
    """A highest or lowest amount of chips or milliseconds, with its bot and hand."""

    amount: int
    bot: int
    hand: HandNumber


class Out(Struct, frozen=True):
    """A bot that was eliminated. `by` is the bot that won all pots of that hand; 0 if several bots won some."""

    bot: int
    place: int
    by: int
    hand: HandNumber


class BotFacts:
    """The facts about one bot."""

    def __init__(self) -> None:
        self.without: list[HandNumber] = []
        """The hands dealt to it since it last won chips."""
        self.winning: list[HandNumber] = []
        """The latest consecutive hands in which it won chips."""
        self.longest_streak = self.longest_drought = 0
        """The lengths of its longest runs of hands with and without chips won."""
        self.caught: list[HandNumber] = []
        """Hands in which it bet last on the river, showed no pair and won nothing."""
        self.lowest: Extreme | None = None
        """Its smallest stack after any hand of this stage (in a series, of this game), except 0."""
        self.stack = 0


class EveningFacts:
    """The facts about one evening, hand by hand."""

    def __init__(self, bots: Iterable[int] = (), starting_stack: int = 0) -> None:
        """`bots` are all entrants; each begins with `starting_stack` chips."""
        self.bots = {bot: BotFacts() for bot in bots}
        self.hands = 0
        self.starting_stack = starting_stack
        self.biggest_pot: Extreme | None = None
        self.longest_thought: Extreme | None = None
        self.showdowns: dict[tuple[int, int], list[tuple[int, HandNumber]]] = {}
        """The showdowns that one bot of a pair won and the other lost, as (winner, hand).

        They are keyed by the pair of bots, the lower number first.
        """
        self.new_pairs: list[tuple[int, int]] = []
        """The pairs that share a table for the first time in this game; empty in the first game, where all are new."""
        self.number = HandNumber(0, 0)
        """The current hand, or the last one."""
        self.last = HandNumber(0, 0)
        """The last finished hand."""
        self.finalists: tuple[int, ...] = ()
        """The bots of the last stage once it has started, unless it is the only stage."""
        self.gone: set[int] = set()
        """The bots that are no longer connected."""
        self.just_out: set[int] = set()
        """The bots eliminated from the contest after the last hand."""
        self.outs: list[Out] = []
        """The latest eliminations of this stage (in a series, of this game), in the order in which they happened."""
        self.leader = 0
        """The bot of this stage (in a series, of this game) with more chips than any other; 0: none."""
        self.led_before = 0
        """The previous leader; 0: none."""
        self.led: list[HandNumber] = []
        """The hands since the leader took the lead, including the one in which it took it."""
        self.lead_changes = 0
        """How often the lead has passed from one bot to another."""
        self.pots: Counter[int] = Counter()
        """The number of hands in which each bot has won chips this evening."""
        self.series = False
        self.big_blind = 0
        self._met: set[tuple[int, int]] = set()
        self._bettor = -1
        """The seat that bet last on the river; -1: none."""
        self._last_leader = 0
        self._winners: list[int] = []
        """The bots that won chips in the last hand."""
        self._broke: list[int] = []

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`; `table` is the table after it."""
        match event:
            case events.StageStarted():
                self._begin_stage(event)
            case events.GameStarted():
                self._begin_game(event)
            case events.HandStarted(hand=hand, big_blind=big_blind):
                self.number, self.big_blind, self._bettor = HandNumber(self.number.game, hand), big_blind, -1
            case events.ActionTaken():
                self._record_act(event, table)
            case events.BotEliminated():
                self._record_out(event)
            case events.HandEnded():
                self._end_hand(table)
            case events.BotDisconnected(bot=bot) | events.BotWithdrawn(bot=bot):
                self.gone.add(bot)
            case events.BotConnected(bot=bot):
                self.gone.discard(bot)

    @property
    def alive(self) -> list[int]:
        """The bots that have chips."""
        return [bot for bot, each in self.bots.items() if each.stack]

    def _begin_stage(self, event: events.StageStarted) -> None:
        for bot in {*self.alive} - {*event.bots}:
            self.bots[bot].stack = 0
            self.just_out.add(bot)
        self.series = bool(event.series)
        self.finalists = event.bots if event.stage > 1 and not event.advance else ()
        self._reset_stacks(event.bots, event.stacks)

    def _begin_game(self, event: events.GameStarted) -> None:
        self.number = HandNumber(event.game, 0)
        pairs = [pair_of(one, other) for one, other in combinations(event.seats, 2)]
        self.new_pairs = [pair for pair in pairs if pair not in self._met] if self._met else []
        self._met |= {*pairs}
        if self.series:
            self._reset_stacks(event.seats, event.stacks)

    def _reset_stacks(self, bots: Sequence[int], stacks: Sequence[int]) -> None:
        """Begins a stage, or a game of a series, with new stacks."""
        for bot, stack in zip(bots, stacks, strict=True):
            self.bots[bot].lowest, self.bots[bot].stack = None, stack
        self.leader = self.led_before = self.lead_changes = self.big_blind = self._last_leader = 0
        self.led, self.outs = [], []

    def _record_out(self, event: events.BotEliminated) -> None:
        if not self.series:  # in a series it is out of one game only
            self.just_out.add(event.bot)
        by = self._winners[0] if len(self._winners) == 1 and event.bot in self._broke else 0
        self.outs = [*self.outs, Out(event.bot, event.place, by, self.last)][-KEPT_OUT:]

    def _record_act(self, event: events.ActionTaken, table: TableState) -> None:
        if event.act in ("bet", "raise") and table.street == "river":
            self._bettor = event.seat
        longest = self.longest_thought.amount if self.longest_thought else 0
        if not event.fault and event.think_ms > longest:
            self.longest_thought = Extreme(event.think_ms, table.bots[event.seat], self.number)

    def _end_hand(self, table: TableState) -> None:
        self.hands, self.last, self.just_out = self.hands + 1, self.number, set()
        for at, seat in enumerate(table.seats):
            if seat.dealt_in:
                self._record_hand(at, seat, table.bots[at])
        self._record_showdown(table)
        self._winners = [table.bots[at] for at, seat in enumerate(table.seats) if seat.won]
        self._broke = [table.bots[at] for at, seat in enumerate(table.seats) if seat.dealt_in and not seat.stack]
        self.pots.update(self._winners)
        self._record_leader(leader_of({bot: self.bots[bot].stack for bot in self.alive}))

    def _record_hand(self, at: int, seat: Seat, bot: int) -> None:
        facts, number = self.bots[bot], self.number
        facts.stack = seat.stack
        if seat.won:
            facts.winning.append(number)
            facts.without = []
        else:
            facts.without.append(number)
            facts.winning = []
        facts.longest_streak = max(facts.longest_streak, len(facts.winning))
        facts.longest_drought = max(facts.longest_drought, len(facts.without))
        if at == self._bettor and seat.ranking.startswith("high card") and not seat.won:
            facts.caught.append(number)
        if seat.stack and (facts.lowest is None or seat.stack <= facts.lowest.amount):
            facts.lowest = Extreme(seat.stack, bot, number)
        if seat.won > (self.biggest_pot.amount if self.biggest_pot else 0):
            self.biggest_pot = Extreme(seat.won, bot, number)

    def _record_showdown(self, table: TableState) -> None:
        shown = [at for at, seat in enumerate(table.seats) if seat.live and seat.ranking]
        for one, other in combinations(shown, 2):
            winners = [at for at in (one, other) if table.seats[at].won]
            if len(winners) == 1:
                pair = pair_of(table.bots[one], table.bots[other])
                self.showdowns.setdefault(pair, []).append((table.bots[winners[0]], self.number))

    def _record_leader(self, leader: int) -> None:
        if leader != self.leader:
            self.leader, self.led = leader, []
            if leader:
                self.led_before = self._last_leader if self._last_leader != leader else 0
                self.lead_changes += bool(self.led_before)
                self._last_leader = leader
        if leader:
            self.led.append(self.last)


def leader_of(stacks: Mapping[int, int]) -> int:
    """The bot with more chips than any other; 0: none."""
    first = max(stacks, key=lambda bot: stacks[bot], default=0)
    return first if first and sum(chips == stacks[first] for chips in stacks.values()) == 1 else 0


def pair_of(one: int, other: int) -> tuple[int, int]:
    """The pair of two bots, the lower number first."""
    return min(one, other), max(one, other)
