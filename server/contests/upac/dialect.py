"""The messages of the contest UPAC: lines of words on a bot's standard input and output. No I/O."""

import re
from collections.abc import Sequence

from server.bots.dialects.messages import BotMessage, CommentLines, LineDialect, Malformed, quoted_line
from server.game.cards import Card
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Event, HandEnded, HandStarted, HoleDealt, StreetDealt
from server.game.hand import Hand
from server.game.view import View

MAX_LINE_BYTES = 256
"""The maximum size of a bot's line, in bytes. An action needs only a few bytes."""
_IGNORED_AROUND_LINES = b" \t\r\v\f\xef\xbb\xbf"
_RAISE = re.compile(rb"R\+?([0-9]+)")
"""A raise as the original server reads it: a plus and leading zeros are allowed."""
_MAX_NUMBER = 2**64 - 1
"""The largest number that the original server accepts."""


class UpacDialect(LineDialect):
    """Writes the lines to one bot, and reads its answers. Ignores blank lines, byte order marks, and white space around
    lines.

    Each line answers the current request. A line without a request is recorded as a fault of the bot, but costs the bot
    nothing. A line such as `# thought: …` is a note on the next action.
    """

    notified_events = (HandStarted, HoleDealt, StreetDealt, HandEnded)
    allows_retry = False
    """An invalid action loses the game."""

    def __init__(self) -> None:
        super().__init__(MAX_LINE_BYTES)
        self._current_bet = 0
        self._comment_lines = CommentLines()

    def ask(self, view: View) -> bytes:
        """Returns the request. The rule book says: "`STACK (a) (b) (c) (d)`. This message is sent to you when it's time
        to make an action".
        """
        hand, own_seat = view.hand, view.seat
        self._current_bet = hand.current_bet
        self._comment_lines.clear()
        own_chips, other_chips = _pushed_and_total_chips(hand, own_seat), _pushed_and_total_chips(hand, 1 - own_seat)
        return _line("STACK", *map(str, (*own_chips, *other_chips)))

    def notify(self, event: Event, view: View) -> bytes | None:
        """Returns the line for `event`, if there is one. A bot gets only its own hole cards."""
        match event:
            case HandStarted():
                return _line("START", _blind_name(view.hand, view.seat))
            case HoleDealt(seat=seat) if seat == view.seat:
                return _line("PREFLOP", *view.hand.seats[seat].cards)
            case StreetDealt(street=street, cards=cards):
                return _line(street.upper(), *cards)
            case HandEnded() if view.hand.forfeiting_seat < 0:  # A game lost by a fault ends without this line.
                return _line("END", *_result_words(view))
            case _:
                return None

    def _read(self, line: bytes) -> list[BotMessage]:
        if self._comment_lines.add_line(line):
            return []
        action = line.strip(_IGNORED_AROUND_LINES)
        if not action:
            return []
        decision = self._decision(action) if len(line) <= MAX_LINE_BYTES else None
        if decision is None:
            rule = "an action is F, C, or R followed by a whole number, such as R6, on a line of its own"
            return [BotMessage(action, Malformed(f"{rule}, not {quoted_line(action)}"))]
        return [BotMessage(action, self._comment_lines.annotate(decision))]

    def _decision(self, action: bytes) -> Decision | None:
        """Reads an action. `C` is the same as `R0`: "Raising will first match the opponent's bet, and then push an
        additional `n` chips".
        """
        if action == b"F":
            return Fold()
        if action == b"C":
            return Call()
        match = _RAISE.fullmatch(action)
        raise_by = int(match[1]) if match else -1
        if not 0 <= raise_by <= _MAX_NUMBER:
            return None
        return RaiseTo(self._current_bet + raise_by) if raise_by else Call()


def _line(*words: str) -> bytes:
    return " ".join(words).encode() + b"\n"


def _blind_name(hand: Hand, seat: int) -> str:
    return "BB" if hand.preflop_order[-1] == seat else "SB"


def _pushed_and_total_chips(hand: Hand, index: int) -> tuple[int, int]:
    """Returns two numbers: the chips that a seat has put into this hand, and these chips plus the seat's stack. The
    first number leaves out any part of a bet that the other bot cannot match: "They have both pushed the same amount".
    """
    seat, other = hand.seats[index], hand.seats[1 - index]
    return min(seat.committed, other.stack + other.committed), seat.stack + seat.committed


def _result_words(view: View) -> Sequence[str]:
    hand, other = view.hand, 1 - view.seat
    if len(hand.live) == 1:
        return ("FOLD", _blind_name(hand, 1 - hand.live[0]))
    winners = {award.seat for pot in hand.pot_awards for award in pot.awards}
    shown_cards: tuple[Card, ...] = hand.seats[other].cards
    if len(winners) > 1:
        return ("SHOWDOWN", "TIE", *shown_cards)
    winner = _blind_name(hand, winners.pop())
    return ("SHOWDOWN", "WINNER", winner, *(("SHOWN", *shown_cards) if shown_cards else ("HIDDEN",)))
