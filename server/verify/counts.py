"""What there is to prove within hands, counted as it is proved. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from server.game.decide import decides
from server.game.events import Event, HandShown, HoleDealt, PotAwarded, StreetDealt
from server.game.rules import Rules


class Play(Struct):
    """What happened in hands: cards dealt, decisions of bots, pots (of these: side pots, with odd chips), showdowns."""

    cards: int = 0
    decisions: int = 0
    pots: int = 0
    sides: int = 0
    odd: int = 0
    showdowns: int = 0

    def add(self, rules: Rules, events: Iterable[Event]) -> None:
        """Adds the events of a hand to the counts; unknown cards are not counted."""
        showdown = False
        for event in events:
            self.decisions += decides(rules, event)
            match event:
                case HoleDealt(cards=cards) | StreetDealt(cards=cards):
                    self.cards += sum(map(bool, cards))
                case PotAwarded(pot=pot, amount=amount, awards=awards):
                    self.pots += 1
                    self.sides += pot > 0
                    self.odd += amount % len(awards) > 0
                case HandShown(ranking=ranking):
                    showdown = showdown or bool(ranking)
        self.showdowns += showdown
