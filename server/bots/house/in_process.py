"""House bots at a practice table, in this process: they are asked with a `View`, without any connection.

They see what every bot sees. What they decide is in `styles`, which counts in chips of which the big blind is 100.
"""

import asyncio
import random
from collections.abc import Callable

from server.bots.bot import Answer
from server.bots.house.styles import Situation, Style, choose
from server.game.decisions import Action, Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Event, TurnStarted
from server.game.hand import Hand
from server.game.view import View

MOST_PAUSE_SECONDS = 2.4
"""The longest pause, so that every answer comes within 3 seconds."""
UNITS = 100
"""The big blind in the chips of `styles`."""


class InProcessBot:
    """One house bot that is seated without a connection."""

    news: tuple[type[Event], ...] = ()
    """None: it keeps no state."""
    least_pause_seconds = 0.0

    def __init__(self, bot: int, style: Style, dice: random.Random, think_seconds: float = 0.0) -> None:
        """`bot` is its number, `dice` its random choices; it thinks for `think_seconds` at most."""
        self.id = bot
        self._style = style
        self._dice = dice
        self._think_seconds = think_seconds

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """The action that its style chooses, after a pause. Always legal: if `resolve` raises, that is a bug here."""
        pause = self._think_seconds and self._dice.uniform(*self._style.pause) * self._think_seconds
        pause = min(max(pause, self.least_pause_seconds), MOST_PAUSE_SECONDS)
        await asyncio.sleep(pause)  # Also with a pause of 0, so that other tasks can run.
        decision = decision_at(view, self._style, self._dice)
        return Answer(resolve(decision), round(pause * 1000))

    def tell(self, event: Event, view: View) -> None:
        """Does nothing."""


def decision_at(view: View, style: Style, dice: random.Random) -> Decision:
    """The decision of a bot of that style in the seat of `view`; a blind that is asked for is posted."""
    turn = view.hand.turn
    assert turn is not None, "it is asked when it is its turn"
    if turn.blind:
        return PostBlind(turn.to_call)
    decision = choose(style, situation_at(view), dice)
    if isinstance(decision, RaiseTo):
        return _raise_within(decision.raise_to, view.hand, turn)
    return Call() if isinstance(decision, Fold) and turn.to_call == 0 else decision


def situation_at(view: View) -> Situation:
    """The situation of the seat of `view`, in the chips of `styles`."""
    hand, me = view.hand, view.hand.seats[view.seat]
    return Situation(
        hole=me.cards,
        board=hand.board,
        bet=_units(me.bet, hand),
        bank=_units(me.stack, hand),
        current_bet=_units(hand.current_bet, hand),
        pot=_units(sum(seat.committed for seat in hand.seats), hand),
        opponents=len(hand.live) - 1,
    )


def _raise_within(wanted: int, hand: Hand, turn: TurnStarted) -> Decision:
    """The raise that comes nearest; a call where nobody can raise."""
    if not turn.max_raise_to:
        return Call()
    raise_to = wanted * hand.big_blind // UNITS
    return RaiseTo(min(max(raise_to, turn.min_raise_to), turn.max_raise_to))


def _units(chips: int, hand: Hand) -> int:
    return chips * UNITS // hand.big_blind
