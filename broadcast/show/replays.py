"""What is shown again: hands as they were on air, what the desk asks for, and what fills the time. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.drama import SAME_MARK
from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import State
from broadcast.show.shots import Shot
from server.game.events import BotEliminated, HandEnded, HandStarted, PotAwarded

MARKED_KEPT = 24
"""So many hands are kept that earned a mark, the best: nobody has the time to see more of them again."""


class Take(Struct, frozen=True):
    """One hand: the picture before its first event, all its shots, and the duels that were lost in it.

    `mark` is the most telling one it earned, "" for none, `score` how much of a story it was.
    """

    game: int
    hand: int
    picture: State
    shots: list[Shot]
    mark: str = ""
    score: int = 0

    @property
    def key(self) -> tuple[int, int]:
        """The game and the hand: which hand of the show this is."""
        return self.game, self.hand

    @property
    def told(self) -> str:
        """The caption with which it is shown again; it does not say how the hand ends."""
        stage = self.picture["stage"]
        game = "" if stage["games"] == 1 else f"game {self.game - stage['first_game'] + 1}, "
        what = f", the {self.mark.lower()}" if self.mark else ""
        return f"Once more{what}: {stage['title']}, {game}hand {self.hand}."


class ShownHands:
    """The last hand that was on air, and the best marked ones. `last` is None until a whole hand has been on air.

    `is_won` means that the hand on air shows its winner by now: whoever asks for a replay means this one.
    """

    def __init__(self) -> None:
        self.last: Take | None = None
        self.is_won = False
        self._now: Take | None = None
        self._marked: list[Take] = []

    def note(self, picture: State, shot: Shot) -> None:
        """Remembers `shot`, which goes on air; `picture` is the one before it."""
        first = shot.event
        if isinstance(first, HandStarted):
            self._now = Take(picture["game"]["game"], first.hand, picture, [])
        self.is_won = isinstance(first, PotAwarded) or (self.is_won and not isinstance(first, HandEnded))
        if self._now:
            self._now.shots.append(shot)
        elif self.last and isinstance(first, BotEliminated):
            self.last.shots.append(shot)
        if self._now and isinstance(first, HandEnded):
            self._keep(self._now, [event for event in shot.events if isinstance(event, HighlightMarked)])

    def best(self, seen: Collection[tuple[int, int]], count: int) -> list[Take]:
        """Up to `count` marked hands in the order of the show: the best, of different marks, none of `seen`."""
        kinds = Counter(take.mark for take in self._marked if take.key in seen)
        left = [take for take in self._marked if take.key not in seen]
        chosen = list[Take]()
        while left and len(chosen) < count:
            best = max(left, key=lambda take: take.score - SAME_MARK * kinds[take.mark])
            left.remove(best)
            kinds[best.mark] += 1
            chosen.append(best)
        return sorted(chosen, key=lambda take: take.key)

    def _keep(self, take: Take, marks: list[HighlightMarked]) -> None:
        self.last, self._now = take, None
        if marks:
            self.last = replace(take, mark=marks[0].mark, score=marks[0].score)
            self._marked.append(self.last)
            self._marked = sorted(self._marked, key=lambda each: -each.score)[:MARKED_KEPT]


BEST = 3
"""So many hands are shown to a desk that asks for the best."""


class Repeats:
    """The hands of one show that may be shown again, and those that are to be."""

    def __init__(self) -> None:
        self.goes_on = False
        """Whether a hand is shown again; it ends at once when this does."""
        self.filling = False
        """Whether it was the show's own idea, to fill the time."""
        self._hands = ShownHands()
        self._wanted: list[Take] = []
        self._wants_this = False
        self._seen: set[tuple[int, int]] = set()

    def note(self, picture: State, shot: Shot) -> None:
        """Remembers `shot`, which goes on air for the first time; `picture` is the one before it."""
        self._hands.note(picture, shot)
        if self._wants_this and not self._hands.is_won:
            self._wanted, self._wants_this = [self._hands.last] if self._hands.last else [], False

    def seen(self, hands: Iterable[tuple[int, int]]) -> None:
        """Remembers hands that were shown again before, as (game, hand): they do not fill the time once more."""
        self._seen |= {*hands}

    def ask(self, cue: str) -> None:
        """Has the last hand shown again, or with the cue "best" the best ones; before anything that fills the time."""
        if self.filling:
            self.stop()
        if cue == "best":
            self._wanted = self._hands.best(self._seen, BEST) or self._hands.best((), BEST)
        else:
            self._wanted, self._wants_this = [self._hands.last] if self._hands.last else [], self._hands.is_won

    def want(self, takes: Iterable[Take]) -> None:
        """Has `takes` shown, instead of what was asked for before."""
        self._wanted = [*takes]

    @property
    def can_fill(self) -> bool:
        """Whether there is a marked hand that was not shown again yet."""
        return bool(self._hands.best(self._seen, 1))

    def fill(self) -> None:
        """Has the best marked hand shown that was not shown again yet, to fill the time."""
        self._wanted, self.filling = self._hands.best(self._seen, 1), True

    @property
    def wanted(self) -> bool:
        """Whether something is to be shown again."""
        return bool(self._wanted)

    def begin(self) -> Take | None:
        """Takes out the hand to be shown again now; None once there is no more."""
        self.goes_on = bool(self._wanted)
        self.filling &= self.goes_on
        if not self._wanted:
            return None
        take = self._wanted.pop(0)
        self._seen.add(take.key)
        return take

    def stop(self) -> None:
        """Ends what is shown again at once, and forgets what was still to be."""
        self._wanted, self.goes_on, self.filling = [], False, False
