"""Keeps hands that were on air, to show them again on the operator's cue or to fill the time. No I/O."""

from collections import Counter
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.drama import SAME_MARK_PENALTY
from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import State
from broadcast.show.shots import Shot
from server.game.events import BotEliminated, HandEnded, HandStarted, PotAwarded

MAX_MARKED = 24
"""A mark says why a hand is worth remembering. At most this many of the best marked hands are kept for replays."""
BEST_COUNT = 3
"""How many hands the cue "best" replays."""


class Replay(Struct, frozen=True):
    """A hand to show again. `picture` is the picture before the hand's first event. `shots` are the shots of the hand
    and of the eliminations after it.

    `mark` is the hand's most important mark, or "" for none. `score` is the drama of the hand, which decides which
    hands are best.
    """

    game: int
    hand: int
    picture: State
    shots: list[Shot]
    mark: str = ""
    score: int = 0

    @property
    def key(self) -> tuple[int, int]:
        """The numbers of the game and the hand, which identify a hand of the show."""
        return self.game, self.hand

    @property
    def caption(self) -> str:
        """The caption that introduces the replay. The caption does not give away how the hand ends."""
        stage = self.picture.stage
        assert stage, "a hand belongs to a stage"
        game = "" if stage.games == 1 else f"{'deal' if stage.deals else 'game'} {self.game - stage.first_game + 1}, "
        mark = f", the {self.mark.lower()}" if self.mark else ""
        return f"Once more{mark}: {stage.title}, {game}hand {self.hand}."


class Replays:
    """The queue of replays, and the hands that a show can replay: its last hand and its best marked hands."""

    def __init__(self) -> None:
        self.is_on_air = False
        """Whether a replay is on air. If this is set to False, the showrunner ends the replay at once."""
        self.is_filler = False
        """Whether the replay was started without a cue, only to fill the time."""
        self._last_hand: Replay | None = None
        self._hand_on_air: Replay | None = None
        self._is_won = False
        """Whether the winner of the hand on air has been shown. If so, a cue for a replay is about this hand."""
        self._marked: list[Replay] = []
        self.queued: list[Replay] = []
        """The replays to show now, in this order."""
        self._must_queue_after_hand = False
        self.replayed_hands: set[tuple[int, int]] = set()
        """The hands already replayed, as (game, hand). None of them is replayed again to fill the time."""

    def record(self, picture: State, shot: Shot) -> None:
        """Records a shot that goes on air for the first time. `picture` is the picture before this shot."""
        event = shot.event
        if isinstance(event, HandStarted):
            self._hand_on_air = Replay(picture.game.game if picture.game else 0, event.hand, picture, [])
        self._is_won = isinstance(event, PotAwarded) or (self._is_won and not isinstance(event, HandEnded))
        if self._hand_on_air:
            self._hand_on_air.shots.append(shot)
        elif self._last_hand and isinstance(event, BotEliminated):
            self._last_hand.shots.append(shot)
        if self._hand_on_air and isinstance(event, HandEnded):
            self._finish_hand(self._hand_on_air, [event for event in shot.events if isinstance(event, HighlightMarked)])
        if self._must_queue_after_hand and not self._is_won:
            self._queue_last()

    def queue_for_cue(self, cue: str) -> None:
        """Queues the best hands for the cue "best", or the last hand for any other cue. Ends the replay on air if that
        replay only fills the time.
        """
        if self.is_filler:
            self.stop()
        if cue == "best":
            self.queued = self.best(self.replayed_hands, BEST_COUNT) or self.best((), BEST_COUNT)
        else:
            self._queue_last(after_hand=self._is_won)

    def best(self, excluded: Collection[tuple[int, int]], count: int) -> list[Replay]:
        """Returns up to `count` of the best marked hands that are not in `excluded`, in the order of the show.

        Prefers hands with different marks.
        """
        marks = Counter(replay.mark for replay in self._marked if replay.key in excluded)
        candidates = [replay for replay in self._marked if replay.key not in excluded]
        chosen = list[Replay]()
        while candidates and len(chosen) < count:
            best = max(candidates, key=lambda replay: replay.score - SAME_MARK_PENALTY * marks[replay.mark])
            candidates.remove(best)
            marks[best.mark] += 1
            chosen.append(best)
        return sorted(chosen, key=lambda replay: replay.key)

    @property
    def can_fill(self) -> bool:
        """Whether there is a marked hand that has not been replayed yet."""
        return bool(self.best(self.replayed_hands, 1))

    def queue_filler(self) -> None:
        """Queues the best hand that has not been replayed yet, to fill the time."""
        self.queued, self.is_filler = self.best(self.replayed_hands, 1), True

    def pop_next(self) -> Replay | None:
        """Removes the next replay from the queue and returns it, or None if the queue is empty."""
        self.is_on_air = bool(self.queued)
        self.is_filler &= self.is_on_air
        if not self.queued:
            return None
        replay = self.queued.pop(0)
        self.replayed_hands.add(replay.key)
        return replay

    def stop(self) -> None:
        """Ends the replay on air and empties the queue."""
        self.queued, self.is_on_air, self.is_filler = [], False, False

    def _queue_last(self, *, after_hand: bool = False) -> None:
        """Queues the last hand. With `after_hand`, queues the hand on air instead, once it is over."""
        self.queued, self._must_queue_after_hand = [self._last_hand] if self._last_hand else [], after_hand

    def _finish_hand(self, hand: Replay, marks: list[HighlightMarked]) -> None:
        self._last_hand, self._hand_on_air = hand, None
        if marks:
            self._last_hand = replace(hand, mark=marks[0].mark, score=marks[0].score)
            self._marked = sorted([*self._marked, self._last_hand], key=lambda replay: -replay.score)[:MAX_MARKED]
