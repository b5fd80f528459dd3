"""Scores the drama of a hand and tags it with marks such as "Bluff", by the rules and thresholds of this module.

No I/O. The drama of a hand is computed twice. The first computation, before the hand is shown, sets the pace of the
show. The second computation, after the pots are awarded, chooses the marks, and uses only what has been on air.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import UNSET, Struct

from broadcast.on_air.events import EquitiesChanged
from broadcast.on_air.shared_types import Mark
from broadcast.on_air.table_state import HandOdds, Seat, TableEntry, TableState
from server.game.events import ActionTaken, HandStarted, PotAwarded

BIG_POT = 0.35
"""A pot is big if it has at least this fraction of all chips at the table."""
BAD_BEAT_PERMILLE = 800
"""In a bad beat, a bot wins nothing although its chance on the flop or the turn was at least this many tenths of a
percent. The bot must also put chips in while it has this chance, or have no more turns because of an all-in.
"""
UPSET_SHARE = 0.6
"""In an upset, the winner's chance was at most this fraction of an even share when the last chips went in. Against one
opponent, an even share is 50 %.
"""
HIGH_HANDS = ("full house", "four of a kind", "straight flush", "royal flush")
MIN_HERO_CALL_PRICE = 0.3
"""A hero call on the river costs at least this fraction of the pot."""
HERO_CALL_HANDS = ("high card", "pair")
BLUFF_SHARE = 0.5
"""In a bluff, a bet makes everybody fold although the bettor's chance is at most this fraction of an even share. A bet
by a bot whose thought says that it is ahead is no bluff.
"""
MIN_POT = 0.25
"""If the pot is less than this fraction of the average stack, the hand earns no marks except eliminations."""
MAX_COMEBACK_STACK = 0.4
"""In a comeback, a stack of at most this fraction of the table's average doubles."""

_WEIGHTS: dict[Mark, int] = {
    "Bad beat": 30, "Upset": 24, "Hero call": 22, "Bluff": 20, "Elimination": 20, "All-in showdown": 18,
    "High hand": 16, "Big pot": 12,
}  # fmt: skip
"""The points that each mark adds if a seat that earned the mark won or lost at least an average stack. For fewer chips,
the points are reduced in proportion.
"""
MIN_ELIMINATION_FACTOR = 0.5
"""An elimination adds at least this fraction of its points, however few chips the bot had left."""
FURTHER_MARKS_DIVISOR = 3
"""The points of all marks except the most important one are divided by this number."""
CHIPS_WEIGHT, FLOP_WEIGHT, SHOWDOWN_WEIGHT, SWING_WEIGHT, LEAD_WEIGHT, COMEBACK_WEIGHT = 40, 6, 8, 10, 5, 10
"""In this order: the points for an average stack won or lost, for a flop, for a showdown, for each new favourite (at
most two), for a new leader in chips, and for a comeback.
"""
RANK_WEIGHT, MAX_RANKS = 3, 3
"""The points for each rank gained or lost at the table, and the largest number of ranks that get points."""

SAME_MARK_PENALTY, SAME_BOT_PENALTY = 12, 9
"""When the best hands are chosen, a hand loses points for each better hand that is similar. The loss is
SAME_MARK_PENALTY if both hands have the same first mark, and SAME_BOT_PENALTY if the same bot won both hands.
"""


class EarnedMark(Struct, frozen=True):
    """A mark, and the seats that earned it."""

    mark: Mark
    seats: tuple[int, ...]


class Drama(Struct, frozen=True):
    """The score of a hand, 0 to 100, and its marks, the most important first."""

    score: int = 0
    marks: tuple[EarnedMark, ...] = ()


class _Bet(Struct, frozen=True):
    """An action that put chips in voluntarily.

    `pot` is the pot before the action. `share` is the acting bot's chance divided by an even share, or 1 if no chance
    was on air. In this chance, a tie is half a win. `believes_ahead` says whether the bot's thought says that the bot
    is ahead.
    """

    act: ActionTaken
    street: str
    pot: int
    share: float
    believes_ahead: bool


class _HandFacts:
    """The facts from which the drama of one hand is computed."""

    def __init__(self, hand: Sequence[TableEntry], odds: Mapping[int, EquitiesChanged]) -> None:
        self.table = TableState()
        self.odds = HandOdds()
        self.bets: list[_Bet] = []
        self.swings = 0
        """How often a new favourite appeared after the flop was dealt."""
        self.strong_favourites: set[int] = set()
        """The seats that had at least the chance BAD_BEAT_PERMILLE on the flop or the turn."""
        self.committed_favourites: set[int] = set()
        """The seats that were strong favourites when they put chips in, or when they had no more turns."""
        self.last_chances: dict[int, int] = {}
        """Each seat's chance at the last action, in tenths of a percent. A tie is half a win."""
        self.awarded_chips = 0
        """The chips in all pots that have been awarded."""
        self.winners: set[int] = set()
        for index, entry in enumerate(hand):
            self._read(entry)
            self.table = entry.table
            if index in odds:
                self._apply_odds(odds[index])
            if isinstance(entry.event, ActionTaken):
                self.last_chances = {seat: each.win + each.tie // 2 for seat, each in self.odds.current.items()}

    def _read(self, entry: TableEntry) -> None:
        """Records what the drama needs from `entry`. `self.table` is still the table before `entry`."""
        event = entry.event
        if isinstance(event, ActionTaken) and event.amount:
            chance = self.odds.current.get(event.seat)
            share = (chance.win + chance.tie / 2) * len(self.odds.current) / 1000 if chance else 1
            self.bets.append(_Bet(event, self.table.street, self.table.pot, share, entry.believes_ahead))
            if chance and chance.win >= BAD_BEAT_PERMILLE:
                self.committed_favourites.add(event.seat)
        if isinstance(event, PotAwarded):
            self.awarded_chips += event.amount
            self.winners |= {award.seat for award in event.awards}

    def _apply_odds(self, changed: EquitiesChanged) -> None:
        board, before = self.table.board, self.odds.favourite
        self.odds = self.odds.after(changed)
        self.swings += before is not None and board != () and self.odds.favourite not in (None, before)
        if len(board) in (3, 4):
            strong = {seat for seat, chance in self.odds.current.items() if chance.win >= BAD_BEAT_PERMILLE}
            self.strong_favourites |= strong
            self.committed_favourites |= {seat for seat in strong if self._has_no_more_turns(seat)}

    def _has_no_more_turns(self, seat: int) -> bool:
        """Whether a live seat need not act again in this hand, because the seat or every opponent is all in."""
        seats = self.table.seats
        return seats[seat].all_in or all(seats[other].all_in for other in self.table.seats_in_hand if other != seat)

    @property
    def showdown(self) -> dict[int, Seat]:
        return {index: seat for index, seat in enumerate(self.table.seats) if seat.ranking and seat.is_in_hand}

    @property
    def max_pot(self) -> int:
        """The most chips that the pots could hold: all stacks, each up to the cap of a hand."""
        cap = self.table.hand_cap
        return sum(stack if cap is UNSET else min(stack, cap) for stack in self.table.hand.stacks)

    @property
    def average_stack(self) -> float:
        """The average stack of the seats that were dealt in."""
        return self.max_pot / max(1, sum(seat.dealt_in for seat in self.table.seats))

    @property
    def is_big_enough(self) -> bool:
        return self.awarded_chips >= MIN_POT * self.average_stack

    def largest_swing(self, seats: Iterable[int]) -> float:
        """The largest gain or loss of any of `seats`, as a fraction of the average stack, at most 1."""
        changes = (self.table.seats[seat].won - self.table.seats[seat].committed for seat in seats)
        return min(1, max(map(abs, changes), default=0) / max(1, self.average_stack))


def drama_of(hand: Sequence[TableEntry], odds: Mapping[int, EquitiesChanged]) -> Drama:
    """Returns the drama of a hand. It is empty if `hand` does not begin with `HandStarted`.

    `hand` has the hand's entries in order. `odds` are the chances, keyed by the index of the entry that they follow.
    """
    if not hand or not isinstance(hand[0].event, HandStarted):
        return Drama()
    facts = _HandFacts(hand, odds)
    is_big = facts.awarded_chips >= BIG_POT * facts.max_pot
    earned: dict[Mark, set[int]] = {
        "Bad beat": {*facts.showdown} & facts.strong_favourites & facts.committed_favourites - facts.winners,
        "Upset": _upset_winner(facts),
        "Hero call": _hero_callers(facts),
        "Bluff": _bluffers(facts),
        # a bot that lost its seat is ignored, because its last chips did not go into the pots
        "Elimination": {index for index, seat in enumerate(facts.table.seats) if seat.all_in and not seat.stack},
        "All-in showdown": _all_in_showdown_seats(facts),
        "High hand": _high_hand_winners(facts),
        "Big pot": facts.winners if is_big else set(),
    }
    if not facts.is_big_enough:
        earned = {"Elimination": earned["Elimination"]}
    worths = {mark: _mark_points(mark, seats, facts) for mark, seats in earned.items() if seats}
    ordered = sorted(worths, key=lambda mark: -worths[mark])
    marks = tuple(EarnedMark(mark, tuple(sorted(earned[mark]))) for mark in ordered)
    mark_points = sum(worths[mark] / (FURTHER_MARKS_DIVISOR if index else 1) for index, mark in enumerate(ordered))
    return Drama(min(100, round(_score_without_marks(facts) + mark_points)), marks)


def _mark_points(mark: Mark, seats: set[int], facts: _HandFacts) -> float:
    """Returns the points that a mark adds. They depend on the chips won or lost by `seats`, which earned the mark."""
    least = MIN_ELIMINATION_FACTOR if mark == "Elimination" else 0
    return _WEIGHTS[mark] * max(least, facts.largest_swing(seats))


def _score_without_marks(facts: _HandFacts) -> float:
    table = facts.table
    score = CHIPS_WEIGHT * facts.largest_swing(range(len(table.seats)))
    score += FLOP_WEIGHT * bool(table.board) + SHOWDOWN_WEIGHT * bool(facts.showdown)
    score += SWING_WEIGHT * min(2, facts.swings) * min(1, facts.awarded_chips / max(1, facts.average_stack))
    if facts.is_big_enough:
        score += _score_moves(
            table.hand.stacks, [seat.starting_stack + seat.won - seat.committed for seat in table.seats]
        )
    return score + COMEBACK_WEIGHT * _has_comeback(facts)


def _score_moves(stacks: Sequence[int], after: Sequence[int]) -> float:
    """The points for a new leader, and for ranks gained and lost."""
    score = LEAD_WEIGHT * (stacks.index(max(stacks)) != after.index(max(after)))
    moves = (abs(was - now) for was, now in zip(_ranks(stacks), _ranks(after), strict=True))
    return score + RANK_WEIGHT * min(MAX_RANKS, max(moves, default=0))


def _ranks(stacks: Sequence[int]) -> list[int]:
    """Returns for each stack how many other stacks are larger."""
    return [sum(other > stack for other in stacks) for stack in stacks]


def _upset_winner(facts: _HandFacts) -> set[int]:
    """The seat that won everything at an all-in showdown although it had been well behind."""
    if not (_all_in_showdown_seats(facts) and len(facts.winners) == 1 and len(facts.last_chances) > 1):
        return set()
    even = 1000 / len(facts.last_chances)
    return {seat for seat in facts.winners if facts.last_chances.get(seat, 1000) <= UPSET_SHARE * even}


def _hero_callers(facts: _HandFacts) -> set[int]:
    """The seat that called an expensive bet on the river with at most a pair, and won."""
    if not (facts.bets and facts.showdown):
        return set()
    last = facts.bets[-1]
    brave = last.street == "river" and last.act.act == "call" and last.act.amount >= MIN_HERO_CALL_PRICE * last.pot
    weak = facts.table.seats[last.act.seat].ranking.startswith(HERO_CALL_HANDS)
    return facts.winners if brave and weak and facts.winners == {last.act.seat} else set()


def _bluffers(facts: _HandFacts) -> set[int]:
    """The seat that made everybody fold with the last bet although it had little chance of winning."""
    if not facts.bets or facts.showdown or not facts.table.board:
        return set()
    last = facts.bets[-1]
    bold = last.act.act in ("bet", "raise") and last.street != "preflop" and last.share <= BLUFF_SHARE
    return facts.winners if bold and not last.believes_ahead and facts.winners == {last.act.seat} else set()


def _all_in_showdown_seats(facts: _HandFacts) -> set[int]:
    shown = facts.showdown
    return {*shown} if any(seat.all_in for seat in shown.values()) and len(shown) > 1 else set()


def _high_hand_winners(facts: _HandFacts) -> set[int]:
    """The winners that showed a full house or better, with at least one of their hole cards."""
    return {
        index
        for index, seat in facts.showdown.items()
        if index in facts.winners and seat.ranking.startswith(HIGH_HANDS) and {*seat.best} & {*seat.cards}
    }


def _has_comeback(facts: _HandFacts) -> bool:
    alive = [seat for seat in facts.table.seats if seat.dealt_in]
    short = MAX_COMEBACK_STACK * facts.max_pot / max(1, len(alive))
    return any(seat.starting_stack <= short and seat.stack >= 2 * seat.starting_stack for seat in alive)
