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
"""A hand counts as "just now" while at most JUST_NOW hands have been finished after it, and as "worth telling" while at
most LATELY have.
"""
BETWEEN = 3
"""The minimum number of hands from one storyline to the next, unless the next one is "just now"."""
RARE = 20
"""A kind of storyline is not called rare if it occurs more often than once in this many hands."""
MIN_HANDS = 100
"""The show says how rare a kind is only once this many hands are known."""


class Storyline(Struct, frozen=True):
    """A storyline about tonight's `hands` and hands of `earlier` contests.

    `kind` distinguishes storylines with the same topic and bots. In tonight's and earlier contests, a storyline of this
    kind begins once in `once_in` hands; 0 means unknown or not rare.
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
    """How many hands ago the storyline was last announced; None if never."""
    ago: int | None = None
    """How many hands were finished after the latest of `hands`; None without hands."""

    @property
    def key(self) -> str:
        """The storyline's kind and bots, which stay the same when its wording changes."""
        return "-".join([self.kind, *map(str, sorted(self.bots))])


class Talk(Struct, frozen=True):
    """What commentators can use at one moment: storylines, showdowns and statistics, all after the same hand.

    `showdowns` has the winner and the hand of each showdown between two bots, keyed by the pair with the lower number
    first.
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
        """Announced sentences about earlier contests. Each is announced only once, because these sentences do not
        change."""
        self._times: Counter[int] = Counter()
        """The number of storylines about each bot."""
        self._last = -BETWEEN

    def choose(self, lines: Iterable[Storyline], hand: int, seated: Collection[int]) -> Storyline | None:
        """Chooses a storyline about `seated` bots for the beginning of a hand, and records it as announced.

        Returns None if every storyline was announced a short time ago.
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
        """How many hands before `hand` this storyline was last announced, in any wording; None if never."""
        last = self._announced.get(line.key)
        return None if last is None else hand - last

    def _is_fresh(self, line: Storyline, hand: int) -> bool:
        since = self.hands_since(line, hand)
        is_due = line.importance == "just now" or hand - self._last >= BETWEEN
        return is_due and line.text not in self._of_the_past and (since is None or since > TEN_MINUTES)

    def _rank(self, line: Storyline) -> tuple[int, float, int]:
        """Returns the sort key: importance, then how few storylines the bots have had, then how rare the kind is."""
        average = sum(self._times[bot] for bot in line.bots) / len(line.bots)
        return IMPORTANCES.index(line.importance), average, -line.once_in


def by_age(ago: int) -> Importance:
    """The importance of something that happened `ago` hands ago."""
    return "just now" if ago <= JUST_NOW else "worth telling" if ago <= LATELY else "background"
