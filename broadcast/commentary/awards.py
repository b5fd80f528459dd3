"""The awards at the end of a tournament, one bot for each, from what was on air. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from broadcast.commentary.hand_names import made_name
from broadcast.commentary.statistics.notices import FEWEST_ANSWERS, one_of, think
from broadcast.on_air.events import Chance
from broadcast.on_air.facts import BotStatistics, Notice
from broadcast.on_air.table_state import HandOdds, TableState
from server.game.events import ActionTaken, Event, HandEnded, HandStarted
from server.game.ranking import category, strength
from server.text.grammar import counted

BEHIND = 0.5
"""Who bets with at most this part of an even share of the pot bluffs."""
WEAK = ("high card", "pair")
"""Hands that it takes courage to call with."""


class _Feat(Struct, frozen=True):
    """What a bot did at a seat with a hand: for how many chips, and what that measures among others of its kind."""

    bot: int
    seat: int
    chips: int
    measure: float
    hand: str


class _Bet(Struct, frozen=True):
    """A bet or raise after the flop: whose, with which part of the pot to expect, and with what hand."""

    seat: int
    share: float
    hands: int
    hand: str


class Awards:
    """Collects what earns awards, event by event."""

    def __init__(self) -> None:
        self._table = TableState()
        self._bluff: _Feat | None = None
        self._call: _Feat | None = None
        self._last_bet: _Bet | None = None
        self._calls: list[_Feat] = []

    def take(self, event: Event, table: TableState, odds: HandOdds) -> None:
        """Notes `event`, after which the table and everybody's chances are such."""
        before, self._table = self._table, table
        match event:
            case HandStarted():
                self._last_bet, self._calls = None, []
            case ActionTaken(act="bet" | "raise", seat=seat):
                share = shares(odds.now.values()).get(seat, 1.0)
                self._last_bet = _Bet(seat, share, len(odds.now), _made(before, seat)) if before.board else None
            case ActionTaken(act="call") if before.board:
                self._take_call(event, before, odds)
            case HandEnded():
                self._end_hand(table)

    def of(self, rows: Iterable[BotStatistics]) -> tuple[Notice, ...]:
        """All awards, those that tell most first; none where several bots are level."""
        bots = list(rows)
        known = [row for row in bots if row.earned is not None]
        lucky, unlucky = [row for row in known if row.luck > 0], [row for row in known if row.luck < 0]
        earning, talking = [row for row in known if _earned(row) > 0], [row for row in bots if row.words]
        clocked = [row for row in bots if row.answers >= FEWEST_ANSWERS]
        found = (
            one_of("Luckiest", lucky, lambda row: row.luck, lambda row: f"{row.luck:,} from the cards alone"),
            one_of("Most earned", earning, _earned, lambda row: f"{_earned(row):,} with luck taken out"),
            _award("Biggest bluff", self._bluff, "won"),
            _award("Best call", self._call, "called"),
            one_of("Most talkative", talking, lambda row: row.words, _talk_words),
            one_of("Unluckiest", unlucky, lambda row: -row.luck, lambda row: f"{-row.luck:,} lost to the cards"),
            one_of("Fastest", clocked if len(clocked) > 1 else [], lambda row: -think(row), _speed_words),
        )
        return tuple(award for award in found if award)

    def _take_call(self, event: ActionTaken, before: TableState, odds: HandOdds) -> None:
        """A call with a pair at most whose true chance is worth its price."""
        cards = before.seats[event.seat].cards
        share = shares(odds.now.values()).get(event.seat, 0.0)
        right = share * (before.pot + event.amount) >= event.amount
        if right and cards and category(strength([*cards, *before.board])) in WEAK:
            bot = before.bots[event.seat]
            self._calls.append(_Feat(bot, event.seat, event.amount, event.amount, _made(before, event.seat)))

    def _end_hand(self, table: TableState) -> None:
        """Compares what was done in the hand with the rest of the evening."""
        if len(table.live) == 1:
            self._end_without_showdown(table, table.live[0])
            return
        for call in self._calls:
            seat = table.seats[call.seat]
            if seat.won > seat.committed and (not self._call or call.chips > self._call.chips):
                self._call = call

    def _end_without_showdown(self, table: TableState, winner: int) -> None:
        bet, seat = self._last_bet, table.seats[winner]
        if bet is None or bet.seat != winner or bet.share * bet.hands > BEHIND or not bet.hand:
            return
        chips = seat.won - seat.committed
        measure = chips * (1 - bet.share)
        if not self._bluff or measure > self._bluff.measure:
            self._bluff = _Feat(table.bots[winner], winner, chips, measure, bet.hand)


def shares(chances: Iterable[Chance]) -> dict[int, float]:
    """The share of a pot that each seat may expect, 0 to 1; ties are divided by how often each seat ties."""
    chances_now = list(chances)
    ties = sum(chance.tie for chance in chances_now)
    tied = 1000 - sum(chance.win for chance in chances_now)
    return {each.seat: (each.win + (tied * each.tie / ties if ties else 0)) / 1000 for each in chances_now}


def _made(table: TableState, seat: int) -> str:
    cards = table.seats[seat].cards
    return made_name(cards, table.board) if cards else ""


def _award(title: str, feat: _Feat | None, what: str) -> Notice | None:
    return Notice(title, feat.bot, f"{feat.chips:,} {what} with {feat.hand}") if feat else None


def _earned(row: BotStatistics) -> int:
    return row.earned or 0


def _speed_words(row: BotStatistics) -> str:
    ms = think(row)
    return f"{ms / 1000:.1f} seconds an answer" if ms >= 1000 else f"{round(ms):,} ms an answer"


def _talk_words(row: BotStatistics) -> str:
    return f"{counted(row.words, 'word')} in {counted(row.hands, 'hand')}"
