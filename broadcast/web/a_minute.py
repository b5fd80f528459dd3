"""How often something may be done in a minute, by all visitors together."""

from collections import deque
from collections.abc import Callable


class AMinute:
    """Allows `most` times within any minute. `clock` gives seconds."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self.most = most
        self._clock = clock
        self._taken: deque[float] = deque()

    def take(self) -> bool:
        """Whether it may be done now; if so, it counts as done."""
        now = self._clock()
        while self._taken and not 0 <= now - self._taken[0] < 60:
            self._taken.popleft()
        if len(self._taken) >= self.most:
            return False
        self._taken.append(now)
        return True
