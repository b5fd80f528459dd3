"""Keeps hands that were on air, to show them again on the operator's cue or to fill the time. Pure."""

from collections import Counter
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.drama import SAME_MARK
from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import State
from broadcast.show.shots import Shot
from server.game.events import BotEliminated, HandEnded, HandStarted, PotAwarded

MAX_MARKED = 24
"""How many of the best marked hands are kept for replays."""
BEST = 3
"""How many hands the cue "best" replays."""


class Replay(Struct, frozen=True):
    """A hand to show again. `picture` is the picture before its first event. `shots` are the shots of the hand and of
    the eliminations after it.

    `mark` is the most important mark, "" for none. `score` is the drama of the hand, which decides which hands are
    best.
    """

    game: int
    hand: int
    picture: State
    shots: list[Shot]
    mark: str = ""
    score: int = 0

    @property
    def key(self) -> tuple[int, int]:
        """(game, hand), which identifies a hand of the show."""
        return self.game, self.hand

    @property
    def caption(self) -> str:
        """The caption that introduces the replay. It does not give away how the hand ends."""
        stage = self.picture.stage
        assert stage, "a hand belongs to a stage"
        game = "" if stage.games == 1 else f"{'deal' if stage.deals else 'game'} {self.game - stage.first_game + 1}, "
        mark = f", the {self.mark.lower()}" if self.mark else ""
        return f"Once more{mark}: {stage.title}, {game}hand {self.hand}."


class Replays:
    """The hands that a show can replay (its last hand and its best marked hands), and the queue of replays."""

    def __init__(self) -> None:
        self.goes_on = False
        """Whether a replay is on air. Setting it to False makes the showrunner end the replay at once."""
        self.filling = False
        """Whether the replay was started without a cue, only to fill the time."""
        self._last: Replay | None = None
        self._now: Replay | None = None
        self._is_won = False
        """Whether the winner of the hand on air has been shown. If so, a cue for a replay means this hand."""
        self._marked: list[Replay] = []
        self.queued: list[Replay] = []
        """The replays to show now, the next one first."""
        self._queue_this = False
        self.repeated: set[tuple[int, int]] = set()
        """The hands already replayed, as (game, hand). They are not used again to fill the time."""

    def record(self, picture: State, shot: Shot) -> None:
        """Records a shot that goes on air for the first time. `picture` is the picture before it."""
        first = shot.event
        if isinstance(first, HandStarted):
            self._now = Replay(picture.game.game if picture.game else 0, first.hand, picture, [])
        self._is_won = isinstance(first, PotAwarded) or (self._is_won and not isinstance(first, HandEnded))
        if self._now:
            self._now.shots.append(shot)
        elif self._last and isinstance(first, BotEliminated):
            self._last.shots.append(shot)
        if self._now and isinstance(first, HandEnded):
            self._finish_hand(self._now, [event for event in shot.events if isinstance(event, HighlightMarked)])
        if self._queue_this and not self._is_won:
            self._queue_last()

    def ask(self, cue: str) -> None:
        """Queues the best hands for the cue "best", or the last hand for any other cue. Ends the replay on air if it
        only fills the time.
        """
        if self.filling:
            self.stop()
        if cue == "best":
            self.queued = self.best(self.repeated, BEST) or self.best((), BEST)
        else:
            self._queue_last(this=self._is_won)

    def best(self, repeated: Collection[tuple[int, int]], count: int) -> list[Replay]:
        """Returns up to `count` of the best marked hands that are not in `repeated`, in the order of the show.

        Prefers hands with different marks.
        """
        marks = Counter(replay.mark for replay in self._marked if replay.key in repeated)
        candidates = [replay for replay in self._marked if replay.key not in repeated]
        chosen = list[Replay]()
        while candidates and len(chosen) < count:
            best = max(candidates, key=lambda replay: replay.score - SAME_MARK * marks[replay.mark])
            candidates.remove(best)
            marks[best.mark] += 1
            chosen.append(best)
        return sorted(chosen, key=lambda replay: replay.key)

    @property
    def can_fill(self) -> bool:
        """Whether there is a marked hand that has not been replayed yet."""
        return bool(self.best(self.repeated, 1))

    def fill(self) -> None:
        """Queues the best hand that has not been replayed yet, to fill the time."""
        self.queued, self.filling = self.best(self.repeated, 1), True

    def begin(self) -> Replay | None:
        """Removes the next replay from the queue and returns it; None if the queue is empty."""
        self.goes_on = bool(self.queued)
        self.filling &= self.goes_on
        if not self.queued:
            return None
        replay = self.queued.pop(0)
        self.repeated.add(replay.key)
        return replay

    def stop(self) -> None:
        """Ends the replay on air and empties the queue."""
        self.queued, self.goes_on, self.filling = [], False, False

    def _queue_last(self, *, this: bool = False) -> None:
        """Queues the last hand. With `this`, queues the hand on air instead, once it is over."""
        self.queued, self._queue_this = [self._last] if self._last else [], this

    def _finish_hand(self, hand: Replay, marks: list[HighlightMarked]) -> None:
        self._last, self._now = hand, None
        if marks:
            self._last = replace(hand, mark=marks[0].mark, score=marks[0].score)
            self._marked = sorted([*self._marked, self._last], key=lambda each: -each.score)[:MAX_MARKED]
