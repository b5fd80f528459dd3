"""Chooses the awards at the end of a tournament from what was on air. Each award goes to one bot. No I/O."""

from collections.abc import Iterable

from msgspec import Struct

from broadcast.commentary.hand_names import UNMENTIONED_HANDS, made_name
from broadcast.commentary.statistics.notices import MIN_ANSWERS, average_think_ms, notice_for_best, truth_notices
from broadcast.on_air.events import Chance
from broadcast.on_air.shared_types import BotStatistics, Notice
from broadcast.on_air.table_state import HandOdds, TableEntry, TableState
from server.game.events import ActionTaken, HandEnded, HandStarted
from server.game.ranking import category, strength
from server.text.grammar import count_text

MAX_BLUFF_SHARE = 0.5
"""A bet is a bluff if the bettor can expect at most this fraction of an even share of the pot. With two live bots, an
even share is a half. With three, it is a third. A bot whose thought says that it is ahead does not bluff.
"""
BEST_CALL_KINDS = ("high card", "pair")
"""A call can earn the award "Best call" only if the caller's hand is of one of these kinds."""
MIN_BLUFF_BLINDS = 2.5
"""A bluff earns the award only if it wins more than this many big blinds."""
MIN_WORDS = 25
"""A bot that has said fewer words than this is not called talkative."""
_Best = tuple[float, Notice | None]
"""The chips and the award of the best candidate so far. Without a candidate, the chips are -1 and the award is None."""


class _Bet(Struct, frozen=True):
    """A bet or raise on the flop or a later street.

    `share` is the fraction of the pot, 0 to 1, that the seat can expect. `live_hands` is the number of hands not
    folded. `hand_name` names the seat's own hand.
    """

    seat: int
    share: float
    live_hands: int
    hand_name: str


class Awards:
    """Follows the events on air, and finds the bots that earn awards."""

    def __init__(self) -> None:
        self._table = TableState()
        self._best_bluff: _Best = (-1, None)
        self._best_call: _Best = (-1, None)
        self._last_bet: _Bet | None = None
        self._call_candidates: list[tuple[ActionTaken, str]] = []
        """The calls of this hand that may earn an award, each with the name of the caller's hand."""

    def apply(self, entry: TableEntry, odds: HandOdds) -> None:
        """Applies `entry`. `odds` are the bots' chances after `entry`."""
        before, self._table = self._table, entry.table
        match event := entry.event:
            case HandStarted():
                self._last_bet, self._call_candidates = None, []
            case ActionTaken(act="bet" | "raise", seat=seat):
                share = 1.0 if entry.believes_ahead else expected_pot_shares(odds.current.values()).get(seat, 1.0)
                self._last_bet = (
                    _Bet(seat, share, len(odds.current), _made_hand_name(before, seat)) if before.board else None
                )
            case ActionTaken(act="call") if before.board:
                self._add_call(event, before, odds)
            case HandEnded():
                self._end_hand(entry.table)

    def choose(self, rows: Iterable[BotStatistics]) -> tuple[Notice, ...]:
        """Returns all awards, the most important first. If bots tie for an award, nobody gets it.

        `rows` are the statistics of the whole tournament, with one row for each bot.
        """
        bots = list(rows)
        rows_with_earnings = [row for row in bots if row.earned is not None]
        lucky, unlucky = (
            [row for row in rows_with_earnings if row.luck > 0],
            [row for row in rows_with_earnings if row.luck < 0],
        )
        earning, talking = (
            [row for row in rows_with_earnings if _earned(row) > 0],
            [row for row in bots if row.words >= MIN_WORDS],
        )
        clocked = [row for row in bots if row.answers >= MIN_ANSWERS]
        found = (
            *truth_notices(bots),
            notice_for_best("Luckiest", lucky, lambda row: row.luck, lambda row: f"{row.luck:,} chips up on luck"),
            notice_for_best("Best play", earning, _earned, lambda row: f"+{_earned(row):,} chips with luck taken out"),
            self._best_bluff[1],
            self._best_call[1],
            notice_for_best("Most talkative", talking, lambda row: row.words, _talk_words),
            notice_for_best(
                "Unluckiest", unlucky, lambda row: -row.luck, lambda row: f"{-row.luck:,} chips lost to bad luck"
            ),
            notice_for_best(
                "Fastest", clocked if len(clocked) > 1 else [], lambda row: -average_think_ms(row), _speed_words
            ),
        )
        return tuple(award for award in found if award)

    def _add_call(self, event: ActionTaken, before: TableState, odds: HandOdds) -> None:
        """Records a call by a bot with at most a pair, if the bot's chance to win justified the price of the call."""
        cards = before.seats[event.seat].cards
        share = expected_pot_shares(odds.current.values()).get(event.seat, 0.0)
        is_justified = share * (before.pot + event.amount) >= event.amount
        if is_justified and cards and category(strength([*cards, *before.board])) in BEST_CALL_KINDS:
            self._call_candidates.append((event, _made_hand_name(before, event.seat)))

    def _end_hand(self, table: TableState) -> None:
        """Keeps this hand's bluff or call if it is the best so far."""
        if len(table.seats_in_hand) == 1:
            self._end_without_showdown(table, table.seats_in_hand[0])
            return
        for call, hand in self._call_candidates:
            seat, chips = table.seats[call.seat], call.amount
            if seat.won > seat.committed and chips > self._best_call[0]:
                self._best_call = chips, Notice("Best call", table.bots[call.seat], f"{chips:,} chips with {hand}")

    def _end_without_showdown(self, table: TableState, winner: int) -> None:
        bet, seat = self._last_bet, table.seats[winner]
        if bet is None or bet.seat != winner or bet.share * bet.live_hands > MAX_BLUFF_SHARE:
            return
        if not bet.hand_name.endswith(
            (" high", "nothing")
        ):  # a bet with a pair is not a bluff, even if the pair is behind
            return
        chips = seat.won - seat.committed
        if chips > max(self._best_bluff[0], MIN_BLUFF_BLINDS * table.hand.big_blind):
            self._best_bluff = chips, Notice("Biggest bluff", table.bots[winner], f"won {chips:,} with {bet.hand_name}")


def expected_pot_shares(chances: Iterable[Chance]) -> dict[int, float]:
    """Returns the share of the pot, 0 to 1, that each seat can expect.

    When a pot is split, a seat's part of it is in proportion to the seat's chance to tie.
    """
    chances_now = list(chances)
    ties = sum(chance.tie for chance in chances_now)
    tied = 1000 - sum(chance.win for chance in chances_now)
    return {each.seat: (each.win + (tied * each.tie / ties if ties else 0)) / 1000 for each in chances_now}


def _made_hand_name(table: TableState, seat: int) -> str:
    """Returns the name of a seat's hand, "nothing" for a worthless hand, or "" if the seat's cards are unknown."""
    cards = table.seats[seat].cards
    name = made_name(cards, table.board) if cards else ""
    return "nothing" if name in UNMENTIONED_HANDS[1:] else name  # the first name is ""


def _earned(row: BotStatistics) -> int:
    return row.earned or 0


def _speed_words(row: BotStatistics) -> str:
    ms = average_think_ms(row)
    return f"{ms / 1000:.1f} seconds a decision" if ms >= 100 else f"{round(ms):,} ms a decision"


def _talk_words(row: BotStatistics) -> str:
    return f"{count_text(row.words, 'word')} in {count_text(row.hands, 'hand')}"
