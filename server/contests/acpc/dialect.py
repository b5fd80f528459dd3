"""The messages of the contest ACPC, one per line. The server sends each player the state of the hand. The player whose
turn it is answers with an action. No I/O.
"""

import re

from msgspec import Struct

from server.bots.dialects.messages import BotMessage, CommentLines, Incompatible, LineDialect, Malformed, quoted_line
from server.contests.acpc.betting import Betting
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import ActionTaken, BlindPosted, Event, HandEnded, HandStarted, StreetDealt, TurnStarted
from server.game.view import View

MAX_LINE_BYTES = 4096
"""The maximum number of bytes in an answer. The state that a player repeats before its action does not count."""
_ACTION = re.compile(rb"([fc])|r([0-9]{1,18})")
"""Matches an action. Text after the action is ignored, as on the original server."""
_VERSION = re.compile(rb"VERSION:2\.0\.[0-9]{1,9}")


class OpenState(Struct, frozen=True):
    """A state that the player has yet to answer."""

    state: bytes
    can_check: bool
    """Whether checking is free."""
    earlier_chips: int
    """The chips that the player has put into the pot on earlier streets."""
    min_raise_total: int
    max_raise_total: int
    """The smallest and largest raise, as totals for the hand. Both are 0 if no raise is possible."""


class AcpcDialect(LineDialect):
    """Writes the states for one player, and reads the player's lines. Ignores empty lines and most comments. A comment
    such as `# thought: …` is a note on the next action.

    A player's first line must name version 2.0. Otherwise the player is disconnected, as the protocol demands. A line
    that does not answer the current state is a fault, and the player's clock keeps running. A raise outside the limits
    is moved to the nearest limit. If no raise is possible, a raise counts as a call.
    """

    notified_events = (HandStarted, BlindPosted, ActionTaken, StreetDealt, TurnStarted, HandEnded)
    allows_retry = True

    def __init__(self) -> None:
        super().__init__(MAX_LINE_BYTES)
        self._betting = Betting()
        self._open_state: OpenState | None = None
        self._comment_lines = CommentLines()
        self._has_sent_version = False
        self._game = 0
        """The number of the match."""
        self._earlier_hands = 0
        """The number of hands in all earlier matches."""
        self._hand_count = 0
        """How many hands have begun. Later matches on the same connection continue the count."""

    def ask(self, view: View) -> bytes:
        """Returns the state. A player sees from the state alone that it must act."""
        hand, turn = view.hand, view.turn
        seat = hand.seats[view.seat]
        earlier_chips = seat.committed - seat.bet
        low, high = (total and total + earlier_chips for total in (turn.min_raise_to, turn.max_raise_to))
        state = self._state(view)
        self._open_state = OpenState(state, turn.to_call == 0, earlier_chips, low, high)
        self._max_bytes = MAX_LINE_BYTES + len(state)
        self._comment_lines.clear()
        return state + b"\r\n"

    def notify(self, event: Event, view: View) -> bytes | None:
        """Returns the state when another player's turn starts and when a hand ends. Otherwise returns None. On the
        player's own turn, `ask` returns the state.
        """
        if isinstance(event, HandStarted):
            self._begin(event, view)
        self._betting.apply(event)
        is_sent = isinstance(event, HandEnded) or (isinstance(event, TurnStarted) and event.seat != view.seat)
        return self._state(view) + b"\r\n" if is_sent else None

    def _begin(self, started: HandStarted, view: View) -> None:
        self._betting = Betting()
        if view.game != self._game:
            self._game, self._earlier_hands = view.game, self._hand_count
        self._hand_count = self._earlier_hands + started.hand

    def _state(self, view: View) -> bytes:
        """Returns the state as the bot's seat sees it, without a line end."""
        positions = view.hand.dealt_order()
        cards = self._betting.cards({seat: view.hand.seats[seat].cards for seat in positions}, positions)
        position, hand = positions.index(view.seat), self._hand_count - 1
        return f"MATCHSTATE:{position}:{hand}:{self._betting.text}:{cards}".encode()

    def _read(self, line: bytes) -> list[BotMessage]:
        """Returns what a line means: nothing, a decision, or a fault. After a fault, the decision that replaces the
        faulty answer may follow.
        """
        line = line.strip()
        self._comment_lines.add_line(line)
        if not line or line.startswith((b"#", b";")):
            return []
        if not self._has_sent_version:
            self._has_sent_version = True
            reason = f"began with {quoted_line(line)}, not with VERSION:2.0.0"
            return [] if _VERSION.fullmatch(line) else [BotMessage(line, Incompatible(reason))]
        state, _, action = line.rpartition(b":")
        open_state = self._open_state
        if open_state is None or state != open_state.state or len(line) > self._max_bytes:
            return [BotMessage(line, Malformed(_describe_bad_answer(line)))]
        self._open_state = None
        decision, mistake = _read_action(action, open_state)
        decision_message = BotMessage(line, self._comment_lines.annotate(decision))
        return [BotMessage(line, Malformed(mistake)), decision_message] if mistake else [decision_message]


def _read_action(action: bytes, open_state: OpenState) -> tuple[Decision, str]:
    """Returns the decision that follows from `action`, and a text that says what is wrong with `action`. If nothing is
    wrong, the text is "".
    """
    match = _ACTION.match(action)
    if not match:
        return (
            Call(),
            f"an action is f, c or r with a total, such as r300, not {quoted_line(action)}: it counts as a call",
        )
    if match[1] == b"f" and open_state.can_check:
        return Call(), "no player may fold where checking is free: it counts as a check"
    if match[1]:
        return (Fold() if match[1] == b"f" else Call()), ""
    if not open_state.max_raise_total:
        return Call(), "no raise is possible here: it counts as a call"
    wanted_total = int(match[2])
    total = min(max(wanted_total, open_state.min_raise_total), open_state.max_raise_total)
    correction = (
        f"a raise must be to {open_state.min_raise_total}..{open_state.max_raise_total} in the whole hand, not "
        f"{wanted_total}: moved to {total}"
    )
    return RaiseTo(total - open_state.earlier_chips), "" if total == wanted_total else correction


def _describe_bad_answer(line: bytes) -> str:
    if line.startswith(b"MATCHSTATE:"):
        return "it does not repeat the current state exactly: ignored"
    return f"an answer is the state, a colon and an action, not {quoted_line(line)}: ignored"
