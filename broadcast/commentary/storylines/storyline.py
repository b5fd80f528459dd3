"""A storyline: a sentence, why it matters, the hands it rests on, how rare it is; and all that can be told. Pure."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from broadcast.commentary.storylines.earlier import EarlierHand
from broadcast.commentary.storylines.evening_facts import HandNumber
from broadcast.on_air.events import StatisticsChanged

Importance = Literal["breaking", "analyst", "normal", "whatever"]
IMPORTANCES: tuple[Importance, ...] = ("breaking", "analyst", "normal", "whatever")


class Storyline(Struct, frozen=True):
    """One storyline. It rests on `hands` of tonight and on `earlier` ones; its kind came up `once_in` so many hands."""

    kind: str
    bots: tuple[int, ...]
    text: str
    importance: Importance
    hands: tuple[HandNumber, ...]
    once_in: int = 0
    earlier: tuple[EarlierHand, ...] = ()

    @property
    def key(self) -> str:
        """What stays the same while its words follow the show: kind and bots."""
        return "-".join([self.kind, *map(str, sorted(self.bots))])


class TalkLine(Struct, frozen=True):
    """A storyline, and how many hands ago it was told; None: it was not."""

    line: Storyline
    told: int | None


class Talk(Struct, frozen=True):
    """What those who comment are offered to tell, all of the same hands.

    `showdowns` are by two bots, the lower number first: who won, and in which hand.
    """

    lines: tuple[TalkLine, ...] = ()
    showdowns: Mapping[tuple[int, int], Sequence[tuple[int, HandNumber]]] = {}
    statistics: StatisticsChanged = StatisticsChanged(())
