"""Misbehaving bots decide at random: they refuse blinds, disconnect, raise endlessly, or answer late or wrongly."""

from collections.abc import Callable

from server.bots.bot import Answer
from server.game.decisions import Action, Decision, Fold, RaiseTo
from server.game.events import Fault
from server.game.view import View
from tests.support.games.contests import DiceBot

FAULTS: tuple[Fault, ...] = ("timeout", "malformed", "illegal", "illegal", "disconnected")


class RefusingBot(DiceBot):
    """Sometimes folds instead of posting a blind, and so loses its seat."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        return Fold() if turn and turn.blind and self._dice.random() < 0.15 else super()._decide(view)


class RaisingBot(DiceBot):
    """Makes the minimum raise in nine of ten turns in which it can raise."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        raises = turn and turn.max_raise_to and self._dice.random() < 0.9
        return RaiseTo(turn.min_raise_to) if turn and raises else super()._decide(view)


class DisconnectingBot(DiceBot):
    """Loses its connection for four consecutive hands of every sixteen."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        answer = await super().ask(view, resolve)
        return Answer(None, 0, "disconnected") if (view.hand.number // 4 + self.id) % 4 == 3 else answer


class FaultyBot(DiceBot):
    """Commits a random fault in about one of eight turns."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        answer = await super().ask(view, resolve)
        return Answer(None, 5, self._dice.choice(FAULTS)) if self._dice.random() < 0.12 else answer
