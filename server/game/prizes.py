"""How the pool of buy-ins is shared out by place, in cents. Pure; it does not know who is in which place."""

from collections.abc import Sequence

from msgspec import Struct

WHOLE = 10_000
"""Hundredths of a per cent in a whole."""


class Share(Struct, frozen=True):
    """What one place gets: a fixed sum, or hundredths of a per cent of what the fixed sums leave."""

    cents: int = 0
    part: int = 0


def prizes(pool_cents: int) -> tuple[int, ...]:
    """What the first five places get by the rule book, in cents.

    "4th / 5th place: $5. 3rd place: 20% of remaining pot. 2nd place: 30% […] 1st place: 50% of remaining pot". A pool
    too small for 4th and 5th all goes to the first three.
    """
    small = 500 if pool_cents >= 2000 else 0
    return share_out(pool_cents, (Share(part=5000), Share(part=3000), Share(part=2000), Share(small), Share(small)))


def share_out(pool_cents: int, shares: Sequence[Share]) -> tuple[int, ...]:
    """What each place gets, in cents; what does not divide, and what nobody was promised, goes to the winner.

    Raises ValueError where the fixed sums are more than the pool.
    """
    fixed = sum(share.cents for share in shares)
    if fixed > pool_cents:
        raise ValueError(f"prizes of ${fixed / 100:.2f} are promised, but the pool is ${pool_cents / 100:.2f}")
    paid = [share.cents + (pool_cents - fixed) * share.part // WHOLE for share in shares]
    return (pool_cents - sum(paid[1:]), *paid[1:]) if paid else ()
