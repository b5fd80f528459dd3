"""Shares of places that are few: no address and no network takes so many that others find none. Pure."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Literal

from server.addresses import household, neighbourhood

KEPT = 4
"""The last quarter of all places is kept for addresses that have none yet; half of it at most goes to one network, as
who has one address there may have all of them."""
Why = Literal["full", "share", "kept"]
"""Why there is no place: none is free, the address has its share, or those that are free are kept for others."""


class Shares:
    """Who has how many of `most` places; one address has at most `of_one`."""

    def __init__(self, most: int, of_one: int) -> None:
        self.taken = 0
        self._most = most
        self._of_one = of_one
        self._of: Counter[str] = Counter()
        """By address, and of the places that are kept by network."""

    def take(self, address: str) -> Callable[[], None] | Why:
        """Takes a place; call what is returned, once, to give it back. Where there is none, returns why."""
        one, network = household(address), neighbourhood(address)
        kept = self._most // KEPT
        of_kept = f"kept {network}" if self._most - self.taken <= kept else ""
        if self.taken >= self._most:
            return "full"
        if self._of[one] >= self._of_one:
            return "share"
        if of_kept and (self._of[one] or self._of[of_kept] >= (kept + 1) // 2):
            return "kept"
        self._change(one, of_kept, 1)
        return partial(self._change, one, of_kept, -1)

    def _change(self, one: str, of_kept: str, by: int) -> None:
        self.taken += by
        self._of.update({one: by, of_kept: by})
        self._of = +self._of
