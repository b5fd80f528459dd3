"""A recorded hand as the text that PokerStars made usual, which many tools and people read. Pure.

Hole cards of everybody are told, as on the show.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from server.game.cards import Card
from server.game.events import (
    ActionTaken,
    BetReturned,
    BlindPosted,
    Event,
    HandShown,
    PotAwarded,
    SeatVacated,
    StreetDealt,
    TurnStarted,
)
from server.histories.recorded import Recorded
from server.histories.unusual import unusual

_BLINDS = {"ante": "the ante", "small": "small blind", "big": "big blind"}


def text_of(hand: Recorded, begun: str) -> str:
    """The lines of one hand and three empty ones. `begun` is when the recording was, as its header says."""
    teller = _Teller(hand)
    lines = [*_heading(hand, begun), *teller.lines(), *_summary(hand, teller.board)]
    return "\n".join([*lines, "", "", "", ""])


def _heading(hand: Recorded, begun: str) -> Iterator[str]:
    started, names = hand.started, hand.names
    yield (
        f"PokerStars Hand #{hand.number}: Hold'em No Limit ({started.small_blind}/{started.big_blind})"
        f" - {_moment(begun, hand.at_ms)}"
    )
    table = f"{hand.opened.title}, game {hand.game.game}".replace("'", "’")  # noqa: RUF001 (it would end the name)
    yield f"Table '{table}' {len(names)}-max Seat #{started.button + 1} is the button"
    for seat, stack in enumerate(started.stacks):
        if stack:
            yield f"Seat {seat + 1}: {names[seat]} ({stack} in chips)"


def _moment(begun: str, at_ms: int) -> str:
    try:
        moment = datetime.fromisoformat(begun) + timedelta(milliseconds=at_ms)
    except (ValueError, OverflowError):
        return "1970/01/01 0:00:00 UTC"
    return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S} UTC"


class _Teller:
    """Tells a hand event by event."""

    def __init__(self, hand: Recorded) -> None:
        self._hand, self._names = hand, hand.names
        self._highest = 0
        self._dealt = self._told_showdown = False
        self.board: list[Card] = []

    def lines(self) -> Iterator[str]:
        for event in self._hand.events:
            if isinstance(event, TurnStarted | StreetDealt | HandShown | PotAwarded) and not self._dealt:
                yield from self._deal()
            yield from self._line(event)

    def _deal(self) -> Iterator[str]:
        self._dealt = True
        yield "*** HOLE CARDS ***"
        for seat in self._hand.players:
            if cards := self._hand.hole.get(seat, ()):
                yield f"Dealt to {self._names[seat]} [{' '.join(cards)}]"

    def _line(self, event: Event) -> Iterator[str]:
        match event:
            case BlindPosted(seat=seat, blind=blind, amount=amount):
                self._highest = max(self._highest, 0 if blind == "ante" else amount)
                yield f"{self._names[seat]}: posts {_BLINDS[blind]} {amount}{_all_in(event)}"
            case ActionTaken(seat=seat):
                yield f"{self._names[seat]}: {self._act(event)}{_all_in(event)}"
            case BetReturned(seat=seat, amount=amount):
                yield f"Uncalled bet ({amount}) returned to {self._names[seat]}"
            case StreetDealt(street=street, cards=cards):
                yield f"*** {street.upper()} *** {_board(self.board, cards)}"
                self._highest, self.board = 0, [*self.board, *cards]
            case SeatVacated(seat=seat):
                yield f"{self._names[seat]} leaves the table"
            case _:
                yield from self._end(event)

    def _act(self, act: ActionTaken) -> str:
        before, self._highest = self._highest, max(self._highest, act.bet)
        match act.act:
            case "call":
                return f"calls {act.amount}"
            case "bet":
                return f"bets {act.bet}"
            case "raise":
                return f"raises {act.bet - before} to {act.bet}"
            case "fold" | "check":
                return f"{act.act}s"

    def _end(self, event: Event) -> Iterator[str]:
        match event:
            case HandShown(seat=seat, cards=cards, ranking=ranking) if ranking:
                if not self._told_showdown:
                    yield "*** SHOW DOWN ***"
                self._told_showdown = True
                yield f"{self._names[seat]}: shows [{' '.join(cards)}] ({ranking})"
            case PotAwarded(pot=pot, awards=awards):
                several = sum(isinstance(other, PotAwarded) for other in self._hand.events) > 1
                name = (f"side pot-{pot}" if pot else "main pot") if several else "pot"
                for award in awards:
                    yield f"{self._names[award.seat]} collected {award.amount} from {name}"


def _all_in(event: BlindPosted | ActionTaken) -> str:
    return " and is all-in" if event.all_in else ""


def _board(before: Sequence[Card], cards: Sequence[Card]) -> str:
    return f"[{' '.join(before)}] [{' '.join(cards)}]" if before else f"[{' '.join(cards)}]"


# -- the summary -----------------------------------------------------------------------------------


def _summary(hand: Recorded, board: Sequence[Card]) -> Iterator[str]:
    yield "*** SUMMARY ***"
    pots = [event.amount for event in hand.events if isinstance(event, PotAwarded)]
    yield f"Total pot {sum(pots)} | Rake 0"
    if board:
        yield f"Board [{' '.join(board)}]"
    won = _won(hand)
    for seat, stack in enumerate(hand.started.stacks):
        if stack:
            yield f"Seat {seat + 1}: {hand.names[seat]}{_position(hand, seat)} {_outcome(hand, seat, won)}"
    for reason in unusual(hand):
        yield f"House rules: {reason}"


def _won(hand: Recorded) -> Mapping[int, int]:
    won: dict[int, int] = {}
    for event in hand.events:
        if isinstance(event, PotAwarded):
            for award in event.awards:
                won[award.seat] = won.get(award.seat, 0) + award.amount
    return won


def _position(hand: Recorded, seat: int) -> str:
    posted = [f" ({_BLINDS[event.blind]})" for event in hand.blinds if event.seat == seat and event.blind != "ante"]
    return "".join([" (button)" if seat == hand.started.button else "", *posted])


def _outcome(hand: Recorded, seat: int, won: Mapping[int, int]) -> str:
    street = "before Flop"
    for event in hand.events:
        match event:
            case StreetDealt(street=name):
                street = f"on the {name.capitalize()}"
            case ActionTaken(seat=at, act="fold") if at == seat:
                return f"folded {street}"
            case SeatVacated(seat=at) if at == seat:
                return "left the table"
            case HandShown(seat=at, cards=cards, ranking=ranking) if at == seat and ranking:
                how = f"and won ({won[seat]}) with" if seat in won else "and lost with"
                return f"showed [{' '.join(cards)}] {how} {ranking}"
            case _:
                pass
    return f"collected ({won[seat]})" if seat in won else "mucked"
