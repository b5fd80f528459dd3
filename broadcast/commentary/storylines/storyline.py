"""A storyline: a sentence, why it matters, the hands it rests on and how rare it is; and which one is told now.

Nothing is told twice in ten minutes, and every bot has its turn. Pure.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from broadcast.commentary.storylines.earlier import EarlierHand
from broadcast.commentary.storylines.evening_facts import HandNumber
from broadcast.on_air.events import StatisticsChanged

Importance = Literal["breaking", "analyst", "normal", "whatever"]
IMPORTANCES: tuple[Importance, ...] = ("breaking", "analyst", "normal", "whatever")
TEN_MINUTES = 24
"""Hands that ten minutes of a show hold at most, at speed 1."""
BETWEEN = 3
"""From one storyline to the next at least so many hands, except for what is breaking."""


class Storyline(Struct, frozen=True):
    """One storyline. It rests on `hands` of tonight and on `earlier` ones; its kind came up `once_in` so many hands."""

    kind: str
    bots: tuple[int, ...]
    text: str
    importance: Importance
    hands: tuple[HandNumber, ...]
    once_in: int = 0
    earlier: tuple[EarlierHand, ...] = ()
    told: int | None = None
    """How many hands ago it was told; None: it was not."""

    @property
    def key(self) -> str:
        """What stays the same while its words follow the show: kind and bots."""
        return "-".join([self.kind, *map(str, sorted(self.bots))])


class Talk(Struct, frozen=True):
    """What those who comment are offered to tell, all of the same hands.

    `showdowns` are by two bots, the lower number first: who won, and in which hand.
    """

    lines: tuple[Storyline, ...] = ()
    showdowns: Mapping[tuple[int, int], Sequence[tuple[int, HandNumber]]] = {}
    statistics: StatisticsChanged = StatisticsChanged(())


class AirTime:
    """What has been told in one show. `hand` counts the hands of the whole show."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}
        """The hand at which each was told last, by its key."""
        self._of_the_past: set[str] = set()
        """What was told of earlier contests: it stays as it is, and once is enough."""
        self._times: Counter[int] = Counter()
        """How often each bot has been told of."""
        self._last = -BETWEEN

    def choose(self, lines: Iterable[Storyline], hand: int, seated: Collection[int]) -> Storyline | None:
        """The storyline to tell as a hand begins, of bots that are `seated`; it counts as told. None: none now."""
        fresh = [line for line in lines if self._is_fresh(line, hand) and {*line.bots} <= {*seated}]
        best = min(fresh, key=self._rank, default=None)
        if best:
            self.tell(best, hand)
        return best

    def tell(self, line: Storyline, hand: int) -> None:
        """Notes that a storyline is told now."""
        self._told[line.key] = self._last = hand
        self._times.update(line.bots)
        if line.earlier:
            self._of_the_past.add(line.text)

    def hands_since(self, line: Storyline, hand: int) -> int | None:
        """How many hands before `hand` this storyline was told last, in whatever words; None: it was not."""
        last = self._told.get(line.key)
        return None if last is None else hand - last

    def _is_fresh(self, line: Storyline, hand: int) -> bool:
        since = self.hands_since(line, hand)
        is_due = line.importance == "breaking" or hand - self._last >= BETWEEN
        return is_due and line.text not in self._of_the_past and (since is None or since > TEN_MINUTES)

    def _rank(self, line: Storyline) -> tuple[int, float, int]:
        """What matters most first; among equals who has been told of least, then what is rarest."""
        often = sum(self._times[bot] for bot in line.bots) / len(line.bots)
        return IMPORTANCES.index(line.importance), often, -line.once_in
