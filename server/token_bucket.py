"""A token bucket: it allows a burst, and then a steady rate. No I/O."""

from collections.abc import Callable


class TokenBucket:
    """A budget for bytes, connections or requests.

    The bucket starts full, with `capacity`, and refills by `per_second` each second. `clock` returns monotonic seconds.
    """

    def __init__(self, capacity: float, per_second: float, clock: Callable[[], float]) -> None:
        self._capacity = self._tokens = float(capacity)
        self._per_second = per_second
        self._clock = clock
        self._refilled_at = clock()

    def spend(self, amount: float) -> bool:
        """Takes `amount` from the budget if that much is left. Returns whether it was taken."""
        self._refill()
        is_enough = amount <= self._tokens
        self._tokens -= amount if is_enough else 0
        return is_enough

    def charge(self, amount: float) -> float:
        """Takes `amount`, even if less is left. Returns the seconds until the debt is paid."""
        self._refill()
        self._tokens -= amount
        return max(0.0, -self._tokens / self._per_second)

    def seconds_until(self, amount: float) -> float:
        """Returns the seconds until `amount` can be spent."""
        self._refill()
        return max(0.0, amount - self._tokens) / self._per_second

    @property
    def is_full(self) -> bool:
        self._refill()
        return self._tokens >= self._capacity

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(self._tokens + max(0.0, now - self._refilled_at) * self._per_second, self._capacity)
        self._refilled_at = now
