"""Replays: hands shown again as they were on air, on the operator's cue or to fill the time. Pure."""

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
"""How many hands the cue "best" shows."""


class Replay(Struct, frozen=True):
    """A hand to show again: the picture before its first event, and all its shots with the eliminations after it.

    `mark` is its most important mark, "" for none; `score` is its drama, by which the best are chosen.
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
        """The caption that introduces it without giving away how the hand ends."""
        stage = self.picture.stage
        assert stage, "a hand belongs to a stage"
        game = "" if stage.games == 1 else f"game {self.game - stage.first_game + 1}, "
        what = f", the {self.mark.lower()}" if self.mark else ""
        return f"Once more{what}: {stage.title}, {game}hand {self.hand}."


class Replays:
    """The hands that a show can replay, its last and the best marked ones, and the queue of replays to show now."""

    def __init__(self) -> None:
        self.goes_on = False
        """Whether a replay is on air; the showrunner ends it at once when this becomes False."""
        self.filling = False
        """Whether the replay fills the time, without a cue."""
        self._last: Replay | None = None
        self._now: Replay | None = None
        self._is_won = False
        """Whether the hand on air already shows its winner, so that a replay cue now means this hand."""
        self._marked: list[Replay] = []
        self.queued: list[Replay] = []
        """The replays to show now, the next one first."""
        self._queue_this = False
        self.repeated: set[tuple[int, int]] = set()
        """Hands already replayed, as (game, hand): they do not fill the time again."""

    def record(self, picture: State, shot: Shot) -> None:
        """Records `shot`, which goes on air for the first time; `picture` is the one before it."""
        first = shot.event
        if isinstance(first, HandStarted):
            self._now = Replay(picture.game.game if picture.game else 0, first.hand, picture, [])
        self._is_won = isinstance(first, PotAwarded) or (self._is_won and not isinstance(first, HandEnded))
        if self._now:
            self._now.shots.append(shot)
        elif self._last and isinstance(first, BotEliminated):
            self._last.shots.append(shot)
        if self._now and isinstance(first, HandEnded):
            self._keep(self._now, [event for event in shot.events if isinstance(event, HighlightMarked)])
        if self._queue_this and not self._is_won:
            self._queue_last()

    def ask(self, cue: str) -> None:
        """Queues the last hand, or for the cue "best" the best ones. Ends a replay that fills the time."""
        if self.filling:
            self.stop()
        if cue == "best":
            self.queued = self.best(self.repeated, BEST) or self.best((), BEST)
        else:
            self._queue_last(this=self._is_won)

    def best(self, repeated: Collection[tuple[int, int]], count: int) -> list[Replay]:
        """Up to `count` of the best marked hands, with different marks, not `repeated`, in the order of the show."""
        kinds = Counter(replay.mark for replay in self._marked if replay.key in repeated)
        left = [replay for replay in self._marked if replay.key not in repeated]
        chosen = list[Replay]()
        while left and len(chosen) < count:
            best = max(left, key=lambda replay: replay.score - SAME_MARK * kinds[replay.mark])
            left.remove(best)
            kinds[best.mark] += 1
            chosen.append(best)
        return sorted(chosen, key=lambda replay: replay.key)

    @property
    def can_fill(self) -> bool:
        """Whether a marked hand has not been replayed yet."""
        return bool(self.best(self.repeated, 1))

    def fill(self) -> None:
        """Queues the best such hand, to fill the time."""
        self.queued, self.filling = self.best(self.repeated, 1), True

    def begin(self) -> Replay | None:
        """Takes the next replay from the queue; None if there is none."""
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
        """Queues the last hand; with `this`, the hand on air replaces it once it is over."""
        self.queued, self._queue_this = [self._last] if self._last else [], this

    def _keep(self, hand: Replay, marks: list[HighlightMarked]) -> None:
        self._last, self._now = hand, None
        if marks:
            self._last = replace(hand, mark=marks[0].mark, score=marks[0].score)
            self._marked = sorted([*self._marked, self._last], key=lambda each: -each.score)[:MAX_MARKED]
