"""Writes a recorded hand as PokerStars text, which many people and tools can read. All functions are pure.

The text contains everybody's hole cards, as the show does. Spaces in names become "_", because some readers end a name
at a space.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from server.game import events
from server.game.cards import Card
from server.hand_histories.from_recording import HandRecord
from server.hand_histories.rules import unusual_reasons

_BLIND_WORDS = {"ante": "the ante", "small": "small blind", "big": "big blind"}


def pokerstars_text(hand: HandRecord, start_time: str) -> str:
    """Returns the text of a hand and three empty lines. `start_time` is the recording's start time, from its header."""
    writer = _Writer(hand)
    lines = [*_heading(hand, start_time), *writer.lines(), *_summary(hand, writer.board)]
    return "\n".join([*lines, "", "", "", ""])


def _heading(hand: HandRecord, start_time: str) -> Iterator[str]:
    started, names = hand.started, _names(hand)
    yield (
        f"PokerStars Hand #{hand.number}: Hold'em No Limit ({started.small_blind}/{started.big_blind})"
        f" - {_moment(start_time, hand.at_ms)}"
    )
    table = f"{hand.opened.title}, game {hand.game.game}".replace("'", "’")  # noqa: RUF001 ("'" would end the name)
    yield f"Table '{table}' {len(names)}-max Seat #{started.button + 1} is the button"
    for seat, stack in enumerate(started.stacks):
        if stack:
            yield f"Seat {seat + 1}: {names[seat]} ({stack} in chips)"


def _moment(start_time: str, at_ms: int) -> str:
    """Returns when a hand started: the time in UTC, then the New York time in brackets. Other programs expect both."""
    try:
        moment = datetime.fromisoformat(start_time) + timedelta(milliseconds=at_ms)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        eastern = moment.astimezone(ZoneInfo("America/New_York"))
    except (ValueError, OverflowError):
        return "1970/01/01 0:00:00 UTC [1969/12/31 19:00:00 ET]"
    return f"{_format_clock(moment)} UTC [{_format_clock(eastern)} ET]"


def _format_clock(moment: datetime) -> str:
    return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S}"


def _names(hand: HandRecord) -> dict[int, str]:
    """Returns the name of the bot in each seat, with only those characters that this format allows."""
    names = {seat: re.sub(r"\s", "_", name) for seat, name in hand.names.items()}
    return {seat: "".join(char if char.isprintable() else "?" for char in name) for seat, name in names.items()}


class _Writer:
    """Writes the lines of a hand, one event after the other."""

    def __init__(self, hand: HandRecord) -> None:
        self._hand, self._names = hand, _names(hand)
        self._highest_bet = 0
        self._is_showdown_written = False
        self.board: list[Card] = []

    def lines(self) -> Iterator[str]:
        opening = events.BlindPosted | events.HoleDealt  # in some contests, blinds are posted after the deal
        last_opening_index = max(
            (index for index, event in enumerate(self._hand.events) if isinstance(event, opening)), default=0
        )
        for index, event in enumerate(self._hand.events):
            yield from self._line(event)
            if index == last_opening_index:
                yield from self._deal_lines()

    def _deal_lines(self) -> Iterator[str]:
        yield "*** HOLE CARDS ***"
        for seat in self._hand.dealt_seats:
            if cards := self._hand.hole_cards.get(seat, ()):
                yield f"Dealt to {self._names[seat]} [{' '.join(cards)}]"

    def _line(self, event: events.Event) -> Iterator[str]:
        match event:
            case events.BlindPosted(seat=seat, blind=blind, amount=amount):
                self._highest_bet = max(self._highest_bet, 0 if blind == "ante" else amount)
                yield f"{self._names[seat]}: posts {_BLIND_WORDS[blind]} {amount}{_all_in_words(event)}"
            case events.ActionTaken(seat=seat):
                yield f"{self._names[seat]}: {self._act(event)}{_all_in_words(event)}"
            case events.BetReturned(seat=seat, amount=amount):
                yield f"Uncalled bet ({amount}) returned to {self._names[seat]}"
            case events.StreetDealt(street=street, cards=cards):
                yield f"*** {street.upper()} *** {_board_text(self.board, cards)}"
                self._highest_bet, self.board = 0, [*self.board, *cards]
            case events.SeatVacated(seat=seat):
                yield f"{self._names[seat]} leaves the table"
            case _:
                yield from self._showdown_lines(event)

    def _act(self, act: events.ActionTaken) -> str:
        bet_before, self._highest_bet = self._highest_bet, max(self._highest_bet, act.bet)
        match act.act:
            case "call":
                return f"calls {act.amount}"
            case "bet":
                return f"bets {act.bet}"
            case "raise":
                return f"raises {act.bet - bet_before} to {act.bet}"
            case "fold" | "check":
                return f"{act.act}s"

    def _showdown_lines(self, event: events.Event) -> Iterator[str]:
        match event:
            case events.HandShown(seat=seat, cards=cards, ranking=ranking) if ranking:
                if not self._is_showdown_written:
                    yield "*** SHOW DOWN ***"
                self._is_showdown_written = True
                yield f"{self._names[seat]}: shows [{' '.join(cards)}] ({ranking})"
            case events.PotAwarded(pot=pot, awards=awards):
                has_side_pots = sum(isinstance(other, events.PotAwarded) for other in self._hand.events) > 1
                name = (f"side pot-{pot}" if pot else "main pot") if has_side_pots else "pot"
                for award in awards:
                    yield f"{self._names[award.seat]} collected {award.amount} from {name}"


def _all_in_words(event: events.BlindPosted | events.ActionTaken) -> str:
    return " and is all-in" if event.all_in else ""


def _board_text(before: Sequence[Card], cards: Sequence[Card]) -> str:
    return f"[{' '.join(before)}] [{' '.join(cards)}]" if before else f"[{' '.join(cards)}]"


def _summary(hand: HandRecord, board: Sequence[Card]) -> Iterator[str]:
    yield "*** SUMMARY ***"
    pots = [event.amount for event in hand.events if isinstance(event, events.PotAwarded)]
    yield f"Total pot {sum(pots)} | Rake 0"
    if board:
        yield f"Board [{' '.join(board)}]"
    won, names = _sum_winnings(hand), _names(hand)
    for seat, stack in enumerate(hand.started.stacks):
        if stack:
            yield f"Seat {seat + 1}: {names[seat]}{_position(hand, seat)} {_outcome(hand, seat, won)}"
    for reason in unusual_reasons(hand):
        yield f"House rules: {reason}"


def _sum_winnings(hand: HandRecord) -> Mapping[int, int]:
    won: dict[int, int] = {}
    for event in hand.events:
        if isinstance(event, events.PotAwarded):
            for award in event.awards:
                won[award.seat] = won.get(award.seat, 0) + award.amount
    return won


def _position(hand: HandRecord, seat: int) -> str:
    posted = [
        f" ({_BLIND_WORDS[event.blind]})" for event in hand.blinds if event.seat == seat and event.blind != "ante"
    ]
    return "".join([" (button)" if seat == hand.started.button else "", *posted])


def _outcome(hand: HandRecord, seat: int, won: Mapping[int, int]) -> str:
    street = "before Flop"
    for event in hand.events:
        match event:
            case events.StreetDealt(street=name):
                street = f"on the {name.capitalize()}"
            case events.ActionTaken(seat=event_seat, act="fold") if event_seat == seat:
                return f"folded {street}"
            case events.SeatVacated(seat=event_seat) if event_seat == seat:
                return "left the table"
            case events.HandShown(seat=event_seat, cards=cards, ranking=ranking) if event_seat == seat and ranking:
                result = f"and won ({won[seat]}) with" if seat in won else "and lost with"
                return f"showed [{' '.join(cards)}] {result} {ranking}"
    return f"collected ({won[seat]})" if seat in won else "mucked"
