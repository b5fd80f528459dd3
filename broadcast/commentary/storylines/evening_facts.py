"""Collects the facts for an evening's storylines: hands won, meetings of bots, new leaders, and eliminations. Pure."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

from msgspec import UNSET, Struct

from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.commentary.storylines.bot_facts import (
    KEPT_PROOF,
    BotFacts,
    DoubleUp,
    Entered,
    Extreme,
    HandNumber,
    LastChips,
    Out,
    entered_of,
)
from broadcast.commentary.storylines.lead import Lead, leader_of
from broadcast.commentary.storylines.records import Records
from broadcast.on_air.table_state import Seat, TableState
from server.game import events
from server.game.events import Event
from server.game.rules import Rules

KEPT_OUT = 3
"""How many of the latest eliminations are kept."""
MIN_TEST = 5
"""If a bot needs all its chips to call a bet, this is mentioned only if the bot has at least this many big blinds."""
LATEST = 10
"""How many of the latest hands of a stage are kept."""


class Played(Struct, frozen=True):
    """A finished hand.

    `changes` says by how many chips each bot's stack has changed. `won` is the largest amount won; None if several bots
    won the same. `ranking` names the winning hand, and is "" without a showdown.
    """

    number: HandNumber
    changes: Mapping[int, int]
    won: Extreme | None
    ranking: str


class EveningFacts:
    """The facts about one evening, hand by hand."""

    def __init__(self, bots: Iterable[int] = (), starting_stack: int = 0) -> None:
        """`bots` are all entrants; each begins with `starting_stack` chips."""
        self.bots = {bot: BotFacts() for bot in bots}
        self.entered = Entered()
        self.rules = Rules()
        self.hands = 0
        self.starting_stack = starting_stack
        self.records = Records()
        self.showdowns: dict[tuple[int, int], list[tuple[int, HandNumber]]] = {}
        """The showdowns between two bots that one of them won and the other lost, as (winner, hand). The keys are pairs
        of bots, the lower number first.
        """
        self.passed: dict[tuple[int, int], deque[HandNumber]] = {}
        """The latest hands in which the first bot of a pair won chips and the second lost chips."""
        self.new_pairs: list[tuple[int, int]] = []
        """The pairs of bots that play at one table for the first time in this game. In the first game, where all pairs
        are new, the list is empty.
        """
        self.number = HandNumber(0, 0)
        """The current hand, or the last one."""
        self.last = HandNumber(0, 0)
        """The last finished hand."""
        self.finalists: tuple[int, ...] = ()
        """The bots of the last stage once it has started, unless it is the only stage."""
        self.just_out: set[int] = set()
        """The bots eliminated from the contest after the last hand."""
        self.outs = list[Out]()
        """The latest eliminations of this stage (in a series, of this game), in the order in which they happened."""
        self.lead = Lead()
        """The lead of this stage (in a series, of this game)."""
        self.latest = deque[Played](maxlen=LATEST)
        """The latest hands of this stage (in a series, of this game)."""
        self.stage: events.StageStarted | None = None
        """The stage being played; None between stages."""
        self.deals: DealFacts | None = None
        """The facts about the latest stage, if it is a stage of deals."""
        self.games = 0
        """How many games of this stage are over."""
        self.hand_limit = 0
        """The maximum number of hands of this game; 0 if there is no limit."""
        self.is_playing = False
        """Whether a game has begun and is not over."""
        self.big_blind = 0
        self._order: dict[HandNumber, int] = {}
        self.here: tuple[int, ...] = ()
        """The bots that began this stage (in a series, this game)."""
        self.stacks: dict[int, int] = {}
        """The chips of each bot of this stage (in a series, of this game) that has any, the largest stack first."""
        self._met: set[tuple[int, int]] = set()
        self._bettor = -1
        """The seat that bet last on the river; -1 for none."""
        self._tested = 0
        """The chips of the bot to act if it needs all of them to stay in the hand, and they are at least MIN_TEST big
        blinds; otherwise 0.
        """
        self._busted: dict[int, int] = {}
        """The bots that lost all their chips in the last hand, each with the only bot that won chips in it; 0 if
        several won.
        """

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`; `table` is the table after it."""
        match event:
            case events.TournamentOpened():
                self.entered, self.rules = entered_of(event), event.rules
            case events.StageStarted():
                self._begin_stage(event)
            case events.GameStarted():
                self._begin_game(event)
            case events.StageEnded():
                self.outs = [] if self.series else self.outs  # in a series, places belong to one game
                self.stage = None
            case events.GameEnded(game=game, ranking=ranking):
                self.games, self.is_playing = self.games + 1, False
                if ranking and self.last.game == game:
                    self.bots[ranking[0]].games_won.append(self.last)
            case events.BotEliminated():
                self._record_out(event)
            case events.BotDisconnected(bot=bot) | events.BotWithdrawn(bot=bot):
                self.bots[bot].away_since = self.hands
                self.bots[bot].withdrawn |= isinstance(event, events.BotWithdrawn)
            case events.BotConnected(bot=bot):
                self.bots[bot].away_since = None
            case _:
                self._apply_to_hand(event, table)

    def _apply_to_hand(self, event: Event, table: TableState) -> None:
        match event:
            case events.HandStarted(hand=hand, big_blind=big_blind):
                self.number, self.big_blind, self._bettor = HandNumber(self.number.game, hand), big_blind, -1
            case events.TurnStarted(seat=seat, to_call=to_call, blind=blind):
                stack = table.seats[seat].stack
                is_test = to_call >= stack >= MIN_TEST * self.big_blind and not blind
                self._tested = stack if is_test else 0
            case events.ActionTaken():
                self._record_act(event, table)
            case events.HandEnded():
                self._end_hand(table)
            case events.DealEnded() if self.deals:
                self.deals.end(event)

    @property
    def alive(self) -> list[int]:
        """The bots that have chips."""
        return [bot for bot, each in self.bots.items() if each.stack]

    @property
    def series(self) -> bool:
        """Whether each game of this stage begins with new stacks."""
        return self.stage is not None and bool(self.stage.series)

    @property
    def field(self) -> int:
        """How many bots began this stage (in a series, this game)."""
        return len(self.here)

    @property
    def is_capped(self) -> bool:
        """Whether a hand can cost only a part of a stack. If so, storylines tell wins and losses instead of stacks."""
        return self.rules.hand_cap is not UNSET

    @property
    def gone(self) -> set[int]:
        """The bots that are no longer connected."""
        return {bot for bot, each in self.bots.items() if each.away_since is not None}

    def ago(self, hand: HandNumber) -> int:
        """Returns how many hands were finished after `hand`; 0 for the last finished hand and for the current hand."""
        return self.hands - self._order.get(hand, self.hands)

    def _begin_stage(self, event: events.StageStarted) -> None:
        for bot in {*self.alive} - {*event.bots}:
            self.bots[bot].stack = 0
            self.just_out.add(bot)
        self.stage, self.games = event, 0
        self.deals = DealFacts(event) if event.deals else None
        for each in self.bots.values():
            each.games_won = []
        self.finalists = event.bots if event.stage > 1 and not event.advance else ()
        self._reset_stacks(event.bots, event.stacks)

    def _begin_game(self, event: events.GameStarted) -> None:
        self.number, self.hand_limit, self.is_playing = HandNumber(event.game, 0), event.hands, True
        pairs = [pair_of(one, other) for one, other in combinations(event.seats, 2)]
        self.new_pairs = [pair for pair in pairs if pair not in self._met] if self._met else []
        self._met |= {*pairs}
        if self.series:
            self._reset_stacks(event.seats, event.stacks)
        if self.deals:
            self._reset_stacks(self.deals.stage.bots, self.deals.stage.stacks)

    def _reset_stacks(self, bots: Sequence[int], stacks: Sequence[int]) -> None:
        """Begins a stage, or a game of a series, with new stacks."""
        self.here = tuple(bots)
        for bot, stack in zip(bots, stacks, strict=True):
            facts = self.bots[bot]
            facts.lowest = facts.highest = facts.double_up = None
            facts.stack = stack
        self.big_blind, self.lead, self.outs = 0, Lead(), []
        self.latest.clear()
        self._sort_stacks()

    def _sort_stacks(self) -> None:
        found = {bot: self.bots[bot].stack for bot in self.here if self.bots[bot].stack}
        self.stacks = dict(sorted(found.items(), key=lambda each: -each[1]))

    def _record_out(self, event: events.BotEliminated) -> None:
        by = self._busted.get(event.bot, 0)
        self.bots[event.bot].stack = 0
        self._sort_stacks()
        if not self.series:  # in a series, the bot is out of only one game
            self.just_out.add(event.bot)
            self.records.first_out = self.records.first_out or Extreme(self.hands, event.bot, self.last)
            if by:
                self.bots[by].knocked_out.append(self.last)
        self.outs = [*self.outs, Out(event.bot, event.place, by, self.last)][-KEPT_OUT:]

    def _record_act(self, event: events.ActionTaken, table: TableState) -> None:
        bot = table.bots[event.seat]
        if event.act in ("bet", "raise") and table.street == "river":
            self._bettor = event.seat
        if event.fault == "timeout":
            self.bots[bot].late.append(self.number)
        if event.fault:
            return
        self._record_style(bot, event.act, is_first=table.street == "preflop")
        if self._tested:
            self.bots[bot].tests.append(LastChips(self._tested, event.act != "fold", self.number))
        self.records.record_thought(bot, event.think_ms, self.number)

    def _record_style(self, bot: int, act: str, *, is_first: bool) -> None:
        """Records that a bot put chips in voluntarily or raised before the flop, or attacked after the flop.

        `is_first` says whether the act is before the flop.
        """
        facts, is_bold = self.bots[bot], act in ("bet", "raise")
        for hands, is_such in (
            (facts.played, is_first and (is_bold or act == "call")),
            (facts.raised, is_first and is_bold),
            (facts.attacked, is_bold and not is_first),
        ):
            if is_such and (not hands or hands[-1] != self.number):
                hands.append(self.number)

    def _end_hand(self, table: TableState) -> None:
        self.hands, self.last, self.just_out = self.hands + 1, self.number, set()
        self._order[self.last] = self.hands
        dealt = [(table.bots[at], at, seat) for at, seat in enumerate(table.seats) if seat.dealt_in]
        contested = len(table.live) > 1
        for bot, at, seat in () if self.deals else dealt:  # each deal has fresh stacks, so there are no streaks
            facts = self.bots[bot]
            facts.record_run(self.number, len(dealt), won=seat.won > 0)
            facts.record_stack(self.number, bot, seat.stack)
            if at == self._bettor and seat.ranking.startswith("high card") and not seat.won:
                facts.caught.append(self.number)
            if contested and seat.stack and seat.committed == seat.start:
                facts.survived.append(self.number)
                if seat.stack >= 2 * seat.start:
                    facts.double_up = DoubleUp(seat.start, seat.stack, self.number)
        self._record_showdown(table)
        winners = [bot for bot, _, seat in dealt if seat.won]
        by = winners[0] if len(winners) == 1 else 0
        self._busted = {bot: by for bot, _, seat in dealt if not seat.stack}
        self._record_pot({bot: seat for bot, _, seat in dealt})
        self.records.record_hand({bot: seat for bot, _, seat in dealt}, self.number)
        self._sort_stacks()
        self.lead.record(self.last, leader_of(self.stacks))

    def _record_pot(self, seats: Mapping[int, Seat]) -> None:
        """Records who won most in a hand. `seats` are the seats that were dealt in, keyed by bot."""
        first = leader_of({bot: seat.won for bot, seat in seats.items() if seat.won})
        most = Extreme(seats[first].won, first, self.number) if first else None
        changes = {bot: seat.stack - seat.start for bot, seat in seats.items()}
        self.latest.append(Played(self.number, changes, most, seats[first].ranking if first else ""))
        for by, of in product(seats, seats):
            if changes[by] > 0 > changes[of]:
                self.passed.setdefault((by, of), deque(maxlen=KEPT_PROOF)).append(self.number)

    def _record_showdown(self, table: TableState) -> None:
        shown = [at for at, seat in enumerate(table.seats) if seat.live and seat.ranking]
        for one, other in combinations(shown, 2):
            winners = [at for at in (one, other) if table.seats[at].won]
            if len(winners) == 1:
                pair = pair_of(table.bots[one], table.bots[other])
                self.showdowns.setdefault(pair, []).append((table.bots[winners[0]], self.number))


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Returns two bots as a pair, the lower number first."""
    return min(one, other), max(one, other)
