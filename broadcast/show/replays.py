"""The hands that were on air, as they were shown: the last one, and those of the evening that earned a mark. Pure."""

from collections import Counter
from collections.abc import Collection

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
