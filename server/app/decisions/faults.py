"""The record of one bot, for its author: every message, and what was wrong, expected, and a rule of its contest."""

import time
from collections.abc import Callable

from msgspec import Struct

from server.app.decisions.transcript import Messages
from server.bots.record import Record, Way, Wrong
from server.bots.sandbox.output_log import harmless
from server.console import plain
from server.contests import CONTESTS
from server.game.events import ActionTaken, Event, Fault, GameStarted, HandStarted, TurnStarted
from server.text.characters import clipped

MAX_SENT = 400
"""Bytes of a wrong message that are kept."""
MAX_MESSAGES = 3
"""Wrong messages of one turn that are kept, the latest."""
_IN_A_LINE = 80
"""Letters of a message in a line for the terminal."""
_WHY: dict[Fault, str] = {
    "timeout": "no answer within {seconds:g} s",
    "malformed": "its answer could not be read",
    "illegal": "the rules forbid its answer",
    "disconnected": "it is gone",
}


class OwnFault(Struct, frozen=True):
    """A fault: `words` say what and in which hand, and what came of it; `rule` is what the contest says of it.

    `sent` are the messages that were wrong, cut and made harmless; none where none came. `expected` is what could have
    been answered, "" where nothing was asked.
    """

    words: str
    rule: str
    hand: int = 0
    sent: tuple[str, ...] = ()
    expected: str = ""

    @property
    def line(self) -> str:
        """All of it that fits into a line for the terminal."""
        sent = f". It sent {clipped(' '.join(self.sent[-1].split()), _IN_A_LINE)}" if self.sent else ""
        return f"{self.words}{sent}{f'. Expected: {self.expected}' if self.expected else ''}"


class BotRecord(Record):
    """Takes down what goes to and from one bot, and follows the events of its game."""

    def __init__(self, contest: str, bot: int, tell: Callable[[OwnFault], object]) -> None:
        """`tell` is called with each fault of the bot, once it is known what came of it."""
        self._hand = 0
        """The number of the hand that is on; 0 before the first."""
        self._contest = contest
        self._bot = bot
        self._told = tell
        self._seat = -1
        self._asked = False
        self._cost = ""
        """What else a fault in this turn costs, in words."""
        self._turn: list[Wrong] = []
        """What was wrong in this turn so far."""
        self.begin()

    def begin(self) -> None:
        """Forgets the messages so far: a new game begins."""
        self.messages = Messages(time.monotonic)

    def hear(self, event: Event) -> None:
        """Takes the next event of the game."""
        match event:
            case GameStarted(seats=seats):
                self._seat = seats.index(self._bot) if self._bot in seats else -1
                self._hand = 0
            case HandStarted(hand=hand):
                self._hand = hand
            case TurnStarted(seat=seat, blind=blind):
                self._asked, self._turn = seat == self._seat, []
                self._cost = " and is unseated" if blind else ""
            case ActionTaken() if event.seat == self._seat:
                self._acted(event)

    def note(self, way: Way, message: bytes) -> None:
        """A message has gone to the bot, or come from it."""
        self.messages.note(self._hand, way, message)

    def wrong(self, wrong: Wrong) -> None:
        """Keeps a fault in the bot's turn until it acts: if a valid answer follows in time, it has cost nothing."""
        if self._asked and not wrong.late:
            self._turn.append(wrong)
        else:
            self._tell([wrong], wrong.reason, wrong.fault)

    def _acted(self, taken: ActionTaken) -> None:
        wrong, self._asked, self._turn = self._turn, False, []
        reasons = "; ".join(dict.fromkeys(each.reason for each in wrong))
        if taken.fault:
            why = reasons or _WHY[taken.fault].format(seconds=taken.think_ms / 1000)
            self._tell(wrong, f"{why}: it {taken.act}s{self._cost}", taken.fault)
        elif wrong:
            self._tell(wrong, f"{reasons}: its valid answer counts", wrong[-1].fault)

    def _tell(self, wrong: list[Wrong], words: str, fault: Fault) -> None:
        asked = next((each.hand for each in wrong if each.hand), None)
        number = asked.number if asked else self._hand
        of_contest = CONTESTS[self._contest].words
        self._told(
            OwnFault(
                plain(f"hand {number}: {words}" if number else words),
                of_contest.rule_on(fault, asked=asked is not None),
                number,
                tuple(shown(each.sent) for each in wrong if each.sent)[-MAX_MESSAGES:],
                of_contest.expected_in(asked) if asked else "",
            )
        )


def shown(sent: bytes) -> str:
    """The beginning of a message, made harmless; "…" says that there is more of it."""
    return harmless(sent[:MAX_SENT]).decode() + ("…" if len(sent) > MAX_SENT else "")
