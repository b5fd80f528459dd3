"""Defines storylines, and chooses the next one to announce.

No storyline is announced twice in ten minutes, and bots with few storylines so far come first. Pure.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from broadcast.commentary.storylines.bot_facts import HandNumber
from broadcast.commentary.storylines.earlier import EarlierHand
from broadcast.on_air.events import StatisticsChanged

Importance = Literal["just now", "worth telling", "background", "for a pause"]
IMPORTANCES: tuple[Importance, ...] = ("just now", "worth telling", "background", "for a pause")
Topic = Literal[
    "knockouts", "the lead", "comebacks", "rivals", "first and largest", "streaks", "luck", "style", "pressure",
    "form", "earlier contests", "at stake", "prize money", "the series", "clocks and faults", "authors",
]  # fmt: skip
Name = Callable[[int], str]
"""Returns a bot's name for use in a sentence."""
TEN_MINUTES = 30
"""The largest number of hands that a show at speed 1 plays in ten minutes."""
JUST_NOW, LATELY = 1, 7
"""The most hands that may have been finished after one that is told of as "just now" or "worth telling"."""
BETWEEN = 3
"""The minimum number of hands from one storyline to the next, unless the next one is of something just now."""
RARE = 20
"""Kinds that occur more often than once in so many hands are not called rare."""
MIN_HANDS = 100
"""How often a kind occurs is not said before this many hands are known."""


class Storyline(Struct, frozen=True):
    """A storyline about tonight's `hands` and `earlier` ones. `kind` tells it from others of the same topic and bots.

    One of its kind begins once in `once_in` hands, tonight and in earlier contests; 0: that is unknown or often.
    """

    topic: Topic
    kind: str
    bots: tuple[int, ...]
    text: str
    importance: Importance
    hands: tuple[HandNumber, ...]
    once_in: int = 0
    earlier: tuple[EarlierHand, ...] = ()
    told: int | None = None
    """How many hands ago it was last announced; None if it never was."""
    ago: int | None = None
    """How many hands were finished after the latest of `hands`; None without hands."""

    @property
    def key(self) -> str:
        """The storyline's kind and bots, which stay the same when its wording changes."""
        return "-".join([self.kind, *map(str, sorted(self.bots))])


class Talk(Struct, frozen=True):
    """What commentators can use at one moment: storylines, showdowns and statistics after the same hand.

    `showdowns` has, for each pair of bots (the lower number first), the winner and the hand of each of their showdowns.
    """

    lines: tuple[Storyline, ...] = ()
    showdowns: Mapping[tuple[int, int], Sequence[tuple[int, HandNumber]]] = {}
    statistics: StatisticsChanged = StatisticsChanged(())
    after: HandNumber = HandNumber(0, 0)
    """The last finished hand."""
    hands: int = 0
    """How many hands of the evening are over."""


class AirTime:
    """Tracks which storylines one show has announced. `hand` counts the hands of the whole show."""

    def __init__(self) -> None:
        self._announced: dict[str, int] = {}
        """The hand at which each storyline was last announced, by its key."""
        self._of_the_past: set[str] = set()
        """Sentences about earlier contests, which are announced only once because they do not change."""
        self._times: Counter[int] = Counter()
        """The number of storylines about each bot."""
        self._last = -BETWEEN

    def choose(self, lines: Iterable[Storyline], hand: int, seated: Collection[int]) -> Storyline | None:
        """Chooses a storyline about `seated` bots for the beginning of a hand, and records it as announced.

        None if there is no fresh one.
        """
        fresh = [line for line in lines if self._is_fresh(line, hand) and {*line.bots} <= {*seated}]
        best = min(fresh, key=self._rank, default=None)
        if best:
            self.announce(best, hand)
        return best

    def announce(self, line: Storyline, hand: int) -> None:
        self._announced[line.key] = self._last = hand
        self._times.update(line.bots)
        if line.earlier:
            self._of_the_past.add(line.text)

    def hands_since(self, line: Storyline, hand: int) -> int | None:
        """How many hands before `hand` this storyline was last announced, in any wording; None if it never was."""
        last = self._announced.get(line.key)
        return None if last is None else hand - last

    def _is_fresh(self, line: Storyline, hand: int) -> bool:
        since = self.hands_since(line, hand)
        is_due = line.importance == "just now" or hand - self._last >= BETWEEN
        return is_due and line.text not in self._of_the_past and (since is None or since > TEN_MINUTES)

    def _rank(self, line: Storyline) -> tuple[int, float, int]:
        """Sorts by importance, then by how few storylines its bots have had, then by how rare the kind is."""
        average = sum(self._times[bot] for bot in line.bots) / len(line.bots)
        return IMPORTANCES.index(line.importance), average, -line.once_in


def by_age(ago: int) -> Importance:
    """How important something is that happened so many hands ago."""
    return "just now" if ago <= JUST_NOW else "worth telling" if ago <= LATELY else "background"
