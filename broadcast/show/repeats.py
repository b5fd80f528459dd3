"""What is shown again: what the desk asks for, and what fills the time while the table has nothing ready. Pure."""

from collections.abc import Iterable

from broadcast.on_air.picture_state import State
from broadcast.show.replays import ShownHands, Take
from broadcast.show.shots import Shot

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
