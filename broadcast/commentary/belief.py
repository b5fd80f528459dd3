"""Whether a bot's thought says that the bot is ahead. A bet by such a bot is not a bluff, even if the bot is wrong.
Pure.
"""

import re

from broadcast.commentary.claims.claim import Reading

AHEAD = 0.5
"""A bot that gives itself at least this chance to win believes that it is ahead."""
_BLUFFS = re.compile(
    r"\bI(?:['\u2019](?:m|ll)| am| will)?(?: \w+)? (?:semi-?)?bluff|\bmy (?:semi-?)?bluff"
    r"|\b(?:as|is|it['\u2019]s|into) a (?:\w+ )?(?:semi-?)?bluff|\brepresent",
    re.IGNORECASE,
)
"""What a bot says about its own bluff. What it says about the bluffs of others does not count."""
_DENIED = re.compile(r"\b(?:no|not|\w+n['\u2019]t|without|never|neither|nor|missed)\b[^.,;:!?]*$", re.IGNORECASE)
_HIGH_CARD = re.compile(r"[- ]high$", re.IGNORECASE)


def believes_ahead(thought: str, reading: Reading) -> bool:
    """Whether `thought`, whose claims are in `reading`, says that its bot is ahead.

    A thought says so if it gives a chance to win of at least 50 %. If it gives no chance, it says so if it names the
    bot's made hand, and that hand is at least a pair. A bot that says it is bluffing does not believe that it is ahead.
    """
    from broadcast.commentary.claims.kinds.made_hand import KIND  # noqa: PLC0415  slow: many expressions

    if _BLUFFS.search(thought):
        return False
    if reading.estimates:
        return any(each.value >= AHEAD for each in reading.estimates)
    return any(
        claim.kind == KIND
        and not _HIGH_CARD.search(thought[claim.start : claim.end])
        and not _DENIED.search(thought[: claim.start])
        for claim in reading.claims
    )
