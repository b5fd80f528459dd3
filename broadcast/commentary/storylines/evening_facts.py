"""Collects the facts for an evening's storylines: hands won, meetings of bots, new leaders, and eliminations.

No I/O.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

from msgspec import UNSET, Struct

from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.commentary.storylines.bot_facts import (
    MAX_PROOF_HANDS,
    AllInDecision,
    BotFacts,
    DoubleUp,
    Elimination,
    Extreme,
    HandNumber,
    OpeningFacts,
    opening_facts_of,
)
from broadcast.commentary.storylines.chip_lead import ChipLead, leader_of
from broadcast.commentary.storylines.records import Records
from broadcast.on_air.table_state import Seat, TableState
from server.game import events
from server.game.events import Event
from server.game.rules import Rules

KEPT_ELIMINATIONS = 3
"""How many of the latest eliminations are kept."""
MIN_ALL_IN_DECISION_BLINDS = 5
"""A choice between a fold and an all-in call is mentioned only if the bot has at least this many big blinds."""
KEPT_HANDS = 10
"""How many of the latest hands of a stage are kept."""


class FinishedHand(Struct, frozen=True):
    """A finished hand.

    `stack_changes` has the change in each bot's stack, in chips. `largest_win` is the largest amount won, and `ranking`
    names the hand that won it. If several bots won this amount, `largest_win` is None and `ranking` is "".
    Without a showdown, `ranking` is "".
    """

    number: HandNumber
    stack_changes: Mapping[int, int]
    largest_win: Extreme | None
    ranking: str


class EveningFacts:
    """The facts about one evening, hand by hand."""

    def __init__(self, bots: Iterable[int] = (), starting_stack: int = 0) -> None:
        """`bots` are all entrants. Each begins with `starting_stack` chips."""
        self.bots = {bot: BotFacts() for bot in bots}
        self.opening_facts = OpeningFacts()
        self.rules = Rules()
        self.hands_played = 0
        self.starting_stack = starting_stack
        self.records = Records()
        self.showdowns: dict[tuple[int, int], list[tuple[int, HandNumber]]] = {}
        """For each pair of bots, the showdowns that one of them won and the other lost, as (winner, hand). The bot with
        the lower number comes first in a pair.
        """
        self.chips_passed: dict[tuple[int, int], deque[HandNumber]] = {}
        """The latest hands in which the first bot of a pair won chips and the second bot lost chips."""
        self.new_pairs: list[tuple[int, int]] = []
        """The pairs of bots in this game that have never met at a table before. In the first game, where all pairs are
        new, the list is empty.
        """
        self.current_hand = HandNumber(0, 0)
        """The current hand, or the last one."""
        self.last_hand = HandNumber(0, 0)
        """The last finished hand."""
        self.finalists: tuple[int, ...] = ()
        """The bots of the last stage once it has started. It is () before, and if the contest has only one stage."""
        self.just_out: set[int] = set()
        """The bots eliminated from the contest after the last hand."""
        self.eliminations = list[Elimination]()
        """The latest eliminations of this stage, or of this game in a series, in the order in which they happened."""
        self.lead = ChipLead()
        """The lead of this stage, or of this game in a series."""
        self.latest_hands = deque[FinishedHand](maxlen=KEPT_HANDS)
        """The latest hands of this stage, or of this game in a series."""
        self.stage: events.StageStarted | None = None
        """The stage being played. It is None between stages."""
        self.deals: DealFacts | None = None
        """The facts about the latest stage, if it is a stage of deals."""
        self.games_played = 0
        """How many games of this stage are over."""
        self.hand_limit = 0
        """The maximum number of hands of this game, or 0 if there is no limit."""
        self.is_playing = False
        """Whether a game has begun and is not over."""
        self.big_blind = 0
        self._hand_ordinals: dict[HandNumber, int] = {}
        self.stage_bots: tuple[int, ...] = ()
        """The bots that began this stage, or this game in a series."""
        self.stacks: dict[int, int] = {}
        """The chips of each bot of this stage, without bots that have none. The largest stack comes first. In a series,
        the bots are those of this game.
        """
        self._pairs_met: set[tuple[int, int]] = set()
        self._river_bettor = -1
        """The seat that bet last on the river, or -1 if nobody has bet there."""
        self._chips_at_risk = 0
        """The chips of the bot to act, if it needs all of them to stay in the hand. Otherwise 0. Also 0 if the bot has
        fewer than MIN_ALL_IN_DECISION_BLINDS big blinds.
        """
        self._busted_by: dict[int, int] = {}
        """For each bot that lost all its chips in the last hand, the bot that won the hand, or 0 if several bots won
        chips.
        """

    def apply(self, event: Event, table: TableState) -> None:
        """Applies `event`. `table` is the table after the event."""
        match event:
            case events.TournamentOpened():
                self.opening_facts, self.rules = opening_facts_of(event), event.rules
            case events.StageStarted():
                self._begin_stage(event)
            case events.GameStarted():
                self._begin_game(event)
            case events.StageEnded():
                # In a series, `eliminations` has only the eliminations of the last game.
                self.eliminations = [] if self.is_series else self.eliminations
                self.stage = None
            case events.GameEnded(game=game, ranking=ranking):
                self.games_played, self.is_playing = self.games_played + 1, False
                if ranking and self.last_hand.game == game:
                    self.bots[ranking[0]].games_won.append(self.last_hand)
            case events.BotEliminated():
                self._record_elimination(event)
            case events.BotDisconnected(bot=bot) | events.BotWithdrawn(bot=bot):
                self.bots[bot].away_since = self.hands_played
                self.bots[bot].is_withdrawn |= isinstance(event, events.BotWithdrawn)
            case events.BotConnected(bot=bot):
                self.bots[bot].away_since = None
            case _:
                self._apply_to_hand(event, table)

    def _apply_to_hand(self, event: Event, table: TableState) -> None:
        match event:
            case events.HandStarted(hand=hand, big_blind=big_blind):
                self.current_hand, self.big_blind, self._river_bettor = (
                    HandNumber(self.current_hand.game, hand),
                    big_blind,
                    -1,
                )
            case events.TurnStarted(seat=seat, to_call=to_call, blind=blind):
                stack = table.seats[seat].stack
                needs_all_chips = to_call >= stack >= MIN_ALL_IN_DECISION_BLINDS * self.big_blind and not blind
                self._chips_at_risk = stack if needs_all_chips else 0
            case events.ActionTaken():
                self._record_act(event, table)
            case events.HandEnded():
                self._end_hand(table)
            case events.DealEnded() if self.deals:
                self.deals.end_deal(event)

    @property
    def alive(self) -> list[int]:
        """The bots that have chips."""
        return [bot for bot, each in self.bots.items() if each.stack]

    @property
    def is_series(self) -> bool:
        """Whether each game of this stage begins with new stacks."""
        return self.stage is not None and bool(self.stage.series)

    @property
    def field_size(self) -> int:
        """How many bots began this stage, or this game in a series."""
        return len(self.stage_bots)

    @property
    def is_capped(self) -> bool:
        """Whether a hand can cost only a part of a stack. If so, storylines tell wins and losses instead of stacks."""
        return self.rules.hand_cap is not UNSET

    @property
    def disconnected(self) -> set[int]:
        """The bots that are no longer connected."""
        return {bot for bot, each in self.bots.items() if each.away_since is not None}

    def hands_since(self, hand: HandNumber) -> int:
        """Returns how many hands were finished after `hand`. Returns 0 for the last finished hand and for the current
        hand.
        """
        return self.hands_played - self._hand_ordinals.get(hand, self.hands_played)

    def _begin_stage(self, event: events.StageStarted) -> None:
        for bot in {*self.alive} - {*event.bots}:
            self.bots[bot].stack = 0
            self.just_out.add(bot)
        self.stage, self.games_played = event, 0
        self.deals = DealFacts(event) if event.deals else None
        for each in self.bots.values():
            each.games_won = []
        self.finalists = event.bots if event.stage > 1 and not event.advance else ()
        self._reset_stacks(event.bots, event.stacks)

    def _begin_game(self, event: events.GameStarted) -> None:
        self.current_hand, self.hand_limit, self.is_playing = HandNumber(event.game, 0), event.hands, True
        pairs = [pair_of(one, other) for one, other in combinations(event.seats, 2)]
        self.new_pairs = [pair for pair in pairs if pair not in self._pairs_met] if self._pairs_met else []
        self._pairs_met |= {*pairs}
        if self.is_series:
            self._reset_stacks(event.seats, event.stacks)
        if self.deals:
            self._reset_stacks(self.deals.stage.bots, self.deals.stage.stacks)

    def _reset_stacks(self, bots: Sequence[int], stacks: Sequence[int]) -> None:
        """Begins a stage, a game of a series, or a game of a deal, with new stacks."""
        self.stage_bots = tuple(bots)
        for bot, stack in zip(bots, stacks, strict=True):
            facts = self.bots[bot]
            facts.lowest = facts.highest = facts.double_up = None
            facts.stack = stack
        self.big_blind, self.lead, self.eliminations = 0, ChipLead(), []
        self.latest_hands.clear()
        self._sort_stacks()

    def _sort_stacks(self) -> None:
        found = {bot: self.bots[bot].stack for bot in self.stage_bots if self.bots[bot].stack}
        self.stacks = dict(sorted(found.items(), key=lambda each: -each[1]))

    def _record_elimination(self, event: events.BotEliminated) -> None:
        by = self._busted_by.get(event.bot, 0)
        self.bots[event.bot].stack = 0
        self._sort_stacks()
        if not self.is_series:  # in a series, the bot is out of only one game
            self.just_out.add(event.bot)
            self.records.first_elimination = self.records.first_elimination or Extreme(
                self.hands_played, event.bot, self.last_hand
            )
            if by:
                self.bots[by].knockouts.append(self.last_hand)
        self.eliminations = [*self.eliminations, Elimination(event.bot, event.place, by, self.last_hand)][
            -KEPT_ELIMINATIONS:
        ]

    def _record_act(self, event: events.ActionTaken, table: TableState) -> None:
        bot = table.bots[event.seat]
        if event.act in ("bet", "raise") and table.street == "river":
            self._river_bettor = event.seat
        if event.fault == "timeout":
            self.bots[bot].timeouts.append(self.current_hand)
        if event.fault:
            return
        self._record_style(bot, event.act, is_preflop=table.street == "preflop")
        if self._chips_at_risk:
            self.bots[bot].all_in_decisions.append(
                AllInDecision(self._chips_at_risk, event.act != "fold", self.current_hand)
            )
        self.records.record_thought(bot, event.think_ms, self.current_hand)

    def _record_style(self, bot: int, act: str, *, is_preflop: bool) -> None:
        """Records the hand for VPIP (a call, bet or raise before the flop), for PFR (a bet or raise before the flop),
        and for aggression (a bet or raise after the flop).
        """
        facts, is_bold = self.bots[bot], act in ("bet", "raise")
        for hands, shows_style in (
            (facts.vpip_hands, is_preflop and (is_bold or act == "call")),
            (facts.pfr_hands, is_preflop and is_bold),
            (facts.aggressive_hands, is_bold and not is_preflop),
        ):
            if shows_style and (not hands or hands[-1] != self.current_hand):
                hands.append(self.current_hand)

    def _end_hand(self, table: TableState) -> None:
        self.hands_played, self.last_hand, self.just_out = self.hands_played + 1, self.current_hand, set()
        self._hand_ordinals[self.last_hand] = self.hands_played
        dealt = [
            (table.bots[seat_index], seat_index, seat) for seat_index, seat in enumerate(table.seats) if seat.dealt_in
        ]
        contested = len(table.seats_in_hand) > 1
        for bot, at, seat in () if self.deals else dealt:  # each deal has fresh stacks, so there are no streaks
            facts = self.bots[bot]
            facts.record_result(self.current_hand, len(dealt), won=seat.won > 0)
            facts.record_stack(self.current_hand, bot, seat.stack)
            if at == self._river_bettor and seat.ranking.startswith("high card") and not seat.won:
                facts.bluffs_caught.append(self.current_hand)
            if contested and seat.stack and seat.committed == seat.starting_stack:
                facts.all_ins_survived.append(self.current_hand)
                if seat.stack >= 2 * seat.starting_stack:
                    facts.double_up = DoubleUp(seat.starting_stack, seat.stack, self.current_hand)
        self._record_showdown(table)
        winners = [bot for bot, _, seat in dealt if seat.won]
        by = winners[0] if len(winners) == 1 else 0
        self._busted_by = {bot: by for bot, _, seat in dealt if not seat.stack}
        self._record_pot({bot: seat for bot, _, seat in dealt})
        self.records.record_hand({bot: seat for bot, _, seat in dealt}, self.current_hand)
        self._sort_stacks()
        self.lead.record(self.last_hand, leader_of(self.stacks))

    def _record_pot(self, seats: Mapping[int, Seat]) -> None:
        """Records who won most in a hand. `seats` are the seats that were dealt in, keyed by bot."""
        first = leader_of({bot: seat.won for bot, seat in seats.items() if seat.won})
        most = Extreme(seats[first].won, first, self.current_hand) if first else None
        changes = {bot: seat.stack - seat.starting_stack for bot, seat in seats.items()}
        self.latest_hands.append(FinishedHand(self.current_hand, changes, most, seats[first].ranking if first else ""))
        for winner, loser in product(seats, seats):
            if changes[winner] > 0 > changes[loser]:
                self.chips_passed.setdefault((winner, loser), deque(maxlen=MAX_PROOF_HANDS)).append(self.current_hand)

    def _record_showdown(self, table: TableState) -> None:
        shown = [seat_index for seat_index, seat in enumerate(table.seats) if seat.is_in_hand and seat.ranking]
        for one, other in combinations(shown, 2):
            winners = [seat_index for seat_index in (one, other) if table.seats[seat_index].won]
            if len(winners) == 1:
                pair = pair_of(table.bots[one], table.bots[other])
                self.showdowns.setdefault(pair, []).append((table.bots[winners[0]], self.current_hand))


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Returns two bots as a pair, the lower number first."""
    return min(one, other), max(one, other)
