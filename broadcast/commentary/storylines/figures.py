"""Figures that storylines use in addition to the `EveningFacts`: statistics, luck in each hand, title odds. No I/O."""

from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from broadcast.commentary.storylines.bot_facts import HandNumber
from broadcast.on_air.events import StatisticsChanged, TitleOddsChanged

KEPT_TITLE_ODDS = 11
"""How many title odds are kept: those after the last hand and after each of the ten hands before it."""


class LuckInHand(Struct, frozen=True):
    """A bot's luck in one hand: how many more chips the board brought the bot than the bot could expect.

    `chips` is negative if the luck was bad.
    """

    chips: int
    bot: int
    hand: HandNumber


class Figures(Struct, frozen=True):
    """The figures after a hand. They are used together with the `EveningFacts` after the same hand.

    `extreme_luck` has each bot's luckiest and unluckiest hand. `title_odds` has each bot's chance of the title after
    each of the latest hands, the newest last. Chances are in tenths of a percent. `title_odds` is empty if chips do not
    decide the title.
    """

    statistics: StatisticsChanged = StatisticsChanged(())
    extreme_luck: Mapping[int, tuple[LuckInHand, LuckInHand]] = {}
    title_odds: Sequence[Mapping[int, int]] = ()


class FigureLog:
    """Keeps the luckiest and unluckiest hands of each bot, and the latest title odds."""

    def __init__(self) -> None:
        self.extreme_luck: dict[int, tuple[LuckInHand, LuckInHand]] = {}
        self.title_odds = deque[Mapping[int, int]](maxlen=KEPT_TITLE_ODDS)

    def begin_stage(self) -> None:
        """Forgets the title odds of the previous stage."""
        self.title_odds.clear()

    def end_hand(self, hand: HandNumber, luck: Mapping[int, Fraction]) -> None:
        """Records each bot's `luck` in a hand: the chips that luck brought the bot. Bad luck is negative."""
        for bot, chips in luck.items():
            stroke = LuckInHand(round(chips), bot, hand)
            best, worst = self.extreme_luck.get(bot, (stroke, stroke))
            self.extreme_luck[bot] = max(best, stroke, key=_chips), min(worst, stroke, key=_chips)

    def record_titles(self, changed: TitleOddsChanged) -> None:
        """Records the title odds after a hand."""
        self.title_odds.append({each.bot: each.chance for each in changed.chances})


def _chips(stroke: LuckInHand) -> int:
    return stroke.chips
