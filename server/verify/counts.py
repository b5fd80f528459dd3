"""What was proved of a recording, counted as it is proved. Pure."""

from collections.abc import Iterable

from msgspec import Struct, field

from server.game.decide import decides
from server.game.events import Event, HandShown, HoleDealt, Placing, PotAwarded, StreetDealt
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


class Proof(Struct):
    """What was proved of a recording: how many entries, games and hands of it, and what happened in these."""

    entries: int = 0
    games: int = 0
    hands: int = 0
    play: Play = field(default_factory=Play)
    concealed: int = 0
    """In how many hands some cards are unknown."""
    draws: int = 0
    lots: int = 0
    """How many ties were decided by lot."""
    out: int = 0
    """How many bots were eliminated at the table."""
    ratings: int = 0
    won: int = 0
    """How many games of a series had their winner proved."""
    placings: tuple[Placing, ...] = ()
    """The final table, once the tournament is over."""
    finished: bool = False
    """Whether the tournament came to its end, so that seed, places and prizes were proved too."""
    unfinished_hand: bool = False
    """Whether the last hand breaks off: it proves nothing."""
    remarks: list[str] = field(default_factory=list)
    """Sentences about what is proved but unusual: bots withdrawn, stages cut, rules that are not the rule book's."""
