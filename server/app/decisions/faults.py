"""Records one bot's messages and faults, such as late answers, for its author. Each fault comes with the contest's rule
on such faults and with the answers that were valid.
"""

import time
from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct

from server.app.decisions.transcript import MessageRecorder
from server.bots.message_records import BotFault, Direction, Record
from server.bots.sandbox.output_log import sanitized
from server.contests import CONTESTS
from server.game.events import ActionTaken, Event, Fault, GameStarted, HandStarted, TurnStarted
from server.text.characters import clip_text, printable

MAX_SENT_BYTES = 400
"""How many bytes of a wrong message are kept."""
MAX_WRONG_MESSAGES = 3
"""How many of the latest wrong messages are kept for a turn."""
_LINE_CHARACTERS = 80
"""How many characters of a message are shown in the terminal."""
_FAULT_REASONS: dict[Fault, str] = {
    "timeout": "no answer within {seconds:g} s",
    "malformed": "its answer could not be read",
    "illegal": "the rules forbid its answer",
    "disconnected": "it had left",
}


class FaultReport(Struct, frozen=True):
    """A fault. `words` describe the fault, name the hand, and say what the fault led to. `rule` is the contest's rule
    on faults of this kind.

    `sent` has the bot's wrong messages, clipped and safe to print. `expected` lists the valid answers, or is "" if it
    was not the bot's turn.
    """

    words: str
    rule: str
    hand: int = 0
    sent: tuple[str, ...] = ()
    expected: str = ""

    @property
    def line(self) -> str:
        """The fault as one line for the terminal. Long messages are clipped."""
        sent_text = f". It sent {clip_text(' '.join(self.sent[-1].split()), _LINE_CHARACTERS)}" if self.sent else ""
        return f"{self.words}{sent_text}{f'. Expected: {self.expected}' if self.expected else ''}"


class BotRecord(Record):
    """Records the messages to and from one bot, and follows the events of its game."""

    def __init__(self, contest_id: str, bot: int, on_fault: Callable[[FaultReport], object]) -> None:
        """`on_fault` gets a report as soon as the consequence of a fault is known. A turn's faults share a report."""
        self._hand = 0
        """The number of the current hand, or 0 before the first hand."""
        self._contest_id = contest_id
        self._bot = bot
        self._on_fault = on_fault
        self._seat = -1
        self._is_its_turn = False
        self._has_clock, self._turn_limit_ms = False, 0
        """`_has_clock` is true in an exhibition, where a thinking clock replaces the contest's time limits. The bot had
        `_turn_limit_ms` milliseconds for its latest turn.
        """
        self._extra_cost = ""
        """What a fault in this turn costs besides a check or fold: " and is unseated", or "" for nothing."""
        self._turn_faults: list[BotFault] = []
        """The faults in this turn so far."""
        self.begin_game()

    def begin_game(self) -> None:
        """Starts a new game. Forgets the messages of the last game."""
        self.messages = MessageRecorder(time.monotonic)

    def apply(self, event: Event) -> None:
        """Applies the next event of the game."""
        match event:
            case GameStarted(seats=seats):
                self._seat = seats.index(self._bot) if self._bot in seats else -1
                self._hand = 0
            case HandStarted(hand=hand, banks_ms=banks_ms):
                self._hand, self._has_clock = hand, banks_ms is not UNSET
            case TurnStarted(seat=seat, blind=blind, think_ms=think_ms):
                self._turn_limit_ms = think_ms if seat == self._seat else self._turn_limit_ms
                self._is_its_turn, self._turn_faults = seat == self._seat, []
                self._extra_cost = " and is unseated" if blind else ""
            case ActionTaken() if event.seat == self._seat:
                self._end_turn(event)

    def record(self, direction: Direction, message: bytes) -> None:
        """Records a message to or from the bot."""
        self.messages.record(self._hand, direction, message)

    def record_fault(self, bot_fault: BotFault) -> None:
        """Reports a fault of the bot.

        During the bot's turn, the report waits until the bot has acted, because a valid answer in time makes up for
        the fault. A fault in a late answer to an earlier turn is reported at once.
        """
        if self._is_its_turn and not bot_fault.late:
            self._turn_faults.append(bot_fault)
        else:
            self._report([bot_fault], bot_fault.reason, bot_fault.fault)

    def _end_turn(self, action: ActionTaken) -> None:
        bot_faults, self._is_its_turn, self._turn_faults = self._turn_faults, False, []
        reasons = "; ".join(dict.fromkeys(bot_fault.reason for bot_fault in bot_faults))
        if action.fault:
            why = reasons or _FAULT_REASONS[action.fault].format(seconds=action.think_ms / 1000)
            self._report(bot_faults, f"{why}: it {action.act}s{self._extra_cost}", action.fault)
        elif bot_faults:
            self._report(bot_faults, f"{reasons}: its valid answer counts", bot_faults[-1].fault)

    def _report(self, bot_faults: list[BotFault], description: str, fault: Fault) -> None:
        hand = next((bot_fault.hand for bot_fault in bot_faults if bot_fault.hand), None)
        number = hand.number if hand else self._hand
        texts = CONTESTS[self._contest_id].rule_texts
        self._on_fault(
            FaultReport(
                printable(f"hand {number}: {description}" if number else description),
                self._rule_on(fault, asked=hand is not None),
                number,
                tuple(sanitized_start(wrong.sent) for wrong in bot_faults if wrong.sent)[-MAX_WRONG_MESSAGES:],
                texts.legal_answers_text(hand) if hand else "",
            )
        )

    def _rule_on(self, fault: Fault, *, asked: bool) -> str:
        """Returns the contest's rule on a fault. `asked` says whether the bot had been asked to act."""
        if fault == "timeout" and self._has_clock:
            return f"In this exhibition, the bot's clock gave it {self._turn_limit_ms / 1000:g} s for this decision."
        return CONTESTS[self._contest_id].rule_texts.rule_on(fault, asked=asked)


def describe_fault(fault: Fault, bot_faults: Sequence[BotFault]) -> str:
    """Describes a `fault`. If `bot_faults` has faults of this kind, adds the reason and message of the latest one.
    Ignores faults in late answers to earlier questions.
    """
    alike = [bot_fault for bot_fault in bot_faults if bot_fault.fault == fault and not bot_fault.late]
    if not alike:
        return fault
    sent_text = f": {sanitized_start(alike[-1].sent)}" if alike[-1].sent else ""
    return f"{fault}; {alike[-1].reason}{sent_text}"


def sanitized_start(message: bytes) -> str:
    """Returns the beginning of a message, safe to print, and followed by "…" if the message is longer."""
    return sanitized(message[:MAX_SENT_BYTES]).decode() + ("…" if len(message) > MAX_SENT_BYTES else "")
