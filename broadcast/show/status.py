"""The state of the show as the operator's desk displays it. Pure."""

from msgspec import Struct

from broadcast.on_air.scenes import SceneName
from broadcast.show.stage import StageOnAir


class ShowStatus(Struct, frozen=True):
    """The show at one moment: what is on air, how fast, and how much waits."""

    scene: SceneName
    doing: str
    """In plain words: "High Noon, hand 7 of 24"."""
    hands_shown: int
    hands_ahead: int
    """Hands finished at the table that have not begun on air."""
    eta_s: float
    """Seconds until the present stage is over, at the present pace; 0: unknown."""
    pace: float
    """The pace that viewers see: the operator's speed times the governor's factor."""
    governor: float
    """The governor's factor, 1.0 if it does nothing."""
    waiting: str
    """Why nothing moves, "" while it does."""
    planned: float = 1.0
    """The pace without the operator's speed and without the governor."""
    timed: bool = False
    """Whether there is a time by which the present stage should be over."""
    stage: StageOnAir | None = None
    """None before the first stage and after the last."""
    out: tuple[int, ...] = ()
    """The bots that are out, as far as viewers have seen it."""

    @property
    def is_over(self) -> bool:
        """Whether the contest has its champion, and viewers see it."""
        return self.scene == "champion"
