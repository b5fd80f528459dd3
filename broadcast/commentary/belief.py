"""Finds out whether a bot's thought says that the bot is ahead. If it does, the bot's bet is not a bluff, even if the
bot is wrong. No I/O.
"""

import re

from broadcast.commentary.claims.claim import Reading

MIN_CHANCE_AHEAD = 0.5
"""A bot that gives itself at least this chance to win believes that it is ahead."""
_BLUFFS = re.compile(
    r"\bI(?:['\u2019](?:m|ll)| am| will)?(?: \w+)? (?:semi-?)?bluff|\bmy (?:semi-?)?bluff"
    r"|\b(?:as|is|it['\u2019]s|into) a (?:\w+ )?(?:semi-?)?bluff|\brepresent",
    re.IGNORECASE,
)
"""Matches words in which a bot says that it is bluffing, but not words about other bots' bluffs."""
_DENIAL = re.compile(r"\b(?:no|not|\w+n['\u2019]t|without|never|neither|nor|missed)\b[^.,;:!?]*$", re.IGNORECASE)
"""Matches the end of a clause that denies what comes next: "I do not have a"."""
_HIGH_CARD = re.compile(r"[- ]high$", re.IGNORECASE)


def believes_ahead(thought: str, reading: Reading) -> bool:
    """Whether a bot's `thought` says that the bot is ahead. `reading` has the claims and estimates of the thought.

    If the thought estimates the bot's chance to win, one estimate must be at least 50 %. A thought without an estimate
    must name the bot's made hand, and this hand must be at least a pair. If a bot says that it is bluffing, it does not
    believe that it is ahead.
    """
    from broadcast.commentary.claims.kinds.made_hand import KIND  # noqa: PLC0415  slow: compiles many patterns

    if _BLUFFS.search(thought):
        return False
    if reading.estimates:
        return any(each.estimated_chance >= MIN_CHANCE_AHEAD for each in reading.estimates)
    return any(
        claim.kind == KIND
        and not _HIGH_CARD.search(thought[claim.start : claim.end])
        and not _DENIAL.search(thought[: claim.start])
        for claim in reading.claims
    )
