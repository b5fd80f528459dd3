"""Pages that only who has their link is to find."""

import hmac

PRIVATE = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
"""Their headers. Their own forms must be able to say where they come from; other servers are never told."""


def same_link(one: str, other: str) -> bool:
    """Whether two links end alike; how long that takes tells nobody where they differ."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))
