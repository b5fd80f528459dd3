"""Defines storylines, which are sentences such as "Doc has led for 9 hands", and chooses which is announced next.

No storyline is announced twice in ten minutes. Bots with few storylines so far come first. No I/O.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from broadcast.commentary.storylines.bot_facts import HandNumber
from broadcast.commentary.storylines.earlier_facts import EarlierHand
from broadcast.on_air.events import StatisticsChanged

Importance = Literal["just now", "worth telling", "background", "for a pause"]
IMPORTANCES: tuple[Importance, ...] = ("just now", "worth telling", "background", "for a pause")
Topic = Literal[
    "knockouts", "the lead", "comebacks", "rivals", "first and largest", "streaks", "luck", "style", "pressure",
    "form", "earlier contests", "at stake", "prize money", "the series", "clocks and faults", "authors",
]  # fmt: skip
Name = Callable[[int], str]
"""Returns a bot's name for use in a sentence."""
HANDS_IN_TEN_MINUTES = 30
"""The largest number of hands that a show at speed 1 plays in ten minutes."""
MAX_HANDS_JUST_NOW, MAX_HANDS_LATELY = 1, 7
"""What happened in a hand is "just now" if at most MAX_HANDS_JUST_NOW hands have been finished since then. It is "worth
telling" if at most MAX_HANDS_LATELY hands have been finished since then.
"""
MIN_HANDS_BETWEEN = 3
"""The minimum number of hands from one storyline to the next. It does not apply to a storyline that is "just now"."""
MIN_HANDS_PER_RARE = 20
"""A kind of storyline is called rare if, on average, such a storyline begins at most once in this many hands."""
MIN_HANDS_FOR_RARITY = 100
"""The show says how rare a kind of storyline is only if it has counted at least this many hands."""


class Storyline(Struct, frozen=True):
    """A storyline about `bots`, which is proved by tonight's `hands` and by hands of `earlier` contests.

    `kind` distinguishes storylines with the same topic and bots. A storyline begins when its sentence becomes true. On
    average, a storyline of this kind begins once in `hands_per_storyline` hands of tonight's and earlier contests. The
    number is 0 if it is unknown, or if the kind is not rare.
    """

    topic: Topic
    kind: str
    bots: tuple[int, ...]
    text: str
    importance: Importance
    hands: tuple[HandNumber, ...]
    hands_per_storyline: int = 0
    earlier: tuple[EarlierHand, ...] = ()
    hands_since_told: int | None = None
    """How many hands ago the storyline was last announced. It is None if it never was."""
    hands_ago: int | None = None
    """How many hands were finished after the latest of `hands`. It is None if `hands` is empty."""

    @property
    def key(self) -> str:
        """Identifies the storyline by its kind and bots, which stay the same when its wording changes."""
        return "-".join([self.kind, *map(str, sorted(self.bots))])


class TalkingPoints(Struct, frozen=True):
    """What commentators can use at one moment: storylines, showdowns and statistics, all after the same hand.

    `showdowns` has the winner and the hand of each showdown between two bots. Its keys are pairs of bots, the lower
    number first.
    """

    lines: tuple[Storyline, ...] = ()
    showdowns: Mapping[tuple[int, int], Sequence[tuple[int, HandNumber]]] = {}
    statistics: StatisticsChanged = StatisticsChanged(())
    last_hand: HandNumber = HandNumber(0, 0)
    """The last finished hand."""
    hands: int = 0
    """How many hands of the evening are over."""


class StorylineHistory:
    """Records which storylines a show has announced, and chooses the next.

    In all methods, `hands_finished` is the number of hands finished since the beginning of the show.
    """

    def __init__(self) -> None:
        self._announced: dict[str, int] = {}
        """How many hands were finished when each storyline was last announced, keyed by the storyline's key."""
        self._told_about_earlier: set[str] = set()
        """The announced sentences about earlier contests. Each sentence is announced only once, because what happened
        in earlier contests does not change.
        """
        self._announcements_by_bot: Counter[int] = Counter()
        """The number of announced storylines about each bot."""
        self._last_announced = -MIN_HANDS_BETWEEN
        """How many hands were finished when a storyline was last announced."""

    def choose(self, lines: Iterable[Storyline], hands_finished: int, seated: Collection[int]) -> Storyline | None:
        """Returns the storyline to announce at the beginning of a hand, and records it as announced.

        Chooses only among the `lines` whose bots are all in `seated`. Leaves out lines announced in the last
        HANDS_IN_TEN_MINUTES hands, and announced sentences about earlier contests. In the first MIN_HANDS_BETWEEN hands
        after any announcement, chooses only lines that are "just now". Returns None if no line is left.
        """
        fresh = [line for line in lines if self._is_fresh(line, hands_finished) and {*line.bots} <= {*seated}]
        best = min(fresh, key=self._rank, default=None)
        if best:
            self.announce(best, hands_finished)
        return best

    def announce(self, line: Storyline, hands_finished: int) -> None:
        self._announced[line.key] = self._last_announced = hands_finished
        self._announcements_by_bot.update(line.bots)
        if line.earlier:
            self._told_about_earlier.add(line.text)

    def hands_since(self, line: Storyline, hands_finished: int) -> int | None:
        """Returns how many hands were finished since this storyline was last announced, in any wording. Returns None if
        it never was.
        """
        last = self._announced.get(line.key)
        return None if last is None else hands_finished - last

    def _is_fresh(self, line: Storyline, hands_finished: int) -> bool:
        since = self.hands_since(line, hands_finished)
        is_due = line.importance == "just now" or hands_finished - self._last_announced >= MIN_HANDS_BETWEEN
        return is_due and line.text not in self._told_about_earlier and (since is None or since > HANDS_IN_TEN_MINUTES)

    def _rank(self, line: Storyline) -> tuple[int, float, int]:
        """Returns the sort key. The most important storylines come first, then those about bots with few announcements,
        then rare kinds.
        """
        average = sum(self._announcements_by_bot[bot] for bot in line.bots) / len(line.bots)
        return IMPORTANCES.index(line.importance), average, -line.hands_per_storyline


def importance_by_age(ago: int) -> Importance:
    """Returns the importance of something that happened `ago` hands ago."""
    return "just now" if ago <= MAX_HANDS_JUST_NOW else "worth telling" if ago <= MAX_HANDS_LATELY else "background"
