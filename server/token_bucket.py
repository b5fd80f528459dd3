"""A token bucket: it allows a burst, and then a steady rate. Pure."""

from collections.abc import Callable


class TokenBucket:
    """A budget for bytes, connections or requests.

    The bucket starts full, with `at_once`, and refills by `a_second` each second. `clock` returns monotonic seconds.
    """

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float]) -> None:
        self._most = self._left = float(at_once)
        self._a_second = a_second
        self._clock = clock
        self._at = clock()

    def spend(self, amount: float) -> bool:
        """Takes `amount` from the budget if that much is left. Returns whether it was taken."""
        self._refill()
        enough = amount <= self._left
        self._left -= amount if enough else 0
        return enough

    def charge(self, amount: float) -> float:
        """Takes `amount`, even if less is left. Returns the seconds until the debt is paid."""
        self._refill()
        self._left -= amount
        return max(0.0, -self._left / self._a_second)

    def wait(self, amount: float) -> float:
        """Returns the seconds until `amount` can be spent."""
        self._refill()
        return max(0.0, amount - self._left) / self._a_second

    @property
    def whole(self) -> bool:
        """Whether the bucket is full."""
        self._refill()
        return self._left >= self._most

    def _refill(self) -> None:
        now = self._clock()
        self._left = min(self._left + max(0.0, now - self._at) * self._a_second, self._most)
        self._at = now
