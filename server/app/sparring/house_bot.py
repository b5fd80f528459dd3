"""A style of the house in a match."""

import random
from collections.abc import Callable

from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import Style
from server.game.decisions import Action, Decision
from server.game.view import View


class HouseBot(InProcessBot):
    """A style of the house whose choices follow from the seed, the deal and the seat, whatever was played before."""

    def __init__(self, bot: int, style: Style, seed: bytes) -> None:
        """`bot` is its number, `seed` that of the match."""
        self._choices = random.Random()  # noqa: S311 (how a house bot plays, never cards)
        super().__init__(bot, style, self._choices)
        self._seed = seed
        self._deal = (0, 0)

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """As every house bot."""
        if self._deal != (view.game, view.seat):
            self._deal = (view.game, view.seat)
            self._choices.seed(f"{self._seed.hex()} {self.id} {view.game} {view.seat}")
        return await super().ask(view, resolve)
